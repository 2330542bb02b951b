"""Wiring: settings, URLs, Celery, and the plumbing that every app shares (`trix_site.common`)."""

from trix_site.celery import app as celery_app

__all__ = ["celery_app"]

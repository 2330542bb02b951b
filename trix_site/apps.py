"""The site as a Django app: it brings the tables of the broker, which belong to no model."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db import connections
from django.db.models.signals import post_migrate


class SiteConfig(AppConfig):
    name = "trix_site"

    def ready(self) -> None:
        post_migrate.connect(install_queue, sender=self)


def install_queue(using: str, **_: Any) -> None:
    """Install pgmq's SQL into a freshly migrated database, where it is the broker and is not there yet."""
    if settings.CELERY_BROKER_URL.startswith("pgmq:") and not _has(using, "pgmq.meta"):
        from pgmq.install import get_embedded_install_sql

        with connections[using].cursor() as cursor:
            cursor.execute(get_embedded_install_sql())


def _has(using: str, table: str) -> bool:
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [table])
        return bool(cursor.fetchone()[0])

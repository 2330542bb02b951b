"""The site as a Django app: it brings the broker's tables, which belong to no model."""

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
    if not settings.CELERY_BROKER_URL.startswith("pgmq:"):
        return
    from pgmq.install import get_embedded_install_sql

    connection = connections[using]
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regnamespace('pgmq') IS NOT NULL")
        if not cursor.fetchone()[0]:
            cursor.execute(get_embedded_install_sql())

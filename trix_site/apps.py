"""The site as a Django app: it brings the tables of the broker and of the cache, which belong to no model."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.db.models.signals import post_migrate

CACHE_TABLE = "site_cache"


class SiteConfig(AppConfig):
    name = "trix_site"

    def ready(self) -> None:
        post_migrate.connect(install_queue, sender=self)
        post_migrate.connect(install_cache, sender=self)


def install_queue(using: str, **_: Any) -> None:
    """Install pgmq's SQL into a freshly migrated database, where it is the broker and is not there yet."""
    if settings.CELERY_BROKER_URL.startswith("pgmq:") and not _has(using, "pgmq.meta"):
        from pgmq.install import get_embedded_install_sql

        with connections[using].cursor() as cursor:
            cursor.execute(get_embedded_install_sql())


def install_cache(using: str, **_: Any) -> None:
    if not _has(using, CACHE_TABLE):
        call_command("createcachetable", CACHE_TABLE, database=using, verbosity=0)


def _has(using: str, table: str) -> bool:
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [table])
        return bool(cursor.fetchone()[0])

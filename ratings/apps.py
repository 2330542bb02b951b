from typing import Any

from django.apps import AppConfig, apps
from django.apps.registry import Apps
from django.db.models.signals import post_migrate


class RatingsConfig(AppConfig):
    name = "ratings"
    verbose_name = "Ratings"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games.signals import account_closing, match_finished
        from ratings.suspicions import forget
        from ratings.tasks import queue_rating

        match_finished.connect(queue_rating, dispatch_uid="ratings")
        account_closing.connect(forget, dispatch_uid="ratings.suspicions")
        post_migrate.connect(make_pools, sender=self)


def make_pools(using: str, apps: Apps = apps, **_: Any) -> None:
    """Make the pools after a migration or a flush; `apps` are the models as they were migrated."""
    from ratings.services import ensure_pools

    ensure_pools(apps, using)

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = "Tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games.signals import match_finished
        from tournaments.organisers import make_group
        from tournaments.tasks import queue_result

        match_finished.connect(queue_result, dispatch_uid="tournaments.queue_result")
        post_migrate.connect(make_group, sender=self, dispatch_uid="tournaments.make_group")

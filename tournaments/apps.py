from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = "Tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games.signals import account_closed, account_closing, account_locking, match_finished
        from tournaments.organisers import check_not_needed, lock_what_he_runs, make_group
        from tournaments.services.entries import withdraw_closed
        from tournaments.tasks import queue_result

        match_finished.connect(queue_result, dispatch_uid="tournaments.queue_result")
        account_locking.connect(lock_what_he_runs, dispatch_uid="tournaments.lock_what_he_runs")
        account_closing.connect(check_not_needed, dispatch_uid="tournaments.check_not_needed")
        account_closed.connect(withdraw_closed, dispatch_uid="tournaments.withdraw_closed")
        post_migrate.connect(make_group, sender=self, dispatch_uid="tournaments.make_group")

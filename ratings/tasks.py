"""Background rating. A task names no match: each run rates all that waits, so any message stands for any."""

from typing import Any

from celery import shared_task

from ratings import recalculations, services, suspicions
from ratings.models import Pool


@shared_task
def rate_finished() -> None:
    """Rate the finished matches that are not rated yet. Queued by each match that ends, and by the beat."""
    services.rate_finished()


@shared_task
def rate_late() -> None:
    """Rate also what finished long ago, and had to wait until other tables had played the same cards."""
    services.rate_finished(since_ever=True)


@shared_task
def recalculate() -> None:
    """Do the recalculations and previews that were asked for. Queued with each of them, and by the beat."""
    recalculations.recalculate()


@shared_task
def find_suspicions() -> None:
    """Look through the matches of each pool, a task a pool. Sent by the beat, once a day."""
    for pool in Pool.objects.values_list("pk", flat=True):
        find_suspicions_in.delay(pool)


@shared_task
def find_suspicions_in(pool: int) -> None:
    """Look through the matches of one pool for what organisers should look at."""
    suspicions.find(Pool.objects.get(pk=pool))


def queue_rating(**_: Any) -> None:
    """Receiver of `match_finished`. A lost message costs time only: the beat finds the match."""
    rate_finished.delay()

"""Background work: results of finished matches reach their tables, also those whose message was lost."""

import logging
from typing import Any

from celery import shared_task

from tournaments.models import Table
from tournaments.selectors import unrecorded_matches
from tournaments.services.results import record_match

log = logging.getLogger(__name__)


@shared_task
def record_result(match_id: int) -> None:
    """Record a finished match at its table; harmless for any other match, and twice."""
    record_match(match_id)


@shared_task
def sweep() -> None:
    """Record what is over and was not recorded."""
    for match_id in unrecorded_matches():
        try:
            record_match(match_id)
        except Exception:
            log.exception("The result of match %s could not be recorded", match_id)


def queue_result(match_id: int, **_: Any) -> None:
    """Receives games.signals.match_finished. A broker that is down costs time: the sweeper finds it."""
    if Table.objects.filter(match_id=match_id).exists():
        record_result.delay(match_id)

"""Background work: results of finished matches reach their tables, also those whose message was lost."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from celery import shared_task
from django.utils import timezone

from tournaments.models import Table, Tournament
from tournaments.selectors import automatic_tournaments, unrecorded_matches
from tournaments.services.automatic import advance
from tournaments.services.dates import end_for, overdue_seats
from tournaments.services.entries import closed_entries, withdraw_closed
from tournaments.services.results import record_match
from tournaments.services.seats import absent_seats, mark_absent

log = logging.getLogger(__name__)


@shared_task
def record_result(match_id: int) -> None:
    """Record a finished match at its table; harmless for any other match, and twice."""
    if record_match(match_id):
        _advance(Table.objects.values_list("round__tournament__slug", flat=True).get(match_id=match_id))


@shared_task
def sweep() -> None:
    """Record what is over and was not recorded; have bots play for who has not come; take the steps that
    automatic tournaments are ready for.
    """
    for match_id in unrecorded_matches():
        with logged(f"The result of match {match_id} could not be recorded"):
            record_match(match_id)
    for entry in closed_entries().select_related("player", "partner"):
        with logged(f"Entry {entry.pk} of a deleted account could not be withdrawn"):
            withdraw_closed(next(player for player in entry.players if player.closed_at))
    for tournament in Tournament.objects.filter(state=Tournament.State.RUNNING, grace__isnull=False):
        _mark_absent(tournament)
    for match_code, player in overdue_seats():
        with logged(f"The bot of {player} could not take over match {match_code}"):
            end_for(match_code, player)
    for slug in automatic_tournaments():
        _advance(slug)


def _mark_absent(tournament: Tournament) -> None:
    for seat in absent_seats(tournament, timezone.now()):
        with logged(f"Seat {seat.pk} of a player who has not come could not be handed to a bot"):
            mark_absent(seat)


def _advance(slug: str) -> None:
    with logged(f"Tournament {slug} could not go on by itself"):
        advance(slug)


@contextmanager
def logged(trouble: str) -> Iterator[None]:
    """What cannot be done must not keep anyone from the rest."""
    try:
        yield
    except Exception:
        log.exception(trouble)


def queue_result(match_id: int, **_: Any) -> None:
    """Receives games.signals.match_finished. A broker that is down costs time: the sweeper finds it."""
    if Table.objects.filter(match_id=match_id).exists():
        record_result.delay(match_id)

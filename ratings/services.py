"""Rating finished matches: each once, one after the other, in the order in which they finished.

Ratings are a fold: each match starts from what the one before it left. So whoever rates locks the pools
first, and then takes everything that waits, by time of finish, whichever match it was called for. Messages
may come late, twice, in any order or not at all.

A match can commit after one that finished later was rated already. It is then rated next: a `LedgerMatch`
row fixes the order for good when it is written, under the lock, and a rebuild follows that order.
"""

from collections.abc import Iterable
from datetime import timedelta

from django.apps.registry import Apps
from django.db import OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable

from games.models import Match, Seat
from games.selectors import played_elsewhere
from ratings.fold import Book, rate
from ratings.ledger import book_of, facts_of, lock_pools, rules_of, write_changes, write_ratings
from ratings.models import KINDS, LedgerMatch

BATCH = 200
"""Matches rated in one transaction."""

LATE = timedelta(days=1)
"""How long before the newest rated match another may have finished that is not rated yet.

Seconds would do, as each run takes all that waits, but for matches that wait until others with their cards
are over: `rate_late` finds those that took longer. It spares the search through every match ever played.
"""

PATIENCE = "2s"
"""How long to wait for the pools. Only a recalculation holds them longer, and it rates what waited."""


def ensure_pools(apps: Apps, using: str) -> None:
    """Make the pools that are not there yet. Nothing to do where the app is migrated away."""
    try:
        pools = apps.get_model("ratings", "Pool").objects.using(using)
    except LookupError:
        return
    for programs in (False, True):
        for kind, name in KINDS.items():
            made = {"slug": kind + "-bots" * programs, "name": name + ", programs" * programs}
            pools.get_or_create(kind=kind, programs=programs, defaults=made)


def rate_finished(since_ever: bool = False) -> int:
    """Rate all finished matches that wait for it; how many were done. Any number of calls may race.

    `since_ever`: also those that finished more than `LATE` before the newest rated one. While ratings are
    being recalculated nothing is rated.
    """
    total = 0
    while True:
        try:
            done = _rate_batch(since_ever)
        except OperationalError as error:
            if isinstance(error.__cause__, LockNotAvailable):
                return total
            raise
        total += done
        if done < BATCH:
            return total


@transaction.atomic
def _rate_batch(since_ever: bool) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'")
    pools = rules_of(lock_pools())
    last = LedgerMatch.objects.select_related("match").last()
    entries = _enter(_waiting(None if since_ever else last), last.sequence if last else 0)
    book = _open_book(entries)
    moved: Book = {}
    changes = []
    for entry in entries:
        outcome = rate(facts_of(entry, entry.match.seats.all()), pools, book)
        entry.reason = outcome.reason
        changes += outcome.changes
        moved |= {key: book[key] for key in ((row.pool_id, row.player_id) for row in outcome.changes)}
    LedgerMatch.objects.bulk_create(entries)
    write_changes(changes)
    write_ratings(moved)
    return len(entries)


def _waiting(last: LedgerMatch | None) -> list[Match]:
    """The next matches to rate, first finished first. The pools are locked, so nobody else takes them.

    Those whose cards others still play wait: places would tell how the cards lie.
    """
    matches = Match.objects.filter(status=Match.Status.FINISHED, rated=True, ledger_match=None)
    if last is not None and last.match.finished_at is not None:
        matches = matches.filter(finished_at__gte=last.match.finished_at - LATE)
    matches = matches.exclude(played_elsewhere())
    return list(matches.order_by("finished_at", "pk").prefetch_related("seats__player")[:BATCH])


def _enter(matches: Iterable[Match], sequence: int) -> list[LedgerMatch]:
    """Give these matches the next places in the order, and record what they themselves do not keep."""
    return [
        LedgerMatch(match=match, sequence=number, programs=_programs(match.seats.all()))
        for number, match in enumerate(matches, sequence + 1)
    ]


def _programs(seats: Iterable[Seat]) -> str:
    return "".join(seat.letter for seat in seats if seat.player and seat.player.is_bot)


def _open_book(entries: Iterable[LedgerMatch]) -> Book:
    """The present ratings of everyone who sat in these matches."""
    return book_of(player__in={seat.player_id for entry in entries for seat in entry.match.seats.all()})

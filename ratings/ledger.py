"""The ledger in the database: the facts of matches out of it, changes and ratings into it.

Whoever writes holds the lock on the pools. Matches are streamed and changes are copied, so that a million of
them take no more memory than a thousand; ratings, one a player and pool, are held.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db import connection
from django.db.models import BooleanField, ExpressionWrapper, Max, Q

from games.engine import Options, options_for
from games.models import Seat
from ratings.fold import Book, Change, Facts, PoolRules, Pools, Sitter, Standing
from ratings.models import LedgerMatch, Pool, Rating, RatingChange

STREAMED = 2000
"""Rows on their way at once."""

COLUMNS = ", ".join(map(connection.ops.quote_name, Change._fields))
COPY = f"COPY {RatingChange._meta.db_table} ({COLUMNS}) FROM STDIN"
FACTS = (
    "sequence",
    "match",
    "match__finished_at",
    "match__rules",
    "match__options",
    "match__totals",
    "programs",
    "reason",
    "seats",
    "players",
    "away",
)


def lock_pools() -> list[Pool]:
    """All pools, locked until the transaction ends. Whoever writes ratings or the ledger holds them."""
    return list(Pool.objects.select_for_update(no_key=True).order_by("pk"))


def rules_of(pools: Iterable[Pool]) -> Pools:
    """What the fold takes of the pools."""
    return {(pool.kind, pool.programs): PoolRules(pool.pk, pool.schedule) for pool in pools}


def kind_of(options: Options) -> str:
    """The kind of game that these options make it: the slug of its pool for people."""
    if not options.partners:
        return options.kingdom
    return "partners" if options.kingdom == "classic" else "complex-partners"


def facts_of(entry: LedgerMatch, seats: Iterable[Seat]) -> Facts:
    """What rating a match takes, of one that was read with its seats."""
    match = entry.match
    assert match.finished_at is not None
    sitters = [
        Sitter(seat.index, seat.player_id, seat.away_since is not None) for seat in seats if seat.player_id
    ]
    kind = kind_of(match.engine_options)
    return Facts(entry.sequence, match.pk, match.finished_at, kind, match.totals, sitters, entry.programs)


def recorded(since: int = 0) -> Iterator[Facts]:
    """The facts of all matches in the ledger from number `since` on, in their order, but for annulled ones.

    A stream, of what there was when it began: it needs a transaction.
    """
    away = ExpressionWrapper(Q(match__seats__away_since__isnull=False), output_field=BooleanField())
    rows = (
        LedgerMatch.objects.filter(sequence__gte=since)
        .exclude(reason=LedgerMatch.Reason.ANNULLED)
        .annotate(
            seats=_taken("match__seats__index"), players=_taken("match__seats__player"), away=_taken(away)
        )
        .order_by("sequence")
        .values_list(*FACTS)
    )
    for number, match, finished_at, rules, options, totals, programs, reason, *seats in rows.iterator(
        STREAMED
    ):
        sitters = [Sitter(*each) for each in zip(*seats, strict=True)]
        kind = _kind(rules, json.dumps(options, sort_keys=True) if options else "{}")
        yield Facts(number, match, finished_at, kind, totals, sitters, programs, reason)


def _taken(what: Any) -> ArrayAgg:
    """Something of each seat that an account has, by seat."""
    taken = Q(match__seats__player__isnull=False)
    return ArrayAgg(what, filter=taken, order_by="match__seats__index", default=[])


@lru_cache(maxsize=1000)
def _kind(rules: str, options: str) -> str:
    return kind_of(options_for(rules, json.loads(options)))


def book_before(since: int, pools: Iterable[int]) -> Book:
    """The ratings in these pools as the match with number `since` found them."""
    rows = RatingChange.objects.filter(pool__in=pools, sequence__lt=since).order_by("pool", "player", "-n")
    last = rows.distinct("pool", "player").values_list("pool", "player", "after", "n")
    latest = rows.order_by().values("pool", "player").annotate(at=Max("match__finished_at"))
    at = {(pool, player): time for pool, player, time in latest.values_list("pool", "player", "at")}
    return {
        (pool, player): Standing(value, n + 1, at[pool, player])
        for pool, player, value, n in last.iterator(STREAMED)
    }


def book_of(**which: Any) -> Book:
    """The present ratings of some players or pools."""
    rows = Rating.objects.filter(**which).values_list("pool", "player", "value", "matches", "last_match_at")
    return {
        (pool, player): Standing(value, matches, at)
        for pool, player, value, matches, at in rows.iterator(STREAMED)
    }


def write_changes(changes: Iterable[Change]) -> int:
    """Copy rows into the ledger, in batches; how many. Nothing else can be read from the stream meanwhile."""
    written = 0
    rest = iter(changes)
    while batch := list(islice(rest, STREAMED)):
        with connection.cursor() as cursor, cursor.copy(COPY) as copy:
            for change in batch:
                copy.write_row(change)
        written += len(batch)
    return written


def write_ratings(book: Mapping[tuple[int, int], Standing]) -> None:
    """Write these ratings over those that are there."""
    Rating.objects.bulk_create(
        (
            Rating(
                pool_id=pool,
                player_id=player,
                value=each.value,
                matches=each.matches,
                last_match_at=each.last_match_at,
            )
            for (pool, player), each in sorted(book.items(), key=lambda item: item[0])
        ),
        batch_size=STREAMED,
        update_conflicts=True,
        unique_fields=["pool", "player"],
        update_fields=["value", "matches", "last_match_at"],
    )


def drop_ratings(keys: Iterable[tuple[int, int]]) -> None:
    """Delete the ratings of players who have no rated match left in a pool."""
    for pool, player in keys:
        Rating.objects.filter(pool=pool, player=player).delete()

"""Rating finished matches: each once, one after the other, in the order in which they finished.

Ratings are a fold: each match starts from what the one before it left. So whoever rates locks the pools
first, and then takes everything that waits, by time of finish, whichever match it was called for. Messages
may come late, twice, in any order or not at all.

A match can commit after one that finished later was rated already. It is then rated next: a `LedgerMatch`
row fixes the order for good when it is written, under the lock, and a rebuild follows that order.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import islice
from typing import NamedTuple

from django.apps.registry import Apps
from django.db import transaction

from games.engine import Options
from games.models import Match, Seat
from games.selectors import played_elsewhere
from ratings.maths import FORMULA, PARTNERS, SINGLES, Entrant, changes, comparable, k_factor, places
from ratings.models import KINDS, LedgerMatch, Pool, Rating, RatingChange

BATCH = 200
"""Matches rated in one transaction."""

LATE = timedelta(days=1)
"""How long before the newest rated match another may have finished that is not rated yet.

Seconds would do, as each run takes all that waits, but for matches that wait until others with their cards
are over: `rate_late` finds those that took longer. It spares the search through every match ever played.
"""

Pools = dict[tuple[str, bool], Pool]
Book = dict[tuple[int, int], Rating]
"""The ratings in work, by pool and player."""


class Rebuilt(NamedTuple):
    """What a rebuild did; `differing` counts ratings that were not, bit for bit, what they are now."""

    matches: int
    changes: int
    differing: int


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


def lock_pools() -> Pools:
    """All pools, locked until the transaction ends. Whoever writes any model of this app holds them."""
    rows = Pool.objects.select_for_update(no_key=True).order_by("pk")
    return {(pool.kind, pool.programs): pool for pool in rows}


def rate_finished(since_ever: bool = False) -> int:
    """Rate all finished matches that wait for it; how many were done. Any number of calls may race.

    `since_ever`: also those that finished more than `LATE` before the newest rated one.
    """
    total = 0
    while True:
        done = _rate_batch(since_ever)
        total += done
        if done < BATCH:
            return total


def rebuild() -> Rebuilt:
    """Throw away ratings and ledger, and compute them from the matches, in the recorded order.

    One transaction: readers see the old ratings until the new ones are there. Then rates what waits.
    """
    with transaction.atomic():
        pools = lock_pools()
        live = _values(Rating.objects.all())
        RatingChange.objects.all().delete()
        Rating.objects.all().delete()
        book: Book = {}
        matches = rows = 0
        for entries in _recorded():
            ledger = [change for entry in entries for change in _rate(entry, pools, book)]
            RatingChange.objects.bulk_create(ledger)
            matches += len(entries)
            rows += len(ledger)
        Rating.objects.bulk_create(book.values(), batch_size=BATCH)
        rebuilt = _values(book.values())
        differing = sum(live.get(key) != rebuilt.get(key) for key in live | rebuilt)
    matches += rate_finished(since_ever=True)
    return Rebuilt(matches, rows, differing)


def kind_of(options: Options) -> str:
    """The kind of game that these options make it: the slug of its pool for people."""
    if not options.partners:
        return options.kingdom
    return "partners" if options.kingdom == "classic" else "complex-partners"


@transaction.atomic
def _rate_batch(since_ever: bool) -> int:
    pools = lock_pools()
    last = LedgerMatch.objects.select_related("match").last()
    waiting = _waiting(None if since_ever else last)
    entries = _enter(waiting, last.sequence if last else 0)
    book = _open_book(entries)
    ledger = [change for entry in entries for change in _rate(entry, pools, book)]
    LedgerMatch.objects.bulk_create(entries)
    RatingChange.objects.bulk_create(ledger)
    moved = {(change.pool_id, change.player_id) for change in ledger}
    _store(book[key] for key in sorted(moved))
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
    players = {seat.player_id for entry in entries for seat in entry.match.seats.all()}
    return {(row.pool_id, row.player_id): row for row in Rating.objects.filter(player__in=players)}


def _recorded() -> Iterator[list[LedgerMatch]]:
    """All recorded matches in their order, in batches, with what rating them takes."""
    entries = LedgerMatch.objects.select_related("match").prefetch_related("match__seats")
    rows = entries.iterator(chunk_size=BATCH)
    while batch := list(islice(rows, BATCH)):
        yield batch


def _rate(entry: LedgerMatch, pools: Pools, book: Book) -> list[RatingChange]:
    """The ledger's rows of one match: people against people, program accounts against their like.

    Moves the ratings in `book`; gives the entry its reason where nobody is rated.
    """
    options = entry.match.engine_options
    ledger = []
    for programs in (False, True):
        seats = [
            seat
            for seat in entry.match.seats.all()
            if seat.player_id and (seat.letter in entry.programs) == programs
        ]
        sides = PARTNERS if options.partners else SINGLES
        ledger += _rate_pool(entry, pools[kind_of(options), programs], seats, sides, book)
    entry.reason = LedgerMatch.Reason.RATED if ledger else LedgerMatch.Reason.FEW_PEOPLE
    return ledger


def _rate_pool(
    entry: LedgerMatch, pool: Pool, seats: Sequence[Seat], sides: int, book: Book
) -> list[RatingChange]:
    place = places(entry.match.totals, sides)
    ratings = [_rating(book, pool, seat) for seat in seats]
    entrants = [
        Entrant(
            rating=rating.value,
            matches=rating.matches,
            side=seat.index % sides,
            place=place[seat.index],
            left=seat.away_since is not None,
        )
        for rating, seat in zip(ratings, seats, strict=True)
    ]
    if not comparable(entrants):
        return []
    moved = zip(ratings, entrants, changes(entrants, sides), strict=True)
    return [_move(entry, book, rating, entrant, delta) for rating, entrant, delta in moved]


def _rating(book: Book, pool: Pool, seat: Seat) -> Rating:
    """The rating in work of whoever sits there; a new one is not in the book until it moves."""
    assert seat.player_id is not None
    return book.get((pool.pk, seat.player_id)) or Rating(pool=pool, player_id=seat.player_id)


def _move(entry: LedgerMatch, book: Book, rating: Rating, entrant: Entrant, delta: float) -> RatingChange:
    """Apply a change to a rating and to the book; the ledger's row that says so."""
    finished = entry.match.finished_at
    assert finished is not None
    rating.value += delta
    rating.matches += 1
    rating.last_match_at = max(rating.last_match_at or finished, finished)
    book[rating.pool_id, rating.player_id] = rating
    return RatingChange(
        match=entry.match,
        player_id=rating.player_id,
        pool_id=rating.pool_id,
        sequence=entry.sequence,
        place=entrant.place,
        left=entrant.left,
        n=entrant.matches,
        k=k_factor(entrant.matches),
        before=entrant.rating,
        after=rating.value,
        formula=FORMULA,
    )


def _values(ratings: Iterable[Rating]) -> dict[tuple[int, int], tuple[float, int]]:
    return {(row.pool_id, row.player_id): (row.value, row.matches) for row in ratings}


def _store(ratings: Iterable[Rating]) -> None:
    Rating.objects.bulk_create(
        ratings,
        update_conflicts=True,
        unique_fields=["pool", "player"],
        update_fields=["value", "matches", "last_match_at"],
    )

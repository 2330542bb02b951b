"""Ratings are a fold: each match starts from what the one before it left. Pure: no database, no clock.

`rate` is one step of it. Rating as matches finish, rebuilding, annulling and previewing all take this step,
over the same `Facts` of a match, so that they agree to the last bit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from games.engine.cards import SEAT_NAMES
from ratings.maths import (
    FORMULA,
    PARTNERS,
    SINGLES,
    START,
    Entrant,
    Schedule,
    changes,
    comparable,
    places,
)

RATED = ""
FEW_PEOPLE, ALL_LEFT, ONE_SIDE = "few_people", "all_left", "one_side"
"""Why a match rates nobody; the texts are those of `LedgerMatch.Reason`."""


class Sitter(NamedTuple):
    """Somebody with an account at the end of a match; `left`: he was gone, and a bot sat there."""

    seat: int
    player: int
    left: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """All that rating a match takes, as it was then.

    `programs`: the seats ("EW") of program accounts. `reason`: what the ledger says of it.
    """

    sequence: int
    match: int
    finished_at: datetime
    kind: str
    totals: Sequence[int]
    sitters: Sequence[Sitter]
    programs: str = ""
    reason: str = RATED

    @property
    def sides(self) -> int:
        return sides_of(self.kind)


class PoolRules(NamedTuple):
    """A pool's key, and how K falls in it."""

    pk: int
    schedule: Schedule


@dataclass(slots=True)
class Standing:
    """A player's rating in a pool, in work."""

    value: float = START
    matches: int = 0
    last_match_at: datetime | None = None


Pools = Mapping[tuple[str, bool], PoolRules]
"""By kind of game, and whether it is the pool of programs."""

Book = dict[tuple[int, int], Standing]
"""By pool and player. Who has not been rated there is not in it."""


class Change(NamedTuple):
    """A row of the ledger, `ratings.models.RatingChange`, field by field."""

    match_id: int
    player_id: int
    pool_id: int
    sequence: int
    place: int
    left: bool
    n: int
    k: float
    before: float
    after: float
    formula: int


@dataclass(slots=True)
class Outcome:
    """What a match did: the ledger's rows, or the reason why there are none."""

    changes: list[Change] = field(default_factory=list)
    reason: str = RATED


def sides_of(kind: str) -> int:
    """SINGLES or PARTNERS, for a kind of game."""
    return PARTNERS if kind.endswith("partners") else SINGLES


def rate(facts: Facts, pools: Pools, book: Book) -> Outcome:
    """Rate a match: people against people, program accounts against their like. Moves those in `book`.

    A kind of game without a pool in `pools` is left alone.
    """
    outcome = Outcome()
    for programs in (False, True):
        pool = pools.get((facts.kind, programs))
        if pool is not None:
            outcome.changes += _rate_pool(facts, pool, _sitters(facts, programs), book)
    if not outcome.changes:
        outcome.reason = _why_not(facts)
    return outcome


def _sitters(facts: Facts, programs: bool) -> list[Sitter]:
    return [sitter for sitter in facts.sitters if (SEAT_NAMES[sitter.seat] in facts.programs) == programs]


def _rate_pool(facts: Facts, pool: PoolRules, sitters: Sequence[Sitter], book: Book) -> list[Change]:
    standings = [book.get((pool.pk, sitter.player)) or Standing() for sitter in sitters]
    entrants = _entrants(facts, sitters, standings)
    if not comparable(entrants):
        return []
    deltas = changes(entrants, facts.sides, pool.schedule)
    moved = zip(sitters, standings, entrants, deltas, strict=True)
    return [_move(facts, pool, book, *each) for each in moved]


def _entrants(facts: Facts, sitters: Sequence[Sitter], standings: Sequence[Standing]) -> list[Entrant]:
    place = places(facts.totals, facts.sides)
    return [
        Entrant(standing.value, standing.matches, sitter.seat % facts.sides, place[sitter.seat], sitter.left)
        for sitter, standing in zip(sitters, standings, strict=True)
    ]


def _move(
    facts: Facts,
    pool: PoolRules,
    book: Book,
    sitter: Sitter,
    standing: Standing,
    entrant: Entrant,
    delta: float,
) -> Change:
    standing.value += delta
    standing.matches += 1
    standing.last_match_at = max(standing.last_match_at or facts.finished_at, facts.finished_at)
    book[pool.pk, sitter.player] = standing
    return Change(
        match_id=facts.match,
        player_id=sitter.player,
        pool_id=pool.pk,
        sequence=facts.sequence,
        place=entrant.place,
        left=entrant.left,
        n=entrant.matches,
        k=pool.schedule.k(entrant.matches),
        before=entrant.rating,
        after=standing.value,
        formula=FORMULA,
    )


def _why_not(facts: Facts) -> str:
    people = _sitters(facts, programs=False)
    if len(people) < 2:
        return FEW_PEOPLE
    if len({sitter.seat % facts.sides for sitter in people}) == 1:
        return ONE_SIDE
    return ALL_LEFT

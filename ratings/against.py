"""Head to head: what two players made of the matches in which both were rated."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef

from games.models import Player
from ratings.models import Pool, RatingChange
from ratings.pairs import Pair, sums
from ratings.selectors import pairs_in, with_codes, with_seats
from trix_site.common.errors import BadRequest


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match in which both were rated, as rows of the ledger with `code`, as the viewer may know it.

    `pair` is the first player's with the other; None where they were partners, or both had left.
    """

    one: Any
    two: Any
    pair: Pair | None
    partners: bool


@dataclass(frozen=True, slots=True)
class Record:
    """The meetings in one pool, newest first, and their sums from the first player's side.

    `expected` and `score` are over the matches in which one ended above the other, or level. Those as
    partners, and those that both had left, are in `matches` alone.
    """

    pool: Pool
    meetings: list[Meeting]
    partners: int
    above: int
    level: int
    below: int
    expected: float
    score: float

    @property
    def matches(self) -> int:
        return len(self.meetings)


def against(one: Player, two: Player, viewer: Player | AnonymousUser) -> list[Record]:
    """Of each pool in which they met. Raises BadRequest for a player against himself."""
    if one == two:
        raise BadRequest("same_player", "Nobody plays against himself: name two players.")
    meetings = groupby(_meetings(one, two, viewer), key=lambda meeting: meeting.one.pool)
    return [_record(pool, list(of_pool)) for pool, of_pool in meetings]


def _meetings(one: Player, two: Player, viewer: Player | AnonymousUser) -> Iterator[Meeting]:
    """By pool, the newest first."""
    for (pool, _), group in groupby(_rows(one, two, viewer), key=lambda row: (row.pool, row.match_id)):
        rows = list(group)
        by_player = {row.player_id: row for row in rows}
        if one.pk in by_player and two.pk in by_player:  # Programs among people are in another pool.
            first, second = by_player[one.pk], by_player[two.pk]
            pairs = pairs_in(rows, one.pk, pool.sides)
            pair = next((pair for row, pair in pairs if row.player_id == two.pk), None)
            yield Meeting(first, second, pair, first.seat % pool.sides == second.seat % pool.sides)


def _rows(one: Player, two: Player, viewer: Player | AnonymousUser) -> Iterable[Any]:
    """All that the ledger says of the matches in which both were rated."""
    other = RatingChange.objects.filter(player=two, match=OuterRef("match"), pool=OuterRef("pool"))
    both = RatingChange.objects.filter(Exists(other), player=one).order_by().values("match")
    rows = with_codes(with_seats(RatingChange.objects.filter(match__in=both)), viewer)
    return rows.select_related("pool", "match").order_by("pool", "-sequence", "place", "player")


def _record(pool: Pool, meetings: list[Meeting]) -> Record:
    pairs = [meeting.pair for meeting in meetings if meeting.pair]
    scores, total = Counter(pair.score for pair in pairs), sums(pairs)
    return Record(
        pool=pool,
        meetings=meetings,
        partners=sum(meeting.partners for meeting in meetings),
        above=scores[1.0],
        level=scores[0.5],
        below=scores[0.0],
        expected=total.expected,
        score=total.score,
    )

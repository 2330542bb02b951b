"""Standings computed a second time: slowly, each metric word by word from docs/tournaments.md.

It shares no code with `tournaments.standings`, so that a mistake there is not made here too.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

BOT = "(bot)"
Line = tuple[int, str, int, tuple[Fraction, ...]]
"""Rank, entry, tables played, and the value of each metric."""


@dataclass
class PlainTable:
    """A table that counts, in seat order S, E, N, W; `seats` are entries' names, BOT, or None: empty.

    `cards` is the same for all tables that played the same, None where nobody knows.
    """

    round: int
    seats: Sequence[str | None]
    scores: Sequence[int | None]
    best: Sequence[int] | None = None
    cards: object = None


@dataclass
class PlainTournament:
    """All that standings follow from."""

    entries: Sequence[str]
    tables: Sequence[PlainTable]
    metrics: Sequence[str]
    sides: int = 4
    pairs: bool = False
    place_points: Sequence[int] = (4, 2, 1, 0)
    bye_points: Fraction = Fraction(7, 4)
    byes: Counter[str] = field(default_factory=Counter)
    adjustments: Mapping[str, Fraction] = field(default_factory=dict)
    last: Collection[str] = ()

    def standings(self) -> list[Line]:
        """Best first; equals by name."""
        values: dict[str, tuple[Fraction, ...]] = dict.fromkeys(self.entries, ())
        for metric in self.metrics:
            column = {entry: Fraction(METRICS[metric](self, entry, values)) for entry in self.entries}
            if metric == self.metrics[0]:
                column = {entry: value + self.adjustments.get(entry, 0) for entry, value in column.items()}
            values = {entry: (*values[entry], column[entry]) for entry in self.entries}
        order = {entry: (entry not in self.last, values[entry]) for entry in self.entries}
        lines = [
            (1 + sum(other > order[entry] for other in order.values()), entry, len(self.at(entry)), line)
            for entry, line in values.items()
        ]
        return sorted(lines)

    def at(self, entry: str) -> list[PlainTable]:
        return [table for table in self.tables if entry in table.seats]

    def own(self, table: PlainTable, entry: str) -> int:
        return table.seats.index(entry) % self.sides

    def side(self, table: PlainTable, side: int) -> int:
        """The score of one side."""
        return sum(score for score in table.scores[side :: self.sides] if score is not None)

    def others(self, table: PlainTable, entry: str) -> list[int]:
        """The other sides of the table that were not empty."""
        own = self.own(table, entry)
        taken = [side for side in range(self.sides) if set(table.scores[side :: self.sides]) != {None}]
        return [side for side in taken if side != own]

    def opponents(self, table: PlainTable, entry: str) -> list[str]:
        found = []
        for side in self.others(table, entry):
            there = [who for who in table.seats[side :: self.sides] if who is not None]
            found += there[:1] if self.pairs else there
        return found


def _points_at(of: PlainTournament, table: PlainTable, entry: str) -> Fraction:
    """The mean of the points of the places that the seats of this score hold."""
    scores = [of.side(table, seat % of.sides) for seat in range(4) if table.scores[seat] is not None]
    own = of.side(table, of.own(table, entry))
    better, equal = sum(score > own for score in scores), scores.count(own)
    return Fraction(sum(of.place_points[better : better + equal]), equal)


def _won(of: PlainTournament, entry: str) -> Fraction:
    return sum((_points_at(of, table, entry) for table in of.at(entry)), Fraction())


def _table_points(of: PlainTournament, entry: str, before: Any) -> Fraction:
    return _won(of, entry) + of.byes[entry] * of.bye_points


def _wins(of: PlainTournament, entry: str, before: Any) -> Fraction:
    won = Fraction()
    for table in of.at(entry):
        own = of.side(table, of.own(table, entry))
        others = [of.side(table, side) for side in of.others(table, entry)]
        if all(other <= own for other in others):
            won += Fraction(1, 1 + others.count(own))
    return won


def _total_score(of: PlainTournament, entry: str, before: Any = None) -> int:
    return sum(of.side(table, of.own(table, entry)) for table in of.at(entry))


def _with_so_many_better(number: int) -> Callable[..., int]:
    def count(of: PlainTournament, entry: str, before: Any) -> int:
        found = 0
        for table in of.at(entry):
            own = of.side(table, of.own(table, entry))
            found += sum(of.side(table, side) > own for side in of.others(table, entry)) == number
        return found

    return count


def _of_opponents(worth: Callable[[PlainTournament, str], Fraction | int]) -> Callable[..., Fraction]:
    def add(of: PlainTournament, entry: str, before: Any) -> Fraction:
        mean = Fraction(sum(worth(of, other) for other in of.entries), len(of.entries))
        met = [other for table in of.at(entry) for other in of.opponents(table, entry)]
        return sum((mean if other == BOT else Fraction(worth(of, other)) for other in met), Fraction())

    return add


def _head_to_head(of: PlainTournament, entry: str, before: Mapping[str, object]) -> int:
    found = 0
    for table in of.at(entry):
        own = of.side(table, of.own(table, entry))
        for side in of.others(table, entry):
            there = {who for who in table.seats[side :: of.sides] if who in before}
            equal = [who for who in there if before[who] == before[entry]]
            other = of.side(table, side)
            found += len(equal) * ((own > other) - (own < other))
    return found


def _best_deal(of: PlainTournament, entry: str, before: Any) -> int:
    best = [
        table.best[seat]
        for table in of.at(entry)
        if table.best is not None
        for seat in range(4)
        if table.seats[seat] == entry
    ]
    return max(best, default=0)


def _duplicate(of: PlainTournament, entry: str, before: Any) -> Fraction:
    found = Fraction()
    for table in of.at(entry):
        side = of.own(table, entry)
        alike = [
            of.side(other, side)
            for other in of.tables
            if other is not table and other.round == table.round and other.cards == table.cards
        ]
        if table.cards is not None and alike:
            found += of.side(table, side) - Fraction(sum(alike), len(alike))
    return found


METRICS: dict[str, Callable[..., Fraction | int]] = {
    "table_points": _table_points,
    "wins": _wins,
    "total_score": _total_score,
    "firsts": _with_so_many_better(0),
    "seconds": _with_so_many_better(1),
    "opponents": _of_opponents(_won),
    "opponents_score": _of_opponents(_total_score),
    "head_to_head": _head_to_head,
    "best_deal": _best_deal,
    "duplicate": _duplicate,
}

"""Standings and knockouts computed a second time: slowly, word by word from docs/tournaments.md.

It shares no code with `tournaments.standings` and `tournaments.knockouts`, so that no mistake there is made
here too.
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
        values: dict[str, tuple[Fraction, ...]] = {
            entry: (-Fraction(entry in self.last),) for entry in self.entries
        }
        for metric in self.metrics:
            column = {entry: Fraction(METRICS[metric](self, entry, values)) for entry in self.entries}
            if metric == self.metrics[0]:
                column = {entry: value + self.adjustments.get(entry, 0) for entry, value in column.items()}
            values = {entry: (*values[entry], column[entry]) for entry in self.entries}
        lines = [
            (1 + sum(other > line for other in values.values()), entry, len(self.at(entry)), line[1:])
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
            there = {who for who in table.seats[side :: of.sides] if who is not None}
            equal = [who for who in there if who in before and before[who] == before[entry]]
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


# Knockouts


@dataclass
class PlainKnockout:
    """`rounds`: the tables of each, an annulled one with scores of None, a bye as a table of one."""

    rounds: Sequence[Sequence[PlainTable]]
    advance: int
    seeds: Mapping[str, int]
    sides: int = 4

    def through(self, table: PlainTable, advance: int | None = None) -> list[str]:
        """Who goes on from a table: the best, a better seed before an equal."""
        people = self.people(table)
        best_first = sorted(people, key=lambda who: (-self.score(table, who), self.seeds[who]))
        return best_first[: min(advance or self.advance, max(1, len(people) - 1))]

    def people(self, table: PlainTable) -> set[str]:
        return {who for who in table.seats if who is not None and who != BOT}

    def score(self, table: PlainTable, who: str) -> int:
        side = table.seats.index(who) % self.sides
        return sum(score or 0 for score in table.scores[side :: self.sides])

    def survivors(self) -> set[str]:
        """Who may sit in the next round."""
        if not self.rounds:
            return set(self.seeds)
        return {who for table in self.rounds[-1] for who in self.through(table)}

    def is_decided(self) -> bool:
        return bool(self.rounds) and len(self.rounds[-1]) == 1

    def ranks(self, entries: Sequence[str], last: Collection[str]) -> dict[str, int]:
        """By the last round that each reached, then by the place there among people."""
        ends = {entry: (entry in last, self.end(entry)) for entry in entries}
        return {entry: 1 + sum(other < end for other in ends.values()) for entry, end in ends.items()}

    def end(self, entry: str) -> tuple[int, int]:
        """The last round that an entry was to sit in, negative, and the place there: 5 if it did not sit."""
        sat = [
            (number, table)
            for number, tables in enumerate(self.rounds, 1)
            for table in tables
            if entry in table.seats
        ]
        if not sat:
            return 0, 5
        number, table = sat[-1]
        final = len(self.rounds[number - 1]) == 1
        through = self.through(table, 1 if final else None)
        if entry in through:
            return (-number, 1) if final else (-number - 1, 5)
        better = sum(self.score(table, other) > self.score(table, entry) for other in self.people(table))
        return -number, 1 + max(len(through), better)

"""Standings, recomputed from the results of tables and from nothing else. Pure.

Every metric, by the name that a tournament's `metrics` list uses; more is better in each, a sum over the
tables of an entry where nothing else is said, and 0 for who has none:

    table_points     4-2-1-0 by place at each table; equal scores share the points of their places; and the
                     points of byes
    wins             tables won: 1, or 1/k for each of k that were best together
    total_score      the match scores
    firsts           tables at which nobody had a better score
    seconds          tables at which exactly one player (one side, with partners) had a better score
    opponents        Buchholz over three opponents a round: the opponents' table points, one term for each
                     meeting, all their tables counted, but not their byes, penalties and bonuses; a bot
                     counts as the mean entry, an empty seat nothing
    opponents_score  the same with the opponents' total scores
    head_to_head     only among entries that are equal on all metrics before it: how often one had the
                     better score, less how often the worse, against each of the others at a table of both
    best_deal        the highest score in a single deal (no sum), where known
    duplicate        own score less the mean score of the same seat at the other tables of the same round
                     with the same cards, bots' included; 0 at a table that has no such others

Entries are ranked by the first metric, equals by the next, and so on; equal on all is an equal rank.
Penalties and bonuses count in the first metric, whatever it is, and in no other.
A place at a table counts bots too: to be second behind a bot is to be second. Bots themselves have no
standing. With partners (S with N, E with W) the side's score is that of both players and its place is theirs,
the two sides share the points of places 1-2 and 3-4 (3 and ½ each), and the two opponents a round count.
A fixed pair is one entry in two seats: it has what each of two partners has, once, and one opponent a round.
At a table of three the empty seat takes no place.
Which rounds and results count is the caller's choice: every table given is counted.

Sums are whole numbers of a unit (twelfths, and finer where other denominators come in), so they are exact.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, takewhile
from math import lcm
from typing import NamedTuple

from ratings.maths import PARTNERS, SINGLES

Number = Fraction | int

TABLE_POINTS = (4, 2, 1, 0)
BYE_POINTS = Fraction(7, 4)
METRIC_TITLES = {
    "table_points": "Points",
    "wins": "Wins",
    "total_score": "Score",
    "firsts": "Firsts",
    "seconds": "Seconds",
    "opponents": "Opponents",
    "opponents_score": "Opponents’ score",
    "head_to_head": "Head to head",
    "best_deal": "Best deal",
    "duplicate": "Duplicate",
}
DEFAULT_METRICS = ("table_points", "total_score", "opponents", "firsts")
SHARES = 12  # what up to four share of a whole number is whole in twelfths


@dataclass(frozen=True)
class PlayedTable:
    """Who sat at a table and how it ended, in seat order S, E, N, W.

    `seats`: entry ids; None is a bot, or with the score None an empty seat (a table of three).
    `pairs`: entries are fixed pairs, the same one at S and N, and at E and W.
    `best_deals`: each seat's best single deal, where known.
    `same_cards`: all tables of that `round` which say so played the same cards.
    """

    seats: tuple[int | None, ...]
    scores: tuple[int | None, ...]
    partners: bool = False
    pairs: bool = False
    round: int = 0
    best_deals: tuple[int | None, ...] | None = None
    same_cards: bool = False


@dataclass(frozen=True)
class Standing:
    """One entry's line: its rank, the value of each metric in order, and the tables it played."""

    rank: int
    entry: int
    values: tuple[Fraction, ...]
    played: int


class Side(NamedTuple):
    """A side of a table as it ended: a single player, two partners, or a fixed pair.

    `seat`: its first one. `entries`: its players, None for a bot; a pair is one. `tied`: sides with this
    score, `better` and `equal`: seats with a better score and with this one, its own included.
    """

    seat: int
    entries: tuple[int | None, ...]
    score: int
    place: int
    tied: int
    better: int
    equal: int


def sides(table: PlayedTable) -> list[Side]:
    """The sides of a table that were not empty, in seat order.

    Raises ValueError for an entry without a score, and for a pair that is not one entry.
    """
    there = [_players(table, seats) for seats in _seats(table)]
    there = [(seat, entries, scores) for seat, entries, scores in there if scores]
    by_side = sorted([sum(scores) for _, _, scores in there], reverse=True)
    by_seat = sorted([sum(scores) for _, _, scores in there for _ in scores], reverse=True)
    return [
        Side(
            seat,
            entries,
            score := sum(scores),
            1 + by_side.index(score),
            by_side.count(score),
            by_seat.index(score),
            by_seat.count(score),
        )
        for seat, entries, scores in there
    ]


_SEATS = {count: [range(4)[first::count] for first in range(count)] for count in (SINGLES, PARTNERS)}


def _seats(table: PlayedTable) -> list[range]:
    return _SEATS[PARTNERS if table.partners or table.pairs else SINGLES]


def _players(table: PlayedTable, seats: range) -> tuple[int, tuple[int | None, ...], list[int]]:
    """First seat, entries and scores of those who sat on a side."""
    entries, scores = [], []
    for seat in seats:
        entry, score = table.seats[seat], table.scores[seat]
        if score is not None:
            entries.append(entry)
            scores.append(score)
        elif entry is not None:
            raise ValueError(f"entry {entry} has no score at a table of round {table.round}")
    if table.pairs and len(set(entries)) > 1:
        raise ValueError(f"entries {entries} are no pair at a table of round {table.round}")
    return seats[0], tuple(entries[:1] if table.pairs else entries), scores


def table_points(
    scores: Sequence[int | None], partners: bool = False, place_points: Sequence[Number] = TABLE_POINTS
) -> tuple[Fraction, ...]:
    """The points of each seat, by default 7 in all: equals share the points of the places they hold."""
    table = PlayedTable((None,) * 4, tuple(scores), partners)
    by_side = {side.seat: Fraction(_places_held(side, place_points), side.equal) for side in sides(table)}
    found = [by_side.get(seat % len(_seats(table)), Fraction()) for seat in range(4)]
    return tuple(Fraction() if score is None else points for score, points in zip(scores, found, strict=True))


def _places_held(side: Side, place_points: Sequence[Number]) -> Number:
    return sum(place_points[side.better : side.better + side.equal])


def as_number(value: Fraction) -> int | float:
    """For showing: whole numbers stay whole; the others get two digits."""
    return int(value) if value.denominator == 1 else round(float(value), 2)


def standings(
    entries: Sequence[int],
    tables: Iterable[PlayedTable],
    metrics: Sequence[str] = DEFAULT_METRICS,
    *,
    adjustments: Mapping[int, Number] = {},
    byes: Mapping[int, int] = {},
    bye_points: Number = BYE_POINTS,
    place_points: Sequence[Number] = TABLE_POINTS,
    last: Collection[int] = (),
) -> list[Standing]:
    """Rank the entries, best first; equals keep the order in which they were given.

    `adjustments`: the sum of penalties (below 0) and bonuses of an entry, in the first metric's unit.
    `byes`: how many an entry had; each is worth `bye_points` table points and nothing else.
    `place_points`: table points by place, best first.
    `last`: entries that rank below all others, whatever they reached: who was disqualified.
    Raises ValueError for a metric that is not in the header's list.
    """
    unknown = [name for name in metrics if name not in METRICS]
    if unknown:
        raise ValueError(f"no metric {unknown[0]!r}; there are {', '.join(METRICS)}")
    facts = _Facts(entries, list(tables), place_points, {e: n * bye_points for e, n in byes.items()})
    columns: list[_Column] = []
    lines: dict[int, tuple[int, ...]] = {entry: (-(entry in last),) for entry in entries}
    for name in metrics:
        column = METRICS[name](facts, lines)
        columns.append(column if columns else column.plus(adjustments))
        lines = {entry: (*line, columns[-1].sums.get(entry, 0)) for entry, line in lines.items()}
    return _ranked(lines, columns, facts.played)


def _ranked(
    lines: Mapping[int, tuple[int, ...]], columns: Sequence["_Column"], played: Mapping[int, int]
) -> list[Standing]:
    better = _counts_of_better(lines.values())
    ordered = sorted(lines, key=lambda entry: lines[entry], reverse=True)
    values = (
        zip(*[column.values(ordered) for column in columns], strict=True) if columns else [()] * len(lines)
    )
    return [
        Standing(1 + better[lines[entry]], entry, line, played.get(entry, 0))
        for entry, line in zip(ordered, values, strict=True)
    ]


def over_stages(
    stages: Iterable[Iterable[tuple[int, int]]], last: Collection[int] = ()
) -> list[tuple[int, int]]:
    """Ranks over several stages: (rank, entry), the best first; entries in `last` come last.

    `stages`: (rank, entry) of each line of each stage, the last stage first. An entry counts by the last one
    that it reached; equals keep the order in which they were given.
    """
    reached: dict[int, tuple[bool, int, int]] = {}
    for before, lines in enumerate(stages):
        for rank, entry in lines:
            reached.setdefault(entry, (entry in last, before, rank))
    order = sorted(reached, key=lambda entry: reached[entry])
    ranks: dict[tuple[bool, int, int], int] = {}
    for place, entry in enumerate(order, start=1):
        ranks.setdefault(reached[entry], place)
    return [(ranks[reached[entry]], entry) for entry in order]


def _counts_of_better(lines: Collection[tuple[int, ...]]) -> dict[tuple[int, ...], int]:
    """For each distinct line, how many lines are better."""
    ordered = sorted(lines, reverse=True)
    return {line: place for place, line in reversed(list(enumerate(ordered)))}


# Metrics


@dataclass(frozen=True)
class _Column:
    """A metric of each entry, as a whole number of units; `unit` of them are 1."""

    sums: Mapping[int, int]
    unit: int = 1

    def plus(self, extras: Mapping[int, Number]) -> "_Column":
        """With something more, or less, for some entries."""
        if not extras:
            return self
        unit = lcm(self.unit, *(extra.denominator for extra in extras.values()))
        sums = defaultdict(int, {entry: value * (unit // self.unit) for entry, value in self.sums.items()})
        for entry, extra in extras.items():
            sums[entry] += int(extra * unit)
        return _Column(sums, unit)

    def values(self, entries: Sequence[int]) -> list[Fraction]:
        made: dict[int, Fraction] = {}
        sums = [self.sums.get(entry, 0) for entry in entries]
        for value in sums:
            if value not in made:
                made[value] = Fraction(value, self.unit)
        return [made[value] for value in sums]


class _Facts:
    """What several metrics need, computed once. `byes`: the points of each entry's byes."""

    def __init__(
        self,
        entries: Sequence[int],
        tables: Sequence[PlayedTable],
        place_points: Sequence[Number],
        byes: Mapping[int, Number],
    ) -> None:
        self.entries = entries
        self.tables = tables
        self.place_points = place_points
        self.byes = byes
        self.sides = [sides(table) for table in tables]
        self.seated = [
            (e, side) for table in self.sides for side in table for e in side.entries if e is not None
        ]

    @cached_property
    def played(self) -> Counter[int]:
        return Counter(entry for entry, _ in self.seated)

    def summed(self, of: Callable[[Side], int]) -> dict[int, int]:
        """A figure of each side, summed over the tables of each entry."""
        sums: dict[int, int] = defaultdict(int)
        for entry, side in self.seated:
            sums[entry] += of(side)
        return sums

    @cached_property
    def points(self) -> _Column:
        """Table points as won at tables."""
        unit = SHARES * lcm(*(points.denominator for points in self.place_points))
        shares = {
            (better, equal): int(sum(self.place_points[better : better + equal]) * unit) // equal
            for better in range(4)
            for equal in range(1, 5 - better)
        }
        return _Column(self.summed(lambda side: shares[side.better, side.equal]), unit)

    @cached_property
    def scores(self) -> _Column:
        return _Column(self.summed(lambda side: side.score))


Metric = Callable[[_Facts, Mapping[int, Hashable]], _Column]
"""A column from the facts, and from the values of each entry on the metrics before it."""


def _table_points(facts: _Facts, before: Mapping[int, Hashable]) -> _Column:
    return facts.points.plus(facts.byes)


def _wins(facts: _Facts, before: Mapping[int, Hashable]) -> _Column:
    return _Column(facts.summed(lambda side: SHARES // side.tied if side.place == 1 else 0), SHARES)


def _total_score(facts: _Facts, before: Mapping[int, Hashable]) -> _Column:
    return facts.scores


def _times_placed(place: int) -> Metric:
    def count(facts: _Facts, before: Mapping[int, Hashable]) -> _Column:
        return _Column(facts.summed(lambda side: side.place == place))

    return count


def _opponents(facts: _Facts, before: Mapping[int, Hashable]) -> _Column:
    return _of_opponents(facts, facts.points)


def _opponents_score(facts: _Facts, before: Mapping[int, Hashable]) -> _Column:
    return _of_opponents(facts, facts.scores)


def _of_opponents(facts: _Facts, column: _Column) -> _Column:
    """The opponents' values, the mean of the entries for each bot; in units that make the mean whole."""
    count = max(1, len(facts.entries))
    worth: dict[int | None, int] = {entry: value * count for entry, value in column.sums.items()}
    worth[None] = sum(column.sums.get(entry, 0) for entry in facts.entries)
    sums: dict[int, int] = defaultdict(int)
    for table in facts.sides:
        worths = [sum([worth[entry] for entry in side.entries]) for side in table]
        whole = sum(worths)
        for side, own in zip(table, worths, strict=True):
            for entry in side.entries:
                if entry is not None:
                    sums[entry] += whole - own
    return _Column(sums, column.unit * count)


def _head_to_head(facts: _Facts, before: Mapping[int, Hashable]) -> _Column:
    sums: dict[int, int] = defaultdict(int)
    for table in facts.sides:
        ranked = [(e, side) for side in table for e in side.entries if e is not None and e in before]
        for (one, mine), (two, other) in combinations(ranked, 2):
            if before[one] == before[two]:
                better = (mine.score > other.score) - (mine.score < other.score)
                sums[one] += better
                sums[two] -= better
    return _Column(sums)


def _best_deal(facts: _Facts, before: Mapping[int, Hashable]) -> _Column:
    best: dict[int, int] = {}
    for table in facts.tables:
        for entry, deal in zip(table.seats, table.best_deals or (), strict=bool(table.best_deals)):
            if entry is not None and deal is not None:
                best[entry] = max(best.get(entry, deal), deal)
    return _Column(best)


def _duplicate(facts: _Facts, before: Mapping[int, Hashable]) -> _Column:
    """Own score less the mean of the m - 1 others is (m own - all) / (m - 1)."""
    alike: dict[tuple[int, int], list[Side]] = defaultdict(list)
    for table, seated in zip(facts.tables, facts.sides, strict=True):
        for side in seated if table.same_cards else ():
            alike[table.round, side.seat].append(side)
    alike = {key: found for key, found in alike.items() if len(found) > 1}
    unit = lcm(*(len(found) - 1 for found in alike.values()))
    sums: dict[int, int] = defaultdict(int)
    for found in alike.values():
        whole, weight = sum(side.score for side in found), unit // (len(found) - 1)
        for side in found:
            for entry in side.entries:
                if entry is not None:
                    sums[entry] += (len(found) * side.score - whole) * weight
    return _Column(sums, unit)


METRICS: dict[str, Metric] = {
    "table_points": _table_points,
    "wins": _wins,
    "total_score": _total_score,
    "firsts": _times_placed(1),
    "seconds": _times_placed(2),
    "opponents": _opponents,
    "opponents_score": _opponents_score,
    "head_to_head": _head_to_head,
    "best_deal": _best_deal,
    "duplicate": _duplicate,
}


# Explanations

_WORDS = {
    "table_points": ("point", "points"),
    "wins": ("win", "wins"),
    "total_score": ("total score",) * 2,
    "firsts": ("first", "firsts"),
    "seconds": ("second", "seconds"),
    "opponents": ("opponents’ point", "opponents’ points"),
    "opponents_score": ("opponents’ score",) * 2,
    "head_to_head": ("in head to head",) * 2,
    "best_deal": ("in the best deal",) * 2,
    "duplicate": ("duplicate score",) * 2,
}


@dataclass(frozen=True)
class Appearance:
    """What an entry, or its side, had at one table. `opponents`: entry ids, None for a bot."""

    round: int
    score: int
    place: int
    points: Fraction
    opponents: tuple[int | None, ...]


@dataclass(frozen=True)
class Explanation:
    """Why `above` stands above `below`: the first metric on which they differ, None if there is none.

    `values`: of that metric, `above` first. `equal`: the metrics before it with what both have.
    `tables`, `adjustments` and `byes`: what the values are made of, by entry. `decided`: what ranks them
    instead of the metrics: "disqualified" (`below` was) or "knockout" (`above` went further).
    """

    above: int
    below: int
    metric: str | None
    values: tuple[Fraction, ...]
    equal: tuple[tuple[str, Fraction], ...]
    tables: Mapping[int, tuple[Appearance, ...]]
    adjustments: Mapping[int, Number]
    byes: Mapping[int, int]
    decided: str | None = None

    def sentence(self, names: Mapping[int, str]) -> str:
        """In plain English, with the caller's names of the two."""
        one, two = names[self.above], names[self.below]
        if self.decided == "disqualified":
            return f"{two} was disqualified and ranks below everyone else."
        if self.decided == "knockout":
            return self._went_further(one, two)
        same = _listed([_amount(metric, value) for metric, value in self.equal])
        if self.metric is None:
            return f"{one} and {two} have an equal rank{': both have ' + same if same else ''}."
        more, less = self.values
        told = f"{one} has {_amount(self.metric, more, less)} against {_figure(less, more)}."
        if same:
            told = f"{one} and {two} both have {same}; {told}"
        return " ".join([told, *self._notes(names)])

    def _went_further(self, one: str, two: str) -> str:
        more, less = (self.tables[entry][-1:] for entry in (self.above, self.below))
        if not more or not less:
            return f"{one} went further than {two}, who sat at no table that counts."
        (first,), (second,) = more, less
        if first.round != second.round:
            return f"{one} went further: to round {first.round}, {two} to round {second.round}."
        places = f"{one} had place {first.place} and {two} place {second.place}"
        seeds = "; of equals the better seed goes on" if first.place == second.place else ""
        return f"Both came as far as round {first.round}, where {places}{seeds}."

    def _notes(self, names: Mapping[int, str]) -> list[str]:
        """What their values hold that was not played for."""
        notes = []
        for entry in (self.above, self.below):
            if extra := Fraction(self.adjustments[entry]):
                kind = "a penalty" if extra < 0 else "a bonus"
                notes.append(f"This includes {kind} of {as_number(abs(extra))} for {names[entry]}.")
            if count := self.byes[entry]:
                notes.append(f"{names[entry]} had {count} {'bye' if count == 1 else 'byes'}.")
        return notes


def compare(
    one: Standing,
    two: Standing,
    tables: Iterable[PlayedTable],
    metrics: Sequence[str],
    *,
    adjustments: Mapping[int, Number] = {},
    byes: Mapping[int, int] = {},
    place_points: Sequence[Number] = TABLE_POINTS,
    last: Collection[int] = (),
    knockout: bool = False,
) -> Explanation:
    """Why one of two lines of the same standings is above the other, from what `standings` was given.

    `tables`: those of the two are enough. `knockout`: the lines are ranked by how far they went.
    """
    above, below = (two, one) if two.rank < one.rank else (one, two)
    decided = "knockout" if knockout and above.rank != below.rank else None
    if below.entry in last and above.entry not in last:
        decided = "disqualified"
    equal = list(takewhile(lambda at: above.values[at] == below.values[at], range(len(metrics))))
    differ = len(equal) < len(metrics) and decided is None
    both = (above.entry, below.entry)
    return Explanation(
        *both,
        metric=metrics[len(equal)] if differ else None,
        values=(above.values[len(equal)], below.values[len(equal)]) if differ else (),
        equal=tuple((metrics[at], above.values[at]) for at in equal),
        tables=_appearances(both, tables, place_points),
        adjustments={entry: adjustments.get(entry, 0) for entry in both},
        byes={entry: byes.get(entry, 0) for entry in both},
        decided=decided,
    )


def _appearances(
    entries: Sequence[int], tables: Iterable[PlayedTable], place_points: Sequence[Number]
) -> dict[int, tuple[Appearance, ...]]:
    found: dict[int, list[Appearance]] = {entry: [] for entry in entries}
    for table in sorted(tables, key=lambda table: table.round):
        for entry in set(entries).intersection(table.seats):
            found[entry].append(_appearance(entry, table, place_points))
    return {entry: tuple(made) for entry, made in found.items()}


def _appearance(entry: int, table: PlayedTable, place_points: Sequence[Number]) -> Appearance:
    there = sides(table)
    mine = next(side for side in there if entry in side.entries)
    others = tuple(other for side in there if side is not mine for other in side.entries)
    points = Fraction(_places_held(mine, place_points), mine.equal)
    return Appearance(table.round, mine.score, mine.place, points, others)


def _figure(value: Fraction, beside: Fraction) -> str:
    """As it is shown, but exact where two that differ would look the same."""
    same = value != beside and as_number(value) == as_number(beside)
    return str(value if same else as_number(value))


def _amount(metric: str, value: Fraction, beside: Fraction | None = None) -> str:
    figure = _figure(value, value if beside is None else beside)
    return f"{figure} {_WORDS[metric][value != 1]}"


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))

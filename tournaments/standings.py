"""Standings, recomputed from the results of tables and from nothing else. Pure.

Every metric, by the name that a tournament's `metrics` list uses; more is better in each:

    table_points   4-2-1-0 by place at each table; equal scores share the points of their places
    total_score    sum of the match scores
    opponents      Buchholz over three opponents a round: the sum of the opponents' table points, one
                   term for each meeting; a bot counts as the mean entry
    firsts         tables at which nobody had a better score
    seconds        tables at which exactly one player (one side, with partners) had a better score

Entries are ranked by the first metric, equals by the next, and so on; equal on all is an equal rank.
A place at a table counts bots too: to be second behind a bot is to be second. Bots themselves have no
standing. With partners (S with N, E with W) the side's score is that of both players, the two sides
share the points of places 1-2 and 3-4 (3 and ½ each), and the two opponents a round count.
Which rounds and results count is the caller's choice: every table given is counted.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ratings.maths import PARTNERS, SINGLES, places

TABLE_POINTS = (4, 2, 1, 0)
METRIC_TITLES = {
    "table_points": "Points",
    "total_score": "Score",
    "opponents": "Opponents",
    "firsts": "Firsts",
    "seconds": "Seconds",
}
DEFAULT_METRICS = ("table_points", "total_score", "opponents", "firsts")


@dataclass(frozen=True)
class PlayedTable:
    """Who sat at a table and how it ended, in seat order S, E, N, W. Entry ids; None is a bot."""

    seats: tuple[int | None, ...]
    scores: tuple[int, ...]
    partners: bool = False


@dataclass(frozen=True)
class Standing:
    """One entry's line: its rank, the value of each metric in order, and the tables it played."""

    rank: int
    entry: int
    values: tuple[Fraction, ...]
    played: int


def side_scores(scores: Sequence[int], partners: bool) -> tuple[int, ...]:
    """What each seat is placed by: its own score, or its side's."""
    if not partners:
        return tuple(scores)
    return tuple(scores[seat] + scores[(seat + 2) % 4] for seat in range(4))


def table_points(scores: Sequence[int], partners: bool = False) -> tuple[Fraction, ...]:
    """The points of each seat, 7 in all: equals share the points of the places they hold."""
    sides = side_scores(scores, partners)
    return tuple(_shared(sum(s > mine for s in sides), sum(s == mine for s in sides)) for mine in sides)


def _sides(table: PlayedTable) -> int:
    return PARTNERS if table.partners else SINGLES


def _shared(better: int, equal: int) -> Fraction:
    return Fraction(sum(TABLE_POINTS[better : better + equal]), equal)


def as_number(value: Fraction) -> int | float:
    """For showing: whole numbers stay whole; shared points, halves to quarters, get two digits."""
    return int(value) if value.denominator == 1 else round(float(value), 2)


def standings(
    entries: Sequence[int], tables: Iterable[PlayedTable], metrics: Sequence[str] = DEFAULT_METRICS
) -> list[Standing]:
    """Rank the entries, best first; equals keep the order in which they were given.

    Raises ValueError for a metric that is not in the header's list.
    """
    unknown = [name for name in metrics if name not in METRICS]
    if unknown:
        raise ValueError(f"no metric {unknown[0]!r}; there are {', '.join(METRICS)}")
    tables = list(tables)
    columns = [METRICS[name](tables, entries) for name in metrics]
    values = {entry: tuple(Fraction(column.get(entry, 0)) for column in columns) for entry in entries}
    played = Counter(entry for table in tables for entry in table.seats)
    ordered = sorted(entries, key=lambda entry: values[entry], reverse=True)
    better = _counts_of_better(list(values.values()))
    return [Standing(1 + better[values[e]], e, values[e], played[e]) for e in ordered]


def _counts_of_better(values: Sequence[tuple[Fraction, ...]]) -> dict[tuple[Fraction, ...], int]:
    """For each distinct line of values, how many lines are better."""
    ordered = sorted(values, reverse=True)
    return {value: place for place, value in reversed(list(enumerate(ordered)))}


Column = Mapping[int, Fraction | int]
Metric = Callable[[Sequence[PlayedTable], Sequence[int]], Column]


def _by_seat(
    tables: Sequence[PlayedTable], seats: Callable[[PlayedTable], Sequence[Fraction | int]]
) -> Column:
    """Sum a figure of each seat over the tables of each entry."""
    sums: dict[int, Fraction | int] = {}
    for table in tables:
        for entry, value in zip(table.seats, seats(table), strict=True):
            if entry is not None:
                sums[entry] = sums.get(entry, 0) + value
    return sums


def _table_points(tables: Sequence[PlayedTable], entries: Sequence[int]) -> Column:
    return _by_seat(tables, lambda table: table_points(table.scores, table.partners))


def _total_score(tables: Sequence[PlayedTable], entries: Sequence[int]) -> Column:
    return _by_seat(tables, lambda table: side_scores(table.scores, table.partners))


def _times_placed(place: int) -> Metric:
    def count(tables: Sequence[PlayedTable], entries: Sequence[int]) -> Column:
        return _by_seat(tables, lambda t: [p == place for p in places(t.scores, _sides(t))])

    return count


def _opponents(tables: Sequence[PlayedTable], entries: Sequence[int]) -> Column:
    points = _table_points(tables, entries)
    mean = Fraction(sum(points.get(entry, 0) for entry in entries)) / max(1, len(entries))

    def faced(table: PlayedTable) -> list[Fraction]:
        worth = [mean if entry is None else Fraction(points[entry]) for entry in table.seats]
        return [sum((worth[other] for other in _opposing(seat, table)), Fraction()) for seat in range(4)]

    return _by_seat(tables, faced)


def _opposing(seat: int, table: PlayedTable) -> list[int]:
    partner = (seat + 2) % 4 if table.partners else seat
    return [other for other in range(4) if other not in (seat, partner)]


METRICS: dict[str, Metric] = {
    "table_points": _table_points,
    "total_score": _total_score,
    "opponents": _opponents,
    "firsts": _times_placed(1),
    "seconds": _times_placed(2),
}

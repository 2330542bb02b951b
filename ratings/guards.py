"""Signs that points of a pool are made rather than won. Pure: no Django, no database, no clock.

`suspected` reads the rated matches of a window and tells what an organiser should look at. It judges nobody.

E_ij of `ratings.maths` is what Plackett and Luce's model expects of a pair, with w = 10^(R/400). That model
also tells how the comparisons of one match hang together: i is before both j and k with probability
w_i / (w_i + w_j + w_k), and comparisons without a common player are independent (Luce, Individual Choice
Behavior, 1959; Plackett, The Analysis of Permutations, 1975).

A rating is an estimate, and whoever is better than his beats everybody more often than E says. So what two do
to each other is held against the form of both: what they make of matches without one another.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, permutations
from math import log, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

from ratings.maths import PAIRS_OF_A_PLAYER, SINGLES, START, Entrant, Schedule, expected, score, side_means

DAYS = 90
"""The window: how old a match may be."""

FARMING, IMPROBABLE, TOGETHER, FED = "farming", "improbable", "together", "fed"

SETTLED = 20
"""Rated matches after which points are no longer those by which a newcomer finds his place."""

FARMED_MEETINGS, FARMED_SHARE, FARMED_POINTS = 15, 0.5, 60.0
"""Farming: so many meetings, in so much of somebody's matches, and so many points won in them, net; and no
fewer than `SIGMAS` times what the net strays by: 2 points times the root of the meetings, or 15 after 60."""

TESTED_MEETINGS, SIGMAS, ALARMS = 10, 4.0, 0.05
"""A pair is tested from so many meetings on. It takes so many standard deviations, and more where so many
pairs are tested that chance alone would give more alarms than this."""

EACH_SIGMAS = 2.0
"""What each of two who are better together must show by himself."""

FED_ACCOUNTS, FED_MEETINGS, FED_MATCHES, FED_SHARE = 3, 3, 30, 0.8
"""Fed by accounts: so many, each with so many meetings, with no more rated matches than this in its life, and
so much of those in the window with the one player."""

FED_POINTS, FED_SCORE = 100.0, 0.95
"""What he won from them together, net, and of the meetings with them."""

FORM = 0.1
"""How far off E somebody's results may be for want of a right rating: the standard deviation of the surplus
of a comparison, some 70 points. All that is known of a player who has no matches without the other one."""

Pair = tuple[int, int]


class Table(NamedTuple):
    """A rated match: the players by id, and each as `ratings.maths` takes him, in the same order."""

    players: Sequence[int]
    entrants: Sequence[Entrant]


class Suspected(NamedTuple):
    """What to look at: one player, or two. `weight`, points or deviations, grows with what speaks for it."""

    kind: str
    player: int
    other: int | None
    weight: float
    figures: dict[str, Any]


@dataclass(slots=True)
class Sum:
    """Comparisons added up: how many, the score expected of them, what came over it, and its variance."""

    count: int = 0
    expected: float = 0.0
    surplus: float = 0.0
    variance: float = 0.0

    def add(self, other: "Sum") -> None:
        self.count += other.count
        self.expected += other.expected
        self.surplus += other.surplus
        self.variance += other.variance

    def minus(self, part: "Sum") -> "Sum":
        """The rest, of which `variance` is right if the part is whole matches."""
        return Sum(
            self.count - part.count,
            self.expected - part.expected,
            self.surplus - part.surplus,
            self.variance - part.variance,
        )

    @property
    def scored(self) -> float:
        return self.expected + self.surplus


@dataclass(slots=True)
class Record:
    """What a player did in the window: matches, those in his life, all his comparisons.

    `won`: points, once he was settled.
    """

    matches: int = 0
    ever: int = 0
    won: float = 0.0
    total: Sum = field(default_factory=Sum)


@dataclass(slots=True)
class Meetings:
    """What a player did to one opponent, and, in `whole`, to everybody in the matches against him.

    `won`: points, net, once he was settled, and `spread` the variance of that; `moved`: points, net, ever.
    `joint`: the variance of what both together scored against the others, kept with a pair's first alone.
    """

    won: float = 0.0
    spread: float = 0.0
    moved: float = 0.0
    against: Sum = field(default_factory=Sum)
    whole: Sum = field(default_factory=Sum)
    joint: float = 0.0


Players = dict[int, Record]
Pairs = dict[Pair, Meetings]
"""Both ways round."""


def suspected(tables: Callable[[], Iterable[Table]], sides: int, schedule: Schedule) -> list[Suspected]:
    """What to look at in the matches that `tables` gives, in any order; it is called twice.

    What is held grows with the players and with the pairs that met, and not with the matches.
    """
    often = _often(tables())
    players: Players = defaultdict(Record)
    pairs: Pairs = defaultdict(Meetings)
    for table in tables():
        _add(Comparisons(table, sides, schedule), often, players, pairs)
    found = [*_farming(players, pairs), *_improbable(players, pairs), *_fed(players, pairs)]
    if sides == SINGLES:
        found += _together(players, pairs)
    return sorted(found, key=lambda each: (each.kind, each.player, each.other or 0))


def _often(tables: Iterable[Table]) -> set[Pair]:
    """The pairs that met often enough for any sign: nothing more is kept of the many that met by chance."""
    met: Counter[Pair] = Counter()
    for table in tables:
        met.update(combinations(sorted(table.players), 2))
    least = min(FARMED_MEETINGS, TESTED_MEETINGS, FED_MEETINGS)
    return {pair for pair, times in met.items() if times >= least}


class Comparisons:
    """The comparisons of a match, by seats."""

    def __init__(self, table: Table, sides: int, schedule: Schedule) -> None:
        self.players, self.entrants = table
        self.seats = range(len(self.players))
        self.singles = sides == SINGLES
        self.ratings, self.ks = side_means(self.entrants, schedule)
        self.weights = [10 ** ((rating - START) / 400) for rating in self.ratings]
        self.share = 2 * PAIRS_OF_A_PLAYER[sides]
        self.duels = dict(self._compare())

    def _compare(self) -> Iterator[tuple[Pair, Sum]]:
        for i, j in permutations(self.seats, 2):
            one, two = self.entrants[i], self.entrants[j]
            if one.side != two.side and (result := score(one, two)) is not None:
                e = expected(self.ratings[one.side], self.ratings[two.side])
                yield (i, j), Sum(1, e, result - e, e * (1 - e))

    def stake(self, i: int, j: int) -> float:
        """The points that a score of 1 is worth between two."""
        return (self.ks[self.entrants[i].side] + self.ks[self.entrants[j].side]) / self.share

    def points(self, i: int, j: int) -> float:
        """What moved from j to i, but for the rounding to the grid."""
        return self.stake(i, j) * self.duels[i, j].surplus

    def of(self, i: int) -> list[Pair]:
        return [pair for pair in self.duels if pair[0] == i]

    @cached_property
    def totals(self) -> list[Sum]:
        """What each player did to all others together."""
        return [self._sum(self.of(seat)) for seat in self.seats]

    def joint(self, i: int, j: int) -> float:
        """The variance of what two together scored against the others."""
        return self._sum([pair for pair in (*self.of(i), *self.of(j)) if pair[1] not in (i, j)]).variance

    def _sum(self, comparisons: Sequence[Pair]) -> Sum:
        total = Sum()
        for pair in comparisons:
            total.add(self.duels[pair])
        for (i, j), (k, m) in combinations(comparisons, 2):
            if i == k:
                total.variance += 2 * self._covariance(i, j, m)
            elif j == m:
                total.variance += 2 * self._covariance(j, i, k)
        return total

    def _covariance(self, i: int, j: int, k: int) -> float:
        """Of i's scores against j and k, or theirs against him. Two of a side have one result."""
        a, b, c = (self.entrants[seat].side for seat in (i, j, k))
        one, two = self._expected(a, b), self._expected(a, c)
        both = one if b == c else self.weights[a] / (self.weights[a] + self.weights[b] + self.weights[c])
        return both - one * two

    def _expected(self, side: int, other: int) -> float:
        return self.weights[side] / (self.weights[side] + self.weights[other])


def _add(match: Comparisons, often: set[Pair], players: Players, pairs: Pairs) -> None:
    for seat, player in enumerate(match.players):
        _add_player(match, seat, players[player])
    for i, j in match.duels:
        pair = match.players[i], match.players[j]
        first = pair[0] < pair[1]
        if (pair if first else pair[::-1]) in often:
            _add_meeting(match, i, j, pairs[pair])
            if first and match.singles:
                pairs[pair].joint += match.joint(i, j)


def _add_player(match: Comparisons, seat: int, record: Record) -> None:
    before = match.entrants[seat].matches
    record.matches += 1
    record.ever = max(record.ever, before + 1)
    record.total.add(match.totals[seat])
    if before >= SETTLED:
        record.won += sum(match.points(*pair) for pair in match.of(seat))


def _add_meeting(match: Comparisons, i: int, j: int, met: Meetings) -> None:
    points = match.points(i, j)
    met.moved += points
    if match.entrants[i].matches >= SETTLED:
        met.won += points
        met.spread += match.stake(i, j) ** 2 * match.duels[i, j].variance
    met.against.add(match.duels[i, j])
    met.whole.add(match.totals[i])


def _farming(players: Players, pairs: Pairs) -> Iterator[Suspected]:
    """Whoever has most of the points that he won from one opponent, whom he meets in most of his matches."""
    for (one, two), met in pairs.items():
        his, count = players[one], met.against.count
        often = count >= FARMED_MEETINGS and count >= FARMED_SHARE * his.matches
        much = met.won >= max(FARMED_POINTS, SIGMAS * sqrt(met.spread), his.won / 2)
        if often and much:
            figures = {"met": count, "matches": his.matches, "points": met.won, "all_points": his.won}
            yield Suspected(FARMING, one, two, met.won, figures | _scores(met.against))


def _improbable(players: Players, pairs: Pairs) -> Iterator[Suspected]:
    """Whoever beats one opponent more often than the form of both explains."""
    tested = {pair: met for pair, met in pairs.items() if met.against.count >= TESTED_MEETINGS}
    bar = _bar(len(tested))
    for (one, two), met in tested.items():
        count = met.against.count
        form, variance = _form(players[one].total.minus(met.whole))
        other, other_variance = _form(players[two].total.minus(pairs[two, one].whole))
        explained = count * (form - other)
        unsure = met.against.variance + count**2 * (variance + other_variance)
        sigmas = deviations(met.against.surplus - explained, unsure)
        if sigmas >= bar:
            figures = _scores(met.against, explained) | {"met": count, "sigmas": sigmas}
            yield Suspected(IMPROBABLE, one, two, sigmas, figures)


def _together(players: Players, pairs: Pairs) -> Iterator[Suspected]:
    """Two who both beat the others more often at a table that they share than they do apart."""
    tested = {pair: met for pair, met in pairs.items() if met.joint and met.against.count >= TESTED_MEETINGS}
    bar = _bar(len(tested))
    for (one, two), met in tested.items():
        both = Sum(variance=met.joint)
        explained, alone = 0.0, []
        for pair in ((one, two), (two, one)):
            thirds = pairs[pair].whole.minus(pairs[pair].against)
            form, variance = _form(players[pair[0]].total.minus(pairs[pair].whole))
            unsure = thirds.count**2 * variance
            explained += thirds.count * form
            alone.append((thirds.surplus - thirds.count * form) / sqrt(pairs[pair].whole.variance + unsure))
            both.add(Sum(thirds.count, thirds.expected, thirds.surplus, unsure))
        sigmas = deviations(both.surplus - explained, both.variance, step=2)
        if sigmas >= bar and min(alone) >= EACH_SIGMAS:
            figures = _scores(both, explained) | {
                "met": met.against.count,
                "comparisons": both.count,
                "sigmas": sigmas,
            }
            yield Suspected(TOGETHER, one, two, sigmas, figures)


def _fed(players: Players, pairs: Pairs) -> Iterator[Suspected]:
    """Whoever wins nearly everything against several accounts that have done little else than lose to him."""
    feeders: dict[int, list[int]] = defaultdict(list)
    for (one, two), met in pairs.items():
        account, count = players[two], met.against.count
        young = account.ever <= FED_MATCHES
        if young and met.moved > 0 and count >= max(FED_MEETINGS, FED_SHARE * account.matches):
            feeders[one].append(two)
    for one, accounts in feeders.items():
        total = Sum()
        for two in accounts:
            total.add(pairs[one, two].against)
        points = sum(pairs[one, two].moved for two in accounts)
        nearly_all = total.scored >= FED_SCORE * total.count
        if len(accounts) >= FED_ACCOUNTS and points >= FED_POINTS and nearly_all:
            figures = {"met": total.count, "points": points, "accounts": sorted(accounts)}
            yield Suspected(FED, one, None, points, figures | _scores(total))


def _scores(results: Sum, explained: float = 0.0) -> dict[str, Any]:
    """What was scored, and what ratings, and form so far as it is known, would have given."""
    return {"scored": results.scored, "expected": results.expected + explained}


def _form(apart: Sum) -> tuple[float, float]:
    """The surplus of a comparison and the variance of that, by matches apart and a prior of 0 ± `FORM`."""
    if not apart.count:
        return 0.0, FORM**2
    weight = apart.count**2 / apart.variance
    precision = weight + FORM**-2
    return apart.surplus / apart.count * weight / precision, 1 / precision


def deviations(surplus: float, variance: float, step: float = 1.0) -> float:
    """The standard deviations that match Bennett's bound on a sum of independent terms, none of them more
    than `step` over its mean, being so much over its own.

    The plain quotient flatters what is rare: who is to win one meeting in twenty wins four of ten once in a
    thousand times, and that would be five deviations. (Bennett, Probability Inequalities for the Sum of
    Independent Random Variables, JASA 57, 1962.)
    """
    if surplus <= 0:
        return 0.0
    ratio = step * surplus / variance
    return sqrt(2 * variance * ((1 + ratio) * log(1 + ratio) - ratio)) / step


def _bar(tests: int) -> float:
    """How many deviations it takes, so that of so many tests `ALARMS` are passed by chance, at most."""
    return max(SIGMAS, NormalDist().inv_cdf(1 - ALARMS / tests)) if tests else SIGMAS

"""Rating systems with one face, for comparing them: each says what it expects of a match, then learns it.

Pure: no Django, no database, no clock. openskill is a package for development; only `OpenSkill` needs it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations
from math import log, pi, sqrt
from typing import Any, Protocol

import numpy as np

from ratings.bradley_terry import Comparisons
from ratings.maths import PARTNERS, SINGLES, START, Entrant, Schedule, changes, expected, score
from ratings.odds import first_chance

NAT = 400 / log(10)
"""Points by which the odds grow e-fold."""

PERFORMANCE = NAT * 4 / sqrt(4 * pi)
"""196 points: with performances of this deviation a small advantage is worth what it is under Elo's law."""


FRESH, FEWEST_NEW = 0.02, 20
"""The part of all matches, and their number, after which a batch is fitted again."""

_PAIRS_OF_A_PLAYER = {SINGLES: 3, PARTNERS: 4}


@dataclass(frozen=True, slots=True)
class Result:
    """A match as systems see it: its rated people, and each one's side, place and whether he had left.

    `pairs`: (i, j, S), indices of two people on different sides, and the score of i against j as in `maths`;
    two who had both left are no pair. `teams`: the players of each side that has any.
    """

    players: tuple[int, ...]
    side_of: tuple[int, ...]
    places: tuple[int, ...]
    left: tuple[bool, ...] = (False,) * 4
    sides: int = SINGLES
    pairs: tuple[tuple[int, int, float], ...] = field(init=False)
    teams: dict[int, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        facts = zip(self.side_of, self.places, self.left, strict=False)
        entrants = [Entrant(START, 0, side, place, left) for side, place, left in facts]
        pairs = (
            (i, j, result)
            for (i, one), (j, two) in combinations(enumerate(entrants), 2)
            if one.side != two.side and (result := score(one, two)) is not None
        )
        teams: dict[int, list[int]] = {}
        for player, side in zip(self.players, self.side_of, strict=True):
            teams.setdefault(side, []).append(player)
        object.__setattr__(self, "pairs", tuple(pairs))
        object.__setattr__(self, "teams", teams)

    def ranks(self) -> list[int]:
        """A number each of `teams`, less for a better place; a side that all had left comes last."""
        best: dict[int, int] = {}
        for side, place, left in zip(self.side_of, self.places, self.left, strict=False):
            best[side] = min(best.get(side, 99), place + 4 * left)
        return [best[side] for side in self.teams]


class System(Protocol):
    """Predictions before a match, for `Result.pairs` and for `Result.teams`; and what it learns from it."""

    def expect(self, match: Result) -> list[float]: ...

    def win_chances(self, match: Result) -> list[float]: ...

    def learn(self, match: Result) -> None: ...

    def points(self) -> dict[int, float]:
        """Everyone's rating, on a scale on which 400 points are about ten to one."""
        ...


class Points:
    """Whatever predicts by Elo's law from one number a player."""

    def __init__(self) -> None:
        self._ratings: dict[int, float] = {}

    def expect(self, match: Result) -> list[float]:
        of = self._strengths(match)
        side = match.side_of
        return [expected(of[side[i]], of[side[j]]) for i, j, _ in match.pairs]

    def win_chances(self, match: Result) -> list[float]:
        strengths = list(self._strengths(match).values())
        return [first_chance(rating, strengths) for rating in strengths]

    def points(self) -> dict[int, float]:
        return self._ratings

    def _strengths(self, match: Result) -> dict[int, float]:
        get = self._ratings.get
        return {side: _mean([get(player, START) for player in team]) for side, team in match.teams.items()}


class LiveElo(Points):
    """The ratings of this service: `maths.changes`, as `services` applies it."""

    def __init__(self) -> None:
        super().__init__()
        self._matches: dict[int, int] = {}

    def learn(self, match: Result) -> None:
        ratings, matches = self._ratings, self._matches
        facts = zip(match.players, match.side_of, match.places, match.left, strict=False)
        entrants = [
            Entrant(ratings.get(player, START), matches.get(player, 0), side, place, left)
            for player, side, place, left in facts
        ]
        moved = zip(match.players, entrants, changes(entrants, match.sides), strict=True)
        for player, entrant, delta in moved:
            ratings[player] = entrant.rating + delta
            matches[player] = entrant.matches + 1


class Elo(Points):
    """The same with another K: `k` says it by the rated matches behind a player."""

    def __init__(self, k: Callable[[int], float]) -> None:
        super().__init__()
        self._k = k
        self._matches: dict[int, int] = {}

    def learn(self, match: Result) -> None:
        of, share = self._strengths(match), _PAIRS_OF_A_PLAYER[match.sides]
        ks = self._side_ks(match)
        deltas = [0.0] * len(match.players)
        for i, j, result in match.pairs:
            one, two = match.side_of[i], match.side_of[j]
            moved = (ks[one] + ks[two]) / 2 * (result - expected(of[one], of[two])) / share
            deltas[i] += moved
            deltas[j] -= moved
        for player, delta in zip(match.players, deltas, strict=True):
            self._ratings[player] = self._ratings.get(player, START) + delta
            self._matches[player] = self._matches.get(player, 0) + 1

    def _side_ks(self, match: Result) -> dict[int, float]:
        get = self._matches.get
        teams = match.teams.items()
        return {side: _mean([self._k(get(player, 0)) for player in team]) for side, team in teams}


def constant_k(k: float) -> Elo:
    """Elo that never learns slower."""
    return Elo(lambda matches: k)


def scheduled_k(start: float, floor: float, halves_at: float) -> Elo:
    """Elo whose K falls as in `maths.Schedule`."""
    return Elo(Schedule(start, floor, halves_at).k)


class BradleyTerry(Points):
    """The batch fit to all matches so far, made anew whenever `FRESH` of them is new.

    `prior` is the deviation of strengths, in points. Who comes in between waits at `START` for the next fit.
    """

    def __init__(self, prior: float) -> None:
        super().__init__()
        self._prior = prior / NAT
        self._columns: dict[int, int] = {}
        self._met = Comparisons()
        self._learnt = self._fitted = 0

    def learn(self, match: Result) -> None:
        columns = self._columns
        teams = match.teams.items()
        people = {side: [columns.setdefault(player, len(columns)) for player in team] for side, team in teams}
        for i, j, result in match.pairs:
            self._met.add(people[match.side_of[i]], people[match.side_of[j]], result)
        self._learnt += 1
        if self._learnt - self._fitted >= max(FEWEST_NEW, FRESH * self._fitted):
            self._fit()

    def _fit(self) -> None:
        self._fitted = self._learnt
        start = np.array([(self._ratings.get(player, START) - START) / NAT for player in self._columns])
        found = self._met.fit(start, self._prior)
        self._ratings = dict(zip(self._columns, (START + NAT * found).tolist(), strict=True))


class OpenSkill:
    """A model of the package openskill, with its own predictions.

    `model` names its class. `predict_beta` is the beta of predictions where it is not that of learning:
    the package's Plackett-Luce learns by one law and predicts by another.
    """

    def __init__(self, model: str, beta: float, tau: float, predict_beta: float) -> None:
        make = getattr(import_module("openskill.models"), model)
        self._model: Any = make(beta=beta, tau=tau)
        self._predictor: Any = make(beta=predict_beta)
        self._scale = PERFORMANCE / predict_beta
        self._ratings: dict[int, Any] = {}

    def expect(self, match: Result) -> list[float]:
        teams, side = self._teams(match), match.side_of
        return [self._predictor.predict_win([teams[side[i]], teams[side[j]]])[0] for i, j, _ in match.pairs]

    def win_chances(self, match: Result) -> list[float]:
        return list(self._predictor.predict_win(list(self._teams(match).values())))

    def learn(self, match: Result) -> None:
        after = self._model.rate(list(self._teams(match).values()), ranks=match.ranks())
        for team, ratings in zip(match.teams.values(), after, strict=True):
            self._ratings.update(zip(team, ratings, strict=True))

    def points(self) -> dict[int, float]:
        middle = self._model.mu
        return {player: START + self._scale * (row.mu - middle) for player, row in self._ratings.items()}

    def _teams(self, match: Result) -> dict[int, list[Any]]:
        return {side: [self._rating(player) for player in team] for side, team in match.teams.items()}

    def _rating(self, player: int) -> Any:
        if player not in self._ratings:
            self._ratings[player] = self._model.rating()
        return self._ratings[player]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def openskill_there() -> bool:
    """Whether the package openskill is installed."""
    return find_spec("openskill") is not None

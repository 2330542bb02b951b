"""A field of players and a season of four-player matches, by chance, with the truth about them. Pure, numpy.

Strengths are normal, in points. A player's performance in a match is normal about his strength (Thurstone's
model), the order is that of performances. So a pair's law is the normal one; Elo's logistic and the law of
Plackett and Luce are only near it. docs/ratings.md says where the numbers come from.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ratings.systems import Result

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LUCK = 200.0  # deviation of a performance about the strength, Elo's own choice of unit
TOTALS_STEP = 5.0  # totals are multiples of it: equal players tie in 0.7 % of pairs
THERE_AT_START = 0.4  # of all players; the others come in over the season
TAIL = 1.5  # Pareto's exponent of activity: the busiest of 2,000 play in a tenth of all matches
NEAR = 0.5  # of the tables are made of players near in strength
MISJUDGED = 100.0  # deviation of what strengths look like when such tables are made
CANDIDATES = 16  # who want to play when a table is made
EPOCHS = 100  # steps of the walk of strengths

PAIRS = tuple(combinations(range(4), 2))
FEWEST_PLAYERS = 8


@dataclass(frozen=True)
class Scenario:
    """What is to be simulated.

    players: 8 or more. In points: spread, the deviation of strengths at the start; drift, the deviation of
    what a player's strength changes by over the season.
    """

    players: int
    matches: int
    spread: float
    drift: float = 0.0


@dataclass(frozen=True)
class Season:
    """Matches in their order, and for each the true chances before it.

    pair_chances: (matches, 6), that i ends above j, a tie half, for `PAIRS`. win_chances: (matches, 4).
    """

    results: list[Result]
    pair_chances: Floats
    win_chances: Floats


def season(scenario: Scenario, *seed: int) -> Season:
    """The same scenario and seed give the same season."""
    rng = np.random.Generator(np.random.PCG64(seed))
    walks = _strengths(scenario, rng)
    epochs = np.arange(scenario.matches) * EPOCHS // scenario.matches
    seated = _tables(scenario, walks, epochs, rng)
    strengths = walks[epochs[:, None], seated]
    places = _places(strengths, rng)
    results = [
        Result(tuple(players), (0, 1, 2, 3), tuple(at))
        for players, at in zip(seated.tolist(), places.tolist(), strict=True)
    ]
    return Season(results, _pair_chances(strengths), _win_chances(strengths))


def _strengths(scenario: Scenario, rng: np.random.Generator) -> Floats:
    """(epochs, players): each one's strength over the season, a random walk."""
    base = rng.normal(0, scenario.spread, scenario.players)
    steps = rng.normal(0, scenario.drift / EPOCHS**0.5, (EPOCHS, scenario.players))
    return base + np.cumsum(steps, axis=0)


def _tables(scenario: Scenario, walks: Floats, epochs: Ints, rng: np.random.Generator) -> Ints:
    """(matches, 4): who plays. Players come in by their number."""
    shares = np.cumsum(rng.pareto(TAIL, scenario.players) + 1)
    grown = THERE_AT_START + (1 - THERE_AT_START) * np.arange(scenario.matches) / scenario.matches
    there = np.maximum(FEWEST_PLAYERS, (grown * scenario.players).astype(np.int64))
    near = rng.random(scenario.matches) < NEAR
    seated = np.empty((scenario.matches, 4), np.int64)
    unfilled = np.arange(scenario.matches)
    while len(unfilled):
        drawn = rng.random((len(unfilled), CANDIDATES)) * shares[there[unfilled] - 1, None]
        wanting = np.searchsorted(shares, drawn, side="right")
        looks = walks[epochs[unfilled, None], wanting] + rng.normal(0, MISJUDGED, wanting.shape)
        seated[unfilled], full = _seat(wanting, looks, near[unfilled])
        unfilled = unfilled[~full]
    return seated


def _seat(wanting: Ints, looks: Floats, near: NDArray[np.bool_]) -> tuple[Ints, NDArray[np.bool_]]:
    """Who wants to play first and three more, the nearest or the next; and which tables are full."""
    wait = np.broadcast_to(np.arange(CANDIDATES, dtype=float), wanting.shape)
    keys = np.where(near[:, None], np.abs(looks - looks[:, :1]), wait)
    again = (wanting[:, :, None] == wanting[:, None, :]) & np.tri(CANDIDATES, k=-1, dtype=bool)
    keys = np.where(again.any(axis=2), np.inf, keys)
    chosen = np.argsort(keys, axis=1, kind="stable")[:, :4]
    full = np.isfinite(np.take_along_axis(keys, chosen, axis=1)).all(axis=1)
    return np.take_along_axis(wanting, chosen, axis=1), full


def _places(strengths: Floats, rng: np.random.Generator) -> Ints:
    """(matches, 4): 1 for the most points, equal for equal totals."""
    totals = np.round((strengths + rng.normal(0, LUCK, strengths.shape)) / TOTALS_STEP)
    return 1 + (totals[:, None, :] > totals[:, :, None]).sum(axis=2)


def _pair_chances(strengths: Floats) -> Floats:
    one, two = np.transpose(PAIRS)
    return _phi((strengths[:, one] - strengths[:, two]) / (LUCK * 2**0.5))


def _win_chances(strengths: Floats) -> Floats:
    """That a performance is the best of four: the chance that the others are below it."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    chances = np.zeros_like(strengths)
    for node, weight in zip(nodes, weights / weights.sum(), strict=True):
        reached = strengths + LUCK * node
        below = _phi((reached[:, :, None] - strengths[:, None, :]) / LUCK)
        own = np.arange(4)
        below[:, own, own] = 1
        chances += weight * below.prod(axis=2)
    return chances / chances.sum(axis=1, keepdims=True)


_STEPS = np.linspace(-9, 9, 18_001)
_DENSITY = np.exp(-(_STEPS**2) / 2) / (2 * np.pi) ** 0.5
_BELOW = np.concatenate([[0.0], np.cumsum((_DENSITY[1:] + _DENSITY[:-1]) / 2 * np.diff(_STEPS))])


def _phi(x: Floats) -> Floats:
    """The normal law's distribution function, to seven places; numpy has none."""
    return np.interp(x, _STEPS, _BELOW)

"""How well rating systems predict: scores, calibration, cost, and what the order of matches does. Pure.

Everything is prequential: a system says what it expects of a match before it learns it (A. P. Dawid,
Statistical theory: the prequential approach, JRSS A 147, 1984). A pair of people on different sides counts
once, a tie as half a win. A match that several sides won together counts for each in equal parts.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np
from numpy.typing import NDArray

from ratings.systems import Result, System

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Parameters = Mapping[str, float]
Watch = Callable[[Sequence[Result], str], Iterable[Result]]
"""Passes matches on, and shows how far it is with what is named."""
Loss = Callable[[System], float]

BINS = 10
SETTLED_AFTER = 20  # matches: whose final ratings are compared between orders
NEARBY = 100  # matches that change places with one another when the order is only stirred
SURE = 1e-9  # a lesser chance counts as this: it may come, and would cost infinitely much
ROUNDS = 2  # over all parameters, when they are tuned


@dataclass(frozen=True)
class Outcomes:
    """What came of matches: the score of each pair, the part of each side in the win.

    `pair_of` and `win_of` have the numbers of their matches.
    """

    scores: Floats
    pair_of: Numbers
    wins: Floats
    win_of: Numbers

    @classmethod
    def of(cls, results: Sequence[Result]) -> "Outcomes":
        pairs = [(score, number) for number, match in enumerate(results) for _, _, score in match.pairs]
        wins = [(part, number) for number, match in enumerate(results) for part in _parts_of_win(match)]
        (scores, pair_of), (parts, win_of) = zip(*pairs, strict=True), zip(*wins, strict=True)
        return cls(np.array(scores), np.array(pair_of), np.array(parts), np.array(win_of))


@dataclass(frozen=True)
class Predictions:
    """The chances that a system gave to the rows of `Outcomes`, and the seconds of a core it learnt for."""

    pairs: Floats
    wins: Floats
    seconds: float = 0.0


@dataclass(frozen=True)
class Bin:
    """Predictions of one range: their mean, how often it came so, and how many they were."""

    predicted: float
    came: float
    count: int


def prequential(system: System, results: Iterable[Result]) -> Predictions:
    """What the system says of each match before it learns it."""
    pairs: list[float] = []
    wins: list[float] = []
    seconds = 0.0
    for match in results:
        pairs += system.expect(match)
        wins += system.win_chances(match)
        begun = process_time()
        system.learn(match)
        seconds += process_time() - begun
    return Predictions(np.array(pairs), np.array(wins), seconds)


def tuned(
    make: Callable[..., System], usual: Parameters, grid: Mapping[str, Sequence[float]], loss: Loss
) -> dict[str, float]:
    """The parameters with the least `loss` of a system made of them, looked for one after the other.

    From the `usual` ones on; `grid` has the values to try of each.
    """
    known: dict[tuple[float, ...], float] = {}

    def cost(parameters: Parameters) -> float:
        key = tuple(parameters.values())
        if key not in known:
            known[key] = loss(make(**parameters))
        return known[key]

    best = dict(usual)
    for _ in range(ROUNDS):
        for name, values in grid.items():
            best = min(({**best, name: value} for value in (best[name], *values)), key=cost)
    return best


def pair_loss(system: System, results: Iterable[Result], since: int = 0) -> float:
    """The mean log-loss of pairs, of the matches from number `since` on."""
    expectations: list[float] = []
    scores: list[float] = []
    for number, match in enumerate(results):
        if number >= since:
            expectations += system.expect(match)
            scores += [score for _, _, score in match.pairs]
        system.learn(match)
    return float(losses(np.array(expectations), np.array(scores)).mean())


def losses(chances: Floats, came: Floats) -> Floats:
    """-log of the chance of what came; a tie is half of either."""
    chances = np.clip(chances, SURE, 1 - SURE)
    return -(came * np.log(chances) + (1 - came) * np.log1p(-chances))


def figures(said: Predictions, outcomes: Outcomes, since: int) -> dict[str, float]:
    """The scores of predictions, over the matches from number `since` on. Keys as in docs/ratings.md."""
    at, won_at = outcomes.pair_of >= since, outcomes.win_of >= since
    pairs, scores = said.pairs[at], outcomes.scores[at]
    wins, parts = said.wins[won_at], outcomes.wins[won_at]
    right = np.where(pairs == 0.5, 0.5, np.where(pairs > 0.5, scores, 1 - scores))
    win_losses = -parts * np.log(np.clip(wins, SURE, 1))
    return {
        "log_loss": float(losses(pairs, scores).mean()),
        "brier": float(((scores - pairs) ** 2).mean()),
        "accuracy": float(right.mean()),
        "calibration_error": calibration_error(pair_bins(said, outcomes, since)),
        "win_log_loss": float(win_losses.sum() / parts.sum()),
        "win_calibration_error": calibration_error(win_bins(said, outcomes, since)),
    }


def pair_bins(said: Predictions, outcomes: Outcomes, since: int) -> list[Bin]:
    """Pairs by the chance of whoever was the favourite, from 1/2 to 1."""
    at = outcomes.pair_of >= since
    chances, scores = said.pairs[at], outcomes.scores[at]
    turned = chances < 0.5
    return _bins(np.where(turned, 1 - chances, chances), np.where(turned, 1 - scores, scores), 0.5)


def win_bins(said: Predictions, outcomes: Outcomes, since: int) -> list[Bin]:
    """Sides by their chance of winning the match, from 0 to 1."""
    at = outcomes.win_of >= since
    return _bins(said.wins[at], outcomes.wins[at], 0.0)


def calibration_error(bins: Sequence[Bin]) -> float:
    """The mean distance between predicted and come, over all predictions."""
    return sum(abs(row.predicted - row.came) * row.count for row in bins) / sum(row.count for row in bins)


def behind(ours: Predictions, theirs: Predictions, outcomes: Outcomes, since: int) -> tuple[float, float]:
    """By how much our log-loss of pairs is the greater, and half its 95 % interval, clustered by matches."""
    at = outcomes.pair_of >= since
    scores = outcomes.scores[at]
    excess = losses(ours.pairs[at], scores) - losses(theirs.pairs[at], scores)
    mean = float(excess.mean())
    by_match = np.bincount(outcomes.pair_of[at] - since, excess - mean)
    return mean, 1.96 * float(np.sqrt((by_match**2).sum())) / len(excess)


def order_dependence(
    make: Callable[[], System], live: Mapping[int, float], results: Sequence[Result], watch: Watch
) -> dict[str, float] | None:
    """By how many points final ratings would differ from `live`, in the mean, had the matches come otherwise.

    Over players with `SETTLED_AFTER` matches; None without any. `shuffled`: in any order; `stirred`: in any
    order within each hundred; `spread`: the deviation of the ratings themselves. Only differences between
    players count: openskill's ratings rise and fall together, by an order's chance.
    """
    played = Counter(player for match in results for player in match.players)
    settled = [player for player, count in played.items() if count >= SETTLED_AFTER]
    if not settled:
        return None
    rng = np.random.Generator(np.random.PCG64(len(results)))
    orders = {
        "shuffled": rng.permutation(len(results)),
        "stirred": np.argsort(np.arange(len(results)) // NEARBY + rng.random(len(results))),
    }
    ours = _level(live, settled)
    found = {"spread": float(ours.std())}
    for name, order in orders.items():
        system = make()
        for match in watch([results[number] for number in order], name):
            system.learn(match)
        found[name] = float(np.abs(_level(system.points(), settled) - ours).mean())
    return found


def _level(points: Mapping[int, float], players: Sequence[int]) -> Floats:
    """Their points, less the mean of them."""
    found = np.array([points[player] for player in players])
    return found - found.mean()


def _parts_of_win(match: Result) -> list[float]:
    ranks = match.ranks()
    first = min(ranks)
    return [(rank == first) / ranks.count(first) for rank in ranks]


def _bins(chances: Floats, came: Floats, low: float) -> list[Bin]:
    """By equal ranges from `low` to 1; those without any are left out."""
    number = np.minimum(((chances - low) / (1 - low) * BINS).astype(np.int64), BINS - 1)
    count, predicted, came_in = (
        np.bincount(number, weights, BINS) for weights in (np.ones_like(chances), chances, came)
    )
    return [
        Bin(float(predicted[at] / count[at]), float(came_in[at] / count[at]), int(count[at]))
        for at in range(BINS)
        if count[at]
    ]

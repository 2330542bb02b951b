"""Performance: the rating at which a player was expected to score what he scored. Pure.

Arpad Elo's performance rating (The Rating of Chessplayers, Past and Present, 1978), for tables of four: each
match is a pair with every opponent in it, three in singles. R solves

    sum over pairs of 1 / (1 + 10^((R_j - R) / 400)) = sum over pairs of S_j

with R_j the opponent's rating before that match. In partnerships R_j is the mean of the opponents' side, and
R the rating of the player's own: a team has one performance, however it is made up.

The left side rises with R, so bisection finds it. Who won all pairs, or lost all, has an infinite one: it
ends 800 points from the mean of his opponents, as FIDE's tables do, and nobody's goes beyond that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from ratings.maths import expected
from ratings.pairs import Pair

CAP = 800.0
"""The farthest from the mean of the opponents, in points."""

PRECISION = 0.01
"""Points."""


@dataclass(frozen=True, slots=True)
class Performance:
    """`score` out of so many `pairs` against opponents with a mean rating of `opponents`.

    `capped`: the rating would be farther than CAP from that mean.
    """

    rating: float
    pairs: int
    score: float
    opponents: float
    capped: bool


def performance(pairs: Sequence[Pair]) -> Performance | None:
    """The performance over these pairs, to PRECISION; None without any."""
    if not pairs:
        return None
    ratings = [pair.rating for pair in pairs]
    score, mean = sum(pair.score for pair in pairs), fmean(ratings)
    low, high = mean - CAP, mean + CAP
    if _expected(low, ratings) >= score:
        return Performance(low, len(pairs), score, mean, True)
    if _expected(high, ratings) <= score:
        return Performance(high, len(pairs), score, mean, True)
    while high - low > PRECISION:
        middle = (low + high) / 2
        low, high = (middle, high) if _expected(middle, ratings) < score else (low, middle)
    return Performance((low + high) / 2, len(pairs), score, mean, False)


def _expected(rating: float, ratings: Sequence[float]) -> float:
    return sum(expected(rating, other) for other in ratings)

"""Performance rating: the rating that would have been expected to score just what was scored. Pure.

As FIDE's (Handbook B.02), but solved for in place of looked up, and for a table of four: each match is as
many pairs as there were opponents, three in singles; with partners the two teams are one pair, each with its
people's mean rating, and the answer is that of the player's own team.
"""

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from ratings.maths import SCHEDULE, Entrant, expected, score, side_means

FARTHEST = 800.0
"""Points from the opponents' mean at most: whoever won all or lost all played like no finite rating."""

EXACT = 0.01


class Pair(NamedTuple):
    """An opponent's rating before the match, and the score against him: 1, 0.5 or 0."""

    opponent: float
    score: float


def pairs(entrants: Sequence[Entrant], at: int) -> list[Pair]:
    """The pairs of the entrant at this place of the rated players of a match, one for each other side.

    Against a side of two the score is the mean of what it is against each: half where one partner had left.
    """
    one = entrants[at]
    ratings, _ = side_means(entrants, SCHEDULE)
    scores: dict[int, list[float]] = {}
    for two in entrants:
        if two.side != one.side and (result := score(one, two)) is not None:
            scores.setdefault(two.side, []).append(result)
    return [Pair(ratings[side], fsum(results) / len(results)) for side, results in scores.items()]


def performance(met: Sequence[Pair]) -> float | None:
    """The rating, to a hundredth of a point, whose expected sum against these opponents is the actual sum.

    At most `FARTHEST` from their mean, as for who won all or lost all; None for nobody met.
    """
    if not met:
        return None
    made = fsum(pair.score for pair in met)
    mean = fsum(pair.opponent for pair in met) / len(met)
    if made in (0, len(met)):
        return mean + (FARTHEST if made else -FARTHEST)
    low, high = mean - FARTHEST, mean + FARTHEST
    while high - low > EXACT:
        middle = (low + high) / 2
        if fsum(expected(middle, pair.opponent) for pair in met) < made:
            low = middle
        else:
            high = middle
    return (low + high) / 2

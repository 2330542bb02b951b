"""A match as one player's pairs: each opponent, what was expected against him and what came of it. Pure.

A change is K/3 (K/4 with partners) times the sum of S - E over these pairs, with the K of each, so that they
explain it; head-to-head figures and performances are sums over the same pairs.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ratings.maths import SCHEDULE, Entrant, expected, score, side_means


class Pair(NamedTuple):
    """`other`: the opponent's index among the entrants. `own`, `rating`: of the two sides, before the match.

    `score`: 1, 1/2 or 0.
    """

    other: int
    own: float
    rating: float
    score: float

    @property
    def expected(self) -> float:
        """The score, from 0 to 1, that was expected."""
        return expected(self.own, self.rating)


@dataclass(frozen=True, slots=True)
class Sums:
    """What some pairs sum to: how many, the score that was expected, and the actual one."""

    pairs: int
    expected: float
    score: float


def pairs_of(entrants: Sequence[Entrant], at: int) -> list[Pair]:
    """The pairs of the entrant with index `at`, in their order: opponents, but where both had left.

    Partners are no pair. A side's rating is its people's mean, as in `ratings.maths`.
    """
    one = entrants[at]
    ratings, _ = side_means(entrants, SCHEDULE)
    return [
        Pair(other, ratings[one.side], ratings[two.side], result)
        for other, two in enumerate(entrants)
        if two.side != one.side and (result := score(one, two)) is not None
    ]


def sums(pairs: Iterable[Pair]) -> Sums:
    """Over these pairs."""
    found = list(pairs)
    return Sums(len(found), sum(pair.expected for pair in found), sum(pair.score for pair in found))

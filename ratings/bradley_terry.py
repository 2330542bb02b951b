"""A batch fit of Bradley and Terry's model: all matches at once, none more recent than another. Pure, numpy.

Player i has a strength t_i, a side the mean of its people's, and of two sides the first ends above the other
with the chance 1 / (1 + exp(t_2 - t_1)); a tie is half a win for each. With normal priors of mean 0 the
posterior has one mode, also for who has won or lost everything, or never met the rest. Newton's steps find
it, each solved by conjugate gradients. Without priors the field would have to be connected (D. R. Hunter, MM
algorithms for generalized Bradley-Terry models, Annals of Statistics 32, 2004).
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ENOUGH = 1e-4  # of a unit of t: 0.02 points
LONGEST = 2.0  # a step in units of t; far from the mode Newton's would overshoot
MOST_STEPS, MOST_TURNS = 50, 200


class Comparisons:
    """Pairs of sides that met: a sparse matrix with a row a pair, which takes strengths to t_1 - t_2."""

    def __init__(self) -> None:
        self._rows: list[int] = []
        self._columns: list[int] = []
        self._weights: list[float] = []
        self._scores: list[float] = []

    def add(self, one: list[int], two: list[int], score: float) -> None:
        """The people of `one` met those of `two` and scored 1, 1/2 or 0. People are columns, from 0 on."""
        for people, sign in ((one, 1.0), (two, -1.0)):
            self._rows += [len(self._scores)] * len(people)
            self._columns += people
            self._weights += [sign / len(people)] * len(people)
        self._scores.append(score)

    def fit(self, start: Floats, prior: float) -> Floats:
        """The strengths of the mode, one a column, from `start` on; `prior`: the deviation of priors."""
        rows, columns = np.array(self._rows, np.intp), np.array(self._columns, np.intp)
        weights, scores = np.array(self._weights), np.array(self._scores)
        precision = 1 / prior**2

        def along(vector: Floats) -> Floats:
            return _sums(rows, weights * vector[columns], len(scores))

        def back(vector: Floats) -> Floats:
            return _sums(columns, weights * vector[rows], len(start))

        strengths = start
        for _ in range(MOST_STEPS):
            chances = 1 / (1 + np.exp(-along(strengths)))
            spread = chances * (1 - chances)
            slope = back(scores - chances) - precision * strengths
            diagonal = _sums(columns, weights**2 * spread[rows], len(start)) + precision
            step = _solved(lambda v: back(spread * along(v)) + precision * v, slope, diagonal)  # noqa: B023
            longest = float(np.abs(step).max(initial=0))
            strengths = strengths + step * min(1, LONGEST / max(longest, LONGEST))
            if longest < ENOUGH:
                break
        return strengths


def _sums(rows: NDArray[np.intp], values: Floats, count: int) -> Floats:
    return np.bincount(rows, values, count).astype(np.float64, copy=False)


def _solved(matrix: Callable[[Floats], Floats], wanted: Floats, diagonal: Floats) -> Floats:
    """x with matrix(x) = wanted, to a thousandth, by conjugate gradients over the diagonal."""
    found = np.zeros_like(wanted)
    left = wanted
    scaled = left / diagonal
    direction, size = scaled, float(left @ scaled)
    enough = 1e-6 * size
    for _ in range(MOST_TURNS):
        if size <= enough:
            break
        image = matrix(direction)
        far = size / float(direction @ image)
        found = found + far * direction
        left = left - far * image
        scaled = left / diagonal
        size, before = float(left @ scaled), size
        direction = scaled + size / before * direction
    return found

"""The last cards solved exactly: the best that a seat can reach where the others play as greedy does.

Not max^n, in which every seat plays what is best for it with all hands open: the others do not see them.
So only one seat chooses, and what it has lost stays lost: a line is given up once it is no better than one
that was played to its end.
"""

import numpy as np
from numba import float64, int64
from numpy.typing import NDArray

from . import trix
from .bits import lowest
from .compiling import lean, recursive
from .thumb import Numbers, price
from .tricks import (
    CAPOT,
    CARDS,
    COSTS,
    COUNT,
    DOUBLED,
    HOT,
    OVER,
    PARTNERS,
    ROW,
    SCORES,
    SEEN,
    TRICK,
    TRICKS,
    TURN,
    Row,
    Terms,
    gain,
    gain_of,
    legal,
    over_others,
    play,
)

UNKNOWN = -np.inf


@lean
def solve(row: Row, terms: Terms, mind: Numbers, stack: NDArray[np.int64], me: int) -> float:
    """The most that ``me`` can still gain; the row is played on. ``stack``: a row for each card it holds."""
    return _search(row, terms, mind, stack, 0, me, total_at_end(row, terms), -np.inf)


@lean
def total_at_end(row: Row, terms: Terms) -> float:
    """What all scores will sum up to, or `UNKNOWN` as long as that hangs on who takes what."""
    taken = row[SEEN]
    for place in range(row[COUNT]):
        taken ^= 1 << row[CARDS + place]
    if terms[DOUBLED] & ~taken:
        return UNKNOWN
    played, most, total = 0, 0, 0
    for seat in range(4):
        played += row[TRICKS + seat]
        most = max(most, row[TRICKS + seat])
        total += row[SCORES + seat]
    if terms[CAPOT] and played == most:
        return UNKNOWN
    left = terms[HOT] & ~taken
    while left:
        total -= terms[COSTS + lowest(left)]
        left &= left - 1
    return float(total - terms[TRICK] * (13 - played))


@recursive(float64(int64[::1], int64[::1], float64[::1], int64[:, ::1], int64, int64, float64, float64))
def _search(
    row: Row, terms: Terms, mind: Numbers, stack: NDArray[np.int64], depth: int, me: int, total: float,
    most: float,
) -> float:  # fmt: skip
    """The most that can be gained from here, or ``most`` where that is no less."""
    allowed = first = 0
    while not row[OVER]:
        allowed = legal(row, terms)
        if not allowed & (allowed - 1):
            play(row, terms, lowest(allowed))
            continue
        if row[TURN] == me and gain_of(row, me, terms[PARTNERS], total) <= most:
            return most
        first = price(row, terms, mind, allowed)
        if row[TURN] == me:
            break
        play(row, terms, first)
    if row[OVER]:
        return max(most, gain(row, me, terms[PARTNERS]))
    tried, card = stack[depth], first
    allowed ^= 1 << first
    while True:
        for place in range(ROW):
            tried[place] = row[place]
        play(tried, terms, card)
        most = _search(tried, terms, mind, stack, depth + 1, me, total, most)
        if not allowed:
            return most
        card = lowest(allowed)
        allowed &= allowed - 1


@lean
def _of_place(terms: Terms, place: int) -> float:
    """What it is worth to be out in this place, from 0, the points of all places being shared out."""
    total = 0
    for value in terms[trix.VALUES : trix.VALUES + 4]:
        total += value
    return over_others(terms[trix.VALUES + place], float(total))


@lean
def _best_place(terms: Terms, taken: int) -> float:
    """The most that a place is worth, so many being taken: rules may pay a later one more."""
    best = -np.inf
    for place in range(taken, 4):
        best = max(best, _of_place(terms, place))
    return best


@recursive(float64(int64[::1], int64[::1], int64[:, ::1], int64, int64, float64))
def solve_trix(row: Row, terms: Terms, stack: NDArray[np.int64], depth: int, me: int, most: float) -> float:
    """The same in trix, or ``most`` where that is no less.

    Alone, who is out has his points; with partners it counts as well who comes out after him.
    """
    alone, allowed = not terms[trix.PARTNERS], 0
    while not row[trix.OVER]:
        allowed = trix.legal(row)
        if not allowed & (allowed - 1):
            trix.play(row, terms, lowest(allowed))
        elif row[trix.TURN] == me:
            if alone and _best_place(terms, row[trix.OUTS]) <= most:
                return most
            break
        else:
            trix.play(row, terms, trix.liked(row, terms, allowed))
        if alone and row[trix.OUTS] and row[trix.OUT + row[trix.OUTS] - 1] == me:
            return max(most, _of_place(terms, row[trix.OUTS] - 1))
    if row[trix.OVER]:
        return max(most, gain(row, me, terms[trix.PARTNERS]))
    tried, card = stack[depth], trix.liked(row, terms, allowed)
    allowed ^= 1 << card
    while True:
        for place in range(trix.ROW):
            tried[place] = row[place]
        trix.play(tried, terms, card)
        most = solve_trix(tried, terms, stack, depth + 1, me, most)
        if not allowed:
            return most
        card = lowest(allowed)
        allowed &= allowed - 1

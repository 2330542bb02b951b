"""The last tricks solved exactly, all hands open: every seat plays what is best for itself (max^n).

Luckhardt and Irani, "An algorithmic solution of n-person games" (AAAI 1986).
"""

import numpy as np
from numba import int64, void
from numpy.typing import NDArray

from .bits import lowest
from .compiling import recursive
from .tricks import OVER, PARTNERS, ROW, SCORES, TURN, Row, Terms, legal, play


@recursive(void(int64[::1], int64[::1], int64[:, :, ::1], int64))
def solve(row: Row, terms: Terms, stack: NDArray[np.int64], depth: int) -> None:
    """Bring a position to the end that best play leads to. ``stack``: two rows for each card to play."""
    allowed = 0
    while not row[OVER]:
        allowed = legal(row, terms)
        if allowed & (allowed - 1):
            break
        play(row, terms, lowest(allowed))
    if row[OVER]:
        return
    me, most = row[TURN], -(1 << 40)
    best, tried = stack[depth, 0], stack[depth, 1]
    while allowed:
        for place in range(ROW):
            tried[place] = row[place]
        play(tried, terms, lowest(allowed))
        allowed &= allowed - 1
        solve(tried, terms, stack, depth + 1)
        total = tried[SCORES] + tried[SCORES + 1] + tried[SCORES + 2] + tried[SCORES + 3]
        if terms[PARTNERS]:
            reached = 2 * (tried[SCORES + me] + tried[SCORES + (me ^ 2)]) - total
        else:
            reached = 4 * tried[SCORES + me] - total
        if reached > most:
            most = reached
            for place in range(ROW):
                best[place] = tried[place]
    for place in range(ROW):
        row[place] = best[place]

"""The last tricks solved exactly: the best that a seat can reach where the others play as greedy does.

Not max^n, in which every seat plays what is best for it with all hands open: the others do not see them.
"""

import numpy as np
from numba import float64, int64, void
from numpy.typing import NDArray

from .bits import lowest
from .compiling import recursive
from .thumb import Numbers, price
from .tricks import OVER, PARTNERS, ROW, TURN, Row, Terms, gain, legal, play


@recursive(void(int64[::1], int64[::1], float64[::1], int64[:, :, ::1], int64, int64))
def solve(row: Row, terms: Terms, mind: Numbers, stack: NDArray[np.int64], depth: int, me: int) -> None:
    """Bring a position to the best end for ``me``. ``stack``: two rows for each card that it holds."""
    allowed = 0
    while not row[OVER]:
        allowed = legal(row, terms)
        if not allowed & (allowed - 1):
            play(row, terms, lowest(allowed))
        elif row[TURN] == me:
            break
        else:
            play(row, terms, price(row, terms, mind, allowed))
    if row[OVER]:
        return
    most = -np.inf
    best, tried = stack[depth, 0], stack[depth, 1]
    while allowed:
        for place in range(ROW):
            tried[place] = row[place]
        play(tried, terms, lowest(allowed))
        allowed &= allowed - 1
        solve(tried, terms, mind, stack, depth + 1, me)
        reached = gain(tried, me, terms[PARTNERS])
        if reached > most:
            most = reached
            for place in range(ROW):
                best[place] = tried[place]
    for place in range(ROW):
        row[place] = best[place]

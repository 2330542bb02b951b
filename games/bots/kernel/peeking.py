"""Playouts in which my own seat plays better than by rules of thumb: it often sees how a trick will end.

In play it will know more than greedy does, since it has beliefs; in a playout these would take too long. So
every other time it is shown the world, for the rest of one trick. Always seeing it would be too much.
"""

import numpy as np

from .bits import Luck, any_of, draw, lowest
from .compiling import inlined, lean
from .thumb import NOBODY, NOW, PRICES, Numbers, choose, partner_of, price, sweeps, worth_of_lead
from .tricks import COUNT, LEADER, OVER, ROW, SCORES, TURN, Row, Terms, legal, play

PEEKING = 0.5


@lean
def play_out(
    row: Row, terms: Terms, mind: Numbers, other: Numbers, trial: Row, luck: Luck, erring: float, me: int
) -> None:
    """Play a position to its end: the others with `thumb.choose`, my seat sometimes with `peek`.

    mind, other, trial: room to work in.
    """
    while not row[OVER]:
        allowed = legal(row, terms)
        if row[TURN] != me or not allowed & (allowed - 1) or draw(luck) >= PEEKING:
            card = choose(row, terms, mind, luck, erring)
        elif draw(luck) < erring:
            card = any_of(luck, allowed)
        else:
            card = peek(row, terms, mind, other, trial, luck)
        play(row, terms, card)


@lean
def peek(row: Row, terms: Terms, mind: Numbers, other: Numbers, trial: Row, luck: Luck) -> int:
    """The cheapest card where it is seen what the trick will cost my side; the rest is priced as ever."""
    me, allowed = row[TURN], legal(row, terms)
    cheapest, least = price(row, terms, mind, allowed), np.inf
    if sweeps(row, terms, mind):
        return cheapest
    lead, before = worth_of_lead(row, terms, me), _score(row, terms, me)
    while allowed:
        card = lowest(allowed)
        allowed &= allowed - 1
        for place in range(ROW):
            trial[place] = row[place]
        play(trial, terms, card)
        while trial[COUNT] and not trial[OVER]:
            play(trial, terms, choose(trial, terms, other, luck, 0.0))
        cost = mind[PRICES + card] - mind[NOW + card] + before - _score(trial, terms, me)
        if trial[LEADER] == me:
            cost -= lead
        if cost < least:
            cheapest, least = card, cost
    return cheapest


@inlined
def _score(row: Row, terms: Terms, me: int) -> int:
    """The points of my side."""
    partner = partner_of(terms, me)
    return row[SCORES + me] + (0 if partner == NOBODY else row[SCORES + partner])

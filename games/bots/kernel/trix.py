"""Trix, the layout, in compiled code: the engine's `legal` and `apply`, and greedy's rule of thumb."""

import numpy as np
from numpy.typing import NDArray

from games.bots.layout import BETWEEN, FADING, GIFT, GIFT_WITH_PARTNER, MINE
from games.engine.cards import ACE, JACK, JACKS, OUTWARD, TWOS

from .bits import Luck, any_of, count, draw, lowest
from .compiling import inlined, lean

Row = NDArray[np.int64]
Terms = NDArray[np.int64]
Numbers = NDArray[np.float64]

# A row. OUT: the seats in order of going out, OUTS how many. OPEN: the cards that fit the layout.
HANDS, SCORES, OUT, OUTS, OPEN, TURN, OVER = 0, 4, 8, 12, 13, 14, 15
ROW = 16
# Terms. VALUES: what the places are worth. THIRD: the deal ends with the third out. EXPOSED: twos are public.
VALUES, THIRD, PARTNERS, SPLIT, EXPOSED = 0, 4, 5, 6, 7
TERMS = 8

OPENS = np.array(OUTWARD, np.int64)
ALL_JACKS, ALL_TWOS = JACKS, TWOS
NOBODY = -1


@inlined
def legal(row: Row) -> int:
    """The set of cards that the seat to act may play; empty if it must pass."""
    return row[HANDS + row[TURN]] & row[OPEN]


@lean
def play(row: Row, terms: Terms, card: int) -> None:
    """Play a legal card, and let the seats pass that have none, up to the next that has."""
    seat, bit = row[TURN], 1 << card
    row[HANDS + seat] ^= bit
    row[OPEN] = row[OPEN] ^ bit | OPENS[card]
    if not row[HANDS + seat]:
        row[OUT + row[OUTS]] = seat
        row[OUTS] += 1
        if _done(row, terms):
            _end(row, terms)
            return
    advance(row)


@inlined
def advance(row: Row) -> None:
    """To the next seat that can play: who is out is skipped, and who cannot play must pass."""
    row[TURN] = (row[TURN] + 1) & 3
    while not legal(row):
        row[TURN] = (row[TURN] + 1) & 3


@inlined
def _done(row: Row, terms: Terms) -> bool:
    if not terms[THIRD]:
        return row[OUTS] == 4
    return row[OUTS] == 3 or (terms[PARTNERS] and row[OUTS] == 2 and row[OUT] == row[OUT + 1] ^ 2)


@lean
def _end(row: Row, terms: Terms) -> None:
    """Score by the order of going out; of two left the one with fewer cards is third."""
    row[OVER] = 1
    for place in range(row[OUTS]):
        row[SCORES + row[OUT + place]] = terms[VALUES + place]
    last = row[OUT + row[OUTS] - 1]
    left, fewest, also = NOBODY, 64, False
    for step in range(1, 4):
        seat = (last + step) & 3
        held = count(row[HANDS + seat])
        if held:
            row[SCORES + seat] = terms[VALUES + 3]
            also = also or held == fewest
            if held < fewest:
                left, fewest = seat, held
    if row[OUTS] != 2:
        return
    row[SCORES + left] = terms[VALUES + 2]
    if also and terms[SPLIT]:
        for seat in (left, left ^ 2):
            row[SCORES + seat] = (terms[VALUES + 2] + terms[VALUES + 3]) // 2


@inlined
def opening(card: int, ours: int, gift: float) -> float:
    """What a card opens outwards, as `games.bots.layout` has it."""
    rank, value = card % 13, 0.0
    if rank >= JACK:
        value += _way(card, 1, ACE - rank, ours, gift)
    if rank <= JACK:
        value += _way(card, -1, rank, ours, gift)
    return value


@inlined
def _way(card: int, step: int, length: int, ours: int, gift: float) -> float:
    value, between, weight = 0.0, 0, 1.0
    for _ in range(length):
        card += step
        if ours >> card & 1:
            value += (MINE + BETWEEN * between) * weight
            weight *= FADING
        else:
            between += 1
            if weight == 1.0:
                value -= gift
    return value


@inlined
def price(row: Row, terms: Terms, card: int) -> float:
    """What greedy gives for a card of the seat to act: the more, the better."""
    me = row[TURN]
    ours = row[HANDS + me]
    gift = GIFT_WITH_PARTNER if terms[PARTNERS] else GIFT
    if terms[PARTNERS] and terms[EXPOSED]:
        ours |= row[HANDS + (me ^ 2)] & ALL_TWOS
    return opening(card, ours, gift)


@inlined
def choose(row: Row, terms: Terms, luck: Luck, erring: float) -> int:
    """What greedy plays, or with the chance ``erring`` any legal card."""
    allowed = legal(row)
    if not allowed & (allowed - 1):
        return lowest(allowed)
    if erring > 0 and draw(luck) < erring:
        return any_of(luck, allowed)
    return liked(row, terms, allowed)


@inlined
def liked(row: Row, terms: Terms, allowed: int) -> int:
    """The card that greedy gives most for; of equals the first."""
    best, most = NOBODY, -np.inf
    while allowed:
        card = lowest(allowed)
        allowed &= allowed - 1
        value = price(row, terms, card)
        if value > most:
            best, most = card, value
    return best


@lean
def play_out(row: Row, terms: Terms, luck: Luck, erring: float) -> None:
    """Play a position to its end, all four seats with `choose`."""
    while not row[OVER]:
        play(row, terms, choose(row, terms, luck, erring))

"""Which hidden hands are likely, given how the others have played with them.

What a seat plays hangs on its own hand and on what all can see. So how likely a world is, is a product over
seats, and the factor of a hand is worked out once and then remembered.
"""

import numpy as np
from numpy.typing import NDArray

from . import trix
from .bits import Luck, count, draw, lowest
from .compiling import compiled, lean
from .doubles import would_double
from .thumb import MIND, PRICES, Numbers, price
from .tricks import ASKED, DOUBLED, HANDS, ROW, TURN, Row, Terms, legal, play
from .worlds import likely, swap

Table = NDArray[np.int64]

# A direct-mapped memory for each seat: so many hands, found by the high bits of a product.
REMEMBERED_BITS = 12
MIXER = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(64 - REMEMBERED_BITS)


@compiled
def positions(start: Row, terms: Terms, plays: Row, hands: Row, me: int) -> Table:
    """The row before each card that was played, with ``hands`` for the others."""
    rows = np.empty((len(plays) + 1, ROW), np.int64)
    place(rows[0], start, hands, me)
    for number in range(len(plays)):
        rows[number + 1] = rows[number]
        play(rows[number + 1], terms, plays[number])
    return rows


@lean
def place(row: Row, start: Row, hands: Row, me: int) -> None:
    """The first position of a world."""
    for field in range(ROW):
        row[field] = start[field]
    for step in range(3):
        row[HANDS + (me + 1 + step & 3)] |= hands[step]


@lean
def hand_log(
    rows: Table, terms: Terms, plays: Row, mind: Numbers, seat: int, hand: int, heat: float, trust: float
) -> float:
    """The logarithm of how likely a seat is to have played so if it now holds ``hand``.

    It is taken to play the card that greedy likes best, or another the less often the less greedy likes it,
    in proportion to exp(-price / heat); or any, with the chance 1 - ``trust``.
    """
    total = 0.0
    for number in range(len(plays) - 1, -1, -1):
        row = rows[number]
        if row[TURN] != seat:
            continue
        hand |= 1 << plays[number]
        row[HANDS + seat] = hand
        allowed = legal(row, terms)
        if not allowed & (allowed - 1):
            continue
        cheapest = price(row, terms, mind, allowed)
        least, everything, among = mind[PRICES + cheapest], 0.0, count(allowed)
        while allowed:
            everything += np.exp((least - mind[PRICES + lowest(allowed)]) / heat)
            allowed &= allowed - 1
        chance = np.exp((least - mind[PRICES + plays[number]]) / heat) / everything
        total += np.log(trust * chance + (1 - trust) / among)
    return total + _doubling_log(terms, hand, trust)


@lean
def _doubling_log(terms: Terms, hand: int, trust: float) -> float:
    """How likely a seat is to have doubled what it did with the hand that it was dealt, and no more."""
    asked, total = hand & terms[ASKED], 0.0
    while asked:
        card = lowest(asked)
        asked &= asked - 1
        as_greedy = would_double(terms, hand, card) == bool(terms[DOUBLED] >> card & 1)
        total += np.log((1 + trust) / 2 if as_greedy else (1 - trust) / 2)
    return total


@lean
def trix_hand_log(
    rows: Table, terms: Terms, plays: Row, seat: int, hand: int, heat: float, trust: float
) -> float:
    """As `hand_log`, in trix."""
    total = 0.0
    for number in range(len(plays) - 1, -1, -1):
        row = rows[number]
        if row[trix.TURN] != seat:
            continue
        hand |= 1 << plays[number]
        row[HANDS + seat] = hand
        allowed = trix.legal(row)
        if not allowed & (allowed - 1):
            continue
        chosen, everything, among = trix.price(row, terms, plays[number]), 0.0, count(allowed)
        while allowed:
            everything += np.exp((trix.price(row, terms, lowest(allowed)) - chosen) / heat)
            allowed &= allowed - 1
        total += np.log(trust / everything + (1 - trust) / among)
    return total


@lean
def remembered_log(
    keys: Row, logs: Numbers, in_trix: bool,
    rows: Table, terms: Terms, plays: Row, mind: Numbers, seat: int, hand: int, heat: float, trust: float,
) -> float:  # fmt: skip
    """The log of a hand, worked out once as long as it is not overwritten."""
    slot = np.int64((np.uint64(hand) * MIXER) >> SHIFT)
    if keys[slot] != hand:
        keys[slot] = hand
        if in_trix:
            logs[slot] = trix_hand_log(rows, terms, plays, seat, hand, heat, trust)
        else:
            logs[slot] = hand_log(rows, terms, plays, mind, seat, hand, heat, trust)
    return logs[slot]


@compiled
def likely_hands(
    in_trix: bool, rows: Table, terms: Terms, plays: Row, hands: Table, denied: Row, fixed: Row,
    me: int, worlds: int, steps: int, heat: float, trust: float, luck: Luck,
) -> Table:  # fmt: skip
    """Hands drawn by how likely the others are to have played so: by world and seat from the one after me.

    rows: the position before each card of ``plays``; whose the cards are matters, not which others hold.
    Of the worlds that ``hands`` are the likely ones are kept more often (importance resampling); then each
    is moved ``steps`` times by swapping two cards (Metropolis), which makes them likely and unlike.
    """
    keys, known = np.full((3, 1 << REMEMBERED_BITS), -1), np.empty((3, 1 << REMEMBERED_BITS))
    mind, logs = np.zeros(MIND), np.zeros((len(hands), 3))
    for world in range(len(hands)):
        for step in range(3):
            logs[world, step] = remembered_log(
                keys[step], known[step], in_trix, rows, terms, plays, mind, me + 1 + step & 3,
                hands[world, step], heat, trust,
            )  # fmt: skip
    kept = likely(logs.sum(axis=1), worlds, luck)
    hands, logs = hands[kept], logs[kept]
    for world in range(worlds):
        held, told = hands[world], logs[world]
        for _ in range(steps):
            a, b, cards = swap(held, denied, fixed, luck)
            if a == b:
                continue
            new_a = remembered_log(
                keys[a], known[a], in_trix, rows, terms, plays, mind, me + 1 + a & 3, held[a], heat, trust
            )
            new_b = remembered_log(
                keys[b], known[b], in_trix, rows, terms, plays, mind, me + 1 + b & 3, held[b], heat, trust
            )
            if np.log(draw(luck)) < new_a + new_b - told[a] - told[b]:
                told[a], told[b] = new_a, new_b
            else:
                held[a] ^= cards
                held[b] ^= cards
    return hands


@compiled
def placed(row: Row, hands: Table, me: int) -> Table:
    """A row for each world: the position ``row`` with these hands for the others."""
    found = np.empty((len(hands), ROW), np.int64)
    for world in range(len(hands)):
        found[world] = row
        for step in range(3):
            found[world, HANDS + (me + 1 + step & 3)] = hands[world, step]
    return found

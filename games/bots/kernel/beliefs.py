"""Which hidden hands are likely, given how the others have played with them.

What a seat plays hangs on its own hand and on what all can see. So how likely a world is, is a product over
seats, and the factor of a hand is worked out once and then remembered.
"""

import numpy as np
from numpy.typing import NDArray

from . import trix
from .bits import Luck, count, draw, lowest
from .compiling import compiled, inlined, lean
from .doubles import would_double
from .swaps import learn_odds, swap
from .thumb import MIND, PRICES, Numbers, price
from .tricks import (
    ASKED,
    COUNT,
    DOUBLED,
    FORCED,
    HANDS,
    ROW,
    STRICT,
    TURN,
    Row,
    Table,
    Terms,
    is_forced,
    legal,
    play,
)
from .worlds import resampled

# Whom a seat may be, and how often: as each it plays the card that greedy likes best, or another the less
# often the less greedy likes it, in proportion to exp(-price / heat); or any, with the chance 1 - trust. The
# first is greedy itself, the second sees the game about as greedy does, the third plays as if by chance.
# Found by how well the true hands were guessed, against greedy, strong and random.
PART, HEAT, TRUST = 0, 1, 2
PLAYERS = np.array([(0.8, 0.03, 0.99), (0.15, 1.5, 0.9), (0.05, 1.0, 0.0)])
LEAST_POWER = -20.0  # what is less likely than its exponential is left out
# A direct-mapped memory for each seat: so many hands, found by the high bits of a product.
REMEMBERED_BITS = 12
MIXER = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(64 - REMEMBERED_BITS)


@compiled
def positions(start: Row, terms: Terms, plays: Row, hands: Row, me: int) -> Table:
    """The row before each card that was played, with ``hands`` for the others."""
    rows = np.empty((len(plays) + 1, ROW), np.int64)
    begin(rows[0], start, hands, me)
    for number in range(len(plays)):
        rows[number + 1] = rows[number]
        play(rows[number + 1], terms, plays[number])
    return rows


@lean
def begin(row: Row, start: Row, hands: Row, me: int) -> None:
    """The first position of a world."""
    for field in range(ROW):
        row[field] = start[field]
    for step in range(3):
        row[HANDS + (me + 1 + step & 3)] |= hands[step]


@lean
def hand_log(
    in_trix: bool,
    rows: Table,
    terms: Terms,
    plays: Row,
    seat: int,
    hand: int,
    mind: Numbers,
    chances: Numbers,
) -> float:
    """The logarithm of how likely a seat is to have played so if it now holds ``hand``.

    rows: the position before each card of ``plays``. mind, chances: room to work in.
    """
    for player in range(len(PLAYERS)):
        chances[player] = PLAYERS[player, PART]
    for number in range(len(plays) - 1, -1, -1):
        row, card = rows[number], plays[number]
        if row[trix.TURN if in_trix else TURN] != seat:
            continue
        hand |= 1 << card
        row[HANDS + seat] = hand
        allowed = trix.legal(row) if in_trix else legal(row, terms)
        if allowed & (allowed - 1):
            _count_in(allowed, card, price_all(in_trix, row, terms, mind, allowed), mind, chances)
    if not in_trix:
        _count_in_doubling(terms, hand, chances)
    total = 0.0
    for player in range(len(PLAYERS)):
        total += chances[player]
    return np.log(total)


@inlined
def price_all(in_trix: bool, row: Row, terms: Terms, mind: Numbers, allowed: int) -> float:
    """The prices of the legal cards into ``mind``, and the lowest."""
    if not in_trix:
        return mind[PRICES + price(row, terms, mind, allowed)]
    least = np.inf
    while allowed:
        card = lowest(allowed)
        allowed &= allowed - 1
        mind[PRICES + card] = -trix.price(row, terms, card)
        least = min(least, mind[PRICES + card])
    return least


@inlined
def _count_in(allowed: int, played: int, least: float, mind: Numbers, chances: Numbers) -> None:
    """Multiply by how often each kind of player plays a card for which there are prices."""
    among = count(allowed)
    for player in range(len(PLAYERS)):
        heat, trust = PLAYERS[player, HEAT], PLAYERS[player, TRUST]
        rest, everything = allowed, 0.0
        while rest and trust > 0:
            everything += _exp((least - mind[PRICES + lowest(rest)]) / heat)
            rest &= rest - 1
        if trust > 0:
            trust *= _exp((least - mind[PRICES + played]) / heat) / everything
        chances[player] *= trust + (1 - PLAYERS[player, TRUST]) / among


@inlined
def _exp(power: float) -> float:
    return np.exp(power) if power > LEAST_POWER else 0.0


@inlined
def _count_in_doubling(terms: Terms, hand: int, chances: Numbers) -> None:
    """The same of doubling what the seat did with the hand that it was dealt, and no more."""
    asked = hand & terms[ASKED]
    while asked:
        card = lowest(asked)
        asked &= asked - 1
        as_greedy = would_double(terms, hand, card) == bool(terms[DOUBLED] >> card & 1)
        for player in range(len(PLAYERS)):
            trust = PLAYERS[player, TRUST]
            chances[player] *= (1 + trust) / 2 if as_greedy else (1 - trust) / 2


@lean
def _remembered_log(
    keys: Table, known: NDArray[np.float64], in_trix: bool,
    rows: Table, terms: Terms, plays: Row, me: int, place: int, hands: Row, mind: Numbers, room: Numbers,
) -> float:  # fmt: skip
    """The log of the hand in this place after me, worked out once as long as it is not overwritten."""
    hand = hands[place]
    slot = np.int64((np.uint64(hand) * MIXER) >> SHIFT)
    if keys[place, slot] != hand:
        keys[place, slot] = hand
        known[place, slot] = hand_log(in_trix, rows, terms, plays, me + 1 + place & 3, hand, mind, room)
    return known[place, slot]


@compiled
def likely_hands(
    in_trix: bool, rows: Table, terms: Terms, plays: Row, hands: Table, denied: Row, fixed: Row,
    me: int, chains: int, stages: int, rounds: int, steps: int, luck: Luck,
) -> Table:  # fmt: skip
    """Hands drawn by how likely the others are to have played so: by world and seat from the one after me.

    rows: the position before each card of ``plays``; whose the cards are matters, not which others hold.
    ``hands`` are worlds of which each is as likely as another. What play tells is let in by ``stages``: in
    each the likely worlds are kept more often, and then each is moved by so many ``steps``, which makes them
    likely and unlike: a sequential Monte Carlo sampler (Del Moral, Doucet and Jasra, 2006). The ``chains``
    that come out move on, and in each of the ``rounds`` all of them are worlds: rounds times chains.
    """
    keys, known = np.full((3, 1 << REMEMBERED_BITS), -1), np.empty((3, 1 << REMEMBERED_BITS))
    mind, room, told = np.zeros(MIND), np.empty(len(PLAYERS)), np.zeros((len(hands), 3))
    for world in range(len(hands)):
        for place in range(3):
            told[world, place] = _remembered_log(
                keys, known, in_trix, rows, terms, plays, me, place, hands[world], mind, room
            )
    odds, found = np.zeros((3, 3, 52)), np.empty((rounds * chains, 3), np.int64)
    for turn in range(1, stages + rounds):
        power = min(1.0, turn / stages)
        if turn <= stages:
            kept = resampled(told.sum(axis=1) / stages, chains, luck)
            hands, told = hands[kept], told[kept]
        learn_odds(hands, denied, odds)
        for chain in range(chains):
            held, logs = hands[chain], told[chain]
            for _ in range(steps):
                a, b, cards, ratio = swap(held, fixed, odds, luck)
                if not cards:
                    continue
                new_a = _remembered_log(keys, known, in_trix, rows, terms, plays, me, a, held, mind, room)
                new_b = _remembered_log(keys, known, in_trix, rows, terms, plays, me, b, held, mind, room)
                if np.log(draw(luck) / ratio) < (new_a + new_b - logs[a] - logs[b]) * power:
                    logs[a], logs[b] = new_a, new_b
                else:
                    held[a] ^= cards
                    held[b] ^= cards
        if turn >= stages:
            found[(turn - stages) * chains : (turn - stages + 1) * chains] = hands
    return found


@compiled
def placed(in_trix: bool, rows: Table, terms: Terms, plays: Row, hands: Table, me: int) -> Table:
    """A row for each world: the last of ``rows``, with these hands for the others."""
    found = np.empty((len(hands), ROW), np.int64)
    for world in range(len(hands)):
        row = found[world]
        row[:] = rows[-1]
        for step in range(3):
            row[HANDS + (me + 1 + step & 3)] = hands[world, step]
        if not in_trix and terms[STRICT]:
            _set_forced(row, rows, terms, plays)
    return found


@lean
def _set_forced(row: Row, rows: Table, terms: Terms, plays: Row) -> None:
    """Which doubled cards of the trick on the table were forced, which hangs on the hands of a world."""
    row[FORCED] = 0
    for number in range(len(plays) - row[COUNT], len(plays)):
        before, card = rows[number], plays[number]
        seat, bit = before[TURN], 1 << card
        before[HANDS + seat] = row[HANDS + seat] | bit
        if is_forced(before, terms, bit):
            row[FORCED] |= bit

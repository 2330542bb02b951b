"""The trick contracts in compiled code: the engine's `legal` and `apply`, over rows of integers.

A *row* is a position, the *terms* are what a contract costs under the options in force; both are arrays of
64-bit integers, whose places have the names below. Sets of cards and numbers of seats are the engine's.
Everything of a trick contract is here: doubling with each way of paying, forced cards, `must_dump`,
restricted leads, `early_end`, `capot`. tests/bots/test_kernel.py holds it equal to the engine.
"""

import numpy as np
from numpy.typing import NDArray

from games.engine.cards import HEARTS, KH

from .bits import Luck, any_of, below, count
from .compiling import inlined, lean

Row = NDArray[np.int64]
Table = NDArray[np.int64]  # of rows, or by world and seat of hands
Terms = NDArray[np.int64]

# A row. Of the trick on the table: how many cards, which, the suit led, the card that takes it and whose.
# SEEN: all cards played. VOID: by seat the suits shown to be lacking. CLEAN: the seats that have shown to
# hold no penalty card. FORCED: doubled cards that were the only legal one.
HANDS, SCORES, TRICKS, VOID, CARDS = 0, 4, 8, 12, 16
SEEN, TURN, LEADER, COUNT, SUIT, BEST, HOLDER, CLEAN, FORCED, PLAYS, OVER = range(20, 31)
ROW = 32

# Terms. COSTS: by card, what it costs undoubled. DOUBLERS: by card, who doubled it, or -1. STAKES: by seat
# and card, what taking it costs that seat, doubling counted (games/bots/stakes.py). HOT: the cards that cost.
# ASKED: the cards that may be doubled; KING_WANTS, QUEEN_WANTS: the guards with which greedy doubles them.
COSTS, DOUBLERS, STAKES = 0, 52, 104
CONTRACT, TRICK, ENDS, CAPOT, DUMP, RESTRICTED, SELF_TAKE, STRICT, PARTNERS = range(312, 321)
DOUBLED, HOT, KING, QUEEN, ASKED, KING_WANTS, QUEEN_WANTS = range(321, 328)
TERMS = 328

FREE, KING_NOT_FIRST, HEARTS_LAST = 0, 1, 2  # what RESTRICTED says of leads
PLAIN, PAYS_LEADER, PAYS_LEADER_OR_SELF = 0, 1, 2  # what SELF_TAKE says
FULL = (1 << 52) - 1
ALL_HEARTS = 0x1FFF << 13 * HEARTS
NOT_HEARTS = 0b1111 ^ 1 << HEARTS
KING_BIT = 1 << KH


@inlined
def legal(row: Row, terms: Terms) -> int:
    """The set of cards that the seat to act may play."""
    hand = row[HANDS + row[TURN]]
    if row[COUNT] == 0:
        return _leads(row, terms, hand)
    following = hand & (0x1FFF << 13 * row[SUIT])
    if following:
        return following
    dumped = hand & terms[DUMP]
    return dumped if dumped else hand


@inlined
def _leads(row: Row, terms: Terms, hand: int) -> int:
    if terms[RESTRICTED] == KING_NOT_FIRST and row[PLAYS] == 0:
        return hand & ~KING_BIT
    if terms[RESTRICTED] == HEARTS_LAST and hand & ~ALL_HEARTS:
        return hand & ~ALL_HEARTS
    return hand


@inlined
def play(row: Row, terms: Terms, card: int) -> None:
    """Play a legal card, and take the trick if it is the fourth."""
    seat, suit, bit = row[TURN], card // 13, 1 << card
    if is_forced(row, terms, bit):
        row[FORCED] |= bit
    if row[COUNT] == 0:
        row[SUIT], row[BEST], row[HOLDER] = suit, card, seat
        if terms[RESTRICTED] == HEARTS_LAST and suit == HEARTS:
            row[VOID + seat] |= NOT_HEARTS
    else:
        _follow(row, terms, seat, card)
    row[HANDS + seat] ^= bit
    row[SEEN] |= bit
    row[CARDS + row[COUNT]] = card
    row[COUNT] += 1
    row[PLAYS] += 1
    row[TURN] = (seat + 1) & 3
    if row[COUNT] == 4:
        _take(row, terms)


@inlined
def is_forced(row: Row, terms: Terms, bit: int) -> bool:
    """Whether the card that the seat to act plays is doubled, and its only legal one."""
    return terms[DOUBLED] & bit and count(legal(row, terms)) == 1


@inlined
def _follow(row: Row, terms: Terms, seat: int, card: int) -> None:
    """Written without branches where luck decides: those would be guessed wrong."""
    led = row[SUIT]
    off = card // 13 != led
    row[VOID + seat] |= off << led
    if terms[DUMP]:
        row[CLEAN] |= (off and not terms[DUMP] >> card & 1) << seat
    better = (not off) & (card > row[BEST])
    row[BEST] = card if better else row[BEST]
    row[HOLDER] = seat if better else row[HOLDER]


@inlined
def _take(row: Row, terms: Terms) -> None:
    taker = row[HOLDER]
    row[TRICKS + taker] += 1
    penalty = terms[TRICK]
    for place in range(4):
        card = row[CARDS + place]
        penalty += terms[COSTS + card]
        if terms[DOUBLED] >> card & 1:
            _pay_double(row, terms, card, taker)
    row[SCORES + taker] -= penalty
    row[LEADER] = row[TURN] = taker
    row[COUNT] = 0
    if not terms[ENDS] & ~row[SEEN]:
        row[OVER] = 1
        if terms[CAPOT] and row[TRICKS + taker] == 13:
            row[SCORES + taker] = -row[SCORES + taker]


@lean
def _pay_double(row: Row, terms: Terms, card: int, taker: int) -> None:
    """What a doubled card changes beside its cost; the engine's `doubling_extra`."""
    doubler, leader = terms[DOUBLERS + card], row[LEADER]
    value = terms[KING] if card == KH else terms[QUEEN]
    if doubler != taker:
        row[SCORES + taker] -= value
        row[SCORES + doubler] += value
    elif terms[SELF_TAKE] != PLAIN:
        row[SCORES + taker] -= value
        if terms[STRICT] and not row[FORCED] >> card & 1:
            return
        if leader != taker or terms[SELF_TAKE] == PAYS_LEADER_OR_SELF:
            row[SCORES + leader] += value


@lean
def gain(row: Row, me: int, partners: int) -> float:
    """What a finished deal is worth to a seat: its points less the mean of the others', or side less side."""
    total = row[SCORES] + row[SCORES + 1] + row[SCORES + 2] + row[SCORES + 3]
    return gain_of(row, me, partners, float(total))


@inlined
def gain_of(row: Row, me: int, partners: int, total: float) -> float:
    """The same if all scores were to sum up to ``total`` and mine stayed as they are."""
    if partners:
        return 2.0 * (row[SCORES + me] + row[SCORES + (me ^ 2)]) - total
    return over_others(row[SCORES + me], total)


@inlined
def over_others(points: int, total: float) -> float:
    """The points of one of four less the mean of the other three, of ``total`` in all."""
    return (4.0 * points - total) / 3


@inlined
def deal(luck: Luck, deck: Row, row: Row, owner: int) -> None:
    """A fresh deal: four random hands, with the owner to lead. ``deck`` is any order of the 52 cards."""
    for place in range(ROW):
        row[place] = 0
    for last in range(51, 0, -1):
        other = below(luck, last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    for place in range(52):
        row[HANDS + place // 13] |= 1 << deck[place]
    row[TURN] = row[LEADER] = owner


@lean
def random_deals(terms: Terms, luck: Luck, deals: int, deck: Row, row: Row) -> int:
    """Deal and play so many deals at random, to measure the kernel; the sum of all scores."""
    total = 0
    for number in range(deals):
        deal(luck, deck, row, number & 3)
        while not row[OVER]:
            play(row, terms, any_of(luck, legal(row, terms)))
        total += row[SCORES] + row[SCORES + 1] + row[SCORES + 2] + row[SCORES + 3]
    return total

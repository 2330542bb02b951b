"""What each action is worth: playouts in worlds."""

import numpy as np
from numpy.typing import NDArray

from . import peeking, trix
from .bits import Luck, count, draw
from .compiling import compiled, lean
from .doubles import cards_to_double, copy, double
from .endings import solve, solve_trix
from .thumb import MIND, Numbers, play_out
from .tricks import (
    HANDS,
    LEADER,
    PARTNERS,
    ROW,
    TERMS,
    TURN,
    Row,
    Table,
    Terms,
    gain,
    play,
)

BLOCK = 16


@compiled
def card_values(
    in_trix: bool, found: Table, terms: Terms, me: int, cards: Row, prices: NDArray[np.float64],
    playouts: int, again: int, doubt: float, erring: float, exact: int, luck: Luck,
) -> NDArray[np.float64]:  # fmt: skip
    """By world and card what it is worth: the mean of some playouts, in which all cards have the same luck.

    After each block of worlds the cards are dropped that are behind the best by ``doubt`` standard errors,
    each card's price counted; of those the values end in nan. It ends with the worlds, the playouts, or with
    one card left. Where a card leaves at most ``exact`` in my hand, these are solved (`endings`), once.
    """
    worth = np.full((len(found), len(cards)), np.nan)
    alive = np.ones(len(cards), np.bool_)
    row, own = np.zeros(ROW, np.int64), np.zeros(1, np.uint64)
    room = np.zeros(MIND), np.zeros(MIND), np.zeros(ROW, np.int64), np.empty((exact + 1, ROW), np.int64)
    times = 1 if count(found[0, HANDS + me]) - 1 <= exact else again
    used, world = 0, 0
    while used < playouts and world < len(found):
        seed = np.uint64(draw(luck) * 2.0**62)
        for number in range(len(cards)):
            if not alive[number]:
                continue
            own[0], total = seed, 0.0
            for _ in range(times):
                row[:] = found[world]
                total += _reached(in_trix, row, terms, me, cards[number], erring, exact, own, room)
            worth[world, number] = total / times
            used += times
        world += 1
        if world % BLOCK == 0 and drop(worth, world, prices, alive, doubt) == 1:
            break
    return worth[:world]


@lean
def _reached(
    in_trix: bool, row: Row, terms: Terms, me: int, card: int, erring: float, exact: int, luck: Luck,
    room: tuple[Numbers, Numbers, Row, Table],
) -> float:  # fmt: skip
    """What I gain with a card, the rest being played out, or solved if so few cards are left."""
    mind, other, trial, stack = room
    if in_trix:
        trix.play(row, terms, card)
        if count(row[HANDS + me]) <= exact:
            return solve_trix(row, terms, stack, 0, me, -np.inf)
        trix.play_out(row, terms, luck, erring)
        return gain(row, me, terms[trix.PARTNERS])
    play(row, terms, card)
    if count(row[HANDS + me]) <= exact:
        return solve(row, terms, mind, stack, me)
    peeking.play_out(row, terms, mind, other, trial, luck, erring, me)
    return gain(row, me, terms[PARTNERS])


@compiled
def drop(
    worth: NDArray[np.float64],
    worlds: int,
    prices: NDArray[np.float64],
    alive: NDArray[np.bool_],
    doubt: float,
) -> int:
    """Leave out the actions that are behind the best by more than chance allows; how many are left.

    As if worlds were independent; those of a chain are not, so this is less sure than ``doubt`` says.
    """
    best, most = 0, -np.inf
    for action in range(len(alive)):
        if alive[action]:
            mean = worth[:worlds, action].mean() - prices[action]
            if mean > most:
                best, most = action, mean
    left = 0
    for action in range(len(alive)):
        if alive[action] and action != best:
            behind = worth[:worlds, best] - worth[:worlds, action]
            error = behind.std() / np.sqrt(worlds)
            # Written so that infinite doubt drops nothing, an error of 0 included.
            alive[action] = not behind.mean() + prices[action] - prices[best] > doubt * error
        left += alive[action]
    return left


@compiled
def double_values(
    base: Terms, hand: int, hands: Table, me: int, owner: int, answers: Row, erring: float, luck: Luck
) -> NDArray[np.float64]:
    """By world and answer what it is worth to double those cards; the others double as greedy does."""
    worth = np.empty((len(hands), len(answers)))
    mind, row, own = np.zeros(MIND), np.zeros(ROW, np.int64), np.zeros(1, np.uint64)
    terms, others = np.zeros(TERMS, np.int64), np.zeros(TERMS, np.int64)
    for world in range(len(hands)):
        seed = np.uint64(draw(luck) * 2.0**62)
        copy(others, base)
        for step in range(3):
            double(others, me + 1 + step & 3, cards_to_double(base, hands[world, step]))
        for number in range(len(answers)):
            copy(terms, others)
            double(terms, me, answers[number])
            fresh(row, hand, hands[world], me, owner)
            own[0] = seed
            play_out(row, terms, mind, own, erring)
            worth[world, number] = gain(row, me, terms[PARTNERS])
    return worth


@compiled
def contract_values(
    bases: Table, trix_terms: Terms, hand: int, hands: Table, me: int, erring: float, luck: Luck
) -> NDArray[np.float64]:
    """By world and contract what it is worth to me as its owner, with everybody as greedy.

    ``bases``: the terms of each trick contract; the last column is trix.
    """
    worth = np.empty((len(hands), len(bases) + 1))
    mind, row, own = np.zeros(MIND), np.zeros(ROW, np.int64), np.zeros(1, np.uint64)
    terms = np.zeros(TERMS, np.int64)
    for world in range(len(hands)):
        own[0] = np.uint64(draw(luck) * 2.0**62)
        for number in range(len(bases)):
            copy(terms, bases[number])
            double(terms, me, cards_to_double(bases[number], hand))
            for step in range(3):
                double(terms, me + 1 + step & 3, cards_to_double(bases[number], hands[world, step]))
            fresh(row, hand, hands[world], me, me)
            play_out(row, terms, mind, own, erring)
            worth[world, number] = gain(row, me, terms[PARTNERS])
        fresh(row, hand, hands[world], me, me)
        row[trix.OPEN], row[trix.TURN] = trix.ALL_JACKS, me
        row[trix.OUTS] = row[trix.OVER] = 0
        if not trix.legal(row):
            trix.advance(row)
        trix.play_out(row, trix_terms, own, erring)
        worth[world, len(bases)] = gain(row, me, trix_terms[trix.PARTNERS])
    return worth


@lean
def fresh(row: Row, hand: int, hands: Row, me: int, owner: int) -> None:
    """The first position of a deal."""
    for place in range(ROW):
        row[place] = 0
    row[HANDS + me] = hand
    for step in range(3):
        row[HANDS + (me + 1 + step & 3)] = hands[step]
    row[TURN] = row[LEADER] = owner

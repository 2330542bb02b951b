"""Hidden hands drawn at random from all that fit what a seat knows, each as likely, never failing.

Every unseen card has a set of seats that may hold it, and every seat a number of cards. Cards of one set
are alike, so there are at most seven kinds of them. How many cards of each kind go to whom is drawn from a
table of all splits, weighted by the number of ways in which each can be dealt; then which, by shuffling.
That is exact: tests/bots/test_worlds.py counts small cases out.
"""

import numpy as np
from numpy.typing import NDArray

from .bits import Luck, below, draw
from .compiling import compiled
from .tricks import Row

Splits = NDArray[np.int64]  # by split: for kinds 0..7 and seats 0..2 how many cards
Weights = NDArray[np.float64]

KINDS = 8  # sets of three seats: bit 0 is the first; no card is of kind 0
ALL = 7


def _ways() -> NDArray[np.float64]:
    """Binomial coefficients up to 52."""
    table = np.zeros((53, 53))
    table[:, 0] = 1
    for n in range(1, 53):
        table[n, 1:] = table[n - 1, 1:] + table[n - 1, :-1]
    return table


WAYS = _ways()


@compiled
def count_splits(sizes: Row, rooms: Row) -> tuple[NDArray[np.int64], Weights]:
    """All ways to split the kinds of cards among three seats, and the running sum of their weights.

    sizes: by kind how many unseen cards. rooms: by seat how many cards it holds. A split is three
    numbers: how many of kind 3 (seats 0 and 1) and of kind 5 (0 and 2) go to seat 0, and how many of
    kind 6 go to seat 1.
    """
    found = np.empty(((sizes[3] + 1) * (sizes[5] + 1) * (sizes[6] + 1), 3), np.int64)
    sums = np.empty(len(found))
    number, total = 0, 0.0
    for a in range(sizes[3] + 1):
        for b in range(sizes[5] + 1):
            for c in range(sizes[6] + 1):
                first = rooms[0] - sizes[1] - a - b
                second = rooms[1] - sizes[2] - (sizes[3] - a) - c
                third = rooms[2] - sizes[4] - (sizes[5] - b) - (sizes[6] - c)
                if first < 0 or second < 0 or third < 0 or first + second + third != sizes[7]:
                    continue
                total += (
                    WAYS[sizes[3], a] * WAYS[sizes[5], b] * WAYS[sizes[6], c]
                    * WAYS[sizes[7], first] * WAYS[sizes[7] - first, second]
                )  # fmt: skip
                found[number, 0], found[number, 1], found[number, 2] = a, b, c
                sums[number] = total
                number += 1
    return found[:number], sums[:number]


@compiled
def deal_world(
    cards: Row, sizes: Row, rooms: Row, splits: Splits, sums: Weights, luck: Luck, hands: Row
) -> None:
    """Deal the unseen ``cards``, which come kind after kind and are shuffled, into the three ``hands``."""
    a, b, c = splits[np.searchsorted(sums, draw(luck) * sums[-1], side="right")]
    hands[:] = 0
    start = 0
    for kind in range(1, KINDS):
        size = sizes[kind]
        for place in range(size - 1, 0, -1):
            other = below(luck, place + 1)
            here, there = start + place, start + other
            cards[here], cards[there] = cards[there], cards[here]
        for place in range(size):
            hands[_seat(kind, place, a, b, c, sizes, rooms)] |= 1 << cards[start + place]
        start += size


@compiled
def _seat(kind: int, place: int, a: int, b: int, c: int, sizes: Row, rooms: Row) -> int:
    """Whose the card in this place of its shuffled kind is."""
    if kind == 3:
        return 0 if place < a else 1
    if kind == 5:
        return 0 if place < b else 2
    if kind == 6:
        return 1 if place < c else 2
    if kind == ALL:
        first = rooms[0] - sizes[1] - a - b
        second = rooms[1] - sizes[2] - (sizes[3] - a) - c
        return 0 if place < first else 1 if place < first + second else 2
    return kind >> 1  # kinds 1, 2 and 4 have one seat: 0, 1 and 2


@compiled
def deal_worlds(cards: Row, sizes: Row, rooms: Row, fixed: Row, number: int, luck: Luck) -> NDArray[np.int64]:
    """So many independent worlds: by world and seat the hand, the ``fixed`` cards included."""
    splits, sums = count_splits(sizes, rooms)
    hands = np.empty((number, 3), np.int64)
    for world in range(number):
        deal_world(cards, sizes, rooms, splits, sums, luck, hands[world])
        for seat in range(3):
            hands[world, seat] |= fixed[seat]
    return hands


@compiled
def resampled(logs: Weights, number: int, luck: Luck) -> NDArray[np.int64]:
    """Which worlds to keep, each as often as its weight says (systematic resampling); ``logs`` of weights."""
    weights = np.exp(logs - logs.max())
    step = weights.sum() / number
    kept = np.empty(number, np.int64)
    world, point, reached = 0, draw(luck) * step, weights[0]
    for place in range(number):
        while reached < point and world < len(weights) - 1:
            world += 1
            reached += weights[world]
        kept[place] = world
        point += step
    return kept

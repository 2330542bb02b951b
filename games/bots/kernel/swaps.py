"""Swapping two hidden cards of two others, those the more often that are the more willing to go.

Late in a deal nearly every card has its place, and a swap of any two would nearly always be turned down. So a
card is proposed in proportion to the root of how much more often the other seat holds it in the worlds at
hand: a locally balanced proposal (Zanella, 2020), with the odds of single cards for those of swaps.
"""

import numpy as np
from numpy.typing import NDArray

from .bits import Luck, below, draw, lowest
from .compiling import inlined, lean
from .thumb import Numbers
from .tricks import Row, Table

Odds = NDArray[np.float64]

PSEUDO = 1.0  # worlds more in which each seat holds each card: what was not seen may be so yet
NO_CARD = -1


@lean
def learn_odds(hands: Table, denied: Row, odds: Odds) -> None:
    """By place, other place and card into ``odds``, how willing the card is to go; 0 where it may not lie.

    Places are counted from the seat after mine. From a place to itself: in how many worlds it holds the card,
    and `PSEUDO`. As the worlds are those that are moved then, a swap's ratio is exact for many of them only.
    """
    for place in range(3):
        odds[place, place] = PSEUDO
        for world in range(len(hands)):
            rest = hands[world, place]
            while rest:
                odds[place, place, lowest(rest)] += 1
                rest &= rest - 1
    for a in range(3):
        for b in range(3):
            for card in range(52):
                if a != b:
                    denies = denied[b] >> card & 1
                    odds[a, b, card] = 0.0 if denies else np.sqrt(odds[b, b, card] / odds[a, a, card])


@lean
def swap(hands: Row, fixed: Row, odds: Odds, luck: Luck) -> tuple[int, int, int, float]:
    """Swap a card of two places: which places, which cards (none if it cannot be), and a ratio.

    The ratio is by how much likelier the swap is that would undo this one.
    """
    a = below(luck, 3)
    b = (a + 1 + below(luck, 2)) % 3
    there, back = odds[a, b], odds[b, a]
    given, all_there = _pick(hands[a] & ~fixed[a], there, luck)
    taken, all_back = _pick(hands[b] & ~fixed[b], back, luck)
    if given == NO_CARD or taken == NO_CARD:
        return a, b, 0, 1.0
    cards = 1 << given | 1 << taken
    hands[a] ^= cards
    hands[b] ^= cards
    done = there[given] / all_there * back[taken] / all_back
    all_there += there[taken] - there[given]
    all_back += back[given] - back[taken]
    undone = there[taken] / all_there * back[given] / all_back
    return a, b, cards, undone / done


@inlined
def _pick(cards: int, weights: Numbers, luck: Luck) -> tuple[int, float]:
    """A card by its weight, and the weights' sum; no card where all weigh nothing."""
    total, rest = 0.0, cards
    while rest:
        total += weights[lowest(rest)]
        rest &= rest - 1
    picked, point = NO_CARD, draw(luck) * total
    while cards and point >= 0:
        card = lowest(cards)
        cards &= cards - 1
        if weights[card] > 0:
            picked = card
            point -= weights[card]
    return picked, total

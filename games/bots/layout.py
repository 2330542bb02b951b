"""Playing a card in trix: open what leads to my own cards, hold back what lets only others on.

A card opens the way outwards along its row. What it is worth to me is what I hold further out,
the more the more cards of others lie between, since those take time. What it gives away are the
cards of others that it lets on before my next one stops them.
"""

from collections.abc import Sequence

from games.engine import View
from games.engine.cards import RANK_OF, SUIT_MASK, SUIT_OF

JACK, ACE = 9, 12
# What a card of mine further out is worth, and how much more for each card of others before it.
MINE, BETWEEN = 1.0, 1.5
# Each card of mine counts less than the one before it.
FADING = 0.6
# What a card of others costs that may come down at once.
GIFT = 0.75


def choose_layout_card(view: View, legal: Sequence[int]) -> int:
    """The card that opens most for me and least for the others; of equals the first."""
    assert view.hand is not None
    hand, gone = view.hand, view.layout
    return max(legal, key=lambda card: opening(card, hand, gone))


def opening(card: int, hand: int, gone: int) -> float:
    """What a card opens outwards: both ways from a jack, one way else."""
    rank, suit = RANK_OF[card], SUIT_OF[card]
    row = (hand & SUIT_MASK[suit]) >> 13 * suit
    value = 0.0
    if rank >= JACK:
        value += _way(row, range(rank + 1, ACE + 1))
    if rank <= JACK:
        value += _way(row, range(rank - 1, -1, -1))
    return value


def _way(row: int, ranks: Sequence[int]) -> float:
    value, others, weight = 0.0, 0, 1.0
    gifts = 0
    for rank in ranks:
        if row >> rank & 1:
            value += (MINE + BETWEEN * others) * weight
            weight *= FADING
        else:
            others += 1
            gifts += weight == 1.0
    return value - GIFT * gifts

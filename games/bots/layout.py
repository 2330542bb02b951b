"""Playing a card in trix: open what leads to my own cards, hold back what lets only others on.

A card opens the way outwards along its row. What that is worth to me is what I hold further out,
the more the more cards of others lie between, since those take time. What it gives away are the
cards of others that it lets on, up to my next one, which stops them.
"""

from collections.abc import Sequence

from games.engine import View
from games.engine.cards import RANK_OF

JACK, ACE = 9, 12
# What a card of mine further out is worth, and how much more for each card of others before it.
MINE, BETWEEN = 1.0, 1.5
# Each card of mine counts less than the one before it.
FADING = 0.6
# What it costs to let on a card of the others. With partners a third: one card in three is the
# partner's, and what he gains makes up for one of the other two.
GIFT, GIFT_WITH_PARTNER = 0.75, 0.25


def prices(view: View, legal: Sequence[int]) -> dict[int, float]:
    """The less, the more a card opens for us and the less for the others."""
    assert view.hand is not None and view.seat is not None
    ours, gift = view.hand, GIFT
    if view.options.partners:
        gift = GIFT_WITH_PARTNER
        if view.exposed is not None:
            ours |= view.exposed[(view.seat + 2) % 4]
    return {card: -opening(card, ours, gift) for card in legal}


def opening(card: int, ours: int, gift: float) -> float:
    """What a card opens outwards: both ways from a jack, else one. ``ours``: my cards and those like them."""
    rank = RANK_OF[card]
    value = 0.0
    if rank >= JACK:
        value += _way(range(card + 1, card - rank + ACE + 1), ours, gift)
    if rank <= JACK:
        value += _way(range(card - 1, card - rank - 1, -1), ours, gift)
    return value


def _way(cards: Sequence[int], ours: int, gift: float) -> float:
    value, between, weight = 0.0, 0, 1.0
    for card in cards:
        if ours >> card & 1:
            value += (MINE + BETWEEN * between) * weight
            weight *= FADING
        else:
            between += 1
            if weight == 1.0:
                value -= gift
    return value

"""Which of my cards to double: those that I can duck with long enough, or throw away soon.

A card is guarded by the lower cards of its suit, under which it hides while the suit is played, and
by a suit in which I am short, on which I can soon throw it. How often the holder ends up with his
own card, by its guards, counted over deals of the bot against itself:

====================  ===  ===  ===  ===  ===
guards                  0    1    2    3    4
the king of hearts    95%  90%  65%  35%  20%
a queen               90%  75%  45%  20%  10%
====================  ===  ===  ===  ===  ===
"""

from collections.abc import Sequence

from games.engine import View, double_action
from games.engine.actions import double_cards
from games.engine.cards import KH, SUIT_MASK, SUIT_OF, cards_of

# By the option `self_take`, the guards that the king and a queen want. Under ``plain`` who takes his own
# doubled card pays no more than for a plain one, so doubling risks nothing. Else he pays twice and the
# leader is paid as well: it wants an even chance at least.
WANTED = {"plain": (0, 0), "leader": (3, 2), "leader_or_self": (3, 2)}
SHORT = 1


def choose_doubles(view: View, legal: Sequence[int]) -> int:
    """The answer that doubles every well guarded card."""
    assert view.seat is not None and view.hand is not None
    king, queen = WANTED[view.options.self_take]
    doublable = double_cards(max(legal))
    cards = sum(
        1 << card
        for card in cards_of(doublable)
        if guards(view.hand, card) >= (king if card == KH else queen)
    )
    return double_action(view.seat, cards)


def guards(hand: int, card: int) -> int:
    """The lower cards of the suit, and one more for being short in another suit."""
    suit = SUIT_OF[card]
    lower = (hand & SUIT_MASK[suit] & (1 << card) - 1).bit_count()
    others = [hand & mask for other, mask in enumerate(SUIT_MASK) if other != suit]
    return lower + (min(cards.bit_count() for cards in others) <= SHORT)

"""Doubling in compiled code: greedy's rule, and what a doubled card changes in the terms."""

from games.bots.doubling import SHORT
from games.engine.cards import KH

from .bits import count, lowest
from .compiling import lean
from .tricks import (
    ASKED,
    DOUBLED,
    DOUBLERS,
    KING,
    KING_WANTS,
    PLAIN,
    QUEEN,
    QUEEN_WANTS,
    SELF_TAKE,
    STAKES,
    TERMS,
    Terms,
)


@lean
def would_double(terms: Terms, hand: int, card: int) -> bool:
    """Whether greedy doubles this card of a hand of thirteen."""
    suit = card // 13
    guards = count(hand & 0x1FFF << 13 * suit & (1 << card) - 1)
    for other in range(4):
        if other != suit and count(hand & 0x1FFF << 13 * other) <= SHORT:
            return _wants(terms, card) <= guards + 1
    return _wants(terms, card) <= guards


@lean
def _wants(terms: Terms, card: int) -> int:
    return terms[KING_WANTS] if card == KH else terms[QUEEN_WANTS]


@lean
def cards_to_double(terms: Terms, hand: int) -> int:
    """The set of cards that greedy doubles."""
    asked, doubled = hand & terms[ASKED], 0
    while asked:
        card = lowest(asked)
        asked &= asked - 1
        if would_double(terms, hand, card):
            doubled |= 1 << card
    return doubled


@lean
def double(terms: Terms, seat: int, cards: int) -> None:
    """Let a seat double these cards: as `games.bots.stakes` counts them."""
    terms[DOUBLED] |= cards
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        terms[DOUBLERS + card] = seat
        value = terms[KING] if card == KH else terms[QUEEN]
        for of in range(4):
            twice = of == seat and terms[SELF_TAKE] != PLAIN
            terms[STAKES + 52 * of + card] += 2 * value if twice else value


@lean
def copy(terms: Terms, source: Terms) -> None:
    for place in range(TERMS):
        terms[place] = source[place]

"""Cards, hands and seats as small integers.

A card is an int 0..51: ``suit * 13 + rank``, suits spades, hearts, diamonds, clubs (the order of a
record's ``hands`` line), rank 0 the two and 12 the ace. A set of cards, a hand above all, is an int
with bit ``card`` set, so that membership, union and counting are single operations.

A seat is an int 0..3: South, East, North, West, the order in which play, dealing and kingdoms go
round (rule pages E and C: to the right).
"""

from collections.abc import Iterable

from .errors import MalformedCard

SUITS = "SHDC"
RANKS = "23456789TJQKA"
SPADES, HEARTS, DIAMONDS_SUIT, CLUBS = range(4)

SEAT_NAMES = ("S", "E", "N", "W")
SEAT_TITLES = ("South", "East", "North", "West")
NEXT_SEAT = (1, 2, 3, 0)
Four = tuple[int, int, int, int]  # one value a seat

CARD_TEXTS = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARD_OF_TEXT = {text: card for card, text in enumerate(CARD_TEXTS)}
SUIT_OF = tuple(card // 13 for card in range(52))
RANK_OF = tuple(card % 13 for card in range(52))
BIT = tuple(1 << card for card in range(52))

TWO, JACK, QUEEN, KING, ACE = 0, 9, 10, 11, 12
FULL_DECK = (1 << 52) - 1
SUIT_MASK = tuple(0x1FFF << (13 * suit) for suit in range(4))
TWOS, JACKS, QUEENS = (sum(BIT[13 * suit + rank] for suit in range(4)) for rank in (TWO, JACK, QUEEN))
DIAMONDS = SUIT_MASK[DIAMONDS_SUIT]
KH = CARD_OF_TEXT["KH"]
SEVEN_OF_HEARTS = CARD_OF_TEXT["7H"]
QUEEN_OF = tuple(13 * suit + QUEEN for suit in range(4))


def _outward(card: int) -> int:
    """The cards that a card of a trix row opens: from a jack both ways, no wrap-around (D, E, C)."""
    rank = RANK_OF[card]
    above = BIT[card + 1] if JACK <= rank < ACE else 0
    below = BIT[card - 1] if TWO < rank <= JACK else 0
    return above | below


OUTWARD = tuple(_outward(card) for card in range(52))


def _suit_table(suit: int) -> tuple[tuple[int, ...], ...]:
    """Every subset of a suit's thirteen cards as a tuple of cards, indexed by its 13-bit mask."""
    table: list[tuple[int, ...]] = [()]
    for rank in range(13):
        card = (suit * 13 + rank,)
        table += [cards + card for cards in table]
    return tuple(table)


# Listing a hand is the hottest thing the engine does: four look-ups instead of a loop over bits.
SUIT_CARDS = tuple(_suit_table(suit) for suit in range(4))
_SPADES, _HEARTS, _DIAMONDS, _CLUBS = SUIT_CARDS


def cards_of(mask: int) -> tuple[int, ...]:
    """The cards of a set, ascending (spades first, low to high within a suit)."""
    return (
        _SPADES[mask & 0x1FFF]
        + _HEARTS[mask >> 13 & 0x1FFF]
        + _DIAMONDS[mask >> 26 & 0x1FFF]
        + _CLUBS[mask >> 39]
    )


def mask_of(cards: Iterable[int]) -> int:
    """The set that holds these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def four(values: Iterable[int]) -> Four:
    """One value a seat, South first, as a tuple."""
    south, east, north, west = values
    return (south, east, north, west)


def card_text(card: int) -> str:
    """The text of a card: rank, then suit, as in ``KH`` or ``TS``."""
    return CARD_TEXTS[card]


def parse_card(text: str) -> int:
    """The card that ``text`` names.

    Raises MalformedCard for anything but a rank of ``AKQJT98765432`` and a suit of ``SHDC``.
    """
    try:
        return CARD_OF_TEXT[text]
    except KeyError:
        raise MalformedCard(text) from None


def cards_text(mask: int) -> list[str]:
    """A set of cards as texts, in the order of `cards_of`."""
    return [CARD_TEXTS[card] for card in cards_of(mask)]

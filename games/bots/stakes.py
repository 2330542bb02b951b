"""What each card of a trick contract costs the seat that takes it, under the options in force."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from games.engine import Contract, Options
from games.engine.cards import BIT, KH, QUEEN_OF, SUIT_CARDS, cards_of

Doubled = tuple[tuple[int, int], ...]
DIAMOND_CARDS = SUIT_CARDS[2][-1]


class Stakes(NamedTuple):
    """costs: points by card, 0 for most. trick: points of the trick itself. hot: the cards that cost."""

    costs: tuple[int, ...]
    trick: int
    hot: int


@lru_cache(maxsize=1024)
def stakes(contract: Contract, options: Options, doubled: Doubled, me: int) -> Stakes:
    """The stakes of a contract for the seat ``me``, all positive. ``doubled`` is that of a view."""
    costs = [0] * 52
    for card, points in _penalties(contract, options):
        costs[card] += points
    for card, doubler in doubled:
        costs[card] += _extra(card, options, mine=doubler == me)
    trick = options.trick_value if contract in (Contract.LTOOSH, Contract.COMPLEX) else 0
    return Stakes(tuple(costs), trick, sum(BIT[card] for card in range(52) if costs[card]))


def face_value(card: int, options: Options) -> int:
    """The undoubled points of a card that can be doubled."""
    return options.king_value if card == KH else options.queen_value


def _penalties(contract: Contract, options: Options) -> Iterator[tuple[int, int]]:
    if contract in (Contract.KING, Contract.COMPLEX):
        yield KH, options.king_value
    if contract in (Contract.QUEENS, Contract.COMPLEX):
        yield from ((queen, options.queen_value) for queen in QUEEN_OF)
    if contract in (Contract.DIAMONDS, Contract.COMPLEX):
        yield from ((card, options.diamond_value) for card in DIAMOND_CARDS)


def _extra(card: int, options: Options, *, mine: bool) -> int:
    """What doubling adds. Taking one's own card also means not being paid for it by another."""
    value = face_value(card, options)
    if not mine or options.self_take == "plain":
        return value
    return 2 * value


def total(costs: tuple[int, ...], cards: int) -> int:
    """The points of a set of cards."""
    return sum(costs[card] for card in cards_of(cards))

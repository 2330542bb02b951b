"""Which contract to choose: the one in which my hand is most above an average hand.

Each contract comes once in a kingdom, and the one played now is not there for a later hand. So what
counts is not what a hand will score, but how much better that is than usual. The table is a linear
fit to ten thousand hands that the bot played against itself, in the points of the rule pages.
"""

from collections.abc import Sequence

from games.engine import REDEAL, Contract, Options, View, choose_action
from games.engine.cards import BIT, DIAMONDS, KH, QUEENS, RANK_OF, SUIT_MASK, cards_of

Features = dict[str, float]

# What a hand gains and loses by its features, on a scale on which the average hand has 0.
WORTH: dict[Contract, Features] = {
    Contract.KING: {"any": 27.6, "height": -0.33, "short": 2.2, "king": -59, "guards": 14},
    Contract.QUEENS: {"any": 55.6, "height": -0.77, "short": 5.8, "queens": -4.8},
    Contract.DIAMONDS: {
        "any": 26.6,
        "height": -0.8,
        "short": 5.0,
        "diamonds": 20.9,
        "diamond_height": -2.1,
    },
    Contract.LTOOSH: {"any": 127.9, "height": -1.8, "short": 7.7},
    Contract.TRIX: {"any": 69.0, "twos": -33, "threes": -19, "fours": -11, "fives": -6},
    Contract.COMPLEX: {
        "any": 212,
        "height": -3.7,
        "short": 22.5,
        "king": -54,
        "guards": 14,
        "diamonds": 30,
        "diamond_height": -2.7,
    },
}
# Where the first owner may have the cards dealt anew: what the best contract of a new hand promises.
NEW_HAND = {"classic": 21.0, "complex": 33.0}
_STANDARD = Options()


def choose_contract(view: View, legal: Sequence[int]) -> int:
    """The most promising of the contracts left, or new cards where they promise more."""
    assert view.hand is not None
    hand, options = view.hand, view.options
    promises = {contract: promise(hand, contract, options) for contract in view.remaining}
    best = max(view.remaining, key=lambda contract: promises[contract])
    if REDEAL in legal and promises[best] < NEW_HAND[options.kingdom]:
        return REDEAL
    return choose_action(best)


def promise(hand: int, contract: Contract, options: Options) -> float:
    """The points by which a hand should do better in a contract than an average hand."""
    found = features(hand)
    points = sum(worth * found[name] for name, worth in WORTH[contract].items())
    return points * at_stake(contract, options) / at_stake(contract, _STANDARD)


def at_stake(contract: Contract, options: Options) -> int:
    """The points that a contract deals out; of trix what lies between the first and the last."""
    stakes = {
        Contract.KING: options.king_value,
        Contract.QUEENS: 4 * options.queen_value,
        Contract.DIAMONDS: 13 * options.diamond_value,
        Contract.LTOOSH: 13 * options.trick_value,
        Contract.TRIX: options.trix_values[0] - options.trix_values[3],
    }
    tricks = sum(points for played, points in stakes.items() if played is not Contract.TRIX)
    return tricks if contract is Contract.COMPLEX else stakes[contract]


def features(hand: int) -> Features:
    """What the table weighs.

    height: the ranks of all cards, from 0 for a two to 12 for an ace. short: the cards that suits of
    fewer than three lack to three. guards: the hearts under a king of hearts that I hold.
    """
    cards = cards_of(hand)
    ranks = [RANK_OF[card] for card in cards]
    diamonds = cards_of(hand & DIAMONDS)
    king = hand >> KH & 1
    return {
        "any": 1,
        "height": sum(ranks),
        "short": sum(max(0, 3 - (hand & suit).bit_count()) for suit in SUIT_MASK),
        "queens": (hand & QUEENS).bit_count(),
        "diamonds": len(diamonds),
        "diamond_height": sum(RANK_OF[card] for card in diamonds),
        "king": king,
        "guards": king * (hand & SUIT_MASK[1] & BIT[KH] - 1).bit_count(),
        "twos": ranks.count(0),
        "threes": ranks.count(1),
        "fours": ranks.count(2),
        "fives": ranks.count(3),
    }

"""Playing a card in a trick contract, by two rules of thumb added up.

*This trick*: what it will cost my side if I play the card now, times the chance that it stays ours.
*The rest*: how much less dangerous my hand is without the card.

The card with the lowest price is played. Points are positive: the fewer the better. The numbers in
capitals were found by duels of the bot against itself and against `random` (docs/bots.md).
"""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from games.engine import Contract, View
from games.engine.cards import DIAMONDS_SUIT, RANK_OF, SUIT_CARDS, SUIT_OF

from . import capot
from .knowledge import Knowledge
from .stakes import face_value, stakes

# How much the rest of the hand weighs beside the trick on the table.
REST = {
    Contract.KING: 0.2,
    Contract.QUEENS: 0.4,
    Contract.DIAMONDS: 0.65,
    Contract.LTOOSH: 0.9,
    Contract.COMPLEX: 0.5,
}
# What it is worth to have the lead, where a low heart drives the king out.
LEAD = {Contract.KING: 2.0, Contract.COMPLEX: 2.0}
# How often others duck under a trick when they could take it as well.
DUCKING = 0.3
# How eagerly a doubled card is hunted; 1 is what the leader earns, but it is also one danger less.
BOUNTY = 2.0
# A queen or king falls on a higher card of its suit if its holder is there to play it.
FALLS = 0.8
# Of what others could throw on a later trick of mine, how much they will.
LATER_THROWS = 0.33


def _risk(lower: int, below: int, above: int) -> float:
    """The chance that a card takes a trick: a logistic curve fitted to deals of the bot's own.

    lower: cards of the suit that I hold below it; below, above: those that others hold.
    """
    return 1 / (1 + exp(1.3 - (0.49 - 0.137 * lower) * below + (0.378 + 0.066 * lower) * above))


RISK = [[[_risk(lower, below, above) for above in range(14)] for below in range(14)] for lower in range(13)]


class Trick(NamedTuple):
    """The trick on the table. best and holder: the card that takes it so far, and whose it is."""

    cards: tuple[int, ...]
    best: int
    holder: int
    points: int
    later: tuple[int, ...]


def prices(view: View, legal: Sequence[int]) -> dict[int, float]:
    """What each legal card is expected to cost my side; a sure sweep takes its highest ranks first."""
    assert view.contract is not None and view.seat is not None
    known = Knowledge(view, stakes(view.contract, view.options, view.doubled, view.seat))
    if capot.sure_sweep(view, known):
        return {card: -float(RANK_OF[card]) for card in legal}
    trick = table(view, known)
    weight, lead = REST[view.contract], LEAD.get(view.contract, 0.0) + capot.threat(view, known)
    held = [known.hand >> 13 * suit & 0x1FFF for suit in range(4)]
    danger = [suit_danger(known, suit, held[suit]) for suit in range(4)]

    def price(card: int) -> float:
        suit = SUIT_OF[card]
        rest = suit_danger(known, suit, held[suit] ^ 1 << RANK_OF[card]) - danger[suit]
        bounty = 0.0 if trick.cards else bounties(known, view, card)
        return this_trick(known, trick, card, lead) + weight * rest - bounty

    return {card: price(card) for card in legal}


def table(view: View, known: Knowledge) -> Trick:
    """The trick as it stands before my card."""
    cards, me = view.trick, known.me
    later = tuple((me + step) % 4 for step in range(1, 4 - len(cards)))
    points = known.stakes.trick + sum(known.stakes.costs[card] for card in cards)
    if not cards:
        return Trick(cards, -1, me, points, later)
    best = max(card for card in cards if SUIT_OF[card] == SUIT_OF[cards[0]])
    return Trick(cards, best, (view.leader + cards.index(best)) % 4, points, later)


def this_trick(known: Knowledge, trick: Trick, card: int, lead: float = 0.0) -> float:
    """What the trick will cost my side if I play this card to it."""
    suit = SUIT_OF[trick.cards[0]] if trick.cards else SUIT_OF[card]
    mine = SUIT_OF[card] == suit and card > trick.best
    holder, best = (known.me, card) if mine else (trick.holder, trick.best)
    if not mine and known.partner is None:
        return 0.0
    stays = chance_to_stay(known, trick.later, suit, RANK_OF[best])
    points = trick.points + known.stakes.costs[card] + still_to_come(known, trick.later, suit, RANK_OF[best])
    ours = stays if holder in (known.me, known.partner) else 0.0
    if known.partner in trick.later:
        ours += (1 - stays) / len(trick.later)
    return ours * points - (lead * stays if mine else 0.0)


def bounties(known: Knowledge, view: View, card: int) -> float:
    """What a lead may earn by making the doubler of a higher card of its suit take it himself."""
    if view.options.self_take == "plain":
        return 0.0
    earned, suit = 0.0, SUIT_OF[card]
    for doubled, seat in view.doubled:
        if SUIT_OF[doubled] == suit and doubled > card and known.unseen[suit] >> RANK_OF[doubled] & 1:
            forced = (1 - known.share[seat][suit]) ** (known.left[suit] - 1)
            points = BOUNTY * face_value(doubled, view.options) * forced
            earned += -points if seat == known.partner else points
    return earned


def chance_to_stay(known: Knowledge, later: Sequence[int], suit: int, rank: int) -> float:
    """The chance that none of the later seats beats a card of the suit led."""
    left = known.left[suit]
    if not left:
        return 1.0
    above = (known.unseen[suit] >> rank + 1).bit_count()
    below = left - above
    stays = 1.0
    for seat in later:
        share = known.share[seat][suit]
        careless = (1 - known.lacks[seat][suit]) * above / left
        forced = (1 - share) ** below * (1 - (1 - share) ** above)
        stays *= 1 - careless - DUCKING * (forced - careless)
    return stays


def still_to_come(known: Knowledge, later: Sequence[int], suit: int, rank: int) -> float:
    """The penalty points that the later seats will add to a trick that they do not take."""
    thrown = sum(known.lacks[seat][suit] * known.throws[seat][suit] for seat in later)
    return thrown + falling(known, suit, rank, sum(known.share[seat][suit] for seat in later))


def falling(known: Knowledge, suit: int, rank: int, present: float) -> float:
    """The points of lower cards of the suit that fall on a card; ``present``: the share of them in play."""
    cards = known.unseen[suit] & (1 << rank) - 1
    costs = known.stakes.costs
    points = [costs[card] for card in SUIT_CARDS[suit][cards] if costs[card]]
    if suit == DIAMONDS_SUIT and len(points) > 3:
        return sum(points) / len(points) * 3 * present
    return sum(points) * FALLS * present


def suit_danger(known: Knowledge, suit: int, held: int) -> float:
    """What the cards that I hold in a suit may cost me later."""
    unseen, left, costs = known.unseen[suit], known.left[suit], known.stakes.costs
    thrown = known.stakes.trick + LATER_THROWS * sum(throws[suit] for throws in known.throws)
    danger = 0.0
    for lower, card in enumerate(SUIT_CARDS[suit][held]):
        rank = RANK_OF[card]
        below = (unseen & (1 << rank) - 1).bit_count()
        points = thrown + costs[card] + falling(known, suit, rank, 1.0)
        danger += RISK[lower][below][left - below] * points
    return danger

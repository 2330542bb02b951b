"""The option ``capot``: who takes all thirteen tricks of ltoosh or complex wins what he would have lost.

So a seat that has taken every trick so far must be stopped, at the price of a trick, the sooner the
nearer he is; and a seat that has itself taken them all plays on once its cards cannot lose.
"""

from games.engine import View
from games.engine.apply import CAPOT

from .knowledge import Knowledge
from .stakes import total

# How sharply the threat grows from the first trick to the last.
SHARPNESS = 4


def applies(view: View) -> bool:
    return view.options.capot and view.contract in CAPOT


def threat(view: View, known: Knowledge) -> float:
    """The points that it is worth to take a trick from a seat, not my partner, that has taken them all."""
    played = sum(view.tricks)
    if not applies(view) or not played or played not in view.tricks:
        return 0.0
    seat = view.tricks.index(played)
    if seat in (known.me, known.partner):
        return 0.0
    everything = 13 * known.stakes.trick + total(known.stakes.costs, known.stakes.hot)
    # He wins it instead of losing it; of his gain I feel a third, since three others may stop him.
    return 2 * everything / 3 * (played / 13) ** SHARPNESS


def sure_sweep(view: View, known: Knowledge) -> bool:
    """Whether I have taken all tricks, am on lead, and nobody can take one of the rest."""
    mine = view.tricks[known.me] == sum(view.tricks) and not view.trick
    if not applies(view) or not mine:
        return False
    held = [known.hand >> 13 * suit & 0x1FFF for suit in range(4)]
    return all(_runs(cards, known.unseen[suit]) for suit, cards in enumerate(held))


def _runs(held: int, unseen: int) -> bool:
    """Whether a suit played from the top takes every trick, even if one seat holds all the others."""
    winners = (held >> unseen.bit_length()).bit_count()
    return not held or winners == held.bit_count() or unseen.bit_count() <= winners

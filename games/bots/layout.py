"""Playing a card in trix: open what leads to my own cards, hold back what lets only others on.

A card opens the way outwards along its row. What that is worth to me is what I hold further out,
the more the more cards of others lie between, since those take time. What it gives away are the
cards of others that it lets on, up to my next one, which stops them. With partners a card of the
partner is no gift, and one that is surely his is as good as mine.
"""

from collections.abc import Sequence

from games.engine import PASS, View
from games.engine.cards import BIT, FULL_DECK, JACKS, RANK_OF, cards_of

JACK, ACE = 9, 12
# What a card of mine further out is worth, and how much more for each card of others before it.
MINE, BETWEEN = 1.0, 1.5
# Each card of mine counts less than the one before it.
FADING = 0.6
# What it costs to let on a card of the others.
GIFT = 0.75


def choose_layout_card(view: View, legal: Sequence[int]) -> int:
    """The card that opens most for me and least for the others; of equals the first."""
    assert view.hand is not None
    ours, gifts = view.hand, [1.0] * 52
    if view.options.partners:
        gifts = gift_shares(view)
        ours |= sum(BIT[card] for card in range(52) if gifts[card] == -1)
    return max(legal, key=lambda card: opening(card, ours, gifts))


def opening(card: int, ours: int, gifts: Sequence[float]) -> float:
    """What a card opens outwards: both ways from a jack, else one."""
    rank = RANK_OF[card]
    value = 0.0
    if rank >= JACK:
        value += _way(range(card + 1, card - rank + ACE + 1), ours, gifts)
    if rank <= JACK:
        value += _way(range(card - 1, card - rank - 1, -1), ours, gifts)
    return value


def _way(cards: Sequence[int], ours: int, gifts: Sequence[float]) -> float:
    value, between, weight = 0.0, 0, 1.0
    for card in cards:
        if ours >> card & 1:
            value += (MINE + BETWEEN * between) * weight
            weight *= FADING
        else:
            between += 1
            if weight == 1.0:
                value -= GIFT * gifts[card]
    return value


def gift_shares(view: View) -> list[float]:
    """By card the chance that the other side holds it, less the chance that my partner does."""
    assert view.seat is not None and view.hand is not None
    hidden = FULL_DECK & ~(view.hand | view.layout)
    might = [hidden & ~cards for cards in denied(view)]
    if view.exposed is not None:
        twos = sum(view.exposed)
        might = [cards & ~twos | shown for cards, shown in zip(might, view.exposed, strict=True)]
    shares = [0.0] * 52
    partner, others = (view.seat + 2) % 4, ((view.seat + 1) % 4, (view.seat + 3) % 4)
    for card in cards_of(hidden):
        his = view.counts[partner] * (might[partner] >> card & 1)
        theirs = sum(view.counts[seat] * (might[seat] >> card & 1) for seat in others)
        shares[card] = (theirs - his) / (theirs + his or 1)
    return shares


def denied(view: View) -> list[int]:
    """By seat the cards that its passes have shown it not to hold: all that were playable then."""
    without = [0, 0, 0, 0]
    playable = JACKS
    for seat, card in view.plays:
        if card == PASS:
            without[seat] |= playable
            continue
        playable ^= BIT[card]
        rank = RANK_OF[card]
        if JACK <= rank < ACE:
            playable |= BIT[card + 1]
        if 0 < rank <= JACK:
            playable |= BIT[card - 1]
    return without

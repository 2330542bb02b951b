"""How much worlds tell of who holds what."""

from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from games.bots import strong
from games.bots.kernel import worlds
from games.engine import State, view
from games.engine.cards import cards_of
from tests.bots.deals import hands_of_others


def bits(state: State, hands: NDArray[np.int64]) -> float:
    """How surprising it is who holds which card, a card, for one who holds these worlds for likely."""
    surprises = [
        -np.log2(((hands[:, step] >> card & 1).sum() + 0.5) / (len(hands) + 1.5))
        for step, true in enumerate(hands_of_others(state))
        for card in cards_of(true)
    ]
    return fmean(surprises)


def bits_without_and_with_beliefs(state: State, luck: NDArray[np.uint64]) -> tuple[float, float]:
    """For the seat to act: with any world as likely as another, and as ``strong`` believes."""
    seen, usual = view(state, state.turn), strong.USUAL
    past = strong.past_of(seen, luck)
    fits = worlds.deal_worlds(*past.hidden[:4], usual.chains * usual.rounds, luck)
    return bits(state, fits), bits(state, strong.likely_hands(seen, past, luck, usual))

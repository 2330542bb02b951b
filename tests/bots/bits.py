"""How much worlds tell of who holds what."""

from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from games.bots import strong
from games.bots.kernel import beliefs, worlds
from games.engine import Contract, State, View, view
from games.engine.cards import cards_of


def bits(state: State, hands: NDArray[np.int64]) -> float:
    """How surprising it is who holds which card, a card, for one who holds these worlds for likely."""
    true = [state.hands[(state.turn + step) % 4] for step in (1, 2, 3)]
    surprises = [
        -np.log2(((hands[:, step] >> card & 1).sum() + 0.5) / (len(hands) + 1.5))
        for step in range(3)
        for card in cards_of(true[step])
    ]
    return fmean(surprises)


def bits_without_and_with_beliefs(state: State, luck: NDArray[np.uint64]) -> tuple[float, float]:
    """For the seat to act: with any world as likely as another, and as ``strong`` believes."""
    seen, usual = view(state, state.turn), strong.USUAL
    fits = worlds.deal_worlds(*strong.past_of(seen, luck).hidden[:4], usual.chains * usual.rounds, luck)
    return bits(state, fits), bits(state, believed(seen, luck))


def believed(seen: View, luck: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Hands for the others, from the seat after this one, as ``strong`` draws them with its usual budget."""
    usual = strong.USUAL
    terms, hidden, positions, plays = strong.past_of(seen, luck)
    assert seen.seat is not None
    found: NDArray[np.int64] = beliefs.likely_hands(
        seen.contract is Contract.TRIX, positions, terms, plays,
        worlds.deal_worlds(*hidden[:4], usual.tries, luck), hidden.denied, hidden.fixed,
        seen.seat, usual.chains, usual.stages, usual.rounds, usual.steps, luck,
    )  # fmt: skip
    return found

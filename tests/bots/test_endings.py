"""The last tricks: no order of the seat's cards does better, the others playing as greedy does."""

from random import Random

import numpy as np
import pytest

from games.bots import greedy
from games.bots.kernel import endings, rows, thumb, tricks, trix
from games.engine import Contract, Phase, apply, legal_actions, view
from games.engine.actions import PASS
from tests.bots.deals import mixed, random_deal, random_options, row_of

LEFT = 3


def best(state, me):
    """The most that a seat can reach over the mean of the others, by the engine and greedy alone."""
    while state.phase is Phase.PLAY and state.turn != me:
        actions = legal_actions(state, state.turn)
        apply(state, greedy.choose(view(state, state.turn), actions, Random(0)))
    if state.phase is Phase.OVER:
        mine = [me, (me + 2) % 4] if state.options.partners else [me]
        ours = sum(state.scores[seat] for seat in mine)
        return ours - (sum(state.scores) - ours) * len(mine) / (4 - len(mine))
    reached = []
    for card in legal_actions(state, me):
        tried = state.copy()
        apply(tried, card)
        reached.append(best(tried, me))
    return max(reached)


@pytest.mark.parametrize("contract", [contract for contract in Contract if contract is not Contract.TRIX])
def test_no_order_of_the_last_cards_is_better(contract):
    rng, solved = Random(f"endings {contract}"), 0
    mind, stack = np.zeros(thumb.MIND), np.empty((LEFT + 1, tricks.ROW), np.int64)
    while solved < 25:
        options = random_options(rng)
        if contract not in options.contracts:
            continue
        state = random_deal(rng, contract, options)
        row = row_of(state)
        terms = rows.terms_of(contract, options, tuple(state.doubled.items()))
        while state.phase is Phase.PLAY and len(state.plays) < 52 - 4 * LEFT + rng.randrange(4):
            card = mixed(state, legal_actions(state, state.turn), rng)
            tricks.play(row, terms, card)
            apply(state, card)
        if state.phase is Phase.PLAY:
            solved += 1
            me = rng.randrange(4)
            wanted = best(state.copy(), me)
            assert endings.solve(row, terms, mind, stack, me) == pytest.approx(wanted), options


def test_no_order_of_the_last_cards_is_better_in_trix():
    rng, solved = Random("endings trix"), 0
    stack = np.empty((LEFT + 2, tricks.ROW), np.int64)
    while solved < 60:
        state = random_deal(rng, Contract.TRIX)
        me = rng.randrange(4)
        while state.phase is Phase.PLAY and state.hands[me].bit_count() > LEFT + 1:
            actions = legal_actions(state, state.turn)
            apply(state, mixed(state, actions, rng) if len(actions) > 1 else actions[0])
        if state.phase is not Phase.PLAY:
            continue
        while legal_actions(state, state.turn) == (PASS,):
            apply(state, PASS)
        solved += 1
        row = rows.trix_row_of(view(state, state.turn))
        row[trix.HANDS : trix.HANDS + 4] = state.hands
        terms = rows.trix_terms_of(state.options)
        wanted = best(state.copy(), me)
        assert endings.solve_trix(row, terms, stack, 0, me, -np.inf) == pytest.approx(wanted), state.options

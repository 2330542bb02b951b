"""What others' play tells of their hands: the hands that they really have look likely."""

from random import Random

import numpy as np
import pytest

from games.bots import greedy, strong
from games.bots.kernel import beliefs, rows, worlds
from games.engine import PRESETS, Contract, Phase, apply, legal_actions, to_act, view
from tests.bots.deals import random_deal

HEAT, TRUST = strong.USUAL.heat, strong.USUAL.trust


def history(seen, luck):
    """What the seat knows as the kernel takes it: terms, positions, plays and what is hidden."""
    if seen.contract is Contract.TRIX:
        return rows.trix_terms_of(seen.options), *rows.trix_history(seen), rows.trix_hidden_of(seen)
    terms, (start, plays), hidden = (
        rows.terms_of(seen.contract, seen.options, seen.doubled),
        rows.start_of(seen),
        rows.hidden_of(seen),
    )
    anyhow = worlds.deal_worlds(*hidden[:4], 1, luck)[0]
    return terms, beliefs.positions(start, terms, plays, anyhow, seen.seat), plays, hidden


def log_of(seen, luck, hands):
    """The logarithm of how likely the others are to have played so with these hands."""
    terms, positions, plays, _ = history(seen, luck)
    mind, total = np.zeros(beliefs.MIND), 0.0
    for step, hand in enumerate(hands):
        seat = (seen.seat + 1 + step) % 4
        if seen.contract is Contract.TRIX:
            total += beliefs.trix_hand_log(positions, terms, plays, seat, hand, HEAT, TRUST)
        else:
            total += beliefs.hand_log(positions, terms, plays, mind, seat, hand, HEAT, TRUST)
    return total


@pytest.mark.parametrize("contract", Contract)
def test_the_true_hands_of_greedy_look_likelier_than_others_that_fit(contract):
    rng, luck = Random(f"beliefs {contract}"), np.array([1], np.uint64)
    options = PRESETS["cardkings-complex" if contract is Contract.COMPLEX else "dananeer"]
    likelier = []
    for _ in range(30):
        state = random_deal(rng, contract, options)
        for _ in range(28):
            if state.phase is not Phase.PLAY:
                break
            seat = to_act(state)[0]
            apply(state, greedy.choose(view(state, seat), legal_actions(state, seat), rng))
        if state.phase is not Phase.PLAY:
            continue
        seen = view(state, state.turn)
        true = [state.hands[(state.turn + step) % 4] for step in (1, 2, 3)]
        others = worlds.deal_worlds(*history(seen, luck)[3][:4], 20, luck).tolist()
        mine = log_of(seen, luck, true)
        likelier += [mine > log_of(seen, luck, hands) for hands in others if hands != true]
    assert len(likelier) > 50
    assert sum(likelier) > 0.8 * len(likelier)


def test_hands_are_drawn_as_often_as_they_are_likely():
    """Three unseen cards for three seats: six worlds, counted out."""
    rng, luck = Random(4), np.array([2], np.uint64)
    state = random_deal(rng, Contract.LTOOSH, PRESETS["cardkings"])
    while len(state.plays) < 48:
        apply(state, greedy.choose(view(state, state.turn), legal_actions(state, state.turn), rng))
    seen = view(state, state.turn)
    terms, positions, plays, hidden = history(seen, luck)
    fits = {tuple(hands) for hands in worlds.deal_worlds(*hidden[:4], 500, luck).tolist()}
    weights = {hands: np.exp(log_of(seen, luck, hands)) for hands in fits}
    number = 20_000
    drawn = beliefs.likely_hands(
        False, positions, terms, plays, worlds.deal_worlds(*hidden[:4], number, luck), hidden.denied,
        hidden.fixed, seen.seat, number, 3, HEAT, TRUST, luck,
    ).tolist()  # fmt: skip
    assert len(fits) > 1
    for hands, weight in weights.items():
        share = weight / sum(weights.values())
        assert sum(tuple(world) == hands for world in drawn) / number == pytest.approx(share, abs=0.02)

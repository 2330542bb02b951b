"""What others' play tells of their hands: the hands that they really have look likely."""

from collections import Counter
from dataclasses import replace
from random import Random
from statistics import fmean

import numpy as np
import pytest

from games.bots import greedy, strong, uniform
from games.bots.kernel import beliefs, tricks, worlds
from games.engine import PRESETS, Contract, Phase, apply, legal_actions, to_act, view
from games.engine.actions import PASS
from games.engine.cards import mask_of
from tests.bots.bits import bits_without_and_with_beliefs
from tests.bots.deals import hands_of_others, mixed, random_deal, random_options


def true_world(state, seen, luck):
    """The row of the position with the hands that the others have, as a bot would make it; and the terms."""
    terms, _, positions, plays = strong.past_of(seen, luck)
    true = np.array([hands_of_others(state)])
    return beliefs.placed(False, positions, terms, plays, true, seen.seat)[0], terms


def log_of(seen, luck, hands):
    """The logarithm of how likely the others are to have played so with these hands."""
    terms, _, positions, plays = strong.past_of(seen, luck)
    in_trix, mind, logs = (
        seen.contract is Contract.TRIX,
        np.zeros(beliefs.MIND),
        np.zeros(len(beliefs.PLAYERS)),
    )
    return sum(
        beliefs.hand_log(in_trix, positions, terms, plays, (seen.seat + 1 + step) % 4, hand, mind, logs)
        for step, hand in enumerate(hands)
    )


@pytest.mark.parametrize("in_trix", [True, False])
def test_past_plays_are_priced_as_greedy_priced_them_under_any_rules(in_trix):
    rng, luck, mind = Random(f"prices {in_trix}"), np.array([1], np.uint64), np.zeros(beliefs.MIND)
    for _ in range(150):
        options = random_options(rng)
        contract = rng.choice([c for c in options.contracts if (c is Contract.TRIX) is in_trix])
        state, past = random_deal(rng, contract, options), []
        for _ in range(rng.randrange(12, 40)):
            if state.phase is not Phase.PLAY:
                break
            seat, legal = state.turn, legal_actions(state, state.turn)
            if legal != (PASS,):
                past.append((seat, state.hands[seat], greedy.prices(view(state, seat), legal)))
            apply(state, mixed(state, legal, rng) if len(legal) > 1 else legal[0])
        if state.phase is not Phase.PLAY:
            continue
        seen = view(state, state.turn)
        terms, _, positions, _ = strong.past_of(seen, luck)
        for row, (seat, hand, prices) in zip(positions, past, strict=False):
            if seat != seen.seat:
                row[beliefs.HANDS + seat] = hand
                beliefs.price_all(in_trix, row, terms, mind, mask_of(prices))
                assert {card: mind[beliefs.PRICES + card] for card in prices} == pytest.approx(prices), (
                    options
                )


def test_a_world_with_the_true_hands_ends_as_the_deal_does_under_any_rules():
    """Scores, and whether a doubled card on the table was forced, must not come from another world."""
    tried = 0
    rng, luck = Random("worlds"), np.array([1], np.uint64)
    for number in range(300):
        options = replace(random_options(rng), doubling=True, forced_strict=True)
        contract = (Contract.KING, Contract.QUEENS)[number % 2]
        if contract not in options.contracts:
            contract = Contract.COMPLEX
        state = random_deal(rng, contract, options)
        doubled = {card for card, _ in view(state, state.turn).doubled}
        while state.phase is Phase.PLAY and not doubled & set(on_table(state)):
            apply(state, mixed(state, legal_actions(state, state.turn), rng))
        if state.phase is not Phase.PLAY:
            continue
        tried += 1
        seen = view(state, state.turn)
        row, terms = true_world(state, seen, luck)
        while state.phase is Phase.PLAY:
            card = rng.choice(legal_actions(state, state.turn))
            apply(state, card)
            tricks.play(row, terms, card)
        assert row[tricks.SCORES : tricks.SCORES + 4].tolist() == list(state.scores), options
    assert tried > 100


def on_table(state):
    """The cards of the trick that is not full yet."""
    return [card for _, card in state.plays[len(state.plays) // 4 * 4 :]]


def positions_after(play, contract, rng):
    """Thirty positions in the middle of a deal whose cards all four seats played by ``play``."""
    options = PRESETS["cardkings-complex" if contract is Contract.COMPLEX else "dananeer"]
    for _ in range(30):
        state = random_deal(rng, contract, options)
        for _ in range(28):
            if state.phase is not Phase.PLAY:
                break
            seat = to_act(state)[0]
            apply(state, play(view(state, seat), legal_actions(state, seat), rng))
        if state.phase is Phase.PLAY:
            yield state


def logs_of_true_and_others(state, luck):
    """How likely the hands are that the others have, and each of twenty others that fit."""
    seen = view(state, state.turn)
    true = hands_of_others(state)
    fits = worlds.deal_worlds(*strong.past_of(seen, luck).hidden[:4], 20, luck).tolist()
    return log_of(seen, luck, true), [log_of(seen, luck, hands) for hands in fits if hands != true]


@pytest.mark.parametrize("contract", Contract)
def test_the_true_hands_of_greedy_look_likelier_than_others_that_fit(contract):
    rng, luck = Random(f"beliefs {contract}"), np.array([1], np.uint64)
    likelier = []
    for state in positions_after(greedy.choose, contract, rng):
        mine, others = logs_of_true_and_others(state, luck)
        likelier += [mine > other for other in others]
    assert len(likelier) > 50
    assert sum(likelier) > 0.8 * len(likelier)


def mean_bits(play, contract):
    rng, luck = Random(f"bits {contract}"), np.array([1], np.uint64)
    found = [bits_without_and_with_beliefs(state, luck) for state in positions_after(play, contract, rng)]
    return map(fmean, zip(*found, strict=True))


@pytest.mark.parametrize("contract", Contract)
def test_how_greedy_has_played_tells_much_of_who_holds_what(contract):
    without, believed = mean_bits(greedy.choose, contract)
    assert believed < without - 0.2


@pytest.mark.parametrize("contract", Contract)
def test_who_plays_by_chance_is_not_taken_for_greedy(contract):
    """Taken for greedy he seems to tell what is not so; that costs about half a bit a card."""
    without, believed = mean_bits(uniform.choose, contract)
    assert believed < without + 0.2


def share_of_each(drawn):
    found = Counter(map(tuple, drawn.tolist()))
    return {hands: number / found.total() for hands, number in found.items()}


def apart(one, other):
    """The total variation between two distributions: 0 if they are the same, 1 if nothing is in both."""
    return sum(abs(one.get(key, 0) - other.get(key, 0)) for key in one | other) / 2


@pytest.mark.parametrize("seed", range(4))
def test_hands_are_drawn_as_often_as_they_are_likely(seed):
    """Eight unseen cards after play by greedy and by chance: all worlds that fit, and their weights."""
    rng, luck, number = Random(f"often {seed}"), np.array([2], np.uint64), 20_000
    state = random_deal(rng, Contract.LTOOSH, PRESETS["cardkings"])
    while len(state.plays) < 41:
        apply(state, mixed(state, legal_actions(state, state.turn), rng))
    seen = view(state, state.turn)
    past = strong.past_of(seen, luck)
    before = share_of_each(worlds.deal_worlds(*past.hidden[:4], number, luck))
    weights = {hands: np.exp(log_of(seen, luck, hands)) for hands in before}
    wanted = {hands: weight / sum(weights.values()) for hands, weight in weights.items()}
    budget = replace(strong.USUAL, tries=number, chains=number // 2, stages=4, rounds=2, steps=4)
    drawn = strong.likely_hands(seen, past, luck, budget)
    assert apart(before, wanted) > 0.2
    assert apart(share_of_each(drawn), wanted) < 0.06

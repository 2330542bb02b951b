"""The compiled game is the engine's, and its rules of thumb are those of ``greedy``."""

import os
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from games.bots import greedy
from games.bots.kernel import doubles, rows, thumb, tricks, trix
from games.bots.tricks import prices
from games.engine import Contract, Phase, apply, choose_action, legal_actions, new_match, to_act, view
from games.engine.actions import PASS, double_cards
from games.engine.cards import mask_of
from games.engine.shuffle import deal_hands
from tests.bots.deals import mixed, random_deal, random_options, row_of

DEALS = int(os.environ.get("KERNEL_DEALS", "2000"))
TRICKS = [contract for contract in Contract if contract is not Contract.TRIX]


def deals_of(contract, number, seed):
    """Deals of a contract under rules that have it."""
    rng = Random(f"{contract.text} {seed}")
    while number:
        options = random_options(rng)
        if contract in options.contracts:
            number -= 1
            yield random_deal(rng, contract, options), rng


@pytest.mark.parametrize("contract", TRICKS)
def test_a_random_deal_goes_as_in_the_engine(contract):
    for state, rng in deals_of(contract, DEALS, 1):
        row = row_of(state)
        terms = rows.terms_of(contract, state.options, tuple(state.doubled.items()))
        while state.phase is Phase.PLAY:
            cards = legal_actions(state, state.turn)
            assert (row[tricks.TURN], tricks.legal(row, terms)) == (state.turn, mask_of(cards))
            card = rng.choice(cards)
            tricks.play(row, terms, card)
            apply(state, card)
            assert row[tricks.SCORES : tricks.SCORES + 4].tolist() == state.scores, state.options
        assert row[tricks.OVER]


@pytest.mark.parametrize("contract", TRICKS)
def test_compiled_rules_of_thumb_price_cards_as_greedy_does(contract):
    mind = np.zeros(thumb.MIND)
    for state, rng in deals_of(contract, DEALS // 40, 2):
        row = row_of(state)
        terms = rows.terms_of(contract, state.options, tuple(state.doubled.items()))
        while state.phase is Phase.PLAY:
            cards = legal_actions(state, state.turn)
            if len(cards) > 1:
                wanted = prices(view(state, state.turn), cards)
                thumb.price(row, terms, mind, mask_of(cards))
                found = {card: mind[thumb.PRICES + card] for card in cards}
                assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9), state.options
            card = mixed(state, cards, rng)
            tricks.play(row, terms, card)
            apply(state, card)


def test_a_random_deal_of_trix_goes_as_in_the_engine():
    for state, rng in deals_of(Contract.TRIX, DEALS, 3):
        terms = rows.trix_terms_of(state.options)
        row = rows.trix_row_of(view(state, state.owner))
        row[trix.HANDS : trix.HANDS + 4] = state.hands
        pass_(state)
        while not trix.legal(row):
            trix.advance(row)
        while state.phase is Phase.PLAY:
            cards = legal_actions(state, state.turn)
            assert (row[trix.TURN], trix.legal(row)) == (state.turn, mask_of(cards))
            card = rng.choice(cards)
            trix.play(row, terms, card)
            apply(state, card)
            pass_(state)
        assert row[trix.OVER]
        assert row[trix.SCORES : trix.SCORES + 4].tolist() == state.scores, state.options


def test_compiled_rules_of_thumb_double_as_greedy_does():
    rng, asked = Random("doubling"), 0
    while asked < 500:
        options = replace(random_options(rng), doubling=True)
        contract = rng.choice([c for c in options.contracts if c is not Contract.TRIX])
        dealt = deal_hands(rng.randbytes(32), 1, options)
        state = new_match(options, dealt.hands, dealt.redealt)
        apply(state, choose_action(contract))
        terms = rows.terms_of(contract, options)
        for seat in to_act(state) if state.phase is Phase.DOUBLE else ():
            asked += 1
            answer = greedy.choose(view(state, seat), legal_actions(state, seat), rng)
            assert double_cards(answer) == doubles.cards_to_double(terms, state.hands[seat]), options


def pass_(state):
    while state.phase is Phase.PLAY and legal_actions(state, state.turn) == (PASS,):
        apply(state, PASS)


def test_compiled_rules_of_thumb_play_trix_as_greedy_does():
    luck = np.zeros(1, np.uint64)
    for state, rng in deals_of(Contract.TRIX, DEALS // 10, 4):
        terms = rows.trix_terms_of(state.options)
        pass_(state)
        while state.phase is Phase.PLAY:
            cards, seen = legal_actions(state, state.turn), view(state, state.turn)
            row = rows.trix_row_of(seen)
            row[trix.HANDS : trix.HANDS + 4] = state.hands
            assert trix.choose(row, terms, luck, 0.0) == greedy.choose(seen, cards, rng), state.options
            apply(state, rng.choice(cards))
            pass_(state)

"""What holds for every level everywhere: legal, blind to hidden cards, repeatable; and how strong it is."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.bots import LEVELS
from games.bots.duel import Duel, deal_figures, report
from games.engine import (
    PRESETS,
    Contract,
    Phase,
    State,
    apply,
    legal_actions,
    new_match,
    next_deal,
    to_act,
    view,
)
from games.engine.cards import cards_of, mask_of
from tests.bots.table import decision
from tests.engine.strategies import options, positions, random_deal, seeds

levels = st.sampled_from(sorted(LEVELS))


@given(options(), seeds)
def test_a_kingdom_is_played_legally_under_any_options(rules, seed):
    rng = Random(seed)
    state = new_match(rules, *random_deal(rules, rng))
    play_out_legally(state, rng)
    while state.number < len(rules.contracts):
        state = next_deal(state, *random_deal(rules, rng))
        play_out_legally(state, rng)


def play_out_legally(state: State, rng: Random) -> None:
    while state.phase is not Phase.OVER:
        seat = rng.choice(to_act(state))
        legal = legal_actions(state, seat)
        action = LEVELS["greedy"](view(state, seat), legal, rng)
        assert action in legal
        apply(state, action)


@given(positions(), levels)
def test_any_position_gets_a_legal_action(state, level):
    """Also those that no bot would have come to."""
    for seat in to_act(state):
        assert decision(level, state, seat) in legal_actions(state, seat)


@given(positions(), levels, seeds)
def test_hidden_cards_change_nothing(state, level, seed):
    for seat in to_act(state):
        other = with_other_hidden_cards(state, seat, Random(seed))
        assert decision(level, other, seat) == decision(level, state, seat)


def with_other_hidden_cards(state: State, seat: int, rng: Random) -> State:
    """The same position but for what the seat does not see: the cards of the others, shuffled."""
    seen = view(state, seat)
    twos = mask_of(cards_of(sum(seen.exposed))) if seen.exposed else 0
    others = [other for other in range(4) if other != seat]
    hidden = [card for other in others for card in cards_of(state.hands[other] & ~twos)]
    rng.shuffle(hidden)
    twin = state.copy()
    for other in others:
        shown = state.hands[other] & twos
        count = (state.hands[other] & ~twos).bit_count()
        twin.hands[other] = shown | mask_of(hidden[:count])
        del hidden[:count]
    assert view(twin, seat) == seen
    return twin


@given(positions())
def test_greedy_leaves_nothing_to_chance(state):
    for seat in to_act(state):
        seen, legal = view(state, seat), legal_actions(state, seat)
        assert len({LEVELS["greedy"](seen, legal, Random(seed)) for seed in range(3)}) == 1


def test_random_takes_every_action_now_and_then():
    state = new_match(PRESETS["cardkings"], *random_deal(PRESETS["cardkings"], Random(1)))
    seat = to_act(state)[0]
    legal = legal_actions(state, seat)
    assert {LEVELS["random"](view(state, seat), legal, Random(seed)) for seed in range(100)} == set(legal)


# -- strength: bounded, seeded duels, far inside what docs/bots.md says ------------------------


def least(rules: str, deals: int, contracts: tuple[Contract, ...] | None = None) -> float:
    """The lower end of the interval of greedy over random."""
    duel = Duel(LEVELS["greedy"], LEVELS["random"], PRESETS[rules], seed=1)
    found = report(duel, list(deal_figures(duel, contracts or duel.options.contracts, deals)), [])
    assert found["illegal"] == 0
    return found["ci95"][0]


def test_greedy_beats_random_in_the_trick_contracts():
    assert least("cardkings", 60, tuple(Contract)[:4]) > 90


def test_greedy_beats_random_with_doubling():
    assert least("dananeer", 40, (Contract.KING, Contract.QUEENS)) > 40


def test_greedy_beats_random_in_complex():
    assert least("cardkings-complex", 40) > 75


def test_greedy_beats_random_in_trix():
    assert least("cardkings", 100, (Contract.TRIX,)) > 25


@pytest.mark.parametrize("rules", ["cardkings-partners", "cardkings-complex-partners"])
def test_a_greedy_pair_beats_a_random_pair(rules):
    assert least(rules, 30) > 150

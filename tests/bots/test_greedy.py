"""Greedy: legal under any rules, without luck, and far stronger than random."""

from random import Random

import pytest
from hypothesis import given

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
from tests.engine.strategies import options, positions, random_deal, seeds


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


@given(positions())
def test_greedy_leaves_nothing_to_chance(state):
    for seat in to_act(state):
        seen, legal = view(state, seat), legal_actions(state, seat)
        assert len({LEVELS["greedy"](seen, legal, Random(seed)) for seed in range(3)}) == 1


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

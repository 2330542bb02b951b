"""The engine beside `reference`, an independent reading of the rules: the same at every step."""

from random import Random

from hypothesis import given, settings

from games.engine import (
    Options,
    State,
    action_text,
    legal_actions,
    new_match,
    next_deal,
    parse_action,
    submit,
    to_act,
)
from tests.engine.positions import texts
from tests.engine.reference import CONTRACTS, Deal
from tests.engine.strategies import options, random_deal, seeds


def reference_of(state: State, hands: list[int], second: list[int] | None, remaining: list[str]) -> Deal:
    second_hands = None if second is None else [texts(hand) for hand in second]
    return Deal(
        state.options, state.number, state.owner, remaining, [texts(hand) for hand in hands], second_hands
    )


def legal_texts(state: State, seat: int) -> set[str]:
    return {action_text(action) for action in legal_actions(state, seat)}


def assert_same(state: State, deal: Deal) -> None:
    assert state.phase.name.lower() == deal.phase()
    assert list(to_act(state)) == deal.to_act()
    for seat in range(4):
        assert legal_texts(state, seat) == deal.legal(seat)
        assert texts(state.hands[seat]) == deal.held(seat)
    contract = state.contract
    assert (contract.text if contract is not None else None) == deal.contract
    assert state.redealt == deal.redealt


def play_beside(state: State, deal: Deal, rng: Random) -> None:
    """Play a deal through, the reference saying what may be played, comparing at every step."""
    style = rng.choice(("any", "any", "first", "last"))
    assert_same(state, deal)
    while deal.phase() != "over":
        seat = rng.choice(deal.to_act())
        legal = sorted(deal.legal(seat))
        text = {"any": rng.choice(legal), "first": legal[0], "last": legal[-1]}[style]
        submit(state, seat, parse_action(text, seat))
        deal.said.append((seat, text))
        assert_same(state, deal)
    assert state.scores == deal.scores()


@given(options(), seeds)
def test_engine_and_reference_agree_on_a_first_deal(rules: Options, seed: int) -> None:
    rng = Random(seed)
    hands, second = random_deal(rules, rng)
    state = new_match(rules, hands, second)
    assert "7H" in texts(hands[state.owner])
    play_beside(state, reference_of(state, hands, second, CONTRACTS[rules.kingdom]), rng)


@settings(max_examples=max(5, settings().max_examples // 5))
@given(options(), seeds)
def test_engine_and_reference_agree_on_a_kingdom_and_the_next_owner(rules: Options, seed: int) -> None:
    rng = Random(seed)
    hands, second = random_deal(rules, rng)
    state = new_match(rules, hands, second)
    owner, remaining = state.owner, list(CONTRACTS[rules.kingdom])
    while remaining:
        deal = reference_of(state, hands, second, list(remaining))
        play_beside(state, deal, rng)
        assert state.owner == owner
        remaining.remove(deal.contract or "")
        hands, second = random_deal(rules, rng)
        state = next_deal(state, hands, second)
    assert state.owner == (owner + 1) % 4
    assert [contract.text for contract in state.remaining] == CONTRACTS[rules.kingdom]

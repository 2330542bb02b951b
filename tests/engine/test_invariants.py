"""The six invariants of the rules, under all presets and any options, by random play."""

import copy
from random import Random

import pytest
from hypothesis import given

from games.engine import (
    PASS,
    PRESETS,
    Contract,
    Options,
    Phase,
    RuleError,
    State,
    action_text,
    legal_actions,
    match_result,
    new_match,
    next_deal,
    options_for,
    resume,
    submit,
    to_act,
)
from tests.engine.positions import DECK, texts
from tests.engine.reference import rank_of, taker
from tests.engine.strategies import options, ordinary_points, positions, presets, random_deal, seeds, walk

# Every action there is: cards, pass, redeal, six contracts, 32 answers of each seat.
ALL_ACTIONS = (*range(60), *range(64, 192))
ALL_CODES = {
    "match_over",
    "deal_over",
    "wrong_phase",
    "not_your_turn",
    "already_answered",
    "contract_taken",
    "contract_not_in_rules",
    "not_your_card",
    "must_follow_suit",
    "must_dump",
    "lead_restricted",
    "illegal_card",
    "must_play",
    "cannot_pass",
    "cannot_redeal",
}


def snapshot(state: State) -> dict[str, object]:
    """All of a position, copied deeply; compares by plain values and not by State's own equality."""
    return {name: copy.deepcopy(getattr(state, name)) for name in State.__slots__}


def finished_deals(rules: Options, seed: int, deals: int) -> list[State]:
    """Random deals of a match, each at its end."""
    return [state.copy() for state in walk(rules, seed, deals) if state.phase is Phase.OVER]


def tricks_of(state: State) -> list[list[tuple[int, str]]]:
    plays = [(seat, DECK[card]) for seat, card in state.plays]
    return [plays[i : i + 4] for i in range(0, len(plays), 4)]


def took_all_tricks(state: State) -> bool:
    return len({taker(trick) for trick in tricks_of(state)}) == 1 and len(state.plays) == 52


def price(rules: Options, card: str) -> int:
    return rules.king_value if card == "KH" else rules.queen_value


def doubled_and_self_taken(state: State, *, on_own_lead: bool) -> list[str]:
    """The doubled cards that their doubler took himself."""
    if not state.doubled:
        return []
    return [
        card
        for trick in tricks_of(state)
        for seat, card in trick
        if DECK.index(card) in state.doubled and taker(trick) == seat
        if not on_own_lead or trick[0][0] == seat
    ]


# -- 1: the sums -------------------------------------------------------------------------------

ORDINARY_SUMS = {"king": -75, "queens": -100, "diamonds": -130, "ltoosh": -195, "complex": -500, "trix": 500}


def contract_of(state: State) -> str:
    assert state.contract is not None
    return state.contract.text


@given(ordinary_points(doubling=False, capot=False), seeds)
def test_undoubled_deals_add_up_to_what_their_contract_names(rules: Options, seed: int) -> None:
    for state in finished_deals(rules, seed, deals=3):
        assert sum(state.scores) == ORDINARY_SUMS[contract_of(state)]


@given(options(doubling=False, capot=False), seeds)
def test_sums_follow_the_point_values(rules: Options, seed: int) -> None:
    sums = {
        "king": -rules.king_value,
        "queens": -4 * rules.queen_value,
        "diamonds": -13 * rules.diamond_value,
        "ltoosh": -13 * rules.trick_value,
    }
    sums |= {"complex": sum(sums.values()), "trix": sum(rules.trix_values)}
    for state in finished_deals(rules, seed, deals=3):
        assert sum(state.scores) == sums[contract_of(state)]


@given(ordinary_points(doubling=False, capot=True), seeds)
def test_capot_turns_the_sum_round_when_one_seat_takes_all(rules: Options, seed: int) -> None:
    for state in finished_deals(rules, seed, deals=3):
        turned = contract_of(state) in ("ltoosh", "complex") and took_all_tricks(state)
        assert sum(state.scores) == (-1 if turned else 1) * ORDINARY_SUMS[contract_of(state)]


@given(options(doubling=True, self_take="plain", capot=False), seeds)
def test_doubling_with_plain_self_take_keeps_the_sums(rules: Options, seed: int) -> None:
    for state in finished_deals(rules, seed, deals=2):
        if state.contract is Contract.KING:
            assert sum(state.scores) == -rules.king_value
        if state.contract is Contract.QUEENS:
            assert sum(state.scores) == -4 * rules.queen_value


@given(options(doubling=True, self_take="leader_or_self", forced_strict=False, capot=False), seeds)
def test_doubling_with_leader_or_self_keeps_the_sums(rules: Options, seed: int) -> None:
    for state in finished_deals(rules, seed, deals=2):
        if state.contract is Contract.KING:
            assert sum(state.scores) == -rules.king_value
        if state.contract is Contract.QUEENS:
            assert sum(state.scores) == -4 * rules.queen_value


@given(ordinary_points(kingdom="classic", doubling=True, self_take="leader", forced_strict=False), seeds)
def test_doubling_with_the_leaders_bonus_costs_more_only_on_the_doublers_own_lead(
    rules: Options, seed: int
) -> None:
    for state in finished_deals(rules, seed, deals=3):
        own = doubled_and_self_taken(state, on_own_lead=True)
        if state.contract is Contract.KING:
            assert sum(state.scores) == (-150 if own else -75)
        if state.contract is Contract.QUEENS:
            assert sum(state.scores) == -100 - 25 * len(own)


@given(ordinary_points(kingdom="complex", doubling=True, self_take="leader", capot=False), seeds)
def test_doubling_in_complex_adds_to_its_500(rules: Options, seed: int) -> None:
    for state in finished_deals(rules, seed, deals=2):
        if state.contract is Contract.COMPLEX:
            own = doubled_and_self_taken(state, on_own_lead=not rules.forced_strict)
            unpaid = [card for card in own if not rules.forced_strict or not was_forced(state, card)]
            assert sum(state.scores) == -500 - sum(price(rules, card) for card in unpaid)


def was_forced(state: State, card: str) -> bool:
    """Under ``forced_strict`` with self_take=leader: another led and the doubler had only this card."""
    for n, trick in enumerate(tricks_of(state)):
        for seat, played in trick:
            if played == card:
                later = {c for rest in tricks_of(state)[n + 1 :] for who, c in rest if who == seat}
                return trick[0][0] != seat and not any(c[1] == card[1] for c in later)
    return False


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("seed", [1, 2])
def test_every_kingdom_and_match_is_zero_without_doubling(preset: str, seed: int) -> None:
    rules = options_for(preset, {"doubling": "off"})
    results = finished_deals(rules, seed, deals=20)[-1].finished
    assert len(results) == rules.deals
    for owner in range(4):
        assert sum(sum(result.scores) for result in results if result.owner == owner) == 0
    assert sum(match_result(rules, results).totals) == 0


def test_every_eram_kingdom_is_zero_even_when_doubled() -> None:
    rules = PRESETS["eram"]
    states = finished_deals(rules, 5, deals=20)
    assert any(state.doubled for state in states)
    for owner in range(4):
        assert sum(sum(state.scores) for state in states if state.owner == owner) == 0


# -- 2: the cards ------------------------------------------------------------------------------


@given(options(), seeds)
def test_there_are_always_52_different_cards_and_a_legal_action(rules: Options, seed: int) -> None:
    for state in walk(rules, seed, deals=2):
        piles = [*state.hands, *state.taken, state.layout, sum(1 << card for card in state.trick)]
        assert sum(pile.bit_count() for pile in piles) == 52
        assert sum(piles) == 2**52 - 1
        assert bool(to_act(state)) == (state.phase is not Phase.OVER)
        for seat in range(4):
            legal = legal_actions(state, seat)
            assert bool(legal) == (seat in to_act(state))
            assert len(set(legal)) == len(legal)


@given(options(), seeds)
def test_each_trick_goes_to_the_highest_card_of_its_suit(rules: Options, seed: int) -> None:
    for state in finished_deals(rules, seed, deals=3):
        if state.contract is Contract.TRIX:
            continue
        taken: list[set[str]] = [set(), set(), set(), set()]
        tricks, leader = [0, 0, 0, 0], state.owner
        for trick in tricks_of(state):
            assert [seat for seat, _ in trick] == [(leader + n) % 4 for n in range(4)]
            leader = taker(trick)
            tricks[leader] += 1
            taken[leader] |= {card for _, card in trick}
        assert state.tricks == tricks
        assert [texts(pile) for pile in state.taken] == taken


# -- 3: trix -----------------------------------------------------------------------------------


@given(options(kingdom="complex"), seeds)
def test_trix_rows_hold_their_jack_and_passing_is_for_who_cannot_play(rules: Options, seed: int) -> None:
    for state in walk(rules, seed, deals=2):
        if state.contract is not Contract.TRIX or state.phase is not Phase.PLAY:
            continue
        for letter in "SHDC":
            row = sorted(rank_of(card) for card in texts(state.layout) if card[1] == letter)
            assert not row or (rank_of("J" + letter) in row and row == list(range(row[0], row[-1] + 1)))
        legal = legal_actions(state, state.turn)
        assert legal == (PASS,) or all(card < 52 for card in legal)


@given(options(kingdom="complex"), seeds)
def test_trix_scores_are_a_permutation_of_its_values(rules: Options, seed: int) -> None:
    first, second, third, fourth = rules.trix_values
    allowed = [sorted(rules.trix_values)]
    if rules.partners and rules.equal_count == "split":
        allowed.append(sorted([first, second, (third + fourth) // 2, (third + fourth) // 2]))
    for state in finished_deals(rules, seed, deals=2):
        if state.contract is Contract.TRIX:
            assert sorted(state.scores) in allowed
            assert [state.scores[seat] for seat in state.out[:2]] == [first, second]


# -- 4: kingdoms -------------------------------------------------------------------------------


@given(presets, seeds)
def test_each_player_owns_one_kingdom_with_each_contract_once(preset: str, seed: int) -> None:
    rules = PRESETS[preset]
    results = finished_deals(rules, seed, deals=20)[-1].finished
    assert [result.number for result in results] == list(range(1, rules.deals + 1))
    size = 2 if rules.kingdom == "complex" else 5
    kingdoms = [results[n : n + size] for n in range(0, len(results), size)]
    owners = [kingdom[0].owner for kingdom in kingdoms]
    assert owners == [(owners[0] + n) % 4 for n in range(4)]
    names = {"complex", "trix"} if size == 2 else {"king", "queens", "diamonds", "ltoosh", "trix"}
    for kingdom, owner in zip(kingdoms, owners, strict=True):
        assert {result.owner for result in kingdom} == {owner}
        assert {result.contract.text for result in kingdom} == names


# -- 5: refusals and replays -------------------------------------------------------------------


@given(positions())
def test_exactly_the_legal_actions_are_accepted_and_a_refusal_changes_nothing(state: State) -> None:
    before = snapshot(state)
    for seat in range(4):
        legal = tuple(legal_actions(state, seat))
        for action in ALL_ACTIONS:
            if action in legal:
                continue
            with pytest.raises(RuleError) as refused:
                submit(state, seat, action)
            error = refused.value
            assert error.code in ALL_CODES
            assert error.legal == legal
            assert action_text(action) in error.message
        assert snapshot(state) == before
        for action in legal:
            twin = state.copy()
            submit(twin, seat, action)
            assert snapshot(twin) != before


@given(options(), seeds)
def test_replaying_the_actions_gives_the_identical_position(rules: Options, seed: int) -> None:
    rng = Random(seed)
    hands, second = random_deal(rules, rng)
    state = new_match(rules, hands, second)
    for _ in range(2):
        start = (state.options, state.number, state.owner, state.results, state.version, hands, second)
        cut = rng.randrange(60)
        for position in walk(rules, seed, deals=1, first=state):
            if len(position.log) == cut:
                assert snapshot(resume(*start, bytes(position.log))) == snapshot(position)
        again = resume(*start, bytes(state.log))
        assert snapshot(again) == snapshot(state)
        assert again == state
        hands, second = random_deal(rules, rng)
        state = next_deal(state, hands, second)


@given(options(), seeds)
def test_a_position_taken_up_again_goes_on_like_the_first(rules: Options, seed: int) -> None:
    hands, second = random_deal(rules, Random(seed))
    whole = new_match(rules, hands, second)
    for _ in walk(rules, seed, deals=1, first=whole):
        pass
    cut = seed % len(whole.log)
    part = resume(rules, 1, whole.owner, (), 0, hands, second, whole.log[:cut])
    for action in whole.log[cut:]:
        submit(part, (action - 64) // 32 if action >= 64 else part.turn, action)
    assert snapshot(part) == snapshot(whole)


@given(positions(), seeds)
def test_a_copy_goes_its_own_way(state: State, seed: int) -> None:
    before, twin = snapshot(state), state.copy()
    assert snapshot(twin) == before
    for _ in walk(state.options, seed, deals=2, first=twin):
        pass
    assert snapshot(state) == before
    other = state.copy()
    for _ in walk(state.options, seed + 1, deals=1, first=state):
        pass
    assert snapshot(other) == before


@given(positions(), seeds)
def test_versions_count_public_actions(state: State, seed: int) -> None:
    rng = Random(seed)
    while state.phase is not Phase.OVER:
        version, asked = state.version, len(to_act(state))
        seat = rng.choice(to_act(state))
        doubling = state.phase is Phase.DOUBLE
        submit(state, seat, rng.choice(legal_actions(state, seat)))
        moved = state.version - version
        assert moved == (0 if doubling and asked > 1 else 1)

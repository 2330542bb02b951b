"""A match from deal to deal: who owns, what may be chosen, how it starts and how it ends."""

import itertools
from random import Random

import pytest

from games.engine import (
    PRESETS,
    Contract,
    DealError,
    DealResult,
    Options,
    Phase,
    State,
    action_text,
    legal_actions,
    match_over,
    match_result,
    new_match,
    next_deal,
    to_act,
)
from games.engine.errors import MatchOver
from tests.engine.positions import (
    E,
    N,
    S,
    W,
    answer,
    deal,
    deal_of,
    legal,
    mask,
    play,
    rules,
    say,
    suit,
    suits_to,
)
from tests.engine.strategies import play_out, random_deal, walk


def finish(state: State, contract: str | None = None) -> State:
    """Choose this contract if one is to be chosen, and play the deal out."""
    if contract is not None and state.phase is Phase.CHOOSE:
        say(state, state.owner, f"choose {contract}")
    return play_out(state, seed=3)


# -- the first kingdom and the next ones -------------------------------------------------------


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("holder", range(4))
def test_the_holder_of_the_seven_of_hearts_owns_the_first_kingdom(preset: str, holder: int) -> None:
    state = new_match(PRESETS[preset], deal({holder: ["7H"]}))
    assert state.owner == holder
    assert to_act(state) == (holder,)
    assert state.number == 1


def test_the_seven_of_hearts_means_nothing_after_the_first_deal() -> None:
    state = new_match(rules("cardkings-complex"), deal({S: ["7H"]}))
    state = next_deal(finish(state), deal({N: ["7H"]}))
    assert state.owner == S
    state = next_deal(finish(state), deal({W: ["7H"]}))
    assert state.owner == E


@pytest.mark.parametrize("first", range(4))
def test_kingdoms_pass_to_the_right_south_east_north_west(first: int) -> None:
    """E and C: to the player on the right, counter-clockwise."""
    state = new_match(rules("cardkings-complex"), deal({first: ["7H"]}))
    owners = [state.owner]
    while not match_over(finish(state)):
        state = next_deal(state, deal({}))
        owners.append(state.owner)
    assert owners == [(first + n // 2) % 4 for n in range(8)]


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_match_has_twenty_deals_or_eight_of_complex(preset: str) -> None:
    deals = 8 if "complex" in preset else 20
    ends = [state.number for state in walk(PRESETS[preset], seed=7) if state.phase is Phase.OVER]
    assert ends == list(range(1, deals + 1))


# -- choosing ----------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_owner_chooses_among_all_contracts_at_first(preset: str) -> None:
    state = new_match(PRESETS[preset], deal({S: ["7H"]}))
    five = {"choose king", "choose queens", "choose diamonds", "choose ltoosh", "choose trix"}
    assert legal(state, S) == ({"choose complex", "choose trix"} if "complex" in preset else five)


def test_a_contract_is_played_once_a_kingdom() -> None:
    state = new_match(rules("cardkings"), deal({S: ["7H"]}))
    left = {"king", "queens", "diamonds", "ltoosh", "trix"}
    for contract in ("ltoosh", "trix", "king"):
        assert legal(state, S) == {f"choose {name}" for name in left}
        left.remove(contract)
        state = next_deal(finish(state, contract), deal({}))
    assert legal(state, S) == {"choose queens", "choose diamonds"}


def test_the_last_contract_of_a_kingdom_starts_by_itself() -> None:
    """E: the last remaining contract is mandatory and starts by itself."""
    state = new_match(rules("cardkings"), deal({S: ["7H"]}))
    for contract in ("trix", "king", "queens", "diamonds"):
        state = next_deal(finish(state, contract), deal({}))
    assert state.contract is Contract.LTOOSH
    assert state.phase is Phase.PLAY
    assert state.turn == S
    assert bytes(state.log) == b""


def test_the_last_contract_starts_with_its_doubling() -> None:
    state = new_match(rules("dananeer"), deal({S: ["7H"]}))
    for contract in ("trix", "ltoosh", "diamonds", "king"):
        state = next_deal(finish(state, contract), deal({}))
    assert state.contract is Contract.QUEENS
    assert state.phase is Phase.DOUBLE


@pytest.mark.parametrize(("first", "second"), [("complex", "trix"), ("trix", "complex")])
def test_complex_and_trix_come_in_either_order(first: str, second: str) -> None:
    """C: the kingdom's owner decides which of the two to play first."""
    state = finish(new_match(rules("cardkings-complex"), deal({S: ["7H"]})), first)
    state = next_deal(state, deal({}))
    assert (state.contract is not None and state.contract.text) == second


@pytest.mark.parametrize("preset", ["dananeer", "cardkings-complex"])
def test_a_choosing_time_out_takes_the_first_left_in_the_fixed_order(preset: str) -> None:
    """E: king, queens, diamonds, ltoosh, trix; the others: complex, trix. It is `remaining[0]`."""
    order = ["complex", "trix"] if "complex" in preset else ["king", "queens", "diamonds", "ltoosh", "trix"]
    state = new_match(PRESETS[preset], deal({S: ["7H"]}))
    for n, contract in enumerate(order):
        assert [left.text for left in state.remaining] == order[n:]
        state = next_deal(finish(state, contract), deal({}))
    assert [left.text for left in state.remaining] == order


def test_every_contract_is_open_again_in_the_next_kingdom() -> None:
    state = new_match(rules("cardkings"), deal({S: ["7H"]}))
    for contract in ("trix", "ltoosh", "diamonds", "queens", "king"):
        state = next_deal(finish(state, contract), deal({}))
    assert state.owner == E
    assert len(state.remaining) == 5


@pytest.mark.parametrize("owner", range(4))
@pytest.mark.parametrize("contract", [c for c in Contract if c is not Contract.COMPLEX])
def test_the_owner_leads_the_first_trick_or_acts_first_in_trix(owner: int, contract: Contract) -> None:
    state = deal_of(rules("dananeer"), owner, deal({}), contract)
    answer(state)
    assert to_act(state) == (owner,)


def test_a_new_deal_starts_clean() -> None:
    state = finish(new_match(rules("dananeer"), deal({S: ["7H"]})), "king")
    after = next_deal(state, deal({}))
    assert after.scores == [0, 0, 0, 0]
    assert (after.doubled, after.plays, after.taken, after.tricks) == ({}, [], [0] * 4, [0] * 4)
    assert after.results == (state.result,)
    assert after.version == state.version


# -- the hands of a deal -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "hands",
    [
        suits_to("S", "H", "D"),
        [*suits_to("S", "H", "D", "C"), 0],
        suits_to("S", "S", "D", "C"),
        [mask(suit("S") - {"AS"}), mask(suit("H") | {"AS"}), *suits_to("D", "C")],
        [mask(suit("S")), mask(suit("H")), mask(suit("D")), 0],
        [mask(suit("S")), mask(suit("H")), mask(suit("D")), mask(suit("C") - {"AC"}) | 1 << 52],
    ],
)
def test_a_deal_is_four_hands_of_thirteen_different_cards(hands: list[int]) -> None:
    with pytest.raises(DealError) as refused:
        new_match(rules("dananeer"), hands)
    assert refused.value.code == "bad_deal"


def test_the_next_deal_waits_for_the_end_of_this_one() -> None:
    state = new_match(rules("dananeer"), deal({}))
    with pytest.raises(DealError, match="Deal 1 is not over, so deal 2 cannot start"):
        next_deal(state, deal({}))


def test_there_is_no_deal_after_the_last() -> None:
    *_, state = walk(rules("cardkings-complex"), seed=1)
    with pytest.raises(MatchOver, match="ended with deal 8"):
        next_deal(state, deal({}))


# -- the result --------------------------------------------------------------------------------


def results(options: Options, totals: tuple[int, int, int, int]) -> tuple[DealResult, ...]:
    """A whole match of these totals: all points fell in its last deal."""
    size = len(options.contracts)
    scores = [(0, 0, 0, 0)] * (options.deals - 1) + [totals]
    return tuple(
        DealResult(n + 1, n // size, options.contracts[n % size], scored) for n, scored in enumerate(scores)
    )


@pytest.mark.parametrize("preset", ["dananeer", "eram", "cardkings", "dananeer-complex"])
def test_the_highest_total_wins(preset: str) -> None:
    options = PRESETS[preset]
    outcome = match_result(options, results(options, (-90, -30, -400, -35)))
    assert outcome.winners == (E,)
    assert outcome.tie is None
    assert outcome.teams is None
    assert outcome.totals == (-90, -30, -400, -35)


def test_totals_add_up_over_the_deals() -> None:
    *_, state = walk(rules("dananeer"), seed=11)
    outcome = match_result(state.options, state.finished)
    assert outcome.totals == tuple(sum(result.scores[seat] for result in state.finished) for seat in range(4))
    assert outcome.winners


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_nobody_has_won_before_the_last_deal_is_over(preset: str) -> None:
    options = PRESETS[preset]
    outcome = match_result(options, results(options, (5, 0, 0, -5))[:-1])
    assert (outcome.winners, outcome.tie) == ((), None)


@pytest.mark.parametrize("tied", [t for n in (2, 3, 4) for t in itertools.combinations(range(4), n)])
@pytest.mark.parametrize(
    ("preset", "word"), [("dananeer", "shared"), ("eram", "draw"), ("cardkings", "shared")]
)
def test_all_with_the_highest_total_are_named(preset: str, word: str, tied: tuple[int, ...]) -> None:
    """D: they are all winners. E: the result is a draw among them."""
    south, east, north, west = (40 if seat in tied else -40 for seat in range(4))
    outcome = match_result(PRESETS[preset], results(PRESETS[preset], (south, east, north, west)))
    assert outcome.winners == tied
    assert outcome.tie == word


@pytest.mark.parametrize("preset", ["cardkings-partners", "cardkings-complex-partners"])
def test_partners_add_their_points(preset: str) -> None:
    """C: partners sit opposite each other and share one team score."""
    options = PRESETS[preset]
    outcome = match_result(options, results(options, (-300, 90, 200, 20)))
    assert outcome.teams == (-100, 110)
    assert outcome.winners == (E, W)
    assert outcome.tie is None
    best_single_player_loses = match_result(options, results(options, (-300, 20, 290, -10)))
    assert best_single_player_loses.winners == (E, W)


@pytest.mark.parametrize("preset", ["cardkings-partners", "cardkings-complex-partners"])
def test_level_teams_share_the_win(preset: str) -> None:
    options = PRESETS[preset]
    outcome = match_result(options, results(options, (-300, -100, 200, 0)))
    assert outcome.winners == (S, E, N, W)
    assert outcome.tie == "shared"


@pytest.mark.parametrize(("preset", "word"), [("dananeer", "shared"), ("eram", "draw")])
def test_a_match_without_points_is_won_by_all(preset: str, word: str) -> None:
    values = ("king_value", "queen_value", "diamond_value", "trick_value")
    options = rules(preset, trix_values=[0, 0, 0, 0], **dict.fromkeys(values, 0))
    *_, state = walk(options, seed=2)
    outcome = match_result(state.options, state.finished)
    assert outcome.totals == (0, 0, 0, 0)
    assert (outcome.winners, outcome.tie) == ((S, E, N, W), word)


# -- house rules on the deal -------------------------------------------------------------------


def bare_king() -> list[int]:
    """East's only heart is the king; South holds 7H."""
    return deal({S: ["7H"], E: ["KH"]}, {E: suit("H") - {"KH"}})


def test_bare_heart_deals_the_king_contract_again() -> None:
    options = rules("cardkings", redeal="bare_heart")
    again = suits_to("S", "C", "H", "D")
    state = new_match(options, bare_king(), again)
    assert state.hands == bare_king()
    say(state, S, "choose king")
    assert state.hands == again
    assert state.redealt
    assert to_act(state) == (S,)  # the owner stays, wherever 7H went


def test_a_bare_ace_of_hearts_counts_too_and_a_bare_queen_does_not() -> None:
    options = rules("cardkings", redeal="bare_heart")
    for card, redealt in (("AH", True), ("QH", False)):
        hands = deal({S: ["7H"], W: [card]}, {W: suit("H") - {card}})
        state = new_match(options, hands, suits_to("S", "C", "H", "D"))
        say(state, S, "choose king")
        assert state.redealt == redealt


def test_king_and_ace_together_are_not_bare() -> None:
    hands = deal({S: ["7H"], W: ["KH", "AH"]}, {W: suit("H", "23456789TJQ")})
    state = new_match(rules("cardkings", redeal="bare_heart"), hands, suits_to("S", "C", "H", "D"))
    say(state, S, "choose king")
    assert not state.redealt


@pytest.mark.parametrize("contract", ["queens", "diamonds", "ltoosh", "trix"])
def test_bare_heart_is_a_rule_of_the_king_contract(contract: str) -> None:
    state = new_match(rules("cardkings", redeal="bare_heart"), bare_king(), suits_to("S", "C", "H", "D"))
    say(state, S, f"choose {contract}")
    assert state.hands == bare_king()
    assert not state.redealt


def test_bare_heart_holds_when_the_king_contract_starts_by_itself() -> None:
    options = rules("cardkings", redeal="bare_heart")
    again = suits_to("S", "C", "H", "D")
    state = new_match(options, deal({S: ["7H"]}), again)
    for contract in ("trix", "ltoosh", "diamonds", "queens"):
        state = next_deal(finish(state, contract), bare_king(), again)
    assert state.contract is Contract.KING
    assert state.hands == again


def test_the_cards_dealt_again_are_the_ones_asked_about_for_doubling() -> None:
    state = new_match(rules("dananeer", redeal="bare_heart"), bare_king(), suits_to("S", "C", "H", "D"))
    say(state, S, "choose king")
    assert to_act(state) == (N,)


def test_the_first_owner_may_throw_the_deal_in_once() -> None:
    again = deal({N: ["7H"]})
    state = new_match(rules("dananeer", redeal="first_owner"), deal({S: ["7H"]}), again)
    assert "redeal" in legal(state, S)
    version = state.version
    say(state, S, "redeal")
    assert state.hands == again
    assert state.owner == S  # 7H spoke once
    assert state.version == version + 1
    assert legal(state, S) == {f"choose {contract.text}" for contract in state.options.contracts}


def test_nobody_throws_in_a_later_deal() -> None:
    options = rules("cardkings-complex", redeal="first_owner")
    state = new_match(options, deal({S: ["7H"]}), deal({}))
    for _ in range(2):
        state = next_deal(finish(state, "trix"), deal({}), deal({}))
    assert state.phase is Phase.CHOOSE
    assert legal(state, E) == {"choose complex", "choose trix"}


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_no_preset_deals_again(preset: str) -> None:
    state = new_match(PRESETS[preset], deal({S: ["7H"]}))
    assert "redeal" not in {action_text(action) for action in legal_actions(state, S)}


def test_four_twos_are_never_dealt_under_four_twos() -> None:
    hands = deal({S: ["2S", "2H", "2D", "2C"]})
    new_match(rules("dananeer"), hands)
    with pytest.raises(DealError, match="four twos"):
        new_match(rules("dananeer", redeal="four_twos"), hands)


@pytest.mark.parametrize("redeal", ["bare_heart", "first_owner"])
def test_second_hands_come_with_the_rules_that_want_them(redeal: str) -> None:
    with pytest.raises(DealError, match="with a second set"):
        new_match(rules("dananeer", redeal=redeal), deal({}))
    with pytest.raises(DealError, match="without a second set"):
        new_match(rules("dananeer"), deal({}), deal({}))
    with pytest.raises(DealError, match="four hands"):
        new_match(rules("dananeer", redeal=redeal), deal({}), [0, 0, 0, 0])


def test_second_hands_under_bare_heart_hold_no_bare_heart() -> None:
    with pytest.raises(DealError, match="bare"):
        new_match(rules("dananeer", redeal="bare_heart"), deal({}), bare_king())


def test_hands_given_to_a_deal_stay_the_callers() -> None:
    hands, _ = random_deal(rules("cardkings"), Random(1))
    kept = list(hands)
    finish(new_match(rules("cardkings"), hands))
    assert hands == kept


def test_play_goes_round_to_the_right() -> None:
    state = deal_of(rules("cardkings"), W, suits_to("S", "H", "D", "C"), Contract.LTOOSH)
    play(state, "2C 2S 2H 2D")
    assert [seat for seat, _ in state.plays] == [W, S, E, N]

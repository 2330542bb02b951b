"""The mistakes that public Trix programs make, each as the test that would have caught it."""

import pytest
from hypothesis import given

from games.engine import (
    PRESETS,
    Contract,
    Options,
    Phase,
    RuleError,
    State,
    View,
    legal_actions,
    match_result,
    next_deal,
    to_act,
    view,
)
from tests.engine.positions import (
    E,
    N,
    S,
    W,
    answer,
    cards,
    deal,
    deal_for_trick,
    deal_of,
    finish_trick,
    legal,
    play,
    play_lowest,
    rules,
    say,
    suit,
    suits_to,
)
from tests.engine.strategies import options, play_out, positions, seeds, walk


def test_the_leaders_bonus_is_not_paid_to_the_kingdom_owner() -> None:
    """South owns the kingdom; West leads the trick in which North takes his own doubled queen."""
    hands = deal({S: cards("3C 2H"), E: ["4C", "3H"], N: ["5C", "QH"], W: cards("AC 4H")})
    state = deal_of(rules("dananeer"), S, hands, Contract.QUEENS)
    answer(state, {N: "QH"})
    play(state, "3C 4C 5C AC")
    play(state, "4H 2H 3H QH")
    assert state.owner == S
    assert state.scores == [0, 0, -50, 25]


def test_queens_are_charged_to_the_taker_and_not_to_who_played_them() -> None:
    state = deal_of(rules("cardkings"), S, deal_for_trick(S, "AS QS QH 2S"), Contract.QUEENS)
    play(state, "AS QS QH 2S")
    assert state.scores == [-50, 0, 0, 0]


def test_a_doubled_card_is_not_doubled_in_the_next_deal() -> None:
    hands = deal_for_trick(S, "KH AH 2H 3H")
    state = deal_of(rules("dananeer"), S, hands, Contract.KING)
    answer(state, {S: "KH"})
    play(state, "KH AH 2H 3H")
    assert state.scores == [75, -150, 0, 0]
    for contract in ("queens", "diamonds", "ltoosh", "trix"):
        state = next_deal(state, deal({}))
        assert state.doubled == {}
        if state.phase is Phase.CHOOSE:
            say(state, S, f"choose {contract}")
        answer(state)
        play_out(state, 3)
    state = next_deal(state, hands)
    say(state, E, "choose king")
    answer(state)
    assert state.doubled == {}
    play_out(state, 3)
    assert sorted(state.scores) == [-75, 0, 0, 0]


def test_doubling_is_not_asked_seat_by_seat_in_the_open() -> None:
    """All holders owe their answer at once, and no view says who, how many or who has answered."""
    few = deal_of(rules("dananeer"), N, deal({E: cards("QS QH QD QC")}), Contract.QUEENS)
    many = deal_of(rules("dananeer"), N, deal({S: ["QS"], E: ["QH"], W: ["QD"], N: ["QC"]}), Contract.QUEENS)
    assert (to_act(few), to_act(many)) == ((E,), (S, E, N, W))
    assert view(few, None) == view(many, None)
    say(many, W, "double QD")
    say(many, S, "double none")
    assert view(few, None) == view(many, None)


# All that a view may hold. A new field belongs here only once it is clear that everyone may know it.
VIEW_FIELDS = """
seat options version number owner phase contract remaining redealt hand legal answer turn counts plays
trick leader doubled taken tricks layout out exposed scores results totals teams winners tie match_over
"""


def test_neither_seed_nor_hands_lie_in_what_clients_see() -> None:
    """The engine is given hands and knows no seed; of the hands a view has the seat's own alone."""
    assert not any("seed" in name for name in (*State.__slots__, *View.__slots__))
    assert set(View.__slots__) == set(VIEW_FIELDS.split())


def test_a_forced_card_never_contradicts_following_suit() -> None:
    """must_dump: East could throw KH, but he holds the suit led."""
    hands = deal({S: ["AS"], E: cards("KH 2S")}, {E: suit("S") - {"2S"}})
    state = deal_of(rules("cardkings", must_dump="on"), S, hands, Contract.KING)
    play(state, "AS")
    assert legal(state, E) == {"2S"}


def test_a_restriction_of_leads_never_leaves_a_player_without_an_action() -> None:
    """Nothing but hearts, where hearts may not be led."""
    for restriction in ("king_first_trick", "hearts_in_king"):
        options_ = rules("cardkings", lead_restriction=restriction, must_dump="on")
        state = deal_of(options_, S, suits_to("H", "S", "D", "C"), Contract.KING)
        assert legal(state, S)


@given(options(must_dump=True, doubling=True), seeds)
def test_no_combination_of_options_leaves_a_player_without_an_action(chosen: Options, seed: int) -> None:
    for state in walk(chosen, seed, deals=2):
        assert all(legal_actions(state, seat) for seat in to_act(state))
        assert bool(to_act(state)) == (state.phase is not Phase.OVER)


def test_a_player_who_is_out_does_not_stay_in_the_turn_order() -> None:
    hands = suits_to("S", "H", "D", "C")
    state = deal_of(rules("dananeer"), S, hands, Contract.TRIX)
    for rank in "JQKAT9876543":
        play(state, f"{rank}S {rank}H {rank}D {rank}C")
    play(state, "2S")
    assert state.out == [S]
    seats = []
    while state.phase is Phase.PLAY:
        seats.append(state.turn)
        play_lowest(state)
    assert S not in seats


@pytest.mark.parametrize("preset", ["cardkings", "cardkings-partners"])
def test_the_last_trick_goes_to_who_took_it(preset: str) -> None:
    """South takes twelve tricks in spades; East's ace of hearts takes the last."""
    hands = deal({S: suit("S") - {"2S"} | {"2H"}, E: suit("H") - {"2H"} | {"2S"}})
    state = deal_of(rules(preset), S, hands, Contract.LTOOSH)
    for rank in "AKQJT9876543":
        play(state, f"{rank}S")
        while state.turn != S:
            play_highest_but_the_ace(state) if state.turn == E else play_lowest(state)
    play(state, "2H")
    finish_trick(state)
    assert state.phase is Phase.OVER
    assert state.scores == [-180, -15, 0, 0]


def play_highest_but_the_ace(state: State) -> None:
    held = sorted(legal(state, state.turn) - {"AH"})
    play(state, held[-1])


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_all_who_tie_win(preset: str) -> None:
    values = ("king_value", "queen_value", "diamond_value", "trick_value")
    chosen = rules(preset, trix_values=[0, 0, 0, 0], **dict.fromkeys(values, 0))
    *_, state = walk(chosen, seed=8)
    outcome = match_result(chosen, state.finished)
    assert outcome.winners == (S, E, N, W)
    assert outcome.tie == ("draw" if preset == "eram" else "shared")


def test_a_bot_is_given_a_view_and_a_view_holds_no_position() -> None:
    """Bots cannot read hidden hands: plain values, nothing that leads back to the state."""
    state = deal_of(rules("dananeer"), S, deal({}), Contract.KING)
    seen = view(state, S)
    for name in View.__slots__:
        assert_plain(getattr(seen, name))
    held = [value for value in (getattr(seen, name) for name in View.__slots__) if value in state.hands]
    assert held == [state.hands[S]]


def assert_plain(value: object) -> None:
    if isinstance(value, tuple):
        for part in value:
            assert_plain(part)
    else:
        assert value is None or isinstance(value, int | str | Options) or type(value).__name__ == "DealResult"


@given(positions())
def test_an_illegal_card_is_refused_whoever_plays_it(state: State) -> None:
    for seat in range(4):
        for card in range(52):
            if card not in legal_actions(state, seat):
                with pytest.raises(RuleError):
                    say(state, seat, f"play {'23456789TJQKA'[card % 13]}{'SHDC'[card // 13]}")

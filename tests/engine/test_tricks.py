"""The trick contracts: following suit, taking tricks, what each contract charges, when it ends."""

from dataclasses import replace

import pytest
from hypothesis import given

from games.engine import Contract, Options, Phase, State, new_match, submit
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
    finish_deal,
    finish_trick,
    legal,
    play,
    play_lowest,
    rules,
    suit,
    suits_to,
)
from tests.engine.strategies import options, play_out, seeds, walk

CLASSIC = "cardkings"


# -- following suit and taking tricks ----------------------------------------------------------


@pytest.mark.parametrize("contract", [Contract.KING, Contract.QUEENS, Contract.DIAMONDS, Contract.LTOOSH])
def test_who_holds_the_suit_led_must_follow(contract: Contract) -> None:
    hands = deal({S: ["AS"], E: ["2S", "KS", "KH", "QD"]}, {E: suit("S", "3456789TJQA")})
    state = deal_of(rules(CLASSIC), S, hands, contract)
    play(state, "AS")
    assert legal(state, E) == cards("2S KS")


@pytest.mark.parametrize("contract", [Contract.KING, Contract.QUEENS, Contract.DIAMONDS, Contract.LTOOSH])
def test_who_is_void_may_play_any_card(contract: Contract) -> None:
    hands = deal({S: ["AS"]}, {E: suit("S")})
    state = deal_of(rules(CLASSIC), S, hands, contract)
    play(state, "AS")
    assert len(legal(state, E)) == 13


def test_there_are_no_trumps() -> None:
    """Cards of other suits never win, whatever their rank."""
    state = deal_of(rules(CLASSIC), S, suits_to("S", "H", "D", "C"), Contract.LTOOSH)
    play(state, "2S AH AD AC")
    assert state.tricks == [1, 0, 0, 0]
    assert state.turn == S


@pytest.mark.parametrize(
    ("trick", "taker"),
    [("2S 3S 4S 5S", W), ("AS KS QS JS", S), ("TS JS 9S 8S", E), ("9S TS AS QS", N), ("2S AH AD 3S", W)],
)
def test_the_highest_card_of_the_suit_led_takes_and_leads(trick: str, taker: int) -> None:
    state = deal_of(rules(CLASSIC), S, deal_for_trick(S, trick), Contract.LTOOSH)
    play(state, trick)
    assert [seat for seat in range(4) if state.tricks[seat]] == [taker]
    assert (state.leader, state.turn) == (taker, taker)
    assert state.trick == []


@pytest.mark.parametrize("preset", ["dananeer", "eram", CLASSIC])
def test_any_card_may_be_led_from_the_first_trick(preset: str) -> None:
    """C: including hearts, or the king of hearts in its own contract."""
    state = deal_of(rules(preset), S, deal({S: ["KH"]}), Contract.KING)
    answer(state)
    assert len(legal(state, S)) == 13
    play(state, "KH")


# -- what each contract charges ----------------------------------------------------------------

# A trick that South takes, and what king, queens, diamonds and ltoosh charge for it.
TRICKS = [
    ("AH KH QH 2H", (75, 25, 0, 15)),
    ("AD QD 3D 2D", (0, 25, 40, 15)),
    ("AC 2C 3C 4C", (0, 0, 0, 15)),
    ("AS KH QD 2D", (75, 25, 20, 15)),
]


@pytest.mark.parametrize(("words", "costs"), TRICKS)
def test_each_contract_charges_only_what_it_names(words: str, costs: tuple[int, ...]) -> None:
    contracts = (Contract.KING, Contract.QUEENS, Contract.DIAMONDS, Contract.LTOOSH)
    for contract, cost in zip(contracts, costs, strict=True):
        state = deal_of(rules(CLASSIC), S, deal_for_trick(S, words), contract)
        play(state, words)
        assert state.scores == [-cost, 0, 0, 0]


@pytest.mark.parametrize(
    ("words", "cost"),
    [
        ("AS QD 3S 4S", 15 + 35),  # C: the queen of diamonds counts as a queen and a diamond
        ("AH KH QH 2H", 15 + 75 + 25),
        ("AD KD QD JD", 15 + 40 + 25),
        ("AC 2C 3C 4C", 15),
    ],
)
def test_complex_charges_everything_at_once(words: str, cost: int) -> None:
    state = deal_of(rules("cardkings-complex"), S, deal_for_trick(S, words), Contract.COMPLEX)
    play(state, words)
    assert state.scores == [-cost, 0, 0, 0]


def test_house_rules_may_change_the_points() -> None:
    options = rules("cardkings-complex", king_value=100, queen_value=30, trick_value=20, diamond_value=1)
    state = deal_of(options, S, deal_for_trick(S, "AH KH QH 2H"), Contract.COMPLEX)
    play(state, "AH KH QH 2H")
    assert state.scores == [-150, 0, 0, 0]


# -- ending early ------------------------------------------------------------------------------


def test_king_ends_with_the_trick_that_takes_it() -> None:
    state = deal_of(rules(CLASSIC), S, deal_for_trick(S, "KH AH 3H 4H"), Contract.KING)
    play(state, "KH AH 3H")
    assert state.phase is Phase.PLAY  # at the end of the trick, not when the king is played
    play(state, "4H")
    assert state.phase is Phase.OVER
    assert state.scores == [0, -75, 0, 0]
    assert [hand.bit_count() for hand in state.hands] == [12] * 4


def test_queens_end_with_the_fourth() -> None:
    hands = deal({S: suit("S"), E: ["QH"], N: ["QD"], W: ["QC"]})
    state = deal_of(rules(CLASSIC), S, hands, Contract.QUEENS)
    play(state, "QS QH QD QC")
    assert state.phase is Phase.OVER
    assert state.scores == [-100, 0, 0, 0]


def test_three_queens_are_not_the_end() -> None:
    hands = deal({S: suit("S"), E: ["QH"], N: ["QD"], W: ["QC", "2C"]})
    state = deal_of(rules(CLASSIC), S, hands, Contract.QUEENS)
    play(state, "QS QH QD 2C")
    assert state.phase is Phase.PLAY
    assert state.scores == [-75, 0, 0, 0]


def test_diamonds_end_with_the_thirteenth() -> None:
    hands = deal({S: cards("AD KD QD JD"), E: cards("TD 9D 8D"), N: cards("7D 6D 5D"), W: cards("4D 3D 2D")})
    state = deal_of(rules(CLASSIC), S, hands, Contract.DIAMONDS)
    play(state, "AD TD 7D 4D KD 9D 6D 3D QD 8D 5D 2D")
    assert state.phase is Phase.PLAY
    assert state.scores == [-120, 0, 0, 0]
    play(state, "JD")
    finish_trick(state)
    assert state.phase is Phase.OVER
    assert state.scores == [-130, 0, 0, 0]


@pytest.mark.parametrize("contract", [Contract.KING, Contract.QUEENS, Contract.DIAMONDS])
def test_without_early_end_all_thirteen_tricks_are_played(contract: Contract) -> None:
    options = rules(CLASSIC, early_end="off")
    state = deal_of(options, S, deal({S: suit("H")}), contract)
    finish_deal(state)
    assert sum(state.tricks) == 13


@pytest.mark.parametrize("early_end", ["on", "off"])
def test_ltoosh_and_complex_always_have_thirteen_tricks(early_end: str) -> None:
    for preset, contract in ((CLASSIC, Contract.LTOOSH), ("cardkings-complex", Contract.COMPLEX)):
        state = deal_of(rules(preset, early_end=early_end), S, deal({}), contract)
        assert sum(play_out(state, 4).tricks) == 13


@given(options(kingdom="classic", early_end=False, redeal="none", capot=False), seeds)
def test_ending_early_never_changes_a_score(long: Options, seed: int) -> None:
    """The same cards and the same play: the scores stand when the penalty cards are gone."""
    start, *_ = (state.copy() for state in walk(long, seed, deals=1))
    whole = play_out(start.copy(), seed)
    hands = start.hands
    short = new_match(replace(long, early_end=True), hands)
    for action in whole.log:
        if short.phase is not Phase.OVER:
            submit(short, (action - 64) // 32 if action >= 64 else short.turn, action)
    assert short.phase is Phase.OVER
    assert short.scores == whole.scores


# -- house rules of the trick contracts --------------------------------------------------------


def heart_hand(contract: Contract, **overrides: object) -> State:
    """South owns and holds KH, 2H, AS and other cards; the hearts are spread."""
    options = rules("cardkings-complex" if contract is Contract.COMPLEX else CLASSIC, **overrides)
    return deal_of(options, S, deal({S: cards("KH 2H AS"), E: ["3S"], N: ["4S"], W: ["5S"]}), contract)


@pytest.mark.parametrize("contract", [Contract.KING, Contract.COMPLEX])
def test_king_first_trick_keeps_the_king_from_the_first_lead(contract: Contract) -> None:
    state = heart_hand(contract, lead_restriction="king_first_trick")
    assert "KH" not in legal(state, S)
    assert len(legal(state, S)) == 12
    play(state, "AS 3S 4S 5S")
    assert state.turn == S
    assert "KH" in legal(state, S)


@pytest.mark.parametrize("contract", [Contract.QUEENS, Contract.DIAMONDS, Contract.LTOOSH])
def test_king_first_trick_is_about_contracts_that_charge_the_king(contract: Contract) -> None:
    assert "KH" in legal(heart_hand(contract, lead_restriction="king_first_trick"), S)


def test_king_first_trick_lets_a_player_follow_with_the_king() -> None:
    options = rules(CLASSIC, lead_restriction="king_first_trick")
    hands = deal({S: ["2H"], E: ["KH"]}, {E: suit("H") - {"KH"}})
    state = deal_of(options, S, hands, Contract.KING)
    play(state, "2H")
    assert legal(state, E) == {"KH"}


def test_hearts_in_king_keeps_hearts_from_being_led() -> None:
    state = heart_hand(Contract.KING, lead_restriction="hearts_in_king")
    assert not legal(state, S) & suit("H")
    play(state, "AS 3S 4S 5S")
    assert not legal(state, S) & suit("H")  # not only in the first trick


def test_hearts_in_king_lets_hearts_lead_when_nothing_else_is_held() -> None:
    options = rules(CLASSIC, lead_restriction="hearts_in_king")
    state = deal_of(options, S, suits_to("H", "S", "D", "C"), Contract.KING)
    assert legal(state, S) == suit("H")


@pytest.mark.parametrize("contract", [Contract.QUEENS, Contract.DIAMONDS, Contract.LTOOSH, Contract.COMPLEX])
def test_hearts_in_king_is_a_rule_of_the_king_contract(contract: Contract) -> None:
    assert len(legal(heart_hand(contract, lead_restriction="hearts_in_king"), S)) == 13


def void_in_spades(contract: Contract, held: str, **overrides: object) -> State:
    """South leads AS; East is void, and beside clubs without the queen holds just ``held``."""
    options = rules("cardkings-complex" if contract is Contract.COMPLEX else CLASSIC, **overrides)
    never = suit("S") | (suit("H") | suit("D") | {"QC"}) - cards(held)
    state = deal_of(options, S, deal({S: ["AS"], E: cards(held)}, {E: never}), contract)
    play(state, "AS")
    return state


@pytest.mark.parametrize(
    ("contract", "thrown"),
    [
        (Contract.KING, "KH"),
        (Contract.QUEENS, "QH QD"),
        (Contract.DIAMONDS, "QD 2D"),
        (Contract.COMPLEX, "KH QH QD 2D"),
    ],
)
def test_must_dump_throws_a_penalty_card_of_the_contract(contract: Contract, thrown: str) -> None:
    assert legal(void_in_spades(contract, "KH QH QD 2D", must_dump="on"), E) == cards(thrown)


def test_must_dump_asks_nothing_of_who_holds_no_penalty_card() -> None:
    state = void_in_spades(Contract.KING, "2H 3H 2D 3D", must_dump="on")
    assert len(legal(state, E)) == 13


def test_must_dump_has_nothing_to_throw_in_ltoosh() -> None:
    """Whatever a void player holds: here, one after the other, all of three suits."""
    hands = suits_to("H", "S", "D", "C")
    state = deal_of(rules(CLASSIC, must_dump="on"), S, hands, Contract.LTOOSH)
    play(state, "2H")
    while state.turn != S:
        assert len(legal(state, state.turn)) == 13
        play_lowest(state)


def test_must_dump_is_off_in_the_presets() -> None:
    assert len(legal(void_in_spades(Contract.KING, "KH QH QD 2D"), E)) == 13


def all_to_south(contract: Contract, **overrides: object) -> State:
    """South holds every spade and leads: all thirteen tricks are his."""
    preset = "dananeer-complex" if contract is Contract.COMPLEX else CLASSIC
    options = rules(preset, early_end="off", **overrides)
    state = deal_of(options, S, suits_to("S", "H", "D", "C"), contract)
    answer(state, {N: "QD"} if overrides.get("doubling") else None)
    return finish_deal(state)


def test_capot_wins_what_all_tricks_would_have_cost() -> None:
    assert all_to_south(Contract.LTOOSH).scores == [-195, 0, 0, 0]
    assert all_to_south(Contract.LTOOSH, capot="on").scores == [195, 0, 0, 0]
    assert all_to_south(Contract.COMPLEX).scores == [-500, 0, 0, 0]
    assert all_to_south(Contract.COMPLEX, capot="on").scores == [500, 0, 0, 0]


@pytest.mark.parametrize(
    ("contract", "cost"), [(Contract.KING, 75), (Contract.QUEENS, 100), (Contract.DIAMONDS, 130)]
)
def test_capot_is_about_contracts_that_charge_tricks(contract: Contract, cost: int) -> None:
    assert all_to_south(contract, capot="on").scores == [-cost, 0, 0, 0]


def test_capot_leaves_a_doublers_gain_alone() -> None:
    """North doubled QD: South pays 25 more, which capot turns round; North keeps his 25."""
    assert all_to_south(Contract.COMPLEX, doubling="on").scores == [-525, 0, 25, 0]
    assert all_to_south(Contract.COMPLEX, doubling="on", capot="on").scores == [525, 0, 25, 0]


def test_twelve_tricks_are_no_capot() -> None:
    # South's spades but the two take twelve tricks; East's AH, kept for the two of hearts, the last.
    hands = deal({S: (suit("S") - {"2S"}) | {"2H"}, E: cards("AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2S")})
    state = deal_of(rules(CLASSIC, capot="on"), S, hands, Contract.LTOOSH)
    order = [f"{rank}S" for rank in "AKQJT9876543"] + ["2H"]
    for card in order:
        play(state, card)
        finish_trick(state)
    assert state.phase is Phase.OVER
    assert sorted(state.scores) == [-180, -15, 0, 0]

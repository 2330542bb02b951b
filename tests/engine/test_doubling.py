"""Doubling: every row of the worked tables and of the general one, played out through `submit`.

A row names the leader, the trick in the order it is played, who doubled what, and what each seat
then gets. The four hands are made to fit, the leader owns the kingdom, and the trick is its first.
"""

import pytest

from games.engine import Contract, Options, Phase, State, legal_actions, submit, to_act
from tests.engine.positions import (
    SEATS,
    E,
    N,
    S,
    W,
    answer,
    cards,
    deal,
    deal_for_trick,
    deal_of,
    legal,
    play,
    rules,
    say,
    suit,
)


def after_trick(options: Options, contract: str, leader: str, trick: str, doubled: str) -> State:
    """The position after this first trick of a deal; ``doubled`` as in ``"QS@W QH@S"``."""
    first = SEATS.index(leader)
    by_seat: dict[int, list[str]] = {}
    for text in doubled.split():
        card, seat = text.split("@")
        by_seat.setdefault(SEATS.index(seat), []).append(card)
    hands = deal_for_trick(first, trick, by_seat)
    state = deal_of(options, first, hands, Contract[contract.upper()])
    answer(state, {seat: " ".join(named) for seat, named in by_seat.items()})
    play(state, trick)
    return state


# Leader, trick (leader first), doubled, deltas S/E/N/W under dananeer and under eram.
QUEENS = [
    ("S", "QS KS 3S 4S", "QS@S", (25, -50, 0, 0), (25, -50, 0, 0)),
    ("W", "2S QS 5S 9S", "QS@S", (-50, 0, 0, 25), (-25, 0, 0, 0)),
    ("S", "QS 5S 9S 2S", "QS@S", (-50, 0, 0, 0), (-25, 0, 0, 0)),
    ("N", "AC QS QH 5C", "QS@W QH@S", (25, 0, -100, 25), (25, 0, -100, 25)),
    ("N", "5S QS QH 9S", "QS@W QH@S", (25, 0, 25, -100), (25, 0, 0, -75)),
    ("W", "QS QH 5S 9S", "QS@W QH@S", (25, 0, 0, -100), (25, 0, 0, -75)),
    ("N", "5S QS QH 9S", "QS@W", (0, 0, 25, -75), (0, 0, 0, -50)),
    ("N", "5S QS 3S 9S", "QH@W", (0, 0, 0, -25), (0, 0, 0, -25)),
    ("N", "5C QS AC 9C", "QS@W QH@S", (-50, 0, 0, 25), (-50, 0, 0, 25)),
    ("S", "QS QH QD QC", "QS@S QH@E QD@N QC@W", (-200, 25, 25, 25), (-175, 25, 25, 25)),
]
KING = [
    ("W", "2H KH 5H 9H", "KH@S", (-150, 0, 0, 75), (-75, 0, 0, 0)),
    ("S", "KH 5H 9H 2H", "KH@S", (-150, 0, 0, 0), (-75, 0, 0, 0)),
    ("S", "KH AH 3H 4H", "KH@S", (75, -150, 0, 0), (75, -150, 0, 0)),
]


@pytest.mark.parametrize(("leader", "trick", "doubled", "dananeer", "eram"), QUEENS)
def test_worked_queens(leader: str, trick: str, doubled: str, dananeer: tuple, eram: tuple) -> None:
    # The row in which West doubled QH and played his other queen: QH stays in his hand.
    assert tuple(after_trick(rules("dananeer"), "queens", leader, trick, doubled).scores) == dananeer
    assert tuple(after_trick(rules("eram"), "queens", leader, trick, doubled).scores) == eram


@pytest.mark.parametrize(("leader", "trick", "doubled", "dananeer", "eram"), KING)
def test_worked_king(leader: str, trick: str, doubled: str, dananeer: tuple, eram: tuple) -> None:
    for preset, expected in (("dananeer", dananeer), ("eram", eram)):
        state = after_trick(rules(preset), "king", leader, trick, doubled)
        assert tuple(state.scores) == expected
        assert state.phase is Phase.OVER


# The general table: South holds the card of value v; what S, E, N, W get, in units of v.
GENERAL = [
    # another takes it: the taker loses 2, the doubler gains 1, whoever led
    ("S", "Q{0} K{0} 3{0} 4{0}", True, "plain", (1, -2, 0, 0)),
    ("S", "Q{0} K{0} 3{0} 4{0}", True, "leader", (1, -2, 0, 0)),
    ("S", "Q{0} K{0} 3{0} 4{0}", True, "leader_or_self", (1, -2, 0, 0)),
    ("W", "2{0} Q{0} K{0} 4{0}", True, "plain", (1, -2, 0, 0)),
    ("W", "2{0} Q{0} K{0} 4{0}", True, "leader", (1, -2, 0, 0)),
    ("W", "2{0} Q{0} K{0} 4{0}", True, "leader_or_self", (1, -2, 0, 0)),
    # the doubler takes it, another led
    ("W", "2{0} Q{0} 3{0} 4{0}", True, "plain", (-1, 0, 0, 0)),
    ("W", "2{0} Q{0} 3{0} 4{0}", True, "leader", (-2, 0, 0, 1)),
    ("W", "2{0} Q{0} 3{0} 4{0}", True, "leader_or_self", (-2, 0, 0, 1)),
    # the doubler takes it and led it
    ("S", "Q{0} 2{0} 3{0} 4{0}", True, "plain", (-1, 0, 0, 0)),
    ("S", "Q{0} 2{0} 3{0} 4{0}", True, "leader", (-2, 0, 0, 0)),
    ("S", "Q{0} 2{0} 3{0} 4{0}", True, "leader_or_self", (-1, 0, 0, 0)),
    # not doubled: the taker loses 1
    ("S", "Q{0} K{0} 3{0} 4{0}", False, "leader", (0, -1, 0, 0)),
    ("W", "2{0} Q{0} 3{0} 4{0}", False, "leader", (-1, 0, 0, 0)),
    ("W", "2{0} Q{0} 3{0} 4{0}", False, "leader_or_self", (-1, 0, 0, 0)),
    ("S", "Q{0} 2{0} 3{0} 4{0}", False, "plain", (-1, 0, 0, 0)),
]


@pytest.mark.parametrize("letter", ["S", "H", "D", "C"])
@pytest.mark.parametrize(("leader", "trick", "doubled", "self_take", "deltas"), GENERAL)
def test_general_table_for_each_queen(
    letter: str, leader: str, trick: str, doubled: bool, self_take: str, deltas: tuple
) -> None:
    options = rules("dananeer", self_take=self_take)
    named = f"Q{letter}@S" if doubled else ""
    state = after_trick(options, "queens", leader, trick.format(letter), named)
    assert state.scores == [25 * delta for delta in deltas]


@pytest.mark.parametrize(("leader", "trick", "doubled", "self_take", "deltas"), GENERAL)
def test_general_table_for_the_king(
    leader: str, trick: str, doubled: bool, self_take: str, deltas: tuple
) -> None:
    options = rules("dananeer", self_take=self_take)
    hearts = trick.replace("K{0}", "AH").replace("Q{0}", "KH").format("H")
    state = after_trick(options, "king", leader, hearts, "KH@S" if doubled else "")
    assert state.scores == [75 * delta for delta in deltas]


def test_point_values_scale_the_doubling() -> None:
    options = rules("dananeer", king_value=40, queen_value=7)
    assert after_trick(options, "king", "W", "2H KH 5H 9H", "KH@S").scores == [-80, 0, 0, 40]
    assert after_trick(options, "queens", "W", "2S QS 5S 9S", "QS@S").scores == [-14, 0, 0, 7]


def test_doublers_outside_the_trick_get_nothing() -> None:
    """ "The doubler" of the queens text is the doubler of a queen in this trick."""
    state = after_trick(rules("dananeer"), "queens", "N", "QS KS 3S 4S", "QS@N QH@S QD@E QC@E")
    assert state.scores == [0, 0, 25, -50]


def test_undoubled_queens_in_the_same_trick_cost_the_plain_value() -> None:
    state = after_trick(rules("dananeer"), "queens", "N", "AC QS QH 5C", "QS@W")
    assert state.scores == [0, 0, -75, 25]


# -- forced_strict -----------------------------------------------------------------------------


def led_to_south(options: Options, spades: str) -> State:
    """West leads 2S and South, who doubled QS and holds these spades, takes with it."""
    hands = deal({S: cards(spades), W: ["2S"], N: ["3S"], E: ["4S"]}, {S: suit("S") - cards(spades)})
    state = deal_of(options, W, hands, Contract.QUEENS)
    answer(state, {S: "QS"})
    play(state, "2S QS 4S 3S")
    return state


@pytest.mark.parametrize("self_take", ["leader", "leader_or_self"])
def test_forced_strict_pays_the_leader_only_when_the_doubler_had_no_other_card(self_take: str) -> None:
    strict = rules("dananeer", self_take=self_take, forced_strict=True)
    assert led_to_south(strict, "QS").scores == [-50, 0, 0, 25]
    assert led_to_south(strict, "QS 5S").scores == [-50, 0, 0, 0]


def test_without_forced_strict_another_led_is_enough() -> None:
    loose = rules("dananeer", forced_strict=False)
    assert led_to_south(loose, "QS").scores == [-50, 0, 0, 25]
    assert led_to_south(loose, "QS 5S").scores == [-50, 0, 0, 25]


def test_forced_strict_changes_nothing_in_plain() -> None:
    strict = rules("eram", forced_strict=True)
    assert led_to_south(strict, "QS").scores == [-25, 0, 0, 0]
    assert led_to_south(strict, "QS 5S").scores == [-25, 0, 0, 0]


def test_forced_strict_wants_the_card_to_be_forced_on_his_own_lead_too() -> None:
    """leader_or_self: a doubler who leads his queen freely pays 2v; with it as his last card v."""
    options = rules("dananeer", self_take="leader_or_self", forced_strict=True)
    free = after_trick(options, "queens", "S", "QS 2S 3S 4S", "QS@S")
    assert free.scores == [-50, 0, 0, 0]

    last = deal_of(options, S, deal({S: suit("S"), E: ["QH"], N: ["QD"], W: ["QC"]}), Contract.QUEENS)
    answer(last, {S: "QS"})
    for card in [f"{rank}S" for rank in "AKJT98765432"] + ["QS"]:
        before = last.scores[S]
        play(last, card)
        while last.turn != S and last.phase is Phase.PLAY:
            keep_queens_for_last(last)
    assert last.scores[S] - before == -25 - 75  # his own at the plain price, and the three others


def keep_queens_for_last(state: State) -> None:
    legal = legal_actions(state, state.turn)
    plain = [card for card in legal if card % 13 != 10]
    submit(state, state.turn, (plain or list(legal))[0])


# -- asking and answering ----------------------------------------------------------------------


def spread() -> list[int]:
    """South holds KH and QS, East QH and QD, North no such card, West QC."""
    return deal({S: ["KH", "QS"], E: ["QH", "QD"], W: ["QC"]})


@pytest.mark.parametrize("preset", ["dananeer", "eram"])
def test_the_holder_of_the_king_or_of_queens_is_asked(preset: str) -> None:
    assert to_act(deal_of(rules(preset), N, spread(), Contract.KING)) == (S,)
    assert to_act(deal_of(rules(preset), N, spread(), Contract.QUEENS)) == (S, E, W)


@pytest.mark.parametrize("preset", ["dananeer", "eram"])
@pytest.mark.parametrize("contract", [Contract.DIAMONDS, Contract.LTOOSH, Contract.TRIX])
def test_no_other_contract_is_doubled(preset: str, contract: Contract) -> None:
    assert deal_of(rules(preset), N, spread(), contract).phase is Phase.PLAY


@pytest.mark.parametrize("preset", ["cardkings", "cardkings-partners"])
def test_there_is_no_doubling_on_card_kings(preset: str) -> None:
    for contract in (Contract.KING, Contract.QUEENS):
        assert deal_of(rules(preset), N, spread(), contract).phase is Phase.PLAY


def test_there_is_no_doubling_in_complex_unless_switched_on() -> None:
    for preset in ("dananeer-complex", "cardkings-complex", "cardkings-complex-partners"):
        assert deal_of(rules(preset), N, spread(), Contract.COMPLEX).phase is Phase.PLAY


def test_doubling_in_complex_asks_for_the_king_and_the_queens() -> None:
    options = rules("cardkings-complex", doubling=True)
    state = deal_of(options, N, spread(), Contract.COMPLEX)
    assert to_act(state) == (S, E, W)
    say(state, S, "double QS KH")
    say(state, E, "double QD")
    say(state, W, "double none")
    assert state.phase is Phase.PLAY
    assert state.turn == N


def test_complex_charges_the_doubling_beside_everything_else() -> None:
    options = rules("dananeer-complex", doubling=True)
    # East takes QD, doubled by South: the trick 15, three diamonds 30, the doubled queen 50.
    state = after_trick(options, "complex", "S", "QD KD 3D 4S", "QD@S")
    assert state.scores == [25, -15 - 30 - 50, 0, 0]
    # South, led by West, takes his own KH: trick 15, king 150; West's bonus is 75.
    state = after_trick(options, "complex", "W", "2H KH 5H 9H", "KH@S")
    assert state.scores == [-165, 0, 0, 75]


def test_any_subset_of_the_queens_held_may_be_doubled() -> None:
    state = deal_of(rules("dananeer"), N, spread(), Contract.QUEENS)
    assert legal(state, E) == {"double none", "double QH", "double QD", "double QH QD"}
    assert legal(state, N) == set()


def test_answers_may_come_in_any_order_and_are_revealed_together() -> None:
    state = deal_of(rules("dananeer"), N, spread(), Contract.QUEENS)
    version = state.version
    say(state, W, "double QC")
    say(state, S, "double none")
    assert (state.phase, state.doubled, state.version) == (Phase.DOUBLE, {}, version)
    say(state, E, "double QD QH")
    assert state.phase is Phase.PLAY
    assert state.turn == N
    assert state.version == version + 1
    assert {"SENW"[seat] for seat in state.doubled.values()} == {"E", "W"}
    assert sorted(state.doubled) == [13 + 10, 26 + 10, 39 + 10]

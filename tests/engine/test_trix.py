"""The layout contract: what fits, who must pass, who goes out, and the four ways it can end."""

from random import Random

import pytest

from games.engine import PASS, PRESETS, Contract, DealResult, Options, Phase, State, legal_actions, resume
from games.engine.errors import MustPlay
from tests.engine.positions import (
    E,
    N,
    S,
    W,
    cards,
    deal,
    deal_of,
    legal,
    play,
    play_lowest,
    rules,
    suit,
    suits_to,
)
from tests.engine.strategies import play_out


def trix(hands: list[int], preset: str = "cardkings-complex", **overrides: object) -> State:
    """A trix deal that South owns."""
    return deal_of(rules(preset, **overrides), S, hands, Contract.TRIX)


# -- what fits ---------------------------------------------------------------------------------


def test_only_jacks_open() -> None:
    state = trix(deal({S: cards("JS JD QS TS AH")}))
    assert legal(state, S) == cards("JS JD") | (legal(state, S) & cards("JH JC"))


def test_a_row_grows_at_both_ends_by_one() -> None:
    state = trix(suits_to("S", "H", "D", "C"))
    assert legal(state, S) == {"JS"}
    play(state, "JS JH JD JC")
    assert legal(state, S) == cards("QS TS")
    play(state, "QS TH QD QC")
    assert legal(state, S) == cards("KS TS")
    play(state, "KS")
    assert legal(state, E) == cards("QH 9H")


def others_play(state: State) -> None:
    """Everyone after South plays the lowest card that fits, or passes."""
    while state.turn != S:
        play_lowest(state)


def test_there_is_no_wrap_around_from_ace_to_two() -> None:
    state = trix(suits_to("S", "H", "D", "C"))
    for spade in ("JS", "QS", "KS", "AS"):
        play(state, spade)
        others_play(state)
    assert legal(state, S) == {"TS"}


def test_there_is_no_wrap_around_from_two_to_ace() -> None:
    state = trix(suits_to("S", "H", "D", "C"))
    for spade in ("JS", "TS", "9S", "8S", "7S", "6S", "5S", "4S", "3S", "2S"):
        play(state, spade)
        others_play(state)
    assert legal(state, S) == {"QS"}


def test_a_jack_is_legal_at_any_time() -> None:
    state = trix(deal({S: cards("JS JH"), E: ["QS"]}))
    play(state, "JS QS")
    others_play(state)
    assert "JH" in legal(state, S)


# -- passing -----------------------------------------------------------------------------------


def test_the_owner_without_a_jack_passes() -> None:
    """C: if the kingdom's owner holds no jack at the start, they pass."""
    state = trix(deal({E: cards("JS JH JD JC")}))
    assert legal(state, S) == {"pass"}
    play(state, "-")
    assert state.turn == E
    assert legal(state, E) == cards("JS JH JD JC")


def test_who_can_play_must() -> None:
    state = trix(deal({S: ["JS"]}))
    with pytest.raises(MustPlay):
        play(state, "-")


def test_everyone_may_have_to_pass_but_one() -> None:
    state = trix(deal({W: cards("JS JH JD JC")}))
    play(state, "- - -")
    assert state.turn == W
    assert legal(state, W) == cards("JS JH JD JC")


def test_the_owner_holds_no_jack_in_thirty_per_cent_of_deals() -> None:
    """Exactly C(48, 13) / C(52, 13) = 0.3038: 4000 fixed shuffles, four sigma is 0.03."""
    options = rules("cardkings-complex")
    before = (DealResult(1, S, Contract.COMPLEX, (0, 0, 0, 0)),)
    rng, passes = Random(20), 0
    for _ in range(4000):
        deck = rng.sample(range(52), 52)
        hands = [sum(1 << card for card in deck[13 * seat : 13 * seat + 13]) for seat in range(4)]
        state = resume(options, 2, S, before, 0, hands, None, b"")
        passes += legal_actions(state, S) == (PASS,)
    assert passes / 4000 == pytest.approx(0.304, abs=0.03)


# -- going out ---------------------------------------------------------------------------------


def play_suits(state: State, cards_each: int) -> State:
    """Everyone holds a whole suit: so many rounds of J Q K A T 9 … 2."""
    for rank in "JQKAT98765432"[:cards_each]:
        play(state, f"{rank}S {rank}H {rank}D {rank}C")
    return state


def test_places_are_the_order_of_going_out() -> None:
    state = play_suits(trix(suits_to("S", "H", "D", "C"), trix_end="all"), 13)
    assert state.phase is Phase.OVER
    assert state.out == [S, E, N, W]
    assert state.scores == [200, 150, 100, 50]


def test_the_third_out_ends_the_deal_and_the_last_takes_fifty() -> None:
    state = play_suits(trix(suits_to("S", "H", "D", "C"), trix_end="third"), 12)
    play(state, "2S 2H")
    assert state.phase is Phase.PLAY
    play(state, "2D")
    assert state.phase is Phase.OVER
    assert state.scores == [200, 150, 100, 50]
    assert [hand.bit_count() for hand in state.hands] == [0, 0, 0, 1]


def test_all_52_cards_are_laid_where_the_rules_say_so() -> None:
    state = play_suits(trix(suits_to("S", "H", "D", "C"), trix_end="all"), 12)
    play(state, "2S 2H 2D")
    assert state.phase is Phase.PLAY
    assert state.turn == W
    play(state, "2C")
    assert state.phase is Phase.OVER
    assert state.layout == 2**52 - 1


def test_trix_values_may_be_changed() -> None:
    state = play_suits(trix(suits_to("S", "H", "D", "C"), trix_end="all", trix_values="9/7/4/2"), 13)
    assert state.scores == [9, 7, 4, 2]


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_preset_scores_200_150_100_50(preset: str) -> None:
    state = deal_of(PRESETS[preset], S, suits_to("S", "H", "D", "C"), Contract.TRIX)
    play_out(state, 6)
    assert sorted(state.scores) == [50, 100, 150, 200]


# -- partners ----------------------------------------------------------------------------------

# South and North each hold a suit but its two, and the jack that opens one of the others' suits;
# until they play those, East and West can only pass. In `EQUAL` East has nothing to play before.
FEWER = {
    S: suit("S", "3456789TJQKA") | {"JD"},
    E: suit("D", "23456789TQKA") | {"2S"},
    N: suit("H", "3456789TJQKA") | {"JC"},
    W: suit("C", "23456789TQKA") | {"2H"},
}
EQUAL = {
    **FEWER,
    E: suit("D", "23456789TQKA") | {"2C"},
    W: suit("C", "3456789TQKA") | {"2S", "2H"},
}


def south_and_north_out(hands: dict[int, set[str]], **overrides: object) -> State:
    """South goes out first and North second, with East and West holding cards."""
    state = trix(deal(hands), "cardkings-complex-partners", **overrides)
    for rank in "JQKAT987654":
        play(state, f"{rank}S - {rank}H -")
    twos = "3S 2S 3H 2H" if hands is FEWER else "3S - 3H 2S"
    play(state, twos)
    play(state, "JD QD JC")
    return state


def test_partners_out_first_and_second_end_the_deal_at_once() -> None:
    """C: their team takes 200 and 150; the 100 goes to whoever has fewer cards left."""
    state = south_and_north_out(FEWER)
    assert state.phase is Phase.OVER
    assert [hand.bit_count() for hand in state.hands] == [0, 11, 0, 12]
    assert state.scores == [200, 100, 150, 50]


@pytest.mark.parametrize("first", range(4))
def test_any_two_partners_out_first_and_second_end_the_deal_at_once(first: int) -> None:
    """The same deal turned by one seat after the other: East with West, and North before South."""
    turned = {(seat + first) % 4: held for seat, held in FEWER.items()}
    state = deal_of(rules("cardkings-complex-partners"), first, deal(turned), Contract.TRIX)
    for rank in "JQKAT987654":
        play(state, f"{rank}S - {rank}H -")
    play(state, "3S 2S 3H 2H JD QD JC")
    assert state.phase is Phase.OVER
    assert [state.scores[(first + n) % 4] for n in range(4)] == [200, 100, 150, 50]


def test_without_partners_the_same_deal_goes_on() -> None:
    state = south_and_north_out(FEWER, partners="off")
    assert state.phase is Phase.PLAY
    assert state.out == [S, N]
    assert state.turn == W


def test_partners_do_not_end_a_deal_of_all_52_cards() -> None:
    state = south_and_north_out(FEWER, trix_end="all")
    assert state.phase is Phase.PLAY
    play_out(state, 1)
    assert state.layout == 2**52 - 1
    assert (state.scores[S], state.scores[N]) == (200, 150)


def test_who_is_out_is_skipped() -> None:
    state = south_and_north_out(FEWER, trix_end="all")
    seats = [W]
    while state.phase is Phase.PLAY:
        play_lowest(state)
        seats.append(state.turn)
    assert set(seats[:-1]) == {E, W}
    assert [seat for seat, _ in state.plays[-23:]][:4] == [W, E, W, E]


def test_the_last_player_lays_all_his_cards_alone() -> None:
    """All-52 ending: he always can."""
    state = south_and_north_out(FEWER, trix_end="all")
    while len(state.out) < 3:
        play_lowest(state)
    last = state.turn
    while state.phase is Phase.PLAY:
        assert state.turn == last
        play_lowest(state)
    assert state.out[3] == last


def test_equal_counts_give_the_third_place_to_the_seat_next_to_act() -> None:
    state = south_and_north_out(EQUAL)
    assert [hand.bit_count() for hand in state.hands] == [0, 12, 0, 12]
    assert state.scores == [200, 50, 150, 100]  # after North it is West


def test_equal_counts_may_be_split() -> None:
    assert south_and_north_out(EQUAL, equal_count="split").scores == [200, 75, 150, 75]


def test_the_split_leaves_unequal_counts_alone() -> None:
    assert south_and_north_out(FEWER, equal_count="split").scores == [200, 100, 150, 50]


def test_partners_out_first_and_third_are_nothing_special() -> None:
    state = play_suits(trix(suits_to("S", "H", "D", "C"), "cardkings-complex-partners"), 12)
    play(state, "2S 2H")
    assert state.phase is Phase.PLAY  # South and East are out: no partners
    play(state, "2D")
    assert state.scores == [200, 150, 100, 50]


@pytest.mark.parametrize("options", [PRESETS["eram"], PRESETS["cardkings"], PRESETS["dananeer"]])
def test_single_players_end_as_their_preset_says(options: Options) -> None:
    state = deal_of(options, S, suits_to("S", "H", "D", "C"), Contract.TRIX)
    play_suits(state, 12)
    play(state, "2S 2H 2D")
    assert (state.phase is Phase.OVER) == (options is not PRESETS["dananeer"])

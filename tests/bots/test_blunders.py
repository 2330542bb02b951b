"""Mistakes that bots make elsewhere, as positions that every level above ``random`` gets right."""

from functools import partial

import pytest

from games.bots import LEVELS
from games.bots.knowledge import Knowledge, shown
from games.bots.stakes import stakes
from games.engine import Contract, view
from tests.bots.table import chosen, hand, last_to_play, on_lead
from tests.engine.positions import E, N, S, W, answer, cards, deal, deal_of, legal, play, rules, suit

KING, QUEENS, DIAMONDS, LTOOSH, TRIX, COMPLEX = Contract
PLAIN = rules("cardkings")
ALL_AT_ONCE = rules("cardkings-complex")
PARTNERS = rules("cardkings-partners")


@pytest.fixture(params=[level for level in LEVELS if level != "random"])
def chooses(request):
    """What a level does in the seat to act."""
    return partial(chosen, request.param)


def table_of(contract):
    return ALL_AT_ONCE if contract is COMPLEX else PLAIN


@pytest.mark.parametrize(
    ("contract", "south", "table", "ducks"),
    [
        (KING, "5432.A2.432.5432", "5H KH 9H", "2H"),
        (QUEENS, "A2.432.5432.5432", "5S QS KS", "2S"),
        (DIAMONDS, "5432.432.A2.5432", "5D 9D TD", "2D"),
        (LTOOSH, "5432.432.5432.A2", "6C 9C TC", "2C"),
        (LTOOSH, "5432.432.543.A82", "6C 9C TC", "8C"),
        (COMPLEX, "5432.432.543.A82", "6C QC TC", "8C"),
    ],
)
def test_last_to_play_it_ducks_as_high_as_it_can(chooses, contract, south, table, ducks):
    assert chooses(last_to_play(table_of(contract), contract, south, table)) == ducks


def test_it_drops_the_queen_under_a_higher_card_of_her_suit(chooses):
    assert chooses(last_to_play(PLAIN, QUEENS, "QJ2.432.5432.432", "5S KS 9S")) == "QS"


def test_it_drops_the_king_under_the_ace(chooses):
    assert chooses(last_to_play(PLAIN, KING, "5432.KQ2.432.432", "5H AH 9H")) == "KH"


def test_a_trick_that_costs_nothing_is_taken_with_the_most_dangerous_card(chooses):
    assert chooses(last_to_play(PLAIN, QUEENS, "A84.432.432.5432", "5S 6S 7S")) == "AS"


def test_it_does_not_take_a_trick_with_its_own_queen(chooses):
    assert chooses(last_to_play(PLAIN, QUEENS, "KQ.5432.432.5432", "5S 6S 7S")) == "KS"


@pytest.mark.parametrize(
    ("contract", "south", "thrown"),
    [
        (KING, "65432.K32.A5432.", "KH"),
        (QUEENS, "65432.K5432.Q32.", "QD"),
        (DIAMONDS, "A65432.K5432.Q5.", "QD"),
        (LTOOSH, "65432.65432.A32.", "AD"),
        (COMPLEX, "65432.K32.J5432.", "KH"),
    ],
)
def test_void_it_throws_away_what_would_cost_most(chooses, contract, south, thrown):
    assert chooses(last_to_play(table_of(contract), contract, south, "5C KC 9C")) == thrown


def test_a_high_card_of_another_suit_does_not_take_the_trick(chooses):
    """9C takes so far, not AD: 8C ducks, KC does not."""
    assert chooses(last_to_play(PLAIN, DIAMONDS, "5432.432.5432.K8", "9C AD 2C")) == "8C"


def test_it_does_not_lead_a_suit_that_nobody_else_holds(chooses):
    clubs = suit("C") - cards("TC 9C 8C")
    hands = deal({S: clubs | cards("AS 2D 3D"), E: cards("TC KS"), N: cards("9C 3S"), W: cards("8C 4S")})
    state = deal_of(PLAIN, S, hands, LTOOSH)
    play(state, "2C TC 9C 8C KS 3S 4S AS")
    assert chooses(state) in {"2D", "3D"}


# -- options -----------------------------------------------------------------------------------


def test_with_a_partner_it_throws_no_penalty_on_his_trick(chooses):
    south, table = "A65432.Q5432.32.", "5C AC 9C"
    assert chooses(last_to_play(PLAIN, QUEENS, south, table)) == "QH"
    assert chooses(last_to_play(PARTNERS, QUEENS, south, table)) != "QH"


def test_with_a_partner_it_still_throws_on_the_others(chooses):
    assert chooses(last_to_play(PARTNERS, QUEENS, "A65432.Q5432.32.", "AC 5C 9C")) == "QH"


def test_it_takes_over_its_partner_s_trick_with_a_card_it_wants_to_lose(chooses):
    """North, the partner, has the trick: it costs the side the same, and the ace is gone."""
    south, table = "5432.432.543.A82", "6C TC 9C"
    assert chooses(last_to_play(PARTNERS, LTOOSH, south, table)) == "AC"
    assert chooses(last_to_play(PLAIN, LTOOSH, south, table)) == "8C"


def test_it_weighs_the_points_of_the_options(chooses):
    cheap, dear = (rules("cardkings-complex", trick_value=value) for value in (0, 90))
    south, table = "5432.432.543.A82", "6C 9C TC"
    assert chooses(last_to_play(cheap, COMPLEX, south, table)) == "AC"
    assert chooses(last_to_play(dear, COMPLEX, south, table)) == "8C"


def test_under_capot_it_stops_who_has_taken_everything(chooses):
    assert [chooses(twelfth_trick(capot)) for capot in (True, False)] == ["AC", "2C"]


def twelfth_trick(capot):
    """East has taken eleven tricks with spades and leads 5C, with 3S to come; South has AC and 2C left."""
    options = rules("cardkings", capot=capot)
    spades = [rank + "S" for rank in "AKQJT987654"]
    blacks = suit("S") | suit("C")
    hands = deal({E: cards("5C 3S") | set(spades), S: suit("C") - {"5C"} | {"2S"}}, {W: blacks, N: blacks})
    state = deal_of(options, E, hands, LTOOSH)
    for spade in spades:
        play(state, spade)
        while state.trick:
            play(state, thrown_first(state))
    play(state, "5C")
    while state.turn != S:
        play(state, thrown_first(state))
    return state


def thrown_first(state):
    """The legal card that South keeps shortest: all but its two clubs."""
    return min(legal(state, state.turn), key=lambda card: (card in {"AC", "2C"}, card))


def test_under_capot_it_sweeps_with_cards_that_cannot_lose(chooses):
    """South has all tricks so far and only winners left: without capot it would rather not be on lead."""
    sweep = "AKQJT98765432..."
    assert chooses(on_lead(rules("cardkings", capot=True), LTOOSH, sweep)) == "AS"


def test_who_throws_no_penalty_though_he_must_has_none():
    """must_dump: North, void, threw a spade, so he holds no diamond: a late trick is safe from him."""
    free, must = (known_after_throw(rules("cardkings", must_dump=must_dump)) for must_dump in (False, True))
    assert free.throws[N][3] > 0
    assert must.throws[N][3] == 0


def known_after_throw(options):
    hands = deal({E: ["9C"], N: ["AS"], W: ["2C"], S: ["KC"]}, {N: suit("C") | suit("D")})
    state = deal_of(options, E, hands, DIAMONDS)
    play(state, "9C AS 2C")
    return Knowledge(view(state, S), stakes(DIAMONDS, options, (), S))


def test_who_leads_hearts_last_has_nothing_else():
    """lead_restriction=hearts_in_king: East led a heart, so he lacks the other suits."""
    assert shown_by_a_heart_lead("hearts_in_king") == {"S", "D", "C"}
    assert shown_by_a_heart_lead("none") == set()


def shown_by_a_heart_lead(restriction):
    options = rules("cardkings", lead_restriction=restriction)
    hands = deal({E: suit("H", "23456789TJQKA")})
    state = deal_of(options, E, hands, KING)
    play(state, "2H")
    void, _ = shown(view(state, S))
    return {letter for number, letter in enumerate("SHDC") if void[E] >> number & 1}


def test_it_hunts_a_doubled_queen_that_must_fall_on_its_lead(chooses):
    """East's doubled QS is one of two spades out, most likely bare: led to, she earns the leader 25."""
    hands = deal({S: hand("AKJT9876543.2.2."), E: ["QS"]})
    state = deal_of(rules("dananeer"), S, hands, QUEENS)
    answer(state, {E: "QS"})
    assert chooses(state) in {"JS", "TS", "9S", "8S", "7S", "6S", "5S", "4S", "3S"}

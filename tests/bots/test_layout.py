"""Playing the layout of trix: open what leads to my own cards, hold back what lets the others on."""

import pytest

from games.bots.layout import GIFT, opening
from games.engine import Contract
from games.engine.cards import parse_card
from tests.bots.table import greedy, hand, on_lead
from tests.engine.positions import E, N, W, mask, rules

PLAIN, PARTNERS = rules("cardkings"), rules("cardkings-partners")


def better(held: str, *playable: str) -> str:
    """Of these cards the one that opens most for a hand."""
    return max(playable, key=lambda card: opening(parse_card(card), mask(hand(held)), GIFT))


@pytest.mark.parametrize(
    ("south", "opens"),
    [
        ("J2.J.AKQ98765.43", "JS"),  # the two of spades has far to go
        ("J.JT98.AKQ9876.4", "JH"),  # a run of its own
    ],
)
def test_it_opens_the_suit_that_leads_to_its_own_cards(south, opens):
    assert greedy(on_lead(PLAIN, Contract.TRIX, south)) == opens


def test_what_only_lets_others_on_is_held_back():
    assert better("7.762.5432.5432", "7S", "7H") == "7H"
    assert better("T.T9876.432.5432", "TS", "TH") == "TH"


def test_of_two_ways_to_its_own_cards_the_longer_comes_first():
    """7S must bring four cards of others down before the two, 7H is followed at once by its six."""
    assert better("72.76.AKQ.AKQJT9", "7S", "7H") == "7S"


def test_a_jack_opens_both_ways():
    assert better("J.AJ2.AKQ.AKQJT9", "JS", "JH") == "JH"


def test_the_partner_s_exposed_two_is_as_good_as_its_own():
    south, others = "J.J.AKQT98765.43", {E: "2S", N: "2H", W: "2D 2C"}
    shown = rules("cardkings-partners", exposed_twos=True)
    assert greedy(on_lead(shown, Contract.TRIX, south, others)) == "JH"
    assert greedy(on_lead(PARTNERS, Contract.TRIX, south, others)) == "JS"

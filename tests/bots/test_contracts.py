"""Which contract ``greedy`` chooses in its kingdom."""

import pytest

from games.bots.contracts import at_stake, promise
from games.engine import PRESETS, Contract, new_match, submit
from tests.bots.table import decision, greedy, hand
from tests.engine.positions import S, deal, mask, rules

PLAIN = rules("cardkings")


def chosen(south, options=PLAIN):
    """What South, who holds 7H and so owns the first kingdom, chooses."""
    redealt = deal({}) if options.redeal == "first_owner" else None
    return greedy(new_match(options, deal({S: hand(south)}), redealt))


@pytest.mark.parametrize(
    ("south", "contract"),
    [
        ("JT98.JT97.JT9.JT", "trix"),
        ("5432.7432.432.32", "ltoosh"),
        ("KT98.T7.65432.T9", "diamonds"),  # five low ones: others take them
        ("AK32.A72.AK2.AK2", "king"),  # high cards, but not that one
    ],
)
def test_it_chooses_what_its_hand_is_best_for(south, contract):
    assert chosen(south) == f"choose {contract}"


@pytest.mark.parametrize(
    ("south", "contract"), [("JT98.JT97.JT9.JT", "trix"), ("5432.7432.432.32", "complex")]
)
def test_in_complex_kingdoms_too(south, contract):
    assert chosen(south, rules("cardkings-complex")) == f"choose {contract}"


def test_a_guarded_king_of_hearts_is_better_than_a_bare_one():
    guarded, bare = mask(hand("KQ2.K7654.432.32")), mask(hand("K7654.K.65432.32"))
    assert promise(guarded, Contract.KING, PLAIN) > promise(bare, Contract.KING, PLAIN)


def test_it_weighs_what_a_contract_is_worth_under_the_options():
    south = "5432.7432.432.32"
    assert chosen(south, rules("cardkings", trick_value=0)) != "choose ltoosh"
    assert promise(mask(hand(south)), Contract.LTOOSH, rules("cardkings", trick_value=0)) == 0


def test_the_published_rules_have_the_stakes_that_the_table_was_fitted_to():
    expected = {"king": 75, "queens": 100, "diamonds": 130, "ltoosh": 195, "trix": 150, "complex": 500}
    for options in PRESETS.values():
        assert {c.text: at_stake(c, options) for c in Contract} == expected


def test_it_has_a_bad_hand_dealt_anew_once():
    options = rules("cardkings", redeal="first_owner")
    hands = deal({S: hand("AKQ2.AK72.AK2.A2")})
    state = new_match(options, hands, deal({S: hand("AKQ2.AK72.AK2.A2")}))
    assert greedy(state) == "redeal"
    submit(state, S, decision("greedy", state, S))
    assert greedy(state).startswith("choose")


def test_it_keeps_a_good_hand():
    assert chosen("JT98.JT97.JT9.JT", rules("cardkings", redeal="first_owner")) == "choose trix"

"""Which cards ``greedy`` doubles."""

import pytest

from games.engine import Contract
from tests.bots.table import doubles, hand
from tests.engine.positions import S, deal, deal_of, rules

DANANEER, ERAM = rules("dananeer"), rules("eram")


def south_doubles(options, contract, south):
    return doubles(deal_of(options, S, deal({S: hand(south)}), contract), S)


@pytest.mark.parametrize(
    ("south", "doubled"),
    [
        ("432.K.A5432.5432", set()),  # bare: it is his as soon as hearts are led
        ("5432.K2.5432.432", set()),
        ("AKQ.AK.AKQJ.AKQJ", set()),
        ("432.K5432.432.43", {"KH"}),  # long enough to duck hearts to the end
        ("5432.K543.65432.", {"KH"}),  # three under it, and clubs to throw it on
    ],
)
def test_a_guarded_king_is_doubled(south, doubled):
    assert south_doubles(DANANEER, Contract.KING, south) == doubled


@pytest.mark.parametrize(
    ("south", "doubled"),
    [
        ("Q.5432.5432.5432", set()),
        ("AKQ.432.5432.432", set()),
        ("Q5432.432.432.32", {"QS"}),
        ("Q5432.Q.Q2.65432", {"QS", "QD"}),  # a heart to get rid of, then diamonds go on hearts
        ("Q543.Q543.Q43.Q4", {"QS", "QH", "QD"}),
    ],
)
def test_guarded_queens_are_doubled(south, doubled):
    assert south_doubles(DANANEER, Contract.QUEENS, south) == doubled


@pytest.mark.parametrize(
    ("contract", "south", "doubled"),
    [
        (Contract.KING, "5432.K.5432.5432", {"KH"}),
        (Contract.QUEENS, "AKQ.432.5432.Q32", {"QS", "QC"}),
    ],
)
def test_where_the_doubler_risks_nothing_everything_is_doubled(contract, south, doubled):
    """eram: who takes his own doubled card pays what he would have paid anyway."""
    assert south_doubles(ERAM, contract, south) == doubled


def test_in_complex_the_king_and_the_queens_are_asked_for_together():
    options = rules("dananeer-complex", doubling=True)
    assert south_doubles(options, Contract.COMPLEX, "Q5432.K5432.Q.43") == {"QS", "KH"}

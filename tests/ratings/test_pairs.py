"""A match as one player's pairs: what was expected, what came of it, and that it explains the change."""

from hypothesis import given
from hypothesis import strategies as st

from ratings.maths import PARTNERS, SINGLES, Entrant, Schedule, changes, expected
from ratings.pairs import pairs_of, sums
from tests.ratings.test_maths import single_tables, team_tables

CONSTANT = Schedule(start=24, floor=24)


def test_a_match_of_four_is_three_pairs_of_each():
    table = [Entrant(1500 + 100 * side, 30, side, place) for side, place in enumerate((3, 1, 2, 4))]
    pairs = pairs_of(table, 0)
    assert [(pair.other, pair.rating, pair.score) for pair in pairs] == [
        (1, 1600, 0.0),
        (2, 1700, 0.0),
        (3, 1800, 1.0),
    ]
    of = sums(pairs)
    assert (of.pairs, of.score) == (3, 1.0)
    assert of.expected == sum(expected(1500, other) for other in (1600, 1700, 1800))


def test_partners_are_no_pair_and_count_with_the_mean_of_their_side():
    table = [
        Entrant(rating, 30, seat % 2, 1 + seat % 2) for seat, rating in enumerate((1400, 1500, 1700, 1800))
    ]
    assert [(pair.other, pair.own, pair.rating, pair.score) for pair in pairs_of(table, 0)] == [
        (1, 1550, 1650, 1.0),
        (3, 1550, 1650, 1.0),
    ]


def test_who_left_is_below_who_stayed_and_no_pair_of_another_who_left():
    table = [Entrant(1500, 30, side, side + 1, left=side in (0, 3)) for side in range(4)]
    assert [(pair.other, pair.score) for pair in pairs_of(table, 0)] == [(1, 0.0), (2, 0.0)]
    assert [(pair.other, pair.score) for pair in pairs_of(table, 1)] == [(0, 1.0), (2, 1.0), (3, 1.0)]


@given(single_tables())
def test_in_singles_a_constant_k_moves_by_a_third_of_it_for_each_point_over_expectation(table):
    for at, delta in enumerate(changes(table, SINGLES, CONSTANT)):
        of = sums(pairs_of(table, at))
        assert abs(delta - 24 / 3 * (of.score - of.expected)) < 1e-5


@given(team_tables())
def test_with_partners_it_moves_by_a_quarter_of_it(table):
    for at, delta in enumerate(changes(table, PARTNERS, CONSTANT)):
        of = sums(pairs_of(table, at))
        assert abs(delta - 24 / 4 * (of.score - of.expected)) < 1e-5


@given(st.one_of(single_tables(), team_tables()))
def test_what_one_scores_the_other_does_not(table):
    scores = {(at, pair.other): pair for at in range(len(table)) for pair in pairs_of(table, at)}
    for (one, two), pair in scores.items():
        other = scores[two, one]
        assert pair.score + other.score == 1
        assert abs(pair.expected + other.expected - 1) < 1e-12

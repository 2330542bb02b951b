"""Chances at a table before it starts: examples worked by hand, and what must hold for any ratings."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.maths import PARTNERS, SINGLES, expected
from ratings.odds import expected_places, place_chances, win_chances

RATINGS = st.floats(-500, 4000)
TABLES = st.lists(RATINGS, min_size=4, max_size=4)
WITH_BOTS = st.lists(st.none() | RATINGS, min_size=4, max_size=4)
SIDES = st.sampled_from([SINGLES, PARTNERS])


def present(rows):
    return [row for row in rows if row is not None]


class TestSingles:
    def test_equals_have_a_quarter_of_everything(self):
        assert win_chances([1500] * 4, SINGLES) == [0.25] * 4
        assert place_chances([1500] * 4, SINGLES) == [pytest.approx([0.25] * 4)] * 4
        assert expected_places([1500] * 4, SINGLES) == [2.5] * 4

    def test_chances_are_in_proportion_to_strength(self):
        """400 points are ten times the strength: 10, 1, 1, 1 of 13."""
        assert win_chances([1900, 1500, 1500, 1500], SINGLES) == pytest.approx([10 / 13, *[1 / 13] * 3])

    def test_places_one_by_one(self):
        """Strengths 10, 1, 1, 1: the best is second where one of the others was first, 3/13 times 10/12."""
        first, second, third, last = place_chances([1900, 1500, 1500, 1500], SINGLES)[0]
        assert (first, second) == pytest.approx((10 / 13, 3 / 13 * 10 / 12))
        assert (third, last) == pytest.approx((3 / 13 * 2 / 12 * 10 / 11, 3 / 13 * 2 / 12 * 1 / 11))

    def test_a_house_bot_is_no_part_of_it(self):
        assert win_chances([1900, None, 1500, None], SINGLES) == [
            pytest.approx(10 / 11),
            None,
            pytest.approx(1 / 11),
            None,
        ]
        assert place_chances([None, 1600, 1600, 1600], SINGLES)[0] is None
        assert expected_places([1500, 1500, None, 1500], SINGLES) == [2.0, 2.0, None, 2.0]

    def test_alone_one_is_first(self):
        assert win_chances([None, None, 1234.5, None], SINGLES) == [None, None, 1.0, None]


class TestPartners:
    def test_teams_are_compared_by_their_means(self):
        assert win_chances([2000, 1200, 1800, 1800], PARTNERS) == pytest.approx([10 / 11, 1 / 11] * 2)
        assert expected_places([2000, 1200, 1800, 1800], PARTNERS) == pytest.approx([12 / 11, 21 / 11] * 2)

    def test_a_bot_as_partner_leaves_the_other_ones_rating(self):
        assert win_chances([1900, 1500, None, 1500], PARTNERS) == [
            pytest.approx(10 / 11),
            pytest.approx(1 / 11),
            None,
            pytest.approx(1 / 11),
        ]


@given(WITH_BOTS, SIDES)
def test_everybody_has_one_place_and_every_place_somebody(ratings, sides):
    rows = place_chances(ratings, sides)
    one_each_side = (
        present(rows[:sides]) if sides == SINGLES else present([rows[0] or rows[2], rows[1] or rows[3]])
    )
    for row in one_each_side:
        assert sum(row) == pytest.approx(1, abs=1e-12)
    for place in zip(*one_each_side, strict=True):
        assert sum(place) == pytest.approx(1, abs=1e-12)


@given(WITH_BOTS, SIDES)
def test_wins_and_mean_places_are_those_of_the_whole_distribution(ratings, sides):
    rows = present(place_chances(ratings, sides))
    assert present(win_chances(ratings, sides)) == pytest.approx([row[0] for row in rows], abs=1e-12)
    means = [sum(place * chance for place, chance in enumerate(row, 1)) for row in rows]
    assert present(expected_places(ratings, sides)) == pytest.approx(means, abs=1e-11)


@given(TABLES)
def test_order_of_the_seats_has_no_effect_on_any_bit(ratings):
    """So equal ratings have equal chances."""
    by_rating = {}
    for order in permutations(ratings):
        wins, places = win_chances(order, SINGLES), place_chances(order, SINGLES)
        for rating, win, row in zip(order, wins, places, strict=True):
            assert by_rating.setdefault(rating, (win, row)) == (win, row)


@given(TABLES)
def test_pairs_keep_elos_expectation_whoever_else_sits_there(ratings):
    two = win_chances([*ratings[:2], None, None], SINGLES)
    assert two[:2] == pytest.approx([expected(*ratings[:2]), expected(*reversed(ratings[:2]))], abs=1e-12)
    above = sum(expected(ratings[0], other) for other in ratings[1:])
    assert expected_places(ratings, SINGLES)[0] == pytest.approx(4 - above, abs=1e-12)


@given(TABLES, SIDES, st.floats(0.1, 500))
def test_a_better_rating_never_promises_less(ratings, sides, more):
    better = [ratings[0] + more, *ratings[1:]]
    assert win_chances(better, sides)[0] >= win_chances(ratings, sides)[0]
    assert expected_places(better, sides)[0] <= expected_places(ratings, sides)[0]

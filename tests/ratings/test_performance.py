"""Performance: the rating at which a player was expected to score what he scored."""

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.maths import Entrant, expected
from ratings.pairs import Pair, pairs_of
from ratings.performance import CAP, PRECISION, performance
from tests.ratings.test_maths import single_tables

RESULTS = st.lists(st.tuples(st.floats(500, 2500), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=40)


def pairs(results) -> list[Pair]:
    return [Pair(0, 1500, rating, score) for rating, score in results]


def rating_of(results) -> float:
    return performance(pairs(results)).rating


class TestExamples:
    def test_half_of_the_score_against_equals_is_their_rating(self):
        assert rating_of([(1600, 1.0), (1600, 0.0)]) == pytest.approx(1600, abs=PRECISION)

    def test_ten_to_one_is_400_points(self):
        """10/11 is what 400 points more are expected to score."""
        assert rating_of([(1500, 1.0)] * 10 + [(1500, 0.0)]) == pytest.approx(1900, abs=PRECISION)

    def test_a_match_of_four_counts_three_pairs(self):
        table = [Entrant(1500, 30, side, place) for side, place in enumerate((2, 1, 3, 4))]
        of = performance(pairs_of(table, 0))
        assert (of.pairs, of.score, of.opponents, of.capped) == (3, 2, 1500, False)
        assert 3 * expected(of.rating, 1500) == pytest.approx(2, abs=1e-4)

    def test_a_team_has_one_performance_against_the_mean_of_the_other(self):
        won, lost = (1, 2), (2, 1)
        matches = [
            [
                Entrant(rating, 30, seat % 2, places[seat % 2])
                for seat, rating in enumerate((1400, 1500, 1700, 1800))
            ]
            for places in (won, lost)
        ]
        for partner in (0, 2):
            of = performance([pair for table in matches for pair in pairs_of(table, partner)])
            assert of.rating == pytest.approx(1650, abs=PRECISION)

    def test_who_won_or_lost_all_ends_800_points_from_the_mean_of_his_opponents(self):
        won = performance(pairs([(1400, 1.0), (1600, 1.0)]))
        assert (won.rating, won.capped) == (1500 + CAP, True)
        lost = performance(pairs([(1400, 0.0), (1600, 0.0)]))
        assert (lost.rating, lost.capped) == (1500 - CAP, True)

    def test_who_lost_a_hair_less_than_nothing_is_not_above_who_won_all(self):
        of = performance(pairs([(1500, 1.0)] * 199 + [(1500, 0.5)]))
        assert (of.rating, of.capped) == (1500 + CAP, True)

    def test_without_rated_opponents_there_is_none(self):
        assert performance([]) is None
        assert performance(pairs_of([Entrant(1500, 30, 0, 1)], 0)) is None


@given(RESULTS)
def test_there_the_expected_score_is_the_actual_one(results):
    of = performance(pairs(results))
    low, high = (
        sum(expected(of.rating + off, rating) for rating, _ in results) for off in (-PRECISION, PRECISION)
    )
    assert of.capped or low <= of.score <= high


@given(RESULTS)
def test_it_is_never_further_than_the_cap_from_the_mean_of_the_opponents(results):
    of = performance(pairs(results))
    assert of.opponents == fmean(rating for rating, _ in results)
    assert abs(of.rating - of.opponents) <= CAP + 1e-9
    assert of.capped == (abs(of.rating - of.opponents) >= CAP - 1e-9)


@given(RESULTS, st.randoms(use_true_random=False))
def test_the_order_of_matches_has_no_effect(results, random):
    shuffled = random.sample(results, len(results))
    assert rating_of(shuffled) == pytest.approx(rating_of(results), abs=PRECISION)


@given(RESULTS)
def test_a_better_score_never_gives_less(results):
    better = [(rating, min(1.0, score + 0.5)) for rating, score in results]
    assert rating_of(better) >= rating_of(results)


@given(RESULTS, st.floats(-300, 300))
def test_stronger_opponents_move_it_by_as_much(results, more):
    moved = [(rating + more, score) for rating, score in results]
    assert rating_of(moved) == pytest.approx(rating_of(results) + more, abs=2 * PRECISION)


@given(single_tables())
def test_who_scored_as_expected_performed_at_his_rating(table):
    """And more or less as he scored more or less."""
    for at, entrant in enumerate(table):
        pairs_here = pairs_of(table, at)
        of = performance(pairs_here)
        if of and not of.capped:
            over = of.score - sum(pair.expected for pair in pairs_here)
            assert (of.rating - entrant.rating) * over >= -PRECISION

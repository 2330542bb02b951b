"""Performance ratings: exact where there is an exact one, and what must hold of all of them."""

from itertools import combinations
from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.maths import Entrant, expected
from ratings.performance import FARTHEST, Pair, pairs, performance

scores = st.sampled_from([0.0, 0.5, 1.0])
met = st.lists(st.builds(Pair, st.floats(800, 2400), scores), min_size=1, max_size=40)


def singles(*places: int, left: str = "") -> list[Entrant]:
    """Four players, 1500, 1600, 1700 and 1800; `left` names those who were gone."""
    return [
        Entrant(1500.0 + 100 * seat, 0, seat, place, str(seat) in left) for seat, place in enumerate(places)
    ]


def played_like(met: list[Pair]) -> float:
    found = performance(met)
    assert found is not None
    return found


class TestPairs:
    def test_a_match_of_four_is_three_pairs(self):
        assert pairs(singles(2, 1, 2, 4), 0) == [Pair(1600, 0), Pair(1700, 0.5), Pair(1800, 1)]

    def test_a_seat_without_a_rating_is_none(self):
        assert pairs(singles(1, 2, 3, 4)[:2], 0) == [Pair(1600, 1)]

    def test_teams_are_one_pair_with_their_means(self):
        team = [Entrant(1500.0 + 100 * seat, 0, seat % 2, 1 + seat % 2) for seat in range(4)]
        assert pairs(team, 0) == pairs(team, 2) == [Pair(1700, 1)]
        assert pairs(team, 1) == [Pair(1600, 0)]

    def test_who_left_is_last_against_who_stayed_and_nothing_against_who_left_too(self):
        assert pairs(singles(1, 2, 3, 4, left="01"), 0) == [Pair(1700, 0), Pair(1800, 0)]


class TestPerformance:
    def test_of_nobody_met_is_none(self):
        assert performance([]) is None

    def test_three_quarters_against_equals_are_191_points_above_them(self):
        # 400 log10(3) = 190.85
        assert performance([Pair(1500, 1), Pair(1500, 0.5)]) == pytest.approx(1690.85, abs=0.01)

    def test_all_won_and_all_lost_end_800_from_the_mean(self):
        assert performance([Pair(1400, 1), Pair(1600, 1)]) == 2300
        assert performance([Pair(1400, 0), Pair(1600, 0)]) == 700

    def test_nearly_all_won_ends_there_too(self):
        assert performance([Pair(1500, 1)] * 999 + [Pair(1500, 0.5)]) == pytest.approx(2300, abs=0.01)

    @given(st.floats(800, 2400), st.integers(1, 20))
    def test_an_even_score_against_equals_is_their_rating(self, rating, times):
        even = [Pair(rating, 1), Pair(rating, 0), Pair(rating, 0.5)] * times
        assert performance(even) == pytest.approx(rating, abs=0.01)

    @given(met)
    def test_is_expected_to_score_what_was_scored(self, met):
        found, made = played_like(met), fsum(pair.score for pair in met)
        low, high = (fsum(expected(found + by, pair.opponent) for pair in met) for by in (-0.02, 0.02))
        mean = fsum(pair.opponent for pair in met) / len(met)
        assert low < made < high or abs(found - mean) == pytest.approx(FARTHEST, abs=0.01)

    @given(met, st.data())
    def test_a_better_score_never_gives_less(self, met, data):
        at = data.draw(st.integers(0, len(met) - 1))
        better = [*met[:at], met[at]._replace(score=1.0), *met[at + 1 :]]
        assert played_like(better) >= played_like(met)

    @given(met, st.randoms())
    def test_the_order_has_no_effect(self, met, random):
        other = random.sample(met, len(met))
        assert performance(other) == performance(met)

    @given(st.permutations([1, 2, 3, 4]))
    def test_a_better_place_at_a_table_of_equals_never_gives_less(self, places):
        table = [Entrant(1500.0, 0, seat, place) for seat, place in enumerate(places)]
        found = {place: played_like(pairs(table, seat)) for seat, place in enumerate(places)}
        assert all(found[better] > found[worse] for better, worse in combinations(sorted(found), 2))

"""The rating systems that are compared: ours is the live one, and the others are what they are called."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.bradley_terry import Comparisons
from ratings.maths import PARTNERS, SCHEDULE, START
from ratings.simulated import Scenario, season
from ratings.systems import (
    NAT,
    PERFORMANCE,
    BradleyTerry,
    Elo,
    LiveElo,
    OpenSkill,
    Result,
    constant_k,
    scheduled_k,
)

SEATS = (0, 1, 2, 3)
USUAL = {"beta": 25 / 6, "tau": 25 / 300, "predict_beta": 25 / 6}


@pytest.fixture(scope="module")
def matches():
    return season(Scenario(players=30, matches=300, spread=200), 4).results


def learnt(system, results):
    for match in results:
        system.learn(match)
    return system.points()


class TestResult:
    def test_pairs_are_people_of_different_sides_with_their_scores(self):
        match = Result((7, 8, 9), (0, 1, 3), (2, 1, 2))
        assert match.pairs == ((0, 1, 0.0), (0, 2, 0.5), (1, 2, 1.0))
        assert match.ranks() == [2, 1, 2]

    def test_partners_are_no_pair(self):
        match = Result((7, 8, 9, 4), (0, 1, 0, 1), (1, 2, 1, 2), sides=PARTNERS)
        assert [(i, j) for i, j, _ in match.pairs] == [(0, 1), (0, 3), (1, 2), (2, 3)]
        assert match.teams == {0: [7, 9], 1: [8, 4]}

    def test_who_left_is_last_and_two_who_left_are_no_pair(self):
        match = Result((7, 8, 9, 4), SEATS, (1, 2, 3, 4), (True, True, False, False))
        assert match.pairs == ((0, 2, 0.0), (0, 3, 0.0), (1, 2, 0.0), (1, 3, 0.0), (2, 3, 1.0))
        assert match.ranks() == [5, 6, 3, 4]

    def test_a_team_that_one_partner_left_keeps_its_place(self):
        left = (True, False, False, False)
        assert Result((7, 8, 9, 4), (0, 1, 0, 1), (1, 2, 1, 2), left, PARTNERS).ranks() == [1, 2]


class TestElo:
    def test_ours_is_the_live_formula(self):
        """Four newcomers: +32, +32/3, -32/3, -32, and then from there with n = 1."""
        system = LiveElo()
        match = Result((7, 8, 9, 4), SEATS, (1, 2, 3, 4))
        assert system.expect(match) == [0.5] * 6
        assert system.win_chances(match) == [0.25] * 4
        points = learnt(system, [match])
        assert points == pytest.approx({7: 1532, 8: 1500 + 32 / 3, 9: 1500 - 32 / 3, 4: 1468}, abs=1e-5)
        system.learn(match)
        assert points[7] - 1532 < SCHEDULE.k(1) / 2

    def test_with_our_schedule_the_other_elo_is_ours(self, matches):
        ours = learnt(LiveElo(), matches)
        assert learnt(scheduled_k(64, 12, 15), matches) == pytest.approx(ours, abs=1e-3)
        assert learnt(constant_k(24), matches) != pytest.approx(ours, abs=10)

    def test_with_partners_too(self):
        rng = np.random.default_rng(3)
        results = [
            Result(tuple(rng.permutation(9)[:4].tolist()), (0, 1, 0, 1), (1, 2, 1, 2), sides=PARTNERS)
            for _ in range(200)
        ]
        three = [Result(match.players[:3], (0, 1, 0), (2, 1, 2), sides=PARTNERS) for match in results]
        assert learnt(Elo(SCHEDULE.k), results + three) == pytest.approx(
            learnt(LiveElo(), results + three), abs=1e-3
        )

    def test_constant_k_is_k_times_the_surprise(self):
        two = Result((7, 8), (0, 1), (1, 2))
        assert learnt(constant_k(30), [two]) == pytest.approx({7: 1505, 8: 1495})


class TestBradleyTerry:
    def test_three_wins_of_four_are_odds_of_three_with_a_weak_prior(self):
        met = Comparisons()
        for _ in range(1000):
            for score in (1.0, 1.0, 1.0, 0.0):
                met.add([0], [1], score)
        one, two = met.fit(np.zeros(2), prior=10)
        assert one - two == pytest.approx(np.log(3), abs=1e-3)
        assert one + two == pytest.approx(0, abs=1e-6)

    def test_a_tie_is_half_a_win_for_each(self):
        met, same = Comparisons(), Comparisons()
        for score in (1.0, 0.5, 0.5):
            met.add([0], [1], score)
        for score in (1.0, 1.0, 0.0):
            same.add([0], [1], score)
        assert met.fit(np.zeros(2), 1.0) == pytest.approx(same.fit(np.zeros(2), 1.0), abs=1e-4)

    def test_who_won_everything_has_a_finite_strength_and_who_never_met_the_rest_one_too(self):
        met = Comparisons()
        for _ in range(50):
            met.add([0], [1], 1.0)
            met.add([2], [3], 0.0)
        strengths = met.fit(np.zeros(5), prior=2.0)
        assert np.isfinite(strengths).all()
        assert strengths[0] == pytest.approx(strengths[3], abs=1e-4)
        assert strengths[4] == 0

    @settings(max_examples=25)
    @given(
        st.lists(
            st.tuples(st.permutations(range(6)), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=60
        )
    )
    def test_the_fit_is_the_mode(self, rows):
        """There the slope of the posterior is 0, for teams of any size."""
        met = Comparisons()
        sides = [(list(order[:2]), list(order[2 : 3 + order[5] % 2]), score) for order, score in rows]
        for one, two, score in sides:
            met.add(one, two, score)
        found = met.fit(np.zeros(6), prior=1.5)
        slope = -found / 1.5**2
        for one, two, score in sides:
            surprise = score - 1 / (1 + np.exp(found[two].mean() - found[one].mean()))
            slope[one] += surprise / len(one)
            slope[two] -= surprise / len(two)
        assert slope == pytest.approx(np.zeros(6), abs=1e-2)

    def test_it_is_never_fitted_to_what_it_predicts_and_knows_no_order(self, matches):
        system = BradleyTerry(prior=200)
        for match in matches[:19]:
            system.learn(match)
        assert system.points() == {}
        learnt(system, matches[19:])
        again = learnt(BradleyTerry(prior=200), [*matches[:20][::-1], *matches[20:]])
        assert again == pytest.approx(system.points(), abs=0.5)

    def test_comes_near_the_truth(self):
        many = season(Scenario(players=12, matches=3000, spread=200), 2)
        system = BradleyTerry(prior=400)
        learnt(system, many.results)
        said = np.array([system.expect(match) for match in many.results])
        assert np.abs(said - many.pair_chances).mean() < 0.025


class TestOpenSkill:
    def test_the_first_match_is_what_the_package_says(self):
        from openskill.models import PlackettLuce

        model = PlackettLuce()
        after = model.rate([[model.rating()] for _ in SEATS], ranks=[1, 2, 3, 4])
        points = learnt(OpenSkill("PlackettLuce", **USUAL), [Result(SEATS, SEATS, (1, 2, 3, 4))])
        scale = PERFORMANCE / (25 / 6)
        assert points == pytest.approx({at: START + scale * (row[0].mu - 25) for at, row in enumerate(after)})

    def test_expectations_of_both_sides_sum_to_one(self, matches):
        system = OpenSkill("ThurstoneMostellerFull", **{**USUAL, "beta": 10, "predict_beta": 12})
        learnt(system, matches)
        match = matches[0]
        turned = Result(match.players[::-1], SEATS, match.places[::-1])
        there, back = system.expect(match), system.expect(turned)
        pairs = list(combinations(SEATS, 2))
        for (i, j), chance in zip(pairs, there, strict=True):
            assert chance + back[pairs.index((3 - j, 3 - i))] == pytest.approx(1)
        assert sum(system.win_chances(match)) == pytest.approx(1)

    def test_partners_are_teams(self):
        match = Result((7, 8, 9, 4), (0, 1, 0, 1), (1, 2, 1, 2), sides=PARTNERS)
        points = learnt(OpenSkill("PlackettLuce", **USUAL), [match])
        assert points[7] == points[9] > START > points[8] == points[4]


def test_a_small_advantage_has_the_same_worth_under_both_laws():
    """The slopes at 0 of Elo's law and of the normal one with performances of 196 points are equal."""
    assert pytest.approx(1 / (4 * NAT)) == 1 / (2 * np.pi) ** 0.5 / (2**0.5 * PERFORMANCE)
    assert pytest.approx(196, abs=0.1) == PERFORMANCE

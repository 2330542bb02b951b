"""The simulated season: the same from the same seed, and as its description says."""

from collections import Counter

import numpy as np
import pytest

from ratings.simulated import LUCK, PAIRS, Scenario, _win_chances, season

CLUB = Scenario(players=60, matches=4000, spread=200)


@pytest.fixture(scope="module")
def club():
    return season(CLUB, 1)


def test_the_same_seed_simulates_the_same_season(club):
    again, other = season(CLUB, 1), season(CLUB, 2)
    assert again.results == club.results
    assert (again.win_chances == club.win_chances).all()
    assert other.results != club.results


def test_four_different_players_sit_at_a_table_however_few_there_are():
    tiny = season(Scenario(players=8, matches=500, spread=200), 1)
    for match in [*tiny.results, *season(CLUB, 3).results]:
        assert len(set(match.players)) == 4


def test_places_are_a_ranking_with_shared_places(club):
    for match in club.results:
        assert sorted(match.places) == sorted(
            1 + sum(other < place for other in match.places) for place in match.places
        )
    assert any(len(set(match.places)) < 4 for match in club.results)


def test_pairs_tie_about_as_often_as_bots_do(club):
    """0.7 % of pairs among equals; fewer where strengths differ."""
    scores = [score for match in club.results for _, _, score in match.pairs]
    assert 0.003 < scores.count(0.5) / len(scores) < 0.009


def test_the_field_grows_and_a_few_play_much(club):
    early = {player for match in club.results[:400] for player in match.players}
    seen = {player for match in club.results for player in match.players}
    assert max(early) < 0.5 * max(seen)
    played = sorted(Counter(player for match in club.results for player in match.players).values())
    assert played[-1] > 5 * played[len(played) // 2]


def test_what_comes_has_the_chances_that_are_told(club):
    """Over 24,000 pairs and 16,000 seats; the bounds are four standard errors."""
    scores = np.array([[score for _, _, score in match.pairs] for match in club.results])
    assert [(i, j) for i, j, _ in club.results[0].pairs] == list(PAIRS)
    firm = club.pair_chances > 0.7
    assert scores[firm].mean() == pytest.approx(club.pair_chances[firm].mean(), abs=0.03)
    first = np.array([[place == 1 for place in match.places] for match in club.results])
    best = club.win_chances.argmax(axis=1)
    rows = np.arange(len(best))
    alone = first.sum(axis=1) == 1
    assert first[rows, best][alone].mean() == pytest.approx(club.win_chances[rows, best].mean(), abs=0.03)


def test_chances_of_winning_sum_to_one_and_equals_have_a_quarter():
    level = season(Scenario(players=20, matches=300, spread=0), 1)
    assert level.win_chances == pytest.approx(np.full((300, 4), 0.25))
    assert level.pair_chances == pytest.approx(np.full((300, 6), 0.5))


def test_a_win_over_three_weaker_ones_is_what_the_normal_law_says():
    """Two hundred points above three equals: drawn 400,000 times."""
    rng = np.random.default_rng(1)
    strengths = np.array([200.0, 0, 0, 0])
    drawn = strengths + rng.normal(0, LUCK, (400_000, 4))
    wins = np.bincount(drawn.argmax(axis=1), minlength=4) / len(drawn)
    assert _win_chances(strengths[None])[0] == pytest.approx(wins, abs=0.003)


def test_drift_moves_strengths_apart_from_where_they_were():
    still, moving = (season(Scenario(60, 3000, 200, drift), 5) for drift in (0, 300))
    assert np.abs(moving.pair_chances - 0.5).mean() > np.abs(still.pair_chances - 0.5).mean()

"""Scores of predictions, worked by hand, and the comparison as a whole on small seasons."""

from math import log
from xml.etree import ElementTree

import numpy as np
import pytest

from ratings import comparison
from ratings.calibration import COLOURS, svg
from ratings.comparison import CONSTANT, OURS, TRUTH, Task, compare, in_words
from ratings.evaluation import (
    Bin,
    Outcomes,
    Predictions,
    behind,
    calibration_error,
    figures,
    losses,
    order_dependence,
    pair_bins,
    pair_loss,
    prequential,
    tuned,
    win_bins,
)
from ratings.simulated import Scenario, season
from ratings.systems import BradleyTerry, LiveElo, Result, constant_k

SEATS = (0, 1, 2, 3)
TWO = [Result((7, 8), (0, 1), (1, 2)), Result((7, 8), (0, 1), (1, 1))]


def watch(results, name):
    return results


def said(*pairs, wins=()):
    return Predictions(np.array(pairs), np.array(wins or [chance for p in pairs for chance in (p, 1 - p)]))


@pytest.fixture(scope="module")
def club():
    return season(Scenario(players=20, matches=400, spread=200), 1)


@pytest.fixture(scope="module")
def task(club):
    training = season(Scenario(players=8, matches=100, spread=200), 2).results
    truth = Predictions(club.pair_chances.ravel(), club.win_chances.ravel())
    return Task(club.results, training, truth=truth)


@pytest.fixture(scope="module")
def report(task):
    return compare(task, watch)


class TestScores:
    def test_a_win_and_a_tie_by_hand(self):
        """0.8 came: log 0.8, 0.2 squared; 0.6 tied: half of log 0.6 and of log 0.4, 0.1 squared."""
        found = figures(said(0.8, 0.6), Outcomes.of(TWO), since=0)
        tie = -(log(0.6) + log(0.4)) / 2
        assert found["log_loss"] == pytest.approx((-log(0.8) + tie) / 2)
        assert found["brier"] == pytest.approx((0.04 + 0.01) / 2)
        assert found["accuracy"] == 0.75
        assert found["calibration_error"] == pytest.approx((0.2 + 0.1) / 2)
        assert found["win_log_loss"] == pytest.approx((-log(0.8) + tie) / 2)

    def test_only_matches_from_the_given_one_on_are_scored(self):
        found = figures(said(0.8, 0.6), Outcomes.of(TWO), since=1)
        assert found["brier"] == pytest.approx(0.01)

    def test_no_favourite_is_half_right(self):
        assert figures(said(0.5, 0.5), Outcomes.of(TWO), since=0)["accuracy"] == 0.5

    def test_a_won_match_that_two_share_counts_half_for_each(self):
        outcomes = Outcomes.of([Result((7, 8, 9, 4), SEATS, (1, 1, 3, 4))])
        assert outcomes.wins.tolist() == [0.5, 0.5, 0, 0]
        found = figures(said(*[0.5] * 6, wins=(0.4, 0.3, 0.2, 0.1)), outcomes, since=0)
        assert found["win_log_loss"] == pytest.approx(-(log(0.4) + log(0.3)) / 2)

    def test_who_left_has_not_won_although_the_bot_was_first(self):
        outcomes = Outcomes.of([Result((7, 8, 9, 4), SEATS, (1, 2, 3, 4), (True, False, False, False))])
        assert outcomes.wins.tolist() == [0, 1, 0, 0]

    def test_what_was_held_for_impossible_costs_much_but_not_everything(self):
        assert np.isfinite(losses(np.array([0.0, 1.0]), np.array([1.0, 0.0]))).all()


class TestCalibration:
    def test_pairs_are_told_from_the_favourite(self):
        """0.28 of the first is 0.72 of the second, who did not win."""
        bins = pair_bins(said(0.28, 0.74), Outcomes.of(TWO), since=0)
        assert bins == [Bin(pytest.approx(0.73), pytest.approx(0.25), 2)]

    def test_sides_are_told_by_their_own_chance(self):
        bins = win_bins(said(0.3, 0.72), Outcomes.of(TWO), since=0)
        assert [row.count for row in bins] == [1, 1, 2]

    def test_certainty_is_in_the_last_range(self):
        assert pair_bins(said(1.0, 0.0), Outcomes.of(TWO), since=0)[0].count == 2

    def test_error_is_the_mean_distance(self):
        assert calibration_error([Bin(0.6, 0.5, 30), Bin(0.9, 0.9, 10)]) == pytest.approx(0.075)


class TestPrequential:
    def test_everything_is_predicted_before_it_is_learnt(self):
        won = [Result((7, 8), (0, 1), (1, 2))] * 2
        found = prequential(LiveElo(), won)
        assert found.pairs[0] == 0.5
        assert found.pairs[1] > 0.5
        assert found.wins.tolist() == pytest.approx([0.5, 0.5, found.pairs[1], 1 - found.pairs[1]])

    def test_the_loss_of_pairs_alone_is_that_of_the_figures(self, club):
        outcomes = Outcomes.of(club.results)
        found = figures(prequential(LiveElo(), club.results), outcomes, since=100)
        assert pair_loss(LiveElo(), club.results, since=100) == pytest.approx(found["log_loss"])

    def test_behind_is_the_difference_of_losses_with_its_interval(self, club):
        outcomes = Outcomes.of(club.results)
        one, two = (prequential(system, club.results) for system in (LiveElo(), constant_k(5)))
        excess, within = behind(two, one, outcomes, since=0)
        ours, theirs = (figures(each, outcomes, 0)["log_loss"] for each in (two, one))
        assert excess == pytest.approx(ours - theirs)
        assert 0 < within < excess
        assert behind(one, one, outcomes, since=0) == (0, 0)


def test_tuning_takes_the_best_of_the_grid_one_after_the_other():
    def loss(parameters):
        return (parameters["a"] - 3) ** 2 + (parameters["b"] - 1) ** 2

    asked = []

    def make(**parameters):
        asked.append(parameters)
        return parameters

    assert tuned(make, {"a": 0, "b": 0}, {"a": (2, 3), "b": (1, 5)}, loss) == {"a": 3, "b": 1}
    assert len(asked) == len({tuple(each.items()) for each in asked}) == 6


class TestOrder:
    def test_another_order_gives_other_ratings_and_a_stirred_one_nearly_the_same(self, club):
        system = LiveElo()
        prequential(system, club.results)
        found = order_dependence(LiveElo, system.points(), club.results, watch)
        assert 0 < found["stirred"] < found["shuffled"] < found["spread"]

    def test_a_batch_fit_has_no_order(self, club):
        results = club.results[:20]
        twice = [*results, *results]
        system = BradleyTerry(200)
        prequential(system, twice)
        found = order_dependence(lambda: BradleyTerry(200), system.points(), twice, watch)
        assert found is None or found["shuffled"] < 1

    def test_without_anyone_who_played_enough_there_is_nothing_to_tell(self):
        system = LiveElo()
        prequential(system, TWO)
        assert order_dependence(LiveElo, system.points(), TWO, watch) is None


class TestReport:
    def test_every_system_is_there_and_ours_is_the_live_one(self, report, club):
        names = [row["system"] for row in report["systems"]]
        assert names[:2] == [OURS, CONSTANT]
        assert names[-1] == TRUTH
        assert {"openskill PL", "openskill PL, tuned", "Bradley-Terry, tuned"} <= set(names)
        outcomes = Outcomes.of(club.results)
        ours = figures(prequential(LiveElo(), club.results), outcomes, 0)
        assert report["systems"][0]["log_loss"] == round(ours["log_loss"], 5)

    def test_nobody_knows_more_than_the_truth(self, report):
        loss = {row["system"]: row["log_loss"] for row in report["systems"]}
        assert min(loss, key=loss.__getitem__) == TRUTH

    def test_the_constant_k_is_the_best_of_those_listed(self, report):
        best = min(report["constant_k"].values())
        assert next(row for row in report["systems"] if row["system"] == CONSTANT)["log_loss"] == best

    def test_the_target_is_told_from_the_losses_in_the_table(self, report):
        loss = {row["system"]: row["log_loss"] for row in report["systems"]}
        assert [row["beside"] for row in report["target"]] == ["openskill", "tuned reference"]
        for row in report["target"]:
            assert row["behind"] == pytest.approx(loss[OURS] - loss[row["best"]], abs=1e-9)
            assert row["met"] == (row["behind"] <= 0.001)

    def test_the_same_matches_give_the_same_figures_but_for_the_time(self, report, task):
        again = compare(task, watch)
        for row in (*again["systems"], *report["systems"]):
            row.pop("us_a_match", None)
        assert again == report

    def test_words_have_a_line_for_every_system(self, report):
        lines = in_words(report).splitlines()
        for row in report["systems"]:
            assert any(line.startswith(row["system"]) and f"{row['log_loss']:.4f}" in line for line in lines)
        assert lines[-1].startswith("Target, within 0.001 of tuned reference")

    def test_the_plot_has_a_curve_for_each_of_its_systems_in_both_panels(self, report):
        root = ElementTree.fromstring(svg(report))
        curves = root.findall("{http://www.w3.org/2000/svg}polyline")
        assert [curve.get("stroke") for curve in curves] == [*COLOURS.values()] * 2


def test_without_openskill_its_rows_are_left_out(task, monkeypatch):
    monkeypatch.setattr(comparison, "openskill_there", lambda: False)
    report = compare(task, watch)
    assert not [row for row in report["systems"] if row["system"].startswith("openskill")]
    assert [row["beside"] for row in report["target"]] == ["tuned reference"]

"""`manage.py rating_eval`, on simulated matches without a database, and on recorded ones."""

import json

import pytest
from django.core.management import CommandError, call_command

from ratings.management.commands import rating_eval
from ratings.models import LedgerMatch
from ratings.selectors import recorded_results
from ratings.services import rate_finished
from ratings.systems import LiveElo
from tests.ratings.tables import HOUSE, finished, people, pool, program, ratings

FOUR = ("amal", "basil", "carla", "daoud")


def figures(capsys, *words):
    call_command("rating_eval", "--json", *words)
    return json.loads(capsys.readouterr().out)


class TestSimulated:
    def test_a_table_and_a_plot_without_a_database(self, capsys, tmp_path):
        plot = tmp_path / "calibration.svg"
        call_command("rating_eval", "--players", "12", "--matches", "240", "--plot", str(plot))
        out = capsys.readouterr().out
        assert out.startswith("matches 240, players 12, spread 110, drift 0, seed 1\n")
        assert "our Elo " in out
        assert plot.read_text().startswith("<svg")

    def test_the_same_seed_gives_the_same_figures(self, capsys):
        small = ("--players", "12", "--matches", "240", "--spread", "250", "--drift", "50")
        one, two, other = (figures(capsys, *small, "--seed", seed) for seed in ("5", "5", "6"))
        for report in (one, two, other):
            for row in report["systems"]:
                row.pop("us_a_match", None)
        assert one == two
        assert one["systems"][0] != other["systems"][0]

    def test_without_openskill_it_says_so_in_one_line(self, capsys, monkeypatch):
        monkeypatch.setattr(rating_eval, "openskill_there", lambda: False)
        call_command("rating_eval", "--players", "8", "--matches", "200")
        assert "openskill is not installed; the comparison leaves it out." in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("words", "complaint"),
        [
            (["--players", "7"], "at least 8"),
            (["--matches", "199"], "at least 200"),
            (["--matches", "200001"], "at most 200,000"),
            (["--matches", "many"], "'many' should be a whole number"),
            (["--spread", "2001"], "at most 2,000"),
            (["--seed", "-1"], "whole number"),
            (["--pool", "classic", "--players", "50"], "--players are for simulated matches"),
        ],
    )
    def test_what_it_refuses(self, words, complaint):
        with pytest.raises(CommandError, match=complaint):
            call_command("rating_eval", *words)

    def test_a_plot_that_cannot_be_written_is_told_before_anything_is_computed(self, tmp_path):
        with pytest.raises(CommandError, match=r"cannot be written: No such file or directory"):
            call_command("rating_eval", "--plot", str(tmp_path / "nowhere" / "plot.svg"))


@pytest.mark.django_db
class TestRecorded:
    def test_matches_come_as_they_were_rated(self):
        """The second finished first, a bot sat in the third, and its basil had left."""
        amal, basil, carla, daoud = people(*FOUR)
        finished([amal, basil, carla, daoud], (300, 100, -100, -300), minute=2)
        finished([daoud, carla, basil, amal], (100, 100, -100, -100), minute=1)
        finished([HOUSE, basil, program("deep"), amal], (100, 300, 0, -400), minute=3, left="E")
        finished([amal, HOUSE, HOUSE, HOUSE], (1, 2, 3, -6), minute=4)
        rate_finished()
        one, two, three = recorded_results(pool("classic"))
        assert (one.players, one.places) == ((daoud.pk, carla.pk, basil.pk, amal.pk), (1, 1, 3, 3))
        assert (two.players, two.places) == ((amal.pk, basil.pk, carla.pk, daoud.pk), (1, 2, 3, 4))
        assert (three.players, three.side_of) == ((basil.pk, amal.pk), (1, 3))
        assert (three.places, three.left) == ((1, 4), (True, False))

    def test_our_elo_over_the_record_is_the_ratings_there_are(self):
        amal, basil, carla, daoud = people(*FOUR)
        finished([amal, basil, carla, daoud], (300, -100, -200, 0), rules="cardkings-partners")
        finished([daoud, amal, HOUSE, basil], (300, 100, -100, -300), rules="cardkings-partners", left="W")
        finished([daoud, amal, carla, basil], (300, 100, -100, -300))
        rate_finished()
        for slug in ("partners", "classic"):
            system = LiveElo()
            for match in recorded_results(pool(slug)):
                system.learn(match)
            names = {person.pk: person.username for person in (amal, basil, carla, daoud)}
            assert {names[key]: value for key, value in system.points().items()} == ratings(slug)

    def test_too_few_matches_are_refused(self):
        finished(people(*FOUR), (300, 100, -100, -300))
        rate_finished()
        with pytest.raises(
            CommandError, match="The pool classic has 1 rated matches; a comparison takes 200"
        ):
            call_command("rating_eval", "--pool", "classic")

    def test_an_unknown_pool_is_told_which_there_are(self):
        with pytest.raises(CommandError, match="There is no pool 'chess'; there are classic"):
            call_command("rating_eval", "--pool", "chess")

    def test_the_second_half_is_scored_after_the_first_is_learnt(self, capsys, monkeypatch):
        monkeypatch.setattr(rating_eval, "FEWEST_MATCHES", 30)
        table = people(*FOUR)
        for minute in range(30):
            finished(table, (300, 100, -100, -300), minute=minute)
        rate_finished()
        assert LedgerMatch.objects.count() == 30
        report = figures(capsys, "--pool", "classic")
        assert (report["pool"], report["matches"], report["scored"]) == ("classic", 30, 15)
        assert report["systems"][0]["accuracy"] == 1

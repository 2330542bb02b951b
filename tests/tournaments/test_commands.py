"""The commands: a simulated league, and the trial's demo."""

import json
import stat
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from games.models import Match, Player
from ratings.models import Rating
from tests.tournaments.conftest import finish
from tournaments import demo
from tournaments.models import Table, Tournament
from tournaments.tasks import record_result


def simulate(**options) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    options = {"players": 4, "rounds": 1, "bots": "random", "processes": 1, **options}
    call_command("simulate_league", stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


@pytest.mark.django_db(transaction=True)
def test_a_simulated_league_follows_from_its_seed():
    options = {"players": 3, "rounds": 1, "seed": 5, "json": True}
    first, second = (json.loads(simulate(**options)[0]) for _ in range(2))
    assert first["tournament"] != second["tournament"]
    for report in (first, second):
        report.pop("tournament"), report.pop("seconds")
        for line in report["standings"]:
            line.pop("player")
    assert first == second
    assert first["matches"] == 1
    assert [line["rank"] for line in first["standings"]] == sorted(
        line["rank"] for line in first["standings"]
    )
    seated = [number for table in first["rounds"][0] for number in table["players"]]
    assert sorted(n for n in seated if n) == [1, 2, 3] and seated.count(None) == 1


@pytest.mark.django_db(transaction=True)
def test_a_simulated_league_is_shown_as_a_table_with_a_bar_and_leaves_people_unrated():
    person = Player.objects.create_user("amal")
    out, err = simulate(rules="cardkings-complex-partners")
    league = Tournament.objects.get()
    assert league.state == "finished"
    lines = out.splitlines()
    assert lines[0].split() == ["rank", "player", *league.metrics, "rating"]
    assert len(lines) == 1 + 4 + 1 and lines[-1].endswith(league.slug)
    assert "1/1" in err
    assert Rating.objects.filter(pool__programs=True).count() == 4
    assert not Rating.objects.filter(pool__programs=False).exists() and person.is_bot is False
    assert set(Player.objects.exclude(pk=person.pk).values_list("is_bot", flat=True)) == {True}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("format", "matches"), [("round_robin", 2), ("knockout", 3)])
def test_any_format_is_simulated_to_its_end(format, matches):
    report = json.loads(
        simulate(format=format, players=5 if format == "knockout" else 4, rounds=2, json=True)[0]
    )
    assert (report["matches"], Tournament.objects.get().state) == (matches, "finished")
    assert report["standings"][0]["rank"] == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": 1}, "--players must be 2 to 1000, not 1."),
        ({"rounds": 0}, "--rounds must be 1 to 99, not 0."),
        ({"format": "arena"}, "--format must be one of swiss, round_robin, knockout, not 'arena'."),
        ({"rules": "whist"}, "--rules must be one of dananeer, "),
        ({"bots": "genius"}, "--bots must be one of random, "),
        ({"seed": -1}, "--seed must be 0 to "),
        ({"processes": 0}, "--processes must be 1 to 16, not 0."),
    ],
)
def test_a_bad_argument_is_one_sentence(db, options, sentence):
    with pytest.raises(CommandError) as refused:
        simulate(**options)
    assert str(refused.value).startswith(sentence)
    assert not Tournament.objects.exists()


@pytest.fixture
def trial(settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    monkeypatch.delenv("DEMO_PASSWORD", raising=False)
    return tmp_path


def told() -> dict[str, str]:
    out = StringIO()
    call_command("demo", "--json", stdout=out)
    return json.loads(out.getvalue())


def test_the_demo_may_be_prepared_at_every_start(db, trial, client, api):
    first, second = told(), told()
    assert first == second
    live, ready = Tournament.objects.get(slug=demo.LIVE), Tournament.objects.get(slug=demo.READY)
    assert (live.state, ready.state, Tournament.objects.count()) == ("running", "registration", 2)
    assert Match.objects.filter(table__round__tournament=live, status="running").count() == 4
    assert client.login(username=first["organiser"], password=first["password"])
    for page in (first["live_league"], first["league_to_start"]):
        assert client.get(page.partition("8000")[2]).status_code == 200
    answer = client.get(
        first["match"].partition("8000")[2], headers={"Authorization": f"Bearer {first['token']}"}
    )
    assert (answer.json()["status"], answer.json()["you"]) == ("running", "S")
    assert stat.S_IMODE((trial / "demo_token").stat().st_mode) == 0o600


def test_the_demo_takes_a_password_and_replaces_a_lost_token(db, trial, client, monkeypatch):
    before = told()
    monkeypatch.setenv("DEMO_PASSWORD", "shown to nobody")
    (trial / "demo_token").write_text("lost")
    after = told()
    assert after["password"] == "shown to nobody" and after["token"] != before["token"]
    assert client.login(username="organiser", password="shown to nobody")


def test_the_demo_leaves_a_password_alone_that_was_changed(db, trial, client):
    first = told()
    organiser = Player.objects.get(username="organiser")
    organiser.set_password("my own")
    organiser.is_staff = False
    organiser.save()
    assert told() == first | {"password": None}
    out = StringIO()
    call_command("demo", stdout=out)
    assert "password as you have changed it" in out.getvalue()
    assert client.login(username="organiser", password="my own")
    assert not Player.objects.get(username="organiser").is_staff


def test_the_demo_league_goes_on_when_its_tables_are_over(db, trial):
    told()
    live = Tournament.objects.get(slug=demo.LIVE)
    assert set(live.entries.values_list("player__is_bot", flat=True)) == {True}
    for table in Table.objects.filter(round__tournament=live):
        assert live.rounds.count() == 1
        record_result(finish(table))
    assert [round_.state for round_ in live.rounds.all()] == ["closed", "published"]


def test_a_demo_league_that_is_over_is_followed_by_another(db, trial):
    told()
    Tournament.objects.filter(slug=demo.LIVE).update(state="finished", ended_at="2026-01-01T00:00Z")
    told()
    assert Tournament.objects.get(slug=f"{demo.LIVE}-2").state == "running"


def test_a_database_without_tables_is_told_in_one_sentence(db):
    """A checkout where nothing was started yet: the league of the README ended in a traceback."""
    (newest,) = MigrationLoader(connection).graph.leaf_nodes("tournaments")
    MigrationRecorder(connection).record_unapplied(*newest)
    with pytest.raises(CommandError, match=r"^The database is not up to date; first run: manage.py migrate$"):
        call_command("simulate_league", players=4, rounds=1)
    assert not Tournament.objects.exists()

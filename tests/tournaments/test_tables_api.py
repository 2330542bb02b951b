"""Corrections, substitutes, no-shows and edited draws through the API."""

import pytest

from games.models import Player
from tests.tournaments.conftest import draw_and_publish, finish
from tests.tournaments.test_api import URL, problem
from tests.tournaments.test_corrections import record_of
from tournaments.services import results, rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(api, organiser):
    return api(organiser)


def post(client, url: str, data: dict | None = None):
    return client.post(url, data or {}, format="json")


def test_a_table_is_annulled_replayed_and_imported(olga, api, league):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    at = f"{URL}{made.slug}/rounds/1/tables/1/"
    annulled = post(olga, at + "annul/", {"reason": "revoked"}).json()
    assert (annulled["result"]["source"], annulled["result"]["scores"]) == ("annulled", None)
    assert annulled["status"] == "cancelled"
    problem(post(olga, at + "replay/", {"reason": "again"}), 409, "result_changed")
    again = post(olga, at + "replay/", {"reason": "again", "replaces": annulled["result"]["id"]}).json()
    assert again["result"] is None and again["match"] != annulled["match"] and again["status"] == "running"
    problem(olga.get(at + "record/"), 404, "no_record")
    text = record_of(table)
    imported = post(olga, at + "record/", {"reason": "at home", "record": text}).json()
    assert imported["result"]["source"] == "imported"
    answer = api().get(at + "record/")
    assert answer["Content-Type"] == "text/plain; charset=utf-8" and answer.content.decode() == text
    problem(post(olga, at + "result/", {"reason": "x", "scores": [None, 1, 2, 3]}), 400, "bad_scores")


def test_a_record_that_is_wrong_is_refused_with_its_line(olga, league):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    at = f"{URL}{made.slug}/rounds/1/tables/1/record/"
    wrong = record_of(table).replace("play ", "plays ", 1)
    line = next(n for n, text in enumerate(wrong.splitlines(), 1) if text.startswith("plays"))
    body = problem(post(olga, at, {"reason": "at home", "record": wrong}), 400, "unknown_line")
    assert body["line"] == line
    problem(post(olga, at, {"reason": "at home", "record": "x" * 100_001}), 400, "invalid")


def test_an_imported_record_of_cards_that_are_still_played_is_the_officials_alone(olga, api, league):
    made = league(8, same_cards=True)
    first, _ = draw_and_publish(made).tables.all()
    at = f"{URL}{made.slug}/rounds/1/tables/1/record/"
    assert post(olga, at, {"reason": "at home", "record": record_of(first)}).status_code == 200
    assert olga.get(at).status_code == 200
    problem(api().get(at), 404, "no_record")


def test_a_substitute_sits_down_and_the_seat_is_given_back(olga, api, league):
    made = league(4)
    Player.objects.create_user("زيد")
    draw_and_publish(made)
    seat = f"{URL}{made.slug}/rounds/1/tables/1/seats/S/"
    shown = post(olga, seat + "substitute/", {"player": "زيد"}).json()["seats"][0]
    own = shown["stands_in_for"]["name"]
    assert shown["player"]["name"] == "زيد"
    back = post(olga, seat + "substitute/", {"player": None}).json()["seats"][0]
    assert (back["player"]["name"], back["stands_in_for"]) == (own, None)
    problem(post(olga, seat + "substitute/"), 400, "invalid")
    problem(post(olga, seat + "substitute/", {"player": "nobody"}), 404, "no_such_player")
    problem(post(olga, seat.replace("/S/", "/Q/") + "no-show/"), 404, "no_such_seat")
    assert post(olga, seat + "no-show/").json()["seats"][0]["no_show"] is True


def test_only_referees_and_organisers_judge(api, league, people):
    made = league(4)
    draw_and_publish(made)
    amal = api(people(1)[0])
    at = f"{URL}{made.slug}/rounds/1/tables/1/"
    for path, data in (
        ("annul/", {"reason": "x"}),
        ("replay/", {"reason": "x"}),
        ("record/", {"reason": "x", "record": record_of(made.rounds.get().tables.get())}),
        ("seats/S/substitute/", {"player": "amal"}),
        ("seats/S/no-show/", {}),
    ):
        problem(post(amal, at + path, data), 403, "not_organiser")
        assert post(api(), at + path, data).status_code == 401
    made.referees.add(people(1)[0])
    assert post(amal, at + "annul/", {"reason": "x"}).status_code == 200


def test_a_played_result_has_its_record_with_its_match(olga, league):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    results.record_match(finish(table))
    problem(olga.get(f"{URL}{made.slug}/rounds/1/tables/1/record/"), 404, "no_record")


def test_two_seats_are_swapped_once_what_it_costs_was_seen(olga, api, league, people):
    made = league(8)
    rounds.draw_round(slug=made.slug, actor=None)
    at = f"{URL}{made.slug}/rounds/1/"
    seats = {"first": {"table": 1, "seat": "S"}, "second": {"table": 2, "seat": "N"}}
    problem(post(api(people(1)[0]), at + "swap/", seats | {"version": 0}), 404, "no_such_round")
    looked = post(olga, at + "swap/", seats | {"version": 0, "preview": True}).json()
    assert (looked["version"], looked["stored"], len(looked["moved"])) == (0, False, 2)
    done = post(olga, at + "swap/", seats | {"version": 0}).json()
    assert (done["version"], done["stored"], done["after"]) == (1, True, looked["after"])
    shown = olga.get(at).json()
    assert (shown["version"], shown["reports"]) == (1, [done["after"]])
    assert problem(post(olga, at + "swap/", seats | {"version": 0}), 409, "draw_changed")["version"] == 1


@pytest.mark.parametrize(
    "place",
    [
        {},
        {"table": 1},
        {"seat": "S"},
        {"table": 1, "seat": "Q"},
        {"table": 1, "seat": "S", "bye": "amal"},
        "1S",
    ],
)
def test_a_place_is_a_seat_or_a_bye(olga, league, place):
    made = league(8)
    rounds.draw_round(slug=made.slug, actor=None)
    body = {"first": place, "second": {"table": 1, "seat": "S"}, "version": 0}
    problem(post(olga, f"{URL}{made.slug}/rounds/1/swap/", body), 400, "invalid")

"""Entries, check-in, penalties, officials and settings through the API: whose each door is."""

import pytest
from rest_framework.test import APIClient

from games.models import ApiToken, Player, Scope
from tests.tournaments.conftest import play_round, swiss
from tests.tournaments.test_api import problem
from tests.tournaments.test_entries import PAIRS, states
from tournaments.models import Tournament
from tournaments.services import life
from tournaments.services.stages import SETTINGS

pytestmark = pytest.mark.django_db
URL = "/api/v1/tournaments/"


def at(made: Tournament, path: str = "") -> str:
    return f"{URL}{made.slug}/{path}"


@pytest.fixture
def olga(api, organiser):
    return api(organiser)


def test_the_way_of_a_player_from_the_waiting_list_to_his_place(api, olga, people, league):
    made = league(2, "registration", cap=2)
    dana = api(people(3)[2])
    entered = dana.post(at(made, "entries/"))
    assert (entered.status_code, entered.json()["state"]) == (201, "waiting")
    told = dana.get(at(made)).json()
    assert (told["entries"], told["waiting"], told["you"]["entry"]) == (2, 1, "waiting")
    problem(dana.post(at(made, "entries/dana/admit/")), 403, "not_organiser")
    assert olga.post(at(made, "entries/dana/admit/")).json()["state"] == "active"
    problem(olga.post(at(made, "entries/dana/admit/")), 409, "not_waiting")
    problem(olga.post(at(made, "entries/nobody/admit/")), 404, "no_such_player")


def test_the_waiting_list_is_listed_in_its_order(olga, anyone, league, people):
    made = league(0, "registration", cap=2)
    people(5)
    for name in ("amal", "basil", "farid", "dana"):
        olga.post(at(made, "entries/"), {"player": name})
    waiting = anyone.get(at(made, "entries/?state=waiting")).json()["results"]
    assert [row["player"]["name"] for row in waiting] == ["farid", "dana"]
    assert anyone.get(at(made, "entries/?state=gone")).status_code == 400


@pytest.fixture
def anyone(api):
    return api()


def test_the_code_is_told_to_officials_alone(api, olga, anyone, people, league):
    made, (amal, basil) = league(0, "registration", visibility="code"), people(2)
    life.name_officials(slug=made.slug, actor=made.organisers.get(), referees=["basil"])
    code = olga.get(at(made)).json()["join_code"]
    assert code == made.join_code == api(basil).get(at(made)).json()["join_code"]
    for client in (anyone, api(amal)):
        assert client.get(at(made)).json()["join_code"] is None
        assert code not in client.get(URL).content.decode()
    problem(api(amal).post(at(made, "entries/")), 403, "wrong_join_code")
    assert api(amal).post(at(made, "entries/"), {"code": code}).status_code == 201
    problem(api(amal).post(at(made, "code/")), 403, "not_organiser")
    assert olga.post(at(made, "code/")).json()["join_code"] not in (None, code)
    assert code not in olga.get(at(made, "log/")).content.decode()


def test_a_pair_enters_and_is_told_by_both_names(api, people, league):
    made, (amal, basil) = league(0, "registration", **PAIRS), people(2)
    problem(api(amal).post(at(made, "entries/")), 400, "partner_missing")
    entered = api(amal).post(at(made, "entries/"), {"partner": "basil"}).json()
    assert (entered["player"]["name"], entered["partner"]["name"]) == ("amal", "basil")
    assert api(basil).get(at(made)).json()["you"]["entry"] == "active"
    assert api(basil).post(at(made, "withdraw/")).json()["state"] == "withdrawn"


def test_seed_ratings_and_partners_are_changed_by_officials(api, olga, people, league):
    made = league(2, "registration")
    olga.post(at(made, "entries/"), {"player": people(3)[2].username, "seed_rating": 1650.5})
    changed = olga.patch(at(made, "entries/amal/"), {"seed_rating": 1700})
    assert changed.json()["seed_rating"] == 1700
    assert olga.patch(at(made, "entries/dana/"), {"seed_rating": None}).json()["seed_rating"] is None
    problem(olga.patch(at(made, "entries/amal/"), {"seed_rating": -5}), 400, "bad_seed_rating")
    problem(olga.patch(at(made, "entries/amal/"), {"seed_rating": "high"}), 400, "invalid")
    problem(olga.patch(at(made, "entries/amal/"), {"partner": "dana"}), 400, "partner_not_wanted")
    problem(api(people(1)[0]).patch(at(made, "entries/amal/"), {"seed_rating": 9}), 403, "not_organiser")


def test_entering_oneself_takes_a_token_that_may_play_and_others_one_that_may_organise(organiser, league):
    made = league(0, "registration")
    client = APIClient()
    token = ApiToken.objects.create(user=organiser, scopes=[Scope.PLAY])[1]
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    Player.objects.create(username="amal")
    for path in ("entries/", "withdraw/", "check-in/"):
        problem(client.post(at(made, path), {"player": "amal"}), 403, "missing_scope")
    assert client.post(at(made, "entries/")).status_code == 201


def test_checking_in(api, olga, people, league):
    made, amal = league(4, "registration"), api(people(1)[0])
    problem(amal.post(at(made, "check-in/")), 409, "check_in_not_open")
    problem(amal.post(at(made, "check-in/open/")), 403, "not_organiser")
    assert olga.post(at(made, "check-in/open/")).json()["check_in_at"] is not None
    problem(olga.post(at(made, "check-in/open/")), 409, "check_in_open")
    assert amal.post(at(made, "check-in/")).json()["checked_in_at"] is not None
    assert amal.get(at(made)).json()["you"]["checked_in"] is True
    problem(amal.post(at(made, "check-in/")), 409, "already_checked_in")
    problem(amal.post(at(made, "check-in/"), {"player": "basil"}), 403, "not_organiser")
    assert olga.post(at(made, "check-in/"), {"player": "basil"}).status_code == 200
    olga.post(at(made, "start/"))
    assert list(states(made).values()) == ["active", "active", "withdrawn", "withdrawn"]


def test_a_file_is_looked_at_and_then_imported(api, olga, people, league):
    made = league(0, "registration", cap=2)
    people(4)
    url, text = at(made, "entries/import/"), "player;seed_rating\namal;1650\nأمينه;\nbasil;\ndana;\n"
    seen = olga.post(url, {"csv": text, "preview": True}).json()
    assert (seen["entered"], seen["entries"], seen["waiting"]) == (False, 3, 1)
    assert [(line["line"], line["text"], line["code"]) for line in seen["bad"]] == [
        (3, "أمينه;", "no_such_player")
    ]
    refused = problem(olga.post(url, {"csv": text}), 400, "bad_lines")
    assert refused["lines"] == seen["bad"] and not made.entries.exists()
    done = olga.post(url, {"csv": text.replace("أمينه", "farid")}).json()
    assert done == {"entered": True, "entries": 4, "waiting": 2, "bad": []}
    problem(api(people(1)[0]).post(url, {"csv": text}), 403, "not_organiser")
    problem(olga.post(url, {"csv": 5}), 400, "invalid")


def test_a_file_sent_again_with_its_key_is_imported_once(olga, people, league):
    made = league(0, "registration")
    people(2)
    sent = [
        olga.post(
            at(made, "entries/import/"), {"csv": "player\namal\nbasil"}, headers={"Idempotency-Key": "file"}
        )
        for _ in range(2)
    ]
    assert [answer.json()["entries"] for answer in sent] == [2, 2]
    assert made.log.filter(action="entered").count() == 1


def test_a_file_may_be_larger_than_other_bodies(olga, league):
    made = league(0, "registration")
    large = "player\n" + "\n" * 400_000
    problem(olga.post(at(made, "entries/import/"), {"csv": large}), 400, "bad_lines")
    problem(olga.post(at(made, "entries/"), {"player": large}), 413, "body_too_large")
    problem(olga.post(at(made, "entries/import/"), {"csv": large * 3}), 413, "body_too_large")


def test_penalties_are_given_listed_and_revoked(api, olga, anyone, people, league):
    made = league(4)
    play_round(made)
    body = {"player": "amal", "points": -1.5, "reason": "came late"}
    problem(api(people(1)[0]).post(at(made, "penalties/"), body), 403, "not_organiser")
    given = olga.post(at(made, "penalties/"), body)
    assert given.status_code == 201
    problem(olga.post(at(made, "penalties/"), body | {"points": 0.3}), 400, "bad_points")
    problem(olga.post(at(made, "penalties/"), body | {"points": "1"}), 400, "invalid")
    problem(olga.post(at(made, "penalties/"), body | {"points": 1e300}), 400, "bad_points")
    listed = anyone.get(at(made, "penalties/")).json()
    assert [(p["player"]["name"], p["points"], p["given_by"]) for p in listed] == [("amal", -1.5, "olga")]
    revoke = at(made, f"penalties/{given.json()['id']}/revoke/")
    problem(olga.post(revoke, {}), 400, "invalid")
    assert olga.post(revoke, {"reason": "he was there"}).json()["revoked_by"] == "olga"
    problem(olga.post(revoke, {"reason": "again"}), 409, "already_revoked")
    for absurd in (0, 10**30):
        problem(olga.post(at(made, f"penalties/{absurd}/revoke/"), {"reason": "x"}), 404, "no_such_penalty")


def test_a_player_is_disqualified_and_brought_back(api, olga, people, league):
    made = league(8)
    url = at(made, "entries/أمينة/disqualify/")
    problem(olga.post(url, {"reason": "insults"}), 404, "no_such_player")
    people(20)
    problem(olga.post(url, {"reason": "insults"}), 404, "not_entered")
    url = at(made, "entries/amal/disqualify/")
    problem(olga.post(url, {}), 400, "invalid")
    assert olga.post(url, {"reason": "insults"}).json()["state"] == "disqualified"
    problem(olga.post(url, {"reason": "insults"}), 409, "already_disqualified")
    assert olga.post(at(made, "entries/"), {"player": "amal"}).json()["state"] == "active"


def test_officials_are_put_by_name_and_roles_left_out_stay(api, olga, people, league):
    made = league(2, "registration")
    told = olga.put(at(made, "officials/"), {"assistants": ["amal"], "referees": ["basil", "amal"]}).json()
    assert (told["organisers"], told["assistants"]) == (["olga"], ["amal"])
    assert told["referees"] == ["amal", "basil"]
    assert olga.put(at(made, "officials/"), {"referees": []}).json()["assistants"] == ["amal"]
    problem(olga.put(at(made, "officials/"), {"organisers": []}), 409, "no_organiser")
    problem(olga.put(at(made, "officials/"), {"referees": ["nobody"]}), 404, "no_such_player")
    problem(api(people(1)[0]).put(at(made, "officials/"), {"organisers": ["amal"]}), 403, "not_organiser")


def test_settings_are_changed_and_what_is_left_out_stays(api, olga, people, league):
    made = league(2, "draft", clock_play=30)
    body = {"name": "دوري عمّان", "slug": "amman", "cap": 4, "clock": {"play": 60}, "stages": swiss(3)}
    told = olga.patch(at(made), body).json()
    assert (told["name"], told["slug"], told["cap"], told["rules"]) == (
        "دوري عمّان", "amman", 4, "cardkings-complex",
    )  # fmt: skip
    assert (told["clock"]["play"], told["rounds_planned"]) == (60, 3)
    made.refresh_from_db()
    assert olga.patch(at(made), {}).json()["cap"] == 4
    assert olga.patch(at(made), {"weights": {"meeting": 9000}}).json()["weights"] == {"meeting": 9000}
    for weights in ({"luck": 1}, {"meeting": "much"}, {"meeting": -1}):
        problem(olga.patch(at(made), {"weights": weights}), 400, "bad_weights")
    assert olga.patch(at(made), {"cap": None}).json()["cap"] is None
    for wrong, code in (
        ({"slug": ""}, "invalid"),
        ({"rules": "whist"}, "unknown_rules"),
        ({"state": "running"}, "invalid"),
    ):
        problem(olga.patch(at(made), wrong), 400, code)
    problem(
        olga.patch(at(made), {"rules": "eram", "stages": [{"format": "swiss", "cut": 2}]}), 400, "bad_stages"
    )
    told = olga.get(at(made)).json()
    assert told["rules"] == "cardkings-complex"
    same = [{name: stage[name] for name in SETTINGS} for stage in told["stages"]]
    assert olga.patch(at(made), {"stages": same}).json()["stages"] == told["stages"]
    life.open_registration(slug=made.slug, actor=None)
    problem(olga.patch(at(made), {"rules": "eram"}), 409, "too_late")
    problem(api(people(1)[0]).patch(at(made), {"cap": 9}), 403, "not_organiser")

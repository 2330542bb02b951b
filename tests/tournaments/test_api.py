"""Tournaments through the API: what each may see and do, and what every refusal looks like."""

import csv
import io

import pytest
from django.test import Client

from games.models import ApiToken, Match, Player
from games.services.matches import leave
from games.services.moves import play_bot_move
from ratings.services import rate_finished
from tests.tournaments.conftest import by_hand, draw_and_publish, play_round
from tournaments.models import Entry, Round, Table, TableResult, Tournament
from tournaments.services import life, rounds
from tournaments.services.results import record_match

pytestmark = pytest.mark.django_db

URL = "/api/v1/tournaments/"


def problem(response, status: int, code: str) -> dict:
    assert response["Content-Type"] == "application/problem+json"
    body = response.json()
    assert (response.status_code, body["status"], body["code"]) == (status, status, code)
    assert body["detail"]
    return body


@pytest.fixture
def olga(api, organiser):
    return api(organiser)


@pytest.fixture
def anyone(api):
    return api()


# Browsing


def test_a_draft_is_known_to_its_organisers_only(olga, anyone, api, people, league):
    made = league(0, "draft")
    for client in (anyone, api(people(1)[0])):
        problem(client.get(f"{URL}{made.slug}/"), 404, "no_such_tournament")
        problem(client.get(f"{URL}{made.slug}/standings/"), 404, "no_such_tournament")
        assert client.get(URL).json()["results"] == []
    assert olga.get(f"{URL}{made.slug}/").json()["state"] == "draft"
    assert [row["slug"] for row in olga.get(URL).json()["results"]] == [made.slug]


def test_an_unlisted_tournament_is_opened_by_its_address(anyone, olga, api, people, league):
    made = league(4, "registration", visibility="unlisted")
    assert anyone.get(f"{URL}{made.slug}/").json()["entries"] == 4
    assert anyone.get(URL).json()["count"] == 0
    assert olga.get(URL).json()["count"] == 1
    assert api(people(1)[0]).get(URL).json()["count"] == 1


def test_the_list_can_be_narrowed_to_a_state(anyone, league):
    league(4, "registration")
    league(4, "running", name="Irbid League")
    listed = anyone.get(URL, {"state": "running"}).json()
    assert [row["name"] for row in listed["results"]] == ["Irbid League"]
    problem(anyone.get(URL, {"state": "lost"}), 400, "invalid")


def test_a_draw_is_hidden_until_it_is_published(olga, anyone, league, organiser):
    made = league(8)
    rounds.draw_round(slug=made.slug, actor=organiser)
    for path in ("rounds/1/", "rounds/1/tables/", "rounds/1/tables/1/"):
        problem(anyone.get(f"{URL}{made.slug}/{path}"), 404, "no_such_round")
        assert olga.get(f"{URL}{made.slug}/{path}").status_code == 200
    assert anyone.get(f"{URL}{made.slug}/rounds/").json() == []
    assert [row["state"] for row in olga.get(f"{URL}{made.slug}/rounds/").json()] == ["drawn"]
    rounds.publish_round(slug=made.slug, number=1, actor=organiser)
    shown = anyone.get(f"{URL}{made.slug}/rounds/1/").json()
    assert [table["number"] for table in shown["tables"]] == [1, 2]
    assert [report["repeats"] for report in shown["reports"]] == [[]]


def test_a_player_finds_his_match(api, anyone, people, league):
    made = league(8)
    draw_and_publish(made)
    amal = people(1)[0]
    own = api(amal).get(f"{URL}{made.slug}/").json()["you"]
    match = amal.seats.get().match
    assert own == {"organiser": False, "entry": "active", "checked_in": False, "match": match.code}
    tables = api(amal).get(f"{URL}{made.slug}/rounds/1/tables/").json()
    mine = [table for table in tables if any(seat["you"] for seat in table["seats"])]
    assert [table["match"] for table in mine] == [match.code]
    assert anyone.get(f"{URL}{made.slug}/").json()["you"] is None


def test_a_players_match_is_that_of_the_newest_round(api, people, league):
    made, amal = league(4), people(1)[0]
    draw_and_publish(made)
    Round.objects.update(state="closed", closed_at=made.started_at)  # With its match still running.
    newest = draw_and_publish(made).tables.get().match
    assert Match.objects.filter(status="running").count() == 2
    assert api(amal).get(f"{URL}{made.slug}/").json()["you"]["match"] == newest.code


def test_a_table_tells_its_seats_bots_and_result(anyone, league):
    made = league(3)
    table = draw_and_publish(made).tables.get()
    by_hand(table, (10, 20, -30, 0))
    shown = anyone.get(f"{URL}{made.slug}/rounds/1/tables/1/").json()
    assert [seat["seat"] for seat in shown["seats"]] == ["S", "E", "N", "W"]
    assert [seat["bot"] for seat in shown["seats"]].count("greedy") == 1
    assert shown["result"]["scores"] == {"S": 10, "E": 20, "N": -30, "W": 0}
    assert (shown["result"]["source"], shown["status"]) == ("entered", "cancelled")


@pytest.fixture
def duplicate(league):
    """A round of one and the same cards at two tables: the first is over, the second is at its third deal."""
    made = league(8, same_cards=True)
    quick, slow = draw_and_publish(made).tables.all()
    for player in Player.objects.filter(seats__match__table__isnull=False):
        leave(match_code=player.seats.get().match.code, player=player)
    while play_bot_move(quick.match_id, limit=16).bots_pending:
        pass
    while Match.objects.get(table=slow).deal_number < 3:
        play_bot_move(slow.match_id, limit=16)
    record_match(quick.match_id)
    return made, quick, slow


def test_points_at_the_same_cards_tell_nothing_that_others_still_have_to_play(duplicate, anyone, api, olga):
    made, quick, slow = duplicate
    at = f"{URL}{made.slug}/rounds/1/"
    of_two = [sum(deal.scores[0] for deal in quick.match.deals.all()[:2])]
    waiting = api(slow.seats.first().entry.player)
    for client in (anyone, waiting):
        for shown in (
            client.get(at).json()["tables"][0],
            client.get(f"{at}tables/").json()[0],
            client.get(f"{at}tables/1/").json(),
        ):
            assert (shown["status"], shown["result"], [shown["totals"]["S"]]) == ("finished", None, of_two)
    final = Match.objects.get(table=quick).totals
    for client in (api(quick.seats.first().entry.player), olga):
        shown = client.get(f"{at}tables/1/").json()
        assert list(shown["totals"].values()) == list(shown["result"]["scores"].values()) == final
    while play_bot_move(slow.match_id, limit=16).bots_pending:
        pass
    assert list(anyone.get(f"{at}tables/1/").json()["result"]["scores"].values()) == final


def test_tables_take_the_same_number_of_queries_for_any_size(anyone, league, django_assert_num_queries):
    for number in (4, 16):
        draw_and_publish(league(number, name=f"League of {number}", same_cards=True))
    for made in Tournament.objects.all():
        with django_assert_num_queries(12):
            anyone.get(f"{URL}{made.slug}/rounds/1/")


def test_live_standings_tell_nothing_of_the_same_cards_either(duplicate, anyone, olga):
    made, _, slow = duplicate
    url = f"{URL}{made.slug}/standings/"

    def played(client) -> tuple[bool, int]:
        body = client.get(url, {"live": "true"}).json()
        return body["live"], sum(line["played"] for line in body["standings"])

    assert played(anyone) == (False, 0)
    assert played(olga) == (True, 4)
    while play_bot_move(slow.match_id, limit=16).bots_pending:
        pass
    assert played(anyone) == (True, 4)


def test_nor_once_other_rounds_are_to_have_other_cards(duplicate, anyone, organiser):
    made, *_ = duplicate
    life.change_settings(made.slug, actor=organiser, same_cards=False)
    assert anyone.get(f"{URL}{made.slug}/standings/", {"live": "true"}).json()["live"] is False


def test_ratings_tell_nothing_of_the_same_cards_either(duplicate, anyone):
    """A place at a table that is done tells as much as its points."""
    _, quick, slow = duplicate
    quick.match.seats.update(away_since=None)
    name = quick.seats.first().entry.player.username

    def rated() -> list[bool]:
        rate_finished()
        pools = anyone.get(f"/api/v1/players/{name}/").json()["ratings"]
        return [bool(pool["matches"]) for pool in pools]

    assert rated() == []
    while play_bot_move(slow.match_id, limit=16).bots_pending:
        pass
    assert rated() == [True]


def test_a_token_that_may_only_play_acts_for_no_other_whose_name_is_much_like_ones_own(league, organiser):
    """Python takes ß for ss, the database does not: these are two players."""
    made = league(4, "registration")
    other = Player.objects.create_user("straße")
    Player.objects.filter(pk=organiser.pk).update(username="strasse")
    token = ApiToken.objects.create(user=organiser, scopes=["play"])[1]
    answer = Client().post(
        f"{URL}{made.slug}/entries/",
        {"player": other.username},
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")


# Standings


def test_standings_as_json_and_csv(anyone, league):
    made = league(4, name="دوري", slug="arabic")
    Player.objects.filter(username="amal").update(username="=أمل")
    play_round(made)
    body = anyone.get(f"{URL}arabic/standings/").json()
    assert body["metrics"] == ["table_points", "total_score", "opponents", "firsts"]
    first = body["standings"][0]
    assert first["rank"] == 1
    assert first["values"] == {"table_points": 4, "total_score": 300, "opponents": 3, "firsts": 1}
    for response in (
        anyone.get(f"{URL}arabic/standings/", {"format": "csv"}),
        anyone.get(f"{URL}arabic/standings/", HTTP_ACCEPT="text/csv"),
    ):
        assert response["Content-Type"] == "text/csv; charset=utf-8"
        rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))
        assert rows[0] == ["rank", "player", "state", "played", *body["metrics"]]
        assert rows[1][0] == "1" and rows[1][4:] == ["4", "300", "3", "1"]
        assert "'=أمل" in {row[1] for row in rows}  # A formula to a spreadsheet otherwise.


def test_bad_questions_about_standings_are_answered(anyone, league):
    made = league(4)
    problem(anyone.get(f"{URL}{made.slug}/standings/", {"live": "perhaps"}), 400, "invalid")
    assert anyone.get(f"{URL}{made.slug}/standings/", {"format": "xml"}).status_code == 404
    missing = anyone.get(f"{URL}nowhere/standings/", {"format": "csv"})
    problem(missing, 404, "no_such_tournament")


def test_live_standings_are_asked_for(anyone, league):
    made = league(4)
    by_hand(draw_and_publish(made).tables.get())
    played = [
        {row["played"] for row in anyone.get(f"{URL}{made.slug}/standings/", query).json()["standings"]}
        for query in ({}, {"live": "true"})
    ]
    assert played == [{0}, {1}]


# Running one


def test_whoever_creates_a_tournament_runs_it(olga, anyone):
    body = {"name": "Friday", "rules": "eram", "clock": {"play": 30, "bank": 600}}
    body |= {"options": {"early_end": False}}
    made = olga.post(URL, body)
    assert made.status_code == 201
    assert made.json()["clock"] == {"choose": None, "double": None, "play": 30, "bank": 600}
    assert made.json()["you"]["organiser"]
    problem(anyone.post(URL, body), 401, "not_authenticated")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid"),
        ({"name": "A"}, "invalid"),
        ({"name": "A", "rules": "whist"}, "unknown_rules"),
        ({"name": "A", "rules": "eram", "options": {"nonsense": 1}}, "unknown_option"),
        ({"name": "A", "rules": "eram", "options": []}, "invalid"),
        ({"name": "A", "rules": "eram", "stages": [{"format": "swiss", "rounds": 1000}]}, "invalid"),
        ({"name": "A", "rules": "eram", "stages": [{"format": "swiss", "rounds": "5"}]}, "invalid"),
        ({"name": "A", "rules": "eram", "visibility": "secret"}, "invalid"),
        ({"name": "A", "rules": "eram", "metrics": ["luck"]}, "unknown_metric"),
        ({"name": "A", "rules": "eram", "seed": 10**30}, "invalid"),
        ({"name": "A", "rules": "eram", "extra": 1}, "invalid"),
        ({"name": "A" * 101, "rules": "eram"}, "invalid"),
        ({"name": "A\0", "rules": "eram"}, "null_character"),
        ({"name": "A", "rules": "eram", "slug": "a b"}, "invalid"),
    ],
)
def test_a_malformed_tournament_is_refused(olga, body, code):
    problem(olga.post(URL, body), 400, code)
    assert not Tournament.objects.exists()


def test_a_taken_address_is_refused(olga, league):
    league(0, "draft", slug="friday")
    problem(olga.post(URL, {"name": "Friday", "rules": "eram", "slug": "friday"}), 409, "slug_taken")


def test_players_enter_and_withdraw_themselves(api, olga, people, league):
    made = league(0, "registration")
    amal, basil = (api(player) for player in people(2))
    entered = amal.post(f"{URL}{made.slug}/entries/")
    assert (entered.status_code, entered.json()["player"]["name"]) == (201, "amal")
    problem(amal.post(f"{URL}{made.slug}/entries/"), 409, "already_entered")
    problem(amal.post(f"{URL}{made.slug}/entries/", {"player": "basil"}), 403, "not_organiser")
    assert olga.post(f"{URL}{made.slug}/entries/", {"player": "basil"}).status_code == 201
    problem(olga.post(f"{URL}{made.slug}/entries/", {"player": "nobody"}), 404, "no_such_player")
    problem(amal.post(f"{URL}{made.slug}/withdraw/", {"player": "basil"}), 403, "not_organiser")
    assert basil.post(f"{URL}{made.slug}/withdraw/").json()["state"] == "withdrawn"
    listed = olga.get(f"{URL}{made.slug}/entries/").json()["results"]
    assert [(row["player"]["name"], row["state"]) for row in listed] == [
        ("amal", "active"),
        ("basil", "withdrawn"),
    ]


def test_who_comes_too_late_to_enter_is_told_the_state(api, olga, people, league):
    made, late = league(4), people(5)[-1]
    refused = problem(api(late).post(f"{URL}{made.slug}/entries/"), 409, "wrong_state")
    assert refused["state"] == "running"
    assert olga.post(f"{URL}{made.slug}/entries/", {"player": late.username}).status_code == 201


def test_every_step_is_the_organisers_alone(api, anyone, people, league):
    made = league(8)
    draw_and_publish(made)
    steps = ["open/", "start/", "finish/", "cancel/", "rounds/", "rounds/1/publish/", "rounds/1/close/"]
    amal = api(people(1)[0])
    for step in steps:
        problem(amal.post(f"{URL}{made.slug}/{step}"), 403, "not_organiser")
        problem(anyone.post(f"{URL}{made.slug}/{step}"), 401, "not_authenticated")
    body = {"scores": [1, 2, 3, 4], "reason": "mine"}
    problem(amal.post(f"{URL}{made.slug}/rounds/1/tables/1/result/", body), 403, "not_organiser")
    problem(amal.delete(f"{URL}{made.slug}/rounds/1/"), 403, "not_organiser")
    problem(amal.get(f"{URL}{made.slug}/log/"), 403, "not_organiser")
    assert (Round.objects.get().state, TableResult.objects.count()) == ("published", 0)


def test_drawing_twice_and_closing_too_early_are_refused(olga, league):
    made = league(8)
    drawn = olga.post(f"{URL}{made.slug}/rounds/")
    assert (drawn.status_code, drawn.json()["state"]) == (201, "drawn")
    problem(olga.post(f"{URL}{made.slug}/rounds/"), 409, "round_open")
    finish = problem(olga.post(f"{URL}{made.slug}/finish/"), 409, "round_open")
    assert finish["detail"] == "Round 1 is drawn; drop its draw first."
    problem(olga.post(f"{URL}{made.slug}/rounds/1/close/"), 409, "not_published")
    assert olga.delete(f"{URL}{made.slug}/rounds/1/").status_code == 204
    assert olga.post(f"{URL}{made.slug}/rounds/").status_code == 201
    assert olga.post(f"{URL}{made.slug}/rounds/1/publish/").json()["state"] == "published"
    problem(olga.post(f"{URL}{made.slug}/rounds/1/publish/"), 409, "published")
    early = problem(olga.post(f"{URL}{made.slug}/rounds/1/close/"), 409, "tables_unfinished")
    assert early["tables"] == [1, 2]


def test_a_result_by_hand_is_corrected_by_who_has_seen_it(olga, league):
    made = league(4)
    draw_and_publish(made)
    url = f"{URL}{made.slug}/rounds/1/tables/1/result/"
    body = {"scores": [300, 100, -100, -300], "reason": "the power went out"}
    first = olga.post(url, body).json()["result"]
    assert first["scores"] == {"S": 300, "E": 100, "N": -100, "W": -300}
    assert olga.post(url, body).json()["result"]["id"] == first["id"]
    other = {"scores": [0, 0, 0, 0], "reason": "misread"}
    stale = problem(olga.post(url, other), 409, "result_changed")
    assert stale["result"] == first["id"]
    corrected = olga.post(url, {**other, "replaces": first["id"]}).json()["result"]
    assert corrected["scores"] == {"S": 0, "E": 0, "N": 0, "W": 0}
    assert Table.objects.get().results.count() == 2


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"scores": [1, 2, 3], "reason": "x"},
        {"scores": [1, 2, 3, 4]},
        {"scores": [1, 2, 3, 4], "reason": ""},
        {"scores": [1, 2, 3, 10**12], "reason": "x"},
        {"scores": "1234", "reason": "x"},
        {"scores": [1, 2, 3, "4"], "reason": "x"},
        {"scores": [1, 2, 3, 4.5], "reason": "x"},
        {"scores": [1, 2, 3, 4], "reason": "x", "replaces": "1"},
    ],
)
def test_a_malformed_result_is_refused(olga, league, body):
    made = league(4)
    draw_and_publish(made)
    problem(olga.post(f"{URL}{made.slug}/rounds/1/tables/1/result/", body), 400, "invalid")
    assert not TableResult.objects.exists()


@pytest.mark.parametrize("path", ["rounds/99999999999999999999/", "rounds/1/tables/99999999999999999999/"])
def test_absurd_numbers_are_not_found(olga, league, path):
    made = league(4)
    draw_and_publish(made)
    assert olga.get(f"{URL}{made.slug}/{path}").status_code == 404


def test_steps_take_no_fields(olga, league):
    made = league(4, "registration")
    problem(olga.post(f"{URL}{made.slug}/start/", {"force": True}), 400, "invalid")
    assert Tournament.objects.get().state == "registration"


def test_the_log_tells_who_did_what(olga, league):
    made = league(4)
    play_round(made)
    lines = olga.get(f"{URL}{made.slug}/log/").json()["results"]
    assert [line["action"] for line in lines][:4] == [
        "round_closed", "result_entered", "round_published", "round_drawn"
    ]  # fmt: skip
    assert lines[1]["actor"] == "olga" and lines[0]["actor"] is None
    assert lines[-1]["action"] == "created"


def test_a_cancelled_tournament_stays_to_be_read(olga, anyone, league):
    made = league(4)
    assert olga.post(f"{URL}{made.slug}/cancel/", {"reason": "rain"}).json()["state"] == "cancelled"
    assert anyone.get(f"{URL}{made.slug}/").json()["state"] == "cancelled"
    assert Entry.objects.filter(state="active").count() == 4


def test_a_visibility_that_is_none_is_named_with_those_there_are(api, organiser):
    body = {"name": "Friday", "rules": "eram", "visibility": "secret"}
    refused = problem(api(organiser).post(URL, body, format="json"), 400, "invalid")
    assert refused["detail"].startswith("visibility: ")
    assert list(refused["errors"]) == ["visibility"]

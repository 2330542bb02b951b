"""POST and GET /matches/: opening a table, and the lobby."""

import pytest

from games.models import Invitation, Match
from games.services import matches
from tests.games.answers import refusal


def test_whoever_opens_a_table_sits_at_it(apis):
    answer = apis[0].post("matches/", rules="dananeer")
    assert answer.status_code == 201
    table = answer.json()
    assert (table["status"], table["you"], table["opened_by"], table["version"]) == ("open", "S", "amal", 0)
    assert table["seats"][0]["player"] == {"name": "amal", "is_bot": False}
    assert [seat["player"] for seat in table["seats"][1:]] == [None, None, None]
    assert len(table["commitment"]) == 64 and table["secret"] is None and table["view"] is None


def test_options_clock_seat_and_bots_are_the_openers_to_say(apis):
    answer = apis[0].post(
        "matches/",
        rules="cardkings",
        options={"early_end": False, "trix_end": "third", "king_value": 100},
        clock={"choose": 20, "play": 30},
        on_timeout="wait",
        bot_delay=0.5,
        rated=False,
        seat="N",
        bots=["greedy", "random"],
    )
    table = answer.json()
    assert table["options"] == {"early_end": "off", "king_value": "100"}  # trix_end is the rules' own
    assert table["clock"] == {"choose": 20, "double": None, "play": 30, "bank": None}
    assert (table["on_timeout"], table["bot_delay"], table["rated"], table["you"]) == (
        "wait",
        0.5,
        False,
        "N",
    )
    assert [seat["bot"] for seat in table["seats"]] == ["greedy", "random", None, None]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid"),
        ({"rules": "poker"}, "unknown_rules"),
        ({"rules": "dananeer", "options": {"moon": True}}, "unknown_option"),
        ({"rules": "dananeer", "options": {"early_end": "maybe"}}, "bad_option_value"),
        ({"rules": "dananeer", "options": {"king_value": 10**40}}, "bad_option_value"),
        ({"rules": "dananeer", "options": []}, "invalid"),
        ({"rules": "dananeer", "bots": ["genius"]}, "unknown_bot"),
        ({"rules": "dananeer", "bots": ["greedy"] * 4}, "invalid"),
        ({"rules": "dananeer", "clock": {"play": 0}}, "invalid"),
        ({"rules": "dananeer", "clock": {"play": 10**12}}, "invalid"),
        ({"rules": "dananeer", "clock": 30}, "invalid"),
        ({"rules": "dananeer", "bot_delay": "1"}, "invalid"),
        ({"rules": "dananeer", "bot_delay": 1e400}, "malformed_json"),
        ({"rules": "dananeer", "seat": "X"}, "invalid"),
        ({"rules": "dananeer", "secret": "00"}, "invalid"),
        ({"rules": 5}, "invalid"),
    ],
    ids=str,
)
def test_what_makes_no_table_is_refused_and_opens_none(apis, body, code):
    answer = apis[0].post("matches/", **body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert not Match.objects.exists()


def test_a_bot_is_text_and_a_number_is_told_so(apis):
    answer = apis[0].post("matches/", rules="eram", bots=["greedy", 1])
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert answer.json()["detail"] == "item 2 of bots: This must be text."
    assert not Match.objects.exists()


def test_a_choice_tells_what_there_is(apis):
    detail = "visibility: This must be one of public, code, private, not 'friends'."
    assert apis[0].post("matches/", rules="eram", visibility="friends").json()["detail"] == detail
    detail = "status: This must be one of open, running, finished, cancelled, not 'lost'."
    assert apis[0].get("matches/", status="lost").json()["detail"] == detail


def test_the_lobby_lists_open_tables_that_anyone_may_find(apis, api):
    shown = [
        apis[0].post("matches/", rules="eram").json()["code"],
        apis[1].post("matches/", rules="eram", visibility="code").json()["code"],
    ]
    apis[2].post("matches/", rules="eram", visibility="private")
    started = apis[3].post("matches/", rules="eram").json()["code"]
    apis[3].post(f"matches/{started}/start/")
    lobby = api().get("matches/").json()
    assert [table["code"] for table in lobby["results"]] == shown[::-1]
    assert lobby["count"] == 2
    assert "join_code" not in lobby["results"][0]


def test_mine_are_those_i_sit_in_of_any_state(apis, api):
    mine = apis[0].post("matches/", rules="eram", visibility="private").json()["code"]
    apis[1].post("matches/", rules="eram")
    assert [table["code"] for table in apis[0].get("matches/", mine="true").json()["results"]] == [mine]
    apis[0].post(f"matches/{mine}/start/")
    assert apis[0].get("matches/", mine="true", status="open").json()["count"] == 0
    assert api().get("matches/", mine="true").status_code == 401


@pytest.mark.parametrize(
    "query", [{"mine": "x"}, {"status": "lost"}, {"page": "0"}, {"page": "x"}, {"page": 10**30}]
)
def test_a_query_that_makes_no_sense_is_4xx(apis, query):
    assert apis[0].get("matches/", **query).status_code in (400, 404)


def test_the_lobby_costs_the_same_queries_however_long_it_is(apis, api, django_assert_max_num_queries):
    for client in apis:
        client.post("matches/", rules="eram")
    with django_assert_max_num_queries(4):  # count, matches, deals, seats
        assert len(api().get("matches/").json()["results"]) == 4


def test_matches_of_another_state_are_listed_too(apis, api):
    """Without `mine`: whatever is not private, the newest first."""
    codes = {}
    for visibility in ("public", "code", "private"):
        table = apis[0].post("matches/", rules="eram", visibility=visibility).json()["code"]
        apis[0].post(f"matches/{table}/start/")
        codes[visibility] = table
    apis[0].post("matches/", rules="eram")
    listed = api().get("matches/", status="running").json()
    assert [entry["code"] for entry in listed["results"]] == [codes["code"], codes["public"]]
    assert api().get("matches/", status="open").json()["count"] == 1
    assert api().get("matches/", status="finished").json()["results"] == []


@pytest.mark.parametrize(
    "query", [{"page": "0"}, {"page": "x"}, {"page_size": "0"}, {"page_size": "x"}, {"page_size": "201"}]
)
def test_what_is_no_page_is_refused_by_its_name(api, db, query):
    answer = api().get("matches/", **query)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert list(answer.json()["errors"]) == list(query)


def test_a_player_has_twenty_open_tables_and_makes_room_by_starting_or_closing_one(apis):
    *_, first, second = [apis[0].post("matches/", rules="eram").json()["code"] for _ in range(20)]
    answer = apis[0].post("matches/", rules="eram", invite=["basil"])
    assert refusal(answer) == (409, "too_many_tables")
    assert "start or close one first" in answer.json()["detail"]
    assert Match.objects.count() == 20 and not Invitation.objects.exists()
    for code, end in ((first, "start"), (second, "leave")):
        apis[0].post(f"matches/{code}/{end}/")
        assert apis[0].post("matches/", rules="eram").status_code == 201
        assert refusal(apis[0].post("matches/", rules="eram")) == (409, "too_many_tables")


def test_tables_of_others_and_those_that_run_are_not_counted(apis, cast):
    for _ in range(20):
        apis[0].post("matches/", rules="eram")
    code = apis[1].post("matches/", rules="eram").json()["code"]
    assert apis[0].post(f"matches/{code}/join/").status_code == 200
    matches.create_match(rules="eram", options={}, seats=cast, created_by=cast[1])
    for _ in range(19):
        assert apis[1].post("matches/", rules="eram").status_code == 201

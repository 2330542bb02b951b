import pytest

from games.models import Match, Seat
from tests.games.answers import refusal
from tests.games.play import bots_play_deals


@pytest.fixture
def table(apis) -> str:
    return apis[0].post("matches/", rules="dananeer").json()["code"]


def test_the_first_free_seat_is_taken_or_the_one_asked_for(apis, table):
    assert apis[1].post(f"matches/{table}/join/").json()["you"] == "E"
    assert apis[2].post(f"matches/{table}/join/", seat="W").json()["you"] == "W"
    assert apis[3].post(f"matches/{table}/join/", seat=None).json()["you"] == "N"


def test_a_taken_seat_is_refused_with_the_free_ones(apis, table):
    answer = apis[1].post(f"matches/{table}/join/", seat="S")
    assert refusal(answer) == (409, "seat_taken")
    assert "free: E, N, W" in answer.json()["detail"]


def test_nobody_sits_twice(apis, table):
    assert refusal(apis[0].post(f"matches/{table}/join/", seat="N")) == (409, "already_seated")
    assert Seat.objects.count() == 1


def test_a_fifth_finds_no_seat(apis, api, table, stranger):
    for player in apis[1:]:
        player.post(f"matches/{table}/join/")
    assert refusal(api(stranger).post(f"matches/{table}/join/")) == (409, "match_full")


@pytest.mark.parametrize(
    ("visibility", "refused"), [("code", (403, "wrong_join_code")), ("private", (404, "no_such_match"))]
)
def test_a_table_by_code_wants_its_code(apis, visibility, refused):
    table = apis[0].post("matches/", rules="eram", visibility=visibility).json()
    path = f"matches/{table['code']}/join/"
    assert refusal(apis[1].post(path)) == refused
    assert refusal(apis[1].post(path, join_code="guess")) == refused
    assert apis[1].post(path, join_code=table["join_code"]).json()["you"] == "E"
    assert refusal(apis[1].post(path)) == (409, "already_seated")


@pytest.mark.parametrize("started", [False, True], ids=["open", "running"])
def test_a_private_table_is_not_there_for_anyone_else(apis, started):
    """Every call about it is answered as for a match that there is not, byte for byte."""
    code = apis[0].post("matches/", rules="eram", visibility="private").json()["code"]
    if started:
        apis[0].post(f"matches/{code}/start/")
    calls = {
        "join": {},
        "leave": {},
        "start": {},
        "return": {},
        "actions": {"action": "pass", "version": 0},
    }
    for call, body in calls.items():
        answer = apis[1].post(f"matches/{code}/{call}/", **body)
        assert refusal(answer) == (404, "no_such_match")
        assert answer.content == apis[1].post(f"matches/nothing/{call}/", **body).content


def test_only_those_who_sit_see_the_code(apis, api):
    table = apis[0].post("matches/", rules="eram", visibility="code").json()
    assert apis[0].get(f"matches/{table['code']}/").json()["join_code"] == table["join_code"]
    assert apis[1].get(f"matches/{table['code']}/").json()["join_code"] is None
    assert table["join_code"] not in api().get("matches/").content.decode()


def test_a_running_finished_or_closed_match_takes_nobody(apis, api, table, stranger):
    other = api(stranger)
    apis[0].post(f"matches/{table}/start/")
    assert refusal(other.post(f"matches/{table}/join/")) == (409, "match_running")
    bots_play_deals(Match.objects.get(code=table))
    assert refusal(other.post(f"matches/{table}/join/")) == (409, "match_over")
    closed = apis[1].post("matches/", rules="eram").json()["code"]
    apis[1].post(f"matches/{closed}/leave/")
    assert refusal(other.post(f"matches/{closed}/join/")) == (409, "match_cancelled")


def test_there_is_nothing_to_join_where_no_match_is(apis):
    assert refusal(apis[0].post("matches/nothing/join/")) == (404, "no_such_match")


@pytest.mark.parametrize("body", [{"seat": "X"}, {"seat": 1}, {"join_code": 5}, {"chair": "E"}], ids=str)
def test_what_names_no_seat_is_malformed(apis, table, body):
    assert refusal(apis[1].post(f"matches/{table}/join/", **body)) == (400, "invalid")
    assert Seat.objects.count() == 1

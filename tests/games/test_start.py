import pytest

from games.models import Deal, Match
from tests.games.answers import refusal


@pytest.fixture
def table(apis) -> str:
    return apis[0].post("matches/", rules="dananeer").json()["code"]


def test_bots_fill_the_free_seats_and_the_first_deal_is_dealt(apis, table):
    apis[1].post(f"matches/{table}/join/", seat="N")
    answer = apis[0].post(f"matches/{table}/start/", bots="random")
    started = answer.json()
    assert (answer.status_code, started["status"]) == (200, "running")
    assert [seat["bot"] for seat in started["seats"]] == [None, "random", None, "random"]
    assert len(started["view"]["hand"]) == 13
    assert started["view"]["deal"]["number"] == 1


def test_greedy_bots_come_unasked(apis, table):
    assert apis[0].post(f"matches/{table}/start/").json()["seats"][3]["bot"] == "greedy"


def test_a_match_starts_once(apis, table):
    apis[0].post(f"matches/{table}/start/")
    assert refusal(apis[0].post(f"matches/{table}/start/")) == (409, "match_running")
    assert Deal.objects.count() == 1


def test_only_its_opener_starts_a_table(apis, table):
    apis[1].post(f"matches/{table}/join/")
    assert refusal(apis[1].post(f"matches/{table}/start/")) == (403, "not_your_table")
    assert refusal(apis[2].post(f"matches/{table}/start/")) == (403, "not_your_table")
    assert Match.objects.get().status == "open"


def test_an_unknown_bot_is_refused_where_no_seat_is_free_too(apis):
    full = apis[0].post("matches/", rules="dananeer", bots=["greedy"] * 3).json()["code"]
    assert refusal(apis[0].post(f"matches/{full}/start/", bots="genius")) == (400, "unknown_bot")
    assert Match.objects.get().status == "open"


def test_an_unknown_bot_starts_nothing(apis, table):
    assert refusal(apis[0].post(f"matches/{table}/start/", bots="genius")) == (400, "unknown_bot")
    assert Match.objects.get().status == "open" and Match.objects.get().seats.count() == 1

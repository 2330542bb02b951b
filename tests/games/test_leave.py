import pytest

from games.models import Match
from games.services.moves import play_bot_move
from tests.games.answers import refusal
from tests.games.play import act_until, in_play


@pytest.fixture
def table(apis) -> str:
    code = apis[0].post("matches/", rules="dananeer").json()["code"]
    apis[1].post(f"matches/{code}/join/")
    return code


def test_a_guest_gets_up_and_his_seat_is_free_again(apis, table):
    answer = apis[1].post(f"matches/{table}/leave/")
    assert (answer.status_code, answer.json()["you"], answer.json()["status"]) == (200, None, "open")
    assert apis[2].post(f"matches/{table}/join/", seat="E").status_code == 200


def test_the_table_closes_when_its_opener_gets_up(apis, table):
    assert apis[0].post(f"matches/{table}/leave/").json()["status"] == "cancelled"
    assert refusal(apis[0].post(f"matches/{table}/leave/")) == (409, "match_cancelled")
    assert refusal(apis[0].post(f"matches/{table}/start/")) == (409, "match_cancelled")


def test_who_does_not_sit_cannot_get_up(apis, table):
    assert refusal(apis[2].post(f"matches/{table}/leave/")) == (403, "not_your_seat")


def test_a_running_match_goes_to_a_bot_until_its_player_is_back(apis, match):
    act_until(match, in_play)
    seat = Match.objects.get(pk=match.pk).seats.get(index=0)
    answer = apis[0].post(f"matches/{match.code}/leave/")
    assert answer.json()["seats"][0]["away"] is True
    assert play_bot_move(match.pk).taken == 1
    assert apis[0].post(f"matches/{match.code}/return/").json()["seats"][0]["away"] is False
    seat.refresh_from_db()
    assert seat.away_since is None


def test_it_costs_few_queries(apis, match, django_assert_max_num_queries):
    with django_assert_max_num_queries(
        12
    ):  # token; begin, lock, seats, deals, two writes, end; a view's three
        assert apis[0].post(f"matches/{match.code}/leave/").status_code == 200


def test_who_leaves_a_private_table_is_told_so(apis):
    table = apis[0].post("matches/", rules="eram", visibility="private").json()
    apis[1].post(f"matches/{table['code']}/join/", join_code=table["join_code"])
    answer = apis[1].post(f"matches/{table['code']}/leave/")
    assert (answer.status_code, answer.json()["you"], answer.json()["join_code"]) == (200, None, None)
    assert apis[1].get(f"matches/{table['code']}/").status_code == 404

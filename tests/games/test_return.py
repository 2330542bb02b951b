from tests.games.answers import refusal
from tests.games.play import bots_play_deals


def test_to_be_back_without_having_been_away_is_harmless(apis, match):
    answer = apis[1].post(f"matches/{match.code}/return/")
    assert (answer.status_code, answer.json()["you"]) == (200, "E")


def test_only_players_of_a_running_match_come_back(apis, api, match, stranger):
    assert refusal(api(stranger).post(f"matches/{match.code}/return/")) == (403, "not_your_seat")
    opened = apis[0].post("matches/", rules="eram").json()["code"]
    assert refusal(apis[0].post(f"matches/{opened}/return/")) == (409, "match_open")
    bots_play_deals(match)
    assert refusal(apis[0].post(f"matches/{match.code}/return/")) == (409, "match_over")


def test_it_takes_no_body(apis, match):
    assert refusal(apis[0].post(f"matches/{match.code}/return/", seat="E")) == (400, "invalid")

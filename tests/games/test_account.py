"""GET /account/: me, my matches, whose turn it is."""

from games.api import answers
from games.services import matches
from tests.games.play import act, asked, bots_play_deals, state_of


def test_it_says_who_i_am_and_whose_turn_it_is(apis, match):
    mine, theirs = apis[0].get("account/").json(), apis[1].get("account/").json()
    assert (mine["name"], mine["is_bot"]) == ("amal", False)
    (entry,) = mine["matches"]
    assert (entry["code"], entry["you"], entry["to_act"], entry["your_turn"]) == (match.code, "S", "S", True)
    assert (theirs["matches"][0]["to_act"], theirs["matches"][0]["your_turn"]) == ("S", False)


def test_while_doubling_everyone_sees_his_own_turn_only(apis, match):
    act(match, "choose queens")
    wanted = asked(state_of(match))
    for api, seat in zip(apis, "SENW", strict=True):
        (entry,) = api.get("account/").json()["matches"]
        assert (entry["to_act"], entry["your_turn"]) == (None, seat in wanted)


def test_open_tables_wait_and_finished_matches_are_gone(apis, cast, match):
    bots_play_deals(match)
    code = apis[0].post("matches/", rules="eram").json()["code"]
    (entry,) = apis[0].get("account/").json()["matches"]
    assert (entry["code"], entry["status"], entry["to_act"], entry["your_turn"]) == (
        code,
        "open",
        None,
        False,
    )


def test_it_shows_the_newest_hundred(apis, monkeypatch):
    assert answers.MOST_LISTED == 100
    monkeypatch.setattr(answers, "MOST_LISTED", 2)
    mine = [apis[0].post("matches/", rules="eram").json()["code"] for _ in range(3)]
    for _ in range(3):
        apis[1].post("matches/", rules="eram", invite=["amal"])
    shown = apis[0].get("account/").json()
    assert [entry["code"] for entry in shown["matches"]] == mine[:0:-1]
    assert len(shown["invitations"]) == 2
    assert apis[0].get("matches/", mine="true").json()["count"] == 3


def test_it_takes_a_token(api, db):
    answer = api().get("account/")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_many_matches_cost_no_more_queries_than_one(apis, cast, django_assert_max_num_queries):
    for _ in range(5):
        matches.create_match(rules="eram", options={}, seats=cast)
    with django_assert_max_num_queries(5):  # token, matches, deals, seats, invitations
        assert len(apis[0].get("account/").json()["matches"]) == 5

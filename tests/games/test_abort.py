"""POST matches/{code}/abort/: a match that its players call off has no result."""

import pytest

from games.models import Match
from games.services import matches
from games.services.moves import play_bot_move
from ratings.models import LedgerMatch
from ratings.tasks import rate_finished
from tests.games.answers import refusal
from tests.games.play import act, act_until, bots_play_deals, in_play, play_out, secret_where, state_of


@pytest.fixture
def match(cast) -> Match:
    """A match of four that they have sat down to themselves, South to choose."""
    found = matches.open_match(
        player=cast[0], rules="dananeer", options={}, secret=secret_where(0), clock_choose=30, clock_play=30
    )
    for player in cast[1:]:
        matches.join(match_code=found.code, player=player)
    return matches.start(match_code=found.code, player=cast[0])


@pytest.fixture
def path(match) -> str:
    return f"matches/{match.code}/"


def test_before_the_first_action_one_player_is_enough(apis, match, path):
    answer = apis[2].post(f"{path}abort/")
    assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")
    assert (answer.json()["deadline"], answer.json()["secret"]) == (None, match.secret.hex())
    choice = apis[0].post(f"{path}actions/", action="choose trix", version=0)
    assert refusal(choice) == (409, "match_cancelled")


def test_later_all_must_agree(apis, match, path):
    act(match)
    for player in apis[:3]:
        assert player.post(f"{path}abort/", agree=True).json()["status"] == "running"
    seats = apis[3].get(path).json()["seats"]
    assert [seat["agrees_to_abort"] for seat in seats] == [True, True, True, False]
    assert apis[3].post(f"{path}abort/").json()["status"] == "cancelled"


def test_agreement_can_be_taken_back(apis, match, path):
    act(match)
    for player in apis[:3]:
        player.post(f"{path}abort/")
    assert apis[1].post(f"{path}abort/", agree=False).json()["seats"][1]["agrees_to_abort"] is False
    assert apis[3].post(f"{path}abort/").json()["status"] == "running"
    assert apis[1].post(f"{path}abort/").json()["status"] == "cancelled"


def test_disagreement_before_the_first_action_ends_nothing(apis, path):
    assert apis[1].post(f"{path}abort/", agree=False).json()["status"] == "running"


@pytest.mark.parametrize("rated", [True, False], ids=["rated", "unrated"])
def test_those_who_have_resigned_are_not_asked_and_the_away_only_where_it_is_rated(apis, match, path, rated):
    Match.objects.filter(pk=match.pk).update(rated=rated)
    act(match)
    apis[0].post(f"{path}leave/")
    apis[1].post(f"{path}resign/")
    assert apis[2].post(f"{path}abort/").json()["status"] == "running"
    last = apis[3].post(f"{path}abort/").json()["status"]
    assert last == ("running" if rated else "cancelled")
    if rated:
        assert apis[0].post(f"{path}abort/").json()["status"] == "cancelled"


def test_who_is_away_does_not_decide_for_those_who_play(apis, match, path):
    act(match)
    apis[0].post(f"{path}leave/")
    assert apis[0].post(f"{path}abort/").json()["status"] == "running"


def test_alone_among_bots_one_calls_off_whenever_he_likes(apis):
    code = apis[0].post("matches/", rules="eram", bots=["random"] * 3).json()["code"]
    apis[0].post(f"matches/{code}/start/")
    match = Match.objects.get(code=code)
    if not play_bot_move(match.pk).taken:
        act(match)
    assert state_of(match).version > 0
    assert apis[0].post(f"matches/{code}/abort/").json()["status"] == "cancelled"


def test_what_was_played_can_still_be_read_and_is_not_rated(apis, match, path):
    bots_play_deals(match, 2)
    act_until(match, in_play)
    for player in apis:
        answer = player.post(f"{path}abort/")
    assert answer.json()["status"] == "cancelled"
    assert apis[0].get(f"{path}record/").content.decode().count("score") == 2
    rate_finished()
    assert not LedgerMatch.objects.exists()


def test_an_arranged_match_is_not_for_its_players_to_call_off(apis, cast):
    match = matches.create_match(rules="dananeer", options={}, seats=cast)
    assert refusal(apis[0].post(f"matches/{match.code}/abort/")) == (409, "arranged")
    match.refresh_from_db()
    assert match.status == "running"


def test_an_open_table_is_closed_by_whoever_opened_it_alone(apis):
    path = f"matches/{apis[0].post('matches/', rules='eram').json()['code']}/"
    apis[1].post(f"{path}join/")
    assert refusal(apis[1].post(f"{path}abort/")) == (403, "not_your_table")
    assert apis[0].post(f"{path}abort/").json()["status"] == "cancelled"
    assert refusal(apis[0].post(f"{path}abort/")) == (409, "match_cancelled")


def test_who_may_not(apis, api, match, path, stranger):
    assert refusal(api(stranger).post(f"{path}abort/")) == (403, "not_your_seat")
    assert refusal(api().post(f"{path}abort/")) == (401, "not_authenticated")
    assert refusal(apis[0].post("matches/nothing/abort/")) == (404, "no_such_match")
    act(match)
    apis[0].post(f"{path}resign/")
    assert refusal(apis[0].post(f"{path}abort/")) == (409, "resigned")
    play_out(match)
    assert refusal(apis[1].post(f"{path}abort/")) == (409, "match_over")


@pytest.mark.parametrize("body", [{"agree": "yes"}, {"agree": None}, {"agreed": True}], ids=str)
def test_what_is_neither_yes_nor_no_is_malformed(apis, path, body):
    assert refusal(apis[0].post(f"{path}abort/", **body)) == (400, "invalid")
    assert apis[0].get(path).json()["status"] == "running"

"""POST matches/{code}/resign/: a bot plays on to the end, and there is no way back."""

import pytest

from games.engine import to_act
from games.models import Match
from games.services import endings, matches
from games.services.moves import play_bot_move
from tests.games.answers import refusal
from tests.games.play import act_until, doubling, in_play, play_out, state_of
from tests.games.test_secrecy import WORLDS, worlds


@pytest.fixture
def path(match) -> str:
    return f"matches/{match.code}/"


def test_a_bot_plays_in_a_resigned_seat_to_the_end(apis, match, path):
    act_until(match, in_play)
    turn = state_of(match).turn
    seat = apis[turn].post(f"{path}resign/").json()["seats"][turn]
    assert (seat["away"], seat["resigned"]) == (True, True)
    assert play_bot_move(match.pk).taken == 1
    play_out(match)
    assert match.status == Match.Status.FINISHED
    assert apis[turn].get(path).json()["view"]["over"] is True


def test_there_is_no_way_back(apis, match, path):
    state = act_until(match, in_play)
    apis[state.turn].post(f"{path}resign/")
    assert refusal(apis[state.turn].post(f"{path}return/")) == (409, "resigned")
    legal = apis[state.turn].get(path).json()["view"]["legal"]
    action = apis[state.turn].post(f"{path}actions/", action=legal[0], version=state.version)
    assert refusal(action) == (409, "resigned")
    assert state_of(match).version == state.version
    assert match.seats.get(index=state.turn).resigned
    assert match.seats.get(index=state.turn).away_since is not None
    assert apis[state.turn].post(f"{path}leave/").json()["seats"][state.turn]["resigned"] is True


def test_the_account_of_who_has_resigned_does_not_wait_for_him(apis, match, path):
    assert apis[0].get("account/").json()["matches"][0]["your_turn"] is True
    apis[0].post(f"{path}resign/")
    assert apis[0].get("account/").json()["matches"][0]["your_turn"] is False


def test_an_action_that_was_taken_before_is_answered_as_it_was(apis, match, path):
    first = apis[0].post(f"{path}actions/", action="choose trix", version=0)
    apis[0].post(f"{path}resign/")
    assert apis[0].post(f"{path}actions/", action="choose trix", version=0).content == first.content


def test_it_may_be_said_twice(apis, match, path):
    assert apis[0].post(f"{path}resign/").content == apis[0].post(f"{path}resign/").content


def test_when_all_people_have_resigned_bots_finish_the_match(apis, match, path):
    for player in apis:
        assert player.post(f"{path}resign/").status_code == 200
    while play_bot_move(match.pk, limit=100).taken:
        pass
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED and match.winners


def test_an_arranged_match_can_be_resigned(apis, cast):
    match = matches.create_match(rules="dananeer", options={}, seats=cast)
    assert match.arranged
    assert apis[3].post(f"matches/{match.code}/resign/").status_code == 200


def test_bots_are_called_for_the_seat(apis, match, path):
    match.refresh_from_db()
    assert not match.bots_pending
    apis[0].post(f"{path}resign/")
    match.refresh_from_db()
    assert match.bots_pending and match.deadline is None


def test_who_may_not(apis, api, match, path, stranger):
    assert refusal(api(stranger).post(f"{path}resign/")) == (403, "not_your_seat")
    assert refusal(api().post(f"{path}resign/")) == (401, "not_authenticated")
    assert refusal(apis[0].post("matches/nothing/resign/")) == (404, "no_such_match")
    assert refusal(apis[0].post(f"{path}resign/", sure=True)) == (400, "invalid")
    table = apis[0].post("matches/", rules="eram").json()["code"]
    assert refusal(apis[0].post(f"matches/{table}/resign/")) == (409, "match_open")
    apis[0].post(f"matches/{table}/leave/")
    assert refusal(apis[0].post(f"matches/{table}/resign/")) == (409, "match_cancelled")
    play_out(match)
    assert refusal(apis[0].post(f"{path}resign/")) == (409, "match_over")


@pytest.mark.parametrize("contract", WORLDS)
def test_resigning_while_doubling_tells_nobody_who_is_asked(monkeypatch, cast, clock, contract):
    """South resigns, asked or not, and his bot answers: West sees the same bytes in every world."""
    seen = set()
    for match, bystander in worlds(monkeypatch, cast, clock, contract, cast[3]):
        clock.pass_(1)
        endings.resign(match_code=match.code, player=cast[0])
        seen.add(bystander.look())
        if 0 in to_act(state_of(match)):
            play_bot_move(match.pk)
        if doubling(state_of(match)):
            seen.add(bystander.look())
    assert len(seen) == 1

"""Mutes: account/mutes/. Who is muted is not read, and not told."""

import pytest

from games.models import Mute
from tests.games.answers import refusal, texts


@pytest.fixture
def path(match) -> str:
    return f"matches/{match.code}/chat/"


def test_what_a_muted_player_says_and_said_is_not_read(apis, path):
    apis[1].post(path, text="before")
    muted = apis[0].put("account/mutes/BASIL/")
    assert (muted.status_code, muted.json()["player"]["name"]) == (200, "basil")
    apis[1].post(path, text="after")
    apis[2].post(path, text="other")
    assert texts(apis[0].get(path)) == ["other"]
    for player in apis[1:]:
        assert texts(player.get(path)) == ["before", "after", "other"]


def test_what_the_other_reads_does_not_tell_that_he_is_muted(apis, path):
    apis[0].put("account/mutes/basil/")
    said = apis[0].post(path, text="hello").json()
    assert apis[1].get(path).json()["messages"] == [said]
    assert apis[1].get("account/mutes/").json()["results"] == []


def test_muting_can_be_taken_back(apis, path):
    apis[0].put("account/mutes/basil/")
    apis[1].post(path, text="hello")
    assert apis[0].delete("account/mutes/basil/").status_code == 204
    assert texts(apis[0].get(path)) == ["hello"]
    assert refusal(apis[0].delete("account/mutes/basil/")) == (404, "no_such_mute")


def test_whom_i_have_muted_is_listed_the_latest_first(apis, api):
    apis[0].put("account/mutes/basil/")
    apis[0].put("account/mutes/كارلا/")
    listed = apis[0].get("account/mutes/").json()
    assert [mute["player"]["name"] for mute in listed["results"]] == ["كارلا", "basil"]
    assert listed["count"] == 2 and listed["results"][0]["at"].endswith("Z")


def test_muting_twice_is_muting_once(apis):
    assert apis[0].put("account/mutes/basil/").content == apis[0].put("account/mutes/basil/").content
    assert Mute.objects.count() == 1


def test_who_cannot_be_muted(apis, api):
    assert refusal(apis[0].put("account/mutes/amal/")) == (409, "not_yourself")
    assert refusal(apis[0].put("account/mutes/nobody/")) == (404, "no_such_player")
    assert refusal(apis[0].delete("account/mutes/nobody/")) == (404, "no_such_player")
    assert not Mute.objects.exists()
    assert refusal(apis[0].put("account/mutes/basil/", why="because")) == (400, "invalid")
    assert refusal(apis[0].get("account/mutes/", page="x")) == (400, "invalid")


def test_it_takes_a_token(api):
    assert refusal(api().get("account/mutes/")) == (401, "not_authenticated")
    assert refusal(api().put("account/mutes/basil/")) == (401, "not_authenticated")
    assert refusal(api().delete("account/mutes/basil/")) == (401, "not_authenticated")

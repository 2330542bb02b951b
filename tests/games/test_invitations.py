"""Invitations: POST matches/{code}/invitations/, DELETE matches/{code}/invitations/{name}/."""

import pytest

from games.models import Invitation, Match, Mute, Player
from games.services import invitations
from tests.games.answers import refusal


@pytest.fixture
def table(apis) -> dict:
    return apis[0].post("matches/", rules="dananeer", visibility="private").json()


@pytest.fixture
def path(table) -> str:
    return f"matches/{table['code']}/"


def test_an_invited_player_sees_a_private_table_and_sits_down_without_its_code(apis, path):
    assert apis[1].get(path).status_code == 404
    asked = apis[0].post(f"{path}invitations/", player="basil")
    assert (asked.status_code, asked.json()["invited"]) == (201, ["basil"])
    seen = apis[1].get(path)
    assert (seen.status_code, seen.json()["invited"], seen.json()["join_code"]) == (200, None, None)
    assert apis[1].post(f"{path}join/").json()["you"] == "E"
    assert apis[0].get(path).json()["invited"] == []
    assert apis[2].get(path).status_code == 404


def test_names_are_found_in_any_case_and_script(apis, path):
    assert apis[0].post(f"{path}invitations/", player="BASIL").json()["invited"] == ["basil"]
    assert apis[0].post(f"{path}invitations/", player="كارلا").json()["invited"] == ["basil", "كارلا"]
    assert apis[2].delete(f"{path}invitations/كارلا/").status_code == 204


def test_players_are_invited_as_the_table_opens(apis):
    opened = apis[0].post("matches/", rules="eram", invite=["basil", "daoud"])
    assert (opened.status_code, opened.json()["invited"]) == (201, ["basil", "daoud"])


@pytest.mark.parametrize(
    ("names", "refused"),
    [
        (["basil", "nobody"], (404, "no_such_player")),
        (["amal"], (409, "already_seated")),
        (["basil", "Basil"], (409, "already_invited")),
        (["basil"] * 21, (400, "invalid")),
        (["basil", 5], (400, "invalid")),
        ([""], (400, "invalid")),
    ],
    ids=str,
)
def test_with_one_who_cannot_be_invited_no_table_is_opened(apis, names, refused):
    assert refusal(apis[0].post("matches/", rules="eram", invite=names)) == refused
    assert not Match.objects.exists()


def test_the_account_lists_invitations_that_wait(apis, path, table):
    apis[0].post(f"{path}invitations/", player="basil")
    (waiting,) = apis[1].get("account/").json()["invitations"]
    assert (waiting["match"]["code"], waiting["by"]) == (table["code"], "amal")
    assert waiting["at"].endswith("Z") and waiting["match"]["seats"][0]["player"]["name"] == "amal"
    assert apis[0].get("account/").json()["invitations"] == []


def test_the_lobby_shows_a_private_table_to_those_who_are_invited(apis, api, path, table):
    apis[0].post(f"{path}invitations/", player="basil")
    assert [each["code"] for each in apis[1].get("matches/").json()["results"]] == [table["code"]]
    for other in (apis[0], apis[2], api()):
        assert other.get("matches/").json()["results"] == []


@pytest.mark.parametrize("ending", ["start", "leave"])
def test_invitations_end_when_the_table_starts_or_closes(apis, path, ending):
    apis[0].post(f"{path}invitations/", player="basil")
    assert apis[0].post(f"{path}{ending}/").status_code == 200
    assert apis[1].get("account/").json()["invitations"] == []
    assert apis[1].get(path).status_code == 404
    assert apis[0].get(path).json()["invited"] == []


def test_who_declines_is_not_asked_again(apis, path):
    apis[0].post(f"{path}invitations/", player="basil")
    assert apis[1].delete(f"{path}invitations/basil/").status_code == 204
    assert apis[1].get("account/").json()["invitations"] == []
    assert apis[1].get(path).status_code == 404
    assert apis[0].get(path).json()["invited"] == []
    assert refusal(apis[0].post(f"{path}invitations/", player="basil")) == (409, "declined")
    assert refusal(apis[0].delete(f"{path}invitations/basil/")) == (404, "no_such_invitation")


def test_who_was_taken_back_may_be_asked_again(apis, path):
    apis[0].post(f"{path}invitations/", player="basil")
    assert apis[0].delete(f"{path}invitations/basil/").status_code == 204
    assert apis[1].get(path).status_code == 404
    assert apis[0].post(f"{path}invitations/", player="basil").status_code == 201


def test_only_the_opener_of_an_open_table_invites(apis, path, table):
    apis[1].post(f"{path}join/", join_code=table["join_code"])
    assert refusal(apis[1].post(f"{path}invitations/", player="daoud")) == (403, "not_your_table")
    assert refusal(apis[2].post(f"{path}invitations/", player="daoud")) == (404, "no_such_match")
    apis[0].post(f"{path}start/")
    assert refusal(apis[0].post(f"{path}invitations/", player="daoud")) == (409, "match_running")


def test_who_cannot_be_invited(apis, path, table):
    invite = f"{path}invitations/"
    assert refusal(apis[0].post(invite, player="nobody")) == (404, "no_such_player")
    assert refusal(apis[0].post(invite, player="amal")) == (409, "already_seated")
    apis[0].post(invite, player="basil")
    assert refusal(apis[0].post(invite, player="Basil")) == (409, "already_invited")
    apis[2].post(f"{path}join/", join_code=table["join_code"])
    assert refusal(apis[0].post(invite, player="كارلا")) == (409, "already_seated")
    Player.objects.filter(username="daoud").update(is_active=False)
    assert refusal(apis[0].post(invite, player="daoud")) == (404, "no_such_player")


def test_a_table_has_so_many_invitations(apis, path, stranger, monkeypatch):
    monkeypatch.setattr(invitations, "MOST_INVITED", 2)
    for name in ("basil", "daoud"):
        apis[0].post(f"{path}invitations/", player=name)
    apis[1].delete(f"{path}invitations/basil/")
    assert refusal(apis[0].post(f"{path}invitations/", player="elias")) == (409, "too_many_invited")


def test_who_has_muted_the_opener_hears_of_no_invitation_and_the_opener_of_no_mute(apis, cast, path):
    """The same answers as for anyone else, whichever came first."""
    Mute.objects.create(player=cast[1], muted=cast[0])
    muted, other = (apis[0].post(f"{path}invitations/", player=name) for name in ("basil", "daoud"))
    assert muted.status_code == other.status_code == 201
    assert apis[0].get(path).json()["invited"] == ["basil", "daoud"]
    assert apis[1].get("account/").json()["invitations"] == []
    assert apis[1].get("matches/").json()["results"] == []
    assert len(apis[3].get("account/").json()["invitations"]) == 1


def test_others_neither_take_back_nor_decline(apis, path, table):
    apis[0].post(f"{path}invitations/", player="basil")
    apis[2].post(f"{path}join/", join_code=table["join_code"])
    assert refusal(apis[2].delete(f"{path}invitations/basil/")) == (403, "not_your_table")
    assert refusal(apis[2].delete(f"{path}invitations/كارلا/")) == (404, "no_such_invitation")
    assert refusal(apis[0].delete(f"{path}invitations/nobody/")) == (404, "no_such_player")
    assert refusal(apis[3].delete(f"{path}invitations/basil/")) == (404, "no_such_match")
    assert Invitation.objects.count() == 1


@pytest.mark.parametrize("body", [{}, {"player": 5}, {"player": ""}, {"name": "basil"}], ids=str)
def test_what_names_nobody_is_malformed(apis, path, body):
    assert refusal(apis[0].post(f"{path}invitations/", **body)) == (400, "invalid")


def test_it_takes_a_token(api, path):
    assert refusal(api().post(f"{path}invitations/", player="basil")) == (401, "not_authenticated")
    assert refusal(api().delete(f"{path}invitations/basil/")) == (401, "not_authenticated")


def test_an_invitation_sent_twice_under_one_key_is_one(apis, cast, path):
    keyed = {**apis[0].headers, "Idempotency-Key": "first"}
    answers = [
        apis[0].client.post(
            f"/api/v1/{path}invitations/", {"player": "basil"}, content_type="application/json", headers=keyed
        )
        for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].content == answers[1].content

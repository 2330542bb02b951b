"""POST matches/{code}/rematch/: the same people, in the same seats, by the same rules."""

import pytest

from games.models import Match, Mute
from games.services import matches
from tests.games.answers import refusal
from tests.games.play import bots_play_deals, play_out


@pytest.fixture
def finished(cast) -> Match:
    """A finished match of amal (S), a bot (E), basil (N) and كارلا (W)."""
    found = matches.open_match(
        player=cast[0],
        rules="eram",
        options={"king_value": 100},
        rated=False,
        visibility="private",
        clock_play=30,
        on_timeout="wait",
        hands_delay=None,
    )
    matches.sit(found, 1, "random")
    for player, seat in ((cast[1], "N"), (cast[2], "W")):
        matches.join(match_code=found.code, player=player, join_code=found.join_code, seat=seat)
    matches.start(match_code=found.code, player=cast[0])
    play_out(found)
    return found


@pytest.fixture
def path(finished) -> str:
    return f"matches/{finished.code}/"


def names(table):
    return [(seat["player"] and seat["player"]["name"]) or seat["bot"] for seat in table["seats"]]


def test_who_asks_first_opens_it_and_the_others_are_invited(apis, finished, path):
    answer = apis[1].post(f"{path}rematch/")
    again = answer.json()
    assert (answer.status_code, again["status"], again["opened_by"]) == (201, "open", "basil")
    assert names(again) == [None, "random", "basil", None]
    assert again["invited"] == ["amal", "كارلا"]
    before = apis[1].get(path).json()
    for same in ("rules", "options", "clock", "visibility", "on_timeout", "hands_delay", "rated"):
        assert again[same] == before[same]
    assert again["code"] != before["code"] and again["commitment"] != before["commitment"]
    assert again["join_code"] not in (None, before["join_code"])


def test_it_starts_by_itself_once_all_sit_in_their_old_seats(apis, path):
    code = apis[1].post(f"{path}rematch/").json()["code"]
    second = apis[2].post(f"{path}rematch/")
    assert (second.status_code, second.json()["code"], second.json()["status"]) == (200, code, "open")
    third = apis[0].post(f"{path}rematch/").json()
    assert (third["status"], third["you"]) == ("running", "S")
    assert names(third) == ["amal", "random", "basil", "كارلا"]
    assert third["view"]["hand"]


def test_joining_by_its_code_is_the_same(apis, path):
    code = apis[1].post(f"{path}rematch/").json()["code"]
    assert apis[2].post(f"matches/{code}/join/").json()["you"] == "W"
    assert apis[0].post(f"matches/{code}/join/").json()["status"] == "running"


def test_who_sits_there_may_ask_again(apis, path):
    first = apis[1].post(f"{path}rematch/").json()
    again = apis[1].post(f"{path}rematch/")
    assert (again.status_code, again.json()) == (200, first)
    for player in (apis[2], apis[0]):
        player.post(f"{path}rematch/")
    assert apis[1].post(f"{path}rematch/").json()["status"] == "running"


def test_a_match_tells_its_rematch_to_those_who_may_see_it(apis, finished, path):
    assert apis[0].get(path).json()["rematch"] is None
    code = apis[1].post(f"{path}rematch/").json()["code"]
    assert apis[0].get(path).json()["rematch"] == code
    assert [table["rematch"] for table in apis[0].get("matches/", mine="true").json()["results"]] == [code]
    assert apis[3].get(path).status_code == 404


def test_alone_with_bots_it_starts_at_once(apis):
    code = apis[0].post("matches/", rules="eram", bots=["random", "greedy", "random"]).json()["code"]
    apis[0].post(f"matches/{code}/start/")
    play_out(Match.objects.get(code=code))
    again = apis[0].post(f"matches/{code}/rematch/")
    assert (again.status_code, again.json()["status"]) == (201, "running")
    assert names(again.json()) == ["amal", "random", "greedy", "random"]


@pytest.fixture
def public(cast, match) -> str:
    """The path of a finished public match of the cast, which was arranged for them."""
    bots_play_deals(match)
    return f"matches/{match.code}/"


def test_an_arranged_match_is_played_again_at_an_ordinary_table(apis, public):
    again = apis[0].post(f"{public}rematch/")
    assert (again.status_code, again.json()["visibility"]) == (201, "public")
    assert apis[0].post(f"matches/{again.json()['code']}/abort/").json()["status"] == "cancelled"


def test_seats_are_kept_for_those_who_have_not_answered(apis, api, public, stranger):
    code = apis[0].post(f"{public}rematch/").json()["code"]
    other = api(stranger)
    assert refusal(other.post(f"matches/{code}/join/")) == (409, "match_full")
    taken = other.post(f"matches/{code}/join/", seat="E")
    assert refusal(taken) == (409, "match_full")
    apis[1].delete(f"matches/{code}/invitations/basil/")
    assert other.post(f"matches/{code}/join/").json()["you"] == "E"
    assert refusal(apis[2].post(f"matches/{code}/join/", seat="W")) == (409, "seat_taken")
    for player in apis[2:]:
        last = player.post(f"{public}rematch/").json()
    assert (last["status"], names(last)) == ("running", ["amal", "elias", "كارلا", "daoud"])
    assert refusal(apis[1].post(f"{public}rematch/")) == (409, "match_running")


def test_who_has_declined_may_think_again_while_there_is_a_seat(apis, api, public, stranger):
    code = apis[0].post(f"{public}rematch/").json()["code"]
    apis[1].delete(f"matches/{code}/invitations/basil/")
    assert apis[1].post(f"{public}rematch/").json()["you"] == "E"
    apis[1].post(f"matches/{code}/leave/")
    api(stranger).post(f"matches/{code}/join/")
    assert refusal(apis[1].post(f"{public}rematch/")) == (409, "match_full")


def test_bots_fill_the_seats_of_those_who_do_not_come(apis, public):
    code = apis[0].post(f"{public}rematch/").json()["code"]
    started = apis[0].post(f"matches/{code}/start/", bots="random").json()
    assert names(started) == ["amal", "random", "random", "random"]
    assert refusal(apis[1].post(f"{public}rematch/")) == (409, "match_running")


@pytest.mark.parametrize("call", ["leave", "abort"])
def test_a_rematch_that_was_called_off_makes_way_for_another(apis, public, call):
    first = apis[0].post(f"{public}rematch/").json()["code"]
    apis[0].post(f"matches/{first}/{call}/")
    assert apis[0].get(public).json()["rematch"] is None
    second = apis[1].post(f"{public}rematch/")
    assert (second.status_code, second.json()["status"]) == (201, "open")
    assert second.json()["code"] != first


def test_a_rematch_can_be_played_again_too(apis, path):
    for player in apis[:3]:
        code = player.post(f"{path}rematch/").json()["code"]
    play_out(Match.objects.get(code=code))
    assert apis[2].post(f"matches/{code}/rematch/").status_code == 201
    assert apis[0].get(path).json()["rematch"] == code


def test_a_closed_account_is_not_invited(apis, cast, path):
    cast[2].is_active = False
    cast[2].save()
    assert apis[0].post(f"{path}rematch/").json()["invited"] == ["basil"]


def test_who_has_muted_the_opener_is_not_told(apis, cast, path):
    Mute.objects.create(player=cast[1], muted=cast[0])
    apis[0].post(f"{path}rematch/")
    assert apis[1].get("account/").json()["invitations"] == []
    assert len(apis[2].get("account/").json()["invitations"]) == 1


def test_who_may_not(apis, api, cast, public, stranger, finished, path):
    assert refusal(api(stranger).post(f"{public}rematch/")) == (403, "not_your_seat")
    assert refusal(apis[3].post(f"{path}rematch/")) == (404, "no_such_match")
    assert refusal(api().post(f"{public}rematch/")) == (401, "not_authenticated")
    assert refusal(apis[0].post(f"{public}rematch/", rules="eram")) == (400, "invalid")


def test_only_a_finished_match_is_played_again(apis):
    path = f"matches/{apis[0].post('matches/', rules='eram').json()['code']}/"
    assert refusal(apis[0].post(f"{path}rematch/")) == (409, "match_open")
    apis[0].post(f"{path}start/")
    assert refusal(apis[0].post(f"{path}rematch/")) == (409, "match_running")
    assert apis[0].post(f"{path}abort/").json()["status"] == "cancelled"
    assert refusal(apis[0].post(f"{path}rematch/")) == (409, "match_cancelled")


def test_a_rematch_is_one_of_the_twenty_tables_that_its_player_has_opened(apis, finished, path):
    for _ in range(20):
        apis[0].post("matches/", rules="eram")
    assert refusal(apis[0].post(f"{path}rematch/")) == (409, "too_many_tables")
    assert not Match.objects.filter(rematch_of=finished).exists()
    assert apis[1].post(f"{path}rematch/").status_code == 201
    assert apis[0].post(f"{path}rematch/").status_code == 200


def test_a_rematch_that_starts_at_once_is_not_counted(apis):
    table = apis[0].post("matches/", rules="eram", bots=["random"] * 3).json()["code"]
    apis[0].post(f"matches/{table}/start/")
    play_out(Match.objects.get(code=table))
    for _ in range(20):
        apis[0].post("matches/", rules="eram")
    assert apis[0].post(f"matches/{table}/rematch/").json()["status"] == "running"

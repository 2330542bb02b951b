"""What one answer says of a match is of one moment, whatever happens between its statements."""

from collections.abc import Callable
from contextlib import contextmanager

import pytest
from django.db import connection

from games.models import Match
from games.services import matches
from tests.games.play import act, act_until, bots_play_deals

GAPS = range(1, 7)


@contextmanager
def between_statements(gap: int, happens: Callable[[], object]):
    """Let this happen once, after the statement of this number."""
    count = 0

    def wrapper(execute, *statement):
        nonlocal count
        done = execute(*statement)
        count += 1
        if count == gap:
            happens()
        return done

    with connection.execute_wrapper(wrapper):
        yield


@pytest.mark.parametrize("gap", GAPS)
def test_a_move_meanwhile(apis, match, gap):
    bots_play_deals(match, 1)
    act(match)
    with between_statements(gap, lambda: act(match)):
        seen = apis[0].get(f"matches/{match.code}/").json()
    assert seen["version"] == seen["view"]["version"]
    assert seen["totals"] == seen["view"]["totals"]


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("finished", [False, True], ids=["a deal", "the match"])
def test_the_end_of_a_deal_meanwhile(apis, match, gap, finished):
    if finished:
        bots_play_deals(match, 19)
    with between_statements(gap, lambda: bots_play_deals(match, 1)):
        seen = apis[0].get(f"matches/{match.code}/").json()
    assert seen["version"] == seen["view"]["version"]
    assert seen["totals"] == seen["view"]["totals"]
    assert (seen["status"] == "finished") == seen["view"]["over"]
    assert seen["winners"] == seen["view"]["winners"]


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("path", ["matches/{}/", "account/", "matches/{}/events/", "matches/{}/record/"])
def test_the_start_of_a_match_meanwhile(apis, cast, gap, path):
    table = matches.open_match(player=cast[0], rules="dananeer", options={})
    with between_statements(gap, lambda: matches.start(match_code=table.code, player=cast[0])):
        answer = apis[0].get(path.format(table.code))
    assert answer.status_code == 200
    if path == "matches/{}/":
        seen = answer.json()
        assert (seen["status"] == "running") == (seen["view"] is not None)
        assert Match.objects.get().status == "running" or gap > 4


@pytest.mark.parametrize("gap", GAPS)
def test_an_account_meanwhile(apis, cast, match, gap):
    before = act_until(match, lambda state: state.phase.name == "PLAY")
    with between_statements(gap, lambda: act(match)):
        (entry,) = apis[0].get("account/").json()["matches"]
    if entry["version"] == before.version:
        assert entry["to_act"] == "SENW"[before.turn]
    else:
        assert entry["version"] == before.version + 1
        assert entry["to_act"] != "SENW"[before.turn]


@pytest.mark.parametrize("gap", GAPS)
def test_events_meanwhile(api, match, gap):
    act(match)
    with between_statements(gap, lambda: act(match)):
        seen = api().get(f"matches/{match.code}/events/").json()
    assert [event["version"] for event in seen["events"]] == list(range(1, seen["version"] + 1))

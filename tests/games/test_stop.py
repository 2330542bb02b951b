"""services.matches.stop: a match that nobody is to play on, as when its tournament is cancelled."""

import io

import pytest

from games.engine import Phase
from games.engine.reading import read_records
from games.models import Match
from games.services import matches, moves
from games.tasks import sweep
from ratings.models import LedgerMatch
from ratings.services import rate_finished
from tests.games.play import act, act_until, bots_play_deals, in_play, secret_where, state_of


def stored(match) -> Match:
    return Match.objects.get(pk=match.pk)


@pytest.fixture
def stopped(match) -> Match:
    """Stopped in the middle of its second deal."""
    bots_play_deals(match, 1)
    act_until(match, in_play)
    act(match)
    assert stored(match).deadline is not None
    return matches.stop(match.pk)


def test_nothing_waits_for_anyone_any_more(stopped, clock):
    assert stored(stopped).status == "cancelled"
    assert (stored(stopped).deadline, stored(stopped).bots_due) == (None, None)
    version = stored(stopped).version
    clock.pass_(3600)
    sweep()
    assert not moves.expire(stopped.pk)
    assert moves.play_bot_move(stopped.pk).taken == 0
    assert stored(stopped).version == version


def test_a_table_that_waits_for_bots_stops_as_well(cast):
    match = matches.create_match(
        rules="eram", options={}, seats=[*cast[:3], "greedy"], secret=secret_where(3)
    )
    assert stored(match).bots_pending
    assert matches.stop(match.pk).status == "cancelled"
    assert not stored(match).bots_pending


def test_an_open_table_stops(apis):
    code = apis[0].post("matches/", rules="eram").json()["code"]
    matches.stop(Match.objects.get(code=code).pk)
    answer = apis[1].post(f"matches/{code}/join/")
    assert (answer.status_code, answer.json()["code"]) == (409, "match_cancelled")
    answer = apis[0].post(f"matches/{code}/actions/", action="pass", version=0)
    assert (answer.status_code, answer.json()["code"]) == (409, "match_cancelled")


def test_a_second_time_and_after_the_end_it_changes_nothing(match, stopped, cast):
    assert matches.stop(stopped.pk).status == "cancelled"
    other = matches.create_match(rules="eram", options={}, seats=cast)
    assert bots_play_deals(other).phase is Phase.OVER
    assert matches.stop(other.pk).status == "finished"
    assert stored(other).winners


@pytest.mark.parametrize("door", ["actions", "leave", "return", "start"])
def test_nobody_plays_on(apis, stopped, door):
    body = {"action": "pass", "version": stored(stopped).version} if door == "actions" else {}
    codes = {api.post(f"matches/{stopped.code}/{door}/", **body).json()["code"] for api in apis}
    assert codes == ({"not_your_table"} if door == "start" else {"match_cancelled"})


def test_an_action_of_before_may_still_be_sent_again(apis, match):
    first = apis[0].post(f"matches/{match.code}/actions/", action="choose trix", version=0)
    matches.stop(match.pk)
    again = apis[0].post(f"matches/{match.code}/actions/", action="choose trix", version=0)
    assert (again.status_code, again.content) == (200, first.content)


def test_what_was_played_can_be_read(apis, api, stopped):
    for viewer in (apis[0], api()):
        seen = viewer.get(f"matches/{stopped.code}/").json()
        assert (seen["status"], seen["deadline"]) == ("cancelled", None)
        assert seen["view"]["version"] == seen["version"] == state_of(stopped).version
        assert seen["secret"] == stopped.secret.hex()
        events = viewer.get(f"matches/{stopped.code}/events/").json()
        assert len(events["events"]) == events["version"] == seen["version"]


def test_its_record_ends_where_it_was_stopped(api, stopped):
    text = api().get(f"matches/{stopped.code}/record/").content.decode()
    (replay,) = read_records(io.BytesIO(text.encode()), "match.trix")
    assert len(replay.results) == 1
    assert replay.state.plays == state_of(stopped).plays != []
    assert f'[Seed "{stopped.secret.hex()}"]' in text


def test_a_deal_whose_contract_was_not_chosen_is_in_no_record(api, match):
    matches.stop(match.pk)
    text = api().get(f"matches/{match.code}/record/").content.decode()
    assert "Seed" in text and "deal 1" not in text


def test_tables_with_the_same_cards_go_on_unrevealed(api, cast, match):
    other = matches.create_match(rules="dananeer", options={}, seats=["greedy"] * 4, secret=match.secret)
    matches.stop(other.pk)
    seen = api().get(f"matches/{other.code}/").json()
    assert (seen["secret"], seen["view"]) == (None, None)
    matches.stop(match.pk)
    assert api().get(f"matches/{other.code}/").json()["secret"] == other.secret.hex()


def test_it_is_not_rated(stopped):
    rate_finished(since_ever=True)
    assert not LedgerMatch.objects.exists()

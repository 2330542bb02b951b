"""Streams of matches from a real server: what comes, in which order, and when it ends."""

import json
from contextlib import ExitStack

import httpx
import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from games.engine import to_act
from games.models import ApiToken, Match
from games.services import chat, matches
from tests.conftest import served
from tests.games.play import act, act_until, bots_play_deals, in_play, state_of
from tests.games.streaming import FORMS, Reader, token_of
from trix_site.common.conninfo import conninfo


def events_of(match: Match) -> str:
    return f"matches/{match.code}/events/"


@pytest.fixture
def shown(live_site):
    """What GET answers this caller now."""

    def get(match, player=None):
        headers = {"Authorization": f"Bearer {token_of(player)}"} if player else {}
        return httpx.get(f"{live_site}/api/v1/matches/{match.code}/", headers=headers).json()

    return get


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seated", [True, False], ids=["a player", "a spectator"])
def test_the_first_message_is_the_match_as_get_answers_it(live_site, cast, match, shown, form, seated):
    act(match)
    viewer = cast[1] if seated else None
    with Reader(live_site, events_of(match), viewer, form) as reader:
        assert reader.status == 200
        assert reader.answer.headers["content-type"] == FORMS[form]
        assert reader.answer.headers["cache-control"] == "no-store"
        first = reader.next()
        assert (first.kind, first.id) == ("match", 1)
        assert first.data == shown(match, viewer)


def test_it_is_the_same_bytes(live_site, match):
    plain = httpx.get(f"{live_site}/api/v1/matches/{match.code}/").content
    with Reader(live_site, events_of(match)) as reader:
        reader.next()
        assert reader.raw == b"event: match\nid: 0\ndata: " + plain + b"\n\n"
    with Reader(live_site, events_of(match), form="ndjson") as reader:
        reader.next()
        assert reader.raw == b'{"type":"match","id":0,"data":' + plain + b"}\n"


def test_each_action_comes_in_order_and_then_the_match(live_site, cast, match, shown):
    with Reader(live_site, events_of(match), cast[2]) as reader:
        reader.next()
        for _ in range(30):
            act(match, rng=None)
        version = state_of(match).version
        actions, last = [], None
        while last is None or last.id < version:
            message = reader.next()
            if message.kind == "match":
                last = message
            else:
                actions.append(message)
        assert [action.id for action in actions] == list(range(1, version + 1))
        assert last.data == shown(match, cast[2])
        plain = httpx.get(f"{live_site}/api/v1/{events_of(match)}").json()["events"]
        assert [action.data for action in actions] == plain


@pytest.mark.parametrize("by", ["header", "query"])
def test_it_goes_on_after_a_gap_without_loss_or_double(live_site, match, by):
    with Reader(live_site, events_of(match)) as reader:
        act(match)
        seen = reader.next("action").id
    act_until(match, in_play)
    for _ in range(5):
        act(match)
    version = state_of(match).version
    path = events_of(match) + ("?after=1" if by == "query" else "")
    with Reader(live_site, path, last=seen if by == "header" else None) as reader:
        got = [reader.next() for _ in range(version - seen + 1)]
        assert [message.id for message in got] == [*range(2, version + 1), version]
        assert [message.kind for message in got] == ["action"] * (version - seen) + ["match"]
        act(match)
        assert reader.next("action").id == version + 1


def test_last_event_id_comes_before_the_query(live_site, match):
    for _ in range(4):
        act(match, None)
    version = state_of(match).version
    with Reader(live_site, events_of(match) + "?after=0", last=version) as reader:
        assert reader.next().kind == "match"


def test_an_id_from_the_future_misses_nothing_that_comes(live_site, match):
    with Reader(live_site, events_of(match), last=900) as reader:
        assert (first := reader.next()).kind == "match"
        assert first.id == 0


@pytest.mark.parametrize("form", FORMS)
def test_signs_of_life_come_all_the_time(live_site, match, form):
    with Reader(live_site, events_of(match), form=form) as reader:
        reader.next()
        alive = ":" if form == "sse" else ""
        lines = reader.lines()
        assert sum(line == alive for line, _ in zip(lines, range(6), strict=False)) >= 3


@pytest.mark.parametrize(
    ("path", "headers", "status", "code"),
    [
        ("matches/nothing/events/", {}, 404, "no_such_match"),
        ("events/", {}, 401, "not_authenticated"),
        ("events/", {"Authorization": "Bearer x"}, 401, "authentication_failed"),
        ("matches/{code}/events/", {"Authorization": "Bearer x"}, 401, "authentication_failed"),
        ("matches/{code}/events/", {"Authorization": "Bearer é".encode()}, 401, "malformed_token"),
        ("matches/{code}/events/", {"Accept": "text/csv"}, 406, "not_acceptable"),
        ("events/", {"Accept": "application/json"}, 406, "not_acceptable"),
        ("matches/{code}/events/", {"Last-Event-ID": "x"}, 400, "malformed_event_id"),
        ("matches/{code}/events/", {"Last-Event-ID": "-1"}, 400, "malformed_event_id"),
        ("matches/{code}/events/", {"Last-Event-ID": "٣".encode()}, 400, "malformed_event_id"),
        ("matches/{code}/events/", {"Last-Event-ID": "9" * 5000}, 400, "malformed_event_id"),
        ("matches/{code}/events/?after=x", {}, 400, "invalid"),
        ("matches/{code}/events/?format=xml", {}, 404, "not_found"),
    ],
)
def test_a_stream_is_refused_like_any_other_call(live_site, match, path, headers, status, code):
    asked = {"Accept": "text/event-stream", **headers}
    answer = httpx.get(f"{live_site}/api/v1/{path.format(code=match.code)}", headers=asked)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"


def test_another_method_is_refused(live_site, match):
    answer = httpx.post(f"{live_site}/api/v1/{events_of(match)}", json={})
    assert answer.status_code == 405


def test_a_process_without_streams_says_where_they_are(live_api, cast, match):
    for path in (events_of(match), "events/"):
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {token_of(cast[0])}"}
        answer = httpx.get(f"{live_api}/api/v1/{path}", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (406, "stream_elsewhere")


def test_head_says_what_there_would_be(live_site, match):
    answer = httpx.head(f"{live_site}/api/v1/{events_of(match)}", headers={"Accept": "text/event-stream"})
    assert (answer.status_code, answer.content) == (200, b"")


def test_a_private_match_is_its_players_alone(live_site, cast, stranger):
    match = matches.open_match(player=cast[0], rules="eram", options={}, visibility="private")
    for viewer in (None, stranger):
        with Reader(live_site, events_of(match), viewer) as reader:
            assert (reader.status, reader.problem["code"]) == (404, "no_such_match")
    with Reader(live_site, events_of(match), cast[0]) as reader:
        assert reader.next().data["join_code"] == match.join_code


def test_who_gets_up_from_a_private_table_gets_no_more_of_it(live_site, cast):
    match = matches.open_match(player=cast[0], rules="eram", options={}, visibility="private")
    matches.join(match_code=match.code, player=cast[1], join_code=match.join_code)
    with Reader(live_site, events_of(match), cast[1]) as reader:
        reader.next()
        matches.leave(match_code=match.code, player=cast[1])
        assert reader.rest() == []


def test_a_table_is_followed_from_its_opening_to_its_start(live_site, cast, shown):
    match = matches.open_match(player=cast[0], rules="eram", options={})
    with Reader(live_site, events_of(match), cast[0]) as reader:
        assert reader.next().data["status"] == "open"
        matches.join(match_code=match.code, player=cast[2])
        assert reader.next().data["seats"][1]["player"]["name"] == "كارلا"
        matches.start(match_code=match.code, player=cast[0])
        assert (started := reader.next()).data["status"] == "running"
        assert started.data == shown(match, cast[0])


def test_who_sits_down_sees_his_hand_on_the_stream_that_he_has(live_site, cast):
    match = matches.open_match(player=cast[0], rules="eram", options={})
    with Reader(live_site, events_of(match), cast[1]) as reader:
        assert reader.next().data["you"] is None
        matches.join(match_code=match.code, player=cast[1])
        assert reader.next().data["you"] == "E"
        matches.start(match_code=match.code, player=cast[0])
        assert len(reader.next().data["view"]["hand"]) == 13


def test_the_end_of_the_match_ends_the_stream(live_site, cast, match, shown):
    with Reader(live_site, events_of(match), cast[0]) as reader, Reader(live_site, events_of(match)) as other:
        bots_play_deals(match)
        for stream, viewer in ((reader, cast[0]), (other, None)):
            messages = stream.rest()
            actions = [message.id for message in messages if message.kind == "action"]
            version = Match.objects.get(pk=match.pk).version
            assert actions == list(range(1, version + 1))
            assert messages[-1].kind == "match"
            # Who bots played for came back after the end, which is no news of the match.
            assert messages[-1].data | {"seats": None} == shown(match, viewer) | {"seats": None}
    with Reader(live_site, events_of(match), cast[0], last=version) as again:
        assert again.status == 204
    with Reader(live_site, events_of(match), cast[0], last=version - 2) as again:
        assert [message.id for message in again.rest()] == [version - 1, version, version]
    with Reader(live_site, events_of(match)) as again:
        assert [message.kind for message in again.rest()] == ["match"]


def test_a_match_that_is_called_off_ends_the_stream(live_site, match):
    with Reader(live_site, events_of(match)) as reader:
        reader.next()
        matches.stop(match.pk)
        (last,) = reader.rest()
        assert last.data["status"] == "cancelled"
    with Reader(live_site, events_of(match), last=0) as again:
        assert again.status == 204


def test_a_deleted_match_ends_the_stream(live_site, cast, match):
    with Reader(live_site, events_of(match)) as reader:
        reader.next()
        match.delete()
        assert reader.rest() == []


@pytest.mark.parametrize("how", ["revoked", "expired", "closed"])
def test_a_token_that_is_no_longer_good_ends_its_streams(live_site, cast, match, how):
    token, text = ApiToken.objects.create(user=cast[0])
    kept = token_of(cast[1])
    with (
        Reader(live_site, events_of(match), token=text) as reader,
        Reader(live_site, "events/", token=text) as account,
        Reader(live_site, events_of(match), token=kept) as other,
    ):
        reader.next(), account.next(), other.next()
        if how == "revoked":
            token.delete()
        elif how == "expired":
            ApiToken.objects.filter(pk=token.pk).update(expiry=timezone.now())
        else:
            type(cast[0]).objects.filter(pk=cast[0].pk).update(is_active=False)
        assert reader.rest() == []
        assert account.rest() == []
        act(match)
        assert other.next().kind == "action"


def test_one_account_has_so_many_streams_and_no_more(live_site, cast, match):
    text = token_of(cast[0])
    readers = [Reader(live_site, events_of(match), token=text) for _ in range(50)]
    try:
        for reader in readers:
            reader.next()
        with Reader(live_site, events_of(match), token=text) as one_more:
            assert (one_more.status, one_more.problem["code"]) == (429, "too_many_streams")
            assert one_more.answer.headers["retry-after"]
        with Reader(live_site, events_of(match), cast[1]) as other:
            assert other.next().kind == "match"
    finally:
        for reader in readers:
            reader.close()


def test_closed_streams_make_room(live_site, cast, match):
    text = token_of(cast[0])
    for _ in range(60):
        with Reader(live_site, events_of(match), token=text) as reader:
            assert reader.next().kind == "match"


def test_matches_that_somebody_holds_keep_no_stream_waiting(live_site, cast):
    """Each kept one of the few threads that read for all streams of a process."""
    found = [matches.create_match(rules="dananeer", options={}, seats=cast) for _ in range(6)]
    ids = [match.pk for match in found]
    with ExitStack() as open_readers:
        with psycopg.connect(conninfo()) as holder:
            holder.execute("SELECT 1 FROM games_match WHERE id = ANY(%s) FOR NO KEY UPDATE", [ids])
            readers = [open_readers.enter_context(Reader(live_site, events_of(match))) for match in found]
            assert [reader.next().data["bot_delay"] for reader in readers] == [0] * 6
            holder.execute("UPDATE games_match SET bot_delay = 7 WHERE id = ANY(%s)", [ids])
        # Nobody was told of that, and everybody is shown it.
        assert [reader.next().data["bot_delay"] for reader in readers] == [7] * 6


def test_two_processes_tell_the_same(live_site, cast, match, database_environment):
    """Whoever makes the move, every process hears of it."""
    options = ["--interface=asgi", "--loop=asyncio", "trix_site.asgi:application"]
    with (
        served(database_environment, *options) as other_site,
        Reader(live_site, events_of(match), cast[1]) as here,
        Reader(other_site, events_of(match), cast[1]) as there,
    ):
        here.next(), there.next()
        token = {"Authorization": f"Bearer {token_of(cast[0])}"}
        body = {"action": "choose ltoosh", "version": 0}
        url = f"{other_site}/api/v1/matches/{match.code}/actions/"
        assert httpx.post(url, json=body, headers=token).status_code == 200
        assert [here.next(), here.next()] == [there.next(), there.next()]


def test_nothing_is_missed_when_the_listening_connection_is_cut(live_site, cast, match):
    with (
        Reader(live_site, events_of(match), cast[1]) as reader,
        Reader(live_site, "events/", cast[0]) as account,
    ):
        reader.next(), account.next()
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'trix streams' AND datname = current_database()"
            )
            assert cursor.rowcount
        act(match, "choose ltoosh")
        chat.say(match_code=match.code, player=cast[0], text="مرحبا")
        kinds = {reader.next().kind for _ in range(3)}
        assert kinds == {"action", "match", "chat"}
        assert account.next("account").data["matches"][0]["version"] == 1
        act(match)
        assert reader.next("action").id == 2


def test_players_read_their_chat_and_nobody_else_does(live_site, cast, stranger, match):
    with (
        Reader(live_site, events_of(match), cast[1]) as basil,
        Reader(live_site, events_of(match), cast[2]) as karla,
        Reader(live_site, events_of(match), stranger) as outside,
    ):
        basil.next(), karla.next(), outside.next()
        chat.mute(player=cast[2], name="amal")
        chat.say(match_code=match.code, player=cast[0], text="two\nlines")
        said = basil.next()
        assert (said.kind, said.id, said.data["text"]) == ("chat", None, "two\nlines")
        url, token = f"{live_site}/api/v1/matches/{match.code}/chat/", token_of(cast[1])
        plain = httpx.get(url, headers={"Authorization": f"Bearer {token}"}).json()
        assert plain["messages"] == [said.data]
        chat.say(match_code=match.code, player=cast[3], text="again")
        assert basil.next().data["text"] == karla.next().data["text"] == "again"
        act(match)
        assert outside.next().kind == "action"


def test_a_secret_answer_is_told_to_who_gave_it_and_to_nobody_else(live_site, cast, match):
    act(match, "choose queens")
    asked = to_act(state_of(match))
    readers = [Reader(live_site, events_of(match), viewer) for viewer in (*cast, None)]
    try:
        for reader in readers:
            reader.next()
        for _ in asked:
            act(match, "double none")
        reveal = [("action", 2), ("match", 2)]
        for seat, reader in enumerate(readers):
            own = [("match", 1)] if seat in asked[:-1] else []
            assert [reader.next()[:2] for _ in own + reveal] == own + reveal
    finally:
        for reader in readers:
            reader.close()


def test_the_answer_to_a_stream_is_not_json_that_somebody_may_keep(live_site, match):
    plain = httpx.get(f"{live_site}/api/v1/{events_of(match)}")
    assert json.loads(plain.content) == {"version": 0, "events": []}
    assert plain.headers["vary"] == "Accept"

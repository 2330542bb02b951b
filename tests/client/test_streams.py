"""Streams as a program reads them: they resume by themselves, miss nothing and yield no action twice."""

import asyncio
import threading
from contextlib import closing, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from time import sleep

import pytest
from django.db import connection
from django.utils import timezone

from games.models import Match, Player
from games.services import matches
from games.services.moves import play_bot_move
from tests.client.conftest import token_of
from tests.client.flaky import every_tenth, flaky
from tests.client.strict import check
from tests.games.play import act, secret_where
from tests.processes import free_port
from trix_client import (
    ActionMessage,
    AsyncClient,
    ChatMessage,
    Client,
    CountdownMessage,
    MatchMessage,
    Message,
    NotFound,
    Retries,
    TransportError,
    Unauthorized,
    payloads,
)
from trix_client._sync import transport
from trix_client.messages import Lines, Place, read_message

QUICK = Retries(first_wait=0.01)
NAMES = ("amal", "basil", "كارلا", "daoud")


def running(rules="cardkings-complex", **table):
    people = [Player.objects.get_or_create(username=name)[0] for name in NAMES]
    return matches.create_match(
        rules=rules, options={}, seats=people, secret=secret_where(0, rules), clock_play=60, **table
    )


@contextmanager
def meanwhile(*jobs):
    """Others do this at the same time."""

    def run(job):
        try:
            job()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join()


def played_on(match):
    """The match is played to its end meanwhile."""
    return meanwhile(partial(play_out, match))


def play_out(match):
    """Bots play for everyone to the end, a few moves at a time."""
    match.seats.update(away_since=timezone.now())
    while play_bot_move(match.pk, limit=5).taken:
        pass


def ids_of(messages):
    return [message.id for message in messages if isinstance(message, ActionMessage)]


@pytest.fixture
def amal(live_site):
    with Client(live_site, token_of("amal")) as client:
        yield client


def test_a_stream_begins_with_the_match_and_ends_with_it(amal):
    match = running()
    messages = amal.matches.stream(match.code)
    first = next(messages)
    assert isinstance(first, MatchMessage)
    assert check(payloads.Match, first.data) == amal.matches.get(match.code)
    with played_on(match):
        rest = list(messages)
    assert ids_of(rest) == list(range(1, Match.objects.get(pk=match.pk).version + 1))
    assert rest[-1].data == amal.matches.get(match.code)
    for message in rest:
        check(payloads.Event if message.type == "action" else payloads.Match, message.data)


@pytest.mark.parametrize("after", [0, 10])
def test_a_stream_after_a_version_begins_with_the_actions_since(amal, after):
    match = running()
    for _ in range(12):
        act(match)
    with closing(amal.matches.stream(match.code, after=after)) as messages:
        begun = list(islice(messages, 13 - after))
    assert ids_of(begun[:-1]) == list(range(after + 1, 13))
    assert begun[-1].data == amal.matches.get(match.code)


def test_a_stream_of_a_match_that_is_over_is_short(amal):
    match = running()
    play_out(match)
    (only,) = amal.matches.stream(match.code)
    assert only.data["status"] == "finished"


def test_the_match_at_the_end_comes_though_the_stream_broke_after_the_last_action(amal):
    """The server has nothing after the last action but the end; the match as it ended was lost."""
    match = running()
    play_out(match)
    (only,) = amal.matches.stream(match.code, after=Match.objects.get(pk=match.pk).version)
    assert only.data == amal.matches.get(match.code)


@pytest.mark.parametrize("cut", [1000, 12_000])
def test_a_stream_that_is_cut_again_and_again_misses_nothing(live_site, cut):
    """Wherever it is cut: in the middle of the first line, of an action, of a character."""
    match = running()
    with (
        flaky(live_site, cut_streams_after=cut) as proxy,
        Client(proxy.url, token_of("amal"), retries=QUICK) as client,
    ):
        if cut < 3000:  # Not even the first message comes through.
            with pytest.raises(TransportError, match="The stream ended"):
                next(client.matches.stream(match.code))
            return
        messages = client.matches.stream(match.code)
        next(messages)
        with played_on(match):
            rest = list(messages)
        assert ids_of(rest) == list(range(1, Match.objects.get(pk=match.pk).version + 1))
        assert rest[-1].data == client.matches.get(match.code)
        assert proxy.spoilt >= 5


def test_a_silent_stream_is_broken_and_resumes(live_site, monkeypatch):
    """The server of the tests sends three signs of life a second; a client more impatient than that."""
    monkeypatch.setattr(transport, "SILENCE", 0.25)
    match = running()
    with (
        Client(live_site, token_of("amal"), retries=QUICK) as client,
        closing(client.matches.stream(match.code)) as messages,
    ):
        assert [message.type for message in islice(messages, 3)] == ["match"] * 3
        act(match)
        assert ids_of(islice(messages, 4)) == [1]


def test_signs_of_life_keep_a_silent_stream_alive(live_site, monkeypatch):
    monkeypatch.setattr(transport, "SILENCE", 1)
    match = running()
    with (
        flaky(live_site) as proxy,
        Client(proxy.url, token_of("amal")) as client,
        closing(client.matches.stream(match.code)) as messages,
    ):
        next(messages)
        with meanwhile(lambda: sleep(2) or act(match)):
            assert next(messages).type == "action"
    assert len(proxy.seen) == 1


def test_a_stream_begins_only_where_there_is_something_to_read(live_site):
    with Client(live_site) as nobody:
        with pytest.raises(NotFound, match="no_such_match"):
            next(nobody.matches.stream("nowhere"))
        with pytest.raises(Unauthorized):
            next(nobody.account.stream())
    gone = f"http://127.0.0.1:{free_port()}"
    with Client(gone, retries=QUICK) as client, pytest.raises(TransportError):
        next(client.account.stream())


def test_countdowns_and_chat_come_with_their_types(amal):
    match = running()
    with closing(amal.matches.stream(match.code)) as messages:
        next(messages)
        with Client(str(amal._transport.http.base_url), token_of("basil")) as basil:
            said = basil.chat.send(match.code, "يلا\nنلعب")
        chat = next(message for message in messages if isinstance(message, ChatMessage))
        assert check(payloads.Said, chat.data) == said


def test_a_clock_that_runs_low_is_told(amal):
    people = [Player.objects.get_or_create(username=name)[0] for name in NAMES]
    match = matches.create_match(rules="cardkings", options={}, seats=people, clock_choose=11)
    with closing(amal.matches.stream(match.code)) as messages:
        warned = next(message for message in messages if isinstance(message, CountdownMessage))
    assert check(payloads.Countdown, warned.data)["then"] == "first_contract"
    assert warned.data["seconds"] == 10


def test_the_account_s_stream_tells_what_waits(amal):
    with closing(amal.account.stream()) as messages:
        first = next(messages)
        assert check(payloads.Me, first.data) == amal.account.get()
        match = running()
        started, turn = islice(messages, 2)
        assert [started.type, turn.type] == ["match_started", "your_turn"]
        assert check(payloads.MyMatch, turn.data)["code"] == check(payloads.MyMatch, started.data)["code"]
        with Client(str(amal._transport.http.base_url), token_of("basil")) as basil:
            code = basil.matches.open("cardkings", invite=["amal"])["code"]
        invited = next(message for message in messages if message.type == "invited")
        assert check(payloads.Invitation, invited.data)["match"]["code"] == code
        play_out(match)
        over = next(message for message in messages if message.type == "match_finished")
        check(payloads.MyMatch, over.data)


def test_the_account_s_stream_tells_of_tournaments(amal):
    league = amal.tournaments
    slug = league.create("Friday", "cardkings", seed=1)["slug"]
    league.open(slug)
    Player.objects.create_user("basil")
    league.enter(slug)
    league.enter(slug, "basil")
    with closing(amal.account.stream()) as messages:
        next(messages)
        league.start(slug)
        league.draw(slug)
        league.publish(slug, 1)
        wanted = {"tournament_started", "round_published"}
        while wanted:
            message = next(messages)
            if message.type in wanted:
                assert check(payloads.TournamentNews, message.data)["tournament"] == slug
                wanted.remove(message.type)


def test_an_account_s_stream_that_breaks_begins_again_with_everything(live_site):
    with (
        flaky(live_site, cut_streams_after=90) as proxy,
        Client(proxy.url, token_of("amal"), retries=QUICK) as client,
        closing(client.account.stream()) as messages,
    ):
        assert [message.type for message in islice(messages, 3)] == ["account"] * 3


def test_four_async_streams_of_one_client_at_once(live_site):
    """And one of them behind a proxy that drops every tenth answer and cuts streams."""
    table = [running() for _ in range(3)]

    async def watch(client: AsyncClient, code: str) -> list[Message]:
        return [message async for message in client.matches.stream(code)]

    async def watch_all(proxied: str) -> list[list[Message]]:
        async with AsyncClient(live_site, token) as good, AsyncClient(proxied, token, retries=QUICK) as bad:
            watchers = [watch(good, match.code) for match in table] + [watch(bad, table[0].code)]
            return await asyncio.gather(*watchers)

    token = token_of("amal")
    with (
        flaky(live_site, every_tenth("drop"), cut_streams_after=50_000) as proxy,
        meanwhile(*(partial(play_out, match) for match in table)),
    ):
        seen = asyncio.run(watch_all(proxy.url))
    for match, messages in zip([*table, table[0]], seen, strict=True):
        versions = ids_of(messages)
        final = Match.objects.get(pk=match.pk).version
        assert versions == list(range(final - len(versions) + 1, final + 1))
        assert messages[-1].data["version"] == final


# Without a server


def test_lines_are_whole_wherever_the_chunks_are_cut():
    text = '{"a": "ش\u2028\u0085"}\n\n\n{"b": 1}\n{"cut'.encode()
    for size in range(1, len(text)):
        lines = Lines()
        chunks = [text[start : start + size] for start in range(0, len(text), size)]
        assert [line for chunk in chunks for line in lines.feed(chunk)] == [
            '{"a": "ش\u2028\u0085"}'.encode(),
            b'{"b": 1}',
        ]


def test_a_message_of_a_new_type_is_passed_on():
    message = read_message(b'{"type": "applause", "data": {"by": "S"}}')
    assert message == Message("applause", None, {"by": "S"})


class Portal(BaseHTTPRequestHandler):
    """A page of its own for whatever is asked, as in a hotel."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>\n<p>Welcome!\n</html>\n")

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def portal():
    with ThreadingHTTPServer(("127.0.0.1", 0), Portal) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_page_where_a_server_was_expected_is_a_lost_answer():
    with portal() as url, Client(url, retries=QUICK) as client:
        with pytest.raises(TransportError, match="no JSON"):
            client.matches.get("kMTn8qWkXH")
        with pytest.raises(TransportError, match="no message"):
            next(client.matches.stream("kMTn8qWkXH"))


def test_an_action_that_comes_again_is_left_out():
    place = Place(after=3)
    again = [ActionMessage("action", number, {}) for number in (3, 4, 4, 5, 2, 6)]
    assert [message.id for message in again if place.is_new(message)] == [4, 5, 6]
    assert place.version == 6

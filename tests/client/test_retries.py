"""Lost answers: what is sent again, what is not, and that nothing happens twice."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import pytest

from games.models import Match, Player
from games.services import matches
from tests.client.conftest import token_of
from tests.client.flaky import flaky
from tests.games.play import secret_where
from tests.processes import free_port
from trix_client import ApiError, Client, Conflict, Retries, Throttled, TransportError
from trix_client.errors import api_error
from trix_client.retries import retry_after

QUICK = Retries(first_wait=0.01)
OTHERS = ("basil", "carla", "daoud")
FATES = ["drop", "cut", "refuse"]


@contextmanager
def behind(live_api, *fates, name="amal", retries=QUICK):
    """A client behind a proxy with these fates for its first requests, and the proxy."""
    ends = list(fates)
    with (
        flaky(live_api, lambda number: ends[number - 1] if number <= len(ends) else "pass") as proxy,
        Client(proxy.url, token_of(name), retries=retries) as client,
    ):
        yield client, proxy


def running_match(*names):
    people = [Player.objects.get_or_create(username=name)[0] for name in names]
    return matches.create_match(
        rules="cardkings", options={}, seats=[*people, *["greedy"] * 3][:4], secret=secret_where(owner=0)
    )


@pytest.mark.parametrize("fate", FATES)
def test_reading_is_tried_again_until_a_whole_answer_comes(live_api, fate):
    with behind(live_api, *[fate] * 4) as (client, proxy):
        assert client.account.get()["name"] == "amal"
    assert proxy.spoilt == 4


def test_after_five_tries_it_gives_up_and_says_what_it_tried(live_api):
    with (
        behind(live_api, *["drop"] * 9) as (client, proxy),
        pytest.raises(TransportError, match=r"GET http.*/account/"),
    ):
        client.account.get()
    assert proxy.spoilt == 5


@pytest.mark.parametrize("fate", FATES)
def test_opening_a_table_whose_answer_is_lost_opens_one(live_api, fate):
    with behind(live_api, fate, fate) as (client, proxy):
        opened = client.matches.open("cardkings")
        assert [match["code"] for match in client.matches.list(mine=True)["results"]] == [opened["code"]]
    keys = {request.key for request in proxy.seen if request.method == "POST"}
    assert len(keys) == 1 and None not in keys


def test_a_round_whose_answer_is_lost_is_drawn_once(live_api):
    Player.objects.create_user("basil")
    with behind(live_api) as (amal, _):
        slug = amal.tournaments.create("Friday", "cardkings")["slug"]
        amal.tournaments.open(slug)
        amal.tournaments.enter(slug)
        amal.tournaments.enter(slug, "basil")
        amal.tournaments.start(slug)
    with behind(live_api, "drop", "cut") as (amal, _):
        assert amal.tournaments.draw(slug)["number"] == 1
    with behind(live_api, "drop") as (amal, _):
        assert amal.tournaments.publish(slug, 1)["state"] == "published"
    with behind(live_api, "cut") as (amal, _):
        assert amal.tournaments.cancel(slug)["state"] == "cancelled"


@pytest.mark.parametrize("fate", ["drop", "cut"])
def test_what_an_organiser_does_is_done_once_where_answers_are_lost(live_api, fate):
    Player.objects.create_user("basil")
    with behind(live_api) as (amal, _):
        slug = amal.tournaments.create("Friday", "cardkings")["slug"]
        amal.tournaments.open(slug)
    with behind(live_api, fate) as (amal, _):
        assert amal.tournaments.enter_csv(slug, "player\namal\nbasil")["entered"]
    with behind(live_api, fate) as (amal, _):
        assert amal.tournaments.open_check_in(slug)["check_in_at"]
    with behind(live_api, fate) as (amal, _):
        assert amal.tournaments.change(slug, cap=8)["cap"] == 8
        for name in ("amal", "basil"):
            amal.tournaments.check_in(slug, name)
        amal.tournaments.start(slug)
    with behind(live_api, fate) as (amal, _):
        amal.tournaments.penalise(slug, "basil", -1, "came late")
        assert len(amal.tournaments.penalties(slug)) == 1
        document = amal.tournaments.export(slug)
    with behind(live_api, fate) as (amal, _):
        assert amal.tournaments.import_document(document, "again")["slug"] == "again"


def test_a_changed_address_whose_answer_is_lost_is_not_asked_for_again(live_api):
    with behind(live_api) as (amal, _):
        slug = amal.tournaments.create("Friday", "cardkings")["slug"]
    with behind(live_api, "cut") as (amal, proxy), pytest.raises(TransportError):
        amal.tournaments.change(slug, slug="saturday")
    assert proxy.spoilt == 1


def test_each_call_that_creates_has_a_key_of_its_own(live_api):
    with behind(live_api) as (client, proxy):
        client.matches.open("cardkings")
        client.matches.open("cardkings")
    assert len({request.key for request in proxy.seen}) == 2


def test_threads_share_one_client(live_api):
    with behind(live_api, "drop", "cut") as (client, _), ThreadPoolExecutor(4) as threads:
        opened = list(threads.map(lambda _: client.matches.open("cardkings")["code"], range(12)))
        assert len(set(opened)) == 12
        assert {match["code"] for match in client.matches.list(mine=True)["results"]} == set(opened)


@pytest.mark.parametrize("fate", FATES)
def test_a_move_whose_answer_is_lost_is_made_once(live_api, fate):
    match = running_match("amal")
    with behind(live_api, fate, fate) as (client, _):
        move = client.matches.act(match.code, "choose king", 0)
        assert (move["version"], move["view"]["deal"]["contract"]) == (1, "king")
        assert client.matches.events(match.code)["version"] == 1


@pytest.mark.parametrize("fate", ["drop", "cut"])
def test_a_step_whose_answer_is_lost_was_taken(live_api, fate):
    opened = matches.open_match(player=Player.objects.create_user("basil"), rules="cardkings", options={})
    with behind(live_api, fate, name="amal") as (amal, _):
        assert amal.matches.join(opened.code)["you"] == "E"
    with behind(live_api, fate, name="basil") as (basil, _):
        assert basil.matches.start(opened.code)["status"] == "running"
    with behind(live_api, fate, name="amal") as (amal, _):
        amal.matches.leave(opened.code)
        assert amal.matches.get(opened.code)["seats"][1]["away"]


def test_a_step_that_is_refused_the_first_time_is_refused(live_api):
    """The same refusal that says "done" after a lost answer is none before."""
    opened = matches.open_match(player=Player.objects.create_user("amal"), rules="cardkings", options={})
    with behind(live_api) as (amal, _), pytest.raises(Conflict, match="already_seated"):
        amal.matches.join(opened.code)


def test_what_is_deleted_twice_is_deleted(live_api):
    with behind(live_api, "pass", "drop") as (client, _):
        code = client.auth.current()["code"]
        client.auth.revoke(code)
        with pytest.raises(ApiError) as refused:
            client.auth.tokens()
    assert refused.value.status == 401


def test_a_token_is_never_asked_for_twice(live_api):
    Player.objects.create_user("basil", password="queen of spades")
    with behind(live_api, "drop") as (client, proxy), pytest.raises(TransportError) as lost:
        client.auth.token("basil", "queen of spades")
    assert lost.value.sent
    assert len(proxy.seen) == 1


def test_what_nobody_has_seen_is_sent_again_whatever_it_is():
    port = free_port()
    with Client(f"http://127.0.0.1:{port}", retries=QUICK) as client, pytest.raises(TransportError) as lost:
        client.auth.token("basil", "queen of spades")
    assert not lost.value.sent


class Refusing(httpx.BaseTransport):
    """Refuses with this status the first times, as a server or a proxy that is too busy."""

    def __init__(self, status: int, times: int, headers: dict[str, str]) -> None:
        self.status, self.times, self.headers, self.seen = status, times, headers, 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.seen += 1
        if self.seen <= self.times:
            return httpx.Response(self.status, headers=self.headers, content=b"<h1>Too busy</h1>")
        return httpx.Response(200, json={"name": "amal", "is_bot": False, "matches": [], "invitations": []})


@contextmanager
def refused(status, times, retries=QUICK, **headers):
    with Client("http://trix.example", "token", retries=retries) as client:
        refusing = Refusing(status, times, headers)
        client._transport.http._transport = refusing
        yield client, refusing


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_busy_server_is_asked_again(status):
    with refused(status, 2) as (client, refusing):
        assert client.account.get()["name"] == "amal"
    assert refusing.seen == 3


def test_a_server_that_names_a_time_is_given_it():
    with refused(429, 1, **{"Retry-After": "1"}) as (client, _):
        started = time.monotonic()
        client.account.get()
        assert time.monotonic() - started >= 1


def test_a_time_beyond_the_client_s_patience_is_told_at_once():
    with refused(429, 1, **{"Retry-After": "60"}) as (client, refusing), pytest.raises(Throttled) as busy:
        client.account.get()
    assert (busy.value.retry_after, refusing.seen) == (60, 1)


def test_a_refused_token_may_be_asked_for_again_but_not_one_that_was_lost_behind_a_gateway():
    with refused(429, 1) as (client, refusing):
        client.auth.token("amal", "seven of hearts")
    assert refusing.seen == 2
    with refused(502, 1) as (client, refusing), pytest.raises(ApiError, match="http_502"):
        client.auth.token("amal", "seven of hearts")
    assert refusing.seen == 1


def test_other_refusals_are_final():
    with refused(500, 1) as (client, refusing), pytest.raises(ApiError, match="http_500"):
        client.account.get()
    assert refusing.seen == 1


def test_waits_grow_and_their_sum_is_bounded():
    tries, error = Retries(tries=99, seconds=30).start(), TransportError("lost", sent=True)
    waits = [tries.wait(error) for _ in range(5)]
    assert all(0.1 * 2**n <= wait <= 0.2 * 2**n for n, wait in enumerate(waits))
    tries.started -= 29
    with pytest.raises(TransportError):
        tries.wait(error)


def test_retry_after_is_seconds_or_a_date():
    assert retry_after("1.5") == 1.5
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert retry_after("soon") is None
    assert retry_after(None) is None


def test_an_error_says_what_the_server_said():
    body = b'{"status": 409, "code": "stale_version", "detail": "The match is at 8.", "version": 8}'
    error = api_error("POST http://trix.example/", 409, body)
    assert isinstance(error, Conflict)
    assert str(error) == "stale_version: The match is at 8."
    assert (error.status, error.version, error.members) == (409, 8, {"version": 8})


@pytest.mark.parametrize(
    ("status", "phrase"), [(302, "302 Found"), (502, "502 Bad Gateway"), (599, "Status 599")]
)
def test_an_answer_of_something_else_is_told_apart_with_its_address(status, phrase):
    with (
        refused(status, 1, retries=Retries(tries=1)) as (client, _),
        pytest.raises(ApiError, match=f"GET http://trix.example/api/v1/account/: {phrase}. This is not the"),
    ):
        client.account.get()


def test_https_to_a_server_without_it_says_so_at_once(live_api):
    address = live_api.replace("http://", "https://")
    with Client(address) as client, pytest.raises(TransportError, match="Try http:// instead") as lost:
        client.account.get()
    assert (lost.value.sent, lost.value.hopeless) == (False, True)


def test_moves_behind_a_proxy_that_drops_every_third_answer_are_made_once_each(live_api):
    match = running_match("amal", "basil", "carla", "daoud")
    with (
        flaky(live_api, lambda number: ("pass", "pass", "drop")[number % 3]) as proxy,
        Client(proxy.url, token_of("amal"), retries=QUICK) as amal,
    ):
        others = {seat: Client(live_api, token_of(name)) for seat, name in zip("ENW", OTHERS, strict=True)}
        made = []
        try:
            while len(made) < 20:
                seen = amal.matches.get(match.code)["view"]
                client = others.get(seen["to_act"], amal)
                view = client.matches.get(match.code)["view"]
                client.matches.act(match.code, view["legal"][0], view["version"])
                made.append(view["legal"][0])
            assert [event["action"] for event in amal.matches.events(match.code)["events"]] == made
        finally:
            for other in others.values():
                other.close()
    assert proxy.spoilt >= 10
    assert Match.objects.get(pk=match.pk).version == 20

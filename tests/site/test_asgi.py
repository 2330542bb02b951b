"""The process that serves streams serves everything else as the WSGI process does, byte for byte."""

import http.client
import json
import re
import socket
from urllib.parse import urlsplit

import pytest

GET = b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = (
    b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nContent-Type: application/json\r\n\r\n%s"
)
REGISTER = b"/api/v1/auth/register/"
LONG = b"x" * 2_000_000

REQUESTS = {
    "a page": GET % b"/admin/login/",
    "a static file": GET % b"/static/unfold/css/styles.css",
    "a list": GET % b"/api/v1/matches/",
    "the schema": GET % b"/api/schema/?format=json",
    "a redirect": GET % b"/",
    "nothing there": GET % b"/api/v1/nothing/",
    "no slash": GET % b"/api/v1/matches",
    "two slashes": GET % b"//api/v1/matches/",
    "half a letter": GET % b"/api/v1/matches/%FF/",
    "a card": GET % b"/api/v1/matches/%F0%9F%82%B1/",
    "an encoded slash": GET % b"/api/v1/matches/a%2Fb/",
    "a null character": GET % b"/api/v1/matches/%00/",
    "a null character in the query": GET % b"/api/v1/matches/?status=%00",
    "letters in the query": GET % "/api/v1/matches/?status=كبة".encode(),
    "half a letter in the query": GET % b"/api/v1/matches/?status=\xff",
    "letters in the path": GET % "/api/v1/players/كارلا/".encode(),
    "an unknown host": b"GET /api/v1/matches/ HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n",
    "a token that is none": GET[:-2] % b"/api/v1/account/" + b"Authorization: Bearer x\r\n\r\n",
    "HTTP/1.0": b"GET /api/v1/matches/ HTTP/1.0\r\nHost: localhost\r\n\r\n",
    "a method that is not there": b"PATCH /api/v1/matches/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "options": b"OPTIONS /api/v1/matches/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "no body": POST % (REGISTER, 0, b""),
    "a body": POST % (REGISTER, 2, b"{}"),
    "a body that is no JSON": POST % (REGISTER, 3, b"{\xff}"),
    "a body that is too large": POST % (REGISTER, len(LONG), LONG),
    "a body to nowhere": POST % (b"/api/v1/nothing/", 300_000, LONG[:300_000]),
    "a body to a list": b"GET /api/v1/matches/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}",
    "chunks": b"POST %s HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
    % REGISTER,
    "two lengths": b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}"
    % REGISTER,
    "events of no match": GET % b"/api/v1/matches/nothing/events/",
    "events in a form that there is not": GET[:-2] % b"/api/v1/matches/x/events/"
    + b"Accept: text/csv\r\n\r\n",
    "no HTTP": b"GET /a b HTTP/1.1\r\n\r\n",
}


class Connection:
    """One connection, on which several requests are sent as they are."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.socket = socket.create_connection((parts.hostname or "", parts.port or 0), timeout=20)

    def ask(self, request: bytes) -> http.client.HTTPResponse:
        self.socket.sendall(request)
        answer = http.client.HTTPResponse(self.socket, method=request.split()[0].decode())
        answer.begin()
        return answer

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()


def told(address: str, request: bytes) -> tuple[int, dict[str, str], bytes]:
    with Connection(address) as connection, connection.ask(request) as answer:
        headers = {name.lower(): value for name, value in answer.getheaders()}
        body = re.sub(rb"csrfmiddlewaretoken[^>]*|nonce[^>]*", b"", answer.read())
    for varying in (
        "date",
        "expires",
        "set-cookie",
        "last-modified",
        "etag",
        "transfer-encoding",
        "content-length",
    ):
        headers.pop(varying, None)
    return answer.status, headers, body


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_gets_the_same_answer(live_api, live_site, name):
    assert told(live_site, REQUESTS[name]) == told(live_api, REQUESTS[name])


@pytest.mark.parametrize("path", [b"/admin/login/", b"/api/v1/matches/", b"/api/v1/matches/x/events/"])
def test_head_has_no_body_and_the_connection_goes_on(live_site, path):
    with Connection(live_site) as connection:
        for method in (b"HEAD", b"GET", b"HEAD"):
            with connection.ask(GET.replace(b"GET", method) % path) as answer:
                assert answer.status in (200, 404)
                assert bool(answer.read()) == (method == b"GET")


@pytest.mark.parametrize(
    "name", ["a body to nowhere", "a body that is too large", "a body to a list", "a body"]
)
def test_a_body_that_nobody_reads_does_not_spoil_the_connection(live_site, name):
    with Connection(live_site) as connection:
        for _ in range(2):
            with connection.ask(REQUESTS[name]) as answer:
                answer.read()
            with connection.ask(GET % b"/api/v1/matches/") as answer:
                assert json.load(answer)["results"] == []


def test_a_body_that_never_comes_holds_up_nobody_else(live_site):
    begun = POST[: POST.index(b"\r\n\r\n")] % (REGISTER, 100) + b"\r\n\r\n{"
    with Connection(live_site) as slow, Connection(live_site) as quick:
        slow.socket.sendall(begun)
        with quick.ask(GET % b"/api/v1/matches/") as answer:
            assert answer.status == 200

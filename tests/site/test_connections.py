"""Requests that follow one another on one connection, to a real server."""

import http.client
import json
from contextlib import closing
from urllib.parse import urlsplit

import pytest


@pytest.mark.parametrize("size", [50_000, 200_000, 1_000_000])
@pytest.mark.parametrize(
    ("method", "address", "kind", "statuses"),
    [
        ("POST", "/api/v1/matches/", "application/json", {401, 413}),
        ("POST", "/api/v1/auth/register/", "text/plain", {413, 415}),
        ("POST", "/api/v1/nothing/", "application/json", {404, 413}),
        ("POST", "/api/v1/matches", "application/json", {404}),
        ("PUT", "/api/v1/matches/", "application/json", {401, 405, 413}),
        ("GET", "/api/v1/matches/", "application/json", {200, 413}),
        ("POST", "/api/v1/matches/?x=%00", "application/json", {400}),
    ],
)
def test_a_body_refused_unread_leaves_the_connection_as_it_was(
    live_api, method, address, kind, statuses, size
):
    with closing(http.client.HTTPConnection(urlsplit(live_api).netloc, timeout=30)) as connection:
        connection.connect()
        connected = connection.sock
        for _ in range(3):
            connection.request(method, address, b"x" * size, {"Content-Type": kind})
            answer = connection.getresponse()
            answer.read()
            assert answer.status in statuses

            connection.request("GET", "/api/v1/matches/")
            answer = connection.getresponse()
            assert (answer.status, json.load(answer)["count"]) == (200, 0)
        assert connection.sock is connected

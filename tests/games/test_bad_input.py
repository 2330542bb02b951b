"""Garbage gets a coded 4xx, changes nothing, and never reaches a traceback."""

import json

import pytest
from django.db import connection

from tests.games.play import act_until, in_play

DEEP = b"[" * 100_000
BODIES = {
    "nothing": b"",
    "null": b"null",
    "a list": b'["play KH", 1]',
    "a number": b"5",
    "a string": b'"play KH"',
    "broken": b'{"action": ',
    "not utf-8": b'{"action": "\xff\xfe", "version": 1}',
    "a null byte": json.dumps({"action": "play\0KH", "version": 1}).encode(),
    "a raw null byte": b'{"action": "play \x00", "version": 1}',
    "half a surrogate pair": b'{"action": "\\ud800", "version": 1}',
    "NaN": b'{"action": "pass", "version": NaN}',
    "infinity": b'{"action": "pass", "version": 1e999}',
    "a huge number": b'{"action": "pass", "version": ' + b"9" * 5000 + b"}",
    "a number out of range": b'{"action": "pass", "version": 9999999999999999999999}',
    "negative": b'{"action": "pass", "version": -1}',
    "a fraction": b'{"action": "pass", "version": 1.5}',
    "a number as text": b'{"action": "pass", "version": "1"}',
    "true for a number": b'{"action": "pass", "version": true}',
    "a number for text": b'{"action": 5, "version": 1}',
    "an unknown field": b'{"action": "pass", "version": 1, "seat": "E"}',
    "a field twice": b'{"action": "pass", "action": "play KH", "version": 1}',
    "a field missing": b'{"action": "pass"}',
    "deep": DEEP,
    "deep in a field": b'{"action": ' + DEEP + b"}",
    "long text": json.dumps({"action": "x" * 100_000, "version": 1}).encode(),
    "1 MB": json.dumps({"action": "x" * 1_000_000, "version": 1}).encode(),
    "other scripts": json.dumps({"action": "العب KH", "version": 1}).encode(),
    "control characters": json.dumps({"action": "play KH\n\u202e", "version": 1}).encode(),
}
PATHS = ["auth/register/", "auth/tokens/", "matches/", "matches/{}/join/", "matches/{}/leave/",
         "matches/{}/start/", "matches/{}/return/", "matches/{}/actions/"]  # fmt: skip


def everything_stored() -> list[object]:
    with connection.cursor() as cursor:
        stored = []
        for table in ("games_match", "games_seat", "games_deal", "games_player", "games_apitoken"):
            cursor.execute(f"SELECT * FROM {table} ORDER BY 1")
            stored += cursor.fetchall()
    return [[bytes(value) if isinstance(value, memoryview) else value for value in row] for row in stored]


def is_a_coded_refusal(answer) -> bool:
    problem = json.loads(answer.content)
    return (
        400 <= answer.status_code < 500
        and answer.headers["Content-Type"] == "application/problem+json"
        and problem["status"] == answer.status_code
        and bool(problem["code"])
        and bool(problem["detail"])
    )


@pytest.mark.parametrize("body", BODIES)
def test_a_body_that_makes_no_sense_is_refused_everywhere(apis, match, body):
    act_until(match, in_play)
    before = everything_stored()
    for path in PATHS:
        if body == "nothing" and path.endswith(("leave/", "return/", "join/", "start/")):
            continue  # An empty body is an empty object, and these calls want nothing more.
        answer = apis[0].post_raw(path.format(match.code), BODIES[body])
        assert is_a_coded_refusal(answer), (path, answer.status_code, answer.content[:300])
    assert everything_stored() == before


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_only_json_is_read(apis, match, content_type):
    answer = apis[0].post_raw(f"matches/{match.code}/actions/", b"action=pass&version=0", content_type)
    assert is_a_coded_refusal(answer)
    assert answer.status_code in (400, 415)


@pytest.mark.parametrize("path", PATHS[3:])
@pytest.mark.parametrize("code", ["nothing", "x" * 3000, "%00", "../..", "كارلا", "' OR 1=1 --"], ids=str)
def test_a_code_of_no_match_is_not_found(apis, path, code):
    assert is_a_coded_refusal(apis[0].post(path.format(code), action="pass", version=0))


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_other_methods_are_refused(apis, match, method):
    answer = getattr(apis[0].client, method)(f"/api/v1/matches/{match.code}/", headers=apis[0].headers)
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")

"""A creating call with an Idempotency-Key is done once, however often it is sent."""

import http.client
import json
from collections import Counter
from urllib.parse import urlsplit

import pytest
from django.db import transaction
from drf_spectacular.generators import SchemaGenerator

from games.api import idempotency
from games.models import ApiToken, IdempotentAnswer, Match
from games.services import matches
from games.tasks import tidy
from tests.games.test_races import at_once

RULES = {"rules": "cardkings"}


def send(client, path="matches/", key="a-key", **body):
    return client.client.post(
        f"/api/v1/{path}",
        body or RULES,
        content_type="application/json",
        headers=client.headers | {"Idempotency-Key": key},
    )


def test_the_same_call_again_gets_the_first_answer_and_makes_nothing(apis):
    first, again = send(apis[0]), send(apis[0])
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.content == first.content
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert Match.objects.count() == 1


def test_the_answer_stays_the_first_one_whatever_has_become_of_the_table(apis):
    first = send(apis[0])
    assert apis[0].post(f"matches/{first.json()['code']}/start/").status_code == 200
    assert send(apis[0]).content == first.content


@pytest.mark.parametrize(
    ("path", "body"), [("matches/", {"rules": "eram"}), ("tournaments/", RULES)], ids=["body", "path"]
)
def test_another_request_with_the_same_key_is_refused(apis, path, body):
    send(apis[0])
    answer = send(apis[0], path, **body)
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")
    assert Match.objects.count() == 1


def test_a_key_is_its_players_own(apis):
    codes = {send(api).json()["code"] for api in apis}
    assert len(codes) == 4


def test_without_a_key_each_call_makes_something(apis):
    assert (
        apis[0].post("matches/", **RULES).json()["code"] != apis[0].post("matches/", **RULES).json()["code"]
    )
    assert not IdempotentAnswer.objects.exists()


def test_a_refusal_is_not_remembered(apis):
    """Whoever corrects his request may keep his key."""
    assert send(apis[0], rules="whist").status_code == 400
    assert send(apis[0]).status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 201, "a b", "\xe9", "\x7f"], ids=ascii)
def test_a_key_is_visible_ascii(apis, key):
    answer = send(apis[0], key=key)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_idempotency_key")
    assert not Match.objects.exists()


def test_the_longest_key_will_do(apis):
    assert send(apis[0], key="~" * 200).status_code == 201


def test_a_body_that_is_no_json_is_a_bad_request_with_a_key_too(apis):
    headers = apis[0].headers | {"Idempotency-Key": "a"}
    answer = apis[0].client.post("/api/v1/matches/", b"[" * 50_000, "application/json", headers=headers)
    assert answer.json()["code"] == "malformed_json"


def test_what_a_call_sets_off_is_set_off_once(apis, monkeypatch, django_capture_on_commit_callbacks):
    told, open_match = [], matches.open_match

    def open_and_tell(**table):
        match = open_match(**table)
        transaction.on_commit(lambda: told.append(match.code))
        return match

    monkeypatch.setattr(matches, "open_match", open_and_tell)
    with django_capture_on_commit_callbacks(execute=True):
        code = send(apis[0]).json()["code"]
        send(apis[0])
    assert told == [code]


def test_a_day_later_the_key_is_free_again(apis, clock):
    send(apis[0])
    clock.pass_(24 * 3600 - 60)
    tidy()
    assert send(apis[0]).headers.get("Idempotency-Replayed") == "true"
    clock.pass_(61)
    tidy()
    assert "Idempotency-Replayed" not in send(apis[0]).headers
    assert Match.objects.count() == 2


def test_a_key_that_gets_free_as_it_is_looked_up_is_taken(apis, monkeypatch):
    claim, send_first = idempotency._claim, send(apis[0])

    def tidied_after(*call):
        claimed = claim(*call)
        if claimed is None:
            IdempotentAnswer.objects.all().delete()
        return claimed

    monkeypatch.setattr(idempotency, "_claim", tidied_after)
    again = send(apis[0])
    assert again.status_code == 201
    assert again.json()["code"] != send_first.json()["code"]


@pytest.mark.django_db(transaction=True)
def test_sent_six_times_at_once_it_is_done_once(live_api, cast):
    token = ApiToken.objects.create(user=cast[0])[1]
    headers = {
        "Content-Type": "application/json", "Authorization": f"Bearer {token}", "Idempotency-Key": "k"
    }  # fmt: skip

    def open_table() -> tuple[int, bytes, str | None]:
        connection = http.client.HTTPConnection(urlsplit(live_api).netloc, timeout=30)
        connection.request("POST", "/api/v1/matches/", json.dumps(RULES), headers)
        answer = connection.getresponse()
        found = answer.status, answer.read(), answer.getheader("Idempotency-Replayed")
        connection.close()
        return found

    found = at_once([open_table] * 6)
    assert {(status, body) for status, body, _ in found} == {found[0][:2]}
    assert found[0][0] == 201
    assert Counter(replayed for *_, replayed in found) == {None: 1, "true": 5}
    assert Match.objects.count() == 1


def test_calls_that_take_a_key_say_so():
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    taking = {
        path: operation
        for path, operations in paths.items()
        for operation in operations.values()
        if "Idempotency-Key" in [parameter["name"] for parameter in operation.get("parameters", [])]
    }
    assert {"/api/v1/matches/", "/api/v1/tournaments/", "/api/v1/tournaments/{slug}/entries/"} <= set(taking)
    for path, operation in taking.items():
        assert {"400", "401", "422"} <= set(operation["responses"]), path

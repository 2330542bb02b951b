"""Webhooks of accounts: making and testing them, and what they are told."""

import base64
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from standardwebhooks.webhooks import Webhook as Verifier

from games.models import Delivery, Player, Scope, Webhook
from games.services import matches, moves, webhooks
from games.services.closing import close_account
from games.services.deliveries import send_due
from games.services.webhooks import account_topic
from tests.games.hooks import URL, hook_of, told
from tests.games.play import act, act_until, at_once, bots_play_deals, in_play, secret_where
from tests.games.test_tasks import wait_until
from trix_site.common.errors import Conflict

# Making and testing them


def test_a_webhook_is_made_and_its_key_shown_once(apis):
    made = apis[0].post("account/webhooks/", url=URL, events=["match_started"])
    assert made.status_code == 201
    key = made.json().pop("key")
    code = made.json()["code"]
    assert key.startswith("whsec_") and len(base64.b64decode(key.removeprefix("whsec_"))) == 32
    shown = apis[0].get(f"account/webhooks/{code}/")
    assert shown.json() == {name: value for name, value in made.json().items() if name != "key"}
    assert apis[0].get("account/webhooks/").json() == [shown.json()]
    assert key not in shown.content.decode()
    assert shown.json()["events"] == ["match_started"] and shown.json()["active"] is True


def test_a_call_that_is_sent_again_makes_one_webhook_with_one_key(apis):
    headers = apis[0].headers
    apis[0].headers = {**headers, "Idempotency-Key": "once"}
    first, again = (apis[0].post("account/webhooks/", url=URL) for _ in range(2))
    assert first.json() == again.json()
    assert again.headers["Idempotency-Replayed"] == "true"
    assert Webhook.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid"),
        ({"url": "example.org"}, "malformed_url"),
        ({"url": "http://example.org/"}, "malformed_url"),
        ({"url": "https://amal:secret@example.org/"}, "malformed_url"),
        ({"url": "https://127.0.0.1/"}, "private_address"),
        ({"url": "https://localhost:8443/"}, "private_address"),
        ({"url": URL, "events": ["match_begun"]}, "unknown_event"),
        ({"url": URL, "events": ["result_entered"]}, "unknown_event"),
        ({"url": URL, "key": "mine"}, "invalid"),
        ({"url": URL, "events": "match_started"}, "invalid"),
    ],
)
def test_what_cannot_be_a_webhook_is_refused(apis, body, code):
    answer = apis[0].post("account/webhooks/", **body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert answer.json().get("errors")
    assert not Webhook.objects.exists()


def test_an_unknown_event_is_answered_with_those_that_there_are(apis):
    detail = apis[0].post("account/webhooks/", url=URL, events=["x"]).json()["detail"]
    assert all(event in detail for event in account_topic(None).events)


def test_ten_at_most(apis):
    for _ in range(10):
        assert apis[0].post("account/webhooks/", url=URL).status_code == 201
    answer = apis[0].post("account/webhooks/", url=URL)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_webhooks")
    assert apis[1].post("account/webhooks/", url=URL).status_code == 201


@pytest.mark.django_db(transaction=True)
def test_of_five_at_once_only_the_tenth_is_made(transactional_db, cast):
    for _ in range(9):
        hook_of(cast[0])

    def make():
        try:
            hook_of(cast[0])
        except Conflict as refused:
            return refused.code
        return "made"

    made = at_once([make] * 5)
    assert sorted(made) == ["made", *["too_many_webhooks"] * 4]
    assert Webhook.objects.count() == 10


def test_nobody_else_finds_a_webhook(apis, api, cast):
    code = hook_of(cast[0]).code
    for other, status in ((apis[1], 404), (api(), 401)):
        assert other.get(f"account/webhooks/{code}/").status_code == status
        assert other.get(f"account/webhooks/{code}/deliveries/").status_code == status
        assert other.post(f"account/webhooks/{code}/test/").status_code == status
        assert other.delete(f"account/webhooks/{code}/").status_code == status
    assert apis[1].get("account/webhooks/").json() == []
    assert Webhook.objects.exists()


def test_a_token_that_only_reads_makes_none(apis, cast):
    cast[0].auth_token_set.update(scopes=[Scope.READ])
    refused = apis[0].post("account/webhooks/", url=URL)
    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    assert apis[0].get("account/webhooks/").status_code == 200


def test_a_webhook_is_deleted_with_its_deliveries(apis, cast):
    code = hook_of(cast[0]).code
    assert apis[0].post(f"account/webhooks/{code}/test/").status_code == 202
    assert apis[0].delete(f"account/webhooks/{code}/").status_code == 204
    assert apis[0].delete(f"account/webhooks/{code}/").json()["code"] == "no_such_webhook"
    assert not Delivery.objects.exists()


def test_an_inactive_webhook_says_so(apis, hook):
    Webhook.objects.update(active=False)
    assert apis[0].get(f"account/webhooks/{hook.code}/").json()["active"] is False
    refused = apis[0].post(f"account/webhooks/{hook.code}/test/")
    assert (refused.status_code, refused.json()["code"]) == (409, "webhook_inactive")


def test_a_test_goes_the_way_of_every_event(apis, hook, receiver):
    path = f"account/webhooks/{hook.code}/test/"
    sent = apis[0].post(path)
    assert sent.status_code == 202 and sent.json()["status"] == "pending"
    again = apis[0].post(path)
    assert (again.status_code, again.json()["code"]) == (409, "test_pending")
    send_due()
    headers, body = receiver.calls[0]
    assert Verifier(webhooks.shown_key(hook)).verify(body, headers)["data"] == {"webhook": hook.code}
    assert headers["webhook-id"] == sent.json()["id"]
    assert apis[0].post(path).status_code == 202


def test_an_address_can_be_tested_again_as_soon_as_a_test_has_failed(apis, hook, receiver):
    path = f"account/webhooks/{hook.code}/test/"
    receiver.plan = [500]
    first = apis[0].post(path).json()["id"]
    send_due()
    second = apis[0].post(path).json()["id"]
    send_due()
    assert [headers["webhook-id"] for headers, _ in receiver.calls] == [first, second]
    found = apis[0].get(f"account/webhooks/{hook.code}/deliveries/").json()["results"]
    assert [(each["status"], each["response_status"]) for each in found] == [
        ("delivered", 200),
        ("failed", 500),
    ]


# What is told


def test_a_match_is_told_to_those_who_sit_there_and_nobody_else(cast, stranger):
    for player in (*cast, stranger):
        hook_of(player)
    match = matches.create_match(rules="dananeer", options={}, seats=cast)
    for player in cast:
        assert [event for event, _ in told(player)] == ["match_started"]
    bots_play_deals(match)
    match.refresh_from_db()
    assert match.status == "finished"
    for player in cast:
        assert told(player)[1] == (
            "match_finished",
            {
                "match": match.code,
                "status": "finished",
                "rules": "dananeer",
                "totals": dict(zip("SENW", match.totals, strict=True)),
                "winners": match.winners,
            },
        )
    assert told(stranger) == []


def test_a_table_that_closes_is_told(cast):
    hook_of(cast[0])
    match = matches.open_match(player=cast[0], rules="dananeer", options={})
    matches.leave(match_code=match.code, player=cast[0])
    (event, data) = told()[0]
    assert (event, data["match"], data["status"]) == ("match_cancelled", match.code, "cancelled")


def test_an_invitation_is_told_to_whoever_is_invited(cast):
    for player in cast:
        hook_of(player)
    match = matches.open_match(
        player=cast[0], rules="dananeer", options={}, visibility="private", invite=["basil"]
    )
    assert told() == [("invited", {"match": match.code, "by": "amal"})]
    assert told(cast[1]) == told()


def test_an_invitation_by_someone_who_is_muted_is_not_told(cast):
    hook_of(cast[1])
    cast[1].mutes.create(muted=cast[0])
    matches.open_match(player=cast[0], rules="dananeer", options={}, invite=["basil"])
    assert told() == []


def test_players_asked_to_a_rematch_are_told(cast):
    hook_of(cast[1])
    match = matches.create_match(rules="cardkings-complex", options={}, seats=cast)
    bots_play_deals(match)
    Delivery.objects.all().delete()
    from games.services.rematches import rematch

    again, _ = rematch(match_code=match.code, player=cast[0])
    assert told() == [("invited", {"match": again.code, "by": "amal"})]


def test_only_what_is_subscribed_to_is_told(cast):
    hook_of(cast[0], events=["match_finished"])
    match = matches.create_match(rules="cardkings-complex", options={}, seats=cast)
    assert told() == []
    bots_play_deals(match)
    assert [event for event, _ in told()] == ["match_finished"]


def test_inactive_webhooks_and_closed_accounts_are_told_nothing(cast):
    Webhook.objects.filter(pk=hook_of(cast[0]).pk).update(active=False)
    hook_of(cast[1])
    Player.objects.filter(pk=cast[1].pk).update(is_active=False)
    matches.create_match(rules="dananeer", options={}, seats=cast)
    assert told() == []


def test_a_webhook_that_lags_far_behind_is_told_nothing_new(cast):
    hook = hook_of(cast[0])
    rows = [Delivery(webhook=hook, event="invited", body={}, due_at=timezone.now()) for _ in range(999)]
    Delivery.objects.bulk_create(rows)
    for _ in range(3):
        webhooks.emit_to_players([cast[0].pk], "invited", {})
    assert Delivery.objects.count() == 1000
    Delivery.objects.filter(pk=rows[0].pk).update(status="delivered", due_at=None)
    webhooks.emit_to_players([cast[0].pk], "invited", {})
    assert Delivery.objects.count() == 1001


def test_nothing_is_told_of_what_was_taken_back(cast):
    hook_of(cast[0])
    with pytest.raises(RuntimeError), transaction.atomic():
        matches.create_match(rules="dananeer", options={}, seats=cast)
        assert told()
        raise RuntimeError
    assert told() == []


def test_no_event_holds_a_hand_or_a_secret(cast):
    hook_of(cast[0])
    match = matches.create_match(rules="cardkings-complex", options={}, seats=cast)
    bots_play_deals(match)
    match.refresh_from_db()
    text = json.dumps(told())
    assert match.secret.hex() not in text and match.commitment not in text
    assert set(told()[0][1]) == {"match", "status", "rules", "totals", "winners"}


def test_a_move_costs_not_one_statement_more(cast, match):
    """Webhooks look at starts and ends alone."""
    for player in cast:
        hook_of(player)
    act_until(match, in_play)
    with CaptureQueriesContext(connection) as queries:
        act(match)
    assert not [query for query in queries if "webhook" in query["sql"] or "delivery" in query["sql"]]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("account", [False, True], ids=["by its owner", "with its account"])
def test_a_webhook_deleted_while_it_is_told_breaks_nothing(transactional_db, cast, account):
    """The deletion waits for the match that was about to tell it, and takes that row along."""
    hook = hook_of(cast[0])

    def delete():
        try:
            if account:
                close_account(player=cast[0], password="seven of hearts")
            else:
                webhooks.delete_webhook(account_topic(cast[0]), hook.code)
        finally:
            connection.close()

    cast[0].set_password("seven of hearts")
    cast[0].save()

    with in_thread_after(delete) as begin, transaction.atomic():
        matches.create_match(rules="dananeer", options={}, seats=cast)
        begin.set()
        wait_until(lambda: waits_for_lock())
    assert not Webhook.objects.exists() and not Delivery.objects.exists()


def waits_for_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return cursor.fetchone()[0] > 0


@contextmanager
def in_thread_after(work):
    """Beside the block, once the event that it gets is set."""
    begin = Event()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(lambda: begin.wait(30) and work())
        yield begin
        future.result()


def test_where_nobody_subscribes_one_statement_looks_and_none_writes(cast):
    with CaptureQueriesContext(connection) as queries:
        webhooks.emit_to_players([player.pk for player in cast], "invited", {})
    assert len(queries) == 1


def test_bots_alone_ask_nothing(db):
    with CaptureQueriesContext(connection) as queries:
        webhooks.emit_to_players([], "invited", {})
    assert len(queries) == 0
    match = matches.create_match(
        rules="dananeer", options={}, seats=["random"] * 4, secret=secret_where(owner=0)
    )
    assert moves.play_bot_move(match.pk).taken

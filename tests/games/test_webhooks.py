"""Webhooks of accounts: making them, what they are told, and how it is sent."""

import base64
import json
import os
import re
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from standardwebhooks.webhooks import Webhook as Verifier

from games import delivery
from games.models import Delivery, Player, Scope, Webhook
from games.services import deliveries, matches, moves, webhooks
from games.services.closing import close_account
from games.services.deliveries import DELAYS, MOST_GIVEN_UP, claim, send_due, settle
from games.services.webhooks import account_topic, create_webhook
from games.tasks import deliver, tidy
from tests.games.play import act, act_until, at_once, bots_play_deals, in_play, secret_where
from tests.games.receiver import receiving
from tests.games.test_tasks import wait_until
from trix_site.common.errors import Conflict

URL = "https://example.org/trix"


@pytest.fixture
def receiver():
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def private_allowed(settings, monkeypatch):
    """For this process and for workers."""
    settings.WEBHOOK_ALLOW_PRIVATE = True
    monkeypatch.setenv("WEBHOOK_ALLOW_PRIVATE", "on")


@pytest.fixture
def hook(cast, receiver, private_allowed) -> Webhook:
    """Amal's, to the receiver."""
    return hook_of(cast[0], receiver.url)


def hook_of(player: Player, url: str = URL, events=()) -> Webhook:
    return create_webhook(topic=account_topic(player), owner=player, url=url, events=events)


def send_all_now() -> None:
    """Send, and again without the pauses between attempts, until nothing waits."""
    while Delivery.objects.filter(status="pending", webhook__active=True).exists():
        Delivery.objects.filter(status="pending").update(due_at=timezone.now() - timedelta(seconds=1))
        send_due()


def told(player: Player | None = None) -> list[tuple[str, dict]]:
    found = Delivery.objects.order_by("pk")
    return list((found.filter(webhook__owner=player) if player else found).values_list("event", "body"))


# Making them


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


# How it is sent


@pytest.mark.django_db(transaction=True)
def test_the_whole_way_with_a_worker(private_allowed, celery_worker_process, receiver, apis, cast):
    """What arrives is signed, so that the public library of Standard Webhooks takes it."""
    made = apis[0].post("account/webhooks/", url=receiver.url).json()
    match = matches.create_match(rules="dananeer", options={}, seats=cast)
    receiver.wait_for(1)
    headers, body = receiver.calls[0]
    assert Verifier(made["key"]).verify(body, headers)["type"] == "match_started"
    sent = json.loads(body)
    assert list(sent) == ["type", "at", "data"] and sent["data"]["match"] == match.code
    wait_until(lambda: Delivery.objects.get().status == "delivered")
    shown = apis[0].get(f"account/webhooks/{made['code']}/deliveries/").json()["results"]
    assert [(each["id"], each["status"], each["attempts"]) for each in shown] == [
        (headers["webhook-id"], "delivered", 1)
    ]
    assert (shown[0]["response_status"], shown[0]["response"], shown[0]["due_at"]) == (200, "thanks", None)
    assert made["key"] not in celery_worker_process.output


@pytest.mark.django_db(transaction=True)
def test_after_an_error_and_a_dropped_connection_it_is_sent_again(
    private_allowed, celery_worker_process, receiver, cast
):
    """The same bytes under the same id, and a new time under the signature."""
    hook_of(cast[0], receiver.url)
    receiver.plan = [500, "drop", "redirect"]
    matches.create_match(rules="dananeer", options={}, seats=cast)
    for attempt, status in ((1, 500), (2, None), (3, 302)):
        wait_until(lambda seen=(attempt, status): (stored().attempts, stored().response_status) == seen)
        Delivery.objects.update(due_at=timezone.now())
        deliver.delay()
    receiver.wait_for(4)
    wait_until(lambda: Delivery.objects.get().status == "delivered")
    assert len({headers["webhook-id"] for headers, _ in receiver.calls}) == 1
    assert len({body for _, body in receiver.calls}) == 1
    assert Delivery.objects.get().attempts == 4


def stored() -> Delivery:
    return Delivery.objects.get()


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_killed_while_it_sends_costs_nothing(
    private_allowed, celery_worker_process, receiver, cast
):
    """Between the sending and the mark: the receiver gets it twice, under one id."""
    hook_of(cast[0], receiver.url)
    receiver.plan = ["hold"]
    matches.create_match(rules="dananeer", options={}, seats=cast)
    receiver.wait_for(1)
    celery_worker_process.kill()
    found = Delivery.objects.get()
    assert (found.status, found.attempts) == ("pending", 1) and found.due_at > timezone.now()
    celery_worker_process.start()
    Delivery.objects.update(due_at=timezone.now())
    deliver.delay()
    receiver.wait_for(2)
    wait_until(lambda: Delivery.objects.get().status == "delivered")
    first, second = (headers["webhook-id"] for headers, _ in receiver.calls)
    assert first == second


@pytest.mark.django_db(transaction=True)
def test_without_a_message_beats_task_finds_it(
    transactional_db, private_allowed, receiver, cast, monkeypatch
):
    def down(*args, **options):
        raise ConnectionError("the broker is down")

    monkeypatch.setattr(deliver, "apply_async", down)
    hook_of(cast[0], receiver.url)
    matches.create_match(rules="dananeer", options={}, seats=cast)
    assert receiver.calls == []
    deliver()
    assert len(receiver.calls) == 1


def test_a_delivery_is_claimed_once(hook):
    webhooks.ping(account_topic(hook.owner), hook.code)
    assert len(claim(10)) == 1
    assert claim(10) == []


def test_one_at_a_time_for_each_owner(cast, hook, receiver):
    """So that nobody's slow receiver takes all the places."""
    for _ in range(3):
        webhooks.emit_to_players([cast[0].pk], "invited", {})
    other = hook_of(cast[1], receiver.url)
    webhooks.emit_to_players([cast[1].pk], "invited", {})
    claimed = claim(10)
    assert {each.webhook_id for each in claimed} == {hook.pk, other.pk} and len(claimed) == 2
    assert claim(10, busy={cast[0].pk, cast[1].pk}) == []
    assert [each.webhook_id for each in claim(10, busy={cast[1].pk})] == [hook.pk]


def test_a_slow_receiver_holds_up_nobody_else(cast, hook, receiver):
    receiver.plan = ["hold"]
    webhooks.emit_to_players([cast[0].pk], "invited", {})
    with receiving() as quick:
        hook_of(cast[1], quick.url)
        Delivery.objects.update(due_at=timezone.now() - timedelta(seconds=9))
        for _ in range(5):
            webhooks.emit_to_players([cast[1].pk], "invited", {})

        def let_the_slow_one_go():
            quick.wait_for(5)
            receiver.let_go.set()

        with in_thread(let_the_slow_one_go):
            send_due()
    assert set(Delivery.objects.values_list("status", flat=True)) == {"delivered"}


def in_thread(work):
    """Run this beside the block, and raise what it raises."""
    from concurrent.futures import ThreadPoolExecutor
    from contextlib import contextmanager

    @contextmanager
    def running():
        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(work)
            yield
            future.result()

    return running()


@pytest.mark.django_db(transaction=True)
def test_while_one_worker_sends_another_leaves_it_alone(transactional_db, hook, receiver):
    receiver.plan = ["hold"]
    webhooks.ping(account_topic(hook.owner), hook.code)

    def meanwhile():
        receiver.wait_for(1)
        try:
            Delivery.objects.update(due_at=timezone.now(), attempts=0)
            assert send_due() is False
        finally:
            receiver.let_go.set()
            connection.close()

    with in_thread(meanwhile):
        send_due()
    assert len(receiver.calls) <= 2


def test_the_times_of_the_attempts(cast, hook, receiver, clock):
    receiver.plan = [500] * 99
    webhooks.emit_to_players([cast[0].pk], "invited", {})
    for attempt, seconds in enumerate(DELAYS, start=1):
        send_due()
        found = Delivery.objects.get()
        assert (found.status, found.attempts, found.response_status) == ("pending", attempt, 500)
        wait = (found.due_at - clock.time).total_seconds()
        assert seconds <= wait <= seconds * 1.2
        clock.time = found.due_at - timedelta(seconds=1)
        send_due()
        assert len(receiver.calls) == attempt
        clock.pass_(1)
    send_due()
    found = Delivery.objects.get()
    assert (found.status, found.attempts, found.due_at) == ("failed", 8, None)
    send_due()
    assert len(receiver.calls) == 8


def test_an_address_that_takes_nothing_becomes_inactive(cast, hook, receiver, monkeypatch):
    monkeypatch.setattr(deliveries, "DELAYS", ())
    receiver.plan = [500] * (MOST_GIVEN_UP - 1) + [200] + [500] * 99
    for _ in range(2 * MOST_GIVEN_UP + 3):
        webhooks.emit_to_players([cast[0].pk], "invited", {})
    send_all_now()
    hook.refresh_from_db()
    assert hook.active is False
    assert len(receiver.calls) == 2 * MOST_GIVEN_UP, "one that was taken in between begins the count anew"
    assert set(Delivery.objects.values_list("status", flat=True)) == {"delivered", "failed"}
    assert Delivery.objects.filter(response__contains="inactive", attempts=0).count() == 3


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


def test_the_page_about_webhooks_checks_signatures_as_it_says(hook, receiver):
    webhooks.ping(account_topic(hook.owner), hook.code)
    send_due()
    headers, body = receiver.calls[0]
    code: dict = {}
    exec(block_of("python"), code)
    key = webhooks.shown_key(hook)
    assert code["is_genuine"](key, headers, body)
    assert not code["is_genuine"](key, headers, body + b" ")
    assert not code["is_genuine"](key, {**headers, "webhook-timestamp": "1"}, body)


@pytest.mark.skipif(not shutil.which("openssl"), reason="the shell's way takes openssl")
def test_the_page_about_webhooks_checks_signatures_in_a_shell(hook, receiver, tmp_path):
    webhooks.ping(account_topic(hook.owner), hook.code)
    send_due()
    headers, body = receiver.calls[0]
    (tmp_path / "body.json").write_bytes(body)
    names = {"KEY": webhooks.shown_key(hook), "ID": headers["webhook-id"]}
    names["TIMESTAMP"] = headers["webhook-timestamp"]
    script = block_of("sh", which=1)
    shell = subprocess.run(
        ["sh", "-c", script], cwd=tmp_path, env={**os.environ, **names}, capture_output=True
    )
    assert "v1," + shell.stdout.decode().strip() == headers["webhook-signature"]


def block_of(language: str, which: int = 0) -> str:
    """A block of code of docs/webhooks.md."""
    page = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text()
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)[which]


def test_a_signature_fits_neither_another_body_nor_another_key(hook, receiver):
    webhooks.ping(account_topic(hook.owner), hook.code)
    send_due()
    headers, body = receiver.calls[0]
    for key, sent in (
        (webhooks.shown_key(hook), body + b" "),
        ("whsec_" + base64.b64encode(bytes(32)).decode(), body),
    ):
        with pytest.raises(Exception, match="signature"):
            Verifier(key).verify(sent, headers)


def test_a_private_address_is_refused_when_it_is_sent_to_whatever_it_was_before(hook, receiver, settings):
    """As of a name that led elsewhere when the webhook was made."""
    settings.WEBHOOK_ALLOW_PRIVATE = False
    webhooks.ping(account_topic(hook.owner), hook.code)
    send_due()
    found = Delivery.objects.get()
    assert (found.status, found.response_status) == ("pending", None)
    assert found.response == "The name leads to an address that is not public."
    assert receiver.calls == []


def test_a_look_up_that_hangs_holds_nobody_up(hook, monkeypatch):
    from threading import Event

    never = Event()
    monkeypatch.setattr(deliveries, "WHOLE_SECONDS", -1)
    monkeypatch.setattr(deliveries, "post", lambda delivery: never.wait(30) and None)
    webhooks.ping(account_topic(hook.owner), hook.code)
    send_due()
    never.set()
    assert "not found in time" in Delivery.objects.get().response


def test_a_late_mark_does_not_undo_a_later_attempt(hook):
    webhooks.ping(account_topic(hook.owner), hook.code)
    late = claim(1)[0]
    Delivery.objects.update(due_at=timezone.now())
    current = claim(1)[0]
    settle(current, delivery.Outcome(200, "ok"))
    settle(late, delivery.Outcome(500, "late"))
    found = Delivery.objects.get()
    assert (found.status, found.response) == ("delivered", "ok")


def test_old_deliveries_are_forgotten(hook, clock):
    for days in (0, 31):
        clock.pass_(days * 86400)
        webhooks.emit_to_players([hook.owner_id], "invited", {"days": days})
    tidy()
    assert [body["days"] for _, body in told()] == [31]


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


def in_thread_after(work):
    """Beside the block, once the event that it gets is set."""
    from concurrent.futures import ThreadPoolExecutor
    from contextlib import contextmanager
    from threading import Event

    @contextmanager
    def running():
        begin = Event()
        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(lambda: begin.wait(30) and work())
            yield begin
            future.result()

    return running()


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

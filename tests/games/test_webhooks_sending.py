"""How deliveries to webhooks are sent, and what a receiver can check."""

import base64
import json
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest
from django.db import connection
from django.utils import timezone
from standardwebhooks.webhooks import Webhook as Verifier

from games.models import Delivery
from games.services import deliveries, matches, webhooks
from games.services.deliveries import claim, send_due
from games.services.webhooks import account_topic
from games.tasks import deliver
from tests.games.hooks import hook_of
from tests.games.receiver import receiving
from tests.games.test_tasks import wait_until


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


@contextmanager
def in_thread(work):
    """Run this beside the block, and raise what it raises."""
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        yield
        future.result()


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
    never = Event()
    monkeypatch.setattr(deliveries, "WHOLE_SECONDS", -1)
    monkeypatch.setattr(deliveries, "post", lambda delivery: never.wait(30) and None)
    webhooks.ping(account_topic(hook.owner), hook.code)
    send_due()
    never.set()
    assert "not found in time" in Delivery.objects.get().response

"""What becomes of a delivery that does not arrive at once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import delivery
from games.models import Delivery
from games.services import deliveries, matches, webhooks
from games.services.deliveries import DELAYS, MOST_GIVEN_UP, claim, send_due, settle
from games.services.webhooks import account_topic
from games.tasks import deliver, tidy
from tests.games.hooks import hook_of, send_all_now, told
from tests.games.test_tasks import wait_until


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

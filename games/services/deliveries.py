"""Sending what webhooks wait for: rows are the queue, messages only wake whoever sends.

A delivery is claimed, with its next time set, before it is sent, and marked afterwards; so one whose worker
dies in between is sent again. Receivers tell repeats by `webhook-id`.
"""

import json
import random
import time
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from games.delivery import USER_AGENT, WHOLE_SECONDS, Outcome, send, signature
from games.models import Delivery, Webhook
from games.services.webhooks import PING
from trix_site.common import answers

# Seconds after each attempt but the last, after which a delivery is given up: 20 hours and 36 minutes in all.
DELAYS = (10, 60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600, 12 * 3600)
JITTER = 0.2  # Up to this part later, so that what failed together does not come back together.
MOST_GIVEN_UP = 20  # in a row, until the address counts as dead
KEPT = timedelta(days=30)

SLOTS = 16  # sent at once, one for each owner: nobody's slow receiver holds up the others'
BEGIN_SECONDS = 5  # How long one task begins new ones. With what is under way it holds a worker for 15 s.
CLAIMED = timedelta(seconds=60)  # Longer than any sending takes.
LONE_SENDER = 0x7472_6978  # The advisory lock of the one worker that sends, while the others play.

STOPPED = f"The webhook became inactive: {MOST_GIVEN_UP} deliveries in a row were given up."

Status = Delivery.Status


@dataclass
class Flight:
    delivery: Delivery
    since: float

    @property
    def lost(self) -> bool:
        """Whether it hangs where no limit reaches: in the look-up of a name."""
        return time.monotonic() > self.since + WHOLE_SECONDS + 2


def wake() -> None:
    """Have a worker look after commit. A lost message costs seconds: beat looks too."""
    from games.tasks import deliver

    transaction.on_commit(lambda: deliver.delay(), robust=True)


def send_due() -> bool:
    """Send what is due for some seconds, unless another worker does; whether more is due."""
    with _alone() as alone:
        if alone:
            _send_for(BEGIN_SECONDS)
        return alone and due().exists()


def send_again(deliveries: Iterable[Delivery]) -> int:
    """Send settled deliveries of active webhooks from the first attempt on; how many."""
    ids = [delivery.pk for delivery in deliveries]
    again = Delivery.objects.filter(pk__in=ids, webhook__active=True).exclude(status=Status.PENDING)
    with transaction.atomic():
        count = again.update(status=Status.PENDING, attempts=0, due_at=timezone.now())
        if count:
            wake()
    return count


def forget_old() -> int:
    """Delete what was written too long ago; how many."""
    return Delivery.objects.filter(created_at__lt=timezone.now() - KEPT).delete()[0]


def due() -> QuerySet[Delivery]:
    """What is to be sent now."""
    waiting = Delivery.objects.filter(status=Status.PENDING, due_at__lte=timezone.now())
    return waiting.filter(webhook__active=True, webhook__owner__is_active=True)


def claim(free: int, busy: Collection[int] = ()) -> list[Delivery]:
    """Take the oldest due delivery of each owner who is not busy, at most ``free``; each is taken once."""
    others = due().exclude(webhook__owner__in=busy).order_by("webhook__owner", "due_at", "pk")
    first = others.distinct("webhook__owner").values("pk")
    with transaction.atomic():
        found = due().filter(pk__in=first).select_related("webhook").order_by("due_at", "pk")
        taken = list(found.select_for_update(of=("self",), skip_locked=True)[:free])
        chosen = Delivery.objects.filter(pk__in=[delivery.pk for delivery in taken])
        chosen.update(attempts=F("attempts") + 1, due_at=timezone.now() + CLAIMED)
    for delivery in taken:
        delivery.attempts += 1
    return taken


def message(delivery: Delivery) -> bytes:
    """The body, the same at every attempt."""
    body = {"type": delivery.event, "at": answers.time(delivery.created_at), "data": delivery.body}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def post(delivery: Delivery) -> Outcome:
    """Send a delivery, signed as of now. No database: it runs in a thread."""
    body, now = message(delivery), int(time.time())
    headers: dict[bytes | str, bytes | str] = {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "webhook-id": delivery.code,
        "webhook-timestamp": str(now),
        "webhook-signature": signature(bytes(delivery.webhook.key), delivery.code, now, body),
    }
    return send(delivery.webhook.url, headers, body, settings.WEBHOOK_ALLOW_PRIVATE)


def settle(delivery: Delivery, outcome: Outcome) -> None:
    """Store what came of a claimed delivery. Nothing where somebody has claimed or settled it since."""
    now = timezone.now()
    facts = {"sent_at": now, "response_status": outcome.status, "response": outcome.text}
    if outcome.delivered:
        facts |= {"status": Status.DELIVERED, "due_at": None}
    elif delivery.attempts > len(DELAYS):
        facts |= {"status": Status.FAILED, "due_at": None}
    else:
        seconds = DELAYS[delivery.attempts - 1] * random.uniform(1, 1 + JITTER)
        facts |= {"due_at": now + timedelta(seconds=seconds)}
    given_up = facts.get("status") == Status.FAILED
    claimed = Delivery.objects.filter(pk=delivery.pk, status=Status.PENDING, attempts=delivery.attempts)
    with transaction.atomic():
        if given_up:  # The webhook before its deliveries, as where it is deleted.
            Webhook.objects.select_for_update(no_key=True).filter(pk=delivery.webhook_id).first()
        if claimed.update(**facts) and given_up:
            _stop_if_dead(delivery.webhook)


def _send_for(seconds: float) -> None:
    """The database is this thread's alone; the others only send."""
    until = time.monotonic() + seconds
    flights: dict[Future[Outcome], Flight] = {}
    pool = ThreadPoolExecutor(SLOTS)
    try:
        while _begin(pool, flights, until) or flights:
            wait(flights, timeout=0.2, return_when=FIRST_COMPLETED)
            _land(flights)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _begin(pool: ThreadPoolExecutor, flights: dict[Future[Outcome], Flight], until: float) -> bool:
    """Send more if there is time and a free slot; whether any was."""
    free = SLOTS - len(flights)
    if not free or time.monotonic() > until:
        return False
    claimed = claim(free, {flight.delivery.webhook.owner_id for flight in flights.values()})
    for delivery in claimed:
        flights[pool.submit(post, delivery)] = Flight(delivery, time.monotonic())
    return bool(claimed)


def _land(flights: dict[Future[Outcome], Flight]) -> None:
    for future, flight in list(flights.items()):
        if future.done():
            settle(flight.delivery, future.result())
        elif flight.lost:
            settle(flight.delivery, Outcome(None, "The name of the host was not found in time."))
        else:
            continue
        del flights[future]


def _stop_if_dead(hook: Webhook) -> None:
    """Make a webhook inactive whose last events were all given up, and with it what still waits."""
    settled = hook.deliveries.exclude(status=Status.PENDING).exclude(event=PING).order_by("-sent_at")
    last = list(settled.values_list("status", flat=True)[:MOST_GIVEN_UP])
    if len(last) == MOST_GIVEN_UP and set(last) == {Status.FAILED}:
        Webhook.objects.filter(pk=hook.pk).update(active=False)
        waiting = hook.deliveries.filter(status=Status.PENDING)
        waiting.update(status=Status.FAILED, due_at=None, response=STOPPED)


@contextmanager
def _alone() -> Iterator[bool]:
    """Whether no other worker sends. A slow receiver then holds up one worker at most."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [LONE_SENDER])
        alone = bool(cursor.fetchone()[0])
    try:
        yield alone
    finally:
        if alone:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LONE_SENDER])

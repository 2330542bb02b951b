"""Webhooks in the admin: a log to look through, from which deliveries are sent again; never a key."""

import base64

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from games.models import Delivery, Player, Webhook
from games.services.webhooks import account_topic, create_webhook, emit_to_players

LOG = reverse("admin:games_delivery_changelist")


@pytest.fixture
def staff(db) -> Client:
    client = Client()
    client.force_login(Player.objects.create_superuser("root"))
    return client


@pytest.fixture
def hook(cast) -> Webhook:
    """A webhook of one whose name is Arabic, with a delivery of each state."""
    owner = cast[2]
    made = create_webhook(topic=account_topic(owner), owner=owner, url="https://example.org/trix")
    for event in ("match_started", "match_finished", "invited"):
        emit_to_players([owner.pk], event, {"match": f"of {event}"})
    settled = {"due_at": None, "attempts": 8, "response_status": 503}
    Delivery.objects.filter(event="match_started").update(status="failed", response="<b>busy</b>", **settled)
    Delivery.objects.filter(event="match_finished").update(status="delivered", **settled)
    return made


def text_of(answer) -> str:
    assert answer.status_code == 200
    return answer.content.decode()


def send_again(client: Client, *deliveries: Delivery) -> str:
    body = {"action": "send_again", "_selected_action": [each.pk for each in deliveries]}
    return text_of(client.post(LOG, body, follow=True))


def test_the_log_is_narrowed_by_status_and_event(staff, hook):
    assert "كارلا" in text_of(staff.get(LOG))
    for query, shown in (({"status__exact": "failed"}, "match_started"), ({"event": "invited"}, "invited")):
        rows = staff.get(LOG, query).context["cl"].result_list
        assert [row.event for row in rows] == [shown]


def test_one_delivery_shows_what_was_sent_and_what_came_of_it(staff, hook):
    failed = Delivery.objects.get(status="failed")
    text = text_of(staff.get(reverse("admin:games_delivery_change", args=[failed.pk])))
    for fact in ("of match_started", "Given up", "503", "&lt;b&gt;busy&lt;/b&gt;", failed.code, hook.url):
        assert fact in text
    assert 'name="_save"' not in text


def test_no_page_shows_the_key(staff, hook):
    key = bytes(hook.key)
    pages = [
        LOG,
        reverse("admin:games_webhook_changelist"),
        reverse("admin:games_webhook_change", args=[hook.pk]),
        reverse("admin:games_delivery_change", args=[Delivery.objects.first().pk]),
    ]
    for page in pages:
        text = text_of(staff.get(page))
        assert base64.b64encode(key).decode() not in text and key.hex() not in text and "whsec" not in text


def test_given_up_and_delivered_ones_are_sent_again_from_the_first_attempt(staff, hook):
    text = send_again(staff, *Delivery.objects.all())
    assert "sent again: 2" in text and "are not: 1" in text
    assert set(Delivery.objects.values_list("status", flat=True)) == {"pending"}
    assert set(Delivery.objects.values_list("attempts", flat=True)) == {0}


def test_nothing_is_sent_again_to_an_inactive_webhook(staff, hook):
    Webhook.objects.update(active=False)
    assert "sent again: 0" in send_again(staff, Delivery.objects.get(status="failed"))
    assert Delivery.objects.filter(status="failed").count() == 1


def test_who_may_only_look_sends_nothing(hook):
    viewer = Player.objects.create_user("viewer", is_staff=True)
    viewer.user_permissions.add(Permission.objects.get(codename="view_delivery"))
    client = Client()
    client.force_login(viewer)
    assert "send_again" not in text_of(client.get(LOG))
    send_again(client, Delivery.objects.get(status="failed"))
    assert Delivery.objects.filter(status="failed").count() == 1


def test_a_webhook_is_stopped_in_the_admin_and_nothing_else_of_it_changes(staff, hook):
    page = reverse("admin:games_webhook_change", args=[hook.pk])
    staff.post(page, {"url": "https://evil.example/", "topic": "tournament/1"})
    hook.refresh_from_db()
    assert (hook.active, hook.url, hook.topic) == (False, "https://example.org/trix", "account")

"""Webhooks in tests: made, sent, and what they were told."""

from datetime import timedelta

from django.utils import timezone

from games.models import Delivery, Player, Webhook
from games.services.deliveries import send_due
from games.services.webhooks import account_topic, create_webhook

URL = "https://example.org/trix"


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

"""Webhooks of a tournament: its organisers' to add and remove, for what anyone may see."""

from collections.abc import Sequence

from django.db import transaction

from games.models import Player, Webhook
from games.services.webhooks import Topic, create_webhook, delete_webhook
from tournaments.models import Tournament
from tournaments.organisers import Right
from tournaments.services.audit import audit
from tournaments.services.locks import lock_as

EVENTS = (
    "tournament_opened",
    "tournament_started",
    "round_published",
    "round_closed",
    "result_entered",
    "table_replayed",
    "tournament_finished",
    "tournament_cancelled",
)


def topic_of(tournament: Tournament) -> Topic:
    """By its number: the address of a tournament may change."""
    return Topic(f"tournament/{tournament.pk}", EVENTS)


def add_webhook(*, slug: str, actor: Player, url: str, events: Sequence[str] = ()) -> Webhook:
    """Raises Missing, Forbidden, and as `create_webhook`."""
    with transaction.atomic():
        tournament = lock_as(Right.ORGANISE, slug, actor)
        hook = create_webhook(topic=topic_of(tournament), owner=actor, url=url, events=events)
        audit(tournament, actor, "webhook_added", webhook=hook.code)
    return hook


def remove_webhook(*, slug: str, actor: Player, code: str) -> None:
    """Raises Missing, Forbidden."""
    with transaction.atomic():
        tournament = lock_as(Right.ORGANISE, slug, actor)
        delete_webhook(topic_of(tournament), code)
        audit(tournament, actor, "webhook_removed", webhook=code)

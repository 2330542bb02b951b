"""Finished matches for rating tests, written straight into the tables: only the result matters here."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from django.db import transaction

from games.engine.cards import SEAT_NAMES
from games.models import Match, Player, Seat
from ratings.models import Pool, Rating, RatingChange

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
HOUSE = "greedy"


def person(name: str) -> Player:
    return Player.objects.get_or_create(username=name)[0]


def people(*names: str) -> list[Player]:
    return [person(name) for name in names]


def program(name: str) -> Player:
    return Player.objects.create(username=name, is_bot=True)


@transaction.atomic
def finished(
    seats: Sequence[Player | str],
    totals: Sequence[int],
    minute: float = 0,
    rules: str = "dananeer",
    left: str = "",
    rated: bool = True,
) -> Match:
    """A match that ended `minute` minutes after noon; `left` names the seats whose players were gone."""
    at = NOON + timedelta(minutes=minute)
    best = max(range(4), key=lambda seat: totals[seat])
    match = Match.objects.create(
        rules=rules,
        rated=rated,
        status=Match.Status.FINISHED,
        created_at=at,
        started_at=at,
        finished_at=at,
        totals=list(totals),
        winners=[SEAT_NAMES[best]],
    )
    for index, sitter in enumerate(seats):
        seat = Seat(match=match, index=index, away_since=at if SEAT_NAMES[index] in left else None)
        if isinstance(sitter, str):
            seat.bot = sitter
        else:
            seat.player = sitter
        seat.save()
    return match


def ratings(pool: str = "classic") -> dict[str, float]:
    rows = Rating.objects.filter(pool__slug=pool)
    return {row.player.username: row.value for row in rows.select_related("player")}


def ledger() -> list[tuple[object, ...]]:
    """Everything the ledger says, in its order, but for the keys of its rows."""
    fields = [field.attname for field in RatingChange._meta.concrete_fields if field.attname != "id"]
    return list(RatingChange.objects.order_by("sequence", "pool", "player").values_list(*fields))


def pool(slug: str) -> Pool:
    return Pool.objects.get(slug=slug)

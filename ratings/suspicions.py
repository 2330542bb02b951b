"""Suspicions: what `ratings.guards` finds is written down for organisers, who look at it and say what it was.

Nothing follows from one. Finding closes none: where the matches no longer show it, it was last found before
today. One that was looked at is open again only once there is half as much again to it.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from games.models import Player
from ratings.guards import DAYS, Suspected, Table, suspected
from ratings.ledger import STREAMED
from ratings.maths import PARTNERS, SINGLES, Entrant
from ratings.models import Pool, RatingChange, Suspicion
from trix_site.common.errors import BadRequest

State = Suspicion.State

GROWN = 1.5
"""By what the weight must have grown since somebody looked, for him to be asked again."""

NOTE = 500


@transaction.atomic
def find(pool: Pool) -> int:
    """Look through the rated matches of the last `DAYS` days of a pool; how many suspicions they give.

    Any number of calls may race: each suspicion is there once, with the figures of the last call.
    """
    now = timezone.now()
    sides = PARTNERS if pool.kind.endswith("partners") else SINGLES
    matches = partial(_tables, pool, sides, now - timedelta(days=DAYS))
    found = suspected(matches, sides, pool.schedule)
    _write(pool, found, now)
    _open_again(pool, now)
    return len(found)


def look_at(suspicions: QuerySet[Suspicion], actor: Player, note: str = "") -> int:
    """Say that these were looked at, and what was found; how many. Without a note the last one stays.

    Raises BadRequest for a note of more than 500 characters.
    """
    if len(note) > NOTE:
        raise BadRequest("invalid", f"The note may have {NOTE} characters.")
    said = {"note": note.strip()} if note.strip() else {}
    return suspicions.update(
        state=State.LOOKED_AT,
        looked_at_by=actor,
        looked_at=timezone.now(),
        weight_then=F("weight"),
        **said,
    )


def forget(player: Player, **_: Any) -> None:
    """Receives games.signals.account_closing: what was noted of a person goes with the account.

    His results stay, so what they show is found again, under a name that says nothing.
    """
    Suspicion.objects.filter(Q(player=player) | Q(other=player)).delete()


def _tables(pool: Pool, sides: int, since: datetime) -> Iterator[Table]:
    """The rated matches since then, streamed. Annulled ones have no rows in the ledger."""
    rows = (
        RatingChange.objects.filter(pool=pool, match__finished_at__gte=since)
        .filter(match__seats__player=F("player"))
        .order_by("match", "player")
        .values_list("match", "player", "before", "n", "match__seats__index", "place", "left")
    )
    for _, players in groupby(rows.iterator(STREAMED), key=lambda row: row[0]):
        yield _table(list(players), sides)


def _table(rows: Iterable[tuple[Any, ...]], sides: int) -> Table:
    players, entrants = [], []
    for _, player, before, n, seat, place, left in rows:
        players.append(player)
        entrants.append(Entrant(before, n, seat % sides, place, left))
    return Table(players, entrants)


def _write(pool: Pool, found: Iterable[Suspected], now: datetime) -> None:
    """In the order of their keys, so that two at once wait for one another and never both ways."""
    Suspicion.objects.bulk_create(
        [
            Suspicion(
                kind=each.kind,
                pool=pool,
                player_id=each.player,
                other_id=each.other,
                weight=each.weight,
                figures=each.figures,
                first_seen=now,
                last_seen=now,
            )
            for each in found
        ],
        batch_size=STREAMED,
        update_conflicts=True,
        unique_fields=["kind", "pool", "player", "other"],
        update_fields=["weight", "figures", "last_seen"],
    )


def _open_again(pool: Pool, now: datetime) -> None:
    grown = Q(weight__gte=GROWN * F("weight_then"))
    Suspicion.objects.filter(grown, pool=pool, state=State.LOOKED_AT, last_seen=now).update(state=State.OPEN)

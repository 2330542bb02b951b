"""News for the account streams of players from whoever has some; the streams know what a table does by
themselves (games/migrations/0007_wake_ups.py).
"""

import json
from collections.abc import Iterable, Iterator, Mapping

from django.db import connection

CHANNEL = "trix"
# PostgreSQL takes at most 8,000 bytes: these ids, and the data.
PLAYERS_AT_ONCE = 400


def tell(players: Iterable[int], kind: str, data: Mapping[str, object]) -> None:
    """Send a message of this kind to the account streams of these players (ids), once the caller's
    transaction commits. Who has no stream open misses it. ``data``: a few names and numbers, as JSON.
    """
    tell_each(kind, [(players, data)])


def tell_each(kind: str, told: Iterable[tuple[Iterable[int], Mapping[str, object]]]) -> None:
    """The same to several sets of players, to each something else, in one statement."""
    news = [
        json.dumps({"players": some, "type": kind, "data": data}, ensure_ascii=False)
        for players, data in told
        for some in _batched(players, PLAYERS_AT_ONCE)
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_notify(%s, 'news ' || news) FROM unnest(%s::text[]) AS news", [CHANNEL, news]
        )


def _batched(ids: Iterable[int], size: int) -> Iterator[list[int]]:
    left = list(ids)
    for start in range(0, len(left), size):
        yield left[start : start + size]

"""News for the account streams of players from whoever has some; the streams know what a table does by
themselves (games/migrations/0007_wake_ups.py).
"""

import json
from collections.abc import Iterable, Mapping

from django.db import connection

CHANNEL = "trix"
# PostgreSQL takes at most 8,000 bytes: these ids, and the data.
PLAYERS_AT_ONCE = 400


def tell(players: Iterable[int], kind: str, data: Mapping[str, object]) -> None:
    """Send a message of this kind to the account streams of these players (ids), once the caller's
    transaction commits. Who has no stream open misses it. ``data``: a few names and numbers, as JSON.
    """
    ids = list(players)
    with connection.cursor() as cursor:
        for start in range(0, len(ids), PLAYERS_AT_ONCE):
            some = ids[start : start + PLAYERS_AT_ONCE]
            news = json.dumps({"players": some, "type": kind, "data": data}, ensure_ascii=False)
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"news {news}"])

"""The one connection of a process that hears what PostgreSQL's triggers tell."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import psycopg
from django.db import connection

from games.services.news import CHANNEL
from trix_site.common.conninfo import conninfo

SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # seconds between attempts to connect
# Notice within half a minute that the database's machine is gone.
KEEP_ALIVE = {"keepalives": 1, "keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3}

log = logging.getLogger(__name__)


async def listen(hear: Callable[[str], None], listening: Callable[[], None]) -> None:
    """Call ``hear`` with each payload, for ever; and ``listening`` whenever the connection stands anew:
    what was told before is lost, so whoever follows something looks at it again.
    """
    pause = SHORTEST_PAUSE
    while True:
        try:
            async with await _connected() as heard:
                await heard.execute(f"LISTEN {CHANNEL}")
                pause = SHORTEST_PAUSE
                listening()
                async for notification in heard.notifies():
                    hear(notification.payload)
        except Exception as error:
            log.warning("Not listening to the database, trying again: %s", error)
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


async def _connected() -> psycopg.AsyncConnection[Any]:
    where = await asyncio.to_thread(_where)
    return await psycopg.AsyncConnection.connect(where, autocommit=True)


def _where() -> str:
    """Django connects first: that starts the embedded database where it is down."""
    try:
        connection.ensure_connection()
    finally:
        connection.close()
    return conninfo(**KEEP_ALIVE, application_name="trix streams")

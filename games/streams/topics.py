"""Things that streams follow: each is read again when it is woken, once at a time however often that is."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

RETRY_SECONDS = 1.0

Read = Callable[..., Awaitable[Any]]
"""Run a job of `games.streams.reading` in a thread: ``await read(job, *arguments)``."""

log = logging.getLogger(__name__)


class Topic:
    """Base. While it is being read it may be woken: then it is read once more."""

    def __init__(self) -> None:
        self._stale = False
        self._task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        self._stale = True
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._keep_fresh())

    async def refresh(self) -> None:
        """Read it and tell whoever follows it."""
        raise NotImplementedError

    async def _keep_fresh(self) -> None:
        while self._stale:
            self._stale = False
            try:
                await self.refresh()
            except Exception:
                log.exception("A stream could not be kept up to date, trying again")
                self._stale = True
                await asyncio.sleep(RETRY_SECONDS)
        self._task = None

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()

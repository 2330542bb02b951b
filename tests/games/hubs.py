"""The hub of the streams without server and threads: what it would send, step by step."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import SimpleNamespace
from typing import Any

from django.db import connections

from games.models import Match, Player
from games.streams.hub import Hub
from games.streams.watchers import Watcher


class Screens:
    """Open streams of a hub that reads on this test's own connection. ``told`` is all that each got."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.hub = Hub(period=15)
        self.hub.read = self._read  # type: ignore[method-assign]
        self.told: dict[Watcher, bytes] = {}
        self.connection: Any = connections["default"]
        self.connection.inc_thread_sharing()
        self.thread = ThreadPoolExecutor(1, initializer=self._share)

    def _share(self) -> None:
        connections["default"] = self.connection

    async def _read(self, job: Any, *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.thread, partial(job, *arguments))

    def open(
        self, match: Match | None, player: Player | None = None, after: int | None = None, format: str = "sse"
    ) -> Watcher:
        """A stream of a match, or of the player's account, with its first message."""
        stream: Any = SimpleNamespace(
            player=player,
            token=None,
            caller=str(player),
            format=format,
            after=after,
            match_code=match and match.code,
        )

        async def watch() -> Watcher:
            return self.hub.watch(stream)

        watcher = self.runner.run(watch())
        self.told[watcher] = b""
        self._settle()
        return watcher

    def hear(self, *payloads: str) -> None:
        """The database tells this, and everything that follows is done."""

        async def hear() -> None:
            for payload in payloads:
                self.hub.hear(payload)

        self.runner.run(hear())
        self._settle()

    def moved(self, match: Match) -> None:
        self.hear(f"match {match.code}")

    def look(self) -> None:
        """What happens once a period."""
        self.runner.run(self.hub.look())
        self._settle()

    def wait(self, seconds: float) -> None:
        self.runner.run(asyncio.sleep(seconds))
        self._settle()

    def _settle(self) -> None:
        self.runner.run(self._all_read())
        for watcher in self.told:
            self.told[watcher] += b"".join(watcher.waiting)
            watcher.waiting.clear()
            watcher.size = 0

    async def _all_read(self) -> None:
        while tasks := [topic._task for topic in self._topics() if topic._task]:
            await asyncio.wait(tasks)

    def _topics(self) -> list[Any]:
        return [*self.hub.matches.values(), *self.hub.accounts.values()]

    def close(self) -> None:
        async def close() -> None:
            self.hub.close()

        self.runner.run(close())
        self.runner.close()
        self.thread.shutdown()
        self.connection.dec_thread_sharing()

"""Ratings and players; all of it only reads."""

from .. import payloads
from .transport import AsyncTransport


class AsyncRatings:
    """Pools and their leaderboards."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._http = transport

    async def pools(self) -> list[payloads.Pool]:
        pools: list[payloads.Pool] = await self._http.get("ratings")
        return pools

    async def leaderboard(
        self, pool: str, *, all: bool = False, page: int | None = None, page_size: int | None = None
    ) -> payloads.LeaderboardPage:
        """The players of a pool, best first; with `all` also provisional and absent ones."""
        found: payloads.LeaderboardPage = await self._http.get(
            "ratings", pool, all=all or None, page=page, page_size=page_size
        )
        return found


class AsyncPlayers:
    """Players by name, in any script and any case."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._http = transport

    async def get(self, name: str) -> payloads.Profile:
        """A player, with the rating in each pool where there is one."""
        profile: payloads.Profile = await self._http.get("players", name)
        return profile

    async def history(
        self, name: str, pool: str, *, page: int | None = None, page_size: int | None = None
    ) -> payloads.HistoryPage:
        """A player's rated matches in a pool, the newest first."""
        path = ("players", name, "ratings", pool, "history")
        found: payloads.HistoryPage = await self._http.get(*path, page=page, page_size=page_size)
        return found

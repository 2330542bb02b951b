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

    async def leaderboard_csv(self, pool: str, *, all: bool = False) -> str:
        """The whole leaderboard as CSV, for spreadsheets."""
        return await self._http.text("ratings", pool, format="csv", all=all or None)

    async def distribution(self, pool: str, player: str | None = None) -> payloads.Distribution:
        """How the ratings of a leaderboard spread, and where a player's stands among them."""
        found: payloads.Distribution = await self._http.get("ratings", pool, "distribution", player=player)
        return found

    async def expected(self, pool: str, *players: str) -> list[payloads.PlayerOutlook]:
        """Mean places and chances to win of two to four players who would sit at one table.

        In partnerships the first and the third are on one side.
        """
        found: payloads.Expected = await self._http.get("ratings", pool, "expected", player=players)
        return found["players"]

    async def recalculations(
        self, pool: str, player: str | None = None, *, page: int | None = None, page_size: int | None = None
    ) -> payloads.RecalculationPage:
        """Why ratings of a pool, or one player's there, moved without a match; the newest first."""
        path, wanted = ("ratings", pool, "recalculations"), {"page": page, "page_size": page_size}
        found: payloads.RecalculationPage = await self._http.get(*path, player=player, **wanted)
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

    async def against(self, name: str, other: str) -> payloads.Against:
        """Two players head to head, in each pool where both were rated in one match."""
        found: payloads.Against = await self._http.get("players", name, "against", other)
        return found

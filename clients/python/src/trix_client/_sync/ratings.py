"""Ratings and players; all of it only reads."""

from .. import payloads
from .transport import Transport


class Ratings:
    """Pools and their leaderboards."""

    def __init__(self, transport: Transport) -> None:
        self._http = transport

    def pools(self) -> list[payloads.Pool]:
        pools: list[payloads.Pool] = self._http.get("ratings")
        return pools

    def leaderboard(
        self, pool: str, *, all: bool = False, page: int | None = None, page_size: int | None = None
    ) -> payloads.LeaderboardPage:
        """The players of a pool, best first; with `all` also provisional and absent ones."""
        found: payloads.LeaderboardPage = self._http.get(
            "ratings", pool, all=all or None, page=page, page_size=page_size
        )
        return found


class Players:
    """Players by name, in any script and any case."""

    def __init__(self, transport: Transport) -> None:
        self._http = transport

    def get(self, name: str) -> payloads.Profile:
        """A player, with the rating in each pool where there is one."""
        profile: payloads.Profile = self._http.get("players", name)
        return profile

    def history(
        self, name: str, pool: str, *, page: int | None = None, page_size: int | None = None
    ) -> payloads.HistoryPage:
        """A player's rated matches in a pool, the newest first."""
        path = ("players", name, "ratings", pool, "history")
        found: payloads.HistoryPage = self._http.get(*path, page=page, page_size=page_size)
        return found

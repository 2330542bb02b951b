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

    def leaderboard_csv(self, pool: str, *, all: bool = False) -> str:
        """The whole leaderboard as CSV, for spreadsheets."""
        return self._http.text("ratings", pool, format="csv", all=all or None)

    def distribution(self, pool: str, player: str | None = None) -> payloads.Distribution:
        """How the ratings of a leaderboard spread, and where a player's stands among them."""
        found: payloads.Distribution = self._http.get("ratings", pool, "distribution", player=player)
        return found

    def expected(self, pool: str, *players: str) -> list[payloads.PlayerOutlook]:
        """Mean places and chances to win of two to four players who would sit at one table.

        In partnerships the first and the third are on one side.
        """
        found: payloads.Expected = self._http.get("ratings", pool, "expected", player=players)
        return found["players"]

    def recalculations(
        self, pool: str, player: str | None = None, *, page: int | None = None, page_size: int | None = None
    ) -> payloads.RecalculationPage:
        """Why ratings of a pool, or one player's there, moved without a match; the newest first."""
        path, wanted = ("ratings", pool, "recalculations"), {"page": page, "page_size": page_size}
        found: payloads.RecalculationPage = self._http.get(*path, player=player, **wanted)
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

    def against(self, name: str, other: str) -> payloads.Against:
        """Two players head to head, in each pool where both were rated in one match."""
        found: payloads.Against = self._http.get("players", name, "against", other)
        return found

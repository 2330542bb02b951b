"""Leagues: divisions that are tournaments, with promotion and relegation season after season."""

from collections.abc import Sequence
from typing import Unpack

from .. import payloads
from .transport import AsyncTransport

Seasons = list[payloads.SeasonSummary]


class AsyncLeagues:
    """Leagues. `slug` is one's address; the divisions are run by `client.tournaments`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._http = transport

    async def list(self, *, page: int | None = None, page_size: int | None = None) -> payloads.LeaguePage:
        """All leagues, by name."""
        found: payloads.LeaguePage = await self._http.get("leagues", page=page, page_size=page_size)
        return found

    async def get(self, slug: str) -> payloads.League:
        """One league."""
        league: payloads.League = await self._http.get("leagues", slug)
        return league

    async def seasons(self, slug: str) -> Seasons:
        """Its seasons, with the addresses of their divisions."""
        seasons: Seasons = await self._http.get("leagues", slug, "seasons")
        return seasons

    async def season(self, slug: str, number: int) -> payloads.Season:
        """A season: its divisions, their first, who came up and who came down."""
        season: payloads.Season = await self._http.get("leagues", slug, "seasons", number)
        return season

    # For organisers

    async def create(self, name: str, **settings: Unpack[payloads.LeagueSettings]) -> payloads.League:
        """Create a league; `settings` are those of each division's tournament."""
        league: payloads.League = await self._http.create("leagues", body={"name": name, **settings})
        return league

    async def change(self, slug: str, /, **changes: Unpack[payloads.LeagueChanges]) -> payloads.League:
        """Change a league; seasons that are open stay as they are."""
        league: payloads.League = await self._http.patch(
            "leagues", slug, body=changes, safe="slug" not in changes
        )
        return league

    async def plan_season(self, slug: str, players: Sequence[str] = ()) -> payloads.SeasonPlan:
        """Who would play where next season; nothing is made."""
        path, body = ("leagues", slug, "seasons"), {"players": players, "preview": True}
        plan: payloads.SeasonPlan = await self._http.post(*path, body=body)
        return plan

    async def open_season(self, slug: str, players: Sequence[str] = ()) -> payloads.Season:
        """Open the next season, the best up and the last down; `players` are newcomers."""
        path, body = ("leagues", slug, "seasons"), {"players": players}
        season: payloads.Season = await self._http.create(*path, body=body)
        return season

"""Leagues: divisions that are tournaments, with promotion and relegation season after season."""

from collections.abc import Sequence
from typing import Unpack

from .. import payloads
from .transport import Transport

Seasons = list[payloads.SeasonSummary]


class Leagues:
    """Leagues. `slug` is one's address; the divisions are run by `client.tournaments`."""

    def __init__(self, transport: Transport) -> None:
        self._http = transport

    def list(self, *, page: int | None = None, page_size: int | None = None) -> payloads.LeaguePage:
        """All leagues, by name."""
        found: payloads.LeaguePage = self._http.get("leagues", page=page, page_size=page_size)
        return found

    def get(self, slug: str) -> payloads.League:
        """One league."""
        league: payloads.League = self._http.get("leagues", slug)
        return league

    def seasons(self, slug: str) -> Seasons:
        """Its seasons, with the addresses of their divisions."""
        seasons: Seasons = self._http.get("leagues", slug, "seasons")
        return seasons

    def season(self, slug: str, number: int) -> payloads.Season:
        """A season: its divisions, their first, who came up and who came down."""
        season: payloads.Season = self._http.get("leagues", slug, "seasons", number)
        return season

    # For organisers

    def create(self, name: str, **settings: Unpack[payloads.LeagueSettings]) -> payloads.League:
        """Create a league; `settings` are those of each division's tournament."""
        league: payloads.League = self._http.create("leagues", body={"name": name, **settings})
        return league

    def change(self, slug: str, /, **changes: Unpack[payloads.LeagueChanges]) -> payloads.League:
        """Change a league; seasons that are open stay as they are."""
        league: payloads.League = self._http.patch("leagues", slug, body=changes, safe="slug" not in changes)
        return league

    def plan_season(self, slug: str, players: Sequence[str] = ()) -> payloads.SeasonPlan:
        """Who would play where next season; nothing is made."""
        path, body = ("leagues", slug, "seasons"), {"players": players, "preview": True}
        plan: payloads.SeasonPlan = self._http.post(*path, body=body)
        return plan

    def open_season(self, slug: str, players: Sequence[str] = ()) -> payloads.Season:
        """Open the next season, the best up and the last down; `players` are newcomers."""
        path, body = ("leagues", slug, "seasons"), {"players": players}
        season: payloads.Season = self._http.create(*path, body=body)
        return season

"""Tournaments: browsing, taking part, organising."""

from collections.abc import Sequence
from typing import Any, Unpack

from .. import payloads
from .entrants import Entrants
from .rounds import Rounds
from .transport import Transport

Dates = Sequence[payloads.DateSettings]


class Tournaments(Entrants, Rounds):
    """Tournaments. `slug` is one's address. What only officials may says so."""

    def __init__(self, transport: Transport) -> None:
        self._http = transport

    # For everyone

    def list(
        self,
        *,
        state: payloads.TournamentState | None = None,
        page: int | None = None,
        page_size: int | None = None,
    ) -> payloads.TournamentPage:
        """Public tournaments, and those that you organise or entered; the newest first."""
        found: payloads.TournamentPage = self._http.get(
            "tournaments", state=state, page=page, page_size=page_size
        )
        return found

    def get(self, slug: str) -> payloads.Tournament:
        """One tournament; `you["match"]` is your running match there."""
        tournament: payloads.Tournament = self._http.get("tournaments", slug)
        return tournament

    def dates(self, slug: str) -> payloads.Dates:
        """When rounds begin, and by when they must be over."""
        dates: payloads.Dates = self._http.get("tournaments", slug, "dates")
        return dates

    def standings(
        self,
        slug: str,
        *,
        stage: int | None = None,
        group: int | None = None,
        live: bool = False,
        page: int | None = None,
        page_size: int | None = None,
    ) -> payloads.Standings:
        """The standings after the closed rounds, or with the finished tables of the open one too.

        Of the newest stage that has begun, unless you name one; of all its groups, or one.
        """
        wanted = {"stage": stage, "group": group, "live": live or None, "page": page, "page_size": page_size}
        standings: payloads.Standings = self._http.get("tournaments", slug, "standings", **wanted)
        return standings

    def standings_csv(
        self, slug: str, *, stage: int | None = None, group: int | None = None, live: bool = False
    ) -> str:
        """The same as CSV, all of them."""
        wanted = {"stage": stage, "group": group, "live": live or None}
        return self._http.text("tournaments", slug, "standings", format="csv", **wanted)

    def compare(
        self,
        slug: str,
        first: str,
        second: str,
        *,
        stage: int | None = None,
        group: int | None = None,
        live: bool = False,
    ) -> payloads.Comparison:
        """Why one of two players stands above the other, and what each had at which table."""
        wanted = {"first": first, "second": second, "stage": stage, "group": group, "live": live or None}
        comparison: payloads.Comparison = self._http.get(
            "tournaments", slug, "standings", "compare", **wanted
        )
        return comparison

    def ranking(self, slug: str, page: int = 1, page_size: int = 200) -> payloads.RankingPage:
        """Everyone over all stages: those of the last one first, then who went out before it."""
        ranking: payloads.RankingPage = self._http.get(
            "tournaments", slug, "ranking", page=page, page_size=page_size
        )
        return ranking

    def performance(self, slug: str, page: int = 1, page_size: int = 200) -> payloads.PerformancePage:
        """The rating that each player played like, in order of the ranking."""
        performance: payloads.PerformancePage = self._http.get(
            "tournaments", slug, "performance", page=page, page_size=page_size
        )
        return performance

    # For organisers

    def create(
        self, name: str, rules: str, **settings: Unpack[payloads.TournamentSettings]
    ) -> payloads.Tournament:
        """Create a tournament, as a draft; you are its organiser."""
        tournament: payloads.Tournament = self._http.create(
            "tournaments", body={"name": name, "rules": rules, **settings}
        )
        return tournament

    def change(self, slug: str, /, **changes: Unpack[payloads.TournamentChanges]) -> payloads.Tournament:
        """Change settings, and stages that have not begun; what is left out stays."""
        tournament: payloads.Tournament = self._http.patch(
            "tournaments", slug, body=changes, safe="slug" not in changes
        )
        return tournament

    def name_officials(self, slug: str, **officials: Unpack[payloads.Officials]) -> payloads.Tournament:
        """Say who are its organisers, assistants and referees; roles that are left out stay."""
        tournament: payloads.Tournament = self._http.put("tournaments", slug, "officials", body=officials)
        return tournament

    def renew_code(self, slug: str) -> payloads.Tournament:
        """Make a new `join_code` to enter by; the old one is good for nothing."""
        tournament: payloads.Tournament = self._http.post("tournaments", slug, "code")
        return tournament

    def set_dates(self, slug: str, dates: Dates) -> payloads.Dates:
        """Say all dates of rounds anew, in times with their offset: 2027-01-30T19:00:00+02:00."""
        path, body = ("tournaments", slug, "dates"), {"dates": dates}
        stored: payloads.Dates = self._http.put(*path, body=body)
        return stored

    def open(self, slug: str) -> payloads.Tournament:
        """Open the registration."""
        return self._step(slug, "open", {}, "registration")

    def start(self, slug: str) -> payloads.Tournament:
        """Start with who has entered. Rounds can be drawn from now on."""
        return self._step(slug, "start", {}, "running")

    def start_stage(self, slug: str) -> payloads.StartedStage:
        """Begin the next stage with the best of the one before, which may be cut short.

        Not sent again by itself.
        """
        started: payloads.StartedStage = self._http.post("tournaments", slug, "stages", "start", safe=False)
        return started

    def finish(self, slug: str) -> payloads.FinishedTournament:
        """Finish, with every round closed. The answer has the final `ranking`."""
        return self._step(slug, "finish", {}, "finished")

    def cancel(self, slug: str, reason: str = "") -> payloads.Tournament:
        """Cancel: tables stop, what was played stays."""
        return self._step(slug, "cancel", {"reason": reason}, "cancelled")

    def log(self, slug: str, *, page: int | None = None, page_size: int | None = None) -> payloads.LogPage:
        """Everything that was done to the tournament, the newest first; for officials."""
        found: payloads.LogPage = self._http.get("tournaments", slug, "log", page=page, page_size=page_size)
        return found

    def export(self, slug: str) -> dict[str, Any]:
        """The whole tournament as one document, while no round is open: docs/exchange.md."""
        document: dict[str, Any] = self._http.get("tournaments", slug, "export")
        return document

    def import_document(
        self, document: dict[str, Any], slug: str, players: dict[str, str] | None = None
    ) -> payloads.Tournament:
        """Make the tournament of an exported document at the address `slug`; you are its organiser.

        `players` has names here for names in the document; all others must be the same.
        """
        tournament: payloads.Tournament = self._http.step(
            "POST",
            *("tournaments", "import"),
            body={"document": document, "slug": slug, "players": players or {}},
            done=lambda error: error.code == "slug_taken",
            then=("tournaments", slug),
        )
        return tournament

    def _step(self, slug: str, step: str, body: dict[str, str], reached: str) -> payloads.FinishedTournament:
        """The tournament after a step, with its ranking if that was its end."""
        tournament: payloads.FinishedTournament = self._http.step(
            "POST",
            *("tournaments", slug, step),
            body=body,
            done=lambda error: error.members.get("state") == reached,
            then=("tournaments", slug),
        )
        return tournament

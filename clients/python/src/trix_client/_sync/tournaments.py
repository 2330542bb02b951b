"""Tournaments: browsing, taking part, organising."""

from collections.abc import Callable
from typing import Any, Unpack

from .. import payloads
from ..errors import ApiError
from .transport import Transport

Rounds = list[payloads.RoundSummary]
Tables = list[payloads.Table]
Scores = list[int]


class Tournaments:
    """Tournaments. `slug` is one's address. Organisers' calls say so."""

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

    def entries(
        self, slug: str, *, page: int | None = None, page_size: int | None = None
    ) -> payloads.EntryPage:
        """Who takes part, by name; withdrawn entries too."""
        found: payloads.EntryPage = self._http.get(
            "tournaments", slug, "entries", page=page, page_size=page_size
        )
        return found

    def enter(self, slug: str, player: str | None = None) -> payloads.Entry:
        """Take part, or as an organiser enter another player."""
        entry: payloads.Entry = self._http.create("tournaments", slug, "entries", body={"player": player})
        return entry

    def withdraw(self, slug: str, player: str | None = None) -> payloads.Entry:
        """Withdraw from later rounds, or as an organiser withdraw another player. Results stay."""
        path, body = ("tournaments", slug, "withdraw"), {"player": player}
        entry: payloads.Entry = self._http.post(*path, body=body, safe=False)
        return entry

    def rounds(self, slug: str) -> Rounds:
        """The published rounds; organisers also see a draw."""
        rounds: Rounds = self._http.get("tournaments", slug, "rounds")
        return rounds

    def round(self, slug: str, number: int) -> payloads.Round:
        """A round with its tables and the report of its draw."""
        round_: payloads.Round = self._http.get("tournaments", slug, "rounds", number)
        return round_

    def tables(self, slug: str, round: int) -> Tables:
        tables: Tables = self._http.get("tournaments", slug, "rounds", round, "tables")
        return tables

    def table(self, slug: str, round: int, table: int) -> payloads.Table:
        found: payloads.Table = self._http.get("tournaments", slug, "rounds", round, "tables", table)
        return found

    def standings(self, slug: str, *, live: bool = False) -> payloads.Standings:
        """The standings after the closed rounds, or with the finished tables of the open one too."""
        standings: payloads.Standings = self._http.get("tournaments", slug, "standings", live=live or None)
        return standings

    def standings_csv(self, slug: str, *, live: bool = False) -> str:
        return self._http.text("tournaments", slug, "standings", format="csv", live=live or None)

    # For organisers

    def create(
        self, name: str, rules: str, **settings: Unpack[payloads.TournamentSettings]
    ) -> payloads.Tournament:
        """Create a tournament, as a draft; you are its organiser."""
        tournament: payloads.Tournament = self._http.create(
            "tournaments", body={"name": name, "rules": rules, **settings}
        )
        return tournament

    def open(self, slug: str) -> payloads.Tournament:
        """Open the registration."""
        return self._step(slug, "open", {}, "registration")

    def start(self, slug: str) -> payloads.Tournament:
        return self._step(slug, "start", {}, "running")

    def finish(self, slug: str) -> payloads.Tournament:
        """Finish, with every round closed."""
        return self._step(slug, "finish", {}, "finished")

    def cancel(self, slug: str, reason: str = "") -> payloads.Tournament:
        """Cancel: tables stop, what was played stays."""
        return self._step(slug, "cancel", {"reason": reason}, "cancelled")

    def draw(self, slug: str) -> payloads.Round:
        """Draw the next round. Nobody else sees it before it is published."""
        round_: payloads.Round = self._http.create("tournaments", slug, "rounds")
        return round_

    def drop_draw(self, slug: str, number: int) -> None:
        self._http.delete("tournaments", slug, "rounds", number)

    def publish(self, slug: str, number: int) -> payloads.Round:
        """Publish a drawn round: the matches of all its tables start, or none."""
        return self._round_step(slug, number, "publish", lambda error: error.code == "published")

    def close(self, slug: str, number: int) -> payloads.Round:
        """Close a round whose tables all have a result: it counts from now on."""
        return self._round_step(slug, number, "close", lambda error: error.code == "not_published")

    def enter_result(
        self, slug: str, round: int, table: int, scores: Scores, reason: str, replaces: int | None = None
    ) -> payloads.Table:
        """Enter or correct a result: the scores of S, E, N, W. `replaces` is the id of the one seen."""
        body = {"scores": scores, "reason": reason, "replaces": replaces}
        path = ("tournaments", slug, "rounds", round, "tables", table, "result")
        entered: payloads.Table = self._http.post(*path, body=body)
        return entered

    def log(self, slug: str, *, page: int | None = None, page_size: int | None = None) -> payloads.LogPage:
        """Everything that was done to the tournament, the newest first."""
        found: payloads.LogPage = self._http.get("tournaments", slug, "log", page=page, page_size=page_size)
        return found

    def _step(self, slug: str, step: str, body: Any, reached: str) -> payloads.Tournament:
        tournament: payloads.Tournament = self._http.step(
            "POST",
            *("tournaments", slug, step),
            body=body,
            done=lambda error: error.members.get("state") == reached,
            then=("tournaments", slug),
        )
        return tournament

    def _round_step(
        self, slug: str, number: int, step: str, done: Callable[[ApiError], bool]
    ) -> payloads.Round:
        path = ("tournaments", slug, "rounds", number)
        round_: payloads.Round = self._http.step("POST", *path, step, body={}, done=done, then=path)
        return round_

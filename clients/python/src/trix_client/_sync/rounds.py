"""Rounds of a tournament, their tables, and who sits there."""

from collections.abc import Callable
from typing import Any

from .. import payloads
from ..errors import ApiError
from .transport import Transport


class Rounds:
    """The part of `client.tournaments` that is about rounds and tables. They go by their numbers."""

    _http: Transport

    def rounds(self, slug: str) -> list[payloads.RoundSummary]:
        """The published rounds; officials also see a draw."""
        rounds: list[payloads.RoundSummary] = self._http.get("tournaments", slug, "rounds")
        return rounds

    def round(self, slug: str, number: int) -> payloads.Round:
        """A round with its tables and the reports of its draw."""
        round_: payloads.Round = self._http.get("tournaments", slug, "rounds", number)
        return round_

    def tables(self, slug: str, round: int) -> list[payloads.Table]:
        """The tables of a round."""
        tables: list[payloads.Table] = self._http.get("tournaments", slug, "rounds", round, "tables")
        return tables

    def table(self, slug: str, round: int, table: int) -> payloads.Table:
        """One table: its seats, its points so far, and the result that counts."""
        found: payloads.Table = self._http.get("tournaments", slug, "rounds", round, "tables", table)
        return found

    def record(self, slug: str, round: int, table: int) -> str:
        """The record that was imported for a table; that of a match is at `client.matches.record`."""
        return self._http.text("tournaments", slug, "rounds", round, "tables", table, "record")

    # For organisers and assistants

    def draw(self, slug: str) -> payloads.Round:
        """Draw the next round. Nobody else sees it before it is published."""
        round_: payloads.Round = self._http.create("tournaments", slug, "rounds")
        return round_

    def drop_draw(self, slug: str, number: int) -> None:
        """Drop a draw that is not published."""
        self._http.delete("tournaments", slug, "rounds", number)

    def swap(
        self,
        slug: str,
        number: int,
        first: payloads.Place,
        second: payloads.Place,
        version: int,
        *,
        preview: bool = False,
    ) -> payloads.DrawEdit:
        """Let two places of a draw change who has them; `preview` only tells what that would cost.

        A place is {"table": 1, "seat": "S"} or {"bye": "amal"}; `version` is that of the round as you saw it.
        """
        path = ("tournaments", slug, "rounds", number, "swap")
        body = {"first": first, "second": second, "version": version, "preview": preview}
        edit: payloads.DrawEdit = self._http.post(*path, body=body, safe=preview)
        return edit

    def publish(self, slug: str, number: int) -> payloads.Round:
        """Publish a drawn round: the matches of all its tables start, or none."""
        return self._round_step(slug, number, "publish", lambda error: error.code == "published")

    def close(self, slug: str, number: int) -> payloads.Round:
        """Close a round whose tables all have a result: it counts from now on."""
        return self._round_step(slug, number, "close", lambda error: error.code == "not_published")

    # For organisers and referees. `replaces` is the id of the result that you saw, None if there was none.

    def enter_result(
        self,
        slug: str,
        round: int,
        table: int,
        scores: list[int] | list[int | None],
        reason: str,
        replaces: int | None = None,
    ) -> payloads.Table:
        """Enter or correct a result: the scores of S, E, N, W, None for an empty seat."""
        body = {"scores": scores, "reason": reason, "replaces": replaces}
        return self._at_table(slug, round, table, "result", body=body)

    def annul(
        self, slug: str, round: int, table: int, reason: str, replaces: int | None = None
    ) -> payloads.Table:
        """Let a table give nobody anything."""
        body = {"reason": reason, "replaces": replaces}
        return self._at_table(slug, round, table, "annul", body=body)

    def replay(
        self, slug: str, round: int, table: int, reason: str, replaces: int | None = None
    ) -> payloads.Table:
        """Start a new match for those who sit at a table, with other cards."""
        body = {"reason": reason, "replaces": replaces}
        return self._at_table(slug, round, table, "replay", body=body)

    def import_record(
        self, slug: str, round: int, table: int, record: str, reason: str, replaces: int | None = None
    ) -> payloads.Table:
        """Enter a result as the `.trix` record of a match that was played elsewhere."""
        body = {"record": record, "reason": reason, "replaces": replaces}
        return self._at_table(slug, round, table, "record", body=body)

    def substitute(
        self, slug: str, round: int, table: int, seat: payloads.Seat, player: str | None
    ) -> payloads.Table:
        """Let another player sit there for this match, or with None the entry's own again."""
        return self._at_table(slug, round, table, "seats", seat, "substitute", body={"player": player})

    def no_show(self, slug: str, round: int, table: int, seat: payloads.Seat) -> payloads.Table:
        """Have a bot play for who has not come, until he acts."""
        return self._at_table(slug, round, table, "seats", seat, "no-show", body={})

    def _at_table(
        self, slug: str, round: int, table: int, *step: str, body: dict[str, Any]
    ) -> payloads.Table:
        """The same sent twice is one."""
        path = ("tournaments", slug, "rounds", round, "tables", table, *step)
        changed: payloads.Table = self._http.post(*path, body=body)
        return changed

    def _round_step(
        self, slug: str, number: int, step: str, done: Callable[[ApiError], bool]
    ) -> payloads.Round:
        path = ("tournaments", slug, "rounds", number)
        round_: payloads.Round = self._http.step("POST", *path, step, body={}, done=done, then=path)
        return round_

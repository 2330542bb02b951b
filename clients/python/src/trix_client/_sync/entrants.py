"""Who takes part in a tournament, and what is judged of him."""

from typing import Unpack

from .. import payloads
from .transport import Transport


class Entrants:
    """The part of `client.tournaments` that is about entries. `player` is a name."""

    _http: Transport

    def entries(
        self,
        slug: str,
        *,
        state: payloads.EntryState | None = None,
        page: int | None = None,
        page_size: int | None = None,
    ) -> payloads.EntryPage:
        """Who takes part, by name, in any `state` or in this one; who waits comes in his order."""
        found: payloads.EntryPage = self._http.get(
            "tournaments", slug, "entries", state=state, page=page, page_size=page_size
        )
        return found

    def enter(
        self,
        slug: str,
        player: str | None = None,
        *,
        partner: str | None = None,
        code: str = "",
        seed_rating: float | None = None,
    ) -> payloads.Entry:
        """Take part, or as an official enter another player. Beyond the cap the entry waits.

        `partner` makes a fixed pair, `code` is needed where entering takes one; seed ratings are officials'.
        """
        body = {"player": player, "partner": partner, "code": code, "seed_rating": seed_rating}
        entry: payloads.Entry = self._http.create("tournaments", slug, "entries", body=body)
        return entry

    def enter_csv(self, slug: str, csv: str, *, preview: bool = False) -> payloads.Imported:
        """As an official enter everyone whom a CSV text names, or nobody; `preview` tells the bad lines.

        Its first line names the columns: player, and if wanted partner and seed_rating.
        """
        path, body = ("tournaments", slug, "entries", "import"), {"csv": csv, "preview": preview}
        imported: payloads.Imported = self._http.create(*path, body=body)
        return imported

    def change_entry(
        self, slug: str, player: str, **changes: Unpack[payloads.EntryChanges]
    ) -> payloads.Entry:
        """As an official change a `seed_rating` or `partner` before the start."""
        path = ("tournaments", slug, "entries", player)
        entry: payloads.Entry = self._http.patch(*path, body=changes)
        return entry

    def admit(self, slug: str, player: str) -> payloads.Entry:
        """As an official give who waits a place, over the cap too."""
        return self._entry(slug, "entries", player, "admit", body={})

    def withdraw(self, slug: str, player: str | None = None) -> payloads.Entry:
        """Withdraw from later rounds, or as an official withdraw another player. Results stay."""
        return self._entry(slug, "withdraw", body={"player": player})

    def open_check_in(self, slug: str) -> payloads.Tournament:
        """As an official open the check-in: who does not check in is withdrawn at the start."""
        tournament: payloads.Tournament = self._http.step(
            "POST",
            *("tournaments", slug, "check-in", "open"),
            body={},
            done=lambda error: error.code == "check_in_open",
            then=("tournaments", slug),
        )
        return tournament

    def check_in(self, slug: str, player: str | None = None) -> payloads.Entry:
        """Say that you are there, or as an official that another player is."""
        return self._entry(slug, "check-in", body={"player": player})

    def disqualify(self, slug: str, player: str, reason: str) -> payloads.Entry:
        """As an official take an entry out for good: it ranks below all others."""
        return self._entry(slug, "entries", player, "disqualify", body={"reason": reason})

    def penalties(self, slug: str) -> list[payloads.Penalty]:
        """All penalties and bonuses, revoked ones too."""
        penalties: list[payloads.Penalty] = self._http.get("tournaments", slug, "penalties")
        return penalties

    def penalise(self, slug: str, player: str, points: float, reason: str) -> payloads.Penalty:
        """As an official give an entry points: whole quarters, below 0 a penalty and above it a bonus."""
        path, body = (
            ("tournaments", slug, "penalties"),
            {"player": player, "points": points, "reason": reason},
        )
        penalty: payloads.Penalty = self._http.create(*path, body=body)
        return penalty

    def revoke(self, slug: str, penalty: int, reason: str) -> payloads.Penalty:
        """As an official let the penalty or bonus with this id count no more."""
        path, body = ("tournaments", slug, "penalties", penalty, "revoke"), {"reason": reason}
        revoked: payloads.Penalty = self._http.post(*path, body=body, safe=False)
        return revoked

    def _entry(self, slug: str, *step: str, body: dict[str, str | None]) -> payloads.Entry:
        """What becomes of one entry. Not sent again by itself: a second time is refused."""
        entry: payloads.Entry = self._http.post("tournaments", slug, *step, body=body, safe=False)
        return entry

"""What a match is to ratings: what it may bring, what it brought, or why it brings nothing."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from games.engine.cards import SEAT_NAMES
from games.models import Match, Player, Seat
from ratings.fold import FEW_PEOPLE, ONE_SIDE
from ratings.forecasts import Forecast, forecasts
from ratings.ledger import kind_of
from ratings.models import LedgerMatch, Pool, RatingChange, Recalculation

BEFORE, WAITING, RATED, NOT_RATED = "before", "waiting", "rated", "not_rated"
FRIENDLY, CANCELLED, CARDS_IN_PLAY = "friendly", "cancelled", "cards_in_play"
Reason = LedgerMatch.Reason

SENTENCES = {
    FRIENDLY: "Not rated: it was opened as an unrated match.",
    CANCELLED: "Not rated: it was called off.",
    CARDS_IN_PLAY: "It is rated once all others have played the same cards, as places would tell of them.",
    **{reason.value: f"{reason.label}." for reason in Reason if reason.value},
}


@dataclass(frozen=True, slots=True)
class Explained:
    """`state`: one of BEFORE, WAITING, RATED, NOT_RATED.

    `reason`: why it is not rated, is not yet, or would not be as people sit there now; with its `sentence`.
    By seat name there are `forecasts` before it, and `changes` once it is rated.
    """

    state: str
    reason: str | None = None
    note: str = ""
    forecasts: dict[str, Forecast] = field(default_factory=dict)
    changes: dict[str, RatingChange] = field(default_factory=dict)

    @property
    def sentence(self) -> str | None:
        if self.reason == Reason.ANNULLED and self.note:
            return f"Annulled: {self.note}"
        return None if self.reason is None else SENTENCES[self.reason]


def explained(match: Match) -> Explained:
    """What a match is to ratings; one of `games.selectors.visible_match`."""
    if match.status == Match.Status.CANCELLED:
        return Explained(NOT_RATED, CANCELLED)
    if not match.rated:
        return Explained(NOT_RATED, FRIENDLY)
    if match.status in Match.UNFINISHED:
        return _before(match)
    entry = LedgerMatch.objects.filter(match=match).first()
    if entry is None:
        return Explained(WAITING, None if match.behind is None else CARDS_IN_PLAY)
    if entry.reason:
        return Explained(NOT_RATED, entry.reason, _note(entry))
    return Explained(RATED, changes=_changes(match))


def _before(match: Match) -> Explained:
    found: dict[str, Forecast] = {}
    for pool in Pool.objects.filter(kind=kind_of(match.engine_options)):
        seated = _seated(match.seats.all(), pool.programs)
        by_seat = zip(SEAT_NAMES, forecasts(pool, seated), strict=True)
        found |= {seat: forecast for seat, forecast in by_seat if forecast}
    meet = any(forecast.win is not None for forecast in found.values())
    return Explained(BEFORE, None if meet else _why_not(found), forecasts=found)


def _seated(seats: Iterable[Seat], programs: bool) -> list[Player | None]:
    """By seat its player, where it is one for this kind of pool."""
    taken = {seat.index: seat.player for seat in seats if seat.player and seat.player.is_bot == programs}
    return [taken.get(index) for index in range(4)]


def _why_not(found: dict[str, Forecast]) -> str:
    people = [forecast for forecast in found.values() if not forecast.player.is_bot]
    return FEW_PEOPLE if len(people) < 2 else ONE_SIDE


def _note(entry: LedgerMatch) -> str:
    """What whoever annulled it wrote."""
    done = entry.recalculations.filter(
        cause=Recalculation.Cause.ANNULMENT, state=Recalculation.State.DONE
    ).order_by("-done_at", "-pk")
    return (done.values_list("note", flat=True).first() or "") if entry.reason == Reason.ANNULLED else ""


def _changes(match: Match) -> dict[str, Any]:
    rows = RatingChange.objects.filter(match=match).select_related("player", "pool")
    by_player = {row.player_id: row for row in rows}
    return {
        seat.letter: by_player[seat.player_id]
        for seat in match.seats.all()
        if seat.player_id and seat.player_id in by_player
    }

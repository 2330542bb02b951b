"""What the templates of the desk show."""

from collections.abc import Sequence
from typing import Any

from games.models import Match
from ratings.models import Rating, shown
from tournaments import selectors
from tournaments.models import Round, Table, TableSeat, Tournament
from tournaments.selectors import Line
from tournaments.standings import as_number


def tables_shown(round_: Round) -> list[dict[str, Any]]:
    return [show(table) for table in selectors.tables_of(round_)]


def show(table: Table) -> dict[str, Any]:
    """A table with a line for each seat: who, the points so far or in the end, and the place."""
    counting = table.counting[0] if table.counting else None  # type: ignore[attr-defined]
    match = table.match
    scores = counting.scores if counting else (match.totals if match else None)
    best = max(scores) if scores and counting else None
    seats = [
        {
            "letter": seat.letter,
            "name": seat.name,
            "bot": not seat.player,
            "tags": tags(seat, match if not counting else None),
            "score": number(scores[seat.index]) if scores else None,
            "won": best is not None and scores is not None and scores[seat.index] == best,
        }
        for seat in table.seats.all()
    ]
    return {"table": table, "match": match, "seats": seats, "result": counting, "status": status(table)}


def tags(seat: TableSeat, playing: Match | None) -> list[str]:
    """What else an organiser wants to know of who sits there."""
    found = ["program"] if seat.player and seat.player.is_bot else []
    if playing and any(s.away_since and s.index == seat.index for s in playing.seats.all()):
        found.append("away: a bot plays")
    return found


def number(value: float) -> str:
    """With a minus sign that is as wide as a figure."""
    return str(value).replace("-", "−")


def status(table: Table) -> tuple[str, str]:
    """A word on a table, and the colour of its label."""
    if table.counting:  # type: ignore[attr-defined]
        by_hand = table.counting[0].source == "entered"  # type: ignore[attr-defined]
        return ("by hand", "warning") if by_hand else ("finished", "success")
    if table.match is None:
        return "not started", "default"
    if table.match.status == Match.Status.RUNNING:
        return f"deal {table.match.deal_number} of {table.match.engine_options.deals}", "info"
    return str(table.match.status), "default"


def standings_shown(tournament: Tournament, lines: Sequence[Line]) -> list[dict[str, Any]]:
    ratings = selectors.ratings_of(tournament, {line.entry.player_id for line in lines})
    return [
        {
            "rank": line.standing.rank,
            "rating": rating_shown(ratings.get(line.entry.player_id)),
            "entry": line.entry,
            "played": line.standing.played,
            "values": [number(as_number(value)) for value in line.standing.values],
        }
        for line in lines
    ]


def rating_shown(rating: Rating | None) -> str:
    return shown(rating.value, rating.provisional) if rating else "–"


def report_shown(round_: Round) -> list[tuple[str, object]]:
    """The draw's report in words; pairs are named."""
    seats = round_.seats.select_related("entry__player", "entry__partner")
    names = {seat.entry_id: seat.entry.name for seat in seats if seat.entry}
    found = zip(round_.inputs, round_.report, strict=True)
    return [line for inputs, report in found for line in _report(inputs, report, names)]


def _report(
    inputs: dict[str, Any], report: dict[str, Any], names: dict[int | None, str]
) -> list[tuple[str, object]]:
    again = [" – ".join(names.get(entry, "?") for entry in pair) for pair in report["repeats"]]
    shown: list[tuple[str, object]] = [
        (
            "Points apart at a table",
            f"{report['mean_spread']:g} on average, at most {report['max_spread']:g}",
        ),
        ("Meet again", ", ".join(again) or "nobody"),
        ("Tables with a bot", report["bot_tables"] or "none"),
        ("Seats", f"most used less least used seat of anyone: {report['seat_imbalance']}"),
    ]
    if inputs["partners"]:
        pairs = [" – ".join(names.get(entry, "?") for entry in pair) for pair in report["partner_repeats"]]
        shown.append(("Partners again", ", ".join(pairs) or "nobody"))
    return shown

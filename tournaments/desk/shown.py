"""What the templates of the desk show."""

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Page as PageOf
from django.core.paginator import Paginator
from django.db.models import Q

from games.models import Match
from ratings.models import Rating, shown
from tournaments import selectors
from tournaments.models import Entry, Round, Table, TableResult, TableSeat, Tournament
from tournaments.selectors import Line
from tournaments.services.edits import Edit
from tournaments.standings import as_number

MOST_NAMED = 12  # pairs in a line of a report

Shown = list[tuple[str, object]]
"""Lines of a report: what, and how much."""


def tables_page(round_: Round, wanted: int | str | None, size: int) -> tuple[PageOf, list[dict[str, Any]]]:
    """A page of a round's tables."""
    found = Paginator(selectors.tables_of(round_), size).get_page(wanted)
    return found, [show(table) for table in found]


def show(table: Table) -> dict[str, Any]:
    """A table with a line for each seat: who, the points so far or in the end, and the place."""
    counting = table.counting[0] if table.counting else None  # type: ignore[attr-defined]
    match = table.match
    scores = counting.scores if counting else (match.totals if match else None)
    best = max(score for score in scores if score is not None) if scores and counting else None
    seats = [
        {
            "letter": seat.letter,
            "place": f"{table.number}{seat.letter}",
            "name": seat.name,
            "bot": not seat.player,
            "substitute_for": seat.stands_in_for,
            "tags": tags(seat, match if not counting else None),
            "score": number(scores[seat.index]) if scores and scores[seat.index] is not None else None,
            "won": best is not None and scores is not None and scores[seat.index] == best,
        }
        for seat in table.seats.all()
    ]
    return {"table": table, "match": match, "seats": seats, "result": counting, "status": status(table)}


def tags(seat: TableSeat, playing: Match | None) -> list[str]:
    """What else an organiser wants to know of who sits there."""
    found = ["program"] if seat.player and seat.player.is_bot else []
    if seat.no_show_at:
        found.append("did not come")
    if playing and any(s.away_since and s.index == seat.index for s in playing.seats.all()):
        found.append("away: a bot plays")
    return found


def number(value: float) -> str:
    """With a minus sign that is as wide as a figure."""
    return str(value).replace("-", "−")


ENDED = {
    TableResult.Source.PLAYED: ("finished", "success"),
    TableResult.Source.ENTERED: ("by hand", "warning"),
    TableResult.Source.IMPORTED: ("from a record", "warning"),
    TableResult.Source.ANNULLED: ("annulled", "danger"),
}


def status(table: Table) -> tuple[str, str]:
    """A word on a table, and the colour of its label."""
    if table.counting:  # type: ignore[attr-defined]
        return ENDED[table.counting[0].source]  # type: ignore[attr-defined]
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


def reports_shown(round_: Round) -> list[tuple[int, Shown]]:
    """The reports of a round's draw in words, each with its group; pairs are named."""
    names = names_in(round_)
    found = zip(round_.inputs, round_.report, strict=True)
    return [(report["group"], report_lines(inputs, report, names)) for inputs, report in found]


def names_in(round_: Round) -> dict[int, str]:
    """The names of the entries that were drawn, to a seat or to sit out."""
    drawn = Entry.objects.filter(Q(seats__round=round_) | Q(byes__round=round_)).distinct()
    return {entry.pk: entry.name for entry in drawn.select_related("player", "partner")}


def report_lines(inputs: dict[str, Any], report: dict[str, Any], names: dict[int, str]) -> Shown:
    shown: Shown = [
        (
            "Points apart at a table",
            f"{report['mean_spread']:g} on average, at most {report['max_spread']:g}",
        ),
        ("Meet again", _pairs(report["repeats"], names)),
        ("Tables with a bot", report["bot_tables"] or "none"),
        ("Seats", f"even for everyone, to within {report['seat_imbalance']}"),
    ]
    if inputs["partners"]:
        shown.append(("Partners again", _pairs(report["partner_repeats"], names)))
    if byes := report.get("byes"):
        shown.append(("Byes", ", ".join(names.get(entry, "?") for entry in byes)))
    if early := report.get("second_bots"):
        shown.append(("A bot or bye again before others", ", ".join(names.get(e, "?") for e in early)))
    return shown


def _pairs(pairs: Sequence[Sequence[int]], names: dict[int, str]) -> str:
    named = [" – ".join(names.get(entry, "?") for entry in pair) for pair in pairs[:MOST_NAMED]]
    more = [f"and {len(pairs) - MOST_NAMED} more"] if len(pairs) > MOST_NAMED else []
    return ", ".join([*named, *more]) or "nobody"


def edit_shown(edit: Edit) -> list[tuple[str, object, object]]:
    """What a swap changes in the report of its group: each line before and after, the cost first."""
    names = names_in(edit.round)
    inputs = next(each for each in edit.round.inputs if each["group"] == edit.after["group"])
    before, after = (dict(report_lines(inputs, each, names)) for each in (edit.before, edit.after))
    more = edit.after["cost"] - edit.before["cost"]
    cost = f"{edit.after['cost']} ({'+' if more > 0 else ''}{number(more)})"
    lines = {**before, **after}
    changed = [(name, before.get(name, "nobody"), after.get(name, "nobody")) for name in lines]
    return [("Cost", edit.before["cost"], cost), *(line for line in changed if line[1] != line[2])]

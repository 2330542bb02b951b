"""The document in which a whole tournament goes from one installation to another: docs/exchange.md.

Its shape, and the numbers of its entries: 1, 2, … in their order, wherever rows have the ids of entries.
Order is kept both ways, so that a draw made again from its inputs is the same draw.
"""

from collections.abc import Mapping
from typing import Any

from games.engine.cards import SEAT_NAMES
from tournaments.models import (
    MOST_ENTRIES,
    MOST_ROUNDS,
    MOST_STAGES,
    MOST_WAVES,
    Entry,
    Round,
    Stage,
    TableResult,
    Tournament,
)
from tournaments.services.records import LONGEST_RECORD
from tournaments.services.results import LARGEST_SCORE
from tournaments.settings import SETTINGS, STAGE
from tournaments.shapes import (
    Shape,
    an_object,
    by_name,
    flag,
    instant,
    is_one_of,
    loose,
    many,
    maybe,
    number,
    one_of,
    record,
    text,
    whole,
)

FORMAT = "trix-tournament"
VERSION = 1
LARGEST_INT = 2**31 - 1
LARGEST_SEED = 2**63 - 1
SEATS = len(SEAT_NAMES)
MOST_LINES = 1_000_000

Json = dict[str, Any]
Ids = Mapping[int, int]
"""Of entries: from the one numbering to the other."""

ENTRY_NUMBER = whole(1, MOST_ENTRIES)
NAME = text(150, 1)
REASON = text(300)
COUNT = whole(0, LARGEST_INT)
PAIRS = many(many(ENTRY_NUMBER, 2, 2), MOST_ENTRIES * 4)
NUMBERS = many(ENTRY_NUMBER, MOST_ENTRIES)

INPUTS = loose(
    {
        "group": whole(1, 1000),
        "round": whole(1, MOST_WAVES),
        "seed": whole(-LARGEST_SEED, LARGEST_SEED),
        "entrants": many(
            loose(
                {"id": ENTRY_NUMBER}, dict.fromkeys(("points", "score", "seed", "floats"), number(-1e9, 1e9))
            ),
            MOST_ENTRIES,
        ),
        "history": many(
            record({"round": whole(1, MOST_WAVES), "seats": many(maybe(ENTRY_NUMBER), SEATS, SEATS)}),
            MOST_WAVES * 4,
        ),
        "partners": flag,
        "weights": an_object,
    },
    {"byes": many(many(whole(1, MOST_WAVES), 2, 2), LARGEST_INT), "fill": text(10), "pairs": flag},
)

REPORT = loose(
    {
        "group": whole(1, 1000),
        "cost": number(-1e18, 1e18),
        "mean_spread": number(-1e9, 1e9),
        "max_spread": number(-1e9, 1e9),
        "seat_imbalance": COUNT,
        "neighbour_repeats": COUNT,
        "bot_tables": COUNT,
        "steps": COUNT,
        "repeats": PAIRS,
        "consecutive": PAIRS,
        "partner_repeats": PAIRS,
        "at_bot_tables": NUMBERS,
    },
    {
        "byes": NUMBERS,
        "second_bots": NUMBERS,
        "table_costs": many(number(-1e18, 1e18), MOST_ENTRIES),
        "from_plan": flag,
    },
)

RESULT = record(
    {
        "scores": maybe(many(maybe(whole(-LARGEST_SCORE, LARGEST_SCORE)), SEATS, SEATS)),
        "best_deals": maybe(many(whole(-LARGEST_SCORE, LARGEST_SCORE), SEATS, SEATS)),
        "source": one_of(*TableResult.Source.values),
        "match": maybe(text(40, 1)),
        "cards": text(64),
        "record": text(LONGEST_RECORD),
        "entered_by": maybe(NAME),
        "reason": REASON,
        "at": instant,
        "superseded_at": maybe(instant),
    }
)

SEAT = record(
    {
        "entry": maybe(ENTRY_NUMBER),
        "member": whole(0, 1),
        "player": maybe(NAME),
        "bot": text(20),
        "no_show_at": maybe(instant),
    }
)

TABLE = record(
    {"group": whole(1, 1000), "seats": many(SEAT, SEATS, SEATS), "results": many(RESULT, MOST_LINES)}
)

ROUND = record(
    {
        "stage": whole(1, MOST_STAGES),
        "state": one_of(*Round.State.values),
        "overlaps": flag,
        "version": COUNT,
        "seed": whole(-LARGEST_SEED, LARGEST_SEED),
        "inputs": many(INPUTS, 1000),
        "report": many(REPORT, 1000),
        "drawn_at": instant,
        "published_at": maybe(instant),
        "closed_at": maybe(instant),
        "byes": NUMBERS,
        "tables": many(TABLE, MOST_ENTRIES),
    }
)

PENALTY = record(
    {
        "entry": ENTRY_NUMBER,
        "points": number(-999_999, 999_999),
        "reason": text(300, 1),
        "given_by": maybe(NAME),
        "at": instant,
        "revoked_by": maybe(NAME),
        "revoked_at": maybe(instant),
    }
)

ENTRANT = record({"entry": ENTRY_NUMBER, "group": whole(1, 1000), "seed": whole(1, LARGEST_INT)})

# A round robin's schedule by group, or since when the entries of an arena wait.
PLAN = by_name(
    is_one_of(
        maybe(
            record(
                {
                    "entries": NUMBERS,
                    "rounds": many(many(many(maybe(ENTRY_NUMBER), SEATS, SEATS), MOST_ENTRIES), MOST_ROUNDS),
                }
            )
        ),
        instant,
    )
)

STAGE_SHAPE = record(
    {
        **STAGE,
        "started_at": maybe(instant),
        "plan": maybe(PLAN),
        "entrants": many(ENTRANT, MOST_ENTRIES),
        "penalties": many(PENALTY, MOST_LINES),
    }
)

ENTRY = record(
    {
        "player": NAME,
        "partner": maybe(NAME),
        "state": one_of(*Entry.State.values),
        "seed_rating": maybe(number(-1e6, 1e6)),
        "entered_at": instant,
        "checked_in_at": maybe(instant),
        "withdrawn_at": maybe(instant),
    }
)

LINE = record({"at": instant, "actor": maybe(NAME), "action": text(40, 1), "data": an_object})

DATE = record({"number": whole(1, MOST_ROUNDS), "starts_at": instant, "ends_at": maybe(instant)})

FIELDS: dict[str, Shape] = {
    "name": text(100, 1),
    "slug": text(60),
    "description": text(2000),
    "state": one_of(*Tournament.State.values),
    "cap": maybe(whole(2, MOST_ENTRIES)),
    "seed": whole(0, LARGEST_SEED),
    "draws_made": COUNT,
    "created_at": instant,
    "check_in_at": maybe(instant),
    "started_at": maybe(instant),
    "ended_at": maybe(instant),
}
"""What stands in the document as it stands in the tournament's row."""

NAMES = many(NAME, 10_000)

DOCUMENT = record(
    {
        "format": text(40),
        "version": COUNT,
        "exported_at": instant,
        **FIELDS,
        "settings": record(SETTINGS),
        "officials": record(dict.fromkeys(("organisers", "assistants", "referees"), NAMES)),
        "programs": many(NAME, MOST_ENTRIES * 4),
        "entries": many(ENTRY, MOST_ENTRIES),
        "stages": many(STAGE_SHAPE, MOST_STAGES, 1),
        "dates": many(DATE, MOST_ROUNDS),
        "rounds": many(ROUND, MOST_WAVES),
        "log": many(LINE, MOST_LINES),
        "records": by_name(text(LONGEST_RECORD)),
    }
)


# Numbers of entries


def inputs_with(inputs: Json, ids: Ids) -> Json:
    """The inputs of a draw in the other numbering."""
    return inputs | {
        "entrants": [each | {"id": ids[each["id"]]} for each in inputs["entrants"]],
        "history": [each | {"seats": deep(each["seats"], ids)} for each in inputs["history"]],
        "byes": [[at, ids[entry]] for at, entry in inputs.get("byes", ())],
    }


def report_with(report: Json, ids: Ids) -> Json:
    """The report of a draw in the other numbering."""
    of_entries = ("repeats", "consecutive", "partner_repeats", "at_bot_tables", "byes", "second_bots")
    return report | {name: deep(report[name], ids) for name in of_entries if name in report}


def plan_with(plan: Json | None, format: str, ids: Ids) -> Json | None:
    """The plan of a stage in the other numbering."""
    if plan is None:
        return None
    if format == Stage.Format.ARENA:
        return {str(ids[int(entry)]): since for entry, since in plan.items()}
    return {
        group: each and {"entries": deep(each["entries"], ids), "rounds": deep(each["rounds"], ids)}
        for group, each in plan.items()
    }


def line_with(action: str, data: Json, ids: Ids) -> Json:
    """The data of a line of the log; those of a draw tell its tables."""
    if not action.endswith("round_drawn") or "tables" not in data:
        return data
    return data | {"tables": deep(data["tables"], ids)}


def deep(value: Any, ids: Ids) -> Any:
    """Entries in lists of lists; what is none stays as it is."""
    if isinstance(value, list | tuple):
        return [deep(each, ids) for each in value]
    return ids.get(value, value) if isinstance(value, int) else value

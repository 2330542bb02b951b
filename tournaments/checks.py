"""Whether the parts of an exported tournament fit together. Its shape has been checked before.

Each check yields the path of what does not fit, and what would.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from games.bots import LEVELS
from games.engine.match import match_result
from games.engine.notation import RecordError
from games.engine.reading import read_text
from tournaments.exchange import FORMAT, VERSION, Json
from tournaments.models import Entry, Round, Stage, TableResult, Tournament
from tournaments.seating import DrawError, DrawInput, Entrant, evaluate
from tournaments.shapes import Wrong
from trix_site.common.errors import ProblemError
from trix_site.common.lines import check_line

State = Tournament.State
Source = TableResult.Source


def version(document: object) -> Iterator[Wrong]:
    """Whether it is an export at all, of a version that is known."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        yield "format", f"must be {FORMAT}"
    elif document.get("version") != VERSION:
        yield "version", f"must be {VERSION}, which is all that is known here"


def together(document: Json) -> Iterator[Wrong]:
    """All checks of how the parts fit, of a document of the right shape."""
    for check in (_life, _entries, _stages, _rounds, _tables, _records):
        yield from check(document)


def _life(document: Json) -> Iterator[Wrong]:
    state = document["state"]
    if (document["ended_at"] is not None) != (state in Tournament.OVER):
        yield "ended_at", "must be there if it is over, and else be null"
    if (state in Tournament.BEFORE_START) != (document["started_at"] is None) and state != State.CANCELLED:
        yield "started_at", "must be there if it has started, and else be null"
    begun = [stage["started_at"] is not None for stage in document["stages"]]
    if begun != sorted(begun, reverse=True):
        yield "stages", "must begin one after the other"
    if begun[0] != (document["started_at"] is not None):
        yield "stages[0].started_at", "must be there if the tournament has started, and else be null"


def _entries(document: Json) -> Iterator[Wrong]:
    here: Counter[str] = Counter()
    for number, entry in enumerate(document["entries"]):
        if (entry["withdrawn_at"] is not None) != (entry["state"] in Entry.LEFT):
            yield f"entries[{number}].withdrawn_at", "must be there for who has left, and else be null"
        if entry["state"] not in Entry.LEFT:
            here.update({entry["player"], entry["partner"] or entry["player"]})
    if twice := [name for name, count in here.items() if count > 1]:
        yield "entries", f"must name everyone once; {twice[0]} is there twice"


def _stages(document: Json) -> Iterator[Wrong]:
    for number, stage in enumerate(document["stages"]):
        path = f"stages[{number}]"
        if stage["started_at"] is None and (stage["entrants"] or stage["plan"] or stage["penalties"]):
            yield path, "must be empty before it begins"
        yield from _entrants(document, stage, path)
        yield from _penalties(stage, path)
        if stage["plan"]:
            yield from _plan(document, stage, f"{path}.plan")


def _entrants(document: Json, stage: Json, path: str) -> Iterator[Wrong]:
    count, pairs = len(document["entries"]), document["settings"]["pairs"]
    for place, entrant in enumerate(stage["entrants"]):
        at = f"{path}.entrants[{place}]"
        if entrant["entry"] > count:
            yield f"{at}.entry", f"must be one of {count} entries"
        elif (document["entries"][entrant["entry"] - 1]["partner"] is not None) != pairs:
            yield f"{at}.entry", "must be a pair in a tournament of pairs, and a single player in others"
        if entrant["group"] > stage["groups"]:
            yield f"{at}.group", f"must be one of {stage['groups']} groups"
    for field in ("entry", "seed"):
        values = [entrant[field] for entrant in stage["entrants"]]
        if len(set(values)) != len(values):
            yield f"{path}.entrants", f"must have each {field} once"


def _penalties(stage: Json, path: str) -> Iterator[Wrong]:
    inside = {entrant["entry"] for entrant in stage["entrants"]}
    for place, penalty in enumerate(stage["penalties"]):
        at = f"{path}.penalties[{place}]"
        points = Decimal(str(penalty["points"]))
        if not points or points != round(points, 2):
            yield f"{at}.points", "must be a number other than 0, with at most two decimals"
        if penalty["entry"] not in inside:
            yield f"{at}.entry", "must be in the stage"
        if penalty["revoked_by"] is not None and penalty["revoked_at"] is None:
            yield f"{at}.revoked_at", "must be there for what was revoked"
        yield from _line(f"{at}.reason", penalty["reason"])


def _plan(document: Json, stage: Json, path: str) -> Iterator[Wrong]:
    """The tables of a round robin seat everyone of its plan once a round; an arena's entries are there."""
    arena = stage["format"] == Stage.Format.ARENA
    inside = {entrant["entry"] for entrant in stage["entrants"]}
    for name, each in stage["plan"].items():
        if arena != isinstance(each, str) or not name.isascii() or not name.isdigit() or len(name) > 5:
            yield f"{path}.{name[:40]}", "must be the plan of a group, or of an arena's entry a time"
        elif arena and int(name) not in inside:
            yield f"{path}.{name}", "must be an entry of the stage"
        elif not arena and (name.startswith("0") or int(name) > stage["groups"]):
            yield f"{path}.{name}", f"must be of one of {stage['groups']} groups"
        elif each and not arena:
            yield from _schedule(document, each, inside, f"{path}.{name}")


def _schedule(document: Json, plan: Json, inside: set[int], path: str) -> Iterator[Wrong]:
    if not set(plan["entries"]) <= inside:
        yield f"{path}.entries", "must be entries of the stage"
        return
    entrants = tuple(Entrant(entry) for entry in plan["entries"])
    for number, tables in enumerate(plan["rounds"]):
        try:
            evaluate(DrawInput(1, entrants, pairs=document["settings"]["pairs"]), tables)
        except DrawError as error:
            yield f"{path}.rounds[{number}]", f"must seat everyone once: {error}"


def _rounds(document: Json) -> Iterator[Wrong]:
    cancelled, before = document["state"] == State.CANCELLED, 1
    if document["state"] == State.FINISHED and not document["rounds"]:
        yield "rounds", "must be there: it is finished"
    for place, round_ in enumerate(document["rounds"]):
        path = f"rounds[{place}]"
        if round_["state"] != Round.State.CLOSED and not cancelled:
            yield f"{path}.state", "must be closed"
        number = round_["stage"]
        if number < before or number > len(document["stages"]):
            yield f"{path}.stage", "must be one of the stages, none before that of the round before"
            return
        before = number
        stage = document["stages"][number - 1]
        if stage["started_at"] is None:
            yield f"{path}.stage", "must have begun"
        if round_["overlaps"] and stage["format"] != Stage.Format.ARENA:
            yield f"{path}.overlaps", "must be false but in an arena"
        yield from _times(round_, path)
        yield from _draw(round_, stage, path)


def _times(round_: Json, path: str) -> Iterator[Wrong]:
    state = round_["state"]
    if (round_["published_at"] is None) != (state == Round.State.DRAWN):
        yield f"{path}.published_at", "must be there for a round that was published, and else be null"
    if (round_["closed_at"] is None) != (state != Round.State.CLOSED):
        yield f"{path}.closed_at", "must be there for a round that is closed, and else be null"


def _draw(round_: Json, stage: Json, path: str) -> Iterator[Wrong]:
    """Inputs and report are of the same groups; who is named in them is of the round, or was before."""
    groups = [each["group"] for each in round_["inputs"]]
    if groups != [each["group"] for each in round_["report"]] or len(set(groups)) != len(groups):
        yield f"{path}.report", "must have the groups of the inputs, each once"
    seated = {seat["entry"] for table in round_["tables"] for seat in table["seats"]} | set(round_["byes"])
    for place, report in enumerate(round_["report"]):
        told = {
            entry
            for name in ("repeats", "consecutive", "partner_repeats")
            for pair in report[name]
            for entry in pair
        }
        told |= {entry for name in ("at_bot_tables", "byes", "second_bots") for entry in report.get(name, ())}
        if not told <= seated:
            yield f"{path}.report[{place}]", "must name entries of the round alone"
    inside = {entrant["entry"] for entrant in stage["entrants"]}
    for place, inputs in enumerate(round_["inputs"]):
        named = {entrant["id"] for entrant in inputs["entrants"]} | {bye[1] for bye in inputs.get("byes", ())}
        named |= {entry for past in inputs["history"] for entry in past["seats"] if entry is not None}
        if not named <= inside:
            yield f"{path}.inputs[{place}]", "must name entries of the stage alone"
        yield from _readable(inputs, f"{path}.inputs[{place}]")


def _readable(inputs: Json, path: str) -> Iterator[Wrong]:
    try:
        DrawInput.from_dict(inputs)
    except (TypeError, ValueError, KeyError) as error:
        yield path, f"must be inputs of a draw: {error}"


def _tables(document: Json) -> Iterator[Wrong]:
    pairs, there = document["settings"]["pairs"], range(1, len(document["entries"]) + 1)
    for place, round_ in enumerate(document["rounds"]):
        if round_["stage"] > len(document["stages"]):
            return  # as `_rounds` has told
        stage = document["stages"][round_["stage"] - 1]
        inside = {entrant["entry"] for entrant in stage["entrants"]}.intersection(there)
        taken = Counter(round_["byes"])
        for number, table in enumerate(round_["tables"]):
            path = f"rounds[{place}].tables[{number}]"
            if table["group"] > stage["groups"]:
                yield f"{path}.group", f"must be one of {stage['groups']} groups"
            yield from _seats(document, table, inside, path)
            yield from _results(document, round_, table, path)
            taken.update({seat["entry"] for seat in table["seats"] if seat["entry"] is not None})
            if pairs and [s["entry"] for s in table["seats"][:2]] != [s["entry"] for s in table["seats"][2:]]:
                yield f"{path}.seats", "must seat the two of a pair opposite each other"
        if not set(taken) <= inside or any(count > 1 for count in taken.values()):
            yield f"rounds[{place}]", "must seat entries of its stage, each once"


def _seats(document: Json, table: Json, inside: set[int], path: str) -> Iterator[Wrong]:
    for index, seat in enumerate(table["seats"]):
        at, entry = f"{path}.seats[{index}]", seat["entry"]
        if entry is None and (seat["player"] is not None or seat["member"]):
            yield at, "must have nobody where there is no entry"
        if entry is not None and (seat["player"] is None or seat["bot"]):
            yield at, "must have a player, and no bot, where there is an entry"
        if seat["bot"] and seat["bot"] not in LEVELS:
            yield f"{at}.bot", f"must be one of {', '.join(LEVELS)}"
        if entry is not None and entry not in inside:
            yield f"{at}.entry", "must be in the round's stage"
        elif entry is not None and seat["member"] and document["entries"][entry - 1]["partner"] is None:
            yield f"{at}.member", "must be 0 for an entry without a partner"
    seated = [(seat["entry"], seat["member"]) for seat in table["seats"] if seat["entry"] is not None]
    if not seated or len(set(seated)) != len(seated):
        yield f"{path}.seats", "must have someone, and everyone once"


def _results(document: Json, round_: Json, table: Json, path: str) -> Iterator[Wrong]:
    counting = sum(result["superseded_at"] is None for result in table["results"])
    wanted = round_["state"] == Round.State.CLOSED and document["state"] != State.CANCELLED
    if counting > 1 or (wanted and not counting):
        yield f"{path}.results", "must have one that is not superseded"
    if table["results"] and round_["state"] == Round.State.DRAWN:
        yield f"{path}.results", "must be empty before the round is published"
    empty = [seat["entry"] is None and not seat["bot"] for seat in table["seats"]]
    for place, result in enumerate(table["results"]):
        yield from _result(result, empty, f"{path}.results[{place}]")


def _result(result: Json, empty: list[bool], path: str) -> Iterator[Wrong]:
    scores, annulled = result["scores"], result["source"] == Source.ANNULLED
    if (scores is None) != annulled:
        yield f"{path}.scores", "must be null for an annulled table, and for no other"
    if scores is not None and [score is None for score in scores] != empty:
        yield f"{path}.scores", "must be a number for who sits there, and null for an empty seat"
    if result["source"] == Source.PLAYED and result["entered_by"] is not None:
        yield f"{path}.entered_by", "must be null for what was played"
    if result["source"] != Source.PLAYED and not result["reason"]:
        yield f"{path}.reason", "must be there for what was not played here"
    if result["reason"]:
        yield from _line(f"{path}.reason", result["reason"])


def _line(path: str, text: str) -> Iterator[Wrong]:
    try:
        check_line("reason", text)
    except ProblemError:
        yield path, "must be one line with a letter, digit or symbol, and without control characters"


def _records(document: Json) -> Iterator[Wrong]:
    """Each record is read by the engine; the scores of a whole match are those of its one result."""
    known = set()
    for path, result in _all_results(document):
        if result["match"] and result["match"] in known:
            yield f"{path}.match", "must be the match of this result alone"
            return  # Or one long record could be asked for again and again.
        known.add(result["match"])
        text = result["record"] or document["records"].get(result["match"] or "", "")
        if text and result["source"] in (Source.PLAYED, Source.IMPORTED):
            yield from _record(text, result["scores"], f"{path}.record")
    if strange := sorted(set(document["records"]) - known):
        yield f"records.{strange[0][:40]}", "must be of a result's match"


def _record(text: str, scores: Any, path: str) -> Iterator[Wrong]:
    found = list(read_text(text))
    if len(found) != 1 or isinstance(found[0], RecordError):
        said = found[0].message if found and isinstance(found[0], RecordError) else "it is not one match"
        yield path, f"must be the record of one match: {said}"
        return
    outcome = match_result(found[0].record.options, found[0].results)
    if outcome.winners and list(outcome.totals) != scores:
        yield path, f"must end with the scores of the result, not {list(outcome.totals)}"


def _all_results(document: Json) -> Iterator[tuple[str, Json]]:
    for place, round_ in enumerate(document["rounds"]):
        for number, table in enumerate(round_["tables"]):
            for each, result in enumerate(table["results"]):
                yield f"rounds[{place}].tables[{number}].results[{each}]", result


def people(document: Json) -> tuple[list[str], list[str]]:
    """Who took part, and who else is named, each once."""
    parts: dict[str, None] = {}
    others: dict[str, None] = {}
    for entry in document["entries"]:
        parts |= dict.fromkeys(_names(entry["player"], entry["partner"]))
    for round_ in document["rounds"]:
        for table in round_["tables"]:
            parts |= dict.fromkeys(_names(*(seat["player"] for seat in table["seats"])))
            others |= dict.fromkeys(_names(*(result["entered_by"] for result in table["results"])))
    for stage in document["stages"]:
        for each in stage["penalties"]:
            others |= dict.fromkeys(_names(each["given_by"], each["revoked_by"]))
    others |= dict.fromkeys(_names(*(line["actor"] for line in document["log"])))
    return list(parts), [name for name in others if name not in parts]


def _names(*names: str | None) -> Iterable[str]:
    return [name for name in names if name is not None]

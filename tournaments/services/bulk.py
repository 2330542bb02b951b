"""Many entries from a CSV file: every bad line is named, and all are entered or none.

The first line names the columns, in any order: `player`, and if wanted `partner` and `seed_rating`.
Columns are divided by commas or semicolons, texts may be quoted, empty lines are passed over.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from games.models import Player
from games.selectors import players_called
from tournaments.models import MOST_ENTRIES, Entry, Tournament
from tournaments.organisers import Right, check_may
from tournaments.services.audit import audit
from tournaments.services.entries import (
    HIGHEST_RATING,
    Held,
    Wanted,
    entered,
    free_places,
    held_by,
    place,
    why_not,
)
from tournaments.services.locks import lock_as, require_state
from trix_site.common.errors import BadRequest, Missing, ProblemError

PEOPLE = ("player", "partner")
COLUMNS = (*PEOPLE, "seed_rating")
BOM = "\ufeff"
MOST_LINES = MOST_ENTRIES
SHOWN_TEXT = 200  # characters of a bad line
NUMBER = re.compile(r"\d{1,5}([.,٫]\d{1,6})?")


@dataclass(frozen=True)
class BadLine:
    """What is wrong with a line (its number in the file), and what would be right."""

    line: int
    text: str
    code: str
    detail: str


@dataclass(frozen=True)
class Row:
    """A line as it was read: the texts by column."""

    line: int
    text: str
    cells: Mapping[str, str]


@dataclass(frozen=True)
class Read:
    """What a file would do: the entries that it asks for, or what is wrong. `waiting`: beyond the cap."""

    wanted: Sequence[Wanted]
    bad: Sequence[BadLine]
    waiting: int = 0


def preview(tournament: Tournament, actor: Player | None, text: str) -> Read:
    """What `enter_csv` would do now. Raises Forbidden; Conflict `wrong_state`."""
    check_may(actor, tournament, Right.RUN)
    require_state(tournament, *Tournament.NOT_OVER)
    return read(tournament, text, held_by(tournament))


def enter_csv(*, slug: str, actor: Player | None, text: str) -> list[Entry]:
    """Enter everyone whom a CSV file names, or nobody. A constant number of queries.

    Raises BadRequest `bad_lines`, with every bad line in `lines`; Forbidden, Missing; Conflict
    `wrong_state`, `too_late_to_enter`.
    """
    with transaction.atomic():
        tournament = lock_as(Right.RUN, slug, actor)
        require_state(tournament, *Tournament.NOT_OVER)
        held = held_by(tournament)
        found = read(tournament, text, held)
        if found.bad:
            first = found.bad[0]
            detail = f"{len(found.bad)} bad lines, nobody was entered; line {first.line}: {first.detail}"
            raise BadRequest("bad_lines", detail, lines=[vars(bad) for bad in found.bad])
        made = place(tournament, found.wanted, held)
        audit(tournament, actor, "entered", **entered(made))
        return made


def read(tournament: Tournament, text: str, held: Held) -> Read:
    """The entries that a file asks for, and every line that is wrong, each for one reason."""
    rows: list[Row] = []
    wanted: list[Wanted] = []
    bad: list[BadLine] = []
    try:
        rows = list(_rows(text))
    except BadFile as error:
        bad.append(error.line)
    names = {row.cells[column] for row in rows for column in PEOPLE if row.cells[column]}
    accounts = players_called(names)
    lines: dict[int, int] = {}
    for row in rows:
        try:
            wanted.append(_wanted(tournament, row, accounts, held, lines))
        except ProblemError as refused:
            bad.append(BadLine(row.line, row.text, refused.code, refused.detail))
    return Read(wanted, bad, int(max(0, len(wanted) - free_places(tournament))))


def _wanted(
    tournament: Tournament, row: Row, accounts: Mapping[str, Player], held: Held, lines: dict[int, int]
) -> Wanted:
    """What a line asks for; `lines`: where people were named so far, to which its own are added."""
    if not row.cells["player"]:
        raise BadRequest("player_missing", "Name a player in the column player.")
    named = [row.cells[column] for column in PEOPLE if row.cells[column]]
    if unknown := [name for name in named if name not in accounts]:
        detail = f"There is no player named {', '.join(unknown)}; an account of that name must be there."
        raise Missing("no_such_player", detail)
    wanted = Wanted(
        accounts[row.cells["player"]], accounts.get(row.cells["partner"]), _number(row.cells["seed_rating"])
    )
    if refused := why_not(tournament, wanted, held):
        raise refused
    for person in wanted.people:
        if lines.setdefault(person.pk, row.line) != row.line:
            detail = f"{person.username} is in line {lines[person.pk]} already; leave one of the two."
            raise BadRequest("twice_in_file", detail)
    return wanted


def _number(text: str) -> float | None:
    """A seed rating in the digits of any script. Raises BadRequest `bad_seed_rating`."""
    if not text:
        return None
    if not NUMBER.fullmatch(text):
        detail = f"A seed rating is a number from 0 to {HIGHEST_RATING}, such as 1650.5, not {text:.40}."
        raise BadRequest("bad_seed_rating", detail)
    return float(text.replace(",", ".").replace("٫", "."))


class BadFile(Exception):
    """The file cannot be read beyond this line."""

    def __init__(self, line: int, text: str, code: str, detail: str) -> None:
        super().__init__(detail)
        self.line = BadLine(line, text[:SHOWN_TEXT], code, detail)


def _rows(text: str) -> Iterator[Row]:
    """The lines under the columns, without empty ones. Raises BadFile."""
    delimiter = ";" if ";" in text.lstrip().split("\n", 1)[0] else ","
    lines = _lines(text.removeprefix(BOM), delimiter)
    columns = _columns(*next(lines, (1, [])), delimiter)
    number = 0
    for number, (line, cells) in enumerate(lines, 1):
        shown = delimiter.join(cells)
        if number > MOST_LINES:
            raise BadFile(line, shown, "too_many_lines", f"At most {MOST_LINES} lines; divide the file.")
        if len(cells) > len(columns):
            detail = (
                f"{len(cells)} values under {len(columns)} columns; put a name with {delimiter} in quotes."
            )
            raise BadFile(line, shown, "too_many_values", detail)
        values = dict(zip(columns, cells, strict=False))
        yield Row(line, shown[:SHOWN_TEXT], {column: values.get(column, "") for column in COLUMNS})
    if not number:
        raise BadFile(1, "", "no_names", "Name at least one player under the line of columns.")


def _lines(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The number in the file of each line that is not empty, and its values. Raises BadFile."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            values = [cell.strip() for cell in cells]
            if any(values):
                yield line, values
            line = reader.line_num + 1
    except csv.Error as error:
        detail = f"This is no CSV ({error}); quotes stand around a whole value, and doubled within one."
        raise BadFile(line, "", "bad_csv", detail) from error


def _columns(line: int, cells: list[str], delimiter: str) -> list[str]:
    columns = [cell.lower().replace(" ", "_") for cell in cells]
    text, known = delimiter.join(cells), ", ".join(COLUMNS)
    for column in columns:
        if column not in COLUMNS:
            detail = f"There is no column {column!r:.60}; the first line names some of {known}."
            raise BadFile(line, text, "unknown_column", detail)
    if len(set(columns)) < len(columns) or "player" not in columns:
        detail = f"The first line names the column player, and perhaps others of {known}, each once."
        raise BadFile(line, text, "bad_columns", detail)
    return columns

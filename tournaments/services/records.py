"""A `.trix` record as the result of a table: read, replayed by the engine, and checked against the table."""

from typing import NamedTuple

from games.engine.cards import SEAT_TITLES
from games.engine.match import match_result
from games.engine.notation import RecordError, write_record
from games.engine.reading import Replay, read_text
from games.selectors import players_called
from tournaments.models import Table, Tournament
from trix_site.common.errors import BadRequest

LONGEST_RECORD = 100_000  # characters; a match takes about 8,000


class Recorded(NamedTuple):
    """What a record says of its match, by seat, and its canonical text."""

    scores: list[int]
    best_deals: list[int]
    text: str


def read_finished(text: str) -> tuple[Replay, Recorded]:
    """The one match of a record, which must be over.

    Raises BadRequest with the code of the first error and where it is (`line`, `deal`, `play`), or
    `record_too_long`, `one_match_wanted`, `unfinished_match`.
    """
    if len(text) > LONGEST_RECORD:
        raise BadRequest("record_too_long", f"A record has at most {LONGEST_RECORD} characters.")
    replay = _only_match(text)
    outcome = match_result(replay.record.options, replay.results)
    if not outcome.winners:
        detail = f"The match is not over: {len(replay.results)} deals of it are."
        raise BadRequest("unfinished_match", detail, deals=len(replay.results))
    deals = [deal.scores for deal in replay.results]
    best = [max(deal[seat] for deal in deals) for seat in range(4)]
    return replay, Recorded(list(outcome.totals), best, write_record(replay.record))


def check_record(replay: Replay, tournament: Tournament, table: Table) -> None:
    """Raise BadRequest `other_rules`, `other_players` unless the record is of a match of this table."""
    record = replay.record
    if record.rules != tournament.rules or record.options != tournament.engine_options:
        detail = f"The record's rules or options are not those of {tournament.name}: {tournament.rules}"
        options = "".join(f", {name}={value}" for name, value in tournament.options.items())
        raise BadRequest("other_rules", f"{detail}{options}.", line=replay.lines["Rules"])
    for seat in table.seats.select_related("player"):
        title = SEAT_TITLES[seat.index]
        written = record.tags.get(title, "")
        same = written.lower() == seat.name.lower()
        if seat.player:
            same = players_called([written]).get(written) == seat.player
        if not same:
            named = f"[{title}] is {written!r}" if written else f"There is no tag {title}"
            detail = f"{named}; at table {table.number} {seat.name} sits there."
            raise BadRequest("other_players", detail, line=replay.lines.get(title), seat=seat.letter)


def _only_match(text: str) -> Replay:
    found = iter(read_text(text))
    first = next(found)
    if isinstance(first, RecordError):
        raise _refused(first)
    if (second := next(found, None)) is not None:
        line = second.line if isinstance(second, RecordError) else second.lines["Rules"]
        raise BadRequest("one_match_wanted", "This is the record of more than one match.", line=line)
    return first


def _refused(error: RecordError) -> BadRequest:
    place = {"line": error.line, "deal": error.deal, "play": error.play}
    at = f"Line {error.line}: " if error.line else ""
    return BadRequest(error.code, at + error.message, **place)

"""Standings for pages: computed once for each version of their facts, then read from the database.

Every change of a tournament writes a line to its log in the same transaction, so the newest line that
standings can follow from names the version of their facts. All processes share what one has computed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.models import Player
from games.selectors import player_called
from tournaments.facts import adjustments_of, byes_of, results_of
from tournaments.models import AuditLog, Entry, Ranking, Round, Stage, Tournament
from tournaments.selectors import Line, entries_by_name, entry_of, stage_standings
from tournaments.standings import Explanation, Standing, compare, over_stages, standings
from trix_site.common.errors import BadRequest, Missing

BIG = 1000  # entries
STALE = timedelta(seconds=5)
"""How old live standings of so many may be: results may arrive faster than they can be computed."""
TRIES = 3

Row = list[Any]
"""A line as `Ranking` stores it: rank, entry id, tables played, values."""


@dataclass(frozen=True)
class Ranked:
    """Standings as they are asked for. `stage`: None before the start. `group`: None for all together."""

    tournament: Tournament
    stage: Stage | None
    group: int | None
    live: bool
    rows: list[Row]


def ranked(
    tournament: Tournament, *, live: bool = False, stage: int | None = None, group: int | None = None
) -> Ranked:
    """The standings of a stage (its number; None: the newest that has begun), or of one of its groups.

    Whether the caller may see live ones is for `selectors.may_see_live` to say.
    Raises Missing `no_such_stage`, `no_such_group`.
    """
    found = find_stage(tournament, stage, group)
    rows = ranking(found, group, live) if found else _before_the_start(tournament)
    return Ranked(tournament, found, group, live, rows)


def ranked_over_stages(tournament: Tournament) -> list[tuple[int, int]]:
    """(rank, entry id) over all stages that have begun, as `selectors.final_ranking`, from kept lines."""
    out = tournament.entries.filter(state=Entry.State.DISQUALIFIED).values_list("pk", flat=True)
    stages = tournament.stages.filter(started_at__isnull=False).select_related("tournament")
    lines = ([(row[0], row[1]) for row in ranking(stage)] for stage in stages.order_by("-number"))
    return over_stages(lines, set(out))


def placed_entries(ranks: Sequence[tuple[int, int]]) -> list[tuple[int, Entry]]:
    """Ranks with their entries as these are now: one query."""
    entries = Entry.objects.select_related("player", "partner").in_bulk([entry for _, entry in ranks])
    return [(rank, entries[entry]) for rank, entry in ranks]


def find_stage(tournament: Tournament, number: int | None, group: int | None) -> Stage | None:
    """A stage that has begun, by default the newest; None if none has. Raises Missing."""
    begun = tournament.stages.filter(started_at__isnull=False)
    stage = begun.last() if number is None else begun.filter(number=number).first()
    if stage is None and number is not None:
        raise Missing("no_such_stage", f"No stage {number} of {tournament.name} has begun.")
    if group is not None and not 1 <= group <= (stage.groups if stage else 0):
        raise Missing(
            "no_such_group", f"There is no group {group}; {stage.groups if stage else 0} are there."
        )
    if stage is not None:
        stage.tournament = tournament  # As it was found; no other query.
    return stage


def ranking(stage: Stage, group: int | None = None, live: bool = False) -> list[Row]:
    """The lines of a stage's standings, from the newest computation if nothing has changed since.

    Of several who find it out of date one computes; the others wait for him, or for live standings take what
    there is.
    """
    kept = _kept(stage, group, live)
    if kept and _serves(kept, stage):
        return list(kept.lines)
    with transaction.atomic():
        if not _only_one(f"standings {stage.pk} {group} {live}", wait=not (live and kept)):
            assert kept is not None
            return list(kept.lines)
        kept = _kept(stage, group, live)
        return list(kept.lines) if kept and _serves(kept, stage) else _computed(stage, group, live)


def version_of(stage: Stage, live: bool) -> int:
    """The newest line of the log that the standings can follow from.

    Results of a round that is not closed change live standings alone.
    """
    log = AuditLog.objects.filter(tournament=stage.tournament_id)
    if not live:
        open_rounds = Round.objects.filter(tournament=stage.tournament_id).exclude(state=Round.State.CLOSED)
        numbers = list(open_rounds.values_list("number", flat=True))
        log = log.exclude(action__startswith="result_", data__round__in=numbers)
    return log.order_by("-id").values_list("id", flat=True).first() or 0


def lines_of(rows: Sequence[Row]) -> list[Line]:
    """Stored lines with their entries and accounts as these are now: one query."""
    entries = Entry.objects.select_related("player", "partner").in_bulk([row[1] for row in rows])
    return [Line(standing(row), entries[row[1]]) for row in rows]


def standing(row: Row) -> Standing:
    place, entry, played, *values = row
    return Standing(place, entry, tuple(Fraction(value) for value in values), played)


@dataclass(frozen=True)
class Compared:
    """Two lines, why one is above the other, and the names of all entries that it speaks of."""

    above: Line
    below: Line
    why: Explanation
    names: Mapping[int, str]


def compared(of: Ranked, first: str, second: str) -> Compared:
    """Why one of two players' entries stands above the other's in these standings.

    Raises Missing `no_such_player`, `not_ranked` for who is not in them; BadRequest `same_entry`.
    """
    entries = [_entry_of(of.tournament, player_called(name)) for name in (first, second)]
    if entries[0] == entries[1]:
        raise BadRequest("same_entry", f"{entries[0].name} is one entry; name two.")
    why = _explained(of, entries)
    lines = {entry.pk: Line(_line_of(of, entry), entry) for entry in entries}
    met = {entry for tables in why.tables.values() for table in tables for entry in table.opponents}
    known = Entry.objects.select_related("player", "partner").in_bulk([*filter(None, met), *lines])
    names = {pk: entry.name for pk, entry in known.items()}
    return Compared(lines[why.above], lines[why.below], why, names)


def _entry_of(tournament: Tournament, player: Player) -> Entry:
    """Raises Missing `not_ranked`."""
    found = entry_of(tournament, player)
    if found is None:
        raise Missing("not_ranked", f"{player.username} has not entered {tournament.name}.")
    return found


def _explained(of: Ranked, entries: Sequence[Entry]) -> Explanation:
    one, two = (_line_of(of, entry) for entry in entries)
    if of.stage is None:
        return compare(one, two, [], of.tournament.metrics)
    return compare(
        one,
        two,
        results_of(of.stage, of.group, of.live, entries=[entry.pk for entry in entries]),
        of.tournament.metrics,
        adjustments=adjustments_of(of.stage),
        byes=byes_of(of.stage, of.live),
        place_points=of.tournament.place_points,
        last=[entry.pk for entry in entries if entry.state == Entry.State.DISQUALIFIED],
        knockout=of.stage.format == Stage.Format.KNOCKOUT,
    )


def _line_of(of: Ranked, entry: Entry) -> Standing:
    found = next((row for row in of.rows if row[1] == entry.pk), None)
    if found is None:
        raise Missing("not_ranked", f"{entry.name} is not in these standings.")
    return standing(found)


def _before_the_start(tournament: Tournament) -> list[Row]:
    active = entries_by_name(tournament).filter(state=Entry.State.ACTIVE).values_list("pk", flat=True)
    return [_row(line) for line in standings(list(active), [], tournament.metrics)]


def _computed(stage: Stage, group: int | None, live: bool) -> list[Row]:
    """Compute and keep the lines. Facts that change between the queries that read them are read again."""
    for _ in range(TRIES):
        version = version_of(stage, live)
        rows = [_row(line) for line in stage_standings(stage, group, live)]
        if live or version_of(stage, live) == version:
            break
    _keep(stage, group, live, version, rows)
    return rows


def _keep(stage: Stage, group: int | None, live: bool, version: int, rows: list[Row]) -> None:
    """Store the lines unless newer ones are there."""
    values = {"version": version, "made_at": timezone.now(), "lines": rows}
    there = _rankings(stage, group, live)
    if not there.filter(version__lte=version).update(**values):
        new = Ranking(stage=stage, group=group or 0, live=live, **values)
        Ranking.objects.bulk_create([new], ignore_conflicts=True)


def _kept(stage: Stage, group: int | None, live: bool) -> Ranking | None:
    return _rankings(stage, group, live).first()


def _rankings(stage: Stage, group: int | None, live: bool) -> QuerySet[Ranking]:
    return Ranking.objects.filter(stage=stage, group=group or 0, live=live)


def _serves(kept: Ranking, stage: Stage) -> bool:
    if kept.live and len(kept.lines) >= BIG and timezone.now() - kept.made_at < STALE:
        return True
    return kept.version == version_of(stage, kept.live)


def _row(line: Standing) -> Row:
    values = [value.numerator if value.denominator == 1 else str(value) for value in line.values]
    return [line.rank, line.entry, line.played, *values]


def _only_one(what: str, wait: bool) -> bool:
    """Whether the transaction is now the only one that does this; with `wait` it becomes so."""
    lock = "SELECT pg_advisory_xact_lock({0})" if wait else "SELECT pg_try_advisory_xact_lock({0})"
    with connection.cursor() as cursor:
        cursor.execute(lock.format("hashtextextended(%s, 0)"), [what])
        return wait or bool(cursor.fetchone()[0])

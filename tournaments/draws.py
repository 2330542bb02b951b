"""What the draw of a round depends on: the facts of the standings, and what each format makes of them.

Nothing here writes. The same rows give the same inputs, so that a draw can be compared with its facts.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.db.models import QuerySet

from games.models import Match
from ratings.maths import START
from tournaments.facts import adjustments_of, facts_of, results_of, seats_by_table
from tournaments.knockouts import Ranked, ranking, survivors
from tournaments.models import Bye, Entry, Round, Stage, StageEntry, TableResult, TableSeat
from tournaments.seating import POINT, DrawInput, Entrant, PastTable, floats_of, weights_from
from tournaments.standings import PlayedTable, sides, standings

Format = Stage.Format
CLOSED = (Round.State.CLOSED,)
REMEMBERED = 5  # tables of each player that the draw of an arena knows of

Byes = Sequence[tuple[int, int]]
"""Round and entry."""


def draw_inputs(stage: Stage, group: int, number: int, seed: int) -> DrawInput:
    """All that the draw of round `number` in a group depends on: the facts of the stage's closed rounds.

    A Swiss seats by points and strength, a knockout whoever is left by strength alone, and a round robin by
    who has met whom.
    """
    byes = past_byes(stage, group)
    rows = still_in(stage) if stage.format == Format.KNOCKOUT else entrants_of(stage, group)
    history = seats_by_table(stage, CLOSED, group)
    return DrawInput(
        round=number,
        entrants=_entrants(stage, group, rows),
        history=tuple(PastTable(at, seats) for (at, _), seats in history.items()),
        byes=tuple(byes),
        **_settings(stage, len(rows), seed),
    )


def arena_inputs(stage: Stage, entries: Iterable[int], number: int, seed: int) -> DrawInput:
    """The same for these entries of an arena: by points so far, apart from those of their last tables.

    Only their own tables are read, as an arena has thousands.
    """
    wanted = set(entries)
    rows = [each for each in entrants_of(stage) if each.entry_id in wanted]
    tables = results_of(stage, live=True, entries=wanted)
    points = _points(stage, sorted(wanted), tables, {})
    return DrawInput(
        round=number,
        entrants=tuple(Entrant(e.entry_id, *points[e.entry_id], seed=_strength(stage, e)) for e in rows),
        history=_last_tables(tables, wanted),
        **_settings(stage, len(rows), seed),
    )


def entrants_of(stage: Stage, group: int | None = None) -> list[StageEntry]:
    """The active entries of a stage, or of one of its groups."""
    found = stage.entrants.filter(entry__state=Entry.State.ACTIVE).select_related("entry")
    if group is not None:
        found = found.filter(group=group)
    return list(found.order_by("entry_id"))


def past_byes(stage: Stage, group: int | None = None) -> Byes:
    """Round and entry of each bye in the closed rounds of a stage."""
    found = Bye.objects.filter(round__stage=stage, round__state=Round.State.CLOSED)
    if group is not None:
        found = found.filter(entry__in=stage.entrants.filter(group=group).values("entry"))
    return list(found.order_by("round__number", "entry").values_list("round__number", "entry_id"))


def _settings(stage: Stage, entrants: int, seed: int) -> dict[str, Any]:
    tournament = stage.tournament
    return {
        "seed": seed,
        "partners": tournament.engine_options.partners,
        "pairs": tournament.pairs,
        "weights": weights_from(tournament.weights),
        "fill": fill_of(stage, entrants),
    }


def fill_of(stage: Stage, entrants: int) -> str:
    """What becomes of those of so many entrants whom a table's places do not divide.

    A pair alone at a table has nobody to play with, and a final of two cannot sit out.
    """
    tournament = stage.tournament
    if stage.format == Format.ARENA:
        return "bots"
    fill = "byes" if tournament.pairs and tournament.fill == tournament.Fill.SHORT else tournament.fill
    few = entrants < places_of(stage)
    return "bots" if stage.format == Format.KNOCKOUT and fill == "byes" and few else fill


def places_of(stage: Stage) -> int:
    """How many entries fill a table."""
    return 2 if stage.tournament.pairs else 4


def _entrants(stage: Stage, group: int, rows: Sequence[StageEntry]) -> tuple[Entrant, ...]:
    if stage.format == Format.KNOCKOUT:
        # Byes go to the lowest: here, where a bye is a gift, to the best seeds.
        return tuple(Entrant(row.entry_id, seed=row.seed) for row in rows)
    if stage.format == Format.ROUND_ROBIN:
        return tuple(Entrant(row.entry_id) for row in rows)
    facts = facts_of(stage, group)
    points, floats = _points(stage, facts.entries, facts.tables, facts.byes), _floats(stage, facts.tables)
    return tuple(
        Entrant(row.entry_id, *points[row.entry_id], _strength(stage, row), floats.get(row.entry_id, 0))
        for row in rows
    )


def _strength(stage: Stage, row: StageEntry) -> float:
    """By rating in the first stage, later by the order in which the stage began."""
    if stage.number > 1:
        return -row.seed
    return START if row.entry.seed_rating is None else row.entry.seed_rating


def _points(
    stage: Stage, entries: Sequence[int], tables: Sequence[PlayedTable], byes: Mapping[int, int]
) -> dict[int, tuple[int, int]]:
    """Points by which a draw seats, in twelfths, and the total score, of each of these entries.

    They are the first metric with its penalties and bonuses. Where that does not count in table points, it
    is stretched or shrunk so that the first and the last are as far apart as in table points.
    """
    of = stage.tournament
    lines = standings(
        entries,
        tables,
        (of.metrics[0], "table_points", "total_score"),
        adjustments=adjustments_of(stage),
        byes=byes,
        bye_points=Fraction(of.bye_points),
        place_points=of.place_points,
    )
    scale = Fraction(1)
    if of.metrics[0] != "table_points":
        scale = _range(line.values[1] for line in lines) / (_range(line.values[0] for line in lines) or 1)
    return {line.entry: (round(line.values[0] * scale * POINT), int(line.values[2])) for line in lines}


def _range(values: Iterable[Fraction]) -> Fraction:
    known = list(values)
    return max(known, default=Fraction(0)) - min(known, default=Fraction(0))


def _floats(stage: Stage, tables: Iterable[PlayedTable]) -> dict[int, int]:
    """How often each sat below his points less how often above, as the draw wants it."""
    return floats_of((PastTable(each.round, each.seats), _gained(stage, each)) for each in tables)


def _gained(stage: Stage, table: PlayedTable) -> list[int]:
    """The table points of each seat, in twelfths."""
    gained = [0] * 4
    each = stage.tournament.place_points
    for side in sides(table):
        points = sum(each[side.better : side.better + side.equal]) * POINT // side.equal
        for seat, entry in enumerate(table.seats):
            if entry is not None and entry in side.entries:
                gained[seat] = points
    return gained


# Knockouts


def knockout_rounds(stage: Stage) -> list[list[PlayedTable]]:
    """The closed rounds of a knockout; an annulled table is a tie, and a bye a table of one."""
    partners, pairs = stage.tournament.engine_options.partners, stage.tournament.pairs
    results = TableResult.objects.filter(table__round__stage=stage, superseded_at=None, scores__isnull=False)
    scores = dict(results.values_list("table_id", "scores"))
    rounds: dict[int, list[PlayedTable]] = {}
    for (number, table), seats in seats_by_table(stage, CLOSED).items():
        ended = tuple(scores.get(table) or (None,) * 4)
        rounds.setdefault(number, []).append(PlayedTable(seats, ended, partners, pairs, number))
    for number, entry in past_byes(stage):
        rounds.setdefault(number, []).append(PlayedTable((entry, None, None, None), (None,) * 4))
    return [rounds[number] for number in sorted(rounds)]


def still_in(stage: Stage) -> list[StageEntry]:
    """Who plays the next round of a knockout. Nobody inherits the place of who went on and has left."""
    entrants, rounds = entrants_of(stage), knockout_rounds(stage)
    if not rounds:
        return entrants
    through = set(survivors(rounds[-1], stage.advance, seeds_of(stage)))
    return [each for each in entrants if each.entry_id in through]


def seeds_of(stage: Stage) -> dict[int, int]:
    return dict(stage.entrants.values_list("entry_id", "seed"))


def is_decided(stage: Stage) -> bool:
    """Whether a knockout has had its final, or nobody is left to play one."""
    rounds = knockout_rounds(stage)
    return (bool(rounds) and len(rounds[-1]) == 1) or len(still_in(stage)) < 2


def knockout_ranking(stage: Stage, entries: Iterable[int], last: Collection[int]) -> list[Ranked]:
    """The order of these entries of a knockout, from its closed rounds; `last`: who is disqualified."""
    return ranking(knockout_rounds(stage), entries, seeds_of(stage), stage.advance, last)


# Arenas


def open_seats(stage: Stage) -> QuerySet[TableSeat]:
    """The seats of people at tables of the stage's tournament that play."""
    running = Match.objects.filter(status=Match.Status.RUNNING, table__round__tournament=stage.tournament_id)
    return TableSeat.objects.filter(table__match__in=running, player__isnull=False)


def free_entries(stage: Stage) -> list[int]:
    """The active entries of an arena of whom nobody sits at an open table, in person or for another."""
    seated = open_seats(stage)
    found = (
        stage.entrants.filter(entry__state=Entry.State.ACTIVE)
        .exclude(entry__in=seated.values("entry"))
        .exclude(entry__player__in=seated.values("player"))
    )
    return list(
        found.exclude(entry__partner__in=seated.values("player"))
        .order_by("entry_id")
        .values_list("entry_id", flat=True)
    )


def _last_tables(tables: Sequence[PlayedTable], entries: Iterable[int]) -> tuple[PastTable, ...]:
    """The last few tables of each of these entries."""
    left = dict.fromkeys(entries, REMEMBERED)
    found = []
    for table in reversed(tables):
        own = [entry for entry in set(table.seats) if entry is not None and left.get(entry)]
        if own:
            found.append(PastTable(table.round, table.seats))
        for entry in own:
            left[entry] -= 1
    return tuple(reversed(found))


def last_table(stage: Stage, entries: Iterable[int]) -> Mapping[int, int]:
    """The table at which each of these entries sat last."""
    seats = TableSeat.objects.filter(round__stage=stage, entry__in=list(entries))
    newest = seats.order_by("entry_id", "-round__number").distinct("entry_id")
    return dict(newest.values_list("entry_id", "table_id"))

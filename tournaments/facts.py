"""The facts of a stage: who sat where, how it ended, byes, penalties; standings and draws follow from them.

Only closed rounds count; `live` adds the published one. No stage counts another's tables, so no tie-break
counts finals. A constant number of queries, however many entries and rounds.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import QuerySet, Sum

from tournaments.models import Bye, Entry, Penalty, Round, Stage, TableResult, TableSeat
from tournaments.standings import PlayedTable, Standing, standings

PLAYED = (Round.State.PUBLISHED, Round.State.CLOSED)


@dataclass(frozen=True)
class Facts:
    """What the standings of a stage, or of one group of it, follow from.

    `entries`: who is listed, by name: who is active, and who left after sitting at a table that counts.
    `disqualified`: those of them who rank below all others. `adjustments` and `byes`: by entry.
    """

    entries: list[int]
    disqualified: frozenset[int]
    tables: list[PlayedTable]
    adjustments: dict[int, Fraction]
    byes: dict[int, int]


def facts_of(stage: Stage, group: int | None = None, live: bool = False) -> Facts:
    """The facts of a stage that has begun, or of one of its groups: five queries, or six."""
    tables = results_of(stage, group, live)
    sat = {entry for table in tables for entry in table.seats}
    states = _states_by_name(stage, group)
    listed = [pk for pk, state in states.items() if state == Entry.State.ACTIVE or pk in sat]
    return Facts(
        entries=listed,
        disqualified=frozenset(pk for pk in listed if states[pk] == Entry.State.DISQUALIFIED),
        tables=tables,
        adjustments=adjustments_of(stage),
        byes=byes_of(stage, live),
    )


def rank(stage: Stage, facts: Facts) -> list[Standing]:
    """The standings of a stage by its tournament's metrics and points; equals by name."""
    of = stage.tournament
    return standings(
        facts.entries,
        facts.tables,
        of.metrics,
        adjustments=facts.adjustments,
        byes=facts.byes,
        bye_points=Fraction(of.bye_points),
        place_points=of.place_points,
        last=facts.disqualified,
    )


def results_of(
    stage: Stage, group: int | None = None, live: bool = False, entries: Collection[int] | None = None
) -> list[PlayedTable]:
    """The tables of a stage that count: those with a result that was not annulled.

    `entries`: only the tables at which one of these sat, without what tells who played the same cards.
    """
    states = _counted(live)
    counting = _counting(stage, states)
    if entries is not None:
        counting = counting.filter(table__seats__entry__in=entries)
    ended: dict[int, tuple[Any, Any]] = {
        table: (scores, best) for table, scores, best in counting.values_list("table", "scores", "best_deals")
    }
    compared = entries is None and "duplicate" in stage.tournament.metrics
    same = _same_cards(counting) if compared else frozenset()
    partners, pairs = stage.tournament.engine_options.partners, stage.tournament.pairs
    return [
        PlayedTable(
            seats, tuple(ended[table][0]), partners, pairs, number, ended[table][1], same_cards=table in same
        )
        for (number, table), seats in seats_by_table(stage, states, group, entries).items()
        if table in ended
    ]


def seats_by_table(
    stage: Stage, states: Sequence[str], group: int | None = None, entries: Collection[int] | None = None
) -> dict[tuple[int, int], tuple[int | None, ...]]:
    """Entry ids by seat (None: a bot, or nobody) for each (round number, table id) of a stage."""
    found = TableSeat.objects.filter(round__stage=stage, round__state__in=states)
    if entries is not None:
        found = found.filter(table__in=TableSeat.objects.filter(entry__in=entries).values("table"))
    if group is not None:
        found = found.filter(table__group=group)
    rows = found.order_by("round__number", "table__number", "index").values_list(
        "round__number", "table_id", "entry_id"
    )
    seats: dict[tuple[int, int], list[int | None]] = defaultdict(list)
    for number, table, entry in rows:
        seats[number, table].append(entry)
    return {key: tuple(ids) for key, ids in seats.items()}


def byes_of(stage: Stage, live: bool = False) -> dict[int, int]:
    """How many byes each entry of a stage had."""
    byes = Bye.objects.filter(round__stage=stage, round__state__in=_counted(live))
    return dict(Counter(byes.values_list("entry_id", flat=True)))


def adjustments_of(stage: Stage) -> dict[int, Fraction]:
    """The penalties (negative) and bonuses of each entry in a stage, without what was revoked."""
    standing = Penalty.objects.filter(stage=stage, revoked_at=None).order_by()
    sums = standing.values_list("entry_id").annotate(sum=Sum("points"))
    return {entry: Fraction(points) for entry, points in sums}


def _counted(live: bool) -> tuple[str, ...]:
    return PLAYED if live else (Round.State.CLOSED,)


def _counting(stage: Stage, states: Sequence[str]) -> QuerySet[TableResult]:
    return TableResult.objects.filter(
        table__round__stage=stage,
        table__round__state__in=states,
        superseded_at=None,
        scores__isnull=False,
    ).order_by()


def _same_cards(counting: QuerySet[TableResult]) -> frozenset[int]:
    """The tables whose cards other tables of their round played too.

    A table that was replayed, or whose result was entered by hand, played others.
    """
    played = counting.filter(source=TableResult.Source.PLAYED)
    alike: dict[int, dict[bytes, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, table, secret, cards in played.values_list("table__round", "table", "match__secret", "cards"):
        if secret or cards:  # Of a match that is elsewhere the commitment is known, or nothing.
            alike[number][bytes(secret) if secret else cards.encode()].append(table)
    most = [max(found.values(), key=len) for found in alike.values()]
    return frozenset(table for tables in most for table in tables)


def _states_by_name(stage: Stage, group: int | None) -> dict[int, str]:
    """The states of a stage's entries, in the order of their names."""
    of_group = {} if group is None else {"stages__group": group}
    found = Entry.objects.filter(stages__stage=stage, **of_group).order_by("player__username", "id")
    return dict(found.values_list("pk", "state"))

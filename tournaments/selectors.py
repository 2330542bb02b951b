"""What is read: facts for standings and draws, and what each viewer may see. Nothing here writes."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Prefetch, Q, QuerySet

from games.models import Match
from games.selectors import SCORES, played_elsewhere, with_seats
from ratings.models import Rating
from ratings.services import kind_of
from tournaments.models import Entry, Round, Table, TableResult, TableSeat, Tournament
from tournaments.organisers import is_organiser
from tournaments.seating import POINT, DrawInput, Entrant, PastTable
from tournaments.standings import PlayedTable, Standing, standings
from trix_site.common.errors import Missing

PLAYED = (Round.State.PUBLISHED, Round.State.CLOSED)


@dataclass(frozen=True)
class Line:
    """A line of the standings, with the entry it is about."""

    standing: Standing
    entry: Entry


# Who may see what


def visible_tournaments(viewer: Any) -> QuerySet[Tournament]:
    """Those that a request's user may open by their address: no one else's drafts."""
    everyone = ~Q(state=Tournament.State.DRAFT)
    if not viewer.is_authenticated:
        return Tournament.objects.filter(everyone)
    if viewer.is_superuser:
        return Tournament.objects.all()
    mine = Tournament.organisers.through.objects.filter(player_id=viewer.pk).values("tournament_id")
    return Tournament.objects.filter(everyone | Q(pk__in=mine))


def visible_tournament(slug: str, viewer: Any) -> Tournament:
    """The tournament at this address, if the viewer may open it. Raises Missing."""
    found = visible_tournaments(viewer).filter(slug=slug).first()
    if found is None:
        raise Missing("no_such_tournament", f"There is no tournament {slug!r}.")
    return found


def listed_tournaments(viewer: Any) -> QuerySet[Tournament]:
    """Those that a list shows: public ones, and those that the viewer organises or entered."""
    visible = visible_tournaments(viewer)
    listed = Q(visibility=Tournament.Visibility.PUBLIC)
    if not viewer.is_authenticated:
        return visible.filter(listed)
    organised = Tournament.organisers.through.objects.filter(player_id=viewer.pk).values("tournament_id")
    entered = Entry.objects.filter(player_id=viewer.pk).values("tournament_id")
    return visible.filter(listed | Q(pk__in=organised) | Q(pk__in=entered))


def visible_rounds(tournament: Tournament, viewer: Any) -> QuerySet[Round]:
    """Published rounds; organisers also see the draw that is not."""
    rounds = tournament.rounds.all()
    return rounds if is_organiser(viewer, tournament) else rounds.filter(state__in=PLAYED)


def entries_by_name(tournament: Tournament) -> QuerySet[Entry]:
    return tournament.entries.select_related("player").order_by("player__username", "id")


def tables_of(round_: Round) -> QuerySet[Table]:
    """The tables of a round with seats, match, its scores and the result that counts: six queries."""
    counting = TableResult.objects.filter(superseded_at=None).select_related("entered_by")
    return (
        Table.objects.filter(round=round_)
        .select_related("round")
        .prefetch_related(
            Prefetch("seats", TableSeat.objects.select_related("entry__player")),
            Prefetch("match", with_seats(Match.objects.all()).prefetch_related(SCORES)),
            Prefetch("results", counting, to_attr="counting"),
        )
        .order_by("number")
    )


def still_secret(tournament: Tournament) -> bool:
    """Whether results would tell players what became of cards that they are still to play."""
    return Match.objects.filter(played_elsewhere(), table__round__tournament=tournament).exists()


# Facts


def results_of(tournament: Tournament, live: bool = False) -> list[PlayedTable]:
    """The results of the tables of closed rounds; `live` adds finished tables of the open one."""
    states = PLAYED if live else (Round.State.CLOSED,)
    scores = dict(
        TableResult.objects.filter(
            table__round__tournament=tournament, table__round__state__in=states, superseded_at=None
        ).values_list("table_id", "scores")
    )
    partners = tournament.engine_options.partners
    seated = seats_by_table(tournament, states)
    return [
        PlayedTable(seats, tuple(scores[table]), partners)
        for (_, table), seats in seated.items()
        if table in scores
    ]


def seats_by_table(
    tournament: Tournament, states: Sequence[str]
) -> dict[tuple[int, int], tuple[int | None, ...]]:
    """Entry ids by seat (None: a bot) for each (round number, table id)."""
    rows = (
        TableSeat.objects.filter(round__tournament=tournament, round__state__in=states)
        .order_by("round__number", "table__number", "index")
        .values_list("round__number", "table_id", "entry_id")
    )
    seats: dict[tuple[int, int], list[int | None]] = defaultdict(list)
    for number, table, entry in rows:
        seats[number, table].append(entry)
    return {key: tuple(ids) for key, ids in seats.items()}


def standings_of(tournament: Tournament, live: bool = False) -> list[Line]:
    """The standings from the stored results; equals are listed by name.

    Whoever withdrew before sitting at any table is not listed.
    """
    entries = {entry.pk: entry for entry in entries_by_name(tournament)}
    results = results_of(tournament, live)
    sat = {entry for result in results for entry in result.seats}
    listed = [pk for pk, e in entries.items() if e.state == Entry.State.ACTIVE or pk in sat]
    return [Line(line, entries[line.entry]) for line in standings(listed, results, tournament.metrics)]


def ratings_of(tournament: Tournament) -> dict[int, Rating]:
    """The ratings of those who entered, by player, in the pools of the tournament's kind of game."""
    rows = Rating.objects.filter(
        player__entries__tournament=tournament,
        pool__kind=kind_of(tournament.engine_options),
        pool__programs=F("player__is_bot"),
    )
    return {row.player_id: row for row in rows}


def draw_inputs(tournament: Tournament, number: int, seed: int) -> DrawInput:
    """All that the draw of a round depends on: the same facts as the standings of closed rounds."""
    active = tournament.entries.filter(state=Entry.State.ACTIVE).order_by("id").values_list("id", flat=True)
    lines = standings(list(active), results_of(tournament), ("table_points", "total_score"))
    reached = {line.entry: line.values for line in lines}
    history = seats_by_table(tournament, (Round.State.CLOSED,))
    return DrawInput(
        round=number,
        entrants=tuple(Entrant(e, int(reached[e][0] * POINT), int(reached[e][1])) for e in active),
        history=tuple(PastTable(at, seats) for (at, _), seats in history.items()),
        seed=seed,
        partners=tournament.engine_options.partners,
    )


def unfinished_tables(round_: Round) -> list[int]:
    """Numbers of the tables that have no result yet."""
    tables = Table.objects.filter(round=round_).exclude(results__superseded_at=None, results__isnull=False)
    return list(tables.order_by("number").values_list("number", flat=True))


def unrecorded_matches() -> list[int]:
    """Matches that are over at tables without a result: what a lost message leaves behind."""
    tables = Table.objects.filter(match__status=Match.Status.FINISHED, results=None)
    return list(tables.order_by("match_id").values_list("match_id", flat=True))


def automatic_tournaments() -> list[str]:
    """Those that run by themselves, by their addresses."""
    running = Tournament.objects.filter(automatic=True, state=Tournament.State.RUNNING)
    return list(running.order_by("pk").values_list("slug", flat=True))

"""What is read: facts for standings and draws, and what each viewer may see. Nothing here writes."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet

from games.models import Match, Player
from games.selectors import SCORES, played_elsewhere, with_seats
from ratings.ledger import kind_of
from ratings.models import Rating
from tournaments.draws import knockout_ranking
from tournaments.facts import PLAYED, facts_of, rank
from tournaments.models import (
    Entry,
    League,
    Penalty,
    Round,
    Season,
    Stage,
    Table,
    TableResult,
    TableSeat,
    Tournament,
)
from tournaments.organisers import is_official, official_in
from tournaments.standings import Standing, over_stages, standings
from trix_site.common.errors import Missing


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
    return Tournament.objects.filter(everyone | official_in(viewer))


def visible_tournament(slug: str, viewer: Any) -> Tournament:
    """The tournament at this address, if the viewer may open it. Raises Missing."""
    found = visible_tournaments(viewer).filter(slug=slug).first()
    if found is None:
        raise Missing("no_such_tournament", f"There is no tournament {slug!r}.")
    return found


def listed_tournaments(viewer: Any) -> QuerySet[Tournament]:
    """Those that a list shows: all but unlisted ones, and those that the viewer runs or entered."""
    visible = visible_tournaments(viewer)
    listed = ~Q(visibility=Tournament.Visibility.UNLISTED)
    if not viewer.is_authenticated:
        return visible.filter(listed)
    entered = Entry.objects.filter(Q(player_id=viewer.pk) | Q(partner_id=viewer.pk)).values("tournament_id")
    return visible.filter(listed | official_in(viewer) | Q(pk__in=entered))


def visible_rounds(tournament: Tournament, viewer: Any) -> QuerySet[Round]:
    """Published rounds; officials also see the draw that is not."""
    rounds = tournament.rounds.all()
    return rounds if is_official(viewer, tournament) else rounds.filter(state__in=PLAYED)


def entries_by_name(tournament: Tournament) -> QuerySet[Entry]:
    return tournament.entries.select_related("player", "partner").order_by("player__username", "id")


def entries_in(tournament: Tournament, state: str | None) -> QuerySet[Entry]:
    """The entries in a state, or all of them, by name; the waiting list in its order."""
    entries = entries_by_name(tournament)
    if state == Entry.State.WAITING:
        entries = entries.order_by("created_at", "id")
    return entries if state is None else entries.filter(state=state)


def penalties_of(tournament: Tournament) -> QuerySet[Penalty]:
    """All penalties and bonuses, the newest first."""
    found = Penalty.objects.filter(stage__tournament=tournament).order_by("-id")
    return found.select_related("stage", "entry__player", "entry__partner", "given_by", "revoked_by")


def entry_of(tournament: Tournament, player: Player) -> Entry | None:
    """The entry of a player or of his pair: the one that plays or waits, else the newest that has left."""
    his = tournament.entries.filter(Q(player=player) | Q(partner=player)).select_related("player", "partner")
    return max(his, key=lambda entry: (entry.state not in Entry.LEFT, entry.pk), default=None)


def tables_of(round_: Round) -> QuerySet[Table]:
    """The tables of a round with seats, match, its scores and the result that counts: seven queries."""
    counting = TableResult.objects.filter(superseded_at=None).select_related("entered_by")
    return (
        Table.objects.filter(round=round_)
        .prefetch_related(
            Prefetch("round", Round.objects.select_related("tournament", "stage")),  # One for all of them.
            Prefetch("seats", TableSeat.objects.select_related("player", "entry__player", "entry__partner")),
            Prefetch("match", with_seats(Match.objects.all()).prefetch_related(SCORES)),
            Prefetch("results", counting, to_attr="counting"),
        )
        .order_by("number")
    )


def still_secret(tournament: Tournament) -> bool:
    """Whether results would tell players what became of cards that they are still to play."""
    return Match.objects.filter(played_elsewhere(), table__round__tournament=tournament).exists()


def may_see_live(tournament: Tournament, viewer: Any) -> bool:
    """Whether a request's user may see what counts before its round is closed."""
    return is_official(viewer, tournament) or not still_secret(tournament)


# What was reached


def standings_of(
    tournament: Tournament, live: bool = False, stage: Stage | None = None, group: int | None = None
) -> list[Line]:
    """The standings of a stage (the newest that has begun), from the stored results; equals by name.

    Whoever left before sitting at any table is not listed.
    """
    stage = stage or tournament.stages.filter(started_at__isnull=False).last()
    entries = {entry.pk: entry for entry in entries_by_name(tournament)}
    if stage is None:
        active = [pk for pk, entry in entries.items() if entry.state == Entry.State.ACTIVE]
        lines = standings(active, [], tournament.metrics)
    else:
        lines = stage_standings(stage, group, live)
    return [Line(line, entries[line.entry]) for line in lines]


def stage_standings(stage: Stage, group: int | None = None, live: bool = False) -> list[Standing]:
    """The standings of a stage that has begun, computed from the facts; equals by name."""
    facts = facts_of(stage, group, live)
    lines = rank(stage, facts)
    if stage.format != Stage.Format.KNOCKOUT:
        return lines
    of = {line.entry: line for line in lines}
    ends = knockout_ranking(stage, of, facts.disqualified)
    return [replace(of[end.entry], rank=end.rank) for end in ends]


def final_ranking(tournament: Tournament) -> list[tuple[int, Entry]]:
    """Everyone who is listed in a stage, with his rank: first those of the last stage that has begun, then
    who went out before it, by the stage before, and so on; the disqualified last. Equals by name.
    """
    stages = tournament.stages.filter(started_at__isnull=False).order_by("-number")
    lines = [standings_of(tournament, stage=stage) for stage in stages]
    entries = {line.entry.pk: line.entry for of_stage in lines for line in of_stage}
    out = [pk for pk, entry in entries.items() if entry.state == Entry.State.DISQUALIFIED]
    ranks = ([(line.standing.rank, line.entry.pk) for line in of_stage] for of_stage in lines)
    return [(rank, entries[pk]) for rank, pk in over_stages(ranks, out)]


def ratings_of(tournament: Tournament, players: Collection[int] | None = None) -> dict[int, Rating]:
    """The ratings of those who entered, or of these of them, by player, in the pools of the tournament's
    kind of game.
    """
    if players is None:
        entered = tournament.entries.values_list("player_id", "partner_id")
        players = {player for both in entered for player in both if player is not None}
    rows = Rating.objects.select_related("pool").filter(
        player__in=players,
        pool__kind=kind_of(tournament.engine_options),
        pool__programs=F("player__is_bot"),
    )
    return {row.player_id: row for row in rows}


def unfinished_tables(round_: Round) -> list[int]:
    """Numbers of the tables that have no result yet."""
    tables = tables_without_result().filter(round=round_)
    return list(tables.order_by("number").values_list("number", flat=True))


def unfinished_tables_of(tournament: Tournament) -> QuerySet[Table]:
    """The published tables of all rounds that have no result yet."""
    return tables_without_result().filter(round__tournament=tournament, round__state__in=PLAYED)


def unrecorded_matches() -> list[int]:
    """Matches that are over at tables without a result: what a lost message leaves behind."""
    tables = tables_without_result().filter(match__status=Match.Status.FINISHED)
    return list(tables.order_by("match_id").values_list("match_id", flat=True))


def replaying(tournament: Tournament) -> list[Table]:
    """Tables of closed rounds without a result: they play again."""
    closed = tables_without_result().filter(round__tournament=tournament, round__state=Round.State.CLOSED)
    return list(closed.prefetch_related("round").order_by("round__number", "number"))


def tables_without_result() -> QuerySet[Table]:
    """Of all tournaments, drawn and replayed ones too."""
    counting = TableResult.objects.filter(table=OuterRef("pk"), superseded_at=None)
    return Table.objects.filter(~Exists(counting))


def automatic_tournaments() -> list[str]:
    """Those that run by themselves, wholly or for an arena, by their addresses."""
    arenas = Stage.objects.filter(format=Stage.Format.ARENA, started_at__isnull=False)
    alone = Q(automatic=True) | Q(pk__in=arenas.values("tournament"))
    running = Tournament.objects.filter(alone, state=Tournament.State.RUNNING)
    return list(running.order_by("pk").values_list("slug", flat=True))


# Leagues

HEAD = 3  # of the standings of a division


@dataclass(frozen=True)
class Division:
    """A division of a season, its first ones, and who came into it from another division."""

    tournament: Tournament
    entries: int
    head: list[tuple[int, Entry]]
    promoted: list[Entry]
    relegated: list[Entry]


def leagues() -> QuerySet[League]:
    return League.objects.prefetch_related("organisers", "seasons")


def season_of(league: League, number: int) -> Season:
    """Raises Missing."""
    found = league.seasons.filter(number=number).first()
    if found is None:
        raise Missing("no_such_season", f"{league.name} has no season {number}.")
    return found


def divisions_of(season: Season, viewer: Any) -> list[Division]:
    """The divisions that lists show the viewer, the strongest first."""
    last = Entry.objects.filter(
        tournament__season__league=season.league_id, tournament__season__number=season.number - 1
    )
    before = {
        player: division or 0 for player, division in last.values_list("player_id", "tournament__division")
    }
    shown = listed_tournaments(viewer).filter(season=season).order_by("division")
    return [_division(tournament, before) for tournament in shown]


def _division(tournament: Tournament, before: dict[int, int]) -> Division:
    entries = list(entries_by_name(tournament).exclude(state=Entry.State.WAITING))
    own = tournament.division or 0
    return Division(
        tournament,
        sum(entry.state == Entry.State.ACTIVE for entry in entries),
        final_ranking(tournament)[:HEAD] if tournament.started_at else [],
        [entry for entry in entries if before.get(entry.player_id, own) > own],
        [entry for entry in entries if before.get(entry.player_id, own) < own],
    )

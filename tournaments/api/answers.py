"""What the API answers, as JSON-able dicts. `schemas` describes the same to readers of the docs."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from games.api.answers import player
from games.engine.view import by_seat
from games.models import CLOCK_PARTS, Match
from games.selectors import score_for, seat_of
from tournaments.models import (
    AuditLog,
    Entry,
    Penalty,
    Round,
    Stage,
    Table,
    TableResult,
    TableSeat,
    Tournament,
)
from tournaments.organisers import RIGHTS, is_official
from tournaments.performances import Performance
from tournaments.selectors import Line, entry_of
from tournaments.services.bulk import Read
from tournaments.services.cuts import Started
from tournaments.services.edits import Edit
from tournaments.services.life import officials
from tournaments.services.stages import settings_of
from tournaments.services.standings import Compared, Ranked, placed_entries, ranked_over_stages
from tournaments.standings import Appearance, as_number
from trix_site.common.answers import time

Json = dict[str, Any]


def tournament(of: Tournament) -> Json:
    """A tournament as lists show it."""
    return {
        "slug": of.slug,
        "name": of.name,
        "description": of.description,
        "state": of.state,
        "visibility": of.visibility,
        "rules": of.rules,
        "options": of.options,
        "pairs": of.pairs,
        "cap": of.cap,
        "fill": of.fill,
        "place_points": of.place_points,
        "bye_points": float(of.bye_points),
        "weights": of.weights,
        "grace": of.grace,
        "time_zone": of.time_zone,
        "rounds_planned": of.rounds_planned,
        "stages": [stage(each) for each in of.stages.all()],
        "metrics": of.metrics,
        "clock": {part: getattr(of, f"clock_{part}") for part in CLOCK_PARTS},
        "on_timeout": of.on_timeout,
        "bot_level": of.bot_level,
        "bot_delay": of.bot_delay,
        "rated": of.rated,
        "same_cards": of.same_cards,
        "automatic": of.automatic,
        "created_at": time(of.created_at),
        "check_in_at": time(of.check_in_at),
        "started_at": time(of.started_at),
        "ended_at": time(of.ended_at),
    }


def stage(of: Stage) -> Json:
    return {
        "number": of.number,
        **settings_of(of),
        "started_at": time(of.started_at),
        "ends_at": time(of.ends_at),
    }


def opened(of: Tournament, viewer: Any) -> Json:
    """A tournament by itself, with what the viewer has to do with it; its code is told to officials alone."""
    by_code = of.visibility == Tournament.Visibility.CODE and is_official(viewer, of)
    return tournament(of) | {
        **officials(of, RIGHTS),
        "join_code": of.join_code if by_code else None,
        "entries": of.entries.filter(state=Entry.State.ACTIVE).count(),
        "waiting": of.entries.filter(state=Entry.State.WAITING).count(),
        "rounds_closed": of.rounds.filter(state=Round.State.CLOSED).count(),
        "you": you(of, viewer),
    }


def finished(of: Tournament, viewer: Any) -> Json:
    """A tournament that has just ended, with the final ranking over all stages."""
    return opened(of, viewer) | {
        "ranking": [placed(*each) for each in placed_entries(ranked_over_stages(of))]
    }


def placed(rank: int, of: Entry) -> Json:
    return {
        "rank": rank,
        "player": player(of.player),
        "partner": player(of.partner) if of.partner else None,
    }


def performed(rank: int, of: Entry, found: Performance | None) -> Json:
    return {
        "rank": rank,
        "player": player(of.player),
        "performance": found and found.rating,
        "matches": found.matches if found else 0,
        "opponents": found and found.opponents,
    }


def started_stage(of: Started) -> Json:
    return {
        "stage": stage(of.stage),
        "entries": [entry.name for entry in of.entries],
        "by_seed": [entry.name for entry in of.by_seed],
    }


def dates(of: Tournament) -> Json:
    return {
        "time_zone": of.time_zone,
        "dates": [
            {"number": date.number, "starts_at": time(date.starts_at), "ends_at": time(date.ends_at)}
            for date in of.dates.all()
        ],
    }


def you(of: Tournament, viewer: Any) -> Json | None:
    if not viewer.is_authenticated:
        return None
    own = entry_of(of, viewer)
    running = Match.objects.filter(
        table__round__tournament=of, seats__player=viewer, status=Match.Status.RUNNING
    )
    return {
        "organiser": is_official(viewer, of),
        "entry": own.state if own else None,
        "checked_in": own is not None and own.checked_in_at is not None,
        "match": running.order_by("-table__round__number").values_list("code", flat=True).first(),
    }


def entry(of: Entry) -> Json:
    return {
        "player": player(of.player),
        "partner": player(of.partner) if of.partner else None,
        "state": of.state,
        "seed_rating": of.seed_rating,
        "entered_at": time(of.created_at),
        "checked_in_at": time(of.checked_in_at),
    }


def previewed(of: Read) -> Json:
    """What a file would do."""
    return _imported(len(of.wanted), of.waiting, False) | {"bad": [vars(line) for line in of.bad]}


def imported(entries: Sequence[Entry]) -> Json:
    """What a file did."""
    return _imported(len(entries), sum(entry.state == Entry.State.WAITING for entry in entries), True)


def _imported(entries: int, waiting: int, entered: bool) -> Json:
    return {"entered": entered, "entries": entries, "waiting": waiting, "bad": []}


def penalty(of: Penalty) -> Json:
    return {
        "id": of.pk,
        "stage": of.stage.number,
        "player": player(of.entry.player),
        "partner": player(of.entry.partner) if of.entry.partner else None,
        "points": float(of.points),
        "reason": of.reason,
        "given_by": of.given_by.username if of.given_by else None,
        "given_at": time(of.created_at),
        "revoked_by": of.revoked_by.username if of.revoked_by else None,
        "revoked_at": time(of.revoked_at),
    }


def round_(of: Round) -> Json:
    return {
        "number": of.number,
        "stage": of.stage.number,
        "state": of.state,
        "version": of.version,
        "drawn_at": time(of.drawn_at),
        "published_at": time(of.published_at),
        "closed_at": time(of.closed_at),
    }


def opened_round(of: Round, tables: Sequence[Table], viewer: Any) -> Json:
    """A round with its tables and what its draw cost, entries named by their players."""
    return round_(of) | {"tables": tables_of(of, tables, viewer), "reports": reports(of, tables)}


def tables_of(of: Round, tables: Sequence[Table], viewer: Any) -> list[Json]:
    organises = is_official(viewer, of.tournament)
    return [table(each, viewer, organises) for each in tables]


def reports(of: Round, tables: Sequence[Table]) -> list[Json]:
    """What the draw of each group cost, entries named by their players."""
    names = {seat.entry_id: seat.entry.name for t in tables for seat in t.seats.all() if seat.entry}
    byes = of.byes.select_related("entry__player", "entry__partner")
    names |= {bye.entry_id: bye.entry.name for bye in byes}
    return [_report(dict(stored), names) for stored in of.report]


def edit(of: Edit, stored: bool) -> Json:
    """What a swap changed, or would change, in the round as it is now."""
    entries = of.round.tournament.entries.select_related("player", "partner")
    names: dict[int | None, str] = {entry.pk: entry.name for entry in entries}
    return {
        "version": of.round.version,
        "stored": stored,
        "moved": of.moved,
        "before": _report(dict(of.before), names),
        "after": _report(dict(of.after), names),
    }


def _report(stored: Json, names: dict[int | None, str]) -> Json:
    for pairs in ("repeats", "consecutive", "partner_repeats"):
        stored[pairs] = [[names[entry] for entry in pair] for pair in stored[pairs]]
    for people in ("at_bot_tables", "byes", "second_bots"):
        stored[people] = [names[entry] for entry in stored.get(people, ())]  # the first draws told of no byes
    return {"table_costs": [], "from_plan": False, **stored}


def table(of: Table, viewer: Any, organises: bool) -> Json:
    """A table; of one whose cards are still played at others, only its players and organisers see all."""
    counting = counting_for(of, viewer, organises)
    totals = None
    if of.match:
        sees_all = _sees_all(of, viewer, organises)
        totals = of.match.totals if sees_all else score_for(of.match, viewer).totals
    return {
        "round": of.round.number,
        "number": of.number,
        "group": of.group,
        "seats": [_seat(seat, viewer) for seat in of.seats.all()],
        "match": of.match.code if of.match else None,
        "status": of.match.status if of.match else None,
        "totals": by_seat(totals) if totals else None,
        "result": result(counting) if counting else None,
    }


def counting_for(of: Table, viewer: Any, organises: bool) -> TableResult | None:
    """The result that counts, if there is one that the viewer may see."""
    counting: TableResult | None = of.counting[0] if of.counting else None  # type: ignore[attr-defined]
    return counting if _sees_all(of, viewer, organises) else None


def _sees_all(of: Table, viewer: Any, organises: bool) -> bool:
    return organises or of.match is None or of.match.behind is None or seat_of(of.match, viewer) is not None


def result(of: TableResult) -> Json:
    return {
        "id": of.pk,
        "scores": by_seat(of.scores) if of.scores else None,
        "source": of.source,
        "reason": of.reason,
        "at": time(of.created_at),
    }


def standings_of(of: Ranked) -> Json:
    """Which standings these are."""
    return {
        "tournament": of.tournament.slug,
        "state": of.tournament.state,
        "stage": of.stage and of.stage.number,
        "group": of.group,
        "live": of.live,
        "metrics": of.tournament.metrics,
    }


def standings_line(of: Tournament, line: Line) -> Json:
    values = zip(of.metrics, line.standing.values, strict=True)
    return {
        "rank": line.standing.rank,
        "player": player(line.entry.player),
        "partner": player(line.entry.partner) if line.entry.partner else None,
        "state": line.entry.state,
        "played": line.standing.played,
        "values": {metric: as_number(value) for metric, value in values},
    }


def compared(of: Ranked, both: Compared) -> Json:
    """Two lines with all that they follow from, and why one is above the other."""
    return standings_of(of) | {
        "sentence": both.why.sentence(both.names),
        "equal": [metric for metric, _ in both.why.equal],
        "metric": both.why.metric,
        "above": _compared(of.tournament, both.above, both),
        "below": _compared(of.tournament, both.below, both),
    }


def standings_rows(of: Tournament, lines: Sequence[Line]) -> list[list[object]]:
    """The standings as rows of a table, a header first."""
    header: list[object] = ["rank", "player", "state", "played", *of.metrics]
    return [header, *(_row(line) for line in lines)]


def logged(of: AuditLog) -> Json:
    return {
        "at": time(of.created_at),
        "actor": of.actor.username if of.actor else None,
        "action": of.action,
        "data": of.data,
    }


def _seat(of: TableSeat, viewer: Any) -> Json:
    account = of.player
    return {
        "seat": of.letter,
        "player": player(account) if account else None,
        "stands_in_for": player(of.stands_in_for) if of.stands_in_for else None,
        "no_show": of.no_show_at is not None,
        "bot": of.bot or None,
        "you": account is not None and account.pk == viewer.pk,
    }


def _compared(of: Tournament, line: Line, both: Compared) -> Json:
    entry = line.entry.pk
    return standings_line(of, line) | {
        "adjustment": as_number(Fraction(both.why.adjustments[entry])),
        "byes": both.why.byes[entry],
        "tables": [_appearance(each, both.names) for each in both.why.tables[entry]],
    }


def _appearance(of: Appearance, names: Mapping[int, str]) -> Json:
    return {
        "round": of.round,
        "score": of.score,
        "place": of.place,
        "points": as_number(of.points),
        "opponents": [None if entry is None else names[entry] for entry in of.opponents],
    }


def _row(line: Line) -> list[object]:
    values = [as_number(value) for value in line.standing.values]
    return [line.standing.rank, line.entry.name, line.entry.state, line.standing.played, *values]

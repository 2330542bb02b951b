"""A whole tournament as one JSON document, which another installation imports: docs/exchange.md.

Nothing in it is secret: no code to enter by, no address of an account, no webhook, and of matches only the
records whose cards may be told to anyone.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Prefetch
from django.http import StreamingHttpResponse
from django.utils import timezone

from games.engine.shuffle import commitment
from games.models import Match, Player
from games.selectors import match_record, published_secret, stored_match
from tournaments.exchange import FORMAT, VERSION, Ids, Json, inputs_with, line_with, plan_with, report_with
from tournaments.models import Entry, Penalty, Round, Stage, Table, TableResult, TableSeat, Tournament
from tournaments.organisers import RIGHTS, Right
from tournaments.selectors import replaying
from tournaments.services.life import officials
from tournaments.services.locks import lock_as, require_no_open_round
from tournaments.services.stages import settings_of
from tournaments.settings import settings_of_tournament
from trix_site.common.errors import Conflict

AT_ONCE = 5  # rounds
SEAT = ("table", "index", "entry", "member", "bot", "no_show_at", "player__username")


def export(*, slug: str, actor: Player | None) -> Iterator[str]:
    """The document's text, piece by piece; the facts are read at once, the records as they are asked for.

    Raises Missing, Forbidden; Conflict `round_open` while a round is drawn or played, or a table replayed.
    """
    with transaction.atomic():
        tournament = lock_as(Right.ORGANISE, slug, actor)
        _require_closed(tournament)
        head, matches = _facts(tournament)
    return _text(head, matches)


def download(*, slug: str, actor: Player | None) -> StreamingHttpResponse:
    """The same as a file that a browser keeps. Raises as `export`."""
    headers = {"Content-Disposition": f'attachment; filename="{slug}.json"'}
    pieces = export(slug=slug, actor=actor)
    return StreamingHttpResponse(pieces, content_type="application/json", headers=headers)


def _text(head: list[str], matches: Sequence[str]) -> Iterator[str]:
    yield from head
    yield '"records": {'
    between = ""
    for code in matches:
        match = stored_match(code)
        if published_secret(match) is not None:
            yield f"{between}\n{json.dumps(code)}: {_dumped(match_record(match, None))}"
            between = ","
    yield "}}\n"


def _require_closed(tournament: Tournament) -> None:
    """What is open in a cancelled tournament stays so."""
    if tournament.state == Tournament.State.CANCELLED:
        return
    require_no_open_round(tournament)
    if replayed := replaying(tournament):
        table = replayed[0]
        detail = f"Table {table.number} of round {table.round.number} is being replayed."
        raise Conflict("round_open", detail, round=table.round.number)


def _facts(tournament: Tournament) -> tuple[list[str], list[str]]:
    """The text of all but the records, and the codes of matches that may have one."""
    entries = list(tournament.entries.select_related("player", "partner").order_by("pk"))
    ids = {entry.pk: number for number, entry in enumerate(entries, 1)}
    head = {
        "format": FORMAT,
        "version": VERSION,
        "exported_at": _time(timezone.now()),
        "name": tournament.name,
        "slug": tournament.slug,
        "description": tournament.description,
        "state": tournament.state,
        "cap": tournament.cap,
        "seed": tournament.seed,
        "draws_made": tournament.draws_made,
        "created_at": _time(tournament.created_at),
        "check_in_at": _time(tournament.check_in_at),
        "started_at": _time(tournament.started_at),
        "ended_at": _time(tournament.ended_at),
        "settings": settings_of_tournament(tournament),
        "officials": officials(tournament, RIGHTS),
        "programs": _programs(tournament),
        "entries": [_entry(entry) for entry in entries],
        "stages": [_stage(stage, ids) for stage in tournament.stages.all()],
        "dates": [
            {"number": date.number, "starts_at": _time(date.starts_at), "ends_at": _time(date.ends_at)}
            for date in tournament.dates.all()
        ],
    }
    matches: list[str] = []
    pieces = [f"{_dumped(head)[:-1]},\n", '"rounds": [']
    pieces += _listed(_round(each, ids, matches) for each in _rounds(tournament))
    pieces += ["],\n", '"log": [', *_listed(_log(tournament, ids)), "],\n"]
    return pieces, matches


def _listed(values: Iterable[Json]) -> Iterator[str]:
    between = "\n"
    for value in values:
        yield between + _dumped(value)
        between = ",\n"


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _programs(tournament: Tournament) -> list[str]:
    """The accounts of programs among those who entered or sat at a table."""
    players = Player.objects.filter(is_bot=True)
    entered = players.filter(entries__tournament=tournament)
    beside = players.filter(partner_entries__tournament=tournament)
    sat = players.filter(table_seats__round__tournament=tournament)
    found = entered.union(beside, sat)
    return sorted(player.username for player in found)


def _entry(entry: Entry) -> Json:
    return {
        "player": entry.player.username,
        "partner": _name(entry.partner),
        "state": entry.state,
        "seed_rating": entry.seed_rating,
        "entered_at": _time(entry.created_at),
        "checked_in_at": _time(entry.checked_in_at),
        "withdrawn_at": _time(entry.withdrawn_at),
    }


def _stage(stage: Stage, ids: Ids) -> Json:
    entrants = stage.entrants.values_list("entry_id", "group", "seed")
    penalties = stage.penalties.select_related("given_by", "revoked_by")
    return settings_of(stage) | {
        "started_at": _time(stage.started_at),
        "plan": plan_with(stage.plan, stage.format, ids),
        "entrants": [{"entry": ids[entry], "group": group, "seed": seed} for entry, group, seed in entrants],
        "penalties": [_penalty(each, ids) for each in penalties],
    }


def _penalty(penalty: Penalty, ids: Ids) -> Json:
    return {
        "entry": ids[penalty.entry_id],
        "points": float(penalty.points),
        "reason": penalty.reason,
        "given_by": _name(penalty.given_by),
        "at": _time(penalty.created_at),
        "revoked_by": _name(penalty.revoked_by),
        "revoked_at": _time(penalty.revoked_at),
    }


def _rounds(tournament: Tournament) -> Iterator[Round]:
    """The rounds with all that is theirs, a few at a time."""
    results = TableResult.objects.select_related("entered_by", "match").order_by("pk")
    tables = Table.objects.order_by("number").prefetch_related(
        Prefetch("seats", TableSeat.objects.select_related("player").only(*SEAT).order_by("index")),
        Prefetch("results", results),
    )
    whole = tournament.rounds.defer(None).select_related("stage")
    found = whole.prefetch_related("byes", Prefetch("tables", tables))
    numbers = list(tournament.rounds.values_list("number", flat=True))
    for first in range(0, len(numbers), AT_ONCE):
        yield from found.filter(number__in=numbers[first : first + AT_ONCE])


def _round(round_: Round, ids: Ids, matches: list[str]) -> Json:
    return {
        "stage": round_.stage.number,
        "state": round_.state,
        "overlaps": round_.overlaps,
        "version": round_.version,
        "seed": round_.seed,
        "inputs": [inputs_with(each, ids) for each in round_.inputs],
        "report": [report_with(each, ids) for each in round_.report],
        "drawn_at": _time(round_.drawn_at),
        "published_at": _time(round_.published_at),
        "closed_at": _time(round_.closed_at),
        "byes": [ids[bye.entry_id] for bye in round_.byes.all()],
        "tables": [_table(table, ids, matches) for table in round_.tables.all()],
    }


def _table(table: Table, ids: Ids, matches: list[str]) -> Json:
    return {
        "group": table.group,
        "seats": [_seat(seat, ids) for seat in table.seats.all()],
        "results": [_result(result, matches) for result in table.results.all()],
    }


def _seat(seat: TableSeat, ids: Ids) -> Json:
    return {
        "entry": ids[seat.entry_id] if seat.entry_id else None,
        "member": seat.member,
        "player": _name(seat.player),
        "bot": seat.bot,
        "no_show_at": _time(seat.no_show_at),
    }


def _result(result: TableResult, matches: list[str]) -> Json:
    match = result.match
    if match is not None and match.status == Match.Status.FINISHED:
        matches.append(match.code)
    return {
        "scores": result.scores,
        "best_deals": result.best_deals,
        "source": result.source,
        "match": match and match.code,
        "cards": commitment(match.secret) if match else result.cards,
        "record": result.record,
        "entered_by": _name(result.entered_by),
        "reason": result.reason,
        "at": _time(result.created_at),
        "superseded_at": _time(result.superseded_at),
    }


def _log(tournament: Tournament, ids: Ids) -> Iterator[Json]:
    """The log, the oldest line first, without what is about webhooks."""
    lines = tournament.log.exclude(action__startswith="webhook_").order_by("pk")
    rows = lines.values_list("created_at", "actor__username", "action", "data").iterator()
    for at, actor, action, data in rows:
        yield {"at": _time(at), "actor": actor, "action": action, "data": line_with(action, data, ids)}


def _name(player: Player | None) -> str | None:
    return player.username if player else None


def _time(at: datetime | None) -> Any:
    return at and at.isoformat()

"""A tournament out of the document that another installation, or this one, has exported: docs/exchange.md.

It is checked as a whole before anything is stored, and stored as a whole. What was played is taken over as
facts: tables have results and no matches, and nothing of it is rated.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from itertools import islice
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, transaction
from django.db.models import Model

from games.models import Player, check_name
from games.selectors import players_called
from tournaments import checks
from tournaments.exchange import DOCUMENT, FIELDS, Json, inputs_with, line_with, plan_with, report_with
from tournaments.models import (
    AuditLog,
    Bye,
    Entry,
    Penalty,
    Round,
    RoundDate,
    Stage,
    StageEntry,
    Table,
    TableResult,
    TableSeat,
    Tournament,
)
from tournaments.services.audit import audit
from tournaments.services.life import check_settings, free_slug
from tournaments.services.stages import SETTINGS, made
from tournaments.settings import fields_of
from tournaments.shapes import Wrong, misfits
from trix_site.common.errors import BadRequest, Conflict, Missing, ProblemError
from trix_site.common.ids import new_code

MOST_TOLD = 5
IMPORTED = "imported_"
AT_ONCE = 5000  # rows
TIMES = ("created_at", "check_in_at", "started_at", "ended_at")

Row = TypeVar("Row", bound=Model)
Accounts = Mapping[str, Player]
"""The accounts here by their names in the document."""
Entries = Mapping[int, Entry]
"""By their numbers in the document."""


def import_tournament(
    document: Any,
    *,
    actor: Player,
    players: Mapping[str, str] | None = None,
    slug: str = "",
    create_players: bool = False,
) -> Tournament:
    """Make the tournament of an exported document, with `actor` as its organiser.

    `players`: names here for names in the document; all others who took part are the accounts of the same
    names. Where who entered a result has no account here, `actor` vouches for it. `create_players` makes
    accounts without passwords for who is missing. Raises BadRequest `bad_export` with `problems`, the first
    places that do not fit; Missing `no_such_player` with all `names` that are missing; Conflict
    `slug_taken`. All of it is stored, or nothing.
    """
    _refuse(misfits(lambda value, _: checks.version(value), document, 1))
    _refuse(misfits(DOCUMENT, document, MOST_TOLD))
    _refuse(list(islice(checks.together(document), MOST_TOLD)))
    try:
        with transaction.atomic():
            accounts = _accounts(document, players or {}, create_players)
            return _store(document, actor, accounts, slug)
    except (IntegrityError, DataError) as error:
        raise _bad(f"contradicts itself: {str(error).splitlines()[0]}") from error


def _refuse(wrong: list[Wrong]) -> None:
    if wrong:
        path, wanted = wrong[0]
        problems = [{"path": path, "wanted": wanted} for path, wanted in wrong]
        raise _bad(wanted, path, problems)


def _bad(wanted: str, path: str = "", problems: list[Json] | None = None) -> BadRequest:
    problems = problems or [{"path": path, "wanted": wanted}]
    return BadRequest("bad_export", f"{path or 'The document'} {wanted}.", problems=problems)


# Accounts


def _accounts(document: Json, players: Mapping[str, str], create: bool) -> Accounts:
    """The accounts of everyone in the document. Raises Missing unless all who took part are found.

    Who is named for other reasons, such as having entered a result, may be missing.
    """
    parts, others = checks.people(document)
    here = {name: players.get(name, name) for name in parts + others}
    found = players_called(here.values())
    if missing := [here[name] for name in parts if here[name] not in found]:
        if not create:
            names = ", ".join(missing[:20])
            detail = f"{len(missing)} who took part have no account here: {names}. Map them to accounts."
            raise Missing("no_such_player", detail, names=missing)
        found |= _new_accounts(missing, set(document["programs"]))
    accounts = {name: found[at] for name, at in here.items() if at in found}
    if len({accounts[name].pk for name in parts}) != len(parts):
        raise _bad("must lead different names to different accounts", "players")
    return accounts


def _new_accounts(names: Iterable[str], programs: set[str]) -> dict[str, Player]:
    for name in names:
        try:
            check_name(name)
        except ValidationError as error:
            raise _bad(f"must have names of accounts, not {name!r}", "entries") from error
    return {name: Player.objects.create_user(name, is_bot=name in programs) for name in names}


# Rows


def _store(document: Json, actor: Player, accounts: Accounts, slug: str) -> Tournament:
    tournament = _tournament(document, slug)
    tournament.organisers.add(actor)
    entries = _entries(document, tournament, accounts)
    stages = _stages(document, tournament, entries, accounts)
    _bulk(
        RoundDate(
            tournament=tournament,
            number=date["number"],
            starts_at=_time(date["starts_at"]),
            ends_at=_time(date["ends_at"]),
        )
        for date in document["dates"]
    )
    _rounds(document, tournament, stages, entries, accounts, actor)
    about = {name: document[name] for name in ("slug", "exported_at", "officials")}
    audit(tournament, actor, "imported", **about)
    _log(document, tournament, entries, accounts)
    return tournament


def _tournament(document: Json, slug: str) -> Tournament:
    """The tournament's row, checked as settings of a new one are, and stored."""
    fields = {name: document[name] for name in FIELDS} | fields_of(document["settings"])
    fields |= {name: _time(document[name]) for name in TIMES}
    tournament = Tournament(**fields | {"slug": slug or free_slug(document["name"].strip())})
    try:
        check_settings(tournament)
        made(tournament, [{name: stage[name] for name in SETTINGS} for stage in document["stages"]])
    except ProblemError as refused:
        raise _bad(f"must make sense: {refused.detail}", "settings") from refused
    if tournament.visibility == Tournament.Visibility.CODE:
        tournament.join_code = new_code()
    try:
        with transaction.atomic():
            tournament.save(force_insert=True)
    except IntegrityError as error:
        if Tournament.objects.filter(slug=tournament.slug).exists():
            detail = f"There is a tournament at {tournament.slug!r} already."
            raise Conflict("slug_taken", detail) from error
        raise
    return tournament


def _entries(document: Json, tournament: Tournament, accounts: Accounts) -> Entries:
    rows = [
        Entry(
            tournament=tournament,
            player=accounts[entry["player"]],
            partner=_account(accounts, entry["partner"]),
            state=entry["state"],
            seed_rating=entry["seed_rating"],
            created_at=_time(entry["entered_at"]),
            checked_in_at=_time(entry["checked_in_at"]),
            withdrawn_at=_time(entry["withdrawn_at"]),
        )
        for entry in document["entries"]
    ]
    return dict(enumerate(_bulk(rows), 1))


def _stages(document: Json, tournament: Tournament, entries: Entries, accounts: Accounts) -> list[Stage]:
    ids = {number: entry.pk for number, entry in entries.items()}
    stages = [
        Stage(
            tournament=tournament,
            number=number,
            **{name: stage[name] for name in SETTINGS},
            started_at=_time(stage["started_at"]),
            plan=plan_with(stage["plan"], stage["format"], ids),
        )
        for number, stage in enumerate(document["stages"], 1)
    ]
    _bulk(stages)
    for stage, told in zip(stages, document["stages"], strict=True):
        _bulk(
            StageEntry(stage=stage, entry=entries[each["entry"]], group=each["group"], seed=each["seed"])
            for each in told["entrants"]
        )
        _bulk(_penalty(each, stage, entries, accounts) for each in told["penalties"])
    return stages


def _penalty(told: Json, stage: Stage, entries: Entries, accounts: Accounts) -> Penalty:
    return Penalty(
        stage=stage,
        entry=entries[told["entry"]],
        points=Decimal(str(told["points"])),
        reason=told["reason"],
        given_by=_account(accounts, told["given_by"]),
        created_at=_time(told["at"]),
        revoked_by=_account(accounts, told["revoked_by"]),
        revoked_at=_time(told["revoked_at"]),
    )


def _rounds(
    document: Json,
    tournament: Tournament,
    stages: list[Stage],
    entries: Entries,
    accounts: Accounts,
    actor: Player,
) -> None:
    ids = {number: entry.pk for number, entry in entries.items()}
    for number, told in enumerate(document["rounds"], 1):
        round_ = Round.objects.create(
            tournament=tournament,
            stage=stages[told["stage"] - 1],
            number=number,
            state=told["state"],
            overlaps=told["overlaps"],
            version=told["version"],
            seed=told["seed"],
            inputs=[inputs_with(each, ids) for each in told["inputs"]],
            report=[report_with(each, ids) for each in told["report"]],
            drawn_at=_time(told["drawn_at"]),
            published_at=_time(told["published_at"]),
            closed_at=_time(told["closed_at"]),
        )
        _bulk(Bye(round=round_, entry=entries[entry]) for entry in told["byes"])
        tables = [
            Table(round=round_, number=place, group=table["group"])
            for place, table in enumerate(told["tables"], 1)
        ]
        seated = list(zip(_bulk(tables), told["tables"], strict=True))
        _bulk(seat for table, of in seated for seat in _seats(of, table, round_, entries, accounts))
        records = document["records"]
        _bulk(
            _result(each, table, accounts, actor, records) for table, of in seated for each in of["results"]
        )


def _seats(
    told: Json, table: Table, round_: Round, entries: Entries, accounts: Accounts
) -> Iterator[TableSeat]:
    for index, seat in enumerate(told["seats"]):
        yield TableSeat(
            round=round_,
            table=table,
            index=index,
            entry=entries[seat["entry"]] if seat["entry"] else None,
            member=seat["member"],
            player=_account(accounts, seat["player"]),
            bot=seat["bot"],
            no_show_at=_time(seat["no_show_at"]),
        )


def _result(
    told: Json, table: Table, accounts: Accounts, actor: Player, records: Mapping[str, str]
) -> TableResult:
    played = told["source"] == TableResult.Source.PLAYED
    return TableResult(
        table=table,
        scores=told["scores"],
        best_deals=told["best_deals"],
        source=told["source"],
        record=told["record"] or records.get(told["match"] or "", ""),
        cards=told["cards"],
        entered_by=None if played else _account(accounts, told["entered_by"]) or actor,
        reason=told["reason"],
        created_at=_time(told["at"]),
        superseded_at=_time(told["superseded_at"]),
    )


def _log(document: Json, tournament: Tournament, entries: Entries, accounts: Accounts) -> None:
    """The old log behind the line that tells of the import.

    Its actions are named so that no step here is decided by what was written elsewhere.
    """
    ids = {number: entry.pk for number, entry in entries.items()}
    _bulk(
        AuditLog(
            tournament=tournament,
            actor=_account(accounts, line["actor"]),
            action=f"{IMPORTED}{line['action'].removeprefix(IMPORTED)}"[:40],
            data={"by": line["actor"]} | line_with(line["action"], line["data"], ids),
            created_at=_time(line["at"]),
        )
        for line in document["log"]
    )


def _bulk(rows: Iterable[Row]) -> list[Row]:
    """Store new rows of one model in their order; with their keys."""
    made = list(rows)
    return type(made[0])._default_manager.bulk_create(made, batch_size=AT_ONCE) if made else []


def _account(accounts: Accounts, name: str | None) -> Player | None:
    return None if name is None else accounts.get(name)


def _time(text: str | None) -> Any:
    return None if text is None else datetime.fromisoformat(text)

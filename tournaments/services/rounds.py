"""A round's life: drawn → published → closed. A draw can be dropped until it is published."""

from collections.abc import Callable, Sequence

from django.db import transaction
from django.utils import timezone

from games.models import CLOCK_FIELDS, Match, Player, new_secret
from games.services.matches import create_matches, leave
from tournaments.draws import draw_inputs, places_of
from tournaments.models import Bye, Entry, Round, Stage, Table, TableSeat, Tournament
from tournaments.organisers import Right
from tournaments.plans import Plan, make_plan, planned
from tournaments.seating import Draw, DrawError, DrawInput, draw, evaluate
from tournaments.selectors import tables_of, unfinished_tables
from tournaments.services.audit import audit
from tournaments.services.locks import (
    lock_as,
    lock_round,
    require_no_open_round,
    require_no_replay,
    require_state,
)
from tournaments.services.news import announce_closed, announce_published
from tournaments.services.stages import current_stage, is_complete, next_stage
from trix_site.common.errors import AgainstRules, Conflict

# What a match has from its tournament.
SAME = (*CLOCK_FIELDS, "on_timeout", "bot_delay", "rated")

State = Tournament.State
DRAW_TRIES = 3
NAMED = 20  # tables of a refusal

Inputs = dict[int, DrawInput]
"""What a round is drawn from, by group."""


def draw_round(*, slug: str, actor: Player | None) -> Round:
    """Draw the next round; nobody else sees it before it is published.

    Tables are sought without a lock, as that may take seconds, and stored if the facts are still the same.
    Raises Conflict `round_open` (one is drawn or played already), `all_rounds_drawn`, `arena_seats_itself`,
    `tables_unfinished` (a knockout waits for replays), `wrong_state`, `facts_changed`; AgainstRules
    `everyone_withdrew`, `too_few_for_byes`. Nothing is stored unless the whole draw is.
    """
    for _ in range(DRAW_TRIES):
        with transaction.atomic():
            tournament = lock_as(Right.RUN, slug, actor)
            stage, inputs = _inputs(tournament)
        plan = _plan(stage, inputs)
        drawn = {group: _planned_or_drawn(stage, plan, group, each) for group, each in inputs.items()}
        if not any(each.tables for each, _ in drawn.values()):
            detail = f"With byes a table takes {places_of(stage)} entries, and no group has as many."
            raise AgainstRules("too_few_for_byes", detail)
        with transaction.atomic():
            tournament = lock_as(Right.RUN, slug, actor)
            if _inputs(tournament) == (stage, inputs):
                return _store_drawn(tournament, stage, actor, inputs, drawn, plan)
    raise Conflict("facts_changed", "Results or entries changed while the tables were sought; draw again.")


def _inputs(tournament: Tournament) -> tuple[Stage, Inputs]:
    """The stage and what its next round is to be drawn from, for each group that anyone is left in."""
    require_state(tournament, State.RUNNING)
    number, stage = _next_number(tournament), current_stage(tournament)
    assert stage is not None
    seed = tournament.draw_seed()
    groups = {group: draw_inputs(stage, group, number, seed) for group in range(1, stage.groups + 1)}
    if not any(each.entrants for each in groups.values()):
        raise AgainstRules("everyone_withdrew", "There is nobody to seat: everyone has withdrawn.")
    return stage, {group: each for group, each in groups.items() if each.entrants}


def _plan(stage: Stage, inputs: Inputs) -> dict[str, Plan | None]:
    """The plan of a round robin, by group; until its first round has been played it is made anew."""
    if stage.format != Stage.Format.ROUND_ROBIN:
        return {}
    if stage.plan and stage.played.exists():
        return stage.plan
    assert stage.rounds is not None
    return {str(group): make_plan(each, stage.rounds) for group, each in inputs.items()}


def _planned_or_drawn(
    stage: Stage, plan: dict[str, Plan | None], group: int, inputs: DrawInput
) -> tuple[Draw, bool]:
    """The tables of a group, and whether they are its plan's. A group too small for a table sits out."""
    found = planned(plan.get(str(group)), stage.played.count(), inputs)
    if found is not None:
        return found, True
    ids = tuple(entrant.id for entrant in inputs.entrants)
    if inputs.fill == "byes" and len(ids) < places_of(stage):
        return Draw((), evaluate(inputs, (), ids), ids), False
    return draw_or_refuse(inputs), False


def draw_or_refuse(inputs: DrawInput) -> Draw:
    """The draw. Raises AgainstRules with the code of what cannot be drawn."""
    try:
        return draw(inputs)
    except DrawError as error:
        raise AgainstRules(error.code, str(error)) from error


def _store_drawn(
    tournament: Tournament,
    stage: Stage,
    actor: Player | None,
    inputs: Inputs,
    drawn: dict[int, tuple[Draw, bool]],
    plan: dict[str, Plan | None],
) -> Round:
    """Store a draw of a locked tournament, with the plan that it follows."""
    if plan and not stage.played.exists():
        stage.plan = plan
        stage.save(update_fields=["plan"])
    draws = {group: each for group, (each, _) in drawn.items()}
    from_plan = {group: followed for group, (_, followed) in drawn.items()}
    return store_draw(tournament, stage, actor, inputs, draws, from_plan)


def store_draw(
    tournament: Tournament,
    stage: Stage,
    actor: Player | None,
    inputs: Inputs,
    drawn: dict[int, Draw],
    from_plan: dict[int, bool],
    **more: object,
) -> Round:
    """Store a draw of a locked tournament. Constraints are the last guard against a second one."""
    reports = [
        {"group": group, **each.report.as_dict(), "from_plan": from_plan.get(group, False)}
        for group, each in drawn.items()
    ]
    round_ = Round.objects.create(
        tournament=tournament,
        stage=stage,
        number=following(tournament),
        seed=tournament.draw_seed(),
        inputs=[{"group": group, **each.as_dict()} for group, each in inputs.items()],
        report=reports,
        **more,
    )
    _seat(round_, drawn, {group for group, each in inputs.items() if each.fill == "bots"})
    tournament.draws_made += 1
    tournament.save(update_fields=["draws_made"])
    tables = [table for each in drawn.values() for table in each.tables]
    audit(tournament, actor, "round_drawn", round=round_.number, seed=round_.seed, tables=tables)
    return round_


def drop_draw(*, slug: str, number: int, actor: Player | None) -> None:
    """Forget a draw that was not published. The next one has another seed. Raises Conflict `published`."""
    with transaction.atomic():
        tournament = lock_as(Right.RUN, slug, actor)
        round_ = lock_round(tournament, number)
        require_drawn(round_)
        round_.delete()
        audit(tournament, actor, "draw_dropped", round=number, seed=round_.seed)


def publish_round(
    *, slug: str, number: int, actor: Player | None, secret_for: Callable[[Table], bytes] | None = None
) -> Round:
    """Show a draw to everyone and start the matches of all its tables, or of none.

    `secret_for` is for simulations, whose cards must follow from their seed.
    Raises Conflict `published` the second time, `drawn_player_withdrew` if the draw no longer fits.
    """
    with transaction.atomic():
        tournament = lock_as(Right.RUN, slug, actor)
        require_state(tournament, State.RUNNING)
        round_ = lock_round(tournament, number)
        require_drawn(round_)
        return start_tables(tournament, round_, actor, secret_for)


def start_tables(
    tournament: Tournament,
    round_: Round,
    actor: Player | None,
    secret_for: Callable[[Table], bytes] | None = None,
) -> Round:
    """Publish a drawn round of a locked tournament."""
    tables = list(tables_of(round_))
    _require_all_active(round_, tables)
    secret_for = secret_for or _new_secrets(tournament.same_cards)
    full = [table for table in tables if not has_empty_seat(table)]
    matches = start_matches(tournament, [(table, secret_for(table)) for table in full], actor)
    for table, match in zip(full, matches, strict=True):
        table.match = match
    Table.objects.bulk_update(tables, ["match"], batch_size=500)
    round_.state, round_.published_at = Round.State.PUBLISHED, timezone.now()
    round_.save(update_fields=["state", "published_at"])
    audit(tournament, actor, "round_published", round=round_.number)
    announce_published(tournament, round_, tables)
    return round_


def close_round(*, slug: str, number: int, actor: Player | None) -> Round:
    """Let a round's results count. Raises Conflict `tables_unfinished` with their numbers."""
    with transaction.atomic():
        tournament = lock_as(Right.RUN, slug, actor)
        require_state(tournament, State.RUNNING)
        round_ = lock_round(tournament, number)
        if round_.state != Round.State.PUBLISHED:
            raise Conflict("not_published", f"Round {number} is {round_.state}, not being played.")
        if unfinished := unfinished_tables(round_):
            more = f" and {len(unfinished) - NAMED} more" if len(unfinished) > NAMED else ""
            names = ", ".join(map(str, unfinished[:NAMED]))
            raise Conflict("tables_unfinished", f"No result yet at table {names}{more}.", tables=unfinished)
        round_.state, round_.closed_at = Round.State.CLOSED, timezone.now()
        round_.save(update_fields=["state", "closed_at"])
        audit(tournament, actor, "round_closed", round=number)
        announce_closed(tournament, round_)
        return round_


def _next_number(tournament: Tournament) -> int:
    """The number of the round to draw. Raises Conflict while one is open, or where there is none."""
    stage = current_stage(tournament)
    if stage and stage.format == Stage.Format.ARENA:
        raise Conflict("arena_seats_itself", "An arena seats who is free by itself: no round is drawn.")
    require_no_open_round(tournament)
    if stage and stage.format == Stage.Format.KNOCKOUT:
        require_no_replay(tournament)
    if stage and is_complete(stage):
        following_stage = next_stage(tournament)
        then = f"start stage {following_stage.number}" if following_stage else "finish the tournament"
        raise Conflict("all_rounds_drawn", f"All rounds of stage {stage.number} were played: {then}.")
    return following(tournament)


def following(tournament: Tournament) -> int:
    """The number after that of the last round."""
    last = tournament.rounds.last()
    return 1 + last.number if last else 1


def _seat(round_: Round, drawn: dict[int, Draw], with_bots: set[int]) -> None:
    """Store the tables of a draw, group by group, numbered through, and who sits out.

    `with_bots`: the groups in which bots take the empty places.
    """
    seated = [(group, seats) for group, each in drawn.items() for seats in each.tables]
    tables = Table.objects.bulk_create(
        Table(round=round_, number=number, group=group) for number, (group, _) in enumerate(seated, 1)
    )
    entries = round_.tournament.entries.in_bulk()
    level = round_.tournament.bot_level
    TableSeat.objects.bulk_create(
        _table_seat(
            table,
            index,
            entries.get(entry),
            seats.index(entry) != index,
            level if group in with_bots else "",
        )
        for table, (group, seats) in zip(tables, seated, strict=True)
        for index, entry in enumerate(seats)
    )
    byes = [entry for each in drawn.values() for entry in each.byes]
    Bye.objects.bulk_create(Bye(round=round_, entry_id=entry) for entry in byes)


def _table_seat(table: Table, index: int, entry: Entry | None, second: bool, bot: str) -> TableSeat:
    """A seat of a drawn table; `second`: of the second of a pair."""
    if entry is None:
        return TableSeat(round_id=table.round_id, table=table, index=index, bot=bot)
    player = entry.partner_id if second else entry.player_id
    return TableSeat(
        round_id=table.round_id, table=table, index=index, entry=entry, member=int(second), player_id=player
    )


def require_drawn(round_: Round) -> None:
    if round_.state != Round.State.DRAWN:
        detail = f"Round {round_.number} was published already; its draw stays."
        raise Conflict("published", detail, state=round_.state)


def _require_all_active(round_: Round, tables: Sequence[Table]) -> None:
    """A draw that seats someone who has withdrawn since must not become announced seats."""
    if gone := _gone(round_, tables):
        detail = f"{', '.join(gone)} withdrew after the draw; drop it and draw again."
        raise Conflict("drawn_player_withdrew", detail, players=gone)


def gone_from(round_: Round) -> list[str]:
    """Who was drawn to a seat of the round, or to sit it out, and has left since."""
    return _gone(round_, list(tables_of(round_)))


def _gone(round_: Round, tables: Sequence[Table]) -> list[str]:
    seats = [seat for table in tables for seat in table.seats.all()]
    byes = round_.byes.select_related("entry__player", "entry__partner")
    left = [s.drawn.username for s in seats if s.drawn and s.entry and s.entry.state != Entry.State.ACTIVE]
    return [*left, *(b.entry.name for b in byes if b.entry.state != Entry.State.ACTIVE)]


def has_empty_seat(table: Table) -> bool:
    """Whether fewer than four play there, which no match here can."""
    return any(seat.is_empty for seat in table.seats.all())


def _new_secrets(same_cards: bool) -> Callable[[Table], bytes]:
    """A secret a table, or one for all of them, so that they play the same cards."""
    shared = new_secret()
    return lambda table: shared if same_cards else new_secret()


def leave_for_the_gone(table: Table) -> None:
    """At a table that has just begun, hand the seats of those who have left the tournament to bots."""
    assert table.match
    for seat in table.seats.filter(entry__state__in=Entry.LEFT).select_related("player", "entry"):
        if seat.player and not seat.stands_in_for:
            leave(match_code=table.match.code, player=seat.player)


def start_matches(
    tournament: Tournament, tables: Sequence[tuple[Table, bytes]], actor: Player | None
) -> list[Match]:
    """A match for each of these tables, of the cards of its secret."""
    sitters = [[seat.player or seat.bot for seat in table.seats.all()] for table, _ in tables]
    return create_matches(
        rules=tournament.rules,
        options=tournament.options,
        tables=[(seats, secret) for seats, (_, secret) in zip(sitters, tables, strict=True)],
        created_by=actor,
        **{name: getattr(tournament, name) for name in SAME},
    )

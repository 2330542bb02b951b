"""A round's life: drawn → published → closed. A draw can be dropped until it is published."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from django.db import transaction
from django.utils import timezone

from games.models import CLOCK_FIELDS, Match, Player, new_secret
from games.services.matches import create_match
from tournaments.models import Bye, Entry, Round, Table, TableSeat, Tournament
from tournaments.organisers import Right
from tournaments.seating import Draw, DrawInput, draw
from tournaments.selectors import draw_inputs, tables_of, unfinished_tables
from tournaments.services.audit import audit
from tournaments.services.life import finish
from tournaments.services.locks import lock_as, lock_round, lock_tournament, require_state
from tournaments.services.news import announce_closed, announce_published
from tournaments.services.stages import current_stage, is_complete
from trix_site.common.errors import AgainstRules, Conflict

# What a match has from its tournament.
SAME = (*CLOCK_FIELDS, "on_timeout", "bot_delay", "rated")

State = Tournament.State
DRAW_TRIES = 3


def draw_round(*, slug: str, actor: Player | None) -> Round:
    """Draw the next round; nobody else sees it before it is published.

    Tables are sought without a lock, as that may take seconds, and stored if the facts are still the same.
    Raises Conflict `round_open` (one is drawn or played already), `all_rounds_drawn`, `wrong_state`,
    `facts_changed`; AgainstRules `everyone_withdrew`. Nothing is stored unless the whole draw is.
    """
    for _ in range(DRAW_TRIES):
        with transaction.atomic():
            inputs = _inputs(lock_as(Right.RUN, slug, actor))
        drawn = {group: draw(each) for group, each in inputs.items()}
        with transaction.atomic():
            tournament = lock_as(Right.RUN, slug, actor)
            if _inputs(tournament) == inputs:
                return _store(tournament, actor, inputs, drawn)
    raise Conflict("facts_changed", "Results or entries changed while the tables were sought; draw again.")


def _inputs(tournament: Tournament) -> dict[int, DrawInput]:
    """What the next round is to be drawn from, by group, for each that anyone is left in."""
    require_state(tournament, State.RUNNING)
    number, stage = _next_number(tournament), current_stage(tournament)
    assert stage is not None
    seed = tournament.draw_seed()
    groups = {group: draw_inputs(stage, group, number, seed) for group in range(1, stage.groups + 1)}
    if not any(each.entrants for each in groups.values()):
        raise AgainstRules("everyone_withdrew", "There is nobody to seat: everyone has withdrawn.")
    return {group: each for group, each in groups.items() if each.entrants}


def _store(
    tournament: Tournament, actor: Player | None, inputs: dict[int, DrawInput], drawn: dict[int, Draw]
) -> Round:
    """Store a draw of a locked tournament. Constraints are the last guard against a second one."""
    stage = current_stage(tournament)
    assert stage is not None
    round_ = Round.objects.create(
        tournament=tournament,
        stage=stage,
        number=_next_number(tournament),
        seed=tournament.draw_seed(),
        inputs=[{"group": group, **each.as_dict()} for group, each in inputs.items()],
        report=[{"group": group, **each.report.as_dict()} for group, each in drawn.items()],
    )
    _seat(round_, drawn)
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
        _require_drawn(round_)
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
        _require_drawn(round_)
        tables = list(tables_of(round_))
        _require_all_active(tables)
        secret_for = secret_for or _new_secrets(tournament.same_cards)
        for table in tables:
            if not _has_empty_seat(table):
                table.match = _start_match(tournament, table, actor, secret_for(table))
        Table.objects.bulk_update(tables, ["match"], batch_size=500)
        round_.state, round_.published_at = Round.State.PUBLISHED, timezone.now()
        round_.save(update_fields=["state", "published_at"])
        audit(tournament, actor, "round_published", round=number)
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
            names = ", ".join(map(str, unfinished))
            raise Conflict("tables_unfinished", f"No result yet at table {names}.", tables=unfinished)
        round_.state, round_.closed_at = Round.State.CLOSED, timezone.now()
        round_.save(update_fields=["state", "closed_at"])
        audit(tournament, actor, "round_closed", round=number)
        announce_closed(tournament, round_)
        return round_


def advance(slug: str) -> None:
    """Take the steps that an automatic tournament is ready for, if there are any. Harmless at any time.

    Each is a transaction of its own: a step that cannot be taken does not take back those before it.
    """
    while _advance(slug):
        pass


def _advance(slug: str) -> bool:
    """Take the next step; whether there was one. Of two at once one is told that it was done."""
    with transaction.atomic():
        step = _next_step(lock_tournament(slug))
    if step is not None:
        with suppress(Conflict):
            step(slug=slug, actor=None)
    return step is not None


def _next_step(tournament: Tournament) -> Callable[..., object] | None:
    """What an automatic tournament is ready for; None while it is played."""
    if not tournament.automatic or tournament.state != State.RUNNING:
        return None
    last = tournament.rounds.last()
    if last is not None and last.state != Round.State.CLOSED:
        return _step_of_round(last)
    stage = current_stage(tournament)
    assert stage is not None
    if tournament.entries.filter(state=Entry.State.ACTIVE).exists() and not is_complete(stage):
        return draw_round
    # Everyone who withdrew before the first round may still be brought back.
    return finish if last is not None else None


def _step_of_round(round_: Round) -> Callable[..., object] | None:
    """What comes next for a round that is not closed; None while it is played."""
    if round_.state == Round.State.DRAWN:
        return partial(drop_draw if _gone(list(tables_of(round_))) else publish_round, number=round_.number)
    return None if unfinished_tables(round_) else partial(close_round, number=round_.number)


def _next_number(tournament: Tournament) -> int:
    """The number of the round to draw. Raises Conflict while one is open, or after the last."""
    last = tournament.rounds.last()
    if last is None:
        return 1
    if last.state != Round.State.CLOSED:
        detail = f"Round {last.number} is {last.state}; it must be closed, or its draw dropped, first."
        raise Conflict("round_open", detail, round=last.number)
    stage = current_stage(tournament)
    if stage and is_complete(stage):
        raise Conflict("all_rounds_drawn", f"All rounds of stage {stage.number} were played.")
    return last.number + 1


def _seat(round_: Round, drawn: dict[int, Draw]) -> None:
    """Store the tables of a draw, group by group, numbered through, and who sits out."""
    seated = [(group, seats) for group, each in drawn.items() for seats in each.tables]
    tables = Table.objects.bulk_create(
        Table(round=round_, number=number, group=group) for number, (group, _) in enumerate(seated, 1)
    )
    entries = round_.tournament.entries.in_bulk()
    bot = round_.tournament.bot_level if round_.tournament.fill == Tournament.Fill.BOTS else ""
    TableSeat.objects.bulk_create(
        _table_seat(table, index, entries.get(entry), seats.index(entry) != index, bot)
        for table, (_, seats) in zip(tables, seated, strict=True)
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


def _require_drawn(round_: Round) -> None:
    if round_.state != Round.State.DRAWN:
        detail = f"Round {round_.number} was published already; its draw stays."
        raise Conflict("published", detail, state=round_.state)


def _require_all_active(tables: Sequence[Table]) -> None:
    """A draw that seats someone who has withdrawn since must not become announced seats."""
    if gone := _gone(tables):
        detail = f"{', '.join(gone)} withdrew after the draw; drop it and draw again."
        raise Conflict("drawn_player_withdrew", detail, players=gone)


def _gone(tables: Sequence[Table]) -> list[str]:
    """Who was drawn to a seat and has left since."""
    return [s.name for t in tables for s in t.seats.all() if s.entry and s.entry.state != Entry.State.ACTIVE]


def _has_empty_seat(table: Table) -> bool:
    """Whether fewer than four play there, which no match here can."""
    return any(seat.player_id is None and not seat.bot for seat in table.seats.all())


def _new_secrets(same_cards: bool) -> Callable[[Table], bytes]:
    """A secret a table, or one for all of them, so that they play the same cards."""
    shared = new_secret()
    return lambda table: shared if same_cards else new_secret()


def _start_match(tournament: Tournament, table: Table, actor: Player | None, secret: bytes) -> Match:
    return create_match(
        rules=tournament.rules,
        options=tournament.options,
        seats=[seat.player or seat.bot for seat in table.seats.all()],
        created_by=actor,
        secret=secret,
        **{name: getattr(tournament, name) for name in SAME},
    )

"""A round's life: drawn → published → closed. A draw can be dropped until it is published."""

from collections.abc import Callable, Sequence

from django.db import transaction
from django.utils import timezone

from games.models import CLOCK_FIELDS, Match, Player, new_secret
from games.services.matches import create_match
from tournaments.models import Entry, Round, Table, TableSeat, Tournament
from tournaments.seating import Draw, draw
from tournaments.selectors import draw_inputs, tables_of, unfinished_tables
from tournaments.services.audit import audit
from tournaments.services.life import finish
from tournaments.services.locks import lock_as_organiser, lock_round, lock_tournament, require_state
from tournaments.services.news import announce_closed, announce_published
from trix_site.common.errors import AgainstRules, Conflict

# What a match has from its tournament.
SAME = (*CLOCK_FIELDS, "on_timeout", "bot_delay", "rated")

State = Tournament.State


def draw_round(*, slug: str, actor: Player | None) -> Round:
    """Draw the next round; nobody else sees it before it is published.

    Raises Conflict `round_open` (one is drawn or played already), `all_rounds_drawn`, `wrong_state`;
    AgainstRules `everyone_withdrew`. Nothing is stored unless the whole draw is.
    """
    with transaction.atomic():
        tournament = lock_as_organiser(slug, actor)
        require_state(tournament, State.RUNNING)
        number = _next_number(tournament)
        inputs = draw_inputs(tournament, number, tournament.draw_seed())
        if not inputs.entrants:
            raise AgainstRules("everyone_withdrew", "There is nobody to seat: everyone has withdrawn.")
        drawn = draw(inputs)
        round_ = Round.objects.create(
            tournament=tournament,
            number=number,
            seed=inputs.seed,
            inputs=inputs.as_dict(),
            report=drawn.report.as_dict(),
        )
        _seat(round_, drawn, tournament.bot_level)
        tournament.draws_made += 1
        tournament.save(update_fields=["draws_made"])
        audit(tournament, actor, "round_drawn", round=number, seed=inputs.seed, tables=drawn.tables)
        return round_


def drop_draw(*, slug: str, number: int, actor: Player | None) -> None:
    """Forget a draw that was not published. The next one has another seed. Raises Conflict `published`."""
    with transaction.atomic():
        tournament = lock_as_organiser(slug, actor)
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
        tournament = lock_as_organiser(slug, actor)
        require_state(tournament, State.RUNNING)
        round_ = lock_round(tournament, number)
        _require_drawn(round_)
        tables = list(tables_of(round_))
        _require_all_active(tables)
        secret_for = secret_for or _new_secrets(tournament.same_cards)
        for table in tables:
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
        tournament = lock_as_organiser(slug, actor)
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


@transaction.atomic
def _advance(slug: str) -> bool:
    """Take the next step; whether there was one."""
    tournament = lock_tournament(slug)
    if not tournament.automatic or tournament.state != State.RUNNING:
        return False
    last = tournament.rounds.last()
    if last is not None and last.state != Round.State.CLOSED:
        step = _step_of_round(last)
        if step is not None:
            step(slug=slug, number=last.number, actor=None)
        return step is not None
    someone = tournament.entries.filter(state=Entry.State.ACTIVE).exists()
    if someone and (last is None or last.number < tournament.rounds_planned):
        draw_round(slug=slug, actor=None)
    elif last is not None:
        finish(slug=slug, actor=None)
    else:
        return False  # Everyone withdrew before the first round, and may still be brought back.
    return True


def _step_of_round(round_: Round) -> Callable[..., object] | None:
    """What comes next for a round that is not closed; None while it is played."""
    if round_.state == Round.State.PUBLISHED:
        return None if unfinished_tables(round_) else close_round
    return drop_draw if _withdrawn(list(tables_of(round_))) else publish_round


def _next_number(tournament: Tournament) -> int:
    """The number of the round to draw. Raises Conflict while one is open, or after the last."""
    last = tournament.rounds.last()
    if last is None:
        return 1
    if last.state != Round.State.CLOSED:
        detail = f"Round {last.number} is {last.state}; it must be closed, or its draw dropped, first."
        raise Conflict("round_open", detail, round=last.number)
    if last.number >= tournament.rounds_planned:
        raise Conflict("all_rounds_drawn", f"All {tournament.rounds_planned} rounds were played.")
    return last.number + 1


def _seat(round_: Round, drawn: Draw, bot_level: str) -> None:
    tables = Table.objects.bulk_create(
        Table(round=round_, number=number) for number in range(1, len(drawn.tables) + 1)
    )
    TableSeat.objects.bulk_create(
        TableSeat(round=round_, table=table, index=index, entry_id=entry, bot="" if entry else bot_level)
        for table, seats in zip(tables, drawn.tables, strict=True)
        for index, entry in enumerate(seats)
    )


def _require_drawn(round_: Round) -> None:
    if round_.state != Round.State.DRAWN:
        detail = f"Round {round_.number} was published already; its draw stays."
        raise Conflict("published", detail, state=round_.state)


def _require_all_active(tables: Sequence[Table]) -> None:
    """A draw that seats someone who has withdrawn since must not become announced seats."""
    if gone := _withdrawn(tables):
        detail = f"{', '.join(gone)} withdrew after the draw; drop it and draw again."
        raise Conflict("drawn_player_withdrew", detail, players=gone)


def _withdrawn(tables: Sequence[Table]) -> list[str]:
    """Who was drawn to a seat and has withdrawn since."""
    return [s.name for t in tables for s in t.seats.all() if s.entry and s.entry.state != Entry.State.ACTIVE]


def _new_secrets(same_cards: bool) -> Callable[[Table], bytes]:
    """A secret a table, or one for all of them, so that they play the same cards."""
    shared = new_secret()
    return lambda table: shared if same_cards else new_secret()


def _start_match(tournament: Tournament, table: Table, actor: Player | None, secret: bytes) -> Match:
    return create_match(
        rules=tournament.rules,
        options=tournament.options,
        seats=[seat.entry.player if seat.entry else seat.bot for seat in table.seats.all()],
        created_by=actor,
        secret=secret,
        **{name: getattr(tournament, name) for name in SAME},
    )

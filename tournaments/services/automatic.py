"""Tournaments, and arenas in any, that run by themselves: the step that comes next, until there is none."""

from collections import Counter
from collections.abc import Callable
from functools import partial

from django.db import transaction

from tournaments.draws import entrants_of, fill_of, places_of, still_in
from tournaments.models import Round, Stage, Tournament
from tournaments.selectors import replaying, unfinished_tables
from tournaments.services.arenas import next_step_of_arena, seat_wave
from tournaments.services.cuts import start_stage
from tournaments.services.dates import may_draw, may_publish
from tournaments.services.life import finish
from tournaments.services.locks import lock_tournament
from tournaments.services.rounds import (
    close_round,
    draw_round,
    drop_draw,
    following,
    gone_from,
    publish_round,
)
from tournaments.services.stages import current_stage, is_complete, next_stage
from trix_site.common.errors import Conflict

State = Tournament.State
Format = Stage.Format

Step = Callable[..., object]
SEEKING: tuple[Step, ...] = (draw_round, seat_wave)


def advance(slug: str) -> None:
    """Take the steps that an automatic tournament is ready for, if there are any. Harmless at any time.

    Each is a transaction of its own: a step that cannot be taken does not take back those before it.
    """
    while _advance(slug):
        pass


def _advance(slug: str) -> bool:
    """Take the next step; whether it was taken. Of two at once one is told that it was done, and stops.

    Nobody changes between the decision and the step what it follows from, such as a date or the number of
    rounds, but for those that seek tables without the lock: they look again themselves.
    """
    try:
        with transaction.atomic():
            step = _next_step(lock_tournament(slug))
            if step is None:
                return False
            if step not in SEEKING:
                step(slug=slug, actor=None)
        if step in SEEKING:
            step(slug=slug, actor=None)
    except Conflict:
        return False
    return True


def _next_step(tournament: Tournament) -> Step | None:
    """What a tournament is ready for; None while it is played."""
    stage = current_stage(tournament)
    if stage is None or tournament.state != State.RUNNING:
        return None
    if stage.format == Format.ARENA:
        return _step_after(stage) if is_complete(stage) else next_step_of_arena(stage)
    return _step_of_rounds(tournament, stage) if tournament.automatic else None


def _step_of_rounds(tournament: Tournament, stage: Stage) -> Step | None:
    last = tournament.rounds.last()
    if last is not None and last.state != Round.State.CLOSED:
        return _step_of_round(tournament, last)
    if stage.format == Format.KNOCKOUT and replaying(tournament):
        return None
    if _can_play(stage) and not is_complete(stage):
        return draw_round if may_draw(tournament, following(tournament)) else None
    return _step_after(stage)


def _step_after(stage: Stage) -> Step | None:
    """What follows a stage of which nothing is left to play."""
    tournament = stage.tournament
    if replaying(tournament):
        return None
    if next_stage(tournament) and stage.played.exists() and len(entrants_of(stage)) > 1:
        return start_stage
    # Everyone who withdrew before the first round may still be brought back.
    return finish if tournament.rounds.exists() else None


def _can_play(stage: Stage) -> bool:
    """Whether enough are left for a table."""
    left = still_in(stage) if stage.format == Format.KNOCKOUT else entrants_of(stage)
    fullest = max(Counter(each.group for each in left).values(), default=0)
    return fullest >= (places_of(stage) if fill_of(stage, fullest) == "byes" else 1)


def _step_of_round(tournament: Tournament, round_: Round) -> Step | None:
    """What comes next for a round that is not closed; None while it is played, or before its date."""
    if round_.state == Round.State.DRAWN:
        if gone_from(round_):
            return partial(drop_draw, number=round_.number)
        return (
            partial(publish_round, number=round_.number) if may_publish(tournament, round_.number) else None
        )
    return None if unfinished_tables(round_) else partial(close_round, number=round_.number)

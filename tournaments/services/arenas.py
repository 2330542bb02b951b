"""Arenas: whoever is free is seated again, wave after wave, until the time is up.

A wave is a round that overlaps others. It is drawn and published at once, and closed as soon as all its
tables have a result. Nobody has to press anything.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.models import Player
from tournaments.draws import arena_inputs, free_entries, last_table, places_of
from tournaments.models import Round, Stage, Tournament
from tournaments.organisers import Right
from tournaments.seating import DrawInput
from tournaments.selectors import tables_without_result
from tournaments.services.locks import lock_as
from tournaments.services.rounds import (
    DRAW_TRIES,
    close_round,
    draw_or_refuse,
    following,
    start_tables,
    store_draw,
)
from tournaments.services.stages import current_stage, time_is_up
from trix_site.common.errors import Conflict

PATIENCE = timedelta(seconds=30)  # how long one waits for other players before bots come


def next_step_of_arena(stage: Stage) -> Callable[..., object] | None:
    """What an arena, whose tournament is locked, is ready for: a wave to close, or one to seat."""
    unfinished = tables_without_result().filter(round=OuterRef("pk"))
    over = stage.played.filter(~Exists(unfinished), state=Round.State.PUBLISHED).first()
    if over is not None:
        return partial(close_round, number=over.number)
    return seat_wave if whom_to_seat(stage, timezone.now()) else None


def seat_wave(*, slug: str, actor: Player | None) -> Round | None:
    """Seat who is free and has waited long enough, if anyone; None if not.

    The draw is sought without a lock. Raises Conflict `facts_changed`.
    """
    for _ in range(DRAW_TRIES):
        with transaction.atomic():
            inputs = _inputs(lock_as(Right.RUN, slug, actor))
        if inputs is None:
            return None
        drawn = draw_or_refuse(inputs)
        with transaction.atomic():
            tournament = lock_as(Right.RUN, slug, actor)
            if _inputs(tournament) == inputs:
                stage = current_stage(tournament)
                assert stage is not None
                wave = store_draw(tournament, stage, actor, {1: inputs}, {1: drawn}, {}, overlaps=True)
                return start_tables(tournament, wave, actor)
    raise Conflict("facts_changed", "Results or entries changed while the tables were sought.")


def _inputs(tournament: Tournament) -> DrawInput | None:
    """What the next wave is to be drawn from; None if there is none to seat."""
    stage = current_stage(tournament)
    if tournament.state != Tournament.State.RUNNING or stage is None or stage.format != Stage.Format.ARENA:
        return None
    entries = whom_to_seat(stage, timezone.now())
    if not entries:
        return None
    return arena_inputs(stage, entries, following(tournament), tournament.draw_seed())


def whom_to_seat(stage: Stage, now: datetime) -> list[int]:
    """The entries of the next wave of an arena, whose tournament is locked: none if it is to wait.

    Full tables of those who have waited longest; bots come to whom nobody has joined for a while. Four who
    have just played together wait a while, too, for somebody else.
    """
    if time_is_up(stage):
        return []
    since = _waiting(stage, now)
    longest_first = sorted(since, key=lambda entry: (since[entry], entry))
    size = places_of(stage)
    whole = longest_first[: len(since) - len(since) % size]
    patient = not since or now - min(since.values()) < PATIENCE
    if len(whole) == size and patient and _together(stage, whole):
        return []
    if whole:
        return whole
    return [] if patient or stage.tournament.fill != Tournament.Fill.BOTS else longest_first


def _together(stage: Stage, entries: list[int]) -> bool:
    """Whether all of them sat at one table last."""
    tables = last_table(stage, entries)
    return len(tables) == len(entries) and len(set(tables.values())) == 1


def _waiting(stage: Stage, now: datetime) -> dict[int, datetime]:
    """Since when each free entry waits: since it was first seen to be free, which the stage remembers."""
    known = {int(entry): at for entry, at in (stage.plan or {}).items()}
    since = {entry: known.get(entry, now.isoformat()) for entry in free_entries(stage)}
    if since != known:
        stage.plan = {str(entry): at for entry, at in since.items()}
        stage.save(update_fields=["plan"])
    return {entry: datetime.fromisoformat(at) for entry, at in since.items()}

"""Stages: what a tournament's formats are to be, and how one begins."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from games.models import Player
from tournaments.draws import is_decided
from tournaments.models import MOST_STAGES, MOST_WAVES, Entry, Round, Stage, StageEntry, Tournament
from tournaments.organisers import Right
from tournaments.services.audit import audit
from tournaments.services.locks import lock_as, require_state
from trix_site.common.errors import BadRequest, Conflict

State = Tournament.State
Format = Stage.Format
SETTINGS = ("format", "rounds", "groups", "cut", "advance", "minutes")
CHANGEABLE = frozenset({"rounds", "minutes"})  # of a stage that has begun

DEFAULT: Sequence[Mapping[str, Any]] = ({"format": Format.SWISS, "rounds": 5},)


def set_stages(*, slug: str, actor: Player | None, stages: Sequence[Mapping[str, Any]]) -> Tournament:
    """Say what the stages are to be, in order; each a mapping of some of `SETTINGS`.

    Of stages that have begun only the number of rounds and the minutes may change.
    Raises BadRequest `bad_stages`, Conflict `stage_begun`, `wrong_state`; Forbidden.
    """
    with transaction.atomic():
        tournament = lock_as(Right.ORGANISE, slug, actor)
        require_state(tournament, *Tournament.NOT_OVER)
        wanted = made(tournament, stages)
        if [settings_of(stage) for stage in wanted] == [
            settings_of(stage) for stage in tournament.stages.all()
        ]:
            return tournament
        begun = list(tournament.stages.filter(started_at__isnull=False))
        for old, new in zip(begun, wanted, strict=False):
            _change_begun(old, new)
        if len(wanted) < len(begun):
            raise Conflict("stage_begun", f"{len(begun)} stages have begun; they cannot be taken away.")
        tournament.stages.filter(started_at=None).delete()
        Stage.objects.bulk_create(wanted[len(begun) :])
        audit(tournament, actor, "stages_changed", stages=[settings_of(stage) for stage in wanted])
    return tournament


def made(tournament: Tournament, stages: Sequence[Mapping[str, Any]]) -> list[Stage]:
    """The stages, checked but not stored. Raises BadRequest `bad_stages`."""
    if not 1 <= len(stages) <= MOST_STAGES:
        raise BadRequest("bad_stages", f"A tournament has 1 to {MOST_STAGES} stages, not {len(stages)}.")
    return [_made(tournament, number, dict(stage)) for number, stage in enumerate(stages, 1)]


def _made(tournament: Tournament, number: int, settings: dict[str, Any]) -> Stage:
    if unknown := sorted(settings.keys() - set(SETTINGS)):
        raise _bad(number, f"there is no {unknown[0]!r}; there are {', '.join(SETTINGS)}")
    counted = settings.get("format", Format.SWISS) in (Format.SWISS, Format.ROUND_ROBIN)
    stage = Stage(tournament=tournament, number=number, **{"rounds": 5 if counted else None, **settings})
    try:
        stage.full_clean(exclude=["tournament"], validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        field, found = next(iter(error.message_dict.items()))
        raise _bad(number, f"{field}: {found[0]}") from error
    _check_together(stage, counted)
    return stage


def _check_together(stage: Stage, counted: bool) -> None:
    if counted and stage.rounds is None:
        raise _bad(stage.number, f"a {stage.get_format_display()} needs its number of rounds")
    if not counted and stage.rounds is not None:
        raise _bad(stage.number, f"the rounds of a {stage.format} are not planned: leave them empty")
    if (stage.format == Format.ARENA) != (stage.minutes is not None):
        raise _bad(stage.number, "an arena, and nothing else, needs minutes")
    if not counted and stage.groups != 1:
        raise _bad(stage.number, f"groups are of a Swiss or a round robin, not of this {stage.format}")
    if stage.number == 1 and stage.cut is not None:
        raise _bad(1, "cut: there is no stage before the first; limit its entries by the cap")
    if stage.cut is not None and stage.cut < 2 * stage.groups:
        raise _bad(stage.number, f"{stage.groups} groups need a cut of {2 * stage.groups} or more")


def _bad(number: int, why: str) -> BadRequest:
    return BadRequest("bad_stages", f"Stage {number}: {why}.")


def settings_of(stage: Stage) -> dict[str, Any]:
    return {name: getattr(stage, name) for name in SETTINGS}


def _change_begun(old: Stage, new: Stage) -> None:
    was, wanted = settings_of(old), settings_of(new)
    changed = {name for name in SETTINGS if was[name] != wanted[name]}
    if fixed := sorted(changed - CHANGEABLE):
        raise Conflict("stage_begun", f"Stage {old.number} has begun: its {', '.join(fixed)} must stay.")
    drawn = old.played.count()
    if new.rounds is not None and new.rounds < drawn:
        raise Conflict("stage_begun", f"{drawn} rounds of stage {old.number} are drawn already.")
    for name in changed:
        setattr(old, name, wanted[name])
    old.save(update_fields=sorted(changed))


def begin(stage: Stage, entries: Iterable[Entry]) -> None:
    """Begin a stage of a locked tournament with these entries, the strongest first, dealt into its groups.

    Groups are dealt to and fro (1 2 3 3 2 1 1 …), so that they are equally strong.
    """
    round_trip = [*range(1, stage.groups + 1), *range(stage.groups, 0, -1)]
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, entry=entry, group=round_trip[place % len(round_trip)], seed=place + 1)
        for place, entry in enumerate(entries)
    )
    stage.started_at = timezone.now()
    stage.save(update_fields=["started_at"])


def join(stage: Stage, entries: Sequence[Entry]) -> None:
    """Let late entries into a stage that has begun: last in strength, each in the smallest group.

    A stage that took the best of the one before, or a knockout that is played already, lets nobody in: who
    comes back stays out of it, and for anyone else it raises Conflict `too_late_to_enter`.
    """
    entrants = list(stage.entrants.values_list("entry_id", "group", "seed"))
    inside = {entry for entry, _, _ in entrants}
    late = [entry for entry in entries if entry.pk not in inside]
    if stage.cut is not None or (stage.format == Format.KNOCKOUT and stage.played.exists()):
        late = _strangers(late)
        if late:
            names = ", ".join(entry.name for entry in late[:5])
            detail = f"Stage {stage.number} has begun and lets nobody in any more, so not {names}."
            raise Conflict("too_late_to_enter", detail)
    sizes = Counter(group for _, group, _ in entrants)
    last = max((seed for _, _, seed in entrants), default=0)
    made = []
    for seed, entry in enumerate(late, last + 1):
        group = min(range(1, stage.groups + 1), key=lambda number: sizes[number])
        sizes[group] += 1
        made.append(StageEntry(stage=stage, entry=entry, group=group, seed=seed))
    StageEntry.objects.bulk_create(made, batch_size=1000)


def _strangers(entries: Sequence[Entry]) -> list[Entry]:
    """Those of them who were in no stage so far."""
    played = set(StageEntry.objects.filter(entry__in=entries).values_list("entry_id", flat=True))
    return [entry for entry in entries if entry.pk not in played]


def current_stage(tournament: Tournament) -> Stage | None:
    """The stage that has begun last; None before the start."""
    return tournament.stages.filter(started_at__isnull=False).last()


def next_stage(tournament: Tournament) -> Stage | None:
    """The first stage that has not begun."""
    return tournament.stages.filter(started_at=None).first()


def is_complete(stage: Stage) -> bool:
    """Whether all that is to be played of a stage has been drawn: for a knockout and an arena, played."""
    match stage.format:
        case Format.KNOCKOUT:
            return is_decided(stage)
        case Format.ARENA:
            return time_is_up(stage) and not stage.played.exclude(state=Round.State.CLOSED).exists()
    assert stage.rounds is not None
    return stage.played.count() >= stage.rounds


def time_is_up(stage: Stage) -> bool:
    """Whether an arena seats nobody any more: its minutes are over, or the numbers of its rounds."""
    assert stage.ends_at is not None
    last = stage.played.last()
    return timezone.now() >= stage.ends_at or (last is not None and last.number >= MOST_WAVES)

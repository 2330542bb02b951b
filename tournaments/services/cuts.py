"""From one stage to the next: who goes on, and in which order the next one begins."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from games.models import Player
from tournaments.draws import seeds_of
from tournaments.models import Entry, Stage, Tournament
from tournaments.organisers import Right
from tournaments.selectors import Line, stage_standings
from tournaments.services.audit import audit
from tournaments.services.locks import lock_as, require_no_open_round, require_no_replay, require_state
from tournaments.services.stages import begin, current_stage, next_stage
from trix_site.common.errors import AgainstRules, Conflict


@dataclass(frozen=True)
class Started:
    """A stage that has begun: who is in it, the first seed first, and who is in or out by his seed alone."""

    stage: Stage
    entries: list[Entry]
    by_seed: list[Entry]


def start_stage(*, slug: str, actor: Player | None) -> Started:
    """Begin the next stage with the best of the one before, which may be cut short.

    Raises Conflict `no_next_stage`, `round_open`, `tables_unfinished` (one is being replayed),
    `stage_not_played`, `wrong_state`; AgainstRules `too_few_entries` if fewer than two are left; Forbidden.
    """
    with transaction.atomic():
        tournament = lock_as(Right.RUN, slug, actor)
        require_state(tournament, Tournament.State.RUNNING)
        before, stage = current_stage(tournament), next_stage(tournament)
        if stage is None or before is None:
            raise Conflict("no_next_stage", f"{tournament.name} has no further stage: finish it.")
        _require_played(before)
        entries, by_seed = best_of(before, stage.cut)
        if len(entries) < 2:
            raise AgainstRules("too_few_entries", f"A stage takes two entries; {len(entries)} are left.")
        begin(stage, entries)
        names = [entry.name for entry in by_seed]
        audit(tournament, actor, "stage_started", stage=stage.number, entries=len(entries), by_seed=names)
        return Started(stage, entries, by_seed)


def _require_played(stage: Stage) -> None:
    require_no_open_round(stage.tournament)
    require_no_replay(stage.tournament)
    if not stage.played.exists():
        detail = f"Nothing of stage {stage.number} was played: nobody has gone on from it."
        raise Conflict("stage_not_played", detail)


def best_of(stage: Stage, cut: int | None) -> tuple[list[Entry], list[Entry]]:
    """The best `cut` active entries of a stage, in order, and whom only his seed put in or kept out.

    From each group equally many go on; what is left of the cut goes to the best of the others, by their
    values. The order is by place in the group, then by values. Equals stand in the order of their seeds.
    """
    seeds = seeds_of(stage)
    active = stage.tournament.entries.filter(stages__stage=stage, state=Entry.State.ACTIVE)
    entries = active.select_related("player", "partner").in_bulk()
    groups = [_lines(stage, group, entries, seeds) for group in range(1, stage.groups + 1)]
    size = sum(map(len, groups)) if cut is None else cut
    quota = size if len(groups) == 1 else size // len(groups)
    through = [each for group in groups for each in enumerate(group[:quota])]
    through.sort(key=lambda each: (each[0], *_by_values(each[1], seeds)))
    others = [line for group in groups for line in group[quota:]]
    others.sort(key=lambda line: _by_values(line, seeds))
    more = max(0, size - len(through))
    chosen = [line for _, line in through] + others[:more]
    tied = [line for group in groups for line in _tied(group, quota, lambda line: line.standing.rank)]
    tied += _tied(others, more, lambda line: line.standing.values)
    return [line.entry for line in chosen], _undecided(tied, chosen)


def _lines(stage: Stage, group: int, entries: Mapping[int, Entry], seeds: Mapping[int, int]) -> list[Line]:
    """Those of these entries that are in a group, from first to last."""
    ranked = stage_standings(stage, group if stage.groups > 1 else None)
    lines = [Line(line, entries[line.entry]) for line in ranked if line.entry in entries]
    return sorted(lines, key=lambda line: (line.standing.rank, seeds[line.entry.pk]))


def _by_values(line: Line, seeds: Mapping[int, int]) -> tuple[object, ...]:
    return (*(-value for value in line.standing.values), seeds[line.entry.pk])


def _tied(lines: Sequence[Line], cut: int, key: Callable[[Line], Hashable]) -> list[Line]:
    """Who is equal across the cut."""
    if not 0 < cut < len(lines) or key(lines[cut - 1]) != key(lines[cut]):
        return []
    return [line for line in lines if key(line) == key(lines[cut])]


def _undecided(tied: Iterable[Line], chosen: Sequence[Line]) -> list[Entry]:
    """The tied, unless all of them go on."""
    known = {line.entry.pk: line.entry for line in tied}
    return list(known.values()) if known.keys() - {line.entry.pk for line in chosen} else []

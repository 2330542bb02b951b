"""Penalties and bonuses: points that standings and the next draw count; revocable, never deleted."""

from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from games.models import Player
from tournaments.models import Penalty, Stage, Tournament
from tournaments.organisers import Right
from tournaments.services.audit import audit, checked_reason
from tournaments.services.entries import find_entry, find_player
from tournaments.services.locks import lock_as, require_state
from tournaments.services.stages import current_stage
from trix_site.common.errors import BadRequest, Conflict, Missing

State = Tournament.State
MOST_POINTS = 1000
QUARTER = Decimal("0.25")


def give(*, slug: str, actor: Player | None, name: str, points: Decimal, reason: str) -> Penalty:
    """Take points from an entry (below 0), or give it some, in the stage that is played; after the end too.

    Raises BadRequest `bad_points`, `no_reason`; Missing `not_entered`, `no_such_player`;
    Conflict `wrong_state`; Forbidden.
    """
    check_points(points)
    reason = checked_reason(reason)
    with transaction.atomic():
        tournament = lock_as(Right.JUDGE, slug, actor)
        require_state(tournament, State.RUNNING, State.FINISHED)
        stage = current_stage(tournament)
        assert stage is not None
        entry = find_entry(tournament, find_player(name))
        if not stage.entrants.filter(entry=entry).exists():
            raise Missing("not_entered", f"{entry.name} takes no part in stage {stage.number}.")
        penalty = Penalty.objects.create(
            stage=stage, entry=entry, points=points, reason=reason, given_by=actor
        )
        _audit(tournament, actor, "penalty_given", penalty, reason)
        return penalty


def revoke(*, slug: str, actor: Player | None, penalty: int, reason: str) -> Penalty:
    """Let a penalty or bonus count no more; `penalty` is its id.

    Raises BadRequest `no_reason`; Missing `no_such_penalty`; Conflict `already_revoked`, `wrong_state`;
    Forbidden.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        tournament = lock_as(Right.JUDGE, slug, actor)
        found = _penalty(tournament, penalty)
        require_state(tournament, State.RUNNING, State.FINISHED)
        if found.revoked_at is not None:
            raise Conflict("already_revoked", "It was revoked already.")
        found.revoked_at, found.revoked_by = timezone.now(), actor
        found.save(update_fields=["revoked_at", "revoked_by"])
        _audit(tournament, actor, "penalty_revoked", found, reason)
        return found


def check_points(points: Decimal) -> None:
    """Raise BadRequest `bad_points` unless these are whole quarters, some, and not too many."""
    if not points.is_finite() or not 0 < abs(points) <= MOST_POINTS or points % QUARTER:
        detail = f"Points are whole quarters, from -{MOST_POINTS} to {MOST_POINTS} and not 0, such as -1.5."
        raise BadRequest("bad_points", detail)


def _penalty(tournament: Tournament, pk: int) -> Penalty:
    of_stages = Penalty.objects.filter(stage__in=Stage.objects.filter(tournament=tournament))
    found = of_stages.filter(pk=pk).select_related("entry__player", "entry__partner").first()
    if found is None:
        raise Missing("no_such_penalty", f"{tournament.name} has no penalty {pk}.")
    return found


def _audit(tournament: Tournament, actor: Player | None, action: str, penalty: Penalty, reason: str) -> None:
    data = {"player": penalty.entry.name, "points": float(penalty.points), "reason": reason}
    audit(tournament, actor, action, penalty=penalty.pk, stage=penalty.stage.number, **data)

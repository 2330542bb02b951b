"""The audit log: one line for everything that is done to a tournament, in the same transaction."""

from collections.abc import Iterable, Mapping

from games.models import Player
from tournaments.models import AuditLog, Tournament
from trix_site.common.errors import BadRequest
from trix_site.common.lines import check_line

LONGEST_REASON = 300


def audit(tournament: Tournament, actor: Player | None, action: str, **data: object) -> None:
    """Note what `actor` did; None is the service itself. `data` must be plain JSON."""
    AuditLog.objects.create(tournament=tournament, actor=actor, action=action, data=data)


def audit_each(
    tournament: Tournament, actor: Player | None, action: str, lines: Iterable[Mapping[str, object]]
) -> None:
    """Note the same action once for each of these data."""
    AuditLog.objects.bulk_create(
        [AuditLog(tournament=tournament, actor=actor, action=action, data=data) for data in lines],
        batch_size=1000,
    )


def checked_reason(reason: str) -> str:
    """The reason of a step that is not taken without one. Raises BadRequest `no_reason`, `invalid`."""
    reason = reason.strip()
    if not reason:
        raise BadRequest("no_reason", "This needs a reason, which stays in the log.")
    if len(reason) > LONGEST_REASON:
        detail = f"A reason is at most {LONGEST_REASON} characters."
        raise BadRequest("invalid", f"reason: {detail}", errors={"reason": [detail]})
    check_line("reason", reason)
    return reason

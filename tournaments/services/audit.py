"""The audit log: one line for everything that is done to a tournament, in the same transaction."""

from games.models import Player
from tournaments.models import AuditLog, Tournament


def audit(tournament: Tournament, actor: Player | None, action: str, **data: object) -> None:
    """Note what `actor` did; None is the service itself. `data` must be plain JSON."""
    AuditLog.objects.create(tournament=tournament, actor=actor, action=action, data=data)

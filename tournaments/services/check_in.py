"""Check-in before the start: who does not check in does not play, and who waits takes his place."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.models import Player
from tournaments.models import Entry, Tournament
from tournaments.organisers import Right, check_may
from tournaments.services.audit import audit, audit_each
from tournaments.services.entries import find_placed, find_player, move_up
from tournaments.services.locks import lock_as, lock_tournament, require_state
from trix_site.common.errors import Conflict

State = Tournament.State


def open_check_in(*, slug: str, actor: Player | None) -> Tournament:
    """Ask everyone to check in: at the start those who did not are withdrawn.

    Raises Conflict `check_in_open`, `wrong_state`; Forbidden.
    """
    with transaction.atomic():
        tournament = lock_as(Right.RUN, slug, actor)
        require_state(tournament, State.REGISTRATION)
        if tournament.check_in_at is not None:
            raise Conflict("check_in_open", "The check-in is open already.")
        tournament.check_in_at = timezone.now()
        tournament.save(update_fields=["check_in_at"])
        audit(tournament, actor, "check_in_opened")
        return tournament


def check_in(*, slug: str, actor: Player, name: str | None = None) -> Entry:
    """Check oneself in, with one's partner, or as an organiser or assistant anyone; who waits too.

    Raises Conflict `check_in_not_open`, `already_checked_in`, `already_withdrawn`; Missing `not_entered`.
    """
    with transaction.atomic():
        tournament = lock_tournament(slug)
        player = actor if name is None else find_player(name)
        if player != actor:
            check_may(actor, tournament, Right.RUN)
        require_state(tournament, State.REGISTRATION)
        if tournament.check_in_at is None:
            raise Conflict("check_in_not_open", "The check-in has not been opened yet.")
        entry = find_placed(tournament, player)
        if entry.checked_in_at is not None:
            raise Conflict("already_checked_in", f"{entry.name} has checked in already.")
        entry.checked_in_at = timezone.now()
        entry.save(update_fields=["checked_in_at"])
        audit(tournament, actor, "checked_in", player=entry.name)
        return entry


def absent(tournament: Tournament) -> QuerySet[Entry]:
    """Who has a place and would be withdrawn at the start; nobody where no check-in was opened."""
    rows = tournament.entries.filter(state=Entry.State.ACTIVE, checked_in_at=None)
    return rows.select_related("player", "partner") if tournament.check_in_at else rows.none()


def close_check_in(tournament: Tournament, actor: Player | None) -> None:
    """At the start of a locked tournament: withdraw who is not there, let who is there and waits move up."""
    if tournament.check_in_at is None:
        return
    gone = absent(tournament)
    lines = [{"player": entry.name, "reason": "no check-in"} for entry in gone]
    gone.update(state=Entry.State.WITHDRAWN, withdrawn_at=timezone.now())
    audit_each(tournament, actor, "withdrawn", lines)
    move_up(tournament, checked_in_at__isnull=False)

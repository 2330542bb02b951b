"""Asking named players to a table. They see it and sit down without its code, until it starts or closes."""

from django.db import transaction
from django.utils import timezone

from games.models import Invitation, Match, Player
from games.selectors import pending_invitations, player_called
from games.services.locks import lock_visible_match
from games.services.refusals import check_open, check_opener
from games.services.webhooks import emit_invited
from trix_site.common.errors import Conflict, Missing

MOST_INVITED = 20  # a table, with those who have declined


def invite(*, match_code: str, player: Player, name: str) -> Match:
    """Ask a player to the open table that ``player`` opened.

    Raises Missing (no_such_player), Forbidden for all but whoever opened it, or Conflict: the match is no
    longer open, or the player sits there, is invited, has declined, or would be one too many. Someone who has
    muted ``player`` is not told of the invitation, and ``player`` not of that.
    """
    with transaction.atomic():
        match = lock_visible_match(match_code, player)
        check_opener(match, player, "invites to it")
        check_open(match)
        invite_named(match, player, name)
    return match


def invite_named(match: Match, by: Player, name: str) -> None:
    """Invite a player to an open table. It is locked, or not yet known to anyone. Raises as `invite`."""
    invited = player_called(name)
    if not invited.is_active:
        raise Missing("no_such_player", f"The account of {invited} is closed.")
    if match.seats.filter(player=invited).exists():
        raise Conflict("already_seated", f"{invited} sits at this table already.")
    before = match.invitations.filter(player=invited).first()
    if before and before.declined_at:
        raise Conflict("declined", f"{invited} has declined, and is not asked again.")
    if before:
        raise Conflict("already_invited", f"{invited} is invited already.")
    if match.invitations.count() >= MOST_INVITED:
        raise Conflict("too_many_invited", f"At most {MOST_INVITED} players are invited to a table.")
    Invitation.objects.create(match=match, player=invited, invited_by=by)
    emit_invited(match, by, [invited.pk])


def end_invitation(*, match_code: str, player: Player, name: str) -> None:
    """Decline an invitation to oneself, or take back another's to the table that ``player`` opened.

    Who has declined is not asked again. Raises Missing (no_such_player, no_such_invitation) or Forbidden.
    """
    with transaction.atomic():
        match = lock_visible_match(match_code, player)
        invited = player_called(name)
        if invited != player:
            check_opener(match, player, "takes back an invitation to it")
        invitation = pending_invitations(match).filter(player=invited).first()
        if invitation is None:
            raise Missing("no_such_invitation", f"{invited} is not invited to this table.")
        if invited == player:
            invitation.declined_at = timezone.now()
            invitation.save(update_fields=["declined_at"])
        else:
            invitation.delete()

"""Deleting an account. Its results stay, under a name that says nothing."""

import logging

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import (
    ChatMessage,
    ChatReport,
    IdempotentAnswer,
    Invitation,
    Match,
    Mute,
    Player,
    Seat,
    Webhook,
)
from games.services.matches import leave
from games.services.passwords import confirmed
from games.services.webhooks import forget_webhooks
from games.signals import account_closed, account_closing, account_locking
from trix_site.common.errors import Conflict, ProblemError
from trix_site.common.ids import new_code

log = logging.getLogger(__name__)


def close_account(*, player: Player, password: str) -> None:
    """Delete an account for good: name, e-mail, tokens, talk, and whatever else is not a result.

    After the commit its webhooks are deleted, its tables left and its tournaments withdrawn from. Raises
    Forbidden for a wrong password; Conflict for the last superuser, and where the apps above still need the
    account.
    """
    with transaction.atomic():
        account_locking.send(sender=Player, player=player)
        account = confirmed(player, password)
        _check_not_last_superuser(account)
        account_closing.send(sender=Player, player=account)
        # First: who holds one of these rows just now may be about to commit another that points at the
        # account, which waits once the account's name has changed.
        _forget(account)
        _make_anonymous(account)
        transaction.on_commit(lambda: leave_everything(account), robust=True)


def leave_everything(account: Player) -> None:
    """Delete the webhooks of a closed account, which are told nothing any more, get it up from its tables,
    and tell the apps above. Harmless where nothing is left.
    """
    forget_webhooks(account)
    for code in _seats().filter(player=account).values_list("match__code", flat=True):
        try:
            leave(match_code=code, player=account)
        except ProblemError:
            log.info("Match %s has ended before its closed account could leave it", code)
        except Exception:
            log.exception("Match %s could not be left by its closed account", code)
    account_closed.send_robust(sender=Player, player=account)


def closed_with_rest() -> list[Player]:
    """Closed accounts that still sit somewhere, or have webhooks: a process died, or they sat down while they
    were closed.
    """
    seats = _seats().filter(player__closed_at__isnull=False).values("player")
    hooks = Webhook.objects.filter(owner__closed_at__isnull=False).values("owner")
    return list(Player.objects.filter(Q(pk__in=seats) | Q(pk__in=hooks)))


def _seats() -> QuerySet[Seat]:
    """Seats at open tables, and at running ones where no bot plays on yet."""
    return Seat.objects.filter(
        Q(match__status=Match.Status.OPEN) | Q(match__status=Match.Status.RUNNING, away_since=None)
    )


def _check_not_last_superuser(account: Player) -> None:
    others = Player.objects.filter(is_superuser=True, is_active=True).exclude(pk=account.pk)
    if account.is_superuser and not others.exists():
        raise Conflict("last_superuser", "This is the last superuser's account: make another one first.")


def _make_anonymous(account: Player) -> None:
    account.username = f"{Player.CLOSED}{new_code()}"
    account.email = account.first_name = account.last_name = ""
    account.is_active = account.is_staff = account.is_superuser = False
    account.last_login = None
    account.closed_at = timezone.now()
    account.set_unusable_password()
    account.save()
    account.groups.clear()
    account.user_permissions.clear()


def _forget(account: Player) -> None:
    said = ChatMessage.objects.filter(author=account)
    list(said.select_for_update().order_by("pk"))  # Django's deletion locks none before its reports.
    for rows in (
        Mute.objects.filter(Q(player=account) | Q(muted=account)),
        Invitation.objects.filter(player=account),
        IdempotentAnswer.objects.filter(player=account),
        said,
    ):
        rows.delete()
    ChatReport.objects.filter(reporter=account).update(reporter=None)

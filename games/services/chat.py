"""Chat at a table: saying something, muting somebody, reporting and hiding what was said."""

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.models import ChatMessage, ChatReport, Match, Mute, Player
from games.selectors import match_to_talk, player_called, require_seat
from games.services.locks import lock_open_account, lock_visible_match
from games.services.refusals import wrong_status
from trix_site.common.errors import Conflict, Missing
from trix_site.common.lines import check_line, check_message


def say(*, match_code: str, player: Player, text: str) -> ChatMessage:
    """Say something to the players of a table, in any state but closed before it started.

    The match's lock makes messages come into being in the order of their ids: who reads on after the last
    one misses none. Raises Missing, Forbidden, BadRequest or Conflict.
    """
    text = text.replace("\r\n", "\n")
    check_message("text", text)
    with transaction.atomic():
        match = lock_visible_match(match_code, player)
        require_seat(match.seats.all(), player)
        if match.status == Match.Status.CANCELLED and match.started_at is None:
            raise wrong_status(match, "open, running or finished")
        lock_open_account(player)
        return ChatMessage.objects.create(match=match, author=player, text=text)


def report(*, match_code: str, player: Player, message_id: int, reason: str = "") -> None:
    """Report a message of a match that ``player`` may read, once.

    Raises Missing, Forbidden, BadRequest, or Conflict for one's own message and the second time.
    """
    if reason:
        check_line("reason", reason)
    message = match_to_talk(match_code, player).chat.filter(pk=message_id, hidden_at=None).first()
    if message is None:
        raise Missing("no_such_message", "There is no such message at this table.")
    if message.author_id == player.pk:
        raise Conflict("own_message", "The message is your own.")
    try:
        with transaction.atomic():
            ChatReport.objects.create(message=message, reporter=player, reason=reason)
    except IntegrityError as error:
        raise Conflict("already_reported", "You have reported this message already.") from error


def mute(*, player: Player, name: str) -> Mute:
    """Read no more of what somebody says, or once said; harmless if it is so already.

    Raises Missing, Conflict for oneself.
    """
    muted = player_called(name)
    if muted == player:
        raise Conflict("not_yourself", "You cannot mute yourself.")
    return Mute.objects.get_or_create(player=player, muted=muted)[0]


def unmute(*, player: Player, name: str) -> None:
    """Read again what somebody says. Raises Missing."""
    muted = player_called(name)
    deleted, _ = player.mutes.filter(muted=muted).delete()
    if not deleted:
        raise Missing("no_such_mute", f"You have not muted {muted}.")


def hide(reports: QuerySet[ChatReport]) -> int:
    """Hide the reported messages from everyone, which settles all reports of them. How many were not yet."""
    with transaction.atomic():
        messages = ChatMessage.objects.filter(pk__in=list(reports.values_list("message", flat=True)))
        hidden = messages.filter(hidden_at=None).update(hidden_at=timezone.now())
        settle(ChatReport.objects.filter(message__in=messages))
    return hidden


def settle(reports: QuerySet[ChatReport]) -> int:
    """Put reports aside. How many were open."""
    return reports.filter(settled_at=None).update(settled_at=timezone.now())

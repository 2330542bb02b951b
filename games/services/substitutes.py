"""A seat of a running match passes to another player, who goes on where the one before stopped."""

from django.db import transaction
from django.utils import timezone

from games.engine.cards import SEAT_NAMES
from games.models import Match, Player
from games.services.locks import lock_match
from games.services.moves import check_running, give_back
from games.services.tables import SEATS, load_table
from trix_site.common.errors import Conflict


def replace_player(*, match_code: str, seat: int, player: Player) -> Match:
    """Give a player's seat in a running match to another one; harmless if it is his.

    Whoever sat there sees the hand no more, and can act, talk and read the chat no more; it is as if he never
    had sat there, and the match is rated for who sits at its end. A bot that played on gives the seat back.
    In the caller's transaction, which locks the account of the new one at its end. Raises Missing; Conflict:
    not running, a house bot's seat, `already_seated`.
    """
    with transaction.atomic():
        match = lock_match(code=match_code)
        check_running(match)
        seats = SEATS.all(match.pk)
        taken = seats[seat]
        if taken.bot:
            raise Conflict("seat_of_bot", f"Seat {SEAT_NAMES[seat]} is a house bot's; nobody sits there.")
        if taken.player_id == player.pk:
            return match
        if any(other.player_id == player.pk for other in seats):
            raise Conflict("already_seated", f"{player.username} sits at this table already.")
        # His clock, his resignation and what he agreed to were his own.
        taken.resigned = taken.agrees_to_abort = False
        taken.clock_from = taken.seen_at = None
        taken.player = player
        taken.save()
        give_back(load_table(match, seats), seat, timezone.now())
    return match

"""How its players end a match early: all together by calling it off, or each for himself by resigning."""

from collections.abc import Sequence

from django.db import transaction

from games.models import Match, Player, Seat
from games.selectors import require_seat
from games.services.locks import lock_visible_match
from games.services.matches import cancel
from games.services.moves import check_running, go_away
from games.services.refusals import check_not_resigned, check_opener
from trix_site.common.errors import Conflict


def abort(*, match_code: str, player: Player, agree: bool = True) -> Match:
    """Say that the match should be called off, or no more; it is, without a result, once enough say so.

    Before the first action one player is enough, later all who are present must agree, and in a rated match
    those who are away too. An open table is closed by whoever opened it. Raises Missing, Forbidden, or
    Conflict: the match is over, was arranged for its players, or the player has resigned.
    """
    with transaction.atomic():
        match = lock_visible_match(match_code, player)
        seats = list(match.seats.all())
        seat = require_seat(seats, player)
        if match.status == Match.Status.OPEN:
            check_opener(match, player, "closes it")
        else:
            check_running(match)
        _check_not_arranged(match)
        check_not_resigned(seat)
        seat.agrees_to_abort = agree
        seat.save(update_fields=["agrees_to_abort"])
        if agree and (match.version == 0 or _all_agree(match, seats)):
            cancel(match)
    return match


def resign(*, match_code: str, player: Player) -> Match:
    """Leave a running match for good: a bot plays on in the seat. Harmless if the player has resigned.

    Raises Missing, Forbidden or Conflict.
    """
    with transaction.atomic():
        match = lock_visible_match(match_code, player)
        seats = list(match.seats.all())
        seat = require_seat(seats, player)
        check_running(match)
        if not seat.resigned:
            go_away(match, seats, seat.index)
            seat.resigned = True
            seat.save(update_fields=["resigned"])
    return match


def _check_not_arranged(match: Match) -> None:
    if match.arranged:
        raise Conflict("arranged", "The match was arranged for its players, who cannot call it off.")


def _all_agree(match: Match, seats: Sequence[Seat]) -> bool:
    """Whether nobody is asked who has not agreed. A rating is not lost behind the back of who is away."""
    return all(seat.agrees_to_abort or seat.resigned or _is_left_out(match, seat) for seat in seats)


def _is_left_out(match: Match, seat: Seat) -> bool:
    return bool(seat.bot) or (seat.played_by_bot and not match.rated)

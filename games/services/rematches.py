"""Playing again: one rematch of a match, where each has his seat, and which starts once all sit there."""

from django.db import transaction

from games.models import CLOCK_FIELDS, Invitation, Match, Player, Seat
from games.selectors import require_seat
from games.services.locks import lock_visible_match
from games.services.matches import check_few_open, new_match, sit, start_if_full, take_seat
from games.services.refusals import check_open, wrong_status
from games.services.webhooks import emit_invited

# What a rematch has from the match before it.
SAME = ("visibility", *CLOCK_FIELDS, "on_timeout", "bot_delay", "hands_delay", "rated")


def rematch(*, match_code: str, player: Player) -> tuple[Match, bool]:
    """Sit down at the rematch of a finished match of the player's; whether it was opened by that.

    Whoever is first opens it: house bots sit as before, other people are invited. Harmless for one who sits
    there already. Raises Missing, Forbidden, or Conflict: the match is not finished, or its rematch has
    started without the player, or is full; as `matches.check_few_open`.
    """
    with transaction.atomic():
        before = lock_visible_match(match_code, player)
        seats = list(before.seats.select_related("player"))
        require_seat(seats, player)
        if before.status != Match.Status.FINISHED:
            raise wrong_status(before, "finished")
        # A closed one is none: seen again under its lock, it points here no more.
        again = Match.objects.select_for_update(no_key=True).filter(rematch_of=before).first()
        if again is None:
            return _open(before, seats, player), True
        if not again.seats.filter(player=player).exists():
            check_open(again)
            take_seat(again, player)
    return again, False


def _open(before: Match, seats: list[Seat], player: Player) -> Match:
    same = {name: getattr(before, name) for name in SAME}
    again = new_match(before.rules, before.options, created_by=player, rematch_of=before, **same)
    for seat in seats:
        if seat.bot or seat.player == player:
            sit(again, seat.index, seat.player or seat.bot)
    invitations = Invitation.objects.bulk_create(
        Invitation(match=again, player=seat.player, invited_by=player)
        for seat in seats
        if seat.player and seat.player != player and seat.player.is_active
    )
    emit_invited(again, player, [invitation.player_id for invitation in invitations])
    start_if_full(again)
    check_few_open(player)
    return again

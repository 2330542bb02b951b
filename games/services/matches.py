"""The life of a match around its cards: open, join, leave, start, stop; and its start for tournaments.

How players are asked to a table is in `invitations`, how they end a match in `endings`, how they play again
in `rematches`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.bots import LEVELS
from games.engine import OptionError, options_for, overrides_of
from games.engine.cards import SEAT_NAMES
from games.models import Deal, Match, Player, Seat, new_secret
from games.selectors import no_such_match, pending_invitations, require_seat
from games.services.bots import STAND_IN, call_bots
from games.services.invitations import invite_named
from games.services.locks import lock_match, lock_open_account, lock_visible_match
from games.services.moves import check_running, go_away
from games.services.refusals import check_open, check_opener
from games.services.tables import Table, announce, begun, deal_first
from games.services.webhooks import emit_match, emit_matches
from games.signals import match_started
from trix_site.common.errors import BadRequest, Conflict, Forbidden
from trix_site.common.ids import new_code

STORED_AT_ONCE = 2000  # rows of a statement
MOST_OPEN = 20  # tables that one player has opened and that have not begun


def open_match(
    *,
    player: Player,
    rules: str,
    options: Mapping[str, object],
    seat: str = "S",
    bots: Sequence[str] = (),
    invite: Sequence[str] = (),
    **table: Any,
) -> Match:
    """Open a table where ``player`` sits down first, then up to three bots, by level; ask players by name.

    ``table``: visibility, clocks, on_timeout, bot_delay, hands_delay and rated, as in `Match`.
    Raises BadRequest for unknown rules, options or bots; as `invitations.invite`; as `check_few_open`.
    """
    with transaction.atomic():
        match = new_match(rules, options, created_by=player, **table)
        sit(match, SEAT_NAMES.index(seat), player)
        for index, level in zip(free_seats(match), bots, strict=False):
            sit(match, index, level)
        for name in invite:
            invite_named(match, player, name)
        check_few_open(player)
    return match


def create_match(
    *,
    rules: str,
    options: Mapping[str, object],
    seats: Sequence[Player | str],
    secret: bytes | None = None,
    **table: Any,
) -> Match:
    """A match that starts at once, as `create_matches`; without a secret it gets a new one."""
    tables = [(seats, secret or new_secret())]
    return create_matches(rules=rules, options=options, tables=tables, **table)[0]


def create_matches(
    *,
    rules: str,
    options: Mapping[str, object],
    tables: Sequence[tuple[Sequence[Player | str], bytes]],
    **table: Any,
) -> list[Match]:
    """Matches that start at once, all or none, in the caller's transaction if there is one.

    ``tables``: for each four players or levels of bots, South first, and its secret. ``table``: what is
    the same of all: created_by, clocks, on_timeout, bot_delay, rated and visibility, as in `Match`. As many
    statements for thousands as for one.
    Raises BadRequest for unknown rules, options or bots, Conflict for a player who sits twice at a table.
    """
    kept, now = _overrides(rules, options), timezone.now()
    started = [
        _seated(_unsaved(rules, kept, secret=secret, arranged=True, **table), sitters, now)
        for sitters, secret in tables
    ]
    with transaction.atomic():
        _store(started)
        emit_matches("match_started", [(each.match, each.seats) for each in started])
        for each in started:
            call_bots(each)
            announce(match_started, each.match)
    return [each.match for each in started]


def _seated(match: Match, sitters: Sequence[Player | str], now: datetime) -> Table:
    """A match with its seats and first deal, of which nothing is stored."""
    seats = [_seat(match, index, sitter) for index, sitter in zip(range(4), sitters, strict=True)]
    return begun(match, seats, now)


def _store(tables: Sequence[Table]) -> None:
    """Store new matches with their seats and deals. Constraints are the last guard against two in one."""
    Match.objects.bulk_create([table.match for table in tables], batch_size=STORED_AT_ONCE)
    for table in tables:
        table.deals[0].match = table.match  # Whose id is known now.
        for seat in table.seats:
            seat.match = table.match
    try:
        with transaction.atomic():
            seats = [seat for table in tables for seat in table.seats]
            Seat.objects.bulk_create(seats, batch_size=STORED_AT_ONCE)
    except IntegrityError as error:
        raise Conflict("seat_taken", "A player sits twice at a table.") from error
    Deal.objects.bulk_create([table.deals[0] for table in tables], batch_size=STORED_AT_ONCE)


def join(*, match_code: str, player: Player, join_code: str = "", seat: str | None = None) -> Match:
    """Sit down at an open table: on this seat, or the first free one; invited players need no code.

    In a rematch each has his old seat kept until he declines, and it starts once all four are taken.
    Raises Missing (for a private table without its code too), Forbidden (wrong_join_code), or Conflict:
    the match is no longer open, full, the seat is taken, or the player sits here already.
    """
    with transaction.atomic():
        match = lock_match(code=match_code)
        seated = match.seats.filter(player=player).exists()
        if not seated and not pending_invitations(match).filter(player=player).exists():
            _check_join_code(match, join_code)
        check_open(match)
        if seated:
            raise Conflict("already_seated", "You sit at this table already.")
        take_seat(match, player, seat)
    return match


def take_seat(match: Match, player: Player, seat: str | None = None) -> None:
    """Seat a player who may sit down at an open table, and start a rematch that is full. It is locked.

    Raises Conflict.
    """
    free = _seats_for(match, player)
    if not free:
        raise Conflict("match_full", "All four seats are taken, or kept for who played there before.")
    index = free[0] if seat is None else SEAT_NAMES.index(seat)
    if index not in free:
        names = ", ".join(SEAT_NAMES[other] for other in sorted(free))
        raise Conflict("seat_taken", f"Seat {seat} is taken or kept; free: {names}.")
    sit(match, index, player)
    match.invitations.filter(player=player).delete()
    start_if_full(match)


def leave(*, match_code: str, player: Player) -> Match:
    """Get up from an open table, or leave a running match to a bot until one comes back.

    The table closes when whoever opened it gets up. Raises Missing, Forbidden or Conflict.
    """
    with transaction.atomic():
        match = lock_visible_match(match_code, player)
        seats = list(match.seats.all())
        seat = require_seat(seats, player).index
        if match.status != Match.Status.OPEN:
            check_running(match)
            go_away(match, seats, seat)
        elif match.created_by_id == player.pk:
            cancel(match)
        else:
            match.seats.filter(player=player).delete()
    return match


def start(*, match_code: str, player: Player, bots: str = STAND_IN) -> Match:
    """Start an open table; bots of this level fill its free seats.

    Raises Missing, Forbidden for all but whoever opened it, Conflict if it is not open, BadRequest
    for an unknown level, be there a free seat or not.
    """
    with transaction.atomic():
        match = lock_visible_match(match_code, player)
        check_opener(match, player, "starts it")
        check_open(match)
        _check_level(bots)
        for index in free_seats(match):
            sit(match, index, bots)
        _begin(match)
    return match


def start_if_full(rematch: Match) -> None:
    """Start a rematch once its four seats are taken; other tables wait for whoever opened them."""
    if rematch.rematch_of_id and not free_seats(rematch):
        _begin(rematch)


def stop(match_id: int) -> Match:
    """Cancel a match that is open or being played, in the caller's transaction if there is one.

    What was played stays and can be read. A match that is over already, either way, stays as it is.
    Raises Missing.
    """
    with transaction.atomic():
        match = lock_match(pk=match_id)
        if match.status in Match.UNFINISHED:
            cancel(match)
    return match


def cancel(match: Match) -> None:
    """End an unfinished match, which is locked, without a result. A rematch makes way for another one."""
    match.status = Match.Status.CANCELLED
    match.deadline = match.bots_due = match.rematch_of = None
    match.save(update_fields=["status", "deadline", "bots_due", "rematch_of"])
    emit_match(match, "match_cancelled", match.seats.all())
    match.invitations.all().delete()


def new_match(rules: str, options: Mapping[str, object], **table: Any) -> Match:
    """An open match without seats; of ``options``, what differs from the rules is kept."""
    match = _unsaved(rules, _overrides(rules, options), **table)
    match.save(force_insert=True)
    return match


def _unsaved(rules: str, overrides: dict[str, Any], **table: Any) -> Match:
    match = Match(rules=rules, options=overrides, **table)
    if match.visibility != Match.Visibility.PUBLIC:
        match.join_code = new_code()
    return match


def _overrides(rules: str, options: Mapping[str, object]) -> dict[str, Any]:
    """What differs from the rules. Raises BadRequest."""
    try:
        return overrides_of(rules, options_for(rules, options))
    except OptionError as error:
        raise BadRequest(error.code, error.message) from error


def check_few_open(player: Player) -> None:
    """Raise Conflict if a table that was just opened is one too many of its player's, or he has gone.

    It comes last: the account's lock, under which two at once are counted one after the other, is the last.
    """
    lock_open_account(player)
    if player.opened_matches.filter(status=Match.Status.OPEN).count() > MOST_OPEN:
        detail = (
            f"{MOST_OPEN} tables that you opened have not begun; start or close one first. They are in"
            " GET /api/v1/matches/?mine=true&status=open."
        )
        raise Conflict("too_many_tables", detail)


def sit(match: Match, index: int, sitter: Player | str) -> None:
    """Give a seat to a player or a level of bots. Constraints are the last guard against two in one."""
    seat = _seat(match, index, sitter)
    try:
        with transaction.atomic():
            seat.save(force_insert=True)
    except IntegrityError as error:
        raise Conflict("seat_taken", f"Seat {SEAT_NAMES[index]} or its player is taken already.") from error


def _seat(match: Match, index: int, sitter: Player | str) -> Seat:
    if isinstance(sitter, str):
        _check_level(sitter)
        return Seat(match=match, index=index, bot=sitter)
    return Seat(match=match, index=index, player=sitter)


def _check_level(bot: str) -> None:
    if bot not in LEVELS:
        raise BadRequest("unknown_bot", f"There is no bot {bot!r}; there are {', '.join(LEVELS)}.")


def free_seats(match: Match) -> list[int]:
    taken = set(match.seats.values_list("index", flat=True))
    return [index for index in range(4) if index not in taken]


def _check_join_code(match: Match, code: str) -> None:
    if not match.join_code or code == match.join_code:
        return
    if match.visibility == Match.Visibility.PRIVATE:
        raise no_such_match()
    raise Forbidden("wrong_join_code", "This table wants its code to sit down.")


def _seats_for(match: Match, player: Player) -> list[int]:
    """The free seats that a player may take, in a rematch his old one first: others' are kept for them."""
    kept = _kept_seats(match) if match.rematch_of_id else {}
    free = [index for index in free_seats(match) if kept.get(index, player.pk) == player.pk]
    return sorted(free, key=lambda index: index not in kept)


def _kept_seats(rematch: Match) -> dict[int, int | None]:
    """The seats of those who have been asked to play again, and not said no, by seat."""
    asked = pending_invitations(rematch).values("player")
    seats = Seat.objects.filter(match=rematch.rematch_of_id, player__in=asked)
    return dict(seats.values_list("index", "player"))


def _begin(match: Match) -> None:
    """Deal the first deal of a match whose four seats are taken. Invitations to it end."""
    match.invitations.all().delete()
    seats = list(match.seats.all())
    call_bots(deal_first(match, seats, timezone.now()))
    emit_match(match, "match_started", seats)
    announce(match_started, match)

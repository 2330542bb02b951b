"""Moves: of people through the API, of bots, and of the clock for whoever is silent.

Each is one transaction that locks the match first. Who gets the lock first decides what is late.
"""

from dataclasses import dataclass
from datetime import datetime
from math import inf
from time import monotonic

from django.db import transaction
from django.utils import timezone

from games.engine import EngineError, Phase, choose_action, double_action, parse_action, to_act
from games.models import Match, Player, Seat
from games.positions import Position, answered, deadline
from games.selectors import require_seat
from games.services.bots import call_bots, choose
from games.services.locks import lock_match, lock_visible_match
from games.services.refusals import check_not_resigned, refused, stale, wrong_status
from games.services.tables import (
    SEATS,
    Table,
    bot_pause,
    clock_again,
    load_table,
    reschedule,
    store,
    take,
    turn_ends,
)
from trix_site.common.errors import ProblemError


@dataclass(frozen=True)
class MoveResult:
    """The answer to an action: the position after it, as ``seat`` may see it through `view`.

    It follows from what is stored, so the same action at the same version has the same answer.
    """

    match: Match
    seat: int
    position: Position
    deadline: datetime | None

    @property
    def version(self) -> int:
        return self.position.state.version


@dataclass(frozen=True)
class BotTurn:
    """What `play_bot_move` did: actions taken, the version now, and the pause if a bot is next."""

    taken: int
    version: int
    bots_pending: bool
    pause: float = 0


def submit_action(*, match_code: str, player: Player, action_text: str, version: int) -> MoveResult:
    """Take a player's action at the version that he has seen.

    The same action by the same seat at the same version is answered as it was the first time.
    Raises Missing, Forbidden (not a player here), BadRequest (no action), Conflict (stale_version,
    or the match is not running) or AgainstRules with the legal actions. A player who acts is back in
    his seat, as after `come_back`; if his action is accepted, whatever the time.
    """
    refusal = None
    with transaction.atomic():
        match = lock_visible_match(match_code, player)
        seats = SEATS.all(match.pk)
        seat = require_seat(seats, player).index
        if not match.deal_number:  # Once dealt, actions may be sent again whatever has become of the match.
            check_running(match)
        table = load_table(match, seats)
        give_back(table, seat, timezone.now())
        try:
            result = _submit(table, seat, action_text, version)
        except ProblemError as error:
            # Raised after commit: a refusal changes nothing, but the seat stays given back.
            refusal = error
    if refusal is not None:
        raise refusal
    return result


def play_bot_move(match_id: int, version: int | None = None, limit: int = 1, seconds: float = inf) -> BotTurn:
    """Play up to ``limit`` bot actions in one transaction: in a row, within one deal, none once they have
    taken ``seconds``, and none after the first that bots pause before. Their answers about doubling come
    together.

    With ``version``, only if the match is still there: a stale one takes nothing, quietly. The
    caller calls again while ``bots_pending``; nothing is queued. Raises Missing.
    """
    with transaction.atomic():
        match = lock_match(pk=match_id)
        if match.status != Match.Status.RUNNING or version not in (None, match.version):
            return BotTurn(0, match.version, match.bots_pending)
        table = load_table(match, SEATS.all(match.pk))
        taken = _play_bots(table, limit, monotonic() + seconds)
        if taken:
            store(table, timezone.now())
        return BotTurn(taken, match.version, match.bots_pending, table.pause)


def expire(match_id: int, version: int | None = None) -> bool:
    """Act for whoever let the clock run out, if the deadline has passed; returns whether it had.

    With ``version``, only if the match is still there: a turn is acted on by who saw it overdue, never the
    next one in its place. Choosing: the first contract left (E). Doubling: no doubling for the silent.
    Playing: a bot takes the seat until its player acts again. Raises Missing.
    """
    now = timezone.now()
    with transaction.atomic():
        match = lock_match(pk=match_id)
        if match.deadline is None or match.deadline > now or version not in (None, match.version):
            return False
        table = load_table(match, SEATS.all(match.pk))
        _act_for_the_silent(table, now)
        call_bots(table)
    return True


def come_back(*, match_code: str, player: Player) -> Match:
    """Give a player his seat back from the bot that plays on for him; harmless if he has it.

    He stays away for a turn whose time he has used up twice, until the bot has played it.
    Raises Missing, Forbidden or Conflict.
    """
    with transaction.atomic():
        match = lock_visible_match(match_code, player)
        seats = SEATS.all(match.pk)
        seat = require_seat(seats, player).index
        check_running(match)
        check_not_resigned(seats[seat])
        give_back(load_table(match, seats), seat, timezone.now())
    return match


def go_away(match: Match, seats: list[Seat], seat: int) -> None:
    """Let a bot play on for a player who leaves a running match, until he comes back; harmless if one does.

    The match is locked.
    """
    if seats[seat].away_since is not None:
        return
    table = load_table(match, seats)
    _hand_to_bot(table, seat, timezone.now())
    call_bots(table)


def check_running(match: Match) -> None:
    """Raise Conflict unless the match is being played."""
    if match.status != Match.Status.RUNNING:
        raise wrong_status(match, "running")


def _submit(table: Table, seat: int, text: str, version: int) -> MoveResult:
    match, now = table.match, timezone.now()
    action = _parse(text, seat)
    if before := _answered_before(table, seat, action, version):
        return MoveResult(match, seat, before, deadline(match, table.seats, before))
    check_running(match)
    check_not_resigned(table.seats[seat])
    if version != match.version:
        raise stale(version, match.version)
    try:
        take(table, seat, action, now)
    except EngineError as error:
        raise refused(error, match.version) from error
    if table.seats[seat].away_since:
        _set_away(table.seats[seat], None)
    store(table, now)
    call_bots(table)
    return MoveResult(match, seat, table.position, deadline(match, table.seats, table.position))


def _parse(text: str, seat: int) -> int:
    try:
        return parse_action(text, seat)
    except EngineError as error:
        raise refused(error, 0) from error


def _answered_before(table: Table, seat: int, action: int, version: int) -> Position | None:
    """The first answer to this very action. An action at the version of now can only be a double."""
    state = table.position.state
    if version > state.version or (version == state.version and state.phase is not Phase.DOUBLE):
        return None
    return answered(table.match, table.deals, seat, action, version)


def _play_bots(table: Table, limit: int, until: float) -> int:
    number = table.match.deal_number
    taken = 0
    while taken < limit and table.match.deal_number == number and table.match.finished_at is None:
        seat = table.seat_to_play
        if seat is None:
            break
        was = table.position.state.phase
        take(table, seat, choose(table, seat), timezone.now())
        taken += 1
        # All bots that are asked to double answer after one pause: a pause each would tell how many.
        still_doubling = was is Phase.DOUBLE is table.position.state.phase
        if not still_doubling and (bot_pause(table) or monotonic() > until):
            break
    return taken


def _act_for_the_silent(table: Table, now: datetime) -> None:
    state = table.position.state
    if state.phase is Phase.PLAY:
        _hand_to_bot(table, state.turn, now)
        return
    if state.phase is Phase.CHOOSE:
        take(table, state.turn, choose_action(state.remaining[0]), now)
    else:
        for seat in to_act(state):
            take(table, seat, double_action(seat, 0), now)
    store(table, now)


def _hand_to_bot(table: Table, index: int, now: datetime) -> None:
    _set_away(table.seats[index], now)
    reschedule(table, now)


def give_back(table: Table, index: int, now: datetime) -> None:
    """Give the seat back to its player if a bot has it.

    On his turn he has the time that is left, his bank included. If none is he gets the seconds of an action
    again, but once: when they are over too, the bot plays this turn first, or nobody could ever go on.
    """
    seat = table.seats[index]
    if seat.away_since is None or seat.resigned or table.match.status != Match.Status.RUNNING:
        return
    ends = turn_ends(table) if table.position.state.turn == index else None
    if ends and ends <= now:
        if clock_again(table):
            return
        seat.clock_from = now
    _set_away(seat, None)
    reschedule(table, now)


def _set_away(seat: Seat, since: datetime | None) -> None:
    seat.away_since = since
    seat.save(update_fields=["away_since", "clock_from"])

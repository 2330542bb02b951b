"""A running match as it is played: its rows under its lock, and the engine's position.

`load_table`, then any number of `take`, then `store`: three reads and two writes, and one more write
where a deal ends. Everything here needs the match to be locked by the running transaction.
"""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.dispatch import Signal

from games.engine import Phase, match_over, match_result, new_match, next_deal, submit, to_act
from games.engine.cards import SEAT_NAMES
from games.engine.shuffle import deal_hands
from games.models import Deal, Match, Seat
from games.positions import Position, Step, deadline, position, seconds_for, spend
from games.services.webhooks import emit_match
from games.signals import match_finished
from games.times import TICKS_A_SECOND, pack_after, unpack_times
from trix_site.common.prepared import Prepared, update

# How late bots may be before the sweeper calls them again.
GRACE = timedelta(seconds=10)


DEALS = Prepared(lambda match: Deal.objects.filter(match=match), -1)
SEATS = Prepared(lambda match: Seat.objects.filter(match=match), -1)
PLAYED = ("actions", "times", "contract", "scores")
MOVED = ("version", "deal_number", "totals", "status", "winners", "finished_at", "deadline", "bots_due")


@dataclass
class Table:
    """``last`` is when the last action was stored; ``position.since`` leaves secret answers out.

    ``pause``: how many seconds a bot waits that is to act, once `store` or `reschedule` has said when.
    """

    match: Match
    seats: list[Seat]
    deals: list[Deal]
    position: Position
    last: datetime
    pause: float = 0

    @property
    def seat_to_play(self) -> int | None:
        """A seat that owes an action and that a bot plays. Secret while doubling."""
        return next((seat for seat in to_act(self.position.state) if self.seats[seat].played_by_bot), None)


def deal_first(match: Match, seats: list[Seat], now: datetime) -> Table:
    """Start a match whose four seats are taken: the first deal, and the clock."""
    table = begun(match, seats, now)
    table.deals[0].save(force_insert=True)
    match.save(update_fields=["status", "started_at", "deal_number", "deadline", "bots_due"])
    return table


def begun(match: Match, seats: list[Seat], now: datetime) -> Table:
    """The same in memory; nothing is stored."""
    options = match.engine_options
    dealt = deal_hands(match.secret, 1, options)
    state = new_match(options, dealt.hands, dealt.redealt)
    match.status = Match.Status.RUNNING
    match.started_at = now
    match.deal_number = 1
    bank = match.clock_bank
    banks = None if bank is None else (bank * TICKS_A_SECOND,) * 4
    first = Position(state, now, banks)
    table = Table(match, seats, [_deal_row(match, first)], first, now)
    _schedule(table, now)
    return table


def load_table(match: Match, seats: list[Seat]) -> Table:
    """The table of a match that runs or is finished, with its four seats in order."""
    deals = DEALS.all(match.pk)
    return Table(match, seats, deals, *position(match, deals))


def take(table: Table, seat: int, action: int, now: datetime) -> None:
    """Take one action for a seat, in memory. Raises RuleError, and then nothing has changed."""
    state = table.position.state
    version, phase = state.version, state.phase
    left = _left(table, seat, now)
    submit(state, seat, action)
    packed = pack_after(table.last, now, left)
    ((table.last, own),) = unpack_times(table.last, packed)
    deal = table.deals[-1]
    deal.actions += bytes([action])
    deal.times += packed
    deal.contract = state.contract
    if state.version != version:
        step = Step(version, seat, action, table.last, phase, own)
        banks = spend(table.match, table.position.banks, step)
        table.position = Position(state, table.last, banks)
    if state.phase is Phase.OVER:
        _end_deal(table)


def store(table: Table, now: datetime) -> None:
    """Write what `take` changed, and when whoever is next has to act."""
    match = table.match
    played = next(deal for deal in reversed(table.deals) if not deal._state.adding)
    update(played, PLAYED)
    if table.deals[-1] is not played:
        table.deals[-1].save(force_insert=True)
    match.version = table.position.state.version
    _schedule(table, now)
    update(match, MOVED)
    if match.status == Match.Status.FINISHED:
        emit_match(match, "match_finished", table.seats)
        announce(match_finished, match)


def reschedule(table: Table, now: datetime) -> None:
    """Write when whoever is next has to act, after a seat was handed to a bot or given back."""
    _schedule(table, now)
    table.match.save(update_fields=["deadline", "bots_due"])


def turn_ends(table: Table) -> datetime | None:
    """When the clock acts for whoever is to act, if it does: a person, or the bot that plays on for him.

    It follows from what is stored. Coming and going, one's own or another's, does not move it, but for
    the time that a player gets again, once in a turn, who is back after it had run out: the seconds of an
    action, for his bank is used up.
    """
    match = table.match
    if table.position.state.phase is Phase.PLAY and match.on_timeout == Match.OnTimeout.WAIT:
        return None
    ends = deadline(match, table.seats, table.position)
    again = clock_again(table)
    if not again:
        return ends
    return again + timedelta(seconds=seconds_for(match, table.position.state.phase) or 0)


def clock_again(table: Table) -> datetime | None:
    """Since when the player to act has had an action's time again, if he has in this turn."""
    state = table.position.state
    ends = deadline(table.match, table.seats, table.position)
    again = None if state.phase is Phase.DOUBLE else table.seats[state.turn].clock_from
    return again if ends and again and again >= ends else None


def bot_pause(table: Table) -> float:
    """Seconds before a bot acts.

    While doubling at a table with people bots take a second or more, drawn at random: an answer in
    no time would tell them that nobody but bots was asked.
    """
    delay = table.match.bot_delay
    if table.position.state.phase is Phase.DOUBLE and sum(not seat.played_by_bot for seat in table.seats) > 1:
        return max(delay, 1) * random.uniform(1, 3)
    return delay


def announce(signal: Signal, match: Match) -> None:
    """Send a signal of a match after commit; each receiver is told, whatever the others make of it."""
    transaction.on_commit(lambda: signal.send_robust(sender=Match, match_id=match.pk), robust=True)


def _schedule(table: Table, now: datetime) -> None:
    """Set when the sweeper acts for a person who is silent, and when it calls bots that are."""
    match = table.match
    match.deadline = turn_ends(table) if _waits_for_people(table) else None
    match.bots_due = None
    if table.seat_to_play is not None:
        table.pause = bot_pause(table)
        match.bots_due = now + timedelta(seconds=table.pause) + GRACE


def _left(table: Table, index: int, now: datetime) -> datetime | None:
    """Since when a bot has acted in this seat, if otherwise its player's bank would go down for it."""
    state, since, banks = table.position
    if banks is None or state.phase not in (Phase.CHOOSE, Phase.PLAY):
        return None
    seconds = seconds_for(table.match, state.phase)
    if seconds is None or now - since <= timedelta(seconds=seconds):
        return None
    seat = table.seats[index]
    return since if seat.bot else seat.away_since


def _waits_for_people(table: Table) -> bool:
    state = table.position.state
    if state.phase is Phase.DOUBLE:
        # Whoever is asked: the clock must not tell.
        return not all(seat.played_by_bot for seat in table.seats)
    return state.phase is not Phase.OVER and not table.seats[state.turn].played_by_bot


def _end_deal(table: Table) -> None:
    state, match = table.position.state, table.match
    table.deals[-1].scores = list(state.scores)
    outcome = match_result(state.options, state.finished)
    match.totals = list(outcome.totals)
    if match_over(state):
        match.status = Match.Status.FINISHED
        match.finished_at = table.last
        match.winners = [SEAT_NAMES[seat] for seat in outcome.winners]
    else:
        _start_next_deal(table)


def _start_next_deal(table: Table) -> None:
    match, number = table.match, table.position.state.number + 1
    dealt = deal_hands(match.secret, number, table.position.state.options)
    state = next_deal(table.position.state, dealt.hands, dealt.redealt)
    table.position = Position(state, table.last, table.position.banks)
    match.deal_number = number
    table.deals.append(_deal_row(match, table.position))


def _deal_row(match: Match, begun: Position) -> Deal:
    state, since, banks = begun
    return Deal(
        match=match,
        number=state.number,
        owner=state.owner,
        contract=state.contract,
        first_version=state.version,
        started_at=since,
        banks=None if banks is None else list(banks),
    )

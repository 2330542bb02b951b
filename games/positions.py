"""Positions out of stored deals: the engine's state is never stored, its log is.

Functions take all deals of a match up to some number, in order. A finished deal before the last one
has led to the next: the position after its last action is the next deal before its first.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from games.engine import Contract, DealResult, Phase, State, View, apply, resume
from games.engine.actions import DOUBLE, double_seat
from games.engine.shuffle import deal_hands
from games.models import Deal, Match, Seat
from games.times import TICK, TICKS_A_SECOND, unpack_times

Banks = tuple[int, ...] | None


class Position(NamedTuple):
    """A position, and since when it has been what everyone sees.

    ``banks``: what each seat then had left of its time bank, in tenths of a second; None without one.
    """

    state: State
    since: datetime
    banks: Banks


class Step(NamedTuple):
    """One stored action: ``version`` is the match's before it, ``at`` when it was taken, and ``own`` how
    many tenths of a second before it were its player's, and not those of a bot that acted for him.
    """

    version: int
    seat: int
    action: int
    at: datetime
    phase: Phase
    own: int


class AtDeadline(NamedTuple):
    """Whose time it is (None while doubling: everyone's), and what happens when it is over:
    "bot_plays", "first_contract", "no_double" or "waits".
    """

    seat: int | None
    then: str


def open_position(match: Match, deals: Sequence[Deal]) -> State:
    """The last of these deals before its first action."""
    *earlier, deal = deals
    options = match.engine_options
    dealt = deal_hands(match.secret, deal.number, options)
    results = tuple(map(result, earlier))
    return resume(
        options, deal.number, deal.owner, results, deal.first_version, dealt.hands, dealt.redealt, b""
    )


def opening(match: Match, deals: Sequence[Deal]) -> Position:
    """The last of these deals before its first action, as everyone saw it when it began."""
    deal = deals[-1]
    banks = None if deal.banks is None else tuple(deal.banks)
    return Position(open_position(match, deals), deal.started_at, banks)


def steps(state: State, deal: Deal) -> Iterator[Step]:
    """Apply the log of a deal to its open position, and give each action once it is applied."""
    for action, (at, own) in zip(deal.actions, unpack_times(deal.started_at, deal.times), strict=True):
        version, phase = state.version, state.phase
        seat = double_seat(action) if action >= DOUBLE else state.turn
        apply(state, action)
        yield Step(version, seat, action, at, phase, own)


def spend(match: Match, banks: Banks, step: Step) -> Banks:
    """The banks after an action: what it took beyond the time of its phase is gone, down to nothing.

    Doubling uses none: it has one time for the whole table, and a bank would tell who was asked.
    """
    if banks is None or step.phase is Phase.DOUBLE:
        return banks
    seconds = seconds_for(match, step.phase)
    if seconds is None:
        return banks
    over = step.own - seconds * TICKS_A_SECOND
    if over <= 0:
        return banks
    return tuple(max(0, left - over) if seat == step.seat else left for seat, left in enumerate(banks))


def position(match: Match, deals: Sequence[Deal]) -> tuple[Position, datetime]:
    """The position after every stored action, and when the last action was stored, a secret one too."""
    state, since, banks = opening(match, deals)
    last = since
    for step in steps(state, deals[-1]):
        last = step.at
        if state.version != step.version:
            since, banks = last, spend(match, banks, step)
    return Position(state, since, banks), last


def answered(match: Match, deals: Sequence[Deal], seat: int, action: int, version: int) -> Position | None:
    """The position after this seat took just this action at this version; None if it did not."""
    count = sum(deal.first_version <= version for deal in deals)
    state, since, banks = opening(match, deals[:count])
    for step in steps(state, deals[count - 1]):
        if step.version > version:
            return None
        if state.version != step.version:
            since, banks = step.at, spend(match, banks, step)
        if (step.version, step.seat, step.action) == (version, seat, action):
            over = state.phase is Phase.OVER and count < len(deals)
            return opening(match, deals[: count + 1]) if over else Position(state, since, banks)
    return None


def seconds_for(match: Match, phase: Phase) -> int | None:
    """The clock of an action of this phase; None is no limit."""
    return (match.clock_choose, match.clock_double, match.clock_play)[phase]


def deadline(match: Match, seats: Sequence[Seat], position: Position) -> datetime | None:
    """Until when the seat to act has time, with all that is left of its bank. It depends on nothing but
    what every seat sees.

    While doubling that is one time for the whole table, whoever is asked and has answered.
    """
    state = position.state
    if state.phase is Phase.OVER:
        return None
    seconds = seconds_for(match, state.phase)
    waiting = seats if state.phase is Phase.DOUBLE else [seats[state.turn]]
    if seconds is None or all(seat.bot for seat in waiting):
        return None
    bank = 0 if position.banks is None or state.phase is Phase.DOUBLE else position.banks[state.turn]
    return position.since + timedelta(seconds=seconds) + bank * TICK


def until(match: Match, seats: Sequence[Seat], position: Position) -> datetime | None:
    """Until when the seat to act has time in a running match, as everyone sees it: when the sweeper acts
    or, where it does not, the clock runs out.
    """
    if match.status != Match.Status.RUNNING:
        return None
    return match.deadline or deadline(match, seats, position)


def at_deadline(match: Match, seats: Sequence[Seat], seen: State | View) -> AtDeadline | None:
    """What happens when the clock runs out; None where nobody is waited for: bots play on, or it is over.

    It depends on nothing but what every seat sees. Where the table waits, play has a deadline all the
    same: it is when the bank of the seat to act is used up.
    """
    if seen.phase is Phase.DOUBLE:
        return None if all(seat.played_by_bot for seat in seats) else AtDeadline(None, "no_double")
    if seen.phase is Phase.OVER or seats[seen.turn].played_by_bot:
        return None
    if seen.phase is Phase.CHOOSE:
        return AtDeadline(seen.turn, "first_contract")
    waits = match.on_timeout == Match.OnTimeout.WAIT
    return AtDeadline(seen.turn, "waits" if waits else "bot_plays")


def result(deal: Deal) -> DealResult:
    """What the engine calls a finished deal."""
    assert deal.contract is not None and deal.scores is not None
    south, east, north, west = deal.scores
    return DealResult(deal.number, deal.owner, Contract(deal.contract), (south, east, north, west))

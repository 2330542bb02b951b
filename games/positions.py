"""Positions out of stored deals: the engine's state is never stored, its log is.

Functions take all deals of a match up to some number, in order. A finished deal before the last one
has led to the next: the position after its last action is the next deal before its first.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from games.engine import Contract, DealResult, Phase, State, apply, resume
from games.engine.actions import DOUBLE, double_seat
from games.engine.shuffle import deal_hands
from games.models import Deal, Match, Seat
from games.times import unpack_times


class Position(NamedTuple):
    """A position, and since when it has been what everyone sees."""

    state: State
    since: datetime


class Step(NamedTuple):
    """One stored action: ``version`` is the match's before it, ``at`` when it was taken."""

    version: int
    seat: int
    action: int
    at: datetime


def open_position(match: Match, deals: Sequence[Deal]) -> State:
    """The last of these deals before its first action."""
    *earlier, deal = deals
    options = match.engine_options
    dealt = deal_hands(match.secret, deal.number, options)
    results = tuple(map(result, earlier))
    return resume(
        options, deal.number, deal.owner, results, deal.first_version, dealt.hands, dealt.redealt, b""
    )


def steps(state: State, deal: Deal) -> Iterator[Step]:
    """Apply the log of a deal to its open position, and give each action once it is applied."""
    for action, at in zip(deal.actions, unpack_times(deal.started_at, deal.times), strict=True):
        version = state.version
        seat = double_seat(action) if action >= DOUBLE else state.turn
        apply(state, action)
        yield Step(version, seat, action, at)


def position(match: Match, deals: Sequence[Deal]) -> tuple[Position, datetime]:
    """The position after every stored action, and when the last action was stored, a secret one too."""
    state = open_position(match, deals)
    since = last = deals[-1].started_at
    for step in steps(state, deals[-1]):
        last = step.at
        if state.version != step.version:
            since = last
    return Position(state, since), last


def answered(match: Match, deals: Sequence[Deal], seat: int, action: int, version: int) -> Position | None:
    """The position after this seat took just this action at this version; None if it did not."""
    count = sum(deal.first_version <= version for deal in deals)
    state = open_position(match, deals[:count])
    since = deals[count - 1].started_at
    for step in steps(state, deals[count - 1]):
        if step.version > version:
            return None
        if state.version != step.version:
            since = step.at
        if step == (version, seat, action, step.at):
            return _after(match, deals[: count + 1], state, since)
    return None


def deadline(match: Match, seats: Sequence[Seat], position: Position) -> datetime | None:
    """Until when the seat to act has time. It depends on nothing but what every seat sees.

    While doubling that is one time for the whole table, whoever is asked and has answered.
    """
    state = position.state
    if state.phase is Phase.OVER:
        return None
    seconds = match.clock(state.phase.name.lower())
    waiting = seats if state.phase is Phase.DOUBLE else [seats[state.turn]]
    if seconds is None or all(seat.bot for seat in waiting):
        return None
    return position.since + timedelta(seconds=seconds)


def result(deal: Deal) -> DealResult:
    """What the engine calls a finished deal."""
    assert deal.contract is not None and deal.scores is not None
    south, east, north, west = deal.scores
    return DealResult(deal.number, deal.owner, Contract(deal.contract), (south, east, north, west))


def _after(match: Match, deals: Sequence[Deal], state: State, since: datetime) -> Position:
    if state.phase is Phase.OVER and deals[-1].number > state.number:
        return Position(open_position(match, deals), deals[-1].started_at)
    return Position(state, since)

"""Decisions of a match that is over, and what a bot thinks of them: what `games.bots.analysis` finds, packed
for storing, summed up, and as comments of a `.trix` record. Points are as in `games.bots.strong`: expected,
the seat's less the mean of the others', or side less side, in tenths.
"""

import json
import zlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.engine import action_text
from games.engine.cards import SEAT_NAMES, SEAT_TITLES

LEAST = 3.0  # points that a mistake costs at least
SURE = 1.96  # standard errors that it is beyond chance


class Candidate(NamedTuple):
    """A legal action: its points, their standard error, and over how many worlds they were taken."""

    action: int
    points: float
    error: float
    worlds: int


class Decision(NamedTuple):
    """What a seat did where it had a choice, and what the bot would have done.

    version: of the match, before it. play: its number within the deal, from 1; 0 of other actions.
    lost: by how many points ``played`` is worth less than ``best``. candidates: all legal actions.
    """

    version: int
    play: int
    seat: int
    played: int
    best: int
    lost: float
    error: float
    candidates: tuple[Candidate, ...]

    @property
    def is_mistake(self) -> bool:
        return self.lost >= LEAST and self.lost > SURE * self.error


class Sums(NamedTuple):
    """Of a seat: its decisions, how many were mistakes, and the points that these lost."""

    decisions: int
    mistakes: int
    lost: float
    lost_per_deal: float


def sums(deals: Sequence[Sequence[Decision]], seat: int) -> Sums:
    """Over all deals of a match in which anything was decided."""
    own = [decision for deal in deals for decision in deal if decision.seat == seat]
    lost = [decision.lost for decision in own if decision.is_mistake]
    total = sum(lost, 0.0)
    played = sum(map(bool, deals))
    return Sums(len(own), len(lost), round(total, 1), round(total / played, 2) if played else 0.0)


def pack(decisions: Iterable[Decision]) -> bytes:
    """The decisions of a deal in few bytes; `unpack` gives the same."""
    return zlib.compress(json.dumps(list(decisions), separators=(",", ":")).encode(), 9)


def unpack(packed: bytes) -> list[Decision]:
    decisions = map(Decision._make, json.loads(zlib.decompress(packed)))
    return [
        decision._replace(candidates=tuple(map(Candidate._make, decision.candidates)))
        for decision in decisions
    ]


def comments(deals: Sequence[Sequence[Decision]]) -> dict[tuple[int, int], list[str]]:
    """What to write into a record, by deal and play as `notation.with_comments` takes it: the sums of all
    seats at its head, and every mistake.
    """
    found = {(0, 0): [_sentence(SEAT_TITLES[seat], sums(deals, seat)) for seat in range(4)]}
    for number, deal in enumerate(deals, 1):
        for decision in deal:
            if decision.is_mistake:
                found.setdefault((number, decision.play), []).append(_remark(decision))
    return found


def _sentence(title: str, of: Sums) -> str:
    lost = f"{of.lost} points lost ({of.lost_per_deal} a deal)"
    mistakes = f"{of.mistakes} mistake{'' if of.mistakes == 1 else 's'}"
    return f"{title}: {mistakes} in {of.decisions} decisions, {lost}"


def _remark(decision: Decision) -> str:
    place = f"play {decision.play}, " if decision.play else ""
    played, best = (action_text(action).removeprefix("play ") for action in (decision.played, decision.best))
    lost = f"{decision.lost} points lost (+-{SURE * decision.error:.1f})"
    return f"{place}{SEAT_NAMES[decision.seat]} {played}: better {best}, {lost}"

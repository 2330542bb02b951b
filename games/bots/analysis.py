"""What the level ``strong`` thinks of the decisions of a deal that was played.

Each decision is looked at with what its seat could see at that moment, and with nothing else: what the
others turned out to hold does not count. What seems to be a mistake is weighed once more, against the best
action alone and in fresh worlds: of many actions, the best is also the one that had most luck.
"""

import hmac
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import hypot, inf
from operator import attrgetter

from games.engine import Phase, State, View, apply, legal_actions, view
from games.engine.actions import DOUBLE, double_seat

from . import strong
from .decisions import SURE, Candidate, Decision
from .strong import Budget, Worth

# Drop nothing: both actions are tried in all worlds.
NO_DOUBT = inf


def deal_decisions(
    state: State, log: Iterable[int], luck: bytes, budget: Budget = strong.USUAL
) -> Iterator[Decision]:
    """Every decision between two or more actions, in order: the same for the same ``luck``.

    ``state`` is a deal before its first action. It is played on by ``log``, the engine's.
    """
    for action in log:
        seat = double_seat(action) if action >= DOUBLE else state.turn
        legal = legal_actions(state, seat)
        if len(legal) > 1:
            yield decision(view(state, seat), legal, action, _rng(luck, state.version, seat), budget)
        apply(state, action)


def decision(seen: View, legal: Sequence[int], played: int, rng: random.Random, budget: Budget) -> Decision:
    """What to think of an action that a seat took among others."""
    assert seen.seat is not None
    alike = _alike(seen, legal)
    different = sorted(set(alike.values()))
    worths = {worth.action: worth for worth in strong.weigh(seen, different, rng, budget)}
    best = strong.best(list(worths.values()), attrgetter("points"))
    mine = worths[alike[played]]
    if _seems_behind(mine, best):
        surely = replace(budget, doubt=NO_DOUBT)
        again = strong.weigh(seen, [best.action, mine.action], rng, surely)
        worths |= {worth.action: worth for worth in again}
        best, mine = again
        if mine.points > best.points:
            best = mine
    lost = round(max(0.0, best.points - mine.points), 1)
    return Decision(
        seen.version,
        len(seen.plays) + 1 if seen.phase is Phase.PLAY else 0,
        seen.seat,
        played,
        best.action if lost else played,
        lost,
        round(hypot(best.error, mine.error), 1) if lost else 0.0,
        tuple(_candidate(action, worths[alike[action]]) for action in legal),
    )


def _alike(seen: View, legal: Sequence[int]) -> dict[int, int]:
    """For each action the one that stands for it: of cards that are alike one is weighed."""
    different = strong.unlike(seen, legal)

    def stands_for(other: int, action: int) -> bool:
        return other == action or len(strong.unlike(seen, sorted((action, other)))) == 1

    return {action: next(other for other in different if stands_for(other, action)) for action in legal}


def _seems_behind(mine: Worth, best: Worth) -> bool:
    return mine.worlds < best.worlds or best.points - mine.points > SURE * hypot(mine.error, best.error)


def _candidate(action: int, worth: Worth) -> Candidate:
    return Candidate(action, round(worth.points, 1), round(worth.error, 1), worth.worlds)


def _rng(luck: bytes, version: int, seat: int) -> random.Random:
    return random.Random(hmac.digest(luck, f"analysis {version} {seat}".encode(), "sha256"))

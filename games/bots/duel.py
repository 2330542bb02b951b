"""Measuring bots against each other: the figures of ``manage.py duel``, without a database.

Every deal is played several times with the same cards and the same luck of each seat, the hero in
another seat each time: the cards' luck cancels, and a bot against itself comes out at exactly 0.
The figure of a deal is the mean over these seatings. Seatings of one deal are not independent,
deals are: intervals are taken over deals.

A figure is hero minus the mean of the other three. With partners the hero has both seats of a side,
and it is that side's points minus the other's.
"""

import hashlib
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean, stdev
from typing import Any, TypeVar

from games.engine import (
    Contract,
    Options,
    Phase,
    State,
    apply,
    choose_action,
    legal_actions,
    match_over,
    match_result,
    new_match,
    next_deal,
    to_act,
    view,
)
from games.engine.shuffle import deal_hands

from . import Chooser
from .spread import spread
from .warming import warm

Figures = Mapping[Contract, float]
Part = TypeVar("Part")


@dataclass
class Duel:
    """Hero against villain under some rules, with a count of the hero's decisions and of illegal ones.

    seconds: what the hero's decisions took of a core's time.
    """

    hero: Chooser
    villain: Chooser
    options: Options
    seed: int
    decisions: int = 0
    seconds: float = 0.0
    illegal: int = 0


@dataclass(frozen=True)
class Played:
    """A finished match: the hero's seats, and the totals."""

    heroes: tuple[int, ...]
    totals: tuple[int, int, int, int]


def deal_figures(
    duel: Duel, contracts: Sequence[Contract], deals: int, processes: int = 1
) -> Iterator[Figures]:
    """Deal by deal the hero's figure in each of the contracts, all played with the same cards."""
    return _parts(duel, partial(_deal, contracts), deals, processes)


def play_matches(duel: Duel, matches: int, processes: int = 1) -> Iterator[Played]:
    """Full matches, one by one. The hero takes every seat in turn with the same cards, then come others."""
    return _parts(duel, _match, matches, processes)


def report(duel: Duel, figures: Sequence[Figures], played: Sequence[Played]) -> dict[str, Any]:
    """All figures of a duel, ready for JSON; docs/bots.md says what each means.

    ``advantage`` sums the trick contracts; trix, whose points are of another kind, counts only where
    it is alone.
    """
    contracts = list(figures[0]) if figures else []
    summed = [contract for contract in contracts if contract is not Contract.TRIX] or contracts
    return {
        "deals": len(figures),
        "matches": len(played),
        **_estimate([sum(deal[contract] for contract in summed) for deal in figures]),
        "by_contract": {
            contract.text: _estimate([deal[contract] for deal in figures]) for contract in contracts
        },
        **_pairs_won(duel.options, played),
        "mean_place": _mean_place(duel.options, played),
        "ms_per_decision": round(1000 * duel.seconds / duel.decisions, 4),
        "illegal": duel.illegal,
    }


def hero_seatings(options: Options) -> tuple[tuple[int, ...], ...]:
    """The seats that the hero takes in turn: each alone, or with partners each side."""
    return ((0, 2), (1, 3)) if options.partners else ((0,), (1,), (2,), (3,))


def _estimate(figures: Sequence[float]) -> dict[str, object]:
    if not figures:
        return {"advantage": None, "ci95": None}
    interval = _interval(figures)
    return {
        "advantage": _rounded(fmean(figures)),
        "ci95": [_rounded(end) for end in interval] if interval else None,
    }


def _rounded(points: float) -> float:
    return round(points, 2) + 0.0  # no negative zero


def _interval(figures: Sequence[float]) -> tuple[float, float] | None:
    """The 95 % interval around the mean of independent figures; one alone tells of none."""
    if len(figures) < 2:
        return None
    mean, error = fmean(figures), 1.96 * stdev(figures) / len(figures) ** 0.5
    return mean - error, mean + error


def _pairs_won(options: Options, played: Sequence[Played]) -> dict[str, object]:
    """How often the hero comes out above one villain of his match; a tie is half.

    Matches over the same cards are not independent: the interval is taken over cards, as far as the hero has
    had every seat with them.
    """
    if not played:
        return {"pair_win_rate": None, "pair_win_ci95": None}
    pairs = [fmean(_beaten(options, match)) for match in played]
    together = len(hero_seatings(options))
    whole = len(pairs) - len(pairs) % together
    interval = _interval([fmean(pairs[at : at + together]) for at in range(0, whole, together)])
    return {
        "pair_win_rate": round(fmean(pairs), 4),
        "pair_win_ci95": [round(min(max(end, 0.0), 1.0), 4) for end in interval] if interval else None,
    }


def _mean_place(options: Options, played: Sequence[Played]) -> float | None:
    """The hero's mean place from 1; with partners it is the side's, 1 or 2. Ties share places."""
    places = [1 + len(beaten) - sum(beaten) for beaten in (_beaten(options, match) for match in played)]
    return round(fmean(places), 3) if places else None


def _beaten(options: Options, match: Played) -> list[float]:
    """For each villain, or for the other side, whether the hero beat it: 1, 0, or a half for a tie."""
    hero = sum(match.totals[seat] for seat in match.heroes)
    if options.partners:
        others = [sum(match.totals) - hero]
    else:
        others = [match.totals[seat] for seat in range(4) if seat not in match.heroes]
    return [(hero > other) + (hero == other) / 2 for other in others]


def _parts(duel: Duel, play: Callable[[Duel, int], Part], count: int, processes: int) -> Iterator[Part]:
    """The parts of a duel in their order, each of its seed and its number alone; the duel's counts go up."""
    for part, own in spread(partial(_counted, play, duel), count, processes):
        duel.decisions += own.decisions
        duel.seconds += own.seconds
        duel.illegal += own.illegal
        yield part


def _counted(play: Callable[[Duel, int], Part], duel: Duel, number: int) -> tuple[Part, Duel]:
    """One part of a duel, with what it counted."""
    warm(duel.hero)
    own = replace(duel, decisions=0, seconds=0.0, illegal=0)
    return play(own, number), own


def _deal(contracts: Sequence[Contract], duel: Duel, index: int) -> Figures:
    return {contract: _figure(duel, contract, index + 1) for contract in contracts}


def _match(duel: Duel, index: int) -> Played:
    seatings = hero_seatings(duel.options)
    heroes = seatings[index % len(seatings)]
    return Played(heroes, _play_match(duel, heroes, index // len(seatings)))


def _figure(duel: Duel, contract: Contract, number: int) -> float:
    return fmean(
        _difference(_play_contract(duel, heroes, contract, number), heroes)
        for heroes in hero_seatings(duel.options)
    )


def _difference(scores: Sequence[int], heroes: Sequence[int]) -> float:
    """Hero minus the mean of three, or side minus side."""
    hero = sum(scores[seat] for seat in heroes)
    return hero - (sum(scores) - hero) * len(heroes) / (4 - len(heroes))


def _play_contract(duel: Duel, heroes: Sequence[int], contract: Contract, number: int) -> Sequence[int]:
    dealt = deal_hands(_secret(duel.seed, "deals"), number, duel.options)
    state = new_match(duel.options, dealt.hands, dealt.redealt)
    apply(state, choose_action(contract))
    _play_out(duel, heroes, state, f"{duel.seed}:{number}:{contract.text}")
    return state.scores


def _play_match(duel: Duel, heroes: Sequence[int], index: int) -> tuple[int, int, int, int]:
    secret = _secret(duel.seed, f"match {index}")
    dealt = deal_hands(secret, 1, duel.options)
    state = new_match(duel.options, dealt.hands, dealt.redealt)
    while True:
        _play_out(duel, heroes, state, f"{duel.seed}:match {index}:{state.number}")
        if match_over(state):
            return match_result(duel.options, state.finished).totals
        dealt = deal_hands(secret, state.number + 1, duel.options)
        state = next_deal(state, dealt.hands, dealt.redealt)


def _play_out(duel: Duel, heroes: Sequence[int], state: State, luck: str) -> None:
    """Play a deal to its end. A seat's luck hangs on the deal and the seat, not on who sits there."""
    rngs = [random.Random(f"{luck}:{seat}") for seat in range(4)]
    while state.phase is not Phase.OVER:
        seat = to_act(state)[0]
        apply(state, _decide(duel, seat in heroes, state, seat, rngs[seat]))


def _decide(duel: Duel, is_hero: bool, state: State, seat: int, rng: random.Random) -> int:
    legal, seen = legal_actions(state, seat), view(state, seat)
    started = time.process_time()
    action = (duel.hero if is_hero else duel.villain)(seen, legal, rng)
    if is_hero:
        duel.decisions += 1
        duel.seconds += time.process_time() - started
    if action not in legal:
        duel.illegal += 1
        return legal[0]
    return action


def _secret(seed: int, what: str) -> bytes:
    return hashlib.sha256(f"duel {seed} {what}".encode()).digest()

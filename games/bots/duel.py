"""Measuring bots against each other: the figures of ``manage.py duel``, without a database.

Every deal is played several times with the same cards and the same luck of each seat, the hero in
another seat each time, so that a bot against itself comes out at exactly 0 and the cards' luck
cancels. One deal's figure is the mean over those seatings; deals, not seatings, are independent, so
intervals are taken over them.

The figure of a deal is hero minus the mean of the other three. With partners the hero has both
seats of a side, and it is the hero's side minus the other: team points.
"""

import hashlib
import random
import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

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

Interval = tuple[float, float]


@dataclass
class Duel:
    """Hero against villain under one set of rules; counts the hero's time and anyone's illegal actions."""

    hero: Chooser
    villain: Chooser
    options: Options
    seed: int
    decisions: int = 0
    seconds: float = 0.0
    illegal: int = 0


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % interval, over independent deals."""

    mean: float
    ci95: Interval


@dataclass
class MatchFigures:
    """Pairs of hero and villain played and won (a tie is half), and the places of the hero."""

    pairs: int = 0
    wins: float = 0.0
    places: list[float] = field(default_factory=list)

    @property
    def pair_win_rate(self) -> float:
        return self.wins / self.pairs

    @property
    def mean_place(self) -> float:
        return statistics.mean(self.places)


def trick_contracts(options: Options) -> tuple[Contract, ...]:
    """The contracts whose figures are summed: all but trix, which has points of another kind."""
    return tuple(contract for contract in options.contracts if contract is not Contract.TRIX)


def deal_figures(duel: Duel, contracts: Sequence[Contract], deals: int) -> Iterator[dict[Contract, float]]:
    """For each of ``deals`` deals, the hero's figure in every contract, all played with the same cards."""
    for number in range(1, deals + 1):
        yield {contract: _figure(duel, contract, number) for contract in contracts}


def estimate(figures: Sequence[float]) -> Estimate:
    """Mean and 95 % interval (normal) of independent figures; one figure alone has no width."""
    mean = statistics.fmean(figures)
    error = statistics.stdev(figures) / len(figures) ** 0.5 if len(figures) > 1 else 0.0
    return Estimate(mean, (mean - 1.96 * error, mean + 1.96 * error))


def play_matches(duel: Duel, matches: int) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Full matches, one after another: the hero's seats and the four totals.

    The hero takes every seat in turn over the same cards, then fresh cards come.
    """
    seatings = hero_seatings(duel.options)
    for index in range(matches):
        heroes = seatings[index % len(seatings)]
        yield heroes, _play_match(duel, heroes, index // len(seatings))


def match_figures(options: Options, played: Iterable[tuple[Sequence[int], Sequence[int]]]) -> MatchFigures:
    """Pairs and places of finished matches; with partners the two sides are the pair."""
    figures = MatchFigures()
    for heroes, totals in played:
        hero = sum(totals[seat] for seat in heroes)
        if options.partners:
            others = [sum(totals) - hero]
        else:
            others = [totals[seat] for seat in range(4) if seat not in heroes]
        wins = sum((hero > other) + (hero == other) / 2 for other in others)
        figures.pairs += len(others)
        figures.wins += wins
        figures.places.append(1 + len(others) - wins)
    return figures


def hero_seatings(options: Options) -> tuple[tuple[int, ...], ...]:
    """The seats that the hero takes in turn: each alone, or each side."""
    return ((0, 2), (1, 3)) if options.partners else ((0,), (1,), (2,), (3,))


def _figure(duel: Duel, contract: Contract, number: int) -> float:
    return statistics.fmean(
        _compare(_play_contract(duel, heroes, contract, number), heroes, duel.options)
        for heroes in hero_seatings(duel.options)
    )


def _compare(scores: Sequence[int], heroes: Sequence[int], options: Options) -> float:
    hero = sum(scores[seat] for seat in heroes)
    others = sum(scores) - hero
    return hero - others if options.partners else hero - others / 3


def _play_contract(duel: Duel, heroes: Sequence[int], contract: Contract, number: int) -> Sequence[int]:
    dealt = deal_hands(_secret(duel.seed, 0), number, duel.options)
    state = new_match(duel.options, dealt.hands, dealt.redealt)
    apply(state, choose_action(contract))
    _play_out(duel, heroes, state, f"{duel.seed}:{number}:{contract}")
    return state.scores


def _play_match(duel: Duel, heroes: Sequence[int], index: int) -> Sequence[int]:
    secret = _secret(duel.seed, index + 1)
    dealt = deal_hands(secret, 1, duel.options)
    state = new_match(duel.options, dealt.hands, dealt.redealt)
    _play_out(duel, heroes, state, f"{duel.seed}:match{index}:1")
    while not match_over(state):
        number = state.number + 1
        dealt = deal_hands(secret, number, duel.options)
        state = next_deal(state, dealt.hands, dealt.redealt)
        _play_out(duel, heroes, state, f"{duel.seed}:match{index}:{number}")
    return match_result(duel.options, state.finished).totals


def _play_out(duel: Duel, heroes: Sequence[int], state: State, luck: str) -> None:
    """Play a deal to its end. A seat's luck hangs on the deal and the seat, not on who sits there."""
    rngs = [random.Random(f"{luck}:{seat}") for seat in range(4)]
    while state.phase is not Phase.OVER:
        seat = to_act(state)[0]
        apply(state, _decide(duel, seat in heroes, state, seat, rngs[seat]))


def _decide(duel: Duel, is_hero: bool, state: State, seat: int, rng: random.Random) -> int:
    legal = legal_actions(state, seat)
    seen = view(state, seat)
    chooser = duel.hero if is_hero else duel.villain
    started = time.perf_counter()
    action = chooser(seen, legal, rng)
    if is_hero:
        duel.seconds += time.perf_counter() - started
        duel.decisions += 1
    if action not in legal:
        duel.illegal += 1
        return legal[0]
    return action


def _secret(seed: int, index: int) -> bytes:
    return hashlib.sha256(f"duel {seed} {index}".encode()).digest()

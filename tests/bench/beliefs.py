"""What play tells: by how many bits it still surprises who holds a hidden card, with beliefs and without."""

import random
from collections.abc import Sequence
from functools import partial
from statistics import fmean

import numpy as np

from games.bots import Chooser, greedy, strong, uniform
from games.engine import Phase, View, apply, legal_actions, view
from tests.bench.strength import RULES, TRICKS
from tests.bots.bits import bits_without_and_with_beliefs
from tests.bots.deals import random_deal

DEALS = 80
LOOKED_AT = 0.25  # of the decisions
CARELESS = 1 / 7


def careless(seen: View, legal: Sequence[int], rng: random.Random) -> int:
    """greedy, but any card now and then."""
    return (uniform if rng.random() < CARELESS else greedy).choose(seen, legal, rng)


PLAYERS: dict[str, Chooser] = {
    "greedy": greedy.choose,
    "greedy, one card in seven any": careless,
    "strong with a small budget": partial(strong.choose, budget=strong.budget_of(200)),
    "random": uniform.choose,
}


def measure() -> dict[str, tuple[float, float]]:
    """By how all four seats play, the mean over decisions without beliefs and with them."""
    return {name: _mean_bits(play) for name, play in PLAYERS.items()}


def _mean_bits(play: Chooser) -> tuple[float, float]:
    rng, luck, found = random.Random(1), np.array([1], np.uint64), []
    for number in range(DEALS):
        state = random_deal(rng, TRICKS[number % len(TRICKS)], RULES)
        while state.phase is Phase.PLAY:
            legal = legal_actions(state, state.turn)
            if len(legal) > 1 and state.plays and rng.random() < LOOKED_AT:
                found.append(bits_without_and_with_beliefs(state, luck))
            apply(state, play(view(state, state.turn), legal, rng))
    without, believed = zip(*found, strict=True)
    return fmean(without), fmean(believed)

"""Deals under random rules, for tests that hold compiled code equal to the engine."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np

from games.bots import greedy
from games.bots.kernel import tricks
from games.bots.kernel.tricks import Row
from games.engine import (
    PRESETS,
    Contract,
    Options,
    Phase,
    State,
    apply,
    choose_action,
    legal_actions,
    new_match,
    to_act,
    view,
)
from games.engine.options import CHOICES, SWITCHES
from games.engine.shuffle import deal_hands


def random_options(rng: Random) -> Options:
    """A preset, or any switches and words, with the points of the rule pages or others."""
    preset = PRESETS[rng.choice(sorted(PRESETS))]
    if rng.random() < 0.3:
        return preset
    options = replace(
        preset,
        **{name: rng.random() < 0.5 for name in sorted(SWITCHES)},  # type: ignore[arg-type]
        **{name: rng.choice(words) for name, words in CHOICES.items()},  # type: ignore[arg-type]
    )
    if rng.random() < 0.3:
        points = [rng.randrange(0, 200) for _ in range(4)]
        king, queen, diamond, trick = points
        options = replace(
            options, king_value=king, queen_value=queen, diamond_value=diamond, trick_value=trick
        )
        first, second, third, fourth = (2 * rng.randrange(200) for _ in range(4))  # Two may share one.
        options = replace(options, trix_values=(first, second, third, fourth))
    return options


def mixed(state: State, cards: Sequence[int], rng: Random) -> int:
    """A card of greedy's or, every other time, any: deals that look like play, and go everywhere."""
    return rng.choice(cards) if rng.random() < 0.5 else greedy.choose(view(state, state.turn), cards, rng)


def random_deal(rng: Random, contract: Contract | None = None, options: Options | None = None) -> State:
    """A fresh deal at its first card: any rules, any of their contracts, any doubles."""
    options = options or random_options(rng)
    dealt = deal_hands(rng.randbytes(32), 1, options)
    state = new_match(options, dealt.hands, dealt.redealt)
    apply(state, choose_action(contract if contract is not None else rng.choice(options.contracts)))
    while state.phase is Phase.DOUBLE:
        apply(state, rng.choice(legal_actions(state, to_act(state)[0])))
    return state


def hands_of_others(state: State) -> list[int]:
    """The hands that the seat to act does not see, from the seat after it."""
    return [state.hands[(state.turn + step) % 4] for step in (1, 2, 3)]


def row_of(state: State) -> Row:
    """The row of a position in which nothing was played yet."""
    row = np.zeros(tricks.ROW, np.int64)
    row[tricks.HANDS : tricks.HANDS + 4] = state.hands
    row[tricks.TURN] = row[tricks.LEADER] = state.owner
    return row

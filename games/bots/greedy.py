"""The level ``greedy``: rules of thumb that a card player would recognise, one function a question."""

import random
from collections.abc import Sequence

from games.engine import Contract, Phase, View

from .layout import choose_layout_card
from .tricks import choose_card


def choose(view: View, legal: Sequence[int], rng: random.Random) -> int:
    """The action that the rules of thumb like best. It uses no luck: ``rng`` is there for the signature."""
    if len(legal) == 1:
        return legal[0]
    if view.phase is Phase.PLAY:
        return choose_layout_card(view, legal) if view.contract is Contract.TRIX else choose_card(view, legal)
    return rng.choice(legal)

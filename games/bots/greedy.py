"""The level ``greedy``: rules of thumb that a card player would recognise, one module a question."""

import random
from collections.abc import Sequence

from games.engine import Contract, Phase, View

from . import layout, tricks
from .contracts import choose_contract
from .doubling import choose_doubles


def choose(view: View, legal: Sequence[int], rng: random.Random) -> int:
    """The action that the rules of thumb like best. They leave nothing to chance: ``rng`` is not used."""
    if len(legal) == 1:
        return legal[0]
    if view.phase is Phase.CHOOSE:
        return choose_contract(view, legal)
    if view.phase is Phase.DOUBLE:
        return choose_doubles(view, legal)
    return min(legal, key=prices(view, legal).__getitem__)


def prices(view: View, legal: Sequence[int]) -> dict[int, float]:
    """The price of each legal card; the lowest is played, of equals the first."""
    return (layout if view.contract is Contract.TRIX else tricks).prices(view, legal)

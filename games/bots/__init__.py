"""Computer players. A level is a function of what a person in its seat would see, and of nothing else."""

import logging
import random
from collections.abc import Callable, Sequence
from functools import cache

from games.engine import View

from . import greedy, uniform

Chooser = Callable[[View, Sequence[int], random.Random], int]

log = logging.getLogger(__name__)


@cache
def strong_or_greedy() -> Chooser:
    """`strong.choose`, or greedy's, with a warning, where numba is missing.

    Imported at the first decision: numba takes 130 MB, which processes that never play can do without.
    """
    try:
        from . import strong
    except ImportError as error:
        log.warning("strong plays like greedy here, since numba cannot be imported: %s", error)
        return greedy.choose
    return strong.choose


def _strong(view: View, legal: Sequence[int], rng: random.Random) -> int:
    return strong_or_greedy()(view, legal, rng)


# choose(view, legal, rng) -> one of `legal`. The same view and the same seed give the same action.
LEVELS: dict[str, Chooser] = {"random": uniform.choose, "greedy": greedy.choose, "strong": _strong}

__all__ = ["LEVELS", "Chooser", "strong_or_greedy"]

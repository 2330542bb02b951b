"""Computer players. A level is a function of what a person in its seat would see, and of nothing else."""

import logging
import random
from collections.abc import Callable, Sequence

from games.engine import View

from . import greedy, uniform

Chooser = Callable[[View, Sequence[int], random.Random], int]

log = logging.getLogger(__name__)

# choose(view, legal, rng) -> one of `legal`. The same view and the same seed give the same action.
LEVELS: dict[str, Chooser] = {"random": uniform.choose, "greedy": greedy.choose}
try:
    from . import strong
except ImportError as error:
    log.warning("strong plays like greedy here, since numba cannot be imported: %s", error)
    LEVELS["strong"] = greedy.choose
else:
    LEVELS["strong"] = strong.choose

__all__ = ["LEVELS", "Chooser"]

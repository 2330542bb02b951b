"""Computer players. A level is a function of what a person in its seat would see, and of nothing else."""

import logging
import random
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from types import ModuleType

from games.engine import View

from . import greedy, uniform

Chooser = Callable[[View, Sequence[int], random.Random], int]

log = logging.getLogger(__name__)


def strong_or_greedy(playouts: int = 0) -> Chooser:
    """`strong.choose`, ready to think, or greedy's where numba does not work.

    playouts: at most so many for a decision; 0 for the usual number.
    """
    strong = _strong_if_possible()
    if strong is None:
        return greedy.choose
    if playouts:
        return partial(strong.choose, budget=strong.budget_of(playouts))
    return strong.choose


@cache
def _strong_if_possible() -> ModuleType | None:
    """The module, ready to think, or None with one warning where numba is missing or cannot work.

    Imported at the first decision: numba takes 130 MB, which processes that never play can do without.
    """
    try:
        from . import strong, warming

        warming.warm(strong.choose)
    except Exception as error:  # Not there; no folder for machine code; a full disk; a damaged file of it.
        log.warning("strong plays like greedy here, since numba does not work: %r", error)
        _throw_machine_code_away()
        return None
    return strong


def _throw_machine_code_away() -> None:
    """Some of it may be damaged: the next process makes it anew."""
    if compiling := sys.modules.get("games.bots.kernel.compiling"):
        shutil.rmtree(compiling.FOLDER, ignore_errors=True)


def _strong(view: View, legal: Sequence[int], rng: random.Random) -> int:
    return strong_or_greedy()(view, legal, rng)


# choose(view, legal, rng) -> one of `legal`. The same view and the same seed give the same action.
LEVELS: dict[str, Chooser] = {"random": uniform.choose, "greedy": greedy.choose, "strong": _strong}

# The levels in words, for people who choose one.
DESCRIPTIONS = {
    "random": "random: plays anything that is legal",
    "greedy": "greedy: plays by rules of thumb, as a casual player does",
    "strong": "strong: imagines the hidden hands and thinks ahead, as a good player does",
}

__all__ = ["DESCRIPTIONS", "LEVELS", "Chooser", "strong_or_greedy"]

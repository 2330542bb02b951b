"""Ready to think: at its first decisions numba loads strong's machine code, and makes it where there is none.

Loading takes some 0.1 s, making some 20 s. `python -m games.bots.warming` makes it and ends.
"""

import random
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from games.engine import (
    PRESETS,
    Contract,
    Phase,
    State,
    apply,
    choose_action,
    legal_actions,
    new_match,
    to_act,
    view,
)
from games.engine.shuffle import deal_hands

from . import Chooser, strong_or_greedy

ROOT = Path(__file__).resolve().parents[2]
RULES = PRESETS["dananeer"]


@cache
def warm(choose: Chooser) -> None:
    """Once in a process: a decision of each kind, whatever it is, so that those of a match find all ready."""
    dealt = deal_hands(b"warm", 1, RULES)
    for contract in (Contract.KING, Contract.TRIX):
        state = new_match(RULES, dealt.hands, dealt.redealt)
        _decide(choose, state)
        apply(state, choose_action(contract))
        while state.phase is Phase.DOUBLE or _is_forced(state):
            _decide(choose, state)
            apply(state, _legal(state)[0])
        _decide(choose, state)


def warm_apart() -> None:
    """Warm strong, but make no machine code here: the compiler would keep some 150 MB of this process."""
    if find_spec("numba"):
        subprocess.run([sys.executable, "-m", "games.bots.warming"], cwd=ROOT, check=False)
    strong_or_greedy()


def _is_forced(state: State) -> bool:
    return len(_legal(state)) == 1


def _legal(state: State) -> Sequence[int]:
    return legal_actions(state, to_act(state)[0])


def _decide(choose: Chooser, state: State) -> None:
    choose(view(state, to_act(state)[0]), _legal(state), random.Random(1))


if __name__ == "__main__":
    strong_or_greedy()

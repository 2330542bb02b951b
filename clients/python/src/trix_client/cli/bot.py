"""How a bot of the command line decides: two levels of its own, or somebody's program."""

import json
import random
import shlex
import subprocess
from collections.abc import Callable
from contextlib import suppress
from typing import Self

from .. import TrixError
from ..payloads import Match
from .cards import RANKS
from .table import costs
from .words import safe


def choose_random(match: Match) -> str:
    assert match["view"]
    return random.choice(match["view"]["legal"])


def choose_careful(match: Match) -> str:
    """The lowest card, but where the suit led is out, what costs most; never double; trix as it comes."""
    view = match["view"]
    assert view
    plays = [action for action in view["legal"] if action.startswith("play ")]
    if not plays or view["deal"]["layout"]:
        return "double none" if "double none" in view["legal"] else view["legal"][0]
    trick = view["deal"]["trick"]
    free = trick is not None and plays[0][-1] != trick["cards"][0][1]
    return (max if free else min)(plays, key=lambda play: _danger(view["deal"]["contract"], play[5:]))


def _danger(contract: str | None, card: str) -> tuple[bool, int]:
    return costs(contract, card), RANKS.index(card[0])


LEVELS: dict[str, Callable[[Match], str]] = {"careful": choose_careful, "random": choose_random}


class Program:
    """Another program that decides: a line of JSON to it, the match; a line back, `{"action": "play KH"}`."""

    def __init__(self, command: str) -> None:
        self._name = command
        try:
            self._process = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
            )
        except (OSError, ValueError) as error:
            raise TrixError(f"{command}: {error}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """It ends, by itself at the end of its input, or now."""
        self._process.terminate()
        with suppress(BrokenPipeError), self._process:
            pass

    def choose(self, match: Match) -> str:
        """Its answer. Raises TrixError where there is none that can be read."""
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.write(json.dumps(match, ensure_ascii=False) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except OSError:
            answer = ""
        if not answer:
            raise TrixError(f"{self._name} ended without an answer.")
        return self._action(answer)

    def _action(self, answer: str) -> str:
        try:
            return str(json.loads(answer)["action"])
        except (ValueError, KeyError, TypeError):
            raise TrixError(
                f'{self._name} answered {safe(answer.strip())!r}, not as in {{"action": "play KH"}}.'
            )

"""Screens: a match in every phase. `python -m tests.client.screens` writes them into `screens/` anew."""

import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console

from games.engine import Phase, State, to_act
from tests.client.documents import document, played
from trix_client.cli.screen import Shown, screen

FOLDER = Path(__file__).parent / "screens"
NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
CHAT = (
    {"player": {"name": "basil"}, "text": "good luck!"},
    {"player": {"name": "سلمى"}, "text": "بالتوفيق للجميع"},
)


def after(contract: str, plays: int) -> Any:
    """Whether a deal of this contract has come so far."""
    return lambda state: (
        state.phase is Phase.PLAY
        and state.contract is not None
        and state.contract.text == contract
        and len(state.plays) == plays
    )


def for_actor(state: State, **changed: Any) -> dict[str, Any]:
    """The match as the seat that is to act sees it."""
    return document(state, to_act(state)[0], deadline="2026-11-30T12:00:24.000000Z", **changed)


def among_others(match: dict[str, Any]) -> dict[str, Any]:
    """The same match among an Arabic name, a house bot, a program, and one who is away."""
    own = "SENW".index(match["you"])
    right, across, left = (match["seats"][(own + steps) % 4] for steps in (1, 2, 3))
    right["player"], right["bot"] = None, "greedy"
    across["player"]["name"] = "سلمى الحسن"
    left["player"]["is_bot"], left["away"] = True, True
    return match


def half_full(match: dict[str, Any]) -> dict[str, Any]:
    for seat in match["seats"][2:]:
        seat["player"] = None
    return match


PARTNERS = "cardkings-complex-partners"
QUEENS, TRIX = played("dananeer", after("queens", 22)), played("dananeer", after("trix", 24))
SHOWN = {
    "open": Shown(half_full(document(None, join_code="Gk3xWq", invited=["hala"]))),
    "choose": Shown(for_actor(played("dananeer", lambda state: state.number == 6))),
    "others-choose": Shown(document(played("dananeer", lambda state: state.number == 6), 0)),
    "double": Shown(for_actor(played("dananeer", lambda state: state.phase is Phase.DOUBLE)), typed="q"),
    "trick": Shown(among_others(for_actor(QUEENS)), chat=CHAT, typed="k"),
    "refused": Shown(for_actor(QUEENS), notice="South cannot play 2H: spades were led. Legal: play KS."),
    "last-trick": Shown(document(played("dananeer", after("ltoosh", 20)), 1)),
    "trix": Shown(for_actor(TRIX), chat=CHAT),
    "complex": Shown(for_actor(played(PARTNERS, after("complex", 30)), rules=PARTNERS)),
    "watched": Shown(document(QUEENS, None)),
    "over": Shown(
        document(played(PARTNERS, lambda state: state.phase is Phase.OVER and state.number == 8), 1)
    ),
    "help": Shown(for_actor(QUEENS), page="help"),
    "scores": Shown(for_actor(played("dananeer", lambda state: state.number == 20)), page="scores"),
}


def drawn(name: str, width: int = 80, height: int = 24) -> str:
    """A screen's text as a terminal without colours gets it."""
    console = Console(record=True, width=width, height=height, file=io.StringIO(), color_system=None)
    console.print(screen(SHOWN[name], NOW, width, height))
    return "\n".join(line.rstrip() for line in console.export_text().splitlines()) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in SHOWN:
        (FOLDER / f"{name}.txt").write_text(drawn(name))

"""Match documents as the server answers them, out of the engine's views: for tests of what is drawn."""

from collections.abc import Callable
from random import Random
from typing import Any

from games.engine import State, match_over, options_for, view, view_as_dict
from tests.engine.random_matches import random_positions

SECRET = bytes(32)


def played(rules: str, until: Callable[[State], bool], seed: int = 1) -> State:
    """A match at random from a fixed secret, up to the first position for which `until` holds."""
    positions = random_positions(options_for(rules, {}), SECRET, Random(seed))
    return next(state for state, _ in positions if until(state))


def document(state: State | None, seat: int | None = 0, **changed: Any) -> dict[str, Any]:
    """The answer of `GET matches/{code}/` about a position, to a seat or with None to a spectator."""
    names = ("amal", "basil", "carla", "daoud")
    over = state is not None and match_over(state)
    seats = [
        {
            "seat": letter,
            "player": {"name": name, "is_bot": False},
            "bot": None,
            "away": False,
            "gone": False,
            "resigned": False,
            "agrees_to_abort": False,
        }
        for letter, name in zip("SENW", names, strict=True)
    ]
    status = "open" if state is None else "finished" if over else "running"
    return {
        "code": "k7q2mxab",
        "status": status,
        "rules": "dananeer",
        "options": {},
        "visibility": "public",
        "rated": True,
        "opened_by": "amal",
        "clock": {"choose": 30, "double": 30, "play": 30, "bank": None},
        "on_timeout": "bot",
        "bot_delay": 0.5,
        "created_at": "2026-11-30T12:00:00.000000Z",
        "started_at": None,
        "finished_at": None,
        "seats": seats,
        "you": None if seat is None else "SENW"[seat],
        "version": 0 if state is None else state.version,
        "totals": dict.fromkeys("SENW", 0),
        "winners": [],
        "rematch": None,
        "hands_delay": 0,
        "join_code": None,
        "invited": None,
        "banks": None,
        "commitment": "0" * 64,
        "secret": None,
        "deadline": None,
        "view": None if state is None else view_as_dict(view(state, seat)),
        **changed,
    }

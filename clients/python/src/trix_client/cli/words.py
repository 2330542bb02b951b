"""The words of the terminal: seats, contracts, faces of cards, and text from the server made harmless."""

import unicodedata
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from rich.text import Text

Document = Mapping[str, Any]  # A JSON object as the server answers it: docs/api.md.

SEATS = "SENW"  # in order of play: to the right
TITLES = {"S": "South", "E": "East", "N": "North", "W": "West"}
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
CONTRACTS = {
    "king": "King of hearts",
    "queens": "Queens",
    "diamonds": "Diamonds",
    "ltoosh": "Ltoosh",
    "complex": "Complex",
    "trix": "Trix",
}
HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # controls, marks of direction, ends of line
JOINERS = "\u200c\u200d"  # which Persian and others are written with
FIRST_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"


def safe(text: str) -> str:
    """Text from elsewhere without what could move the cursor or turn the line around.

    Text with letters written from right to left is isolated, so that it keeps to its place.
    """
    kept = "".join(filter(_shows, text))
    if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in kept):
        return f"{FIRST_ISOLATE}{kept}{POP_ISOLATE}"
    return kept


def _shows(letter: str) -> bool:
    return letter in JOINERS or unicodedata.category(letter) not in HIDDEN


def shortened(text: str, width: int) -> str:
    """`safe`, cut to ``width`` cells."""
    cut = Text(text)
    cut.truncate(width, overflow="ellipsis")
    return safe(cut.plain)


def sitter(seat: Document) -> str:
    """Who sits on one of a match's ``seats``: a name, "greedy bot", or "free"."""
    if seat["player"]:
        return str(seat["player"]["name"])
    return f"{seat['bot']} bot" if seat["bot"] else "free"


def named(match: Document) -> dict[str, str]:
    """Names by seat in sentences: the house's bots, which share theirs, go by seat; the reader is "you"."""
    names = {
        seat["seat"]: safe(seat["player"]["name"]) if seat["player"] else TITLES[seat["seat"]]
        for seat in match["seats"]
    }
    return names | ({match["you"]: "you"} if match["you"] else {})


def face(card: str) -> str:
    """ "TH" as "10♥"."""
    return f"{card[0].replace('T', '10')}{SYMBOLS[card[1]]}"


def remaining(deadline: str | None, now: datetime) -> float | None:
    """Seconds until a deadline of the server's; never below 0; None without one."""
    if deadline is None:
        return None
    return max(0.0, (datetime.fromisoformat(deadline.replace("Z", "+00:00")) - now).total_seconds())


def clock(seconds: float) -> str:
    """ "0:24", "12:00", or "3 d 4 h" where it is long."""
    whole = int(seconds)
    days, hours, minutes = whole // 86400, whole // 3600 % 24, whole // 60 % 60
    if days:
        return f"{days} d {hours} h"
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def points(value: int) -> str:
    return f"{value:+d}".replace("-", "−") if value else "0"


def count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 'es' if thing.endswith('h') else 's'}"

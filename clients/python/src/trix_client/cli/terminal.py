"""Where a match is shown and a player types: a whole screen, or lines where there is none.

Both put what is typed into an inbox as ("typed", text); a line ends with a line feed, the input with END.
"""

import codecs
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from queue import Queue
from typing import Any, Protocol, Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from ..messages import Message
from .cards import cards_line, choices, in_order
from .screen import Shown, chat_text, event_text, screen
from .typed import HELP, action_words
from .words import SEATS, TITLES, Document, named, points, safe, sitter

try:
    import termios
    import tty
except ImportError:  # Windows
    termios = None  # type: ignore[assignment]

Inbox = Queue[tuple[str, Any]]
END = "\x04"
OUR_SCREEN, SHELLS_SCREEN = b"\x1b[?1049h\x1b[?25l", b"\x1b[?1049l\x1b[?25h"  # and the cursor, off and on
ESCAPE_SEQUENCE = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|O.|.)?")


class Terminal(Protocol):
    """``stays``: whether there is something to look at when the match is over."""

    stays: bool

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...
    def listen(self, inbox: Inbox) -> None: ...
    def draw(self, shown: Shown) -> None: ...
    def heard(self, message: Message, shown: Shown) -> None: ...


def terminal(console: Console) -> Terminal:
    """A screen where there is a terminal on both sides, else lines."""
    full = termios and console.is_terminal and not console.is_dumb_terminal and sys.stdin.isatty()
    return FullScreen(console) if full else Lines(console)


class FullScreen:
    """The screen is drawn anew after everything that happens; keys arrive one by one."""

    stays = True

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, screen=True, auto_refresh=False, redirect_stdout=False)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        before = termios.tcgetattr(sys.stdin)
        self._stack.callback(termios.tcsetattr, sys.stdin, termios.TCSADRAIN, before)
        tty.setcbreak(sys.stdin)
        self._stack.enter_context(self._live)
        self._stack.enter_context(_suspended_cleanly(before))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def listen(self, inbox: Inbox) -> None:
        _in_background(lambda: _read_keys(inbox))

    def draw(self, shown: Shown) -> None:
        width, height = self._console.size
        self._live.update(screen(shown, datetime.now(UTC), width, height), refresh=True)

    def heard(self, message: Message, shown: Shown) -> None:
        """All of it is on the screen."""


@contextmanager
def _suspended_cleanly(attributes: list[Any]) -> Iterator[None]:
    """Ctrl-Z gives the shell its terminal back with these attributes; the next drawing after `fg` fills ours.

    Written past rich, which may be in the middle of a drawing.
    """

    def suspend(*_: object) -> None:
        os.write(sys.stdout.fileno(), SHELLS_SCREEN)
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, attributes)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTSTP)  # It returns when the shell lets us go on.
        signal.signal(signal.SIGTSTP, suspend)
        tty.setcbreak(sys.stdin)
        os.write(sys.stdout.fileno(), OUR_SCREEN)

    before = signal.signal(signal.SIGTSTP, suspend)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, before)


def _read_keys(inbox: Inbox) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    while chunk := os.read(sys.stdin.fileno(), 1024):
        inbox.put(("typed", ESCAPE_SEQUENCE.sub("", decoder.decode(chunk)).replace("\r", "\n")))
    inbox.put(("typed", END))


class Lines:
    """Each event is a line, and each turn a question: for pipes, logs, screen readers and plain terminals."""

    stays = False

    def __init__(self, console: Console) -> None:
        self._console = console
        self._said: dict[str, Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def listen(self, inbox: Inbox) -> None:
        _in_background(lambda: _read_lines(inbox))

    def draw(self, shown: Shown) -> None:
        """Whose match it is, a new notice, a page that was asked for, the reader's turn: each once."""
        if self._is_new("match", shown.match["code"]):
            self._print(_introduction(shown.match))
        if self._is_new("notice", shown.notice):
            self._print(Text(shown.notice))
        if self._is_new("page", shown.page):
            self._print(Text("\n".join(HELP)) if shown.page == "help" else _totals(shown.match))
        if self._is_new("question", _question(shown.match)):
            self._print(*turn_lines(shown.match))

    def _is_new(self, kind: str, said: Any) -> bool:
        before, self._said[kind] = self._said.get(kind), said
        return bool(said) and said != before

    def heard(self, message: Message, shown: Shown) -> None:
        if message.type == "action":
            self._print(event_text(message.data, named(shown.match)))
        elif message.type == "chat":
            self._print(chat_text(message.data))
        elif message.type == "countdown" and message.data["seat"] in (None, shown.match["you"]):
            self._print(Text(f"{message.data['seconds']} seconds left."))

    def _print(self, *lines: Text) -> None:
        for line in lines:
            self._console.print(line, soft_wrap=True)


def _question(match: Document) -> Any:
    """What the reader is asked, told apart from earlier questions; the end of the match is one too."""
    view = match["view"]
    if not view:
        return None
    return "over" if view["over"] else view["legal"] and (view["version"], view["legal"])


def _introduction(match: Document) -> Text:
    seats = [f"{TITLES[seat['seat']]} {safe(sitter(seat))}" for seat in match["seats"]]
    return Text(f"Match {match['code']}, {match['rules']}, {match['status']}: {', '.join(seats)}")


def turn_lines(match: Document) -> list[Text]:
    """The reader's turn in lines: the table, his hand, and what he can do; or how it ended."""
    view, names = match["view"], named(match)
    if view["over"]:
        won = ", ".join(names[seat] for seat in view["winners"])
        return [_totals(match), Text(f"The match is over. Won by {won}.")]
    trick = view["deal"]["trick"]
    lines = [Text("On the table: ") + cards_line(trick["cards"])] if trick else []
    options = [f"{number} {action_words(action)}" for number, action in enumerate(choices(view), 1)]
    return [
        *lines,
        Text("Your hand: ") + cards_line(in_order(view["hand"])),
        Text(f"You can: {', '.join(options)}"),
    ]


def _totals(match: Document) -> Text:
    view, names = match["view"], named(match)
    totals = view["totals"] if view else match["totals"]
    return Text(f"Totals: {', '.join(f'{names[seat]} {points(totals[seat])}' for seat in SEATS)}")


def _read_lines(inbox: Inbox) -> None:
    for line in sys.stdin:
        inbox.put(("typed", line))
    inbox.put(("typed", END))


def _in_background(work: Callable[[], None]) -> None:
    def quietly() -> None:
        with suppress(OSError, ValueError):  # The input is closed while it is read.
            work()

    threading.Thread(target=quietly, daemon=True).start()

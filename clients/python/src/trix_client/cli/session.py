"""One match on a terminal: what arrives from the server and what is typed meet in one inbox."""

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty
from typing import Any

from .. import ApiError, Client, Message, TrixError
from .screen import Shown, deal_over
from .terminal import END, Inbox, Terminal
from .typed import read
from .words import Document, safe

TICK = 0.5  # seconds between two looks at the clock
ERASE, CLEAR = "\x7f\b", "\x15"
UNANSWERED = "The server does not answer. Try again: nothing is done twice."
KEPT = 50  # messages of chat


class Session:
    """A match that is played, or with ``watch`` only looked at. `run` returns when its reader leaves."""

    def __init__(self, client: Client, code: str, terminal: Terminal, watch: bool = False) -> None:
        self._client, self._terminal, self._watch = client, terminal, watch
        self._inbox: Inbox = Inbox()
        self._over = False
        self._take: dict[str, Callable[[Any], None]] = {
            "message": self._heard,
            "typed": self._typed,
            "lost": self._lost,
            "failed": self._failed,
            "ended": self._ended,
        }
        self._sit_down(code)

    def _sit_down(self, code: str) -> None:
        self._shown = Shown(self._seen(self._client.matches.get(code)))
        self._missed = True
        version = self._shown.match["version"]
        threading.Thread(target=_follow, args=(self._client, code, version, self._inbox), daemon=True).start()

    def run(self) -> None:
        log, handler = logging.getLogger("trix_client"), BrokenStreams(self._inbox)
        log.setLevel(logging.INFO)
        log.addHandler(handler)
        try:
            with self._terminal, suppress(KeyboardInterrupt):
                self._terminal.listen(self._inbox)
                self._loop()
        finally:
            log.removeHandler(handler)

    def _loop(self) -> None:
        while not self._over:
            self._terminal.draw(self._shown)
            try:
                kind, content = self._inbox.get(timeout=TICK)
            except Empty:
                continue
            self._take[kind](content)

    # From the server

    def _heard(self, told: tuple[str, Message]) -> None:
        code, message = told
        if code != self._shown.match["code"]:
            return
        if message.type == "match" and message.data["version"] >= self._shown.match["version"]:
            self._shown = self._shown.but(match=self._seen(message.data))
        elif message.type == "chat":
            self._add_chat([message.data])
        elif message.type == "action" and message.data["result"]:
            self._shown = self._shown.but(notice=deal_over(message.data["result"], self._shown.match))
        if self._missed and self._shown.match["you"]:
            self._catch_up(code)
        if self._shown.notice == UNANSWERED:
            self._shown = self._shown.but(notice="")
        self._shown = self._shown.but(connected=True)
        self._terminal.heard(message, self._shown)

    def _catch_up(self, code: str) -> None:
        """Ask for what was said before the stream began; with the next message if it does not work now."""
        with suppress(TrixError):
            self._add_chat(self._client.chat.messages(code))
            self._missed = False

    def _add_chat(self, said: Sequence[Document]) -> None:
        """A message may come twice: in the stream, and asked for."""
        chat = {message["id"]: message for message in (*self._shown.chat, *said)}
        self._shown = self._shown.but(chat=tuple(chat.values())[-KEPT:])

    def _seen(self, match: Document) -> Document:
        """A match as it is shown: who watches sees no hand, not even his own."""
        if not self._watch or not match["view"]:
            return match
        return {**match, "view": {**match["view"], "hand": None, "legal": [], "my_double": None}}

    def _lost(self, _: object) -> None:
        self._missed = True
        self._shown = self._shown.but(connected=False)

    def _failed(self, error: TrixError) -> None:
        raise error

    def _ended(self, code: str) -> None:
        """The match is over, or called off."""
        self._terminal.draw(self._shown)
        self._over = self._over or (code == self._shown.match["code"] and not self._terminal.stays)

    # From the reader

    def _typed(self, text: str) -> None:
        for letter in text:
            line = self._shown.typed
            if letter == "\n":
                shown, self._shown = self._shown, self._shown.but(typed="", notice="", page="")
                if line or not shown.page:
                    self._entered(line)
            elif letter == END:
                self._over = self._over or not (line or self._watch)
            elif letter == CLEAR:
                self._shown = self._shown.but(typed="")
            elif letter in ERASE:
                self._shown = self._shown.but(typed=line[:-1])
            elif letter.isprintable():
                self._shown = self._shown.but(typed=line + letter)

    def _entered(self, line: str) -> None:
        typed = read(line, self._shown.match["view"])
        try:
            self._do(typed.kind, typed.text)
        except ApiError as error:
            self._shown = self._shown.but(notice=safe(error.detail))
        except TrixError:
            self._shown = self._shown.but(notice=UNANSWERED)
        finally:
            self._shown = self._shown.but(sending=False)

    def _do(self, kind: str, text: str) -> None:
        if kind == "wrong":
            self._shown = self._shown.but(notice=text)
        elif kind in ("help", "scores"):
            self._shown = self._shown.but(page=kind)
        elif kind == "quit":
            self._over = True
        elif kind != "nothing" and self._watch:
            self._shown = self._shown.but(notice="You only watch here: trix play is for playing.")
        elif kind != "nothing":
            self._send(kind, text)

    def _send(self, kind: str, text: str) -> None:
        """It may take a while, where the client has to try again."""
        code = self._shown.match["code"]
        self._shown = self._shown.but(sending=True)
        self._terminal.draw(self._shown)
        if kind == "action":
            self._act(text)
        elif kind == "say":
            self._client.chat.send(code, text)
        elif kind == "rematch":
            self._sit_down(self._client.matches.rematch(code)["code"])
        else:
            steps = self._client.matches
            step = {"start": steps.start, "return": steps.come_back, "resign": steps.resign}[kind]
            self._shown = self._shown.but(match=step(code))

    def _act(self, action: str) -> None:
        match = self._shown.match
        move = self._client.matches.act(match["code"], action, match["view"]["version"])
        if move["version"] >= self._shown.match["version"]:
            seen = {name: move[name] for name in ("version", "deadline", "view")}
            self._shown = self._shown.but(match={**match, **seen})


class BrokenStreams(logging.Handler):
    """The client logs when a stream breaks, before it tries again."""

    def __init__(self, inbox: Inbox) -> None:
        super().__init__(logging.INFO)
        self._inbox = inbox

    def emit(self, record: logging.LogRecord) -> None:
        self._inbox.put(("lost", None))


def _follow(client: Client, code: str, version: int, inbox: Inbox) -> None:
    try:
        for message in client.matches.stream(code, after=version):
            inbox.put(("message", (code, message)))
        inbox.put(("ended", code))
    except TrixError as error:
        inbox.put(("failed", error))

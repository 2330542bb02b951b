"""The messages of streams. Each has a `type`, an `id` where it has a place in the match, and `data`."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from . import payloads
from .errors import TransportError


@dataclass(frozen=True, slots=True)
class Message:
    """Any message; one of a type that this client does not know is just this."""

    type: str
    id: int | None
    data: Any


@dataclass(frozen=True, slots=True)
class MatchMessage(Message):
    """The whole match as the caller may see it; `id` is its version."""

    type: Literal["match"]
    id: int
    data: payloads.Match


@dataclass(frozen=True, slots=True)
class ActionMessage(Message):
    """One public action; `id` is the version after it. Each comes once."""

    type: Literal["action"]
    id: int
    data: payloads.Event


@dataclass(frozen=True, slots=True)
class CountdownMessage(Message):
    """A clock runs low."""

    type: Literal["countdown"]
    id: None
    data: payloads.Countdown


@dataclass(frozen=True, slots=True)
class ChatMessage(Message):
    """Somebody at the table says something."""

    type: Literal["chat"]
    id: None
    data: payloads.Said


@dataclass(frozen=True, slots=True)
class AccountMessage(Message):
    """The whole account: the first message, and again after each break."""

    type: Literal["account"]
    id: None
    data: payloads.Me


@dataclass(frozen=True, slots=True)
class MatchNews(Message):
    """A match of yours started, waits for you, ended or was called off."""

    type: Literal["match_started", "your_turn", "match_finished", "match_cancelled"]
    id: None
    data: payloads.MyMatch


@dataclass(frozen=True, slots=True)
class InvitationMessage(Message):
    """Somebody invites you to a table."""

    type: Literal["invited"]
    id: None
    data: payloads.Invitation


@dataclass(frozen=True, slots=True)
class TournamentMessage(Message):
    """A tournament of yours moved on."""

    type: Literal["tournament_started", "round_published", "round_closed", "tournament_finished"]
    id: None
    data: payloads.TournamentNews


KINDS: dict[str, type[Message]] = {
    "match": MatchMessage,
    "action": ActionMessage,
    "countdown": CountdownMessage,
    "chat": ChatMessage,
    "account": AccountMessage,
    "match_started": MatchNews,
    "your_turn": MatchNews,
    "match_finished": MatchNews,
    "match_cancelled": MatchNews,
    "invited": InvitationMessage,
    "tournament_started": TournamentMessage,
    "round_published": TournamentMessage,
    "round_closed": TournamentMessage,
    "tournament_finished": TournamentMessage,
}

M = TypeVar("M", bound=Message)
Stream = Generator[M, None, None]
AsyncStream = AsyncGenerator[M, None]
Choose = Callable[[payloads.Match], str]
AsyncChoose = Callable[[payloads.Match], Awaitable[str]]


def read_message(line: bytes) -> Message:
    """The message in a line of ndjson. Raises TransportError for what is none, as a proxy's page."""
    try:
        message = json.loads(line)
        kind = KINDS.get(message["type"], Message)
        return kind(message["type"], message.get("id"), message["data"])
    except (ValueError, KeyError, TypeError) as error:
        raise TransportError("What came is no message of a stream.", sent=True) from error


class Lines:
    """Whole lines out of chunks of bytes. Empty ones, which keep a stream alive, are left out.

    Not `httpx.Response.iter_lines`, which also breaks lines at signs that may stand in a text.
    """

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        return (line for line in whole if line.strip())


class Place:
    """Where a reader is in a match's stream: the last action that he has, and whether there are more."""

    def __init__(self, after: int | None = None) -> None:
        self.version = after
        self.over = False
        self._anew = False

    @property
    def resume_from(self) -> int | None:
        """The version to ask for what comes after it; None to begin with the whole match."""
        return None if self._anew else self.version

    def has_it_all(self) -> bool:
        """Whether a server that has nothing after this place is right. The last action may have come, and the
        stream broken before the match that it ended: the next request then is for the match.
        """
        self._anew = not self.over
        return self.over

    def is_new(self, message: Message) -> bool:
        """Take note of a message; False for an action that he has."""
        if isinstance(message, ActionMessage):
            if self.version is not None and message.id <= self.version:
                return False
            self.version = message.id
        elif isinstance(message, MatchMessage):
            self.version = message.id if self.version is None else self.version
            self.over = message.data["status"] in ("finished", "cancelled")
        return True


def waiting_codes(message: Message) -> list[str]:
    """The matches in which it is the caller's turn, by a message of his account's stream."""
    if isinstance(message, AccountMessage):
        return [match["code"] for match in message.data["matches"] if match["your_turn"]]
    return [message.data["code"]] if message.type == "your_turn" else []

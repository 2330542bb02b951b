"""A reader of streams for tests, over real connections."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

import httpx

from games.models import ApiToken, Player

FORMS = {"sse": "text/event-stream", "ndjson": "application/x-ndjson"}


class Message(NamedTuple):
    kind: str
    id: int | None
    data: Any


class Reader:
    """One stream, opened when it is made. ``raw`` is all that has come, keep-alives too."""

    def __init__(
        self,
        site: str,
        path: str,
        player: Player | None = None,
        form: str = "sse",
        last: int | None = None,
        token: str | None = None,
    ) -> None:
        headers = {"Accept": FORMS[form]}
        if player is not None:
            token = token_of(player)
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if last is not None:
            headers["Last-Event-ID"] = str(last)
        self.form, self.raw = form, b""
        self._stack = ExitStack()
        client = self._stack.enter_context(httpx.Client(timeout=20))
        self.answer = self._stack.enter_context(
            client.stream("GET", f"{site}/api/v1/{path}", headers=headers)
        )
        self._lines = self._read()

    @property
    def status(self) -> int:
        return self.answer.status_code

    @property
    def problem(self) -> Any:
        return json.loads(self.answer.read())

    def next(self, kind: str | None = None) -> Message:
        """The next message, or the next of this kind. AssertionError at the end of the stream."""
        for message in self:
            if kind in (None, message.kind):
                return message
        raise AssertionError(f"The stream ended without {kind or 'a message'}")

    def rest(self) -> list[Message]:
        return list(self)

    def lines(self) -> Iterator[str]:
        return self._lines

    def __iter__(self) -> Iterator[Message]:
        return sse(self._lines) if self.form == "sse" else ndjson(self._lines)

    def _read(self) -> Iterator[str]:
        rest = b""
        for chunk in self.answer.iter_raw():
            self.raw += chunk
            *lines, rest = (rest + chunk).split(b"\n")
            yield from (line.decode() for line in lines)
        assert rest == b""

    def close(self) -> None:
        self._stack.close()

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def token_of(player: Player) -> str:
    text: str = ApiToken.objects.create(user=player)[1]
    return text


def sse(lines: Iterator[str]) -> Iterator[Message]:
    """Messages out of the lines of an event stream, as the standard reads them."""
    fields: dict[str, str] = {}
    for line in lines:
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            version = int(fields["id"]) if "id" in fields else None
            yield Message(fields["event"], version, json.loads(fields["data"]))
            fields = {}


def ndjson(lines: Iterator[str]) -> Iterator[Message]:
    for line in lines:
        if line:
            message = json.loads(line)
            yield Message(message["type"], message.get("id"), message["data"])

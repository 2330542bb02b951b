"""Calls of the API as they are recorded for its description: every operation, in many states.

`Calls` finds out which operation of the description a call is, and keeps what came of it.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.test import Client
from django.urls import resolve

from games.api.views.streams import MARK
from games.models import ApiToken, Player

API = "/api/v1/"
JSON, PROBLEM = "application/json", "application/problem+json"


@dataclass(frozen=True)
class Call:
    """A call and its answer, parsed where it is JSON. ``template`` is the path in the description."""

    method: str
    template: str
    path: dict[str, Any]
    request: Any
    status: int
    media: str
    body: Any
    who: "Caller"
    url: str

    @property
    def refused(self) -> bool:
        return self.status >= 400


def in_process() -> Client:
    return Client(raise_request_exception=False)


@dataclass
class Calls:
    """All calls of some callers, who make them with a client of this kind: without a server, or with one."""

    client: Callable[[], Any] = in_process
    made: list[Call] = field(default_factory=list)

    def of(self, player: Player | None = None, scopes: list[str] | None = None) -> "Caller":
        """A player with a token (of these scopes, or of all), or nobody."""
        if player is None:
            return Caller(self)
        options = {} if scopes is None else {"scopes": scopes}
        return Caller(self, ApiToken.objects.create(user=player, **options)[1])

    def succeeded(self) -> dict[tuple[str, str], Call]:
        """By method and template, the first call that was answered."""
        found: dict[tuple[str, str], Call] = {}
        for call in self.made:
            if not call.refused:
                found.setdefault((call.method, call.template), call)
        return found


class Caller:
    """The API as one caller has it. Paths are those after /api/v1/."""

    def __init__(self, calls: Calls, token: str = "") -> None:
        self.calls = calls
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.client = calls.client()

    def get(self, path: str, status: int = 200, **headers: str) -> Any:
        return self.send("GET", path, None, status, headers)

    def post(self, path: str, body: Any = None, status: int = 200, **headers: str) -> Any:
        return self.send("POST", path, body or {}, status, headers)

    def put(self, path: str, body: Any = None, status: int = 200) -> Any:
        return self.send("PUT", path, body or {}, status, {})

    def patch(self, path: str, body: Any = None, status: int = 200) -> Any:
        return self.send("PATCH", path, body or {}, status, {})

    def delete(self, path: str, status: int = 204, body: Any = None) -> Any:
        return self.send("DELETE", path, body, status, {})

    def open_stream(self, path: str, media: str) -> None:
        """Ask for a stream as the events process does, which then sends it."""
        self.raw("GET", path, b"", 200, self.headers | {"Accept": media}, environ={MARK: True})

    def send(self, method: str, path: str, body: Any, status: int, headers: dict[str, str]) -> Any:
        """Make the call, record it, and return the body of its answer. AssertionError for another status."""
        raw = b"" if body is None else json.dumps(body).encode()
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.raw(method, path, raw, status, self.headers | sent, request=body)

    def raw(
        self,
        method: str,
        path: str,
        content: bytes,
        status: int,
        headers: dict[str, str],
        media: str = JSON,
        request: Any = None,
        environ: Mapping[str, Any] | None = None,
    ) -> Any:
        answer = self.client.generic(method, API + path, content, media, headers=headers, **(environ or {}))
        streamed = getattr(answer, "streaming", False)
        body = (answer.getvalue() if streamed else answer.content).decode()
        assert answer.status_code == status, f"{method} {path} {request}: {answer.status_code} {body}"
        kind = answer.headers.get("Content-Type", "").partition(";")[0]
        body = json.loads(body) if kind in (JSON, PROBLEM) else body
        found = resolve(API + path.partition("?")[0])
        template = "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", found.route)
        call = Call(method, template, found.kwargs, request, status, kind, body, self, path)
        self.calls.made.append(call)
        return body

"""The door of the streams: an ASGI application for their addresses."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import Executor
from typing import Any, NamedTuple

from a2wsgi.wsgi import Body, build_environ

from games.api.views.streams import MARK, Stream
from games.streams.formats import as_json
from games.streams.hub import Hub
from games.streams.watchers import Watcher
from trix_site.common.errors import ProblemError
from trix_site.common.handlers import MEDIA_TYPE, problem

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

PATHS = re.compile(r"/api/v1/(matches/[^/]+/)?events/")
LONGEST_SEND = 10  # seconds
HEADERS = [(b"cache-control", b"no-store"), (b"x-accel-buffering", b"no")]
RETRY_AFTER = (b"retry-after", b"60")

log = logging.getLogger(__name__)


class Answer(NamedTuple):
    """What Django answers; ``stream`` where that is leave to open one."""

    status: int
    headers: Headers
    body: bytes
    stream: Stream | None


class Streams:
    """Every request is one for Django first, with all that this checks; most get their answer there."""

    def __init__(self, django: Callable[..., Any], threads: Executor, hub: Hub) -> None:
        self.django, self.threads, self.hub = django, threads, hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        loop = asyncio.get_running_loop()
        environ: Any = build_environ(scope, Body(loop, receive))  # type: ignore[arg-type]
        environ[MARK] = True
        answer = await loop.run_in_executor(self.threads, ask, self.django, environ)
        if answer.stream is None or scope["method"] != "GET":
            await respond(send, answer.status, answer.headers, answer.body)
            return
        try:
            watcher = self.hub.watch(answer.stream)
        except ProblemError as error:
            await refuse(send, error, [RETRY_AFTER])
            return
        await self._serve(watcher, answer.headers, receive, send)

    async def _serve(self, watcher: Watcher, headers: Headers, receive: Receive, send: Send) -> None:
        """Send until the stream ends, at whichever end."""
        left = asyncio.ensure_future(disconnected(receive))
        left.add_done_callback(lambda _: watcher.drop())
        try:
            first = await watcher.next()
            if watcher.refusal:
                await refuse(send, watcher.refusal)
            elif not first and not self.hub.closed:
                await respond(send, 204, [], b"")
            else:
                await self._stream(watcher, first, headers, send)
        except TimeoutError:
            log.info("A stream was dropped: its reader took nothing for %s seconds", LONGEST_SEND)
        finally:
            left.cancel()
            self.hub.leave(watcher)

    async def _stream(self, watcher: Watcher, data: bytes, headers: Headers, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [*headers, *HEADERS]})
        watcher.keep_alive(self.hub.period)
        while data:
            async with asyncio.timeout(LONGEST_SEND):
                await send({"type": "http.response.body", "body": data, "more_body": True})
            data = await watcher.next()
        async with asyncio.timeout(LONGEST_SEND):
            await send({"type": "http.response.body", "body": b""})


def ask(django: Callable[..., Any], environ: dict[str, Any]) -> Answer:
    """Django's answer to a request, in a thread."""
    started: list[Any] = []
    response = django(environ, lambda status, headers, exc_info=None: started.append((status, headers)))
    try:
        stream = response if isinstance(response, Stream) else None
        body = b"" if stream else b"".join(response)
    finally:
        response.close()
    ((status, pairs),) = started
    headers = [
        (name.lower().encode("latin1"), value.encode("latin1"))
        for name, value in pairs
        if not (stream and name.lower() == "content-length")
    ]
    return Answer(int(status.split()[0]), headers, body, stream)


async def disconnected(receive: Receive) -> None:
    """Return when the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def refuse(send: Send, error: ProblemError, headers: Headers | None = None) -> None:
    body = as_json(problem(error.status, error.code, error.detail, **error.members))
    about = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", b"%d" % len(body))]
    await respond(send, error.status, [*about, *(headers or [])], body)


async def respond(send: Send, status: int, headers: Headers, body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

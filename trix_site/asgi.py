"""The ASGI entry point, for granian: the live streams, and everything else through Django as over WSGI.

Django is called in threads, whose connections to the database last; its own ASGI handler would make one for
each request. Streams need neither thread nor connection (games/streams).
"""

import asyncio
import os
import re
import signal
from collections.abc import Awaitable, Callable
from types import FrameType

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trix_site.settings.local")
django = get_wsgi_application()

from django.conf import settings  # noqa: E402

from games.streams.app import PATHS, Message, Receive, Scope, Send, Streams  # noqa: E402
from games.streams.hub import Hub  # noqa: E402

THREADS = 8
NOT_ASCII = re.compile(rb"[\x80-\xff]")

Serve = Callable[[Scope, Receive, Send], Awaitable[None]]

hub = Hub(settings.STREAM_PERIOD)
pages = WSGIMiddleware(django, workers=THREADS)  # type: ignore[arg-type]
streams = Streams(django, pages.executor, hub)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await live(receive, send)
        return

    async def received() -> Message:
        """a2wsgi takes coroutines alone, and granian's own is another kind of awaitable."""
        return await receive()

    # a2wsgi takes ASCII alone, and granian passes on what is not encoded as it should be.
    query = NOT_ASCII.sub(lambda match: b"%%%02X" % match[0][0], scope["query_string"])
    serve: Serve = streams if PATHS.fullmatch(scope["path"]) else pages  # type: ignore[assignment]
    await serve({**scope, "query_string": query}, received, send)


async def live(receive: Receive, send: Send) -> None:
    """The hub lives as long as the process serves."""
    await receive()
    hub.start()
    end_streams_on(signal.SIGTERM, signal.SIGINT)
    await send({"type": "lifespan.startup.complete"})
    await receive()
    hub.close()
    await send({"type": "lifespan.shutdown.complete"})


def end_streams_on(*numbers: signal.Signals) -> None:
    """End the streams when the process is told to end: granian waits for them, and tells us after that.

    Its own handler is the event loop's, and runs all the same.
    """
    loop = asyncio.get_running_loop()

    def end(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(hub.close)

    for number in numbers:
        signal.signal(number, end)

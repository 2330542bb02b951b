"""Streams that resume by themselves."""

import logging
from asyncio import sleep
from typing import Any

from ..errors import TransportError, TrixError
from ..messages import AsyncStream, Lines, Place, read_message
from ..retries import FOREVER
from .transport import AsyncTransport

log = logging.getLogger("trix_client")


async def follow(transport: AsyncTransport, path: tuple[str, ...], place: Place) -> AsyncStream[Any]:
    """The messages of a stream, again from `place` after every break, until what is watched is over.

    Raises what keeps it from beginning, and ApiError for what is refused; once begun, it waits for a server
    that is gone for as long as it takes.
    """
    tries = transport.retries.start()
    while True:
        try:
            async with transport.stream(*path, after=place.resume_from) as response:
                if response.status_code == 204:
                    if place.has_it_all():
                        return
                    continue
                lines = Lines()
                async for chunk in response.aiter_bytes():
                    for line in lines.feed(chunk):
                        message = read_message(line)
                        tries = FOREVER.start()
                        if place.is_new(message):
                            yield message
            if place.over:
                return
            broken: TrixError = TransportError("The stream ended.", sent=True)
        except TrixError as error:
            broken = error
        wait = tries.wait(broken)
        log.info("%s; again in %.1f s", broken, wait)
        await sleep(wait)

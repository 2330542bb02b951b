"""One open stream: what waits to be sent there. Nobody waits for a slow reader: who lags is dropped."""

import asyncio
from collections.abc import Iterable

from games.api.views.streams import Stream
from games.streams.formats import KEEP_ALIVE, Message
from games.streams.reading import Told
from trix_site.common.errors import ProblemError

MOST_WAITING = 256 * 1024  # bytes


class Watcher:
    """``fresh`` until its first message. ``refusal``, set before that, is answered in place of a stream.

    For a match ``version`` is that of the last action sent, None where none was asked for, and ``document``
    the last `match`; ``sees_clock`` says whether that showed the deadline, ``seat`` the row of a player's
    seat while it runs. For an account ``told`` and ``invited`` are what its reader knows, by match.
    """

    __slots__ = (
        "caller",
        "document",
        "ended",
        "format",
        "fresh",
        "invited",
        "news",
        "player",
        "refusal",
        "seat",
        "sees_clock",
        "size",
        "timer",
        "token",
        "told",
        "version",
        "waiting",
    )

    def __init__(self, stream: Stream) -> None:
        self.player, self.caller, self.format = stream.player, stream.caller, stream.format
        self.token = stream.token.pk if stream.token else None
        self.version = stream.after
        self.document: bytes | None = None
        self.told: dict[str, Told] = {}
        self.invited: set[str] = set()
        self.seat: int | None = None
        self.sees_clock = False
        self.fresh, self.ended = True, False
        self.refusal: ProblemError | None = None
        self.waiting: list[bytes] = []
        self.size = 0
        self.news = asyncio.Event()
        self.timer: asyncio.TimerHandle | None = None

    @property
    def player_id(self) -> int | None:
        return self.player.pk if self.player else None

    def tell(self, messages: Iterable[Message]) -> None:
        """Send these together, after all that waits."""
        self.fresh = False
        self._put(b"".join(getattr(message, self.format) for message in messages))

    def keep_alive(self, period: float) -> None:
        """Send a sign of life every so often from now on, whatever else is sent: its times tell nothing."""
        self._put(KEEP_ALIVE[self.format])
        self.timer = asyncio.get_running_loop().call_later(period, self.keep_alive, period)

    def _put(self, data: bytes) -> None:
        if not data or self.ended:
            return
        if self.size and self.size + len(data) > MOST_WAITING:
            self.drop()
            return
        self.waiting.append(data)
        self.size += len(data)
        self.news.set()

    def refuse(self, refusal: ProblemError) -> None:
        self.refusal = refusal
        self.end()

    def end(self) -> None:
        """Send what waits, and no more."""
        self.ended = True
        self.news.set()

    def drop(self) -> None:
        """Send not even what waits."""
        self.waiting.clear()
        self.end()

    async def next(self) -> bytes:
        """All that waits, once something does. Empty at the end."""
        await self.news.wait()
        data = b"".join(self.waiting)
        self.waiting.clear()
        self.size = 0
        if not self.ended:
            self.news.clear()
        return data

"""A match that streams show."""

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from games.streams.formats import Message
from games.streams.reading import Countdown, MatchReading, Sight, Wanted, countdown_message, read_match
from games.streams.topics import Read, Topic
from games.streams.watchers import Watcher
from trix_site.common.errors import Missing

if TYPE_CHECKING:
    from games.streams.accounts import AccountTopic

WARNINGS = (3600, 60, 10)  # seconds before the deadline
WATCH_SECONDS = 0.1  # between attempts to follow a match that somebody holds


class MatchTopic(Topic):
    """``gone`` are the seats last shown as left, ``shared`` whether its cards are played elsewhere too,
    ``watched`` whether the database knows that it is followed.
    """

    def __init__(self, code: str, read: Read) -> None:
        super().__init__()
        self.code, self.read = code, read
        self.watchers: set[Watcher] = set()
        self.followers: set[AccountTopic] = set()
        self.gone: frozenset[int] = frozenset()
        self.shared = False
        self.watched = False
        self.chat_seen: int | None = None
        self.chat_stale = False
        self.countdown: Countdown | None = None
        self._warnings: list[asyncio.TimerHandle] = []
        self._again: asyncio.TimerHandle | None = None

    async def refresh(self) -> None:
        watchers, followers = list(self.watchers), list(self.followers)
        known = [watcher.version for watcher in watchers if watcher.version is not None]
        look_at_chat, self.chat_stale = self.chat_stale, False
        wanted = Wanted(
            code=self.code,
            viewers={watcher.player_id: watcher.player for watcher in watchers},
            followers=[account.player for account in followers],
            after=min(known, default=None),
            newcomers=[watcher.player.pk for watcher in watchers if watcher.fresh and watcher.player],
            chat_seen=self.chat_seen,
            look_at_chat=look_at_chat,
            watched=self.watched,
        )
        try:
            reading: MatchReading | None = await self.read(read_match, wanted)
        except Exception:
            self.chat_stale |= look_at_chat
            raise
        self.watched = reading is None or reading.watched
        for watcher in self.watchers.intersection(watchers):
            show(watcher, reading)
        for account in self.followers.intersection(followers):
            account.saw(self.code, reading.states[account.player.pk] if reading else None)
        if reading:
            self.gone, self.shared, self.chat_seen = reading.gone, reading.shared, reading.chat_seen
        # What the last account saw may have ended its interest: then this is closed.
        if self.watchers or self.followers:
            self._count_down(reading.countdown if reading else None)
            self._follow_soon()

    def _follow_soon(self) -> None:
        """Try again to follow a match that somebody held."""
        self._stop_trying()
        if not self.watched:
            self._again = asyncio.get_running_loop().call_later(WATCH_SECONDS, self.wake)

    def _stop_trying(self) -> None:
        if self._again:
            self._again.cancel()

    def _count_down(self, clock: Countdown | None) -> None:
        """Warn before this deadline. Only a new one moves the warnings, and no secret answer is one."""
        if clock == self.countdown:
            return
        self.countdown = clock
        self._stop_warnings()
        if clock:
            left = (clock.deadline - timezone.now()) / timedelta(seconds=1)
            loop = asyncio.get_running_loop()
            self._warnings = [
                loop.call_later(left - seconds, self._warn, countdown_message(clock, seconds))
                for seconds in WARNINGS
                if left > seconds
            ]

    def _warn(self, message: Message) -> None:
        for watcher in self.watchers:
            if watcher.sees_clock:
                watcher.tell([message])

    def _stop_warnings(self) -> None:
        for warning in self._warnings:
            warning.cancel()

    def close(self) -> None:
        super().close()
        self._stop_warnings()
        self._stop_trying()


def show(watcher: Watcher, reading: MatchReading | None) -> None:
    """Send a watcher what is new to him: actions, then the match if it looks different, then chat."""
    sight = reading and reading.sights[watcher.player_id]
    if reading is None or sight is None:
        watcher.refuse(Missing("no_such_match", "There is no such match."))
        return
    if watcher.fresh and sight.over and watcher.version is not None and watcher.version >= sight.version:
        watcher.end()  # He has seen it all.
        return
    said = [] if watcher.fresh or watcher.player_id is None else reading.chat.get(watcher.player_id, [])
    if messages := [*news(watcher, sight), *said]:
        watcher.tell(messages)
    watcher.seat = None if watcher.player_id is None else reading.seats.get(watcher.player_id)
    watcher.sees_clock = sight.shows_deadline
    if sight.over:
        watcher.end()


def news(watcher: Watcher, sight: Sight) -> list[Message]:
    """What this watcher has not been sent of what he may see; from now on he has."""
    since = watcher.version
    messages = [] if since is None else [action for action in sight.actions if (action.version or 0) > since]
    if watcher.document != sight.document.data:
        messages.append(sight.document)
    watcher.document = sight.document.data
    watcher.version = max(since or 0, sight.version)
    return messages

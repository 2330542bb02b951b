"""Who follows what in this process, and who is woken by what the database tells."""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from games.api.views.streams import Stream
from games.models import Player
from games.streams.accounts import AccountTopic
from games.streams.formats import Message, as_json
from games.streams.listener import listen
from games.streams.matches import MatchTopic
from games.streams.reading import Pulse, in_thread, read_pulse
from games.streams.watchers import Watcher
from trix_site.common.errors import ProblemError

THREADS = 3
MOST_STREAMS = 50  # of one account, or of one address without one, in this process

log = logging.getLogger(__name__)


class TooManyStreams(ProblemError):
    status = 429


class Hub:
    """``period``: seconds between two signs of life, and between two looks at tokens and at who is there."""

    def __init__(self, period: float) -> None:
        self.period = period
        self.matches: dict[str, MatchTopic] = {}
        self.accounts: dict[int, AccountTopic] = {}
        self.watchers: dict[Watcher, MatchTopic | AccountTopic] = {}
        self.callers: Counter[str] = Counter()
        self.closed = False
        self._threads = ThreadPoolExecutor(THREADS, "streams")
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to listen, and to look after what is open."""
        loop = asyncio.get_running_loop()
        self._tasks = [
            loop.create_task(listen(self.hear, self.wake_all)),
            loop.create_task(self._look_after()),
        ]

    def close(self) -> None:
        """End every stream; their readers come back to another process."""
        self.closed = True
        for watcher in self.watchers:
            watcher.end()
        for topic in [*self.matches.values(), *self.accounts.values()]:
            topic.close()
        for task in self._tasks:
            task.cancel()

    async def read(self, job: Callable[..., Any], *arguments: Any) -> Any:
        work = partial(in_thread, job, *arguments)
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    # Streams come and go

    def watch(self, stream: Stream) -> Watcher:
        """Open a stream. Its first message, or its refusal, comes soon. Raises TooManyStreams."""
        if self.callers[stream.caller] >= MOST_STREAMS:
            detail = f"You have {MOST_STREAMS} streams open; close one first."
            raise TooManyStreams("too_many_streams", detail)
        watcher = Watcher(stream)
        topic = self._match(stream.match_code) if stream.match_code else self._account(watcher.player)
        self.callers[watcher.caller] += 1
        self.watchers[watcher] = topic
        topic.watchers.add(watcher)
        if self.closed:
            watcher.end()
        else:
            topic.wake()
        return watcher

    def leave(self, watcher: Watcher) -> None:
        """A stream is closed."""
        if watcher.timer:
            watcher.timer.cancel()
        topic = self.watchers.pop(watcher)
        topic.watchers.discard(watcher)
        self.callers -= Counter([watcher.caller])
        if isinstance(topic, MatchTopic):
            self._forget(topic)
        elif not topic.watchers:
            self._forget_account(topic)

    def _match(self, code: str) -> MatchTopic:
        return self.matches.setdefault(code, MatchTopic(code, self.read))

    def _account(self, player: Player | None) -> AccountTopic:
        assert player is not None
        if player.pk not in self.accounts:
            topic = AccountTopic(player, self.read)
            topic.follow, topic.unfollow = partial(self._follow, topic), partial(self._unfollow, topic)
            self.accounts[player.pk] = topic
        return self.accounts[player.pk]

    def _follow(self, account: AccountTopic, code: str) -> None:
        if account.watchers:
            match = self._match(code)
            match.followers.add(account)
            match.wake()

    def _unfollow(self, account: AccountTopic, code: str) -> None:
        if match := self.matches.get(code):
            match.followers.discard(account)
            self._forget(match)

    def _forget_account(self, account: AccountTopic) -> None:
        account.close()
        del self.accounts[account.player.pk]
        for match in [match for match in self.matches.values() if account in match.followers]:
            self._unfollow(account, match.code)

    def _forget(self, match: MatchTopic) -> None:
        if not match.watchers and not match.followers and self.matches.get(match.code) is match:
            match.close()
            del self.matches[match.code]

    # What the database tells

    def hear(self, payload: str) -> None:
        """A payload of the channel: see games/migrations/0007_wake_ups.py."""
        what, _, which = payload.partition(" ")
        if what in ("match", "chat") and (match := self.matches.get(which)):
            match.chat_stale |= what == "chat"
            match.wake()
        elif what == "player" and (account := self.accounts.get(int(which))):
            account.wake()
        elif what == "news":
            self._pass_on(**json.loads(which))

    def _pass_on(self, players: list[int], type: str, data: dict[str, object]) -> None:
        message = Message(type, as_json(data))
        for player in players:
            if account := self.accounts.get(player):
                account.hear(message)

    def wake_all(self) -> None:
        """Anything may have changed."""
        for match in self.matches.values():
            match.chat_stale = True
            match.wake()
        for account in self.accounts.values():
            account.start_anew()

    # What nobody tells

    async def _look_after(self) -> None:
        while True:
            await asyncio.sleep(self.period)
            try:
                await self.look()
            except Exception:
                log.exception("Open streams could not be looked after, trying again")

    async def look(self) -> None:
        """End the streams of tokens that are no longer good; see who is still there, and who is gone."""
        tokens = {watcher.token for watcher in self.watchers if watcher.token}
        seats = {watcher.seat for watcher in self.watchers if watcher.seat}
        followed = dict(self.matches)
        pulse: Pulse = await self.read(read_pulse, tokens, seats, list(followed))
        for watcher in self.watchers:
            if watcher.token in tokens - pulse.tokens:
                watcher.end()
        gone: dict[str, set[int]] = {}
        for code, index in pulse.gone:
            gone.setdefault(code, set()).add(index)
        for code, match in followed.items():
            # Nobody tells of the other tables that play its cards, which bystanders wait for.
            if match.gone != gone.get(code, set()) or match.shared or code in pulse.late:
                match.wake()

"""A player's account that streams show. What they say follows from what is, so that nothing is lost."""

from collections.abc import Callable

from games.models import Match, Player
from games.streams.formats import Message
from games.streams.reading import AccountReading, State, Told, read_account, told
from games.streams.topics import Read, Topic
from games.streams.watchers import Watcher


class AccountTopic(Topic):
    """``states`` is what was last seen of the player's unfinished matches. ``follow`` has one of them read
    now and whenever it changes, ``unfollow`` ends that.
    """

    follow: Callable[[str], None]
    unfollow: Callable[[str], None]

    def __init__(self, player: Player, read: Read) -> None:
        super().__init__()
        self.player, self.read = player, read
        self.watchers: set[Watcher] = set()
        self.states: dict[str, Told] = {}

    async def refresh(self) -> None:
        watchers = list(self.watchers)
        reading: AccountReading = await self.read(read_account, self.player)
        for watcher in self.watchers.intersection(watchers):
            if watcher.fresh:
                watcher.tell([reading.document])
                watcher.told = dict(reading.states)
            else:
                new = reading.invitations.keys() - watcher.invited
                watcher.tell(Message("invited", reading.invitations[code]) for code in new)
            watcher.invited = set(reading.invitations)
        # What is new, over, left, or was read before it changed: the match itself says what is so now.
        for code in self.states.keys() | reading.states.keys():
            if self.states.get(code) != reading.states.get(code):
                self.follow(code)

    def start_anew(self) -> None:
        """Something may have been missed: send everyone the account again."""
        for watcher in self.watchers:
            watcher.fresh = True
        self.wake()

    def saw(self, code: str, state: State | None) -> None:
        """A match was read: tell what is new of it. None is for a match that is no longer the player's."""
        for watcher in self.watchers:
            if not watcher.fresh:
                watcher.tell(news(watcher, code, state))
        if state is not None and state.status in Match.UNFINISHED:
            self.states[code] = told(state)
        else:
            self.states.pop(code, None)
            self.unfollow(code)

    def hear(self, message: Message) -> None:
        """Pass on what an app above has to tell."""
        for watcher in self.watchers:
            if not watcher.fresh:
                watcher.tell([message])


def news(watcher: Watcher, code: str, state: State | None) -> list[Message]:
    """What this watcher has not been told of a match; from now on he has."""
    status, turn = watcher.told.pop(code, (None, None))
    if state is None:
        return []
    kinds = []
    if state.status == Match.Status.RUNNING != status:
        kinds.append("match_started")
    if state.turn is not None and state.turn != turn:
        kinds.append("your_turn")
    if state.status in Match.UNFINISHED:
        watcher.told[code] = told(state)
    elif status is not None:
        kinds.append(f"match_{state.status}")
    return [Message(kind, state.data) for kind in kinds]

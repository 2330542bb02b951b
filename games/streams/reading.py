"""What streams show, read from the database in threads. What a viewer may see is for the selectors to say,
and how it looks for `games.api.answers`, as everywhere.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import NamedTuple, ParamSpec, TypeVar

from django.db import close_old_connections
from django.db.models import Q
from django.utils import timezone

from games import selectors
from games.api import answers
from games.engine.cards import SEAT_NAMES
from games.models import ApiToken, Match, Player
from games.positions import at_deadline, position, until
from games.services import presence
from games.streams.formats import Message, as_json
from trix_site.common.answers import Json, time
from trix_site.common.errors import Missing

P = ParamSpec("P")
T = TypeVar("T")

Told = tuple[str | None, int | None]
"""Of a match: its status, and the version at which it is the reader's turn, if it is."""


class Sight(NamedTuple):
    """What one viewer, or everyone without a seat, sees of a match, at the version that he may know."""

    version: int
    document: Message
    actions: list[Message]
    over: bool
    shows_deadline: bool


class Countdown(NamedTuple):
    """What everyone knows of the clock: whose it is (None while doubling), and what happens at its end."""

    deadline: datetime
    seat: str | None
    then: str


class State(NamedTuple):
    """A match as an account's stream shows it. ``turn`` is the version at which it is the player's turn."""

    status: str
    turn: int | None
    data: bytes


class Wanted(NamedTuple):
    """What is to be read of a match, and for whom.

    ``followers`` are players whose account streams show it, ``after`` the version after which actions are
    wanted, ``newcomers`` the players among the viewers who have just come, ``chat_seen`` the last message
    of the chat that is known, if any is. Not ``watched`` is a match that begins to be followed.
    """

    code: str
    viewers: Mapping[int | None, Player | None]
    followers: Collection[Player]
    after: int | None
    newcomers: Collection[int]
    chat_seen: int | None
    look_at_chat: bool
    watched: bool


class MatchReading(NamedTuple):
    """``sights`` and ``chat`` by player, ``states`` too: None for who may not see the match (any more).

    ``watched``: the database tells of what changes after this.
    """

    watched: bool
    sights: dict[int | None, Sight | None]
    states: dict[int, State | None]
    chat: dict[int, list[Message]]
    chat_seen: int | None
    seats: dict[int, int]
    gone: frozenset[int]
    shared: bool
    countdown: Countdown | None


class AccountReading(NamedTuple):
    document: Message
    states: dict[str, Told]
    invitations: dict[str, bytes]


class Pulse(NamedTuple):
    """Which tokens are still good, which seats are left by their players, and which matches to read again."""

    tokens: set[str]
    gone: set[tuple[str, int]]
    late: set[str]


def in_thread(job: Callable[P, T], *arguments: P.args, **keywords: P.kwargs) -> T:
    """Run a job on this thread's connection, which lasts until it is old or broken."""
    close_old_connections()
    try:
        return job(*arguments, **keywords)
    finally:
        close_old_connections()


def read_match(wanted: Wanted) -> MatchReading | None:
    """The match for these viewers, read once; None if it is not there (any more)."""
    viewers, after, chat_seen = wanted.viewers, wanted.after, wanted.chat_seen
    watched = wanted.watched or presence.watch(wanted.code)
    if wanted.newcomers:
        presence.has_come(wanted.code, wanted.newcomers)
    try:
        match = selectors.stored_match(wanted.code)
    except Missing:
        return None
    seats = {seat.player_id: seat for seat in match.seats.all() if seat.player_id is not None}
    anyone = see(match, None, after) if viewers.keys() - seats.keys() else None
    sights = {
        pk: see(match, viewer, after) if pk in seats else anyone if selectors.may_see(match, viewer) else None
        for pk, viewer in viewers.items()
    }
    readers = [viewer for pk, viewer in viewers.items() if pk in seats and viewer is not None]
    chat: dict[int, list[Message]] = {}
    if readers and (wanted.look_at_chat or chat_seen is None):
        chat, chat_seen = _chat(match, readers, chat_seen)
    running = match.status == Match.Status.RUNNING
    return MatchReading(
        watched,
        sights,
        {player.pk: _state(match, player) if player.pk in seats else None for player in wanted.followers},
        chat,
        chat_seen,
        {pk: seat.pk for pk, seat in seats.items() if running and pk in viewers},
        frozenset(seat.index for seat in seats.values() if selectors.is_gone(match, seat)),
        match.behind is not None,
        _countdown(match),
    )


def see(match: Match, viewer: Player | None, after: int | None) -> Sight:
    """All that a viewer sees of a match: its document, and the actions after a version."""
    shown = answers.table(match, viewer)
    version = selectors.score_for(match, viewer).version
    events = () if after is None else selectors.events_after(match, viewer, after)
    # While its cards are played elsewhere, a match that is over has more to show to others later.
    hidden = match.behind is not None and shown["you"] is None
    return Sight(
        version,
        Message("match", as_json(shown), version),
        [Message("action", as_json(answers.event(event)), event.state.version) for event in events],
        match.status not in Match.UNFINISHED and not hidden,
        shown["deadline"] is not None,
    )


def read_account(player: Player) -> AccountReading:
    """What GET account/ answers, with its parts."""
    matches = selectors.unfinished_matches_of(player, answers.MOST_LISTED)
    invitations = selectors.invitations_of(player, answers.MOST_LISTED)
    return AccountReading(
        Message("account", as_json(answers.me(player, matches, invitations))),
        {match.code: told(_state(match, player)) for match in matches},
        {each.match.code: as_json(answers.invitation(each, player)) for each in invitations},
    )


def read_pulse(tokens: Collection[str], seats: Collection[int], codes: Collection[str]) -> Pulse:
    """Say that these matches are followed and these players there; look at tokens, and who is gone."""
    if seats:
        presence.still_there(seats)
    unexpired = Q(expiry=None) | Q(expiry__gt=timezone.now())
    good = ApiToken.objects.filter(unexpired, pk__in=tokens, user__is_active=True)
    return Pulse(
        set(good.values_list("pk", flat=True)) if tokens else set(),
        selectors.gone_seats(codes) if codes else set(),
        presence.watch_on(codes) if codes else set(),
    )


def told(state: State) -> Told:
    """What changes where an account's stream has something to tell."""
    return state.status, state.turn


def _state(match: Match, player: Player) -> State:
    shown = answers.waiting(match, player)
    return State(match.status, match.version if shown["your_turn"] else None, as_json(shown))


def _chat(
    match: Match, readers: Collection[Player], seen: int | None
) -> tuple[dict[int, list[Message]], int]:
    """What was said since, by reader, and the last message now. Nothing is new to who just began to look."""
    last = match.chat.order_by("pk").values_list("pk", flat=True).last() or 0
    if seen is None:
        return {}, last
    found = {reader.pk: list(selectors.chat_after(match, reader, seen)) for reader in readers}
    messages = {
        pk: [Message("chat", as_json(answers.message(each))) for each in said] for pk, said in found.items()
    }
    return messages, max([last, *(each.pk for said in found.values() for each in said)])


def _countdown(match: Match) -> Countdown | None:
    if match.status != Match.Status.RUNNING:
        return None
    seats, now = list(match.seats.all()), position(match, list(match.deals.all()))[0]
    ends, ahead = until(match, seats, now), at_deadline(match, seats, now.state)
    if ends is None or ahead is None:
        return None
    return Countdown(ends, None if ahead.seat is None else SEAT_NAMES[ahead.seat], ahead.then)


def countdown_message(clock: Countdown, seconds: int) -> Message:
    data: Json = {
        "seat": clock.seat,
        "seconds": seconds,
        "deadline": time(clock.deadline),
        "then": clock.then,
    }
    return Message("countdown", as_json(data))

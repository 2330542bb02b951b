"""Playing stored matches in tests: who is to act, some legal action, and on until something holds."""

import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import count
from threading import Barrier
from typing import Any

from django.db import connection
from django.utils import timezone

from games.engine import Phase, State, action_text, legal_actions, options_for, to_act
from games.engine.cards import SEAT_NAMES, SEVEN_OF_HEARTS
from games.engine.shuffle import deal_hands
from games.models import Match
from games.positions import position
from games.services.moves import MoveResult, play_bot_move, submit_action


@cache
def secret_where(owner: int, preset: str = "dananeer") -> bytes:
    """A secret whose first deal belongs to this seat."""
    for number in count():
        secret = number.to_bytes(32, "big")
        if deal_hands(secret, 1, options_for(preset)).hands[owner] >> SEVEN_OF_HEARTS & 1:
            return secret
    raise AssertionError


def state_of(match: Match) -> State:
    match = Match.objects.get(pk=match.pk)
    return position(match, list(match.deals.all()))[0].state


def act(match: Match, text: str | None = None, rng: random.Random | None = None) -> MoveResult:
    """The next seat to act takes this action, or the first legal one, or with ``rng`` any."""
    state = state_of(match)
    seat = to_act(state)[0]
    legal = legal_actions(state, seat)
    text = text or action_text(rng.choice(legal) if rng else legal[0])
    player = match.seats.get(index=seat).player
    assert player is not None
    return submit_action(
        match_code=match.code,
        player=player,
        action_text=text,
        version=state.version,
    )


def act_until(match: Match, done: Callable[[State], bool], rng: random.Random | None = None) -> State:
    """Act until the position is as wanted."""
    while not done(state := state_of(match)):
        act(match, rng=rng)
    return state


def bots_play_deals(match: Match, deals: int = 20) -> State:
    """Bots play the next deals for everyone, quickly; then the players are back."""
    last = state_of(match).number + deals
    match.seats.filter(bot="").update(away_since=timezone.now())
    while (turn := play_bot_move(match.pk, limit=100)).taken and state_of(match).number < last:
        assert turn.version
    match.seats.update(away_since=None)
    return state_of(match)


def play_out(match: Match) -> None:
    """Bots play a match to its end for everyone, also for those who have resigned."""
    match.seats.filter(bot="", away_since=None).update(away_since=timezone.now())
    while play_bot_move(match.pk, limit=100).taken:
        pass
    match.refresh_from_db()


def in_play(state: State) -> bool:
    return state.phase is Phase.PLAY


def doubling(state: State) -> bool:
    return state.phase is Phase.DOUBLE


def asked(state: State) -> list[str]:
    return [SEAT_NAMES[seat] for seat in to_act(state)]


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run these calls in threads of their own that start together; their results, in order."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        barrier.wait(timeout=30)
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))

"""Plays matches without any person or worker: every seat through the services that everyone uses."""

import random

from games.bots import LEVELS
from games.engine import action_text, legal_actions, to_act, view
from games.models import Match
from games.positions import position
from games.services.moves import play_bot_move, submit_action


def play_match(match: Match, level: str, rng: random.Random) -> None:
    """Play a running match to its end; `level` decides for every player, as that player.

    House bots move as they always do. Returns when the match is over.
    """
    choose = LEVELS[level]
    players = {seat.index: seat.player for seat in match.seats.select_related("player")}
    match.refresh_from_db()
    state = position(match, list(match.deals.all()))[0].state
    while match.status == Match.Status.RUNNING:
        seat = next((seat for seat in to_act(state) if players[seat] is not None), None)
        if seat is None:
            play_bot_move(match.pk, limit=BATCH)
            match.refresh_from_db()
            state = position(match, list(match.deals.all()))[0].state
            continue
        action = choose(view(state, seat), legal_actions(state, seat), rng)
        done = submit_action(
            match_code=match.code,
            player=players[seat],
            action_text=action_text(action),
            version=state.version,
        )
        match, state = done.match, done.position.state


BATCH = 16

"""The moves of house bots, and of the bots that play on for absent players."""

import hmac
import logging
import random
from collections.abc import Sequence

from django.conf import settings
from django.db import transaction

from games.bots import LEVELS, Chooser, strong_or_greedy
from games.engine import legal_actions, view
from games.models import Match
from games.services.tables import Table

log = logging.getLogger(__name__)

# Who plays on for an absent player.
STAND_IN = "greedy"


def choose(table: Table, seat: int) -> int:
    """What the bot in a seat does. It gets what a person there would see, and luck of its own.

    A bot that fails or breaks the rules must not stop a match, and with it a league: it is logged, and
    the stand-in takes its place, or if that fails as well the first legal action.
    """
    legal = legal_actions(table.position.state, seat)
    for level in dict.fromkeys((table.seats[seat].bot or STAND_IN, STAND_IN)):
        action = _chosen(level, table, seat, legal)
        if action is not None and action in legal:
            return action
    return legal[0]


def _chosen(level: str, table: Table, seat: int, legal: Sequence[int]) -> int | None:
    """What a level does, or None where it fails; logged if that is not legal."""
    state = table.position.state
    where = level, table.match.pk, state.version
    try:
        action = _chooser(level)(view(state, seat), legal, _luck(table, seat))
    except Exception:
        log.exception("The %s bot failed in match %s at version %s", *where)
        return None
    if action not in legal:
        log.error("The %s bot broke the rules in match %s at version %s", *where)
    return action


def _chooser(level: str) -> Chooser:
    return strong_or_greedy(settings.STRONG_PLAYOUTS) if level == "strong" else LEVELS[level]


def call_bots(table: Table) -> None:
    """Queue the bots of a table after commit, if one is to act.

    A lost message, or a broker that is down, costs time and nothing else: the sweeper calls again.
    """
    match = table.match
    if match.bots_due is not None:
        transaction.on_commit(lambda: queue_bots(match, table.pause), robust=True)


def queue_bots(match: Match, pause: float = 0) -> None:
    """Queue the bots' turn at this version."""
    from games.tasks import play_bots  # A task calls services, so it cannot be imported above.

    play_bots.apply_async((match.pk, match.version), countdown=pause)


def _luck(table: Table, seat: int) -> random.Random:
    """Reproducible for whoever has the secret, and for nobody else."""
    message = f"bot {table.position.state.version} {seat}".encode()
    return random.Random(hmac.digest(table.match.secret, message, "sha256"))

"""The moves of house bots, and of the bots that play on for absent players."""

import hmac
import logging
import random

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

    A bot that fails or breaks the rules is logged and takes the first legal action: it must not stop
    a match, and with it a league.
    """
    state = table.position.state
    level = table.seats[seat].bot or STAND_IN
    legal = legal_actions(state, seat)
    try:
        action = _chooser(level)(view(state, seat), legal, _luck(table, seat))
    except Exception:
        log.exception("The %s bot failed in match %s at version %s", level, table.match.pk, state.version)
        return legal[0]
    if action not in legal:
        log.error(
            "The %s bot broke the rules in match %s at version %s", level, table.match.pk, state.version
        )
        return legal[0]
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

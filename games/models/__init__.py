"""The rows of the games: accounts, matches, what is said at tables, and whom the service tells of it all."""

from games.models.accounts import ApiToken, IdempotentAnswer, Mute, Player, Scope, check_name
from games.models.analyses import Analysis
from games.models.chat import LONGEST_MESSAGE, ChatMessage, ChatReport
from games.models.matches import (
    CLOCK_FIELDS,
    CLOCK_PARTS,
    LONGEST_CLOCK,
    Deal,
    Invitation,
    Match,
    Seat,
    new_secret,
    no_points,
)
from games.models.webhooks import Delivery, Webhook

__all__ = [
    "CLOCK_FIELDS",
    "CLOCK_PARTS",
    "LONGEST_CLOCK",
    "LONGEST_MESSAGE",
    "Analysis",
    "ApiToken",
    "ChatMessage",
    "ChatReport",
    "Deal",
    "Delivery",
    "IdempotentAnswer",
    "Invitation",
    "Match",
    "Mute",
    "Player",
    "Scope",
    "Seat",
    "Webhook",
    "check_name",
    "new_secret",
    "no_points",
]

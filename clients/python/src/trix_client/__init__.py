"""A client for Trix, the tournament and rating service: `Client`, and `AsyncClient` for asyncio."""

from . import payloads
from ._async.client import AsyncClient
from ._sync.client import Client
from .errors import (
    AgainstRules,
    ApiError,
    BadRequest,
    Conflict,
    Forbidden,
    NotFound,
    Throttled,
    TransportError,
    TrixError,
    Unauthorized,
    VerificationError,
)
from .messages import (
    AccountMessage,
    ActionMessage,
    ChatMessage,
    CountdownMessage,
    InvitationMessage,
    MatchMessage,
    MatchNews,
    Message,
    TournamentMessage,
)
from .retries import Retries
from .signatures import verify_webhook
from .verify import VerifiedMatch, verify_record

__all__ = [
    "AccountMessage",
    "ActionMessage",
    "AgainstRules",
    "ApiError",
    "AsyncClient",
    "BadRequest",
    "ChatMessage",
    "Client",
    "Conflict",
    "CountdownMessage",
    "Forbidden",
    "InvitationMessage",
    "MatchMessage",
    "MatchNews",
    "Message",
    "NotFound",
    "Retries",
    "Throttled",
    "TournamentMessage",
    "TransportError",
    "TrixError",
    "Unauthorized",
    "VerificationError",
    "VerifiedMatch",
    "payloads",
    "verify_record",
    "verify_webhook",
]

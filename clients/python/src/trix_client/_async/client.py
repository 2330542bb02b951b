"""The client: one server, one token, and a part for each area of the API."""

from typing import Self

from ..retries import USUAL, Retries
from .accounts import AsyncAccount, AsyncAuth
from .leagues import AsyncLeagues
from .matches import AsyncChat, AsyncMatches
from .ratings import AsyncPlayers, AsyncRatings
from .tournaments import AsyncTournaments
from .transport import AsyncTransport
from .webhooks import AsyncWebhooks


class AsyncClient:
    """A Trix server as one player, or nobody, sees it. To be closed, or used in a `with`.

    ``base_url`` is the server's address, as in "http://localhost:8000"; ``timeout`` the seconds of each try.

    A `Client` may be used by several threads at once, as httpx's may; an `AsyncClient` by several tasks of
    one loop. The one thing that changes is the token (`auth.login`), for all calls that begin from then on.
    """

    def __init__(
        self, base_url: str, token: str | None = None, *, timeout: float = 10.0, retries: Retries = USUAL
    ) -> None:
        self._transport = AsyncTransport(base_url, token, timeout, retries)
        self.auth = AsyncAuth(self._transport)
        self.matches = AsyncMatches(self._transport)
        self.account = AsyncAccount(self._transport, self.matches)
        self.chat = AsyncChat(self._transport)
        self.webhooks = AsyncWebhooks(self._transport)
        self.tournaments = AsyncTournaments(self._transport)
        self.leagues = AsyncLeagues(self._transport)
        self.ratings = AsyncRatings(self._transport)
        self.players = AsyncPlayers(self._transport)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._transport.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

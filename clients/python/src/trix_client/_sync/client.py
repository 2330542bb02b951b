"""The client: one server, one token, and a part for each area of the API."""

from typing import Self

from ..retries import USUAL, Retries
from .accounts import Account, Auth
from .leagues import Leagues
from .matches import Chat, Matches
from .ratings import Players, Ratings
from .tournaments import Tournaments
from .transport import Transport
from .webhooks import Webhooks


class Client:
    """A Trix server as one player, or nobody, sees it. To be closed, or used in a `with`.

    ``base_url`` is the server's address, as in "http://localhost:8000"; ``timeout`` the seconds of each try.

    A `Client` may be used by several threads at once, as httpx's may; an `AsyncClient` by several tasks of
    one loop. The one thing that changes is the token (`auth.login`), for all calls that begin from then on.
    """

    def __init__(
        self, base_url: str, token: str | None = None, *, timeout: float = 10.0, retries: Retries = USUAL
    ) -> None:
        self._transport = Transport(base_url, token, timeout, retries)
        self.auth = Auth(self._transport)
        self.matches = Matches(self._transport)
        self.account = Account(self._transport, self.matches)
        self.chat = Chat(self._transport)
        self.webhooks = Webhooks(self._transport)
        self.tournaments = Tournaments(self._transport)
        self.leagues = Leagues(self._transport)
        self.ratings = Ratings(self._transport)
        self.players = Players(self._transport)

    def close(self) -> None:
        """Close all connections."""
        self._transport.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

"""Accounts with clients of the real server."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from games.models import ApiToken, Player
from trix_client import Client

Connect = Callable[..., Client]


def token_of(name: str) -> str:
    """A new token of this account, which is made if it is not there."""
    player = Player.objects.filter(username=name).first() or Player.objects.create_user(name)
    text: str = ApiToken.objects.create(user=player)[1]
    return text


@pytest.fixture
def connect(live_api) -> Iterator[Connect]:
    """A client of an account, or with None of nobody's. Options are the client's."""
    with ExitStack() as stack:

        def make(name: str | None = None, **options: object) -> Client:
            token = token_of(name) if name else None
            return stack.enter_context(Client(live_api, token, **options))  # type: ignore[arg-type]

        yield make


@pytest.fixture
def amal(connect) -> Client:
    return connect("amal")


@pytest.fixture
def basil(connect) -> Client:
    return connect("basil")

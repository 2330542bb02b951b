"""A named cast, their API clients, and a clock that stands still until it is told to move."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from games.models import ApiToken, Match, Player, Webhook
from games.services import matches
from tests.games.hooks import hook_of
from tests.games.hubs import Screens
from tests.games.play import secret_where
from tests.games.receiver import receiving


class Api:
    """The API as one player, or nobody, sees it. Paths are those after /api/v1/."""

    def __init__(self, player: Player | None = None) -> None:
        self.client = Client(raise_request_exception=False)
        self.headers = {}
        if player is not None:
            _, token = ApiToken.objects.create(user=player)
            self.headers = {"Authorization": f"Bearer {token}"}

    def get(self, path: str, **query: Any) -> Any:
        return self.client.get(f"/api/v1/{path}", query, headers=self.headers)

    def post(self, path: str, /, **body: Any) -> Any:
        return self.client.post(
            f"/api/v1/{path}", body, content_type="application/json", headers=self.headers
        )

    def post_raw(self, path: str, body: bytes, content_type: str = "application/json") -> Any:
        return self.client.post(f"/api/v1/{path}", body, content_type=content_type, headers=self.headers)

    def put(self, path: str, /, **body: Any) -> Any:
        return self.client.put(f"/api/v1/{path}", body, content_type="application/json", headers=self.headers)

    def patch(self, path: str, /, **body: Any) -> Any:
        return self.client.patch(
            f"/api/v1/{path}", body, content_type="application/json", headers=self.headers
        )

    def delete(self, path: str, /, **body: Any) -> Any:
        return self.client.delete(
            f"/api/v1/{path}", body, content_type="application/json", headers=self.headers
        )


@pytest.fixture
def cast(db) -> list[Player]:
    return [Player.objects.create_user(name) for name in ("amal", "basil", "كارلا", "daoud")]


@pytest.fixture
def stranger(db) -> Player:
    return Player.objects.create_user("elias")


@pytest.fixture
def apis(cast) -> list[Api]:
    return [Api(player) for player in cast]


@pytest.fixture
def api(db) -> Callable[..., Api]:
    return Api


@pytest.fixture
def match(cast) -> Match:
    """A running match of the cast, dananeer, South to choose first, all clocks at 30 seconds."""
    return matches.create_match(
        rules="dananeer",
        options={},
        seats=cast,
        secret=secret_where(owner=0),
        clock_choose=30,
        clock_double=30,
        clock_play=30,
    )


class Clock:
    """What `django.utils.timezone.now` says: a full hour, later than whatever was made by the real time."""

    def __init__(self) -> None:
        self.time = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) + timedelta(hours=2)

    def __call__(self) -> datetime:
        return self.time

    def pass_(self, seconds: float) -> datetime:
        self.time += timedelta(seconds=seconds)
        return self.time


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("django.utils.timezone.now", clock)
    return clock


@pytest.fixture
def screens(db) -> Iterator[Callable[[], Screens]]:
    """Makes hubs of streams without a server."""
    made: list[Screens] = []

    def make() -> Screens:
        made.append(Screens())
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def receiver():
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def private_allowed(settings, monkeypatch):
    """For this process and for workers."""
    settings.WEBHOOK_ALLOW_PRIVATE = True
    monkeypatch.setenv("WEBHOOK_ALLOW_PRIVATE", "on")


@pytest.fixture
def hook(cast, receiver, private_allowed) -> Webhook:
    """Amal's, to the receiver."""
    return hook_of(cast[0], receiver.url)

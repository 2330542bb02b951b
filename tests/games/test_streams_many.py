"""Many matches at once, each with four readers: who has read to the end knows what the server knows.

STREAM_MATCHES says how many matches: `make test-streams` plays 200.
"""

import asyncio
import json
import os
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from django.db import connection

from games.engine import action_text, legal_actions
from games.models import Match, Player
from games.services import matches, moves
from tests.conftest import served
from tests.games.play import state_of
from tests.games.streaming import FORMS, ndjson, sse, token_of

MATCHES = int(os.environ.get("STREAM_MATCHES", "20"))
MATCHES_OF_A_FAN = 20
DRIVERS = 4


@pytest.fixture
def site(transactional_db, database_environment) -> Iterator[str]:
    options = ["--interface=asgi", "--loop=asyncio", "--backlog=4096", "--backpressure=4096"]
    with served(database_environment, *options, "trix_site.asgi:application") as address:
        yield address


class Follower:
    """Reads a stream to the end of its match, coming back as often as it is cut, by itself or the server."""

    def __init__(self, match: Match, token: str, form: str, patience: int | None = None) -> None:
        self.match, self.token, self.form, self.patience = match, token, form, patience
        self.versions: list[int] = []
        self.document: Any = None
        self.visits = 0

    async def follow(self, site: str, ready: asyncio.Semaphore) -> None:
        while not (self.document and self.document["status"] == "finished"):
            lines = await self._visit(site)
            self.visits += 1
            if self.visits == 1:
                ready.release()
            for message in (sse if self.form == "sse" else ndjson)(iter(lines)):
                if message.kind == "action":
                    self.versions.append(message.data["version"])
                elif message.kind == "match":
                    self.document = message.data

    async def _visit(self, site: str) -> list[str]:
        """The whole lines of one connection, at most as many as he has patience for."""
        where = urlsplit(site)
        reader, writer = await asyncio.open_connection(where.hostname, where.port, limit=1 << 20)
        writer.write(self._request())
        lines: list[str] = []
        try:
            assert b" 200 " in await reader.readline()
            async for line in chunked(reader):
                lines.append(line)
                if self.patience is not None and len(lines) > self.patience:
                    break
        finally:
            writer.close()
        self.patience = None
        return lines

    def _request(self) -> bytes:
        last = self.versions[-1] if self.versions else 0
        lines = [
            f"GET /api/v1/matches/{self.match.code}/events/ HTTP/1.1",
            "Host: localhost",
            f"Accept: {FORMS[self.form]}",
            f"Last-Event-ID: {last}",
            f"Authorization: Bearer {self.token}",
        ]
        return "\r\n".join([*lines, "", ""]).encode()


async def chunked(reader: asyncio.StreamReader) -> Any:
    """The lines of a body in chunks."""
    while await reader.readline() != b"\r\n":
        pass
    rest = b""
    while size := int(await reader.readline(), 16):
        data = await reader.readexactly(size + 2)
        *lines, rest = (rest + data[:-2]).split(b"\n")
        for line in lines:
            yield line.decode()


def play(site: str, match: Match, token: str, seed: int) -> None:
    """Play a match to its end: bots as a worker plays them, South through the API until he tires of it."""
    rng = random.Random(seed)
    try:
        with httpx.Client(headers={"Authorization": f"Bearer {token}"}, timeout=60) as client:
            for _ in range(10):
                act(client, site, match, rng)
            client.post(f"{site}/api/v1/matches/{match.code}/leave/", json={}).raise_for_status()
            while moves.play_bot_move(match.pk, limit=rng.randrange(1, 17)).bots_pending:
                pass
    finally:
        connection.close()


def act(client: httpx.Client, site: str, match: Match, rng: random.Random) -> None:
    while moves.play_bot_move(match.pk, limit=rng.randrange(1, 4)).bots_pending:
        pass
    state = state_of(match)
    action = rng.choice(legal_actions(state, 0))
    body = {"action": action_text(action), "version": state.version}
    client.post(f"{site}/api/v1/matches/{match.code}/actions/", json=body).raise_for_status()


async def play_and_follow(site: str, tables: list[tuple[Match, str]], followers: list[Follower]) -> None:
    ready = asyncio.Semaphore(0)
    reading = [asyncio.create_task(follower.follow(site, ready)) for follower in followers]
    with ThreadPoolExecutor(DRIVERS) as drivers:
        loop = asyncio.get_running_loop()
        playing = [
            loop.run_in_executor(drivers, play, site, match, token, seed)
            for seed, (match, token) in enumerate(tables)
        ]
        await asyncio.gather(*playing)
    async with asyncio.timeout(60):
        await asyncio.gather(*reading)


def test_every_reader_ends_with_what_the_server_answers(site):
    fans = [Player.objects.create_user(f"fan{number}") for number in range(MATCHES // MATCHES_OF_A_FAN + 1)]
    fan_tokens = [token_of(fan) for fan in fans]
    tables, followers = [], []
    for number in range(MATCHES):
        player = Player.objects.create_user(f"player{number}")
        match = matches.create_match(
            rules="cardkings-complex", options={}, seats=[player, "random", "random", "random"]
        )
        token, fan = token_of(player), fan_tokens[number // MATCHES_OF_A_FAN]
        tables.append((match, token))
        followers += [
            Follower(match, token, "sse"),
            Follower(match, token, "ndjson", patience=50 + number),
            Follower(match, fan, "ndjson"),
            Follower(match, fan, "sse", patience=200 + 3 * number),
        ]
    began = time.monotonic()
    asyncio.run(play_and_follow(site, tables, followers))
    seconds = time.monotonic() - began

    actions = 0
    with httpx.Client(timeout=60) as client:
        for follower in followers:
            headers = {"Authorization": f"Bearer {follower.token}"}
            answer = client.get(f"{site}/api/v1/matches/{follower.match.code}/", headers=headers)
            assert follower.document == json.loads(answer.content)
            version = follower.document["version"]
            assert follower.versions == list(range(1, version + 1))
            actions += version
    print(f"{MATCHES} matches, {len(followers)} streams, {actions} actions read in {seconds:.0f} s")

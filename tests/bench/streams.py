"""Open streams: `python -m tests.bench.streams` on a database that nobody else uses; prints JSON.

One events process holds STREAMS streams: the four players of each running match follow it, so that every move
is shown in four different ways. Then moves are made, so many a second, and each is timed from before its
transaction until each of its four players has read it.
"""

import asyncio
import json
import threading
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, sleep
from typing import TYPE_CHECKING

import django

from tests.processes import Process, free_port, wait_for_port

if TYPE_CHECKING:
    from games.models import Match

STREAMS = 2000
STREAMS_OF_A_PLAYER = 40
MOVES, MOVES_A_SECOND = 1000, 50
SERVER = ["--interface=asgi", "--loop=asyncio", "--backlog=4096", "--backpressure=4096", "--no-ws"]


class Follower(asyncio.Protocol):
    """A stream's reader. ``sent`` says when the last move of its match was begun."""

    def __init__(self, request: bytes, place: int, sent: list[float]) -> None:
        self.request, self.place, self.sent = request, place, sent
        self.delays: list[float] = []
        self.ready = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        self.ready |= b"event: match" in data
        if b"event: action" in data:
            self.delays.append(perf_counter() - self.sent[self.place])


class Crowd:
    """All readers, in a thread of their own."""

    def __init__(self, port: int, requests: list[list[bytes]]) -> None:
        self.port = port
        self.sent = [0.0] * len(requests)
        self.loop = asyncio.new_event_loop()
        self.followers = [
            Follower(request, place, self.sent) for place, four in enumerate(requests) for request in four
        ]
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def open(self, count: int) -> None:
        """Open the first ``count`` streams that are not open yet, and wait for their first messages."""
        asyncio.run_coroutine_threadsafe(self._open(count), self.loop).result()
        while not all(follower.ready for follower in self.followers[:count]):
            sleep(0.05)

    async def _open(self, count: int) -> None:
        for follower in self.followers[:count]:
            if not follower.ready:
                await self.loop.create_connection(lambda follower=follower: follower, "127.0.0.1", self.port)  # type: ignore[misc]

    def delays(self, moves: int) -> list[float]:
        """What each move took to each of its four readers, once all have come."""
        while (delays := [delay for each in self.followers for delay in each.delays]) and len(
            delays
        ) < 4 * moves:
            sleep(0.05)
        return delays


def main() -> None:
    tables = make_tables(STREAMS // 4)
    port = free_port()
    command = ["-m", "granian", *SERVER, f"--port={port}", "trix_site.asgi:application"]
    server = Process(command, {"DJANGO_SETTINGS_MODULE": "trix_site.settings.local"}, "Started")
    server.start()
    try:
        wait_for_port(port)
        crowd = Crowd(port, [requests for _, requests in tables])
        crowd.open(100)
        before = memory(server)
        started = perf_counter()
        crowd.open(STREAMS)
        opening = perf_counter() - started
        each = (memory(server) - before) / (STREAMS - 100)
        delays = play([match for match, _ in tables], crowd)
        print(json.dumps(figures(each, opening, delays, memory(server))))
    finally:
        server.kill()


def figures(each: float, opening: float, delays: list[float], held: int) -> dict[str, float]:
    """In kB, streams a second, milliseconds and MB."""
    return {
        "each": each / 1024,
        "opened": (STREAMS - 100) / opening,
        "median": 1000 * median(delays),
        "p99": 1000 * quantiles(delays, n=100)[98],
        "held": held / 2**20,
    }


def make_tables(count: int) -> list[tuple["Match", list[bytes]]]:
    """Running matches of people, in play, each with its players' requests for its stream."""
    from games.models import ApiToken, Player
    from games.services.matches import create_match
    from tests.games.play import act

    players = [Player.objects.create_user(f"p{n}") for n in range(4 * count // STREAMS_OF_A_PLAYER + 1)]
    tokens = {player.pk: ApiToken.objects.create(user=player)[1] for player in players}
    tables = []
    for number in range(count):
        seats = [players[(4 * number + seat) % len(players)] for seat in range(4)]
        match = create_match(rules="dananeer", options={}, seats=seats)
        act(match, "choose ltoosh")
        tables.append((match, [request(match.code, tokens[player.pk]) for player in seats]))
    return tables


def request(code: str, token: str) -> bytes:
    head = "Host: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer "
    return f"GET /api/v1/matches/{code}/events/ HTTP/1.1\r\n{head}{token}\r\n\r\n".encode()


def play(matches: list["Match"], crowd: Crowd) -> list[float]:
    """Moves at an even pace, one match after the other; the seconds that each took to each reader."""
    from games.engine import action_text, legal_actions
    from games.services.moves import submit_action
    from tests.games.play import state_of

    started = perf_counter()
    for number in range(MOVES):
        place = number % len(matches)
        state = state_of(matches[place])
        player = matches[place].seats.get(index=state.turn).player
        assert player is not None
        action = action_text(legal_actions(state, state.turn)[0])
        sleep(max(0.0, started + number / MOVES_A_SECOND - perf_counter()))
        crowd.sent[place] = perf_counter()
        submit_action(
            match_code=matches[place].code, player=player, action_text=action, version=state.version
        )
    return crowd.delays(MOVES)


def memory(server: Process) -> int:
    """The bytes that the worker of a server holds."""
    pid = server.process.pid
    (worker,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return resident(worker)


def resident(pid: int | str) -> int:
    """The bytes of memory that a process holds."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


if __name__ == "__main__":
    django.setup()
    main()

"""Moves a second: `python -m tests.bench.moves` on a database that nobody else uses; prints JSON.

The same load meets, taking turns, the real endpoint and a bare one with the same statements
(tests/bench/bare.py), each served by granian over WSGI with the same options. Clients send a real token,
go on with matches in their tenth deal, act for the seat to act, and wait for each answer. Then boardgame.io
has its turn, and pgbench with the statements alone.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from statistics import median, quantiles
from typing import TYPE_CHECKING

import django
from django.test import Client as DjangoClient
from django.test import override_settings

from tests.bench.clients import Sample, load
from tests.processes import Process, free_port, wait_for_port

if TYPE_CHECKING:
    from tests.bench.table import World

CLIENTS, RUNS, SECONDS = 16, 5, 4.0
PATH = "/api/v1/matches/{}/actions/"
SERVER = ["--interface=wsgi", "--workers=2", "--blocking-threads=2", "--no-ws", "--log-level=error"]


@contextmanager
def serving(settings: str) -> Iterator[int]:
    """The port of a server with these settings, on our database."""
    port = free_port()
    command = ["-m", "granian", *SERVER, f"--port={port}", "trix_site.wsgi:application"]
    server = Process(command, {"DJANGO_SETTINGS_MODULE": settings}, "")
    server.launch()
    try:
        wait_for_port(port)
        yield port
    finally:
        server.kill()


def request(path: str, token: str, body: object) -> bytes:
    content = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
    return (
        f"{head}Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n".encode() + content
    )


def main() -> None:
    from tests.bench import peer, pgbench
    from tests.bench.table import World

    world = World(CLIENTS)
    real: list[Sample] = []
    bare: list[Sample] = []
    with serving("trix_site.settings.local") as ours, serving("tests.bench.bare_settings") as theirs:
        for _ in range(RUNS + 1):
            bare.append(load(theirs, [repeat(first) for first, *_ in requests(world, "/bare/{}/")], SECONDS))
            real.append(load(ours, [iter(all_) for all_ in requests(world, PATH)], SECONDS))
    # The first runs pay for what a first request imports.
    found = {"bare": bare[1:], "real": real[1:], "peer": [peer.load(CLIENTS, SECONDS) for _ in range(RUNS)]}
    if shutil.which("pgbench"):
        with override_settings(THROTTLE_TOKEN=0):  # Its lease is one statement in sixty calls.
            script = pgbench.script(world, lambda code: act(world, code))
        found["pgbench"] = [pgbench.load(script, CLIENTS, SECONDS) for _ in range(RUNS)]
    print(json.dumps({name: summary(samples) for name, samples in found.items()}))


def requests(world: "World", path: str) -> list[list[bytes]]:
    """For each client the rest of a new match of its own."""
    return [
        [
            request(path.format(code), tokens[move.seat], {"action": move.action, "version": move.version})
            for move in world.moves
        ]
        for code, tokens in zip(world.copies(), world.tokens, strict=True)
    ]


def act(world: "World", code: str) -> None:
    """The first move in this match, through the real endpoint in this process."""
    seat, action, version = world.moves[0]
    answer = DjangoClient(HTTP_HOST="localhost").post(
        PATH.format(code),
        {"action": action, "version": version},
        content_type="application/json",
        headers={"Authorization": f"Bearer {world.tokens[0][seat]}"},
    )
    assert answer.status_code == 200, answer.content


def summary(samples: Sequence[Sample]) -> dict[str, float]:
    """Medians over the runs: requests a second, and milliseconds; ``cost`` is what a request costs us."""
    return {
        "rate": median(sample.rate for sample in samples),
        "p50": median(1000 * quantiles(sample.latencies, n=100)[49] for sample in samples),
        "p99": median(1000 * quantiles(sample.latencies, n=100)[98] for sample in samples),
        "cost": median(1000 * sample.cost / len(sample.latencies) for sample in samples),
    }


if __name__ == "__main__":
    django.setup()
    main()

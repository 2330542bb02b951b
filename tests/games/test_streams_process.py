"""The process that holds the streams: readers that stop reading, and its end."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from games.models import ChatMessage, Match, Player
from tests.games.play import act
from tests.games.streaming import Reader, token_of
from tests.processes import Process, free_port, wait_for_port

SERVE = ["-m", "granian", "--interface=asgi", "--loop=asyncio", "--no-ws", "trix_site.asgi:application"]


@pytest.fixture
def server(transactional_db, database_environment) -> Iterator[tuple[Process, str]]:
    """A process of this test's own, and its address."""
    port = free_port()
    process = Process([*SERVE, f"--port={port}"], database_environment, "Started")
    process.start()
    wait_for_port(port)
    yield process, f"http://127.0.0.1:{port}"
    if process.process.poll() is None:
        process.kill()


def deaf_reader(site: str, match: Match, player: Player) -> socket.socket:
    """A stream that is open and that nobody reads, with little room on its way."""
    parts = urlsplit(site)
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    reader.settimeout(30)
    reader.connect((parts.hostname, parts.port))
    head = f"Host: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer {token_of(player)}"
    reader.sendall(f"GET /api/v1/matches/{match.code}/events/ HTTP/1.1\r\n{head}\r\n\r\n".encode())
    assert reader.recv(12) == b"HTTP/1.1 200"
    return reader


def memory(process: Process) -> int:
    """Bytes that the server and its worker hold."""
    pid = process.process.pid
    pids = [str(pid), *Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    lines = [line for each in pids for line in Path(f"/proc/{each}/status").read_text().splitlines()]
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def say_much(match: Match, player: Player) -> int:
    """Half a megabyte of chat at once; the id of its last message."""
    said = [ChatMessage(match=match, author=player, text="𝄞" * 500) for _ in range(200)]
    return ChatMessage.objects.bulk_create(said)[-1].pk


def test_a_reader_that_stops_is_dropped_while_others_get_on(server, cast, match):
    """Its socket fills up, then little is kept for it, and then it is gone."""
    process, site = server
    with (
        deaf_reader(site, match, cast[0]),
        Reader(site, f"matches/{match.code}/events/", cast[1]) as reader,
    ):
        reader.next()
        before = memory(process)
        for _ in range(30):
            last = say_much(match, cast[2])
            while reader.next("chat").data["id"] != last:
                pass
        process.wait_for("took nothing for")
        assert memory(process) - before < 15_000_000  # of 12 MB sent twice
        act(match)
        assert reader.next("action").id == 1


def test_the_process_ends_promptly_with_streams_open(server, cast, match):
    process, site = server
    path = f"matches/{match.code}/events/"
    readers = [Reader(site, path), Reader(site, path, cast[0], "ndjson"), Reader(site, "events/", cast[1])]
    try:
        for reader in readers:
            reader.next()
        began = time.monotonic()
        assert process.stop() == 0
        assert time.monotonic() - began < 5
        for reader in readers:
            assert reader.rest() == []
        assert "Traceback" not in process.output
    finally:
        for reader in readers:
            reader.close()


def test_it_ends_promptly_with_requests_on_the_way(server, match):
    process, site = server
    with Reader(site, f"matches/{match.code}/events/") as reader, httpx.Client() as client:
        reader.next()
        assert client.get(f"{site}/api/v1/matches/").status_code == 200
        assert process.stop() == 0
    assert "Traceback" not in process.output

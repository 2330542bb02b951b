"""A light load of HTTP: one thread, one kept connection a client, requests made beforehand.

It has to leave the cores to the server: no HTTP library, and of an answer only status and length are read.
"""

import selectors
import socket
from collections.abc import Iterator, Sequence
from time import perf_counter, process_time
from typing import NamedTuple


class Sample(NamedTuple):
    """What one run measured; ``latencies`` in seconds, ``cost`` in seconds of our own processor time."""

    latencies: list[float]
    seconds: float
    cost: float

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds


class Client:
    """One connection, with one request under way at a time."""

    def __init__(self, port: int, requests: Iterator[bytes]) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.requests = requests

    def send(self) -> bool:
        """Send the next request; False if there is none."""
        request = next(self.requests, None)
        if request is None:
            return False
        self.sent, self.received = perf_counter(), b""
        self.socket.sendall(request)
        return True

    def receive(self) -> float | None:
        """The latency, once the whole answer is there. AssertionError for any but a 200."""
        self.received += self.socket.recv(65536)
        head, found, body = self.received.partition(b"\r\n\r\n")
        if not found:
            assert self.received, "The server closed a connection."
            return None
        assert head.startswith(b"HTTP/1.1 200"), self.received.decode()
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        return perf_counter() - self.sent if len(body) == length else None


def load(port: int, scripts: Sequence[Iterator[bytes]], seconds: float) -> Sample:
    """Send each client's requests, one after the other's answer, until the time is over."""
    latencies: list[float] = []
    with selectors.DefaultSelector() as waiting:
        clients = [Client(port, script) for script in scripts]
        for client in clients:
            waiting.register(client.socket, selectors.EVENT_READ, client)
        started, cost = perf_counter(), process_time()
        for client in clients:
            client.send()
        while waiting.get_map():
            over = perf_counter() - started > seconds
            for key, _ in waiting.select(timeout=30):
                client = key.data
                if (latency := client.receive()) is None:
                    continue
                latencies.append(latency)
                if over or not client.send():
                    waiting.unregister(client.socket)
        took, cost = perf_counter() - started, process_time() - cost
        for client in clients:
            client.socket.close()
    return Sample(latencies, took, cost)

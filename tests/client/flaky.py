"""A real proxy that loses answers: a TCP server of its own in front of the real one."""

import http.client
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import urlsplit

HOP_BY_HOP = {"connection", "transfer-encoding", "content-length", "keep-alive"}
Fate = str  # "pass", "drop": no answer at all, "cut": half of one, "refuse": not even the request arrives.


class Seen(NamedTuple):
    """A request that arrived at the server."""

    method: str
    path: str
    key: str | None
    body: bytes


class Proxy(ThreadingHTTPServer):
    """`fate` says what becomes of the nth request, from 1. `seen` are those that arrived at the server.

    Streams are cut after so many bytes, wherever that is.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, upstream: str, fate: Callable[[int], Fate], cut_streams_after: int | None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        parts = urlsplit(upstream)
        self.upstream = (str(parts.hostname), parts.port or 80)
        self.fate, self.cut_streams_after = fate, cut_streams_after
        self.seen: list[Seen] = []
        self.spoilt = 0
        self._count, self._lock = 0, threading.Lock()
        self._streams: set[socket.socket] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def next_fate(self) -> Fate:
        with self._lock:
            self._count += 1
            fate = self.fate(self._count)
            self.spoilt += fate != "pass"
        return fate

    @contextmanager
    def streaming(self, connection: socket.socket) -> Iterator[None]:
        """While a stream goes out over this connection, `cut_streams` finds it."""
        with self._lock:
            self._streams.add(connection)
        try:
            yield
        finally:
            with self._lock:
                self._streams.discard(connection)

    def cut_streams(self) -> None:
        """Every stream that is open now ends for its client, wherever it is."""
        with self._lock:
            for connection in self._streams:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: object, client_address: object) -> None:
        """Who hangs up on a proxy is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Proxy

    def relay(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fate = self.server.next_fate()
        if fate == "refuse":
            self.hang_up()
            return
        key = self.headers.get("Idempotency-Key")
        self.server.seen.append(Seen(self.command, self.path, key, body))
        upstream = http.client.HTTPConnection(*self.server.upstream, timeout=60)
        try:
            headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
            upstream.request(self.command, self.path, body or None, headers)
            answer = upstream.getresponse()
            if fate == "drop":
                answer.read() if answer.length is not None else None
                self.hang_up()
            elif answer.length is None and answer.status == 200:
                self.relay_stream(answer)
            else:
                self.answer(answer, answer.read(), cut=fate == "cut")
        finally:
            upstream.close()

    do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = relay

    def answer(self, answer: http.client.HTTPResponse, body: bytes, cut: bool) -> None:
        self.head(answer)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        if cut:
            self.hang_up()

    def relay_stream(self, answer: http.client.HTTPResponse) -> None:
        """Its end is the end of the connection, so that a cut looks like the end."""
        self.head(answer)
        self.send_header("Connection", "close")
        self.end_headers()
        left = self.server.cut_streams_after
        with self.server.streaming(self.connection):
            while left != 0 and (chunk := answer.read1(65536 if left is None else left)):
                self.wfile.write(chunk)
                left = None if left is None else left - len(chunk)
        self.server.spoilt += left == 0
        self.hang_up()

    def head(self, answer: http.client.HTTPResponse) -> None:
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)

    def hang_up(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def flaky(
    upstream: str, fate: Callable[[int], Fate] = lambda number: "pass", cut_streams_after: int | None = None
) -> Iterator[Proxy]:
    """A proxy in front of `upstream`, until the end of the block."""
    proxy = Proxy(upstream, fate, cut_streams_after)
    thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.shutdown()
        thread.join()
        proxy.server_close()


def every_tenth(fate: Fate) -> Callable[[int], Fate]:
    return lambda number: fate if number % 10 == 0 else "pass"

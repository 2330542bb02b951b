"""A real receiver of webhooks on this machine, which can be told to misbehave."""

import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


@dataclass
class Receiver:
    """``plan``: what comes of each call in turn, then 200. A status; "drop" closes without an answer, "drip"
    answers one byte at a time, "hold" answers once `let_go` is set, "redirect" points at another address."""

    url: str = ""
    plan: list[Any] = field(default_factory=list)
    calls: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    let_go: threading.Event = field(default_factory=threading.Event)
    arrived: threading.Condition = field(default_factory=threading.Condition)
    text: bytes = b"thanks"

    def wait_for(self, number: int, seconds: float = 30) -> None:
        """Return once so many calls have come."""
        with self.arrived:
            self.arrived.wait_for(lambda: len(self.calls) >= number, seconds)
        assert len(self.calls) >= number, f"{len(self.calls)} of {number} calls came"


@contextmanager
def receiving(certificate: Path | None = None) -> Iterator[Receiver]:
    """A receiver that listens on 127.0.0.1 until the block ends; with a certificate it speaks TLS."""
    receiver = Receiver()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(receiver))
    server.daemon_threads = True
    if certificate:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate)
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook"
    try:
        yield receiver
    finally:
        receiver.let_go.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            with receiver.arrived:
                receiver.calls.append(({name.lower(): value for name, value in self.headers.items()}, body))
                what = receiver.plan.pop(0) if receiver.plan else 200
                receiver.arrived.notify_all()
            self.close_connection = True
            if what == "drop":
                return
            if what == "hold":
                receiver.let_go.wait(30)
            with suppress(OSError):  # Whoever asked has gone.
                self._answer(what)

        def _answer(self, what: Any) -> None:
            self.send_response({"redirect": 302}.get(what, what if isinstance(what, int) else 200))
            if what == "redirect":
                self.send_header("Location", "/elsewhere")
            if what == "drip":
                return self._drip()
            self.send_header("Content-Length", str(len(receiver.text)))
            self.end_headers()
            self.wfile.write(receiver.text)

        def _drip(self) -> None:
            self.end_headers()
            while not receiver.let_go.is_set():
                self.wfile.write(b".")
                time.sleep(0.05)

        def log_message(self, *_: Any) -> None:
            pass

    return Handler

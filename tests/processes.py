"""Real processes for tests: each is started, told apart by what it prints, and ended whatever happens."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS = 60


class Process:
    """A program of this project in a session of its own, with everything it printed in `output`."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        ready: str,
        inherit: bool = True,
    ) -> None:
        self.command = [sys.executable, *command]
        self.environment = {**(os.environ if inherit else {}), "PYTHONUNBUFFERED": "1", **environment}
        self.ready = ready
        self.output, self._ended = "", False
        self._printed = threading.Condition()

    def start(self) -> None:
        """Return once it has printed `ready`; AssertionError, with its output, where it does not."""
        self.launch()
        try:
            self.wait_for(self.ready, START_SECONDS)
        except AssertionError:
            self.kill()
            raise

    def launch(self) -> None:
        self.output, self._ended = "", False
        self.process = subprocess.Popen(
            self.command,
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait_for(self, text: str, seconds: float = 30) -> None:
        """Return once it has printed `text`; AssertionError with its output where it ends or takes longer."""
        with self._printed:
            self._printed.wait_for(lambda: text in self.output or self._ended, seconds)
        assert text in self.output, f"{self.command} never printed {text!r}:\n{self.output}"

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._printed:
                self.output += line
                self._printed.notify_all()
        with self._printed:
            self._ended = True
            self._printed.notify_all()

    def stop(self, by: signal.Signals = signal.SIGTERM) -> int:
        """End it as a person or a service manager would; its exit code."""
        self.process.send_signal(by)
        return self.wait()

    def kill(self) -> None:
        """End it and its children without any warning, as a crash of the machine would."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.wait()

    def wait(self, seconds: float = 30) -> int:
        code = self.process.wait(seconds)
        self._reader.join(seconds)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def wait_for_port(port: int, seconds: float = START_SECONDS) -> None:
    """Return once something listens on `port` of this machine."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)

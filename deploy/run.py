"""`make run`: a whole trial of Trix on one machine (database, web, worker and beat) until Ctrl-C.

PORT (8000) and TRIX_DATA_DIR (.data) are its settings; DATABASE_URL and CELERY_BROKER_URL count here too.
Each part runs in a session of its own, so that Ctrl-C reaches this process alone, and the parts end in order.
"""

import ctypes
import fcntl
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from types import FrameType
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
DATA_DIR = Path(os.environ.get("TRIX_DATA_DIR") or ROOT / ".data").resolve()
HOST = "127.0.0.1"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
START_SECONDS = 60
STOP_SECONDS = 15
GROUP_SECONDS = 2
PR_SET_PDEATHSIG = 1  # linux/prctl.h

Parts = dict[str, subprocess.Popen[bytes]]

told_to_end: list[int] = []


def main() -> None:
    for number in SIGNALS:
        signal.signal(number, remember)
    os.chdir(ROOT)
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    check_environment()
    port = chosen_port()
    with claimed_folder(port):
        check_port(port)
        running: Parts = {}
        try:
            run(port, running)
        except KeyboardInterrupt:
            print("\nStopping.", flush=True)
        finally:
            stop(running)


def run(port: int, running: Parts) -> None:
    """Start everything, tell the addresses, and return only by an exception."""
    keep_database()
    manage("migrate --verbosity=0", running)
    manage("demo", running)
    for name, command in commands(port).items():
        running[name] = start(command)
    wait_for_answer(port, running)
    print(
        f"""
Admin    http://localhost:{port}/admin/
API      http://localhost:{port}/api/docs/
Ctrl-C ends everything; the data stays in {DATA_DIR}.""",
        flush=True,
    )
    while True:
        check_running(running)
        keep_database()
        pause(0.3)


def start(command: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=end_with_parent
    )


def end_with_parent() -> None:
    """In a part, before it begins: let the kernel tell it to end if this program is killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def commands(port: int) -> dict[str, list[str]]:
    """The processes, in the order of starting."""
    python = [sys.executable, "-W", "ignore:You're running the worker with superuser"]
    # As many connections as streams may be open: docs/running.md.
    many = ["--backlog=4096", "--backpressure=4096"]
    # HTTP/1.1, as WSGI and proxies speak it: a body of HTTP/2 without its length would pass for none.
    web = ["--interface=asgi", "--loop=asyncio", "--http=1", f"--host={HOST}", f"--port={port}"]
    web += ["--no-ws", *many]
    celery = [*python, "-m", "celery", "-A", "trix_site", "--quiet"]
    worker = [*celery, "worker", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    return {
        "web": [*python, "-m", "granian", *web, "--log-level=error", "trix_site.asgi:application"],
        "first worker": [*worker, "--hostname=first@%h"],
        "second worker": [*worker, "--hostname=second@%h"],
        "beat": [*celery, "beat", f"--schedule={DATA_DIR / 'beat'}", "--pidfile="],
    }


def remember(number: int, frame: FrameType | None) -> None:
    """Every way of being told to end is Ctrl-C. It takes effect in `pause`, never halfway through a step."""
    told_to_end.append(number)


def pause(seconds: float) -> None:
    time.sleep(seconds)
    if told_to_end:
        raise KeyboardInterrupt


# What must be so before anything starts; each ends the program with one sentence where it is not.


def check_environment() -> None:
    pinned = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    for package in pinned:
        if not is_installed(package):
            sys.exit(
                f"The environment in .venv is incomplete: no {package} in it. Make it anew: make clean run"
            )


def is_installed(package: str) -> bool:
    """Whether every module or folder of modules that belongs to it is there."""
    try:
        found = distribution(package)
    except PackageNotFoundError:
        return False
    tops = {file.parts[0] for file in found.files or () if file.suffix in (".py", ".so")}
    return bool(tops) and all(Path(found.locate_file(top)).exists() for top in tops)  # type: ignore[arg-type]


def chosen_port() -> int:
    text = os.environ.get("PORT") or "8000"
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        sys.exit(f"PORT must be a number from 1 to 65535, not {text!r}.")
    return int(text)


def claimed_folder(port: int) -> IO[str]:
    """A lock on the data folder, held until the file is closed or this process dies."""
    DATA_DIR.mkdir(parents=True, exist_ok=True)
    lock = (DATA_DIR / "run.lock").open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        sys.exit(
            f"Trix already runs from {DATA_DIR}, at http://localhost:{lock.read()}/. Stop that one first."
        )
    lock.truncate(0)
    print(port, end="", file=lock, flush=True)
    return lock


def check_port(port: int) -> None:
    try:
        socket.create_server((HOST, port)).close()
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        sys.exit(f"Port {port} cannot be used ({reason}). Choose another: make run PORT=8001")


# Steps


def keep_database() -> None:
    """Have the embedded PostgreSQL up as long as this process lives, whoever comes, goes or kills it."""
    if os.environ.get("DATABASE_URL"):
        return
    from trix_site.embedded.cluster import Cluster, ClusterError

    try:
        Cluster(DATA_DIR).hold()
        Cluster(DATA_DIR).revive()
    except ClusterError as error:
        sys.exit(str(error))


def manage(command: str, running: Parts) -> None:
    process = running[command] = start([sys.executable, "manage.py", *command.split()])
    while process.poll() is None:
        pause(0.05)
    if process.returncode != 0:
        sys.exit(f"`manage.py {command}` failed; what it said is above.")
    del running[command]


def wait_for_answer(port: int, running: Parts) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not answers(port):
        check_running(running)
        if time.monotonic() > deadline:
            sys.exit(f"The web server did not answer within {START_SECONDS} seconds.")
        pause(0.1)


def answers(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=START_SECONDS)
    try:
        connection.request("HEAD", "/api/docs/")
        connection.getresponse()
        return True
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def check_running(running: Parts) -> None:
    for name, process in running.items():
        if process.poll() is not None:
            sys.exit(
                f"The {name} process ended by itself (exit code {process.returncode}); so everything ends."
            )


def stop(running: Parts) -> None:
    """Ask each part to end, then see to it, with whatever it started."""
    for process in running.values():
        process.terminate()
    deadline = time.monotonic() + STOP_SECONDS
    for process in running.values():
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, deadline - time.monotonic()))
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        wait_for_group(process.pid)


def wait_for_group(group: int) -> None:
    """What a part had started may die after it, and holds the database until then."""
    deadline = time.monotonic() + GROUP_SECONDS
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)


if __name__ == "__main__":
    main()

"""`make run`: starts from nothing, ends without a trace, keeps its data, and says in one sentence why not."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError

import pytest

from deploy.run import is_installed
from tests.processes import ROOT, Process, free_port

READY = "Ctrl-C ends everything"


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A data folder whose path is too long for a unix socket, with a space and Arabic letters in it."""
    top = Path(tempfile.mkdtemp(prefix="trix-run-"))
    yield top / "بيانات الدوري" / ("long" * 30)
    shutil.rmtree(top)


def environment(folder: Path, port: int) -> dict[str, str]:
    kept = {
        name: text
        for name, text in os.environ.items()
        if name in ("PATH", "HOME", "LANG", "CELERY_BROKER_URL")
    }
    return {
        **kept,
        "TRIX_DATA_DIR": str(folder),
        "PORT": str(port),
        "CELERY_QUEUE": f"trix_run_{os.getpid()}",
    }


def trial(folder: Path, port: int) -> Process:
    return Process(["-m", "deploy.run"], environment(folder, port), READY, inherit=False)


def refusal(folder: Path, port: int | str, *options: str) -> str:
    """What `make run` says where it does not start; it must say it in one line, with a failing exit code."""
    done = subprocess.run(
        [sys.executable, *options, "-m", "deploy.run"],
        env={**environment(folder, 0), "PORT": str(port)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def processes_of(folder: Path) -> list[str]:
    """The command of every process that has to do with `folder`, or was started for it."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            about = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
        except OSError:
            continue  # It has just ended.
        if os.fsencode(folder) in about:
            found.append((entry / "cmdline").read_text().replace("\0", " "))
    return found


def manage(folder: Path, code: str) -> str:
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", code]
    return subprocess.run(
        command, env=environment(folder, 0), cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def test_it_starts_ends_and_starts_again_with_its_data(folder):
    port = free_port()
    run = trial(folder, port)
    run.start()
    assert f"http://localhost:{port}/" in run.output
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/admin/login/") as page:
        assert page.status == 200
    for path, host in (("/nothing/", "localhost"), ("/", "elsewhere.example")):
        refused = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Host": host})
        with pytest.raises(HTTPError) as answer:
            urllib.request.urlopen(refused)
        answer.value.close()
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        assert connection.recv(1) == b""  # HTTP/2 is not for this server.
    assert "WARNING" not in run.output and "ERROR" not in run.output
    make = "from games.models import Player; Player.objects.create_user('زائرة')"
    manage(folder, make)

    assert run.stop(signal.SIGINT) == 0
    assert processes_of(folder) == []

    run.start()
    try:
        count = "from games.models import Player; print(Player.objects.filter(username='زائرة').count())"
        assert manage(folder, count) == "1"
        assert refusal(folder, free_port()) == (
            f"Trix already runs from {folder}, at http://localhost:{port}/. Stop that one first.\n"
        )
        assert f"Port {port} cannot be used" in refusal(folder / "other", port)
    finally:
        assert run.stop(signal.SIGTERM) == 0
    assert processes_of(folder) == []


def has_begun_its_cluster(run: Process, folder: Path) -> bool:
    return (folder / "postgres.new").exists()


def has_made_the_demo(run: Process, folder: Path) -> bool:
    return "token" in run.output


@pytest.mark.parametrize("so_far", [has_begun_its_cluster, has_made_the_demo])
def test_ctrl_c_while_it_starts_leaves_nothing_either(so_far):
    with tempfile.TemporaryDirectory(prefix="trix-run-") as name:
        folder = Path(name)
        run = trial(folder, free_port())
        run.launch()
        while not so_far(run, folder):
            assert run.process.poll() is None, run.output
            time.sleep(0.01)

        assert run.stop(signal.SIGINT) == 0, run.output
        assert READY not in run.output
        assert "Traceback" not in run.output
        assert processes_of(folder) == []


def test_a_part_that_dies_ends_the_rest(folder):
    run = trial(folder, free_port())
    run.start()
    children = Path(f"/proc/{run.process.pid}/task/{run.process.pid}/children").read_text().split()
    worker = next(pid for pid in children if b"second@" in Path(f"/proc/{pid}/cmdline").read_bytes())

    os.kill(int(worker), signal.SIGKILL)

    assert run.wait() == 1
    assert "The second worker process ended by itself" in run.output
    assert processes_of(folder) == []


def eventually(true: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_killed_database_comes_back_and_a_killed_run_leaves_nothing(folder):
    run = trial(folder, free_port())
    run.start()
    pid_file = folder / "postgres" / "postmaster.pid"
    killed = pid_file.read_text().split()[0]

    os.kill(int(killed), signal.SIGKILL)
    eventually(lambda: pid_file.exists() and pid_file.read_text().split()[:1] != [killed])
    assert manage(folder, "from games.models import Player; print(Player.objects.exists())") == "True"

    os.kill(run.process.pid, signal.SIGKILL)
    eventually(lambda: processes_of(folder) == [])
    run.wait()


def test_a_taken_port(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert refusal(tmp_path, port) == (
            f"Port {port} cannot be used (Address already in use). Choose another: make run PORT=8001\n"
        )


@pytest.mark.parametrize("port", ["http", "0", "70000", "-1", "٨٠٠٠"])
def test_a_port_that_is_none(tmp_path, port):
    assert refusal(tmp_path, port) == f"PORT must be a number from 1 to 65535, not {port!r}.\n"


def test_an_environment_that_is_half_made(tmp_path):
    """-S hides the installed packages, as in an environment whose making was cut off."""
    assert "The environment in .venv is incomplete" in refusal(tmp_path, free_port(), "-S")


def test_a_package_that_is_half_there(tmp_path, monkeypatch):
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "__init__.py").touch()
    (tmp_path / "half-1.0.dist-info").mkdir()
    (tmp_path / "half-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: half\nVersion: 1.0\n"
    )
    (tmp_path / "half-1.0.dist-info" / "RECORD").write_text(
        "half/__init__.py,,\nhalf-1.0.dist-info/RECORD,,\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert is_installed("half")

    (tmp_path / "half").rename(tmp_path / "moved")

    assert not is_installed("half")
    assert not is_installed("quite-missing")

"""The processes that other tests build on: a real worker and a real server, on this run's database."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from urllib.error import HTTPError

import pytest

from tests.processes import ROOT, Process
from tests.site.waiting import wait_for_file
from trix_site.celery import app


def send_and_wait(worker: Process) -> None:
    """Send a task that does nothing, and wait until the worker has done it."""
    sent = app.send_task("celery.backend_cleanup")
    worker.wait_for(f"celery.backend_cleanup[{sent.id}] succeeded")


def test_a_worker_does_what_was_sent(celery_worker_process):
    send_and_wait(celery_worker_process)


def test_a_killed_worker_finds_what_was_sent_meanwhile(celery_worker_process):
    celery_worker_process.kill()
    sent = app.send_task("celery.backend_cleanup")

    celery_worker_process.start()

    celery_worker_process.wait_for(f"celery.backend_cleanup[{sent.id}] succeeded")


def test_a_worker_has_the_bots_ready_before_they_are_called(celery_worker_process):
    """It loads their compiler in the background: the first time it has to wait until they are compiled."""
    maps, limit = Path(f"/proc/{celery_worker_process.process.pid}/maps"), monotonic() + 180
    while "llvmlite" not in maps.read_text():
        assert monotonic() < limit
        sleep(0.05)


def waiting_worker(environment: dict[str, str], name: str) -> Process:
    """A worker that knows the task `wait_for_file`."""
    options = ["--loglevel=INFO", f"--hostname={name}@%h", "--without-gossip"]
    command = ["-m", "celery", "-A", "tests.site.waiting", "worker", *options]
    return Process(
        [*command, "--without-mingle", "--without-heartbeat"],
        environment,
        " ready.",
        inherit="DATABASE_URL" in environment,
    )


@pytest.fixture
def other_worker(celery_worker_process, database_environment) -> Iterator[Process]:
    worker = waiting_worker({**database_environment, "TASK_SECONDS": "1"}, "other")
    worker.start()
    yield worker
    worker.kill()


def test_a_worker_has_no_process_whose_end_could_stop_the_others(celery_worker_process, other_worker):
    """The children of a pool share a lock; one that is killed while it holds it stops all of them."""
    pid = celery_worker_process.process.pid
    assert Path(f"/proc/{pid}/task/{pid}/children").read_text() == ""
    celery_worker_process.kill()

    for _ in range(3):
        send_and_wait(other_worker)


def test_a_worker_ends_on_sigterm_once_its_task_is_done(database_environment, transactional_db, tmp_path):
    worker = waiting_worker(database_environment, "one")
    worker.start()
    sent = wait_for_file.delay(str(tmp_path / "done"))
    worker.wait_for(f"{sent.id}] received")

    worker.process.send_signal(signal.SIGTERM)
    worker.wait_for("Warm shutdown")
    (tmp_path / "done").touch()

    assert worker.wait() == 0
    assert f"{sent.id}] succeeded" in worker.output


def test_a_task_that_takes_too_long_ends_its_worker(celery_worker_process, other_worker, tmp_path):
    celery_worker_process.kill()
    wait_for_file.delay(str(tmp_path / "late"))

    assert other_worker.wait() == -signal.SIGALRM
    (tmp_path / "late").touch()
    app.control.purge()


@pytest.fixture
def own_database() -> Iterator[dict[str, str]]:
    """The environment of processes with a database server of their own, which also is their broker."""
    with tempfile.TemporaryDirectory(prefix="trix-restart-") as folder:
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        yield {**kept, "TRIX_DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "trix_site.settings.local"}


def manage(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def send_wait_for_file(environment: dict[str, str], path: Path) -> str:
    """Send it from a process of its own, which starts the database where that is down; the task's id."""
    code = f"""
from django.db import connection
from tests.site.waiting import wait_for_file
connection.ensure_connection()
print(wait_for_file.delay({str(path)!r}).id)
"""
    return manage(environment, "shell", "--no-imports", "-c", code)


def test_a_worker_goes_on_after_a_crash_of_the_database(own_database, tmp_path):
    folder = Path(own_database["TRIX_DATA_DIR"])
    worker = waiting_worker(own_database, "one")
    manage(own_database, "migrate", "--verbosity=0")
    worker.start()
    try:
        first = send_wait_for_file(own_database, tmp_path / "first")
        worker.wait_for(f"{first}] received")
        os.kill(int((folder / "postgres" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
        second = send_wait_for_file(own_database, tmp_path / "first")

        (tmp_path / "first").touch()

        worker.wait_for("Couldn't ack")
        worker.wait_for(f"{second}] succeeded")
    finally:
        worker.stop()


def test_the_server_answers_from_this_runs_database(live_api, django_user_model):
    with urllib.request.urlopen(f"{live_api}/api/schema/?format=json") as answer:
        assert json.load(answer)["info"]["title"] == "Trix"


def test_a_large_body_gets_its_answer_over_a_real_connection(live_api):
    request = urllib.request.Request(f"{live_api}/api/v1/matches/", data=b"x" * 2_000_000)

    with pytest.raises(HTTPError) as refused:
        urllib.request.urlopen(request)

    with refused.value as answer:
        assert answer.code == 413
        assert json.load(answer)["code"] == "body_too_large"

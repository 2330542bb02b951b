"""The processes that other tests build on: a real worker and a real server, on this run's database."""

import json
import urllib.request
from urllib.error import HTTPError

import pytest

from tests.processes import Process
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

"""The Celery application: tasks are found in each app's tasks.py, options in the Django settings."""

import os
import signal
from threading import Thread
from typing import Any

from celery import Celery
from celery.signals import beat_init, celeryd_init, task_postrun, task_prerun, worker_init

from trix_site.broker import register

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trix_site.settings.local")
register()

app = Celery("trix_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@app.on_after_configure.connect
def point_broker_at_database(**_: Any) -> None:
    """With pgmq the broker is Django's own database, wherever that is; another broker has its URL.

    Polling is the client's, and short. The server's own long poll is one long transaction, and the first
    message of every other process, which makes sure that the queue exists, would wait for its end.
    """
    from django.conf import settings

    from trix_site.common.conninfo import conninfo

    if not settings.CELERY_BROKER_URL.startswith("pgmq:"):
        return
    app.conf.broker_transport_options = {
        **settings.CELERY_BROKER_TRANSPORT_OPTIONS,
        "conn_string": conninfo(),
        "init_extension": False,
        "pool_size": 2,
        "wait_time_seconds": 0,
        "polling_interval": 0.01,
    }


@celeryd_init.connect
@beat_init.connect
def start_embedded_database(**_: Any) -> None:
    """The broker may be in the embedded database, and Celery connects to it before Django does."""
    from django.db import connection

    connection.ensure_connection()
    connection.close()


@celeryd_init.connect
def bound_tasks(**_: Any) -> None:
    """Let a task that takes too long end its worker, which its service manager starts again.

    Celery's own limits need a pool of processes, and workers here have none (docs/running.md says why).
    Nothing handles SIGALRM, so that it ends the process whatever the task does; its transaction is undone.
    """
    task_prerun.connect(start_clock)
    task_postrun.connect(stop_clock)


def start_clock(**_: Any) -> None:
    from django.conf import settings

    signal.alarm(settings.TASK_SECONDS)


def stop_clock(**_: Any) -> None:
    signal.alarm(0)


@worker_init.connect
def warm_bots(**_: Any) -> None:
    """Have strong ready before a match waits for it. Tasks go on meanwhile: the first time it takes 20 s."""
    from games.bots.warming import warm_apart

    Thread(target=warm_apart, daemon=True).start()

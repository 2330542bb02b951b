"""What every test may use: a database of this run's own, and a real worker and a real server on it."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import quote, urlencode

import pytest
from django.conf import settings
from django.db import connection
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from tests.processes import Process, free_port, wait_for_port
from trix_site.celery import app, point_broker_at_database
from trix_site.common import throttling

LONG_WINDOW = 1_000_000_000  # seconds

PROFILES = {"dev": 50, "ci": 100, "long": 2000}
for name, examples in PROFILES.items():
    hypothesis_settings.register_profile(
        name, max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """`-m broker` chooses the tests with a worker: they pass on every broker that Celery can have here."""
    for item in items:
        if "celery_worker_process" in item.fixturenames:
            item.add_marker("broker")


@pytest.fixture(autouse=True)
def _nobody_has_called(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """One test's requests are not another's, and no test begins in one window and ends in the next.

    Counts that are committed outlast the test: Django empties the tables of models alone.
    """
    throttling.forget()
    monkeypatch.setattr(throttling, "use", in_one_window(throttling.use))
    for name in ("transactional_db", "db"):
        if name in request.fixturenames:
            request.getfixturevalue(name)
            with connection.cursor() as cursor:
                cursor.execute("DELETE FROM site_throttle")
            break


Use = Callable[[bytes, int, int, int], float]


def in_one_window(use: Use) -> Use:
    return lambda key, limit, window, lease: use(key, limit, LONG_WINDOW, lease)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, django_db_blocker) -> None:
    """Drop the databases of runs that were killed; their names tell their process."""
    with django_db_blocker.unblock():
        _drop_leftovers()


def _drop_leftovers() -> None:
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE 'test\\_trix\\_%'")
        for (database,) in cursor.fetchall():
            if not _alive(int(database.split("_")[2])):
                cursor.execute(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup) -> Iterator[None]:
    """Tasks sent from this process go to the broker of the test database."""
    point_broker_at_database()
    yield
    app.pool.force_close_all()  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def database_environment(django_db_setup) -> dict[str, str]:
    """The environment of a process that shall use this run's database and broker."""
    chosen = connection.settings_dict
    address = urlencode({name: chosen[name.upper()] for name in ("host", "port") if chosen[name.upper()]})
    account = f"{quote(chosen['USER'])}:{quote(chosen['PASSWORD'])}"
    return {
        "DJANGO_SETTINGS_MODULE": "trix_site.settings.test",
        "DATABASE_URL": f"postgresql://{account}@/{chosen['NAME']}?{address}",
        "CELERY_BROKER_URL": settings.CELERY_BROKER_URL,
        "CELERY_QUEUE": settings.CELERY_TASK_DEFAULT_QUEUE,
    }


@pytest.fixture
def celery_worker_process(transactional_db, database_environment, tmp_path) -> Iterator[Process]:
    """A real worker, as in production, ready for tasks. `.kill()` is SIGKILL, `.start()` starts it again."""
    app.control.purge()
    options = [
        "--loglevel=INFO",
        "--without-gossip",
        "--without-mingle",
        "--without-heartbeat",
    ]
    worker = Process(["-m", "celery", "-A", "trix_site", "worker", *options], database_environment, " ready.")
    worker.start()
    yield worker
    worker.kill()


@contextmanager
def served(environment: dict[str, str], *options: str) -> Iterator[str]:
    """The address of a granian of its own."""
    port = free_port()
    web = Process(["-m", "granian", "--port", str(port), "--no-ws", *options], environment, "Started")
    web.start()
    wait_for_port(port)
    yield f"http://127.0.0.1:{port}"
    web.stop()


@pytest.fixture(scope="session")
def _web_process(database_environment) -> Iterator[str]:
    options = ["--interface=wsgi", "--blocking-threads=16", "trix_site.wsgi:application"]
    with served(database_environment, *options) as address:
        yield address


@pytest.fixture(scope="session")
def _site_process(database_environment) -> Iterator[str]:
    options = ["--interface=asgi", "--loop=asyncio", "trix_site.asgi:application"]
    with served(database_environment | {"STREAM_PERIOD": "0.3"}, *options) as address:
        yield address


@pytest.fixture
def live_api(transactional_db, _web_process) -> str:
    """The address of a real server, in a process of its own on this run's database: http://127.0.0.1:PORT"""
    return _web_process


@pytest.fixture
def live_site(transactional_db, _site_process) -> str:
    """The same with streams, as `make run` serves it, but with three signs of life a second."""
    return _site_process

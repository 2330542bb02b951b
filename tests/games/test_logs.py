"""Nothing that is secret is in a log: of a real server and a real worker that log all they can."""

import re
from typing import Any

import httpx
import pytest

from games.models import ApiToken, Delivery, Match, Player
from tests.games.test_tasks import wait_until
from tests.processes import Process, free_port, wait_for_port
from tests.site import scenario

SECRET = {"token", "password", "new_password", "join_code", "key"}
WORKER = ["--loglevel=DEBUG", "--without-gossip", "--without-mingle", "--without-heartbeat"]
WEB = ["--interface=asgi", "--loop=asyncio", "--no-ws", "--log-level=debug", "--access-log"]


class LiveClient:
    """What a caller of the story needs of Django's client, over a real connection."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http

    def generic(self, method: str, path: str, content: bytes, media: str, headers: Any, **_: Any) -> Any:
        sent = {"Content-Type": media, **headers}
        with self.http.stream(method, path, content=content, headers=sent) as answer:
            if "stream" in headers.get("Accept", "") or "ndjson" in headers.get("Accept", ""):
                answer._content = b""  # A stream goes on; that it began is enough.
            else:
                answer.read()
        return answer


@pytest.fixture
def mail(tmp_path):
    """The folder where mail is written to."""
    folder = tmp_path / "mail"
    folder.mkdir()
    return folder


@pytest.fixture
def processes(transactional_db, database_environment, mail):
    """A server and a worker, at level DEBUG."""
    environment = database_environment | {"LOG_LEVEL": "DEBUG", "EMAIL_URL": f"filemail:///{mail}"}
    port = free_port()
    web = Process(
        ["-m", "granian", f"--port={port}", *WEB, "trix_site.asgi:application"], environment, "Started"
    )
    worker = Process(["-m", "celery", "-A", "trix_site", "worker", *WORKER], environment, " ready.")
    web.start()
    worker.start()
    wait_for_port(port)
    yield f"http://127.0.0.1:{port}", web, worker
    web.kill()
    worker.kill()


@pytest.mark.broker
def test_no_secret_is_ever_logged(processes, mail):
    address, web, worker = processes
    Player.objects.create_user("zaid", email="zaid@example.com", password="nine of clubs")
    with httpx.Client(base_url=address, timeout=30) as http:
        http.post("/api/v1/auth/password/reset/", json={"email": "zaid@example.com"})
        story = scenario.Story(worker=True, client=lambda: LiveClient(http))
        scenario.tell(story)
    wait_until(lambda: any(mail.iterdir()) and Delivery.objects.filter(attempts__gt=0).exists())

    web.stop()
    worker.kill()
    logged = web.output + worker.output

    assert "POST /api/v1/auth/tokens/" in logged  # It does log.
    assert "mail_resets" in logged
    secrets = {
        "token": {caller.headers["Authorization"][7:] for caller in story.callers.values()},
        "deal secret": {match.secret.hex() for match in Match.objects.all()},
        "reset link": set(re.findall(r"\w+-[0-9a-f]{32}", next(mail.iterdir()).read_text())),
        "hash of a token": set(ApiToken.objects.values_list("digest", flat=True)),
    }
    for call in story.calls.made:
        for name, value in _fields((call.request, call.body)):
            secrets.setdefault(name, set()).add(value)
    assert secrets.keys() >= SECRET
    for name, values in secrets.items():
        assert values, name
        assert not [value for value in values if value in logged], f"a {name} is in the log"


def _fields(document: object):
    """Every secret field of a document, with its value."""
    if isinstance(document, list | tuple):
        for each in document:
            yield from _fields(each)
    elif isinstance(document, dict):
        for name, value in document.items():
            if name in SECRET and isinstance(value, str) and len(value) > 5:
                yield name, value
            else:
                yield from _fields(value)

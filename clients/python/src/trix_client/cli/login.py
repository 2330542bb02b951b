"""Who is logged in on this machine, and where: a file in the user's folder that only he can read."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

import typer

DEFAULT_SERVER = "http://127.0.0.1:8000"


@dataclass(frozen=True)
class Login:
    server: str
    token: str | None = None
    name: str | None = None


def login_file() -> Path:
    return Path(typer.get_app_dir("trix")) / "login.json"


def address(server: str) -> str:
    """A server's address as it is kept and compared. Raises BadParameter."""
    if not server.startswith(("http://", "https://")):
        raise typer.BadParameter(f"A server's address begins with http:// or https://, unlike {server!r}.")
    return server.rstrip("/")


def current() -> Login:
    """TRIX_SERVER and TRIX_TOKEN, before what was stored. A token goes to no other server than its own."""
    stored = _stored()
    server = address(os.environ.get("TRIX_SERVER") or stored.server)
    if os.environ.get("TRIX_TOKEN"):
        return Login(server, os.environ["TRIX_TOKEN"])
    return stored if server == address(stored.server) else Login(server)


def _stored() -> Login:
    try:
        return Login(**json.loads(login_file().read_text()))
    except FileNotFoundError:
        return Login(DEFAULT_SERVER)
    except (ValueError, TypeError):
        raise typer.BadParameter(f"{login_file()} is damaged: remove it, and log in again.")


def store(login: Login) -> None:
    """Written beside and moved, so that it is never half there, and never readable by others."""
    path = login_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(asdict(login), file)
    new.replace(path)


def forget() -> None:
    login_file().unlink(missing_ok=True)

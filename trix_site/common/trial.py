"""Secrets of a trial: made once, kept in a file that only its owner reads."""

import os
import secrets
from contextlib import suppress
from pathlib import Path


def kept_secret(path: Path) -> str:
    """The secret in `path`; the first caller makes it, at random."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w") as new:
            new.write(secrets.token_urlsafe(32))
    return path.read_text()

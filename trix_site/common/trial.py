"""Secrets of a trial: made once, kept in a file that only its owner reads."""

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path


def kept_secret(path: Path) -> str:
    """The secret in `path`; the first caller makes it, at random, and the others find it whole."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent) as new:  # Readable by its owner alone.
            new.write(secrets.token_urlsafe(32))
            new.flush()
            with suppress(FileExistsError):
                os.link(new.name, path)
    return path.read_text()

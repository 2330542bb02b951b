"""The door that `replay` and `verify` share: files in, a line a match out, 1 for any failure."""

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.notation import RecordError
from games.engine.reading import Replay
from games.engine.replay import Report, read_files, report


class RecordCommand(BaseCommand):
    """A command over records; it needs no database, running or configured."""

    requires_system_checks = []
    check_record: Callable[[Replay], Report]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a .trix file, or - for standard input")
        parser.add_argument("--json", action="store_true", help="print one JSON object a match, a line each")

    def handle(self, *args: Any, files: list[str], json: bool, **options: Any) -> None:
        if sys.stdout is None:
            raise CommandError("Standard output is closed.")
        try:
            failed = [self._check(item, json) for item in read_files(files)]
        except OSError as error:
            # Python would try and complain once more at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):
                sys.exit(1)  # Whoever read our lines has seen enough.
            raise CommandError(f"Standard output cannot be written: {error.strerror}.") from None
        if any(failed):
            sys.exit(1)

    def _check(self, item: Replay | RecordError, json: bool) -> bool:
        """Print what is found of a match, at once; whether it failed."""
        found = report(item, type(self).check_record)
        self._write_json(found) if json else self._write_text(found)
        self.stdout.flush()
        return "error" in found

    def _write_json(self, found: Report) -> None:
        self.stdout.write(json.dumps(found))

    def _write_text(self, found: Report) -> None:
        file = "standard input" if found["file"] == "-" else found["file"]
        if "error" in found:
            error = RecordError(**found["error"], file=file, match=found["match"])
            self.stdout.write(self.style.ERROR(self._printable(str(error))))
        else:
            place = f"{file}: match {found['match']} ({found['rules']}): "
            self.stdout.write(self._printable(place + self.describe(found)))

    def _printable(self, text: str) -> str:
        """File names may hold anything; a terminal takes printable characters of its encoding."""
        visible = "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
        encoding = self.stdout.encoding or "utf-8"
        return visible.encode(encoding, "backslashreplace").decode(encoding)

    def describe(self, found: Report) -> str:
        """A good match in a few words."""
        raise NotImplementedError

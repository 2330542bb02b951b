"""A tournament out of the document that export_tournament has written."""

import sys
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rest_framework.exceptions import ParseError

from games.selectors import player_called
from tournaments.services.imports import import_tournament
from trix_site.common.commands import require_tables
from trix_site.common.errors import ProblemError
from trix_site.common.parsers import StrictJSONParser


class Command(BaseCommand):
    help = "Make the tournament of an exported document, whole or not at all: docs/exchange.md."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the document; - for standard input")
        parser.add_argument("--organiser", required=True, help="the account that will organise it")
        parser.add_argument("--slug", default="", help="its address; else one from its name")
        parser.add_argument(
            "--map", action="append", default=[], metavar="OLD=NEW", help="an account here for a name there"
        )
        parser.add_argument(
            "--create-players", action="store_true", help="make accounts without passwords for who is missing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        require_tables()
        try:
            made = import_tournament(
                _document(options["file"]),
                actor=player_called(options["organiser"]),
                players=_players(options["map"]),
                slug=options["slug"],
                create_players=options["create_players"],
            )
        except ProblemError as refused:
            raise CommandError(refused.detail) from refused
        self.stdout.write(f"{made.name} is at {made.slug}: {made.entries.count()} entries, {made.state}.")


def _document(name: str) -> dict[str, Any]:
    try:
        if name == "-":
            return _parsed(sys.stdin.buffer)
        with Path(name).open("rb") as file:
            return _parsed(file)
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror or error}.") from error


def _parsed(file: BinaryIO) -> dict[str, Any]:
    try:
        return StrictJSONParser().parse(file)
    except ParseError as error:
        raise CommandError(str(error.detail)) from error


def _players(pairs: list[str]) -> dict[str, str]:
    wrong = [pair for pair in pairs if not all(pair.partition("="))]
    if wrong:
        raise CommandError(f"--map takes OLD=NEW, not {wrong[0]!r}.")
    return {old: new for old, _, new in (pair.partition("=") for pair in pairs)}

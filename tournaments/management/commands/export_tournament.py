"""A whole tournament as one JSON document, on standard output."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.services.exports import export
from trix_site.common.commands import require_tables
from trix_site.common.errors import ProblemError


class Command(BaseCommand):
    help = "Write a whole tournament as one JSON document, which import_tournament reads: docs/exchange.md."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the tournament's address")

    def handle(self, *args: Any, **options: Any) -> None:
        require_tables()
        try:
            for piece in export(slug=options["slug"], actor=None):
                self.stdout.write(piece, ending="")
        except ProblemError as refused:
            raise CommandError(refused.detail) from refused

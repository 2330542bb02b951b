"""`manage.py rebuild_ratings`: ratings and ledger from nothing but the matches."""

from typing import Any

from django.core.management.base import BaseCommand

from ratings.recalculations import rebuild, recalculate
from trix_site.common.commands import require_tables


class Command(BaseCommand):
    help = "Compute all ratings again from the matches, in the recorded order, and swap them in at once."

    def handle(self, **_: Any) -> None:
        require_tables()
        recalculate()
        done = rebuild()
        verdict = f"{len(done.moves)} ratings were wrong" if done.moves else "the ratings were right"
        self.stdout.write(f"{done.matches} matches, {done.changes} changes: {verdict}.")

"""`manage.py verify [--json] FILE…`: check that the deals follow from the seed. See docs/notation.md."""

from games.engine.replay import Report, verify_report
from games.management.records import RecordCommand


class Command(RecordCommand):
    help = (
        "Check records (.trix) against the rules, and their deals against the tags Seed and Commitment."
        " Needs no database."
    )
    check_record = staticmethod(verify_report)

    def describe(self, found: Report) -> str:
        return f"verified, {found['deals']} deals follow from the seed committed to"

"""`manage.py replay [--json] FILE…`: check records against the rules. See docs/notation.md."""

from games.engine.replay import Report, replay_report
from games.management.records import RecordCommand


class Command(RecordCommand):
    help = "Check records (.trix) against the rules: every card, turn and score. Needs no database."
    check_record = staticmethod(replay_report)

    def describe(self, found: Report) -> str:
        totals = " ".join(f"{seat} {points}" for seat, points in found["totals"].items())
        words = f"{found['status']}, {len(found['deals'])} deals, {totals}"
        if "next" in found:
            step = found["next"]
            return f"{words}; next: {' '.join([step['phase'], *step['to_act']])}"
        tie = f" (tie: {found['tie']})" if found["tie"] else ""
        return f"{words}; won by {' '.join(found['winners'])}{tie}"

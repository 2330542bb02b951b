"""`manage.py seat`: a whole schedule for tables of four and what it costs. See docs/tournaments.md."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.schedules import MOST_PLAYERS, MOST_ROUNDS, Report, Schedule, schedule
from tournaments.seating import DrawError


class Command(BaseCommand):
    help = "Print a round robin for tables of four and its cost. Needs no database."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, required=True, help=f"2 to {MOST_PLAYERS}")
        parser.add_argument("--rounds", type=int, required=True, help=f"1 to {MOST_ROUNDS}")
        parser.add_argument("--seed", type=int, default=0, help="decides which place each player gets")
        parser.add_argument(
            "--whist", action="store_true", help="partners sit opposite and change each round"
        )
        parser.add_argument("--pairs", action="store_true", help="each player is a pair; two pairs a table")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = schedule(
                options["players"],
                options["rounds"],
                seed=options["seed"],
                partners=options["whist"],
                pairs=options["pairs"],
            )
        except DrawError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(as_json(made) if options["json"] else as_text(made))


def named(made: Schedule) -> list[list[list[str]]]:
    """The rounds with players p1, p2, ... and bots."""
    return [
        [["bot" if player is None else f"p{player + 1}" for player in table] for table in tables]
        for tables in made.rounds
    ]


def as_json(made: Schedule) -> str:
    return json.dumps({"rounds": named(made), "report": made.report.as_dict()})


def as_text(made: Schedule) -> str:
    """A line for each table, by round, and the cost in words."""
    lines = [f"{'round':>5} {'table':>6}  " + "".join(f"{seat:<7}" for seat in "SENW").rstrip()]
    for number, tables in enumerate(named(made), 1):
        for table, players in enumerate(tables, 1):
            names = "".join(f"{name:<7}" for name in players).rstrip()
            lines.append(f"{number if table == 1 else '':>5} {table:>6}  {names}")
    return "\n".join([*lines, "", *cost(made.report)])


def cost(report: Report) -> list[str]:
    """Sentences that say what the schedule costs."""
    told = [
        f"Meetings: {times(report.meetings)}.",
        f"Pairs that meet again: {report.meet_again}; "
        f"{report.repeats} repeats in all, and no schedule has fewer than {report.bound}.",
    ]
    if report.partners and report.opponents:
        told += [f"As partners: {times(report.partners)}.", f"As opponents: {times(report.opponents)}."]
    told += [
        f"Most times in one seat in a block of four rounds (pairs: of two): {report.same_seat}.",
        f"The same neighbour at the right again: {report.neighbour_repeats} times.",
    ]
    if any(report.bot_tables):
        least, most = min(report.bot_tables), max(report.bot_tables)
        told.append(f"Rounds with a bot at the table: {least} to {most} for each player.")
    return told


def times(pairs: tuple[int, ...]) -> str:
    return ", ".join(f"{number} pairs {m} times" for m, number in enumerate(pairs) if number)

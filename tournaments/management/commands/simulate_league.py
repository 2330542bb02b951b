"""`manage.py simulate_league`: a whole league of program accounts, through everyone's services."""

import json
import os
from argparse import ArgumentParser
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games.bots import LEVELS
from games.engine import PRESETS
from tournaments import simulation
from tournaments.models import MOST_ROUNDS, Tournament
from trix_site.common.commands import require_tables

MOST_PLAYERS = 1000
FORMATS = ("swiss", "round_robin", "knockout")


class Command(BaseCommand):
    help = "Play a whole league of program accounts and print its standings and ratings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, default=16, help=f"2 to {MOST_PLAYERS}")
        parser.add_argument("--format", default="swiss", help=", ".join(FORMATS))
        parser.add_argument(
            "--rounds", type=int, default=5, help=f"1 to {MOST_ROUNDS}; a knockout ends by itself"
        )
        parser.add_argument("--rules", default="cardkings-complex", help=", ".join(PRESETS))
        parser.add_argument("--bots", default="greedy", help=", ".join(LEVELS))
        parser.add_argument("--seed", type=int, default=1, help="what draws, cards and bots follow from")
        parser.add_argument("--processes", type=int, default=min(4, os.cpu_count() or 1), help="1 to 16")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        check(options)
        require_tables()
        started = perf_counter()
        stage = {"format": options["format"]}
        if options["format"] != "knockout":
            stage["rounds"] = options["rounds"]
        league = simulation.open_league(
            players=options["players"], rules=options["rules"], seed=options["seed"], **stage
        )
        matches = stage.get("rounds", 0) * ((options["players"] + 3) // 4) or None
        with tqdm(total=matches, unit="match", file=self.stderr, leave=False) as bar:
            simulation.play_league(league, options["bots"], options["seed"], bar.update, options["processes"])
        report = simulation.report(league) | {"seconds": round(perf_counter() - started, 1)}
        self.stdout.write(
            json.dumps(report, ensure_ascii=False) if options["json"] else as_text(league, report)
        )


def check(options: dict[str, Any]) -> None:
    """Raise CommandError with one sentence for the first argument that makes no sense."""
    if not 2 <= options["players"] <= MOST_PLAYERS:
        raise CommandError(f"--players must be 2 to {MOST_PLAYERS}, not {options['players']}.")
    if not 1 <= options["rounds"] <= MOST_ROUNDS:
        raise CommandError(f"--rounds must be 1 to {MOST_ROUNDS}, not {options['rounds']}.")
    if not 1 <= options["processes"] <= 16:
        raise CommandError(f"--processes must be 1 to 16, not {options['processes']}.")
    if options["format"] not in FORMATS:
        raise CommandError(f"--format must be one of {', '.join(FORMATS)}, not {options['format']!r}.")
    if options["rules"] not in PRESETS:
        raise CommandError(f"--rules must be one of {', '.join(PRESETS)}, not {options['rules']!r}.")
    if options["bots"] not in LEVELS:
        raise CommandError(f"--bots must be one of {', '.join(LEVELS)}, not {options['bots']!r}.")
    if not 0 <= options["seed"] < 2**62:
        raise CommandError(f"--seed must be 0 to 2**62 - 1, not {options['seed']}.")


def as_text(league: Tournament, report: dict[str, Any]) -> str:
    """The standings as a table, with a line about the league under it."""
    head = (
        f"{'rank':>4}  {'player':<20}" + "".join(f"{name:>14}" for name in league.metrics) + f"{'rating':>9}"
    )
    lines = [
        f"{line['rank']:>4}  {line['player']:<20}"
        + "".join(f"{line['values'][name]:>14}" for name in league.metrics)
        + f"{line['rating'] or '-':>9}"
        for line in report["standings"]
    ]
    matches, seconds = report["matches"], report["seconds"]
    return "\n".join([head, *lines, f"{matches} matches in {seconds} s; tournament {league.slug}"])

"""`manage.py rating_eval`: how well ratings predict, beside other systems. See docs/ratings.md."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from ratings.calibration import svg
from ratings.comparison import Task, compare, in_words
from ratings.evaluation import Predictions
from ratings.selectors import pool_called, recorded_results
from ratings.simulated import FEWEST_PLAYERS, Scenario, season
from ratings.systems import Result, openskill_there
from trix_site.common.commands import require_tables
from trix_site.common.errors import Missing

PLAYERS, MATCHES, SPREAD = 2000, 50_000, 110
FEWEST_MATCHES, MOST = 200, 200_000  # some 3 KB each
QUARTER = 4  # the training season has a quarter of the players and matches


class Command(BaseCommand):
    help = "Compare rating systems on simulated matches, which needs no database, or on those of a pool."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--pool", metavar="SLUG", help="the rated matches of this pool, not simulated ones"
        )
        parser.add_argument("--matches", type=_matches, help=f"default {MATCHES:,}; of a pool its first ones")
        parser.add_argument("--players", type=_players, help=f"simulated, default {PLAYERS:,}")
        parser.add_argument("--spread", type=_points, help=f"deviation of strengths, default {SPREAD} points")
        parser.add_argument("--drift", type=_points, help="deviation of what strengths change by, default 0")
        parser.add_argument("--seed", type=_number, help="the same seed simulates the same season; default 1")
        parser.add_argument("--json", action="store_true")
        parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="writes the plot of calibration")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["plot"]:
            _write(options["plot"], "")  # It would be a pity to find out at the end.
        asked = {name: options[name] for name in ("players", "spread", "drift", "seed")}
        if options["pool"] is None:
            said, task = _simulated(options["matches"] or MATCHES, asked)
        else:
            said, task = _recorded(options["pool"], options["matches"], asked)
        if not openskill_there():
            self.stderr.write("openskill is not installed; the comparison leaves it out.")
        try:
            report = said | compare(task, _bar)
        except KeyboardInterrupt:
            raise CommandError("Stopped before the end; there are no figures.", returncode=130) from None
        if options["plot"]:
            _write(options["plot"], svg(report))
        self.stdout.write(json.dumps(report) if options["json"] else f"{_title(said)}\n{in_words(report)}")


def _simulated(matches: int, asked: dict[str, Any]) -> tuple[dict[str, Any], Task]:
    """What is simulated, and the season and one to tune on."""
    defaults = {"players": PLAYERS, "spread": SPREAD, "drift": 0, "seed": 1}
    said = {name: default if asked[name] is None else asked[name] for name, default in defaults.items()}
    scenario = Scenario(said["players"], matches, said["spread"], said["drift"])
    smaller = Scenario(
        max(FEWEST_PLAYERS, scenario.players // QUARTER), matches // QUARTER, scenario.spread, scenario.drift
    )
    live = season(scenario, said["seed"], 0)
    truth = Predictions(live.pair_chances.ravel(), live.win_chances.ravel())
    training = season(smaller, said["seed"], 1).results
    return {"matches": matches, **said}, Task(live.results, training, truth=truth)


def _recorded(slug: str, matches: int | None, asked: dict[str, Any]) -> tuple[dict[str, Any], Task]:
    """The pool's matches: the first half is learnt and tuned on, the second is scored."""
    if given := [f"--{name}" for name, value in asked.items() if value is not None]:
        raise CommandError(f"{' and '.join(given)} are for simulated matches, not for those of a pool.")
    require_tables()
    try:
        pool = pool_called(slug)
    except Missing as error:
        raise CommandError(str(error)) from None
    results = list(islice(recorded_results(pool), matches))
    if len(results) < FEWEST_MATCHES:
        raise CommandError(
            f"The pool {slug} has {len(results)} rated matches; a comparison takes {FEWEST_MATCHES} or more."
        )
    half = len(results) // 2
    return {"pool": slug, "matches": len(results)}, Task(results, results[:half], since=half)


def _title(said: dict[str, Any]) -> str:
    return ", ".join(
        f"{name} {value:,}" if name != "pool" else f"pool {value}" for name, value in said.items()
    )


def _bar(results: Sequence[Result], name: str) -> Iterable[Result]:
    return tqdm(results, desc=f"{name:28}", unit="match", leave=False)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from None


def _number(text: str) -> int:
    if not text.isascii() or not text.isdecimal():
        raise ArgumentTypeError(f"{text[:40]!r} should be a whole number.")
    if len(text) > len(str(MOST)) or int(text) > MOST:
        raise ArgumentTypeError(f"there may be at most {MOST:,}.")
    return int(text)


def _points(text: str) -> int:
    return _at_most(_number(text), 2000)


def _matches(text: str) -> int:
    return _at_least(_number(text), FEWEST_MATCHES)


def _players(text: str) -> int:
    return _at_least(_number(text), FEWEST_PLAYERS)


def _at_least(number: int, least: int) -> int:
    if number < least:
        raise ArgumentTypeError(f"there should be at least {least}.")
    return number


def _at_most(number: int, most: int) -> int:
    if number > most:
        raise ArgumentTypeError(f"there may be at most {most:,}.")
    return number

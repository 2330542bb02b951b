"""`manage.py duel HERO VILLAIN`: how much better one level of bots is than another. See docs/bots.md."""

import json
import os
import re
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games.bots import LEVELS, Chooser, strong_or_greedy
from games.bots.duel import Duel, deal_figures, play_matches, report
from games.engine import PRESETS, Contract

MOST = 1_000_000  # deals, matches, playouts
MOST_PROCESSES = 256  # of some 100 MB each


class Command(BaseCommand):
    help = "Play two levels of bots against each other on the same cards. Needs no database."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("hero", choices=LEVELS, help="the level that is measured")
        parser.add_argument("villain", choices=LEVELS, help="the level at the other seats")
        parser.add_argument("--deals", type=_count, default=200, help="deals of each contract (default 200)")
        parser.add_argument("--seed", type=_seed, default=1, help="the same seed deals the same cards")
        parser.add_argument(
            "--contract", choices=[contract.text for contract in Contract], help="default: all of the rules"
        )
        parser.add_argument("--rules", choices=PRESETS, default="cardkings", help="default: cardkings")
        parser.add_argument("--matches", type=_count, default=0, help="full matches, for win rate and place")
        parser.add_argument("--playouts", type=_at_least_one, help="the hero's budget; strong has one")
        parser.add_argument(
            "--processes", type=_processes, default=os.cpu_count() or 1, help="default: one a core"
        )
        parser.add_argument("--json", action="store_true", help="figures for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["deals"] and not options["matches"]:
            raise CommandError("There should be at least one deal or one match.")
        if options["contract"] and not options["deals"]:
            raise CommandError("--contract is for deals; in a match the owners choose.")
        rules = PRESETS[options["rules"]]
        contracts = _contracts(options["contract"], options["rules"])
        hero, villain = _hero(options["hero"], options["playouts"]), LEVELS[options["villain"]]
        found = _measured(Duel(hero, villain, rules, options["seed"]), contracts, options)
        named = {key: options[key] for key in ("hero", "villain", "rules", "seed", "playouts")}
        self.stdout.write(json.dumps(named | found) if options["json"] else _words(named | found))


def _hero(level: str, playouts: int | None) -> Chooser:
    """The hero's level, with its budget. Raises CommandError where it has none."""
    if playouts is None:
        return LEVELS[level]
    if level != "strong":
        raise CommandError(
            f"--playouts is the hero's budget, and the hero is {level}, which has none; strong has one."
        )
    chooser = strong_or_greedy(playouts)
    if chooser is LEVELS["greedy"]:
        raise CommandError("--playouts needs numba, without which strong plays like greedy.")
    return chooser


def _measured(duel: Duel, contracts: Sequence[Contract], options: dict[str, Any]) -> dict[str, Any]:
    """Play everything, with a bar each for deals and matches."""
    deals, matches, processes = (options[name] for name in ("deals", "matches", "processes"))
    figures = deal_figures(duel, contracts, deals, processes)
    played = play_matches(duel, matches, processes)
    try:
        return report(
            duel,
            list(tqdm(figures, total=deals, unit="deal", disable=not deals)),
            list(tqdm(played, total=matches, unit="match", disable=not matches)),
        )
    except KeyboardInterrupt:
        raise CommandError("Stopped before the end; there are no figures.", returncode=130) from None
    except ChildProcessError as error:
        raise CommandError(str(error)) from None


def _count(text: str, least: int = 0) -> int:
    if not text.isascii() or not text.isdecimal() or (not text.strip("0") and least):
        raise ArgumentTypeError(f"{text[:40]!r} should be a whole number, {least} or more.")
    if len(text) > len(str(MOST)) or int(text) > MOST:
        raise ArgumentTypeError(f"there may be at most {MOST:,}.")
    return int(text)


def _seed(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", text):
        raise ArgumentTypeError(f"{text[:40]!r} should be a whole number of at most 18 digits.")
    return int(text)


def _at_least_one(text: str) -> int:
    return _count(text, least=1)


def _processes(text: str) -> int:
    number = _at_least_one(text)
    if number > MOST_PROCESSES:
        raise ArgumentTypeError(f"there may be at most {MOST_PROCESSES}.")
    return number


def _contracts(name: str | None, rules: str) -> tuple[Contract, ...]:
    there = PRESETS[rules].contracts
    if name is None:
        return there
    contract = Contract[name.upper()]
    if contract not in there:
        raise CommandError(f"{rules} has no contract {name}; it has {', '.join(c.text for c in there)}.")
    return (contract,)


def _words(found: dict[str, Any]) -> str:
    lines = [f"{found['hero']} against {found['villain']}, {found['rules']}"]
    if found["deals"]:
        lines[0] += f", {_counted(found['deals'], 'deal')}: {_estimate(found)}"
        lines += [f"  {name:9}{_estimate(part)}" for name, part in found["by_contract"].items()]
    if found["matches"]:
        won = f"{found['pair_win_rate']:.1%} of pairs{_between(found['pair_win_ci95'], '.1%')}"
        lines.append(f"  {_counted(found['matches'], 'match')}: wins {won}, mean place {found['mean_place']}")
    lines.append(f"  {found['ms_per_decision']} ms a decision, {found['illegal']} illegal")
    return "\n".join(lines)


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}{'es' if thing.endswith('h') else 's'}"


def _estimate(part: dict[str, Any]) -> str:
    return f"{part['advantage']:+.1f}{_between(part['ci95'], '+.1f')}"


def _between(interval: list[float] | None, form: str) -> str:
    return f" [{interval[0]:{form}}, {interval[1]:{form}}]" if interval else ""

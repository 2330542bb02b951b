"""Standings of a big league from its facts, without a database: seconds by how much of it is computed."""

import random
from collections.abc import Sequence
from statistics import median
from time import perf_counter

from tournaments.standings import DEFAULT_METRICS, METRICS, PlayedTable, standings

ENTRIES, ROUNDS, REPEATS = 10_000, 10, 3


def league(entries: int = ENTRIES, rounds: int = ROUNDS, seed: int = 1) -> list[PlayedTable]:
    """Rounds of tables of four by chance, all with the same cards and with every deal known."""
    rng = random.Random(seed)
    ids = list(range(entries))
    tables = []
    for number in range(1, rounds + 1):
        rng.shuffle(ids)
        tables += [_table(tuple(ids[at : at + 4]), number, rng) for at in range(0, entries, 4)]
    return tables


def _table(seats: tuple[int, ...], number: int, rng: random.Random) -> PlayedTable:
    scores = [rng.randrange(-600, 600, 5) for _ in range(3)]
    deals = tuple(rng.randrange(0, 300, 5) for _ in range(4))
    return PlayedTable(seats, (*scores, -sum(scores)), round=number, best_deals=deals, same_cards=True)


def measure() -> dict[str, float]:
    """Seconds for the metrics that a tournament has by default, and for all."""
    tables = league()
    return {"default": _seconds(tables, DEFAULT_METRICS), "all": _seconds(tables, list(METRICS))}


def _seconds(tables: Sequence[PlayedTable], metrics: Sequence[str]) -> float:
    taken = []
    for _ in range(REPEATS):
        started = perf_counter()
        standings(range(ENTRIES), tables, metrics)
        taken.append(perf_counter() - started)
    return median(taken)

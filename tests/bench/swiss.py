"""Swiss draws: how long they take as the field grows, and how good they are beside a plain greedy draw.

The greedy draw goes down the standings: the first who is free takes the next three whom nobody at the table
has met, or the nearest where there is none. Seats go by chance. Both draw the same tournaments: the same
players of the same strengths, whose places at a table follow strength and luck.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from statistics import mean
from time import perf_counter

from tournaments.seating import DrawInput, Entrant, PastTable, draw

LIMITS = {64: 1, 1_000: 10, 10_000: 90}
"""Seconds that a draw may take, by players."""
GROWTH = (64, 250, 1_000, 4_000, 10_000)
ROUNDS = (1, 5, 10)
SIZES = (16, 32, 64)
TOURNAMENTS = 50
GAINED = (48, 24, 12, 0)
FIGURES = {"spread": "points apart", "repeats": "pairs met again", "imbalance": "seats uneven"}
"""Best less last at a table, mean of rounds after the first; a tournament's meetings that are not the first
of their pair; most used less least used seat, mean of players."""

Tables = list[tuple[int, ...]]
Drawer = Callable[["Tournament"], Tables]


class Tournament:
    """Who has how many points (in twelfths), met whom, and sat where."""

    def __init__(self, players: int, seed: int) -> None:
        self.rng = random.Random(seed)
        self.strength = {m: self.rng.gauss(0, 1) for m in range(1, players + 1)}
        self.points = dict.fromkeys(self.strength, 0)
        self.history: list[PastTable] = []
        self.met: Counter[frozenset[int]] = Counter()
        self.seats = {m: [0, 0, 0, 0] for m in self.strength}
        self.round = 1

    def inputs(self) -> DrawInput:
        entrants = tuple(Entrant(m, points) for m, points in self.points.items())
        return DrawInput(self.round, entrants, tuple(self.history))

    def standings(self) -> list[int]:
        return sorted(self.points, key=lambda m: (-self.points[m], self.rng.random()))

    def play(self, tables: Tables) -> None:
        for table in tables:
            self.history.append(PastTable(self.round, table))
            self.met.update(frozenset(pair) for pair in combinations(table, 2))
            for seat, m in enumerate(table):
                self.seats[m][seat] += 1
            best_first = sorted(table, key=lambda m: -self.strength[m] - self.rng.gauss(0, 1))
            for m, gained in zip(best_first, GAINED, strict=False):
                self.points[m] += gained
        self.round += 1


def ours(tournament: Tournament) -> Tables:
    return [tuple(m for m in table if m is not None) for table in draw(tournament.inputs()).tables]


def greedy(tournament: Tournament) -> Tables:
    free = tournament.standings()
    tables = []
    while free:
        table = [free.pop(0)]
        while len(table) < 4:
            new = (m for m in free if not any(tournament.met[frozenset((m, other))] for other in table))
            table.append(next(new, free[0]))
            free.remove(table[-1])
        tables.append(tuple(tournament.rng.sample(table, 4)))
    return tables


def blocks(tournament: Tournament) -> Tables:
    """Fours down the standings, to make a history quickly."""
    order = tournament.standings()
    return [tuple(order[at : at + 4]) for at in range(0, len(order), 4)]


def times() -> Iterator[tuple[int, list[float]]]:
    """Players, and the seconds of a draw at each of ROUNDS."""
    for players in GROWTH:
        tournament = Tournament(players, seed=players)
        seconds = []
        for round_ in ROUNDS:
            while tournament.round < round_:
                tournament.play(blocks(tournament))
            inputs = tournament.inputs()
            started = perf_counter()
            draw(inputs)
            seconds.append(perf_counter() - started)
        yield players, seconds


def played(players: int, rounds: int, seed: int, drawer: Drawer) -> dict[str, float]:
    """FIGURES of one tournament."""
    tournament = Tournament(players, seed)
    spreads = []
    for _ in range(rounds):
        tables = drawer(tournament)
        points = [[tournament.points[m] / 12 for m in table] for table in tables]
        if tournament.round > 1:
            spreads += [max(table) - min(table) for table in points]
        tournament.play(tables)
    return {
        "spread": mean(spreads),
        "repeats": sum(times - 1 for times in tournament.met.values()),
        "imbalance": mean(max(seats) - min(seats) for seats in tournament.seats.values()),
    }


def quality() -> dict[int, dict[str, dict[str, float]]]:
    """By size, by draw (`ours`, `greedy`): the means of all tournaments of this size."""
    drawers = {"ours": ours, "greedy": greedy}
    return {
        players: {name: _means(players, at, drawer) for name, drawer in drawers.items()}
        for at, players in enumerate(SIZES)
    }


def _means(players: int, first: int, drawer: Drawer) -> dict[str, float]:
    """Of every third tournament, of five, six and seven rounds in turn."""
    seeds = range(first, TOURNAMENTS, len(SIZES))
    found = [played(players, 5 + at % 3, seed, drawer) for at, seed in enumerate(seeds)]
    return {figure: mean(each[figure] for each in found) for figure in FIGURES}

"""Simulated tables for the guards: matches by Plackett and Luce, rated as they are played."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log

from ratings.guards import Suspected, Table, suspected
from ratings.maths import GRID, SCHEDULE, SINGLES, START, Entrant, changes

LUCK = 400 / log(10)
"""The scale of a Gumbel variable that makes 400 points ten to one."""


class World:
    """Players by number with a skill, a rating, and matches behind them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.skills: dict[int, float] = {}
        self.ratings: dict[int, float] = defaultdict(lambda: START)
        self.matches: Counter[int] = Counter()
        self.tables: list[Table] = []

    def join(self, player: int, skill: float, matches: int = 0) -> None:
        """Come in as a newcomer, or with a rating that is nearly right."""
        self.skills[player] = skill
        if matches:
            self.ratings[player] = round((skill + self.random.gauss(0, 30)) * GRID) / GRID
            self.matches[player] = matches

    def order(self, players: Sequence[int]) -> list[int]:
        """As an honest match ends, the best first."""
        luck = self.random.expovariate
        return sorted(players, key=lambda each: LUCK * log(luck(1)) - self.skills[each])

    def play(self, players: Sequence[int], order: Sequence[int] = ()) -> None:
        """A match of two to four, the other seats bots', that ends honestly or in the order given."""
        places = {player: place for place, player in enumerate(order or self.order(players), 1)}
        entrants = [
            Entrant(self.ratings[player], self.matches[player], side, places[player])
            for side, player in enumerate(players)
        ]
        self.tables.append(Table(players, entrants))
        for player, change in zip(players, changes(entrants, SINGLES), strict=True):
            self.ratings[player] += change
            self.matches[player] += 1

    def some(self, count: int, *but: int) -> list[int]:
        """Members of the club, at random."""
        return self.random.sample(
            [player for player in self.skills if player < CHEAT and player not in but], count
        )

    def found(self) -> list[Suspected]:
        return suspected(lambda: self.tables, SINGLES, SCHEDULE)


CHEAT, MATE, PUPPET = 100, 101, 200
"""The numbers of those who do not play honestly; members of the club have smaller ones."""


def club(seed: int, members: int = 40, matches: int = 600, settled: float = 0.6) -> World:
    """A club that plays honestly; some come more often, some come with their friends, and some are new."""
    world = World(seed)
    for player in range(members):
        old = world.random.random() < settled
        world.join(player, world.random.gauss(START, 200), world.random.randint(30, 300) if old else 0)
    eager = [world.random.uniform(0.2, 2) for _ in range(members)]
    for _ in range(matches):
        first = world.random.choices(range(members), eager)[0]
        near = [(first + step) % members for step in range(1, 6)]
        world.play(
            [first, *(world.random.sample(near, 3) if world.random.random() < 0.4 else world.some(3, first))]
        )
    return world


def with_cheats(seed: int) -> World:
    """A club, and two old members who have their ratings honestly so far."""
    world = club(seed)
    for player in (CHEAT, MATE):
        world.join(player, 1550, 60)
    return world


def play_apart(world: World, matches: int) -> None:
    for _ in range(matches):
        world.play([CHEAT, *world.some(3)])
        world.play([MATE, *world.some(3)])

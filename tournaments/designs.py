"""Known schedules for tables of four, as starter rounds. Pure: no models, standard library only.

A starter round is developed: its players are moved by a permutation, again and again, and each image is
another round. The permutation turns cycles: with cycles (5, 5, 5, 1) it sends 0 to 1, ..., 4 to 0, 5 to 6,
..., 9 to 5, and so on, and leaves 15 where it is.

`DESIGNS` are for singles. In these nobody meets twice; they are resolvable designs of the literature (C. J.
Colbourn, J. H. Dinitz, Handbook of Combinatorial Designs, 2nd edition 2007, II.7; a type m^n is a group
divisible design: n groups of m who never meet):
    16 players, 5 rounds    the affine plane AG(2,4), a 2-(16,4,1)
    24 players, 7 rounds    type 3^8; so are 36 and 11 (3^12), 60 and 19 (3^20)
    28 players, 9 rounds    2-(28,4,1); so are 40 and 13, 52 and 17, 64 and 21
    32 players, 10 rounds   type 2^16: A. Aguado's solution (2004) of the social golfers' problem, as E. Pegg
                            Jr gives it (Wolfram Demonstrations Project), written with its symmetry
In the others pairs meet again as rarely as counting allows, but for 24 players and 8 rounds: 23 pairs, where
counting allows 12. `WHIST` are Z-cyclic whist tournaments (Handbook, VI.64): over players - 1 rounds everyone
partners everyone once and opposes everyone twice.

All starters but those for 32 players were found by simulated annealing over the starters alone, for many
permutations; tests check what each of them promises.
"""

import random
from collections.abc import Iterator
from itertools import combinations
from math import gcd

Round = list[list[int]]

# (players, rounds): the cycles of the permutation, then each starter with the number of rounds made of it.
DESIGNS: dict[tuple[int, int], tuple[tuple[int, ...], tuple[tuple[int, str], ...]]] = {
    (12, 7): (
        (3, 3, 3, 3),
        (
            (3, "3 4 6 7 | 1 8 9 11 | 0 2 5 10"),
            (3, "3 5 9 10 | 0 1 4 6 | 2 7 8 11"),
            (1, "1 4 8 10 | 2 5 6 11 | 0 3 7 9"),
        ),
    ),
    (16, 5): (
        (5, 5, 5, 1),
        ((5, "0 3 8 9 | 5 7 12 13 | 1 2 11 14 | 4 6 10 15"),),
    ),
    (20, 7): (
        (2, 2, 2, 2, 2, 2, 2, 2, 2, 2),
        (
            (2, "1 5 14 17 | 0 2 11 13 | 4 7 9 10 | 3 8 16 19 | 6 12 15 18"),
            (2, "2 6 10 19 | 4 8 14 18 | 3 13 15 17 | 1 9 11 16 | 0 5 7 12"),
            (1, "8 9 12 13 | 4 11 17 19 | 5 10 16 18 | 0 3 6 14 | 1 2 7 15"),
            (1, "2 3 4 5 | 1 7 8 15 | 0 6 9 14 | 10 13 16 18 | 11 12 17 19"),
            (1, "0 1 18 19 | 6 7 16 17 | 10 11 14 15 | 2 5 8 13 | 3 4 9 12"),
        ),
    ),
    (20, 8): (
        (5, 5, 5, 5),
        (
            (5, "7 8 15 18 | 1 11 16 17 | 3 4 6 9 | 0 2 13 19 | 5 10 12 14"),
            (1, "1 5 10 19 | 2 6 11 15 | 3 7 12 16 | 4 8 13 17 | 0 9 14 18"),
            (1, "3 9 10 18 | 4 5 11 19 | 0 6 12 15 | 1 7 13 16 | 2 8 14 17"),
            (1, "0 9 12 19 | 1 5 13 15 | 2 6 14 16 | 3 7 10 17 | 4 8 11 18"),
        ),
    ),
    (20, 10): (
        (10, 10),
        ((10, "6 9 13 19 | 10 11 12 15 | 2 4 7 8 | 3 5 14 17 | 0 1 16 18"),),
    ),
    (24, 7): (
        (21, 3),
        ((7, "13 14 18 21 | 0 4 20 22 | 6 7 11 23 | 8 10 16 19 | 2 5 15 17 | 1 3 9 12"),),
    ),
    (24, 8): (
        (2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2),
        (
            (2, "2 11 15 19 | 3 6 12 22 | 0 17 18 20 | 5 8 16 23 | 1 7 9 10 | 4 13 14 21"),
            (2, "2 5 6 9 | 13 15 16 18 | 8 10 12 17 | 1 4 19 20 | 3 11 21 23 | 0 7 14 22"),
            (1, "0 3 9 15 | 1 2 8 14 | 4 12 18 23 | 5 13 19 22 | 6 10 16 20 | 7 11 17 21"),
            (1, "1 11 18 22 | 0 10 19 23 | 2 9 12 21 | 3 8 13 20 | 5 7 14 16 | 4 6 15 17"),
            (1, "4 5 10 11 | 0 1 12 13 | 6 7 18 19 | 2 3 16 17 | 8 15 21 22 | 9 14 20 23"),
            (1, "8 9 18 19 | 14 15 22 23 | 6 10 13 21 | 7 11 12 20 | 0 2 4 16 | 1 3 5 17"),
        ),
    ),
    (24, 9): (
        (6, 6, 6, 6),
        (
            (3, "8 11 13 16 | 2 5 20 23 | 12 14 18 22 | 15 17 19 21 | 0 4 6 10 | 1 3 7 9"),
            (2, "2 3 16 17 | 4 5 12 13 | 0 1 14 15 | 8 9 20 21 | 10 11 22 23 | 6 7 18 19"),
            (1, "4 9 15 18 | 5 10 16 19 | 0 11 17 20 | 1 6 12 21 | 2 7 13 22 | 3 8 14 23"),
            (1, "5 6 16 21 | 0 7 17 22 | 1 8 12 23 | 2 9 13 18 | 3 10 14 19 | 4 11 15 20"),
            (1, "4 7 14 21 | 5 8 15 22 | 0 9 16 23 | 1 10 17 18 | 2 11 12 19 | 3 6 13 20"),
            (1, "5 8 17 18 | 0 9 12 19 | 1 10 13 20 | 2 11 14 21 | 3 6 15 22 | 4 7 16 23"),
        ),
    ),
    (24, 10): (
        (3, 3, 3, 3, 3, 3, 3, 3),
        (
            (3, "0 5 11 21 | 6 13 14 22 | 7 9 10 20 | 1 2 15 18 | 3 4 12 19 | 8 16 17 23"),
            (3, "10 18 21 23 | 2 12 14 17 | 3 6 8 20 | 1 5 7 19 | 9 13 15 16 | 0 4 11 22"),
            (3, "3 11 16 23 | 4 8 14 15 | 12 18 20 22 | 0 1 7 21 | 2 5 6 9 | 10 13 17 19"),
            (1, "2 7 11 13 | 0 8 9 14 | 1 6 10 12 | 3 15 19 23 | 4 16 20 21 | 5 17 18 22"),
        ),
    ),
    (28, 9): (
        (9, 9, 9, 1),
        ((9, "5 6 10 14 | 11 13 18 26 | 0 2 20 24 | 16 17 19 25 | 3 8 9 15 | 1 12 22 27 | 4 7 21 23"),),
    ),
    (32, 10): (
        (2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2),
        (
            (
                2,
                "0 9 21 28 | 1 10 16 27 | 2 11 23 30 | 3 8 18 25 | 4 13 17 24 | 5 14 20 31 | "
                "6 15 19 26 | 7 12 22 29",
            ),
            (
                2,
                "0 14 19 29 | 1 7 24 30 | 2 12 17 31 | 3 5 26 28 | 4 10 23 25 | 6 8 21 27 | "
                "9 13 18 22 | 11 15 16 20",
            ),
            (
                2,
                "0 13 20 27 | 1 4 11 14 | 2 15 22 25 | 3 6 9 12 | 5 8 17 30 | 7 10 19 28 | "
                "16 23 26 29 | 18 21 24 31",
            ),
            (
                1,
                "0 8 16 24 | 1 9 17 25 | 2 10 18 26 | 3 11 19 27 | 4 12 20 28 | 5 13 21 29 | "
                "6 14 22 30 | 7 15 23 31",
            ),
            (
                1,
                "0 12 18 30 | 1 13 19 31 | 2 14 16 28 | 3 15 17 29 | 4 8 22 26 | 5 9 23 27 | "
                "6 10 20 24 | 7 11 21 25",
            ),
            (
                1,
                "0 3 4 7 | 1 2 5 6 | 8 9 14 15 | 10 11 12 13 | 16 19 21 22 | 17 18 20 23 | "
                "24 25 28 29 | 26 27 30 31",
            ),
            (
                1,
                "0 1 22 23 | 2 3 20 21 | 4 5 18 19 | 6 7 16 17 | 8 11 28 31 | 9 10 29 30 | "
                "12 15 24 27 | 13 14 25 26",
            ),
        ),
    ),
    (36, 11): (
        (33, 3),
        (
            (
                11,
                "11 18 28 34 | 6 22 29 33 | 0 7 17 35 | 2 26 27 30 | 4 5 8 13 | 15 16 19 24 | "
                "1 14 20 32 | 10 12 25 31 | 3 9 21 23",
            ),
        ),
    ),
    (40, 13): (
        (39, 1),
        (
            (
                13,
                "10 23 36 39 | 0 25 33 34 | 7 8 13 38 | 12 20 21 26 | 6 17 27 29 | 1 3 19 30 | "
                "4 14 16 32 | 9 24 28 31 | 2 5 22 37 | 11 15 18 35",
            ),
        ),
    ),
    (52, 17): (
        (51, 1),
        (
            (
                17,
                "0 17 34 51 | 14 20 22 46 | 12 31 37 39 | 3 5 29 48 | 4 13 35 50 | 1 16 21 30 | "
                "18 33 38 47 | 2 25 32 43 | 9 19 42 49 | 8 15 26 36 | 11 23 24 27 | 28 40 41 44 | "
                "6 7 10 45",
            ),
        ),
    ),
    (60, 19): (
        (57, 3),
        (
            (
                19,
                "18 24 28 51 | 13 37 43 47 | 5 9 32 56 | 0 35 40 42 | 2 4 19 54 | 16 21 23 38 | "
                "15 33 41 44 | 3 6 34 52 | 14 22 25 53 | 36 49 50 57 | 11 12 55 58 | 17 30 31 59 | "
                "1 10 26 46 | 8 20 29 45 | 7 27 39 48",
            ),
        ),
    ),
    (64, 21): (
        (63, 1),
        (
            (
                21,
                "11 32 53 63 | 12 14 22 23 | 33 35 43 44 | 1 2 54 56 | 0 25 30 48 | 6 21 46 51 | "
                "4 9 27 42 | 3 19 47 60 | 5 18 24 40 | 26 39 45 61 | 10 13 17 49 | 7 31 34 38 | "
                "28 52 55 59 | 15 29 41 58 | 16 36 50 62 | 8 20 37 57",
            ),
        ),
    ),
}

# players: the only starter; one cycle over all players but the last. S partners N, E partners W.
WHIST: dict[int, str] = {
    4: "0 1 2 3",
    8: "5 3 2 1 | 4 6 7 0",
    12: "1 5 0 9 | 8 10 3 2 | 7 4 11 6",
    16: "5 9 3 6 | 14 4 13 11 | 1 8 7 12 | 10 15 0 2",
    20: "1 12 11 19 | 3 9 5 8 | 7 4 13 0 | 18 17 15 10 | 6 16 14 2",
    24: "20 17 0 8 | 16 11 23 3 | 21 10 15 14 | 9 1 22 13 | 7 6 2 4 | 12 19 5 18",
    28: ("25 3 15 16 | 9 6 21 5 | 4 14 8 11 | 18 19 23 10 | 0 13 7 2 | 17 26 27 24 | 1 12 22 20"),
    32: (
        "28 2 8 10 | 22 20 17 5 | 30 21 6 0 | 12 13 29 25 | 15 19 9 1 | 23 31 14 26 | 3 24 4 27 | 7 18 11 16"
    ),
    40: (
        "30 10 33 20 | 34 2 35 0 | 1 39 21 23 | 3 37 12 24 | 17 14 25 8 | 9 27 4 13 | "
        "38 7 6 18 | 28 26 11 22 | 16 19 32 31 | 5 15 29 36"
    ),
    36: (
        "4 20 6 9 | 5 1 2 26 | 3 8 18 14 | 34 16 13 25 | 32 19 31 15 | 12 22 30 10 | "
        "27 0 35 7 | 21 28 29 23 | 11 33 24 17"
    ),
}


def designs(players: int) -> Iterator[list[Round]]:
    """All known singles schedules for this number of players, a multiple of four: rounds of tables."""
    for (size, _), (cycles, starters) in DESIGNS.items():
        if size == players:
            yield [made for turns, starter in starters for made in _develop(cycles, turns, starter)]
    if players in WHIST:
        yield whist(players)
    if players >= 16:
        yield squares(players)


def whist(players: int) -> list[Round]:
    """The whist tournament of `WHIST`: players - 1 rounds of tables in seat order S, E, N, W."""
    return list(_develop((players - 1, 1), players - 1, WHIST[players]))


def squares(players: int) -> list[Round]:
    """Rounds in which nobody meets twice: players / 4 where 2 and 3 do not divide that, else nearly as many.

    Four classes of a player for each table; in each round class c is moved on by a shift of its own, counted
    modulo the number of tables. Two players meet again where two rounds shift their classes equally far
    apart. Where shifts are multiples of 0, 1, 2, 3 and the number of tables is prime, these are the rounds
    of a transversal design TD(4, tables); elsewhere shifts are taken by lot as long as some are left.
    """
    tables = players // 4
    if gcd(tables, 6) == 1:
        shifts = [[c * number % tables for c in range(4)] for number in range(tables)]
    else:
        rng = random.Random(tables)
        shifts = max((_shifts(tables, rng) for _ in range(8)), key=len)
    return [
        [[c * tables + (table + shift[c]) % tables for c in range(4)] for table in range(tables)]
        for shift in shifts
    ]


def _shifts(tables: int, rng: random.Random) -> list[list[int]]:
    """Shifts of the four classes, no two of which are as far apart in two rounds."""
    used: set[tuple[int, int, int]] = set()
    found = []
    while shift := _extend([0], tables, used, rng):
        used |= _apart(shift, tables)
        found.append(shift)
    return found


def _extend(
    shift: list[int], tables: int, used: set[tuple[int, int, int]], rng: random.Random
) -> list[int] | None:
    """The first classes' shifts with the others', or None if none are left."""
    if len(shift) == 4:
        return shift
    for last in rng.sample(range(tables), tables):
        longer = [*shift, last]
        if used.isdisjoint(_apart(longer, tables)):
            found = _extend(longer, tables, used, rng)
            if found:
                return found
    return None


def _apart(shift: list[int], tables: int) -> set[tuple[int, int, int]]:
    return {(c, d, (shift[d] - shift[c]) % tables) for c, d in combinations(range(len(shift)), 2)}


def _develop(cycles: tuple[int, ...], turns: int, starter: str) -> Iterator[Round]:
    move = _permutation(cycles)
    tables = [[int(player) for player in table.split()] for table in starter.split("|")]
    for _ in range(turns):
        yield tables
        tables = [[move[player] for player in table] for table in tables]


def _permutation(cycles: tuple[int, ...]) -> list[int]:
    move: list[int] = []
    for length in cycles:
        first = len(move)
        move += [*range(first + 1, first + length), first]
    return move

"""Pairwise zero-sum Elo for a table of four. Pure: no Django, no database, no clock.

For two people i and j on different sides of a match, R the ratings and n the rated matches before it:

    E_ij = 1 / (1 + 10^((R_j - R_i) / 400))      what i is expected to score against j
    S_ij = 1, 1/2 or 0                           by place; equal places give 1/2
    K_i  = max(12, 64 / (1 + n_i / 15))          K_ij = (K_i + K_j) / 2
    moved from j to i: K_ij (S_ij - E_ij) / 3    singles: three opponents share one K
    moved from j to i: K_ij (S_ij - E_ij) / 4    partners: one pair of teams is four pairs of opponents

In partnerships R and K are the means over the people of a side, so each of two partners gets half of the
team's K (S - E). The divisors never change: a seat without a rating (a bot among people) drops its pairs and
leaves the others as they are.

Exact sums. A rating is a double that is a multiple of 2**-20 of a point, about a millionth. Each amount is
rounded to that grid once, taken from one player and given to the other. Below 2**32 points doubles add such
numbers without rounding, so the sum of the changes is zero, not nearly zero, and neither the order of the
seats nor the order of the additions can alter a bit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

FORMULA = 1
"""Version of everything in this file that can alter a rating; written into each row of the ledger."""

START = 1500.0
GRID = 2.0**20
SINGLES, PARTNERS = 4, 2
"""Sides of a match: four single players, or two teams."""

PAIRS_OF_A_PLAYER = {SINGLES: 3.0, PARTNERS: 4.0}
"""What K is divided by, by sides, for what one pair of players moves."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How K falls with a player's rated matches. As a pool starts: 64, 32 after 15 matches, 12 from 65 on."""

    start: float = 64.0
    floor: float = 12.0
    halves_at: float = 15.0

    def k(self, matches: int) -> float:
        """K of a player with so many rated matches behind him."""
        return max(self.floor, self.start / (1 + matches / self.halves_at))


SCHEDULE = Schedule()


@dataclass(frozen=True, slots=True)
class Entrant:
    """One rated player of a match, as he was before it.

    `side` is 0..3 in singles, 0..1 in partnerships. `place` is 1 for the best side, equal for tied ones.
    `left` is true when the player was gone at the end and a bot sat in the seat.
    """

    rating: float
    matches: int
    side: int
    place: int
    left: bool = False


def expected(rating: float, other: float) -> float:
    """The score, from 0 to 1, that `rating` is expected to make against `other`."""
    return float(1 / (1 + 10 ** ((other - rating) / 400)))


def score(one: Entrant, two: Entrant) -> float | None:
    """S of `one` against `two`: 1, 0.5 or 0; None when both had left, as then bots played it out.

    A player who left is last against one who stayed, whatever the bot in his seat made of it.
    """
    if one.left and two.left:
        return None
    if one.left != two.left:
        return 0.0 if one.left else 1.0
    if one.place == two.place:
        return 0.5
    return 1.0 if one.place < two.place else 0.0


def places(totals: Sequence[int], sides: int) -> list[int]:
    """The match place of each of the four seats: 1 for the side with most points, equal for ties."""
    sums = [sum(totals[side::sides]) for side in range(sides)]
    return [1 + sum(other > sums[seat % sides] for other in sums) for seat in range(4)]


def comparable(entrants: Sequence[Entrant]) -> bool:
    """Whether any two of them were on different sides and did not both leave: else it is no rated match."""
    return any(one.side != two.side and score(one, two) is not None for one, two in combinations(entrants, 2))


def changes(entrants: Sequence[Entrant], sides: int, schedule: Schedule = SCHEDULE) -> list[float]:
    """What each entrant's rating changes by, in their order; the sum is exactly 0.

    `sides` is SINGLES or PARTNERS. Where they are not `comparable`, nobody moves.
    """
    ratings, ks = side_means(entrants, schedule)
    share = PAIRS_OF_A_PLAYER[sides]
    deltas = [0.0] * len(entrants)
    for i, one in enumerate(entrants):
        for j in range(i + 1, len(entrants)):
            two = entrants[j]
            if one.side != two.side and (result := score(one, two)) is not None:
                k = (ks[one.side] + ks[two.side]) / 2
                moved = _moved(ratings[one.side], ratings[two.side], result, k / share)
                deltas[i] += moved
                deltas[j] -= moved
    return deltas


def side_means(entrants: Sequence[Entrant], schedule: Schedule) -> tuple[list[float], list[float]]:
    """Mean rating and mean K of the people of each side 0..3 (0.0 for a side without any)."""
    ratings, ks, people = [0.0] * 4, [0.0] * 4, [0] * 4
    for entrant in entrants:
        ratings[entrant.side] += entrant.rating
        ks[entrant.side] += schedule.k(entrant.matches)
        people[entrant.side] += 1
    for side, count in enumerate(people):
        if count > 1:
            ratings[side] /= count
            ks[side] /= count
    return ratings, ks


def _moved(one: float, two: float, result: float, k: float) -> float:
    """k (S - E) on the grid, positive when `one` gains.

    E is always computed for the higher rating, so that swapping the two players gives the exact negative.
    """
    if one < two:
        return -_moved(two, one, 1 - result, k)
    return round(k * (result - expected(one, two)) * GRID) / GRID

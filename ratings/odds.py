"""What ratings promise at a table of four before it starts: chances of each place. Pure, as `ratings.maths`.

The order of the sides follows Plackett and Luce with strengths 10^(R/400): the first is drawn in proportion
to the strengths, the second so from those that remain, and on (R. L. Plackett, The Analysis of Permutations,
Applied Statistics 24, 1975). It is the law of orders that agrees with Elo: that i ends above j has the chance
E_ij of `maths.expected`, whoever else sits there.

Everywhere `ratings` are those of the four seats, None for a seat without one (a house bot), which takes no
part; `sides` is SINGLES or PARTNERS. A team has its people's mean rating. Answers are a seat each, None where
there was no rating; partners have equal ones. Ties count half to either order, as S = 1/2 does.
"""

from collections.abc import Sequence
from itertools import permutations
from math import fsum
from typing import TypeVar

from ratings.maths import expected

Seats = Sequence[float | None]
T = TypeVar("T")


def win_chances(ratings: Seats, sides: int) -> list[float | None]:
    """Each seat's chance, 0 to 1, that its side takes the first place. They sum to 1 over sides."""
    teams = _teams(ratings, sides)
    chances = [first_chance(rating, list(teams.values())) for rating in teams.values()]
    return _by_seat(ratings, sides, dict(zip(teams, chances, strict=True)))


def place_chances(ratings: Seats, sides: int) -> list[list[float] | None]:
    """Each seat's chances of the places 1, 2, …, as many as there are sides: every order is counted."""
    teams = _teams(ratings, sides)
    terms: dict[int, list[list[float]]] = {side: [[] for _ in teams] for side in teams}
    for order in permutations(teams):
        chance = _order_chance([teams[side] for side in order])
        for place, side in enumerate(order):
            terms[side][place].append(chance)
    return _by_seat(ratings, sides, {side: [fsum(part) for part in parts] for side, parts in terms.items()})


def expected_places(ratings: Seats, sides: int) -> list[float | None]:
    """Each seat's mean place, from 1 on: 1 and what every other side is expected to score against it."""
    teams = _teams(ratings, sides)
    means = {
        side: 1 + fsum(expected(other, rating) for at, other in teams.items() if at != side)
        for side, rating in teams.items()
    }
    return _by_seat(ratings, sides, means)


def first_chance(rating: float, among: Sequence[float]) -> float:
    """The chance that the side with `rating` is the first of `among`, which it is one of."""
    # The exact sum, rounded once, has no order: equal ratings get equal chances, bit for bit.
    return 1 / fsum(10 ** ((other - rating) / 400) for other in among)


def _order_chance(ratings: Sequence[float]) -> float:
    """The chance that the sides end in just this order."""
    chance = 1.0
    for place, rating in enumerate(ratings):
        chance *= first_chance(rating, ratings[place:])
    return chance


def _teams(ratings: Seats, sides: int) -> dict[int, float]:
    """The mean rating of each side that has one."""
    people: dict[int, list[float]] = {}
    for seat, rating in enumerate(ratings):
        if rating is not None:
            people.setdefault(seat % sides, []).append(rating)
    return {side: fsum(values) / len(values) for side, values in people.items()}


def _by_seat(ratings: Seats, sides: int, found: dict[int, T]) -> list[T | None]:
    return [None if rating is None else found[seat % sides] for seat, rating in enumerate(ratings)]

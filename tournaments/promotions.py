"""Who plays in which division of a league's next season. Pure: no database.

Between two neighbouring divisions as many go up as come down, at most `promoted`: the first of the lower
one, the last of the upper one. Who has left frees a place; it goes to the next best of the division below,
whose place is freed in turn. A division with more than its places sends its last ones down. Newcomers are
below everyone. In the new divisions come first those from above, then who stayed, then those from below;
each in the order of the final ranking, which decides between equals.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

STAYS = "stays"
UP = "promoted"
DOWN = "relegated"
FILLS = "fills a free place"
FULL = "no place left"
NEW = "new"


@dataclass(frozen=True)
class Ranked:
    """Who took part in a division, in the order of its final ranking. `who` is anything that names him."""

    who: Any
    rank: int
    stays: bool = True  # False: has left, and frees a place


@dataclass(frozen=True)
class Move:
    """Where someone plays next, where he did (None: nowhere), and why. `equal`: who has the same rank and
    another fate, so that only the order of the ranking decided.
    """

    who: Any
    division: int
    before: int | None = None
    rank: int | None = None
    why: str = STAYS
    equal: tuple[Any, ...] = ()


def deal(names: Sequence[Any], divisions: int, size: int) -> list[list[Move]]:
    """The divisions of a first season: `names` from the strongest on. Surplus ones are in the last."""
    ends = [*(number * size for number in range(1, divisions)), len(names)]
    starts = [0, *ends[:-1]]
    return [
        [Move(name, number, why=NEW) for name in names[start : max(start, end)]]
        for number, (start, end) in enumerate(zip(starts, ends, strict=True), 1)
    ]


def next_season(
    rankings: Sequence[Sequence[Ranked]],
    *,
    divisions: int,
    size: int,
    promoted: int,
    newcomers: Sequence[Any] = (),
    still: frozenset[int] = frozenset(),
) -> list[list[Move]]:
    """The new divisions, the strongest first, each in order. The last may hold more than its places.

    `rankings`: of the last season's divisions. `still`: numbers of those from and to which nobody moves by
    rank, since they were not played to the end.
    """
    staying = [[ranked for ranked in ranking if ranked.stays] for ranking in rankings]
    count = max(divisions, len(staying))
    staying += [[] for _ in range(count - len(staying))]
    found = _by_rank(staying, promoted, still)
    for number in range(count - 1):
        _fill(found, number, size)
        _empty(found, number, size)
    found[divisions - 1 :] = [[move for division in found[divisions - 1 :] for move in division]]
    found[-1] += [Move(name, divisions, why=NEW) for name in newcomers]
    return _with_equals(
        [[replace(move, division=at) for move in division] for at, division in enumerate(found, 1)]
    )


def _by_rank(staying: Sequence[list[Ranked]], promoted: int, still: frozenset[int]) -> list[list[Move]]:
    """Everyone after promotion and relegation alone."""
    above: list[Move] = []
    found: list[list[Move]] = []
    left = [[Move(each.who, at, at, each.rank) for each in rows] for at, rows in enumerate(staying, 1)]
    for number, rows in enumerate(left, 1):
        below = left[number] if number < len(left) else []
        swapped = 0 if still & {number, number + 1} else min(promoted, len(rows), len(below))
        down = rows[len(rows) - swapped :]
        up, below[:swapped] = below[:swapped], []
        found.append([*above, *rows[: len(rows) - swapped], *(replace(move, why=UP) for move in up)])
        above = [replace(move, why=DOWN) for move in down]
    return found


def _fill(found: list[list[Move]], number: int, size: int) -> None:
    """Give the free places of a division to the best below it; who came down from it last of all."""
    while len(found[number]) < size:
        below = next((rows for rows in found[number + 1 :] if rows), None)
        if below is None:
            return
        best = min(below, key=lambda move: move.why == DOWN)
        below.remove(best)
        found[number].append(replace(best, why=STAYS if best.before == number + 1 else FILLS))


def _empty(found: list[list[Move]], number: int, size: int) -> None:
    """Send the last ones of a division that has more than its places to the one below."""
    surplus = len(found[number]) - size
    if surplus <= 0:
        return
    last = sorted(found[number], key=lambda move: move.why != UP)  # Who came up has earned his place.
    down = last[-surplus:]
    found[number] = [move for move in found[number] if move not in down]
    found[number + 1][:0] = [replace(move, why=FULL) for move in down]


def _with_equals(divisions: Sequence[Sequence[Move]]) -> list[list[Move]]:
    """The moves, each with those who had its rank in its division and play in another one now."""
    of_rank: dict[tuple[int | None, int | None], list[Move]] = defaultdict(list)
    for move in chain.from_iterable(divisions):
        of_rank[move.before, move.rank].append(move)

    def equals(move: Move) -> tuple[Any, ...]:
        others = of_rank[move.before, move.rank] if move.rank is not None else []
        return tuple(other.who for other in others if other.division != move.division)

    return [[replace(move, equal=equals(move)) for move in division] for division in divisions]

"""The search of a draw: swaps between tables near by in strength, all pairs of tables at once.

Pure, numpy, whole numbers only: the same on every machine. A sweep pairs up the tables, looks at every swap
of two of their entrants, and makes the best one if it costs less than a threshold that falls to nought: so
worse swaps pass at first, and only better ones later. The number of sweeps depends on the number of tables
alone.

Entrants are numbered 0 to n - 1 here, and n is an empty place (or a bot), which costs nothing and stays
where it is. The costs are those of `tournaments.seating`; an order of seats is the best there is. The last
axis of an array is the one over tables, or pairs of tables: the long one, so that numpy is quick.
"""

import random
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

REACH = 8  # tables further apart than this in the order of strength do not swap
FEW, MOST, A_TABLE = 200, 1000, 50  # sweeps: at least, at most, more for each table
TABULATED = 1001  # so many entrants and fewer have all pairs' costs in a table
NEVER = np.iinfo(np.int64).max // 2

# Of the four places of a table: those that are left beside one, and how the two others of three pair off.
OTHERS = np.array([[b for b in range(4) if b != a] for a in range(4)])
REST = np.array([[[c for c in range(4) if c not in (a, b)] for b in OTHERS[a]] for a in range(4)])


@dataclass(frozen=True)
class Costs:
    """What swaps are judged by. n + 1 stands for the entrants and the empty place."""

    spread: int  # of a squared point (of 12 * 12 twelfths), and of a squared quarter of the field
    meeting: int
    consecutive: int
    partner: int  # 0 where partners do not matter
    seat: int
    floats: int
    points: Array  # (n + 1), twelfths
    strength: Array  # (n + 1), all 0 unless points are level
    floated: Array  # (n + 1), down less up
    odd: Array  # (n + 1), times with a bot or a bye; entrants change such places only among equals
    sat: Array  # (rounds, n + 1): number of the table in each earlier round, different ones for the absent
    sat_last: Array  # the rows of `sat` that are of the round just before: one or none
    sides: Array  # (rounds, n + 1): the same for the side of the table
    excess: Array  # (orders of seats, place, n + 1): how far the seat is above the least used one
    known: Array | None = None  # (n + 1, n + 1): `pairs` of all, where they are few

    def pairs(self, group: Array) -> Array:
        """(m, tables) entrants → (m, m, tables): what it costs that two sit at one table."""
        if self.known is not None:
            return self.known[group[:, None], group]
        points = self.points[group]
        apart = points[:, None] - points
        cost = self.spread * apart * apart // 144
        if len(self.sat):
            cost += _squares(self.meeting, len(self.sat))[_together(self.sat, group)]
        if len(self.sat_last):
            cost += self.consecutive * _together(self.sat_last, group)
        if self.floats and self.floated.any():
            down, up = np.maximum(self.floated, 0)[group], np.maximum(-self.floated, 0)[group]
            cost += self.floats * (apart > 0) * (down[:, None] + up)
            cost += self.floats * (apart < 0) * (up[:, None] + down)
        return self._between_two(cost, group)

    def partners(self, group: Array) -> Array:
        """(m, tables) entrants → (m, m, tables): what it costs that two are partners."""
        cost = _squares(self.partner, len(self.sides))[_together(self.sides, group)]
        return self._between_two(cost, group)

    def _between_two(self, cost: Array, group: Array) -> Array:
        """Nothing between an entrant and himself, or an empty place."""
        real = self.real(group)
        if not real.all():
            cost *= real[:, None] & real
        each = np.arange(len(group))
        cost[each, each] = 0
        return cost

    def real(self, group: Array) -> Array:
        """Which are entrants, not empty places."""
        return group != len(self.points) - 1

    def uneven(self, strength: Array, tables: int) -> Array:
        """Of tables whose strengths add up to this."""
        return self.spread * strength * strength // (4 * tables * tables)

    def total(self, tables: Array) -> int:
        """Of a whole seating, (seats, tables)."""
        cost = self.pairs(tables).sum(axis=(0, 1)) // 2
        cost += self.uneven(self.strength[tables].sum(axis=0), tables.shape[1])
        cost += self.seat * _in_order(self.excess.take(tables, axis=2)).min(axis=0)
        if self.partner:
            cost += _best_partners(self.partners(tables))
        return sum(cost.tolist())


def excess_by_order(excess: Array) -> Array:
    """(n + 1, seats): uses of each seat above the least used one → `Costs.excess`."""
    orders = np.array(list(permutations(range(excess.shape[1]))))
    return np.ascontiguousarray(excess.astype(np.int32).T[orders])


def _squares(cost: int, most: int) -> Array:
    return cost * np.arange(most + 1) ** 2


def _together(tables: Array, group: Array) -> Array:
    """(m, m, tables): in how many rounds two had the same table."""
    times = np.zeros((len(group), *group.shape), np.int32)
    for row in tables:
        at = row[group]
        times += at[:, None] == at
    return times


def _in_order(excess: Array) -> Array:
    """From (orders, place, entrants, tables), as many as places: (orders, tables), excess of whole tables."""
    return np.einsum("kiib->kb", excess)


def _best_partners(partners: Array) -> Array:
    """The best of the three ways to pair off four, from (4, 4, tables)."""
    return (partners[0, OTHERS[0]] + partners[REST[0, :, 0], REST[0, :, 1]]).min(axis=0)


def improve(tables: Array, costs: Costs, rng: random.Random) -> tuple[Array, int]:
    """Swap entrants of tables (seats, tables), in order of strength: better ones, and the sweeps it took."""
    before = costs.total(tables)
    number = tables.shape[1]
    if number < 2 or not before:
        return tables, 0
    if len(costs.points) <= TABULATED:
        costs = replace(costs, known=costs.pairs(np.arange(len(costs.points))[:, None])[:, :, 0])
    sweeps = min(MOST, FEW + A_TABLE * number)
    bits = np.random.PCG64(rng.getrandbits(64))  # its stream is the same in every version of numpy
    warm = costs.meeting // 3
    after = tables.copy()
    for sweep in range(sweeps):
        threshold = max(0, warm - 2 * warm * sweep // sweeps)
        _sweep(after, costs, threshold, bits, rng)
    return (after, sweeps) if costs.total(after) <= before else (tables, sweeps)


def _sweep(tables: Array, costs: Costs, threshold: int, bits: np.random.PCG64, rng: random.Random) -> None:
    size, number = tables.shape
    upper, lower = _paired(number, rng)
    group = np.concatenate([tables[:, upper], tables[:, lower]])
    change = _changes(group, costs, number).reshape(size * size, -1)
    if threshold:
        noise = bits.random_raw(change.size).reshape(change.shape) % np.uint64(threshold)
        change += noise.astype(np.int64)
    best = change.argmin(axis=0)
    made = np.flatnonzero(change[best, np.arange(len(best))] < threshold)
    i, j = best[made] // size, best[made] % size
    tables[i, upper[made]] = group[size + j, made]
    tables[j, lower[made]] = group[i, made]


def _paired(number: int, rng: random.Random) -> tuple[Array, Array]:
    """Disjoint pairs of tables, all of the same distance."""
    distance = rng.randint(1, min(REACH, number - 1))
    first = rng.randrange(min(2 * distance, number - distance))
    upper = np.arange(number - distance)
    upper = upper[(upper - first) // distance % 2 == 0]
    return upper, upper + distance


def _changes(group: Array, costs: Costs, tables: int) -> Array:
    """(2 * seats, B) entrants of B pairs of tables → (seats, seats, B): what each swap between two costs."""
    size = len(group) // 2
    change = _pair_changes(costs.pairs(group), size)
    if costs.strength.any():
        change += _strength_changes(costs.strength[group], costs, tables)
    if costs.partner:
        change += _partner_changes(costs.partners(group))
    if costs.seat:
        change += costs.seat * _seat_changes(costs.excess.take(group, axis=2))
    change[~_allowed(group, costs, size)] = NEVER
    return change


def _allowed(group: Array, costs: Costs, size: int) -> Array:
    """Empty places stay; only equals move between a table with one and a table without.

    Where points are level, a table has one of each quarter of the field in the order of its rows.
    """
    real, odd = costs.real(group), costs.odd[group]
    alike = real[:size].all(axis=0) == real[size:].all(axis=0)
    allowed = real[:size, None] & real[size:] & (alike | (odd[:size, None] == odd[size:]))
    return allowed & np.eye(size, dtype=bool)[:, :, None] if costs.strength.any() else allowed


def _pair_changes(pairs: Array, size: int) -> Array:
    upper, lower = pairs[:, :size].sum(axis=1), pairs[:, size:].sum(axis=1)
    up, down = (lower - upper)[:size], (upper - lower)[size:]
    return up[:, None] + down - 2 * pairs[:size, size:]


def _strength_changes(strength: Array, costs: Costs, tables: int) -> Array:
    size = len(strength) // 2
    upper, lower = strength[:size].sum(axis=0), strength[size:].sum(axis=0)
    moved = strength[size:] - strength[:size, None]
    new = costs.uneven(upper + moved, tables) + costs.uneven(lower - moved, tables)
    return new - costs.uneven(upper, tables) - costs.uneven(lower, tables)


def _seat_changes(excess: Array) -> Array:
    """From (orders, place, 2 * seats, B): the best order after each swap less the best one before."""
    size = excess.shape[1]
    upper, lower = excess[:, :, :size], excess[:, :, size:]
    up, up_before = _seated_anew(upper, lower)
    low, low_before = _seated_anew(lower, upper)
    return up + low.transpose(1, 0, 2) - (up_before + low_before)


def _seated_anew(here: Array, there: Array) -> tuple[Array, Array]:
    """The least excess of a table with each other entrant in each place, and of the table as it is."""
    whole = _in_order(here)
    without = whole[:, None] - np.einsum("kiib->kib", here)
    return (without[:, :, None] + there).min(axis=0), whole.min(axis=0)


def _partner_changes(partners: Array) -> Array:
    """The best of three ways to pair off each table after each swap, less the best one before."""
    upper, lower = partners[:4, :4], partners[4:, 4:]
    up, low = _paired_anew(upper, partners[:4, 4:]), _paired_anew(lower, partners[4:, :4])
    return up + low.transpose(1, 0, 2) - (_best_partners(upper) + _best_partners(lower))


def _paired_anew(inside: Array, across: Array) -> Array:
    """(who goes, who comes, B): whoever comes gets one of the other three as his partner."""
    rest = inside[REST[:, :, 0], REST[:, :, 1]]  # (who goes, partner of who comes, B): the two left
    return (across[OTHERS] + rest[:, :, None]).min(axis=1)

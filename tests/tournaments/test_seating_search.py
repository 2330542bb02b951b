"""What the search believes that a swap costs is what the seatings before and after it cost."""

import random
from itertools import combinations, permutations

import numpy as np
import pytest

from tournaments.seating_search import NEVER, Costs, _changes, _paired, excess_by_order


def some_costs(rng: random.Random, entrants: int, size: int, partner: int, level: bool) -> Costs:
    def numbers(most: int, *shape: int) -> np.ndarray:
        return np.array([rng.randint(0, most) for _ in range(int(np.prod(shape)))]).reshape(shape)

    def row(values: np.ndarray, used: bool = True) -> np.ndarray:
        return np.append(values * used, 0)

    sat = np.hstack([numbers(3, 4, entrants), np.full((4, 1), -1)])
    return Costs(
        spread=144, meeting=5000, consecutive=2500, partner=partner, seat=20, floats=10,
        points=row(numbers(100, entrants), not level),
        strength=row(numbers(9, entrants), level),
        floated=row(numbers(6, entrants) - 3),
        odd=row(numbers(1, entrants)),
        sat=sat,
        sat_last=sat[3:],
        sides=2 * sat + np.hstack([numbers(1, 4, entrants), np.zeros((4, 1), int)]),
        excess=excess_by_order(np.vstack([numbers(4, entrants, size), np.zeros((1, size), int)])),
    )  # fmt: skip


def cost_of(table: list[int], costs: Costs, tables: int, excess: np.ndarray) -> int:
    """One table, by the definitions."""
    empty = len(costs.points) - 1
    members = [m for m in table if m != empty]
    cost = costs.spread * sum(int(costs.strength[m]) for m in members) ** 2 // (4 * tables * tables)
    for a, b in combinations(members, 2):
        upper, lower = (a, b) if costs.points[a] > costs.points[b] else (b, a)
        apart = int(costs.points[upper] - costs.points[lower])
        cost += costs.spread * apart**2 // 144
        cost += costs.meeting * int((costs.sat[:, a] == costs.sat[:, b]).sum()) ** 2
        cost += costs.consecutive * int((costs.sat_last[:, a] == costs.sat_last[:, b]).sum())
        if apart:
            floated = max(0, int(costs.floated[upper])) + max(0, -int(costs.floated[lower]))
            cost += costs.floats * floated
    orders = list(permutations(table))
    cost += costs.seat * min(sum(int(excess[m, seat]) for seat, m in enumerate(order)) for order in orders)
    return cost + (min(partners(order, costs, empty) for order in orders) if costs.partner else 0)


def partners(order: tuple[int, ...], costs: Costs, empty: int) -> int:
    sides = [side for side in (order[::2], order[1::2]) if empty not in side]
    return sum(costs.partner * int((costs.sides[:, a] == costs.sides[:, b]).sum()) ** 2 for a, b in sides)


@pytest.mark.parametrize("size", [4, 2])
@pytest.mark.parametrize("partner", [0, 200])
@pytest.mark.parametrize("level", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_a_swap_costs_the_difference_of_the_seatings(size, partner, level, seed):
    rng = random.Random(seed)
    costs = some_costs(rng, 4 * size - 1, size, partner if size == 4 else 0, level)
    tables = np.array(rng.sample(range(4 * size), 4 * size)).reshape(size, 4)
    excess = np.array([costs.excess[0, :, m] for m in range(4 * size)])

    def total(seating: np.ndarray) -> int:
        return sum(cost_of(table, costs, 4, excess) for table in seating.T.tolist())

    assert costs.total(tables) == total(tables)
    group = np.concatenate([tables[:, [0, 1]], tables[:, [2, 3]]])
    change = _changes(group, costs, 4)
    allowed = 0
    for i, j, pair in np.ndindex(change.shape):
        x, y = group[i, pair], group[size + j, pair]
        swapped = np.where(tables == x, y, np.where(tables == y, x, tables))
        if change[i, j, pair] != NEVER:
            allowed += 1
            assert change[i, j, pair] == total(swapped) - total(tables)
    assert allowed


def test_only_equals_change_places_between_a_table_with_a_bot_and_one_without():
    costs = some_costs(random.Random(1), 7, 4, 0, False)
    group = np.array([[0], [1], [2], [7], [3], [4], [5], [6]])
    never = _changes(group, costs, 2)[:, :, 0] == NEVER
    for i, j in np.ndindex(4, 4):
        assert never[i, j] == (i == 3 or costs.odd[i] != costs.odd[3 + j])


@pytest.mark.parametrize("number", [2, 3, 9, 40])
def test_a_sweep_has_each_table_in_at_most_one_pair(number):
    rng = random.Random(number)
    for _ in range(200):
        upper, lower = _paired(number, rng)
        both = [*upper.tolist(), *lower.tolist()]
        assert both and len(set(both)) == len(both)
        assert set(both) <= set(range(number))

"""Swiss draw for tables of four. Pure: no models, no clock, standard library only, integers throughout.

`draw(inputs)` seats every entrant once, at tables of four whose empty places are bots. The same inputs
(seed included) always give the same draw, on any machine, so a stored draw can be replayed.

Hard rules
    every entrant sits exactly once; the number of tables is the least that seats everyone;
    at most one bot a table once nine or more play (with fewer that is not always possible);
    nobody sits with a bot while someone who sat with bots less often does not.
Costs, in order; the weights are in `Weights`
    1. score spread within a table: squared difference of table points, for each pair
    2. meetings: earlier meetings of a pair, squared; more if they met in the round before
    3. partners (only for partnership rules): earlier rounds as partners, squared
    4. seats: how far a seat is above the player's least used seat
    5. neighbours: earlier rounds with the same player at one's right

Partnership rules are played by single entries whose partners rotate: S with N, E with W.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

VERSION = 1
POINT = 12  # points are counted in twelfths, so that shared places (halves, thirds, quarters) stay whole
SEAT_ORDERS = tuple(permutations(range(4)))
NO_SEATS = (0, 0, 0, 0)


class DrawError(ValueError):
    """Inputs that no draw can be made from; `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Entrant:
    """One player of the draw. `points`: table points so far, in twelfths; `score` orders equal points."""

    id: int
    points: int = 0
    score: int = 0


@dataclass(frozen=True)
class PastTable:
    """A table of an earlier round: entrant ids in seat order S, E, N, W; None is a bot."""

    round: int
    seats: tuple[int | None, ...]


@dataclass(frozen=True)
class Weights:
    """Cost of one unit of each kind. Spread is per squared point and pair."""

    spread: int = 144
    meeting: int = 5000
    consecutive: int = 2500
    partner: int = 200
    seat: int = 20


@dataclass(frozen=True)
class DrawInput:
    """All that a draw depends on. `round` is the number of the round to draw."""

    round: int
    entrants: tuple[Entrant, ...]
    history: tuple[PastTable, ...] = ()
    seed: int = 0
    partners: bool = False
    weights: Weights = field(default_factory=Weights)

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON types; `from_dict` reads it back."""
        return {"version": VERSION, **asdict(self)}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "DrawInput":
        """The inputs as `as_dict` wrote them."""
        return cls(
            round=data["round"],
            entrants=tuple(Entrant(**entrant) for entrant in data["entrants"]),
            history=tuple(PastTable(past["round"], tuple(past["seats"])) for past in data["history"]),
            seed=data["seed"],
            partners=data["partners"],
            weights=Weights(**data["weights"]),
        )


@dataclass(frozen=True)
class Report:
    """What a draw cost. Spreads are in points; `repeats` and `consecutive` list pairs of entrant ids."""

    cost: int
    mean_spread: float
    max_spread: float
    repeats: tuple[tuple[int, int], ...]
    consecutive: tuple[tuple[int, int], ...]
    partner_repeats: tuple[tuple[int, int], ...]
    seat_imbalance: int  # the worst player's most used seat less his least used one, this round included
    neighbour_repeats: int
    bot_tables: int
    at_bot_tables: tuple[int, ...]
    steps: int

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON types."""
        return asdict(self)


@dataclass(frozen=True)
class Draw:
    """Tables, strongest first: four entrant ids in seat order S, E, N, W, None for a bot."""

    tables: tuple[tuple[int | None, ...], ...]
    report: Report


def draw(inputs: DrawInput) -> Draw:
    """Seat the entrants. Raises DrawError (`no_entries`, `duplicate_entry`, `bad_round`)."""
    _check(inputs)
    rng = random.Random(f"{inputs.seed}:{inputs.round}")
    facts = _Facts(inputs)
    tables = _first_tables(inputs, facts, rng)
    steps = _steps(len(inputs.entrants))
    tables = _improve(tables, facts, steps, rng)
    tables.sort(key=lambda members: -sum(facts.points[m] for m in members) / len(members))
    seated = tuple(_arrange(members, facts, rng) for members in tables)
    return Draw(seated, _report(seated, tables, facts, steps))


def _check(inputs: DrawInput) -> None:
    if not inputs.entrants:
        raise DrawError("no_entries", "There is nobody to seat: a draw needs at least one active entry.")
    if len({entrant.id for entrant in inputs.entrants}) != len(inputs.entrants):
        raise DrawError("duplicate_entry", "The same entry is listed twice; each may be seated once.")
    if any(past.round >= inputs.round for past in inputs.history):
        raise DrawError("bad_round", f"Round {inputs.round} cannot be drawn after a later or equal round.")


class _Facts:
    """The history, by entrant id: what each cost is computed from."""

    def __init__(self, inputs: DrawInput) -> None:
        self.weights = inputs.weights
        self.partners = inputs.partners
        ids = [entrant.id for entrant in inputs.entrants]
        self.points = {entrant.id: entrant.points for entrant in inputs.entrants}
        self.met: dict[int, Counter[int]] = {i: Counter() for i in ids}
        self.partnered: dict[int, Counter[int]] = {i: Counter() for i in ids}
        self.right: dict[int, Counter[int]] = {i: Counter() for i in ids}
        self.seats = {i: [0, 0, 0, 0] for i in ids}
        self.bot_tables = dict.fromkeys(ids, 0)
        self.last_met: set[tuple[int, int]] = set()
        for past in inputs.history:
            self._add(past, past.round == inputs.round - 1)
        self.pair_cost = {i: self._pair_costs(i) for i in ids}
        self.seat_cost = {i: tuple(2 * (n - min(seats)) for n in seats) for i, seats in self.seats.items()}

    def _add(self, past: PastTable, just_before: bool) -> None:
        present = [(seat, i) for seat, i in enumerate(past.seats) if i in self.points]
        for seat, i in present:
            self.seats[i][seat] += 1
            self.bot_tables[i] += None in past.seats
        for (a_seat, a), (b_seat, b) in permutations(present, 2):
            self.met[a][b] += 1
            if just_before:
                self.last_met.add((a, b))
            if (a_seat + 2) % 4 == b_seat:
                self.partnered[a][b] += 1
            if (a_seat + 1) % 4 == b_seat:
                self.right[a][b] += 1

    def _pair_costs(self, i: int) -> dict[int, int]:
        w = self.weights
        return {
            j: w.meeting * times * times + w.consecutive * ((i, j) in self.last_met)
            for j, times in self.met[i].items()
        }

    def cost(self, members: Sequence[int]) -> int:
        """Of the players at one table, however they will be seated."""
        return self.pairs(members) + self.weights.seat * self.seating(members)

    def pairs(self, members: Sequence[int]) -> int:
        spread = met = 0
        for a, b in combinations(members, 2):
            difference = self.points[a] - self.points[b]
            spread += difference * difference
            met += self.pair_cost[a].get(b, 0)
        cost = self.weights.spread * spread // (POINT * POINT) + met
        return cost + self.pairing(members) if self.partners else cost

    def pairing(self, members: Sequence[int]) -> int:
        """The least that partner repeats cost over the three ways to pair four players off."""
        if len(members) < 4:
            return 0
        a, b, c, d = members
        return min(
            self._partner(a, b) + self._partner(c, d),
            self._partner(a, c) + self._partner(b, d),
            self._partner(a, d) + self._partner(b, c),
        )

    def _partner(self, a: int | None, b: int | None) -> int:
        times = 0 if a is None or b is None else self.partnered[a][b]
        return self.weights.partner * times * times

    def seating(self, members: Sequence[int]) -> int:
        """The least excess of used seats over all orders, were there no other wish."""
        rows = [self.seat_cost[m] for m in members]
        a, b, c, d = (*rows, NO_SEATS, NO_SEATS, NO_SEATS)[:4]
        return min([a[p] + b[q] + c[r] + d[s] for p, q, r, s in SEAT_ORDERS])

    def order_cost(self, seats: Sequence[int | None]) -> tuple[int, int, int]:
        """Of one order of seats: partner repeats, seat excess, neighbours."""
        partner = self._partner(seats[0], seats[2]) + self._partner(seats[1], seats[3])
        excess = sum(self.seat_cost[m][seat] for seat, m in enumerate(seats) if m is not None)
        return partner if self.partners else 0, excess, self.neighbours(seats)

    def neighbours(self, seats: Sequence[int | None]) -> int:
        around = zip(seats, (*seats[1:], seats[0]), strict=True)
        return sum(self.right[a][b] for a, b in around if a is not None and b is not None)


def _steps(entrants: int) -> int:
    """Iterations of the search: the draw's time budget, a function of its size alone."""
    return 3000 + 300 * entrants


def bots_at(entrants: int) -> list[int]:
    """How many bots sit at each table that has any: spread evenly, one a table where that is possible."""
    bots = -entrants % 4
    tables = (entrants + bots) // 4
    each = [bots // tables + (table < bots % tables) for table in range(tables)]
    return [number for number in each if number]


def _first_tables(inputs: DrawInput, facts: _Facts, rng: random.Random) -> list[list[int]]:
    """Blocks of four down the standings; bot tables from those who had them least, the lowest first."""
    shuffled = rng.sample(inputs.entrants, len(inputs.entrants))
    ranked = [e.id for e in sorted(shuffled, key=lambda e: (-e.points, -e.score))]
    bots = bots_at(len(ranked))
    places = sum(4 - number for number in bots)
    lowest_first = ranked[::-1]
    chosen = set(sorted(lowest_first, key=lambda i: facts.bot_tables[i])[:places])
    tables = list(_blocks([i for i in ranked if i in chosen], [4 - number for number in reversed(bots)]))
    rest = [i for i in ranked if i not in chosen]
    tables += _blocks(rest, [4] * (len(rest) // 4))
    position = {i: place for place, i in enumerate(ranked)}
    return sorted(tables, key=lambda members: position[members[0]])


def _blocks(ids: list[int], sizes: Iterable[int]) -> Iterable[list[int]]:
    at = 0
    for size in sizes:
        yield ids[at : at + size]
        at += size


def _improve(tables: list[list[int]], facts: _Facts, steps: int, rng: random.Random) -> list[list[int]]:
    """Swap players of near-by tables: worse swaps pass while the threshold falls, then only better ones."""
    if len(tables) < 2 or not any(facts.cost(members) for members in tables):
        return tables
    start = [list(members) for members in tables]
    costs = [facts.cost(members) for members in tables]
    before = sum(costs)
    warm = facts.weights.meeting // 3
    for step in range(steps):
        threshold = max(0, warm - 2 * warm * step // steps)
        _try_swap(tables, costs, facts, threshold, rng)
    return tables if sum(costs) <= before else start


def _try_swap(
    tables: list[list[int]], costs: list[int], facts: _Facts, threshold: int, rng: random.Random
) -> None:
    t, u = _two_tables(len(tables), rng)
    i, j = rng.randrange(len(tables[t])), rng.randrange(len(tables[u]))
    x, y = tables[t][i], tables[u][j]
    # Only equals may change places between a table with a bot and one without: that keeps the bots' rule.
    if len(tables[t]) != len(tables[u]) and facts.bot_tables[x] != facts.bot_tables[y]:
        return
    tables[t][i], tables[u][j] = y, x
    t_cost, u_cost = facts.cost(tables[t]), facts.cost(tables[u])
    if t_cost + u_cost - costs[t] - costs[u] < threshold:
        costs[t], costs[u] = t_cost, u_cost
    else:
        tables[t][i], tables[u][j] = x, y


def _two_tables(number: int, rng: random.Random) -> tuple[int, int]:
    """Two different tables, at most eight apart in the order of strength."""
    t = rng.randrange(number)
    low, high = max(0, t - 8), min(number - 1, t + 8)
    u = rng.randrange(low, high)
    return t, u + (u >= t)


def _arrange(members: list[int], facts: _Facts, rng: random.Random) -> tuple[int | None, ...]:
    """The best of the 24 orders of seats; chance decides among equals."""
    places = (*members, None, None, None)[:4]
    orders = [tuple(places[place] for place in order) for order in rng.sample(SEAT_ORDERS, 24)]
    return min(orders, key=facts.order_cost)


def _report(
    seated: tuple[tuple[int | None, ...], ...], tables: list[list[int]], facts: _Facts, steps: int
) -> Report:
    spreads = [
        Fraction(max(facts.points[m] for m in t) - min(facts.points[m] for m in t), POINT) for t in tables
    ]
    at_bots = sorted(m for members in tables if len(members) < 4 for m in members)
    return Report(
        cost=sum(facts.cost(members) for members in tables),
        mean_spread=round(float(sum(spreads) / len(spreads)), 3),
        max_spread=round(float(max(spreads)), 3),
        repeats=_pairs(tables, lambda a, b: facts.met[a][b] > 0),
        consecutive=_pairs(tables, lambda a, b: (a, b) in facts.last_met),
        partner_repeats=_partner_repeats(seated, facts) if facts.partners else (),
        seat_imbalance=max(_imbalance(seated, facts), default=0),
        neighbour_repeats=sum(facts.neighbours(seats) for seats in seated),
        bot_tables=sum(len(members) < 4 for members in tables),
        at_bot_tables=tuple(at_bots),
        steps=steps,
    )


def _pairs(
    tables: Iterable[Sequence[int]], wanted: Callable[[int, int], bool]
) -> tuple[tuple[int, int], ...]:
    found = (sorted(pair) for members in tables for pair in combinations(members, 2))
    return tuple(sorted((a, b) for a, b in found if wanted(a, b)))


def _partner_repeats(seated: Iterable[Sequence[int | None]], facts: _Facts) -> tuple[tuple[int, int], ...]:
    sides = [side for seats in seated for side in (seats[0::2], seats[1::2])]
    full = [[m for m in side if m is not None] for side in sides]
    return _pairs(full, lambda a, b: facts.partnered[a][b] > 0)


def _imbalance(seated: Iterable[Sequence[int | None]], facts: _Facts) -> Iterable[int]:
    for seats in seated:
        for seat, m in enumerate(seats):
            if m is not None:
                counts = [number + (s == seat) for s, number in enumerate(facts.seats[m])]
                yield max(counts) - min(counts)

"""The draw of one round, at tables of four. Pure: no models, no clock, integers throughout.

`draw(inputs)` seats every entrant once. The same inputs (seed included) always give the same draw, on any
machine, so a stored draw can be replayed. `evaluate(inputs, tables)` tells what any other seating costs.

An entrant is a player, or with `pairs` two fixed partners, who sit opposite: two entrants a table then.
Rules with partners who rotate (S with N, E with W) are played by single entrants and `partners`.

Hard rules
    every entrant sits exactly once, or has the bye; the number of tables is the least that is possible;
    whom a multiple of four leaves over, `fill` decides: bots take the empty places, or they stay empty
    ("short"), at most one a table once nine or more play (fewer cannot always); or so many sit out ("byes");
    nobody has a bot, an empty place or a bye again while someone else had them less often.
Costs, in order; the weights are in `Weights`
    1. score spread within a table: squared difference of table points, for each pair
    2. meetings: earlier meetings of a pair, squared; more if they met in the round before
    3. partners (only for partnership rules): earlier rounds as partners, squared
    4. seats: how far a seat is above the entrant's least used seat
    5. neighbours: earlier rounds with the same player at one's right; decides between equal orders of seats
    6. floats: for each pair that differs in points, how often the upper one floated down before (more often
       than up), and the lower one up. `floats_of` counts them from results

Where all have equal points (a first round, a knockout) there is no spread, and strength (`Entrant.seed`)
takes its place: each table has one of each quarter of the field (a snake), and their strengths, counted in
places of the order of strength, should add up to the same; the weight is that of the spread.
"""

import random
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from fractions import Fraction
from itertools import accumulate, combinations, groupby, permutations
from typing import Any

import numpy as np

from tournaments.seating_search import Array, Costs, excess_by_order, improve

VERSION = 2  # 1 had no seeds, byes, fills, pairs and floats: all have defaults
POINT = 12  # points are counted in twelfths, so that shared places (halves, thirds, quarters) stay whole
MOST_POINTS = 1_000_000  # whoever is further behind the first counts as being so far behind
MOST_WEIGHT = 100_000
FILLS = ("bots", "byes", "short")

Seats = tuple[int | None, ...]
"""Entrant ids in seat order S, E, N, W; None is a bot or an empty place. Of pairs: (a, b, a, b)."""


class DrawError(ValueError):
    """Inputs that no draw can be made from, or a seating that is none; `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Entrant:
    """One player, or pair, of the draw.

    `points`: table points so far, in twelfths; `score` orders equal points; `seed`: strength, a rating;
    `floats`: how often it sat with lower ones less how often with higher ones, as `floats_of` counts.
    """

    id: int
    points: int = 0
    score: int = 0
    seed: float = 0.0
    floats: int = 0


@dataclass(frozen=True)
class PastTable:
    """A table of an earlier round."""

    round: int
    seats: Seats


@dataclass(frozen=True)
class Weights:
    """Cost of one unit of each kind, 0 to MOST_WEIGHT. Spread is per squared point and pair."""

    spread: int = 144
    meeting: int = 5000
    consecutive: int = 2500
    partner: int = 200
    seat: int = 20
    floats: int = 10


def weights_from(data: Any) -> Weights:
    """Weights out of JSON; those left out have their defaults. Raises DrawError `bad_weights`."""
    names = [each.name for each in fields(Weights)]
    if not isinstance(data, dict):
        raise DrawError("bad_weights", f"Weights are an object with any of {', '.join(names)}.")
    for name, value in data.items():
        if name not in names:
            raise DrawError("bad_weights", f"There is no weight {name!r}; there are {', '.join(names)}.")
        if type(value) is not int or not 0 <= value <= MOST_WEIGHT:
            raise DrawError(
                "bad_weights", f"{name} is {value!r}; it takes a whole number, 0 to {MOST_WEIGHT}."
            )
    return Weights(**data)


@dataclass(frozen=True)
class DrawInput:
    """All that a draw depends on. `round` is the number of the round to draw.

    `byes` are those of earlier rounds: round and entrant id. `fill` is one of FILLS.
    """

    round: int
    entrants: tuple[Entrant, ...]
    history: tuple[PastTable, ...] = ()
    seed: int = 0
    partners: bool = False
    weights: Weights = field(default_factory=Weights)
    byes: tuple[tuple[int, int], ...] = ()
    fill: str = "bots"
    pairs: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON types; `from_dict` reads it back."""
        return {"version": VERSION, **asdict(self)}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "DrawInput":
        """The inputs as `as_dict` wrote them, now or in an earlier version; other members are passed over."""
        given = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        return cls(
            **given
            | {
                "entrants": tuple(Entrant(**entrant) for entrant in data["entrants"]),
                "history": tuple(PastTable(past["round"], tuple(past["seats"])) for past in data["history"]),
                "weights": Weights(**data["weights"]),
                "byes": tuple((at, entrant) for at, entrant in data.get("byes", ())),
            }
        )


@dataclass(frozen=True)
class Report:
    """What a seating costs. Spreads are in points; `repeats` and `consecutive` list pairs of entrant ids."""

    cost: int
    table_costs: tuple[int, ...]  # in the order of the tables; they add up to `cost`
    mean_spread: float
    max_spread: float
    repeats: tuple[tuple[int, int], ...]
    consecutive: tuple[tuple[int, int], ...]
    partner_repeats: tuple[tuple[int, int], ...]
    seat_imbalance: int  # the worst player's most used seat less his least used one, this round included
    neighbour_repeats: int
    bot_tables: int  # tables with a bot or an empty place
    at_bot_tables: tuple[int, ...]
    byes: tuple[int, ...]
    second_bots: tuple[int, ...]  # who would have a bot, an empty place or a bye before others had as many
    steps: int  # sweeps of the search; 0 for a seating by hand

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON types."""
        return asdict(self)


@dataclass(frozen=True)
class Draw:
    """Tables, strongest first, and who sits out."""

    tables: tuple[Seats, ...]
    report: Report
    byes: tuple[int, ...] = ()


def draw(inputs: DrawInput) -> Draw:
    """Seat the entrants.

    Raises DrawError `no_entries`, `duplicate_entry`, `bad_round`, `bad_fill`, `bad_weights`,
    `too_few_for_byes` (nobody could play).
    """
    _check(inputs)
    rng = random.Random(f"{inputs.seed}:{inputs.round}")
    ranked = _ranked(inputs, rng)
    byes = _sit_out(inputs, ranked)
    facts = _Facts(inputs, byes)
    tables = _first_tables([i for i in ranked if i not in byes], facts)
    tables, steps = _improve(tables, facts, inputs, rng)
    tables.sort(key=facts.strongest_first)
    seated = tuple(_arrange(members, facts, rng) for members in tables)
    return Draw(seated, _report(seated, tables, byes, facts, steps), byes)


def evaluate(inputs: DrawInput, tables: Iterable[Sequence[int | None]], byes: Sequence[int] = ()) -> Report:
    """What a seating of the entrants costs, drawn or made by hand; a draw's report but for its `steps`.

    Raises DrawError `not_everyone_once`, `bad_table`, and those of `draw` that are about the inputs.
    """
    _check(inputs)
    seated = tuple(tuple(seats) for seats in tables)
    for number, seats in enumerate(seated, start=1):
        _check_table(number, seats, inputs.pairs)
    members = [_members(seats, inputs.pairs) for seats in seated]
    _check_everyone(inputs, [*byes, *(m for table in members for m in table)])
    return _report(seated, members, tuple(sorted(byes)), _Facts(inputs, byes), 0)


def floats_of(tables: Iterable[tuple[PastTable, Sequence[int]]]) -> dict[int, int]:
    """`Entrant.floats` by id, from the tables of earlier rounds with the points that each seat took there."""
    points, floats = Counter[int](), Counter[int]()
    in_order = sorted(tables, key=lambda played: played[0].round)
    for _, group in groupby(in_order, key=lambda played: played[0].round):
        played = list(group)
        for past, _ in played:
            present = {*_people(past.seats)}
            mean = Fraction(sum(points[m] for m in present), max(1, len(present)))
            floats.update({m: (points[m] > mean) - (points[m] < mean) for m in present})
        for past, gained in played:
            points.update({m: won for m, won in zip(past.seats, gained, strict=True) if m is not None})
    return dict(floats)


def _check(inputs: DrawInput) -> None:
    if not inputs.entrants:
        raise DrawError("no_entries", "There is nobody to seat: a draw needs at least one active entry.")
    if len({entrant.id for entrant in inputs.entrants}) != len(inputs.entrants):
        raise DrawError("duplicate_entry", "The same entry is listed twice; each may be seated once.")
    if any(
        at >= inputs.round for at in [past.round for past in inputs.history] + [at for at, _ in inputs.byes]
    ):
        raise DrawError("bad_round", f"Round {inputs.round} cannot be drawn after a later or equal round.")
    if inputs.fill not in FILLS:
        raise DrawError("bad_fill", f"There is no fill {inputs.fill!r}; there are {', '.join(FILLS)}.")
    weights_from(asdict(inputs.weights))


def _check_table(number: int, seats: Seats, pairs: bool) -> None:
    if len(seats) != 4:
        raise DrawError("bad_table", f"Table {number} has {len(seats)} places; a table has four.")
    if not any(m is not None for m in seats):
        raise DrawError("bad_table", f"Nobody sits at table {number}; at least one entry must.")
    if pairs and seats[:2] != seats[2:]:
        detail = f"Table {number} is {list(seats)}; pairs sit opposite: a, b, a, b."
        raise DrawError("bad_table", detail)


def _check_everyone(inputs: DrawInput, placed: Sequence[int]) -> None:
    times = Counter(placed)
    wanted = {entrant.id for entrant in inputs.entrants}
    wrong = {
        "missing": sorted(wanted - times.keys()),
        "more than once": sorted(m for m in wanted if times[m] > 1),
        "unknown": sorted(times.keys() - wanted),
    }
    if any(wrong.values()):
        found = "; ".join(f"{what}: {', '.join(map(str, ids))}" for what, ids in wrong.items() if ids)
        raise DrawError("not_everyone_once", f"Every entry sits, or sits out, exactly once. {found}.")


def _members(seats: Seats, pairs: bool) -> list[int]:
    return _people(seats[: 2 if pairs else 4])


class _Facts:
    """What each cost is computed from, by entrant id."""

    def __init__(self, inputs: DrawInput, byes: Sequence[int]) -> None:
        self.weights = inputs.weights
        self.size = 2 if inputs.pairs else 4
        self.partners = inputs.partners and not inputs.pairs
        resting = set(byes)
        playing = [entrant for entrant in inputs.entrants if entrant.id not in resting]
        ids = [entrant.id for entrant in inputs.entrants]
        self.tables = -(-len(playing) // self.size)
        self.points = _points(inputs.entrants)
        self.strength = _strength(playing)
        self.level = any(self.strength.values())
        self.floats = {entrant.id: entrant.floats for entrant in inputs.entrants}
        self.odd = _odd(inputs)
        tables = [past.seats[: self.size] for past in inputs.history]
        last = [past.seats[: self.size] for past in inputs.history if past.round == inputs.round - 1]
        self.met = Counter(pair for seats in tables for pair in permutations(_people(seats), 2))
        self.last_met = {pair for seats in last for pair in permutations(_people(seats), 2)}
        sides = [_people(side) for seats in tables for side in (seats[::2], seats[1::2])]
        self.partnered: Counter[Seats] = Counter(pair for side in sides for pair in permutations(side, 2))
        self.right = Counter(pair for seats in tables for pair in _neighbours(seats))
        self.seats = {i: [0] * self.size for i in ids}
        for seats in tables:
            for seat, m in enumerate(seats):
                if m in self.seats:
                    self.seats[m][seat] += 1
        self.seat_cost = {i: tuple(2 * (n - min(seats)) for n in seats) for i, seats in self.seats.items()}

    def cost_seated(self, members: Sequence[int], seats: Seats) -> int:
        """Of a table as it is seated."""
        partner, excess, _ = self.order_cost(seats[: self.size])
        return self.together(members) + partner + self.weights.seat * excess

    def together(self, members: Sequence[int]) -> int:
        """What it costs that these sit at one table: spread or strength, meetings, floats."""
        strength = sum(self.strength[m] for m in members)
        level = self.weights.spread * strength * strength // (4 * self.tables * self.tables)
        return level + sum(self.pair(a, b) for a, b in combinations(members, 2))

    def pair(self, a: int, b: int) -> int:
        difference = self.points[a] - self.points[b]
        w, times = self.weights, self.met.get((a, b), 0)
        met = w.meeting * times * times + w.consecutive * ((a, b) in self.last_met)
        if not difference:
            return met
        upper, lower = (a, b) if difference > 0 else (b, a)
        floats = max(0, self.floats[upper]) + max(0, -self.floats[lower])
        return w.spread * difference * difference // (POINT * POINT) + met + w.floats * floats

    def order_cost(self, seats: Seats) -> tuple[int, int, int]:
        """Of one order of seats (of a pair's table the first two): partner repeats, excess, neighbours."""
        excess = sum(self.seat_cost[m][seat] for seat, m in enumerate(seats) if m is not None)
        return self.partner_repeats(seats), excess, self.neighbours(seats)

    def partner_repeats(self, seats: Seats) -> int:
        if not self.partners:
            return 0
        times = [self.partnered.get(side, 0) for side in (seats[::2], seats[1::2])]
        return self.weights.partner * sum(n * n for n in times)

    def neighbours(self, seats: Seats) -> int:
        return sum(self.right.get(pair, 0) for pair in _neighbours(seats))

    def strongest_first(self, members: Sequence[int]) -> tuple[Fraction, int]:
        """Key that sorts tables: mean points, then the strongest of a table."""
        mean = Fraction(sum(self.points[m] for m in members), len(members))
        return -mean, -max(self.strength[m] for m in members)


def _people(seats: Sequence[int | None]) -> list[int]:
    return [m for m in seats if m is not None]


def _neighbours(seats: Seats) -> list[tuple[int, int]]:
    """Each with who sits at his right. Of pairs (two seats) there is only the other one, and no wish."""
    around = zip(seats, seats[1:] + seats[:1], strict=True) if len(seats) == 4 else ()
    return [(a, b) for a, b in around if a is not None and b is not None]


def _points(entrants: Iterable[Entrant]) -> dict[int, int]:
    """Points behind the first; within bounds, so that no weight makes costs too large to count."""
    most = max(entrant.points for entrant in entrants)
    return {entrant.id: max(entrant.points - most, -MOST_POINTS) for entrant in entrants}


def _strength(playing: Sequence[Entrant]) -> dict[int, int]:
    """How many are weaker less how many are stronger; nought for all where points tell them apart."""
    if len({entrant.points for entrant in playing}) > 1:
        return {entrant.id: 0 for entrant in playing}
    seeds = sorted(entrant.seed for entrant in playing)
    return {e.id: bisect_left(seeds, e.seed) + bisect_right(seeds, e.seed) - len(seeds) for e in playing}


def _odd(inputs: DrawInput) -> Counter[int]:
    """How often each had a bot or an empty place at the table, or a bye."""
    odd = Counter(entrant for _, entrant in inputs.byes)
    for past in inputs.history:
        if None in past.seats:
            odd.update({*_people(past.seats)})
    return odd


def bots_at(entrants: int, size: int = 4) -> list[int]:
    """How many of the `size` places are empty at each table that has any: one a table where possible."""
    bots = -entrants % size
    tables = (entrants + bots) // size
    each = [bots // tables + (table < bots % tables) for table in range(tables)]
    return [number for number in each if number]


def _ranked(inputs: DrawInput, rng: random.Random) -> list[int]:
    """Ids, first in the standings first; strength decides between equals, then chance."""
    shuffled = rng.sample(inputs.entrants, len(inputs.entrants))
    return [e.id for e in sorted(shuffled, key=lambda e: (-e.points, -e.score, -e.seed))]


def _sit_out(inputs: DrawInput, ranked: Sequence[int]) -> tuple[int, ...]:
    """Those whom a multiple of four leaves over: who had it least, the lowest first."""
    if inputs.fill != "byes":
        return ()
    size = 2 if inputs.pairs else 4
    if len(ranked) < size:
        detail = f"With byes a table takes {size} entries, and there are {len(ranked)}; let bots fill it."
        raise DrawError("too_few_for_byes", detail)
    odd = _odd(inputs)
    lowest_first = ranked[::-1]
    return tuple(sorted(sorted(lowest_first, key=lambda i: odd[i])[: len(ranked) % size]))


def _first_tables(ranked: list[int], facts: _Facts) -> list[list[int]]:
    """Blocks down the standings; on level points a snake down the order of strength."""
    bots = bots_at(len(ranked), facts.size)
    places = sum(facts.size - number for number in bots)
    chosen = _chosen_for_bots(ranked, facts, places)
    rest = [i for i in ranked if i not in chosen]
    group = _snake if facts.level else _blocks
    tables = group([i for i in ranked if i in chosen], [facts.size - number for number in reversed(bots)])
    tables += group(rest, [facts.size] * (len(rest) // facts.size))
    position = {i: place for place, i in enumerate(ranked)}
    return sorted(tables, key=lambda members: position[members[0]])


def _chosen_for_bots(ranked: Sequence[int], facts: _Facts, places: int) -> set[int]:
    """Who had them least, the lowest first; on level points from all over the order of strength."""
    lowest_first = ranked[::-1]
    least_first = sorted(lowest_first, key=lambda i: facts.odd[i])
    if not (facts.level and places):
        return set(least_first[:places])
    times = facts.odd[least_first[places - 1]]
    sure = [i for i in ranked if facts.odd[i] < times]
    able = [i for i in ranked if facts.odd[i] == times]
    more = places - len(sure)
    return {*sure, *(able[(2 * i + 1) * len(able) // (2 * more)] for i in range(more))}


def _blocks(ids: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    ends = list(accumulate(sizes))
    return [list(ids[end - size : end]) for size, end in zip(sizes, ends, strict=True)]


def _snake(ids: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """The strongest one to a table, then back from the last table to the first, and so on."""
    tables: list[list[int]] = [[] for _ in sizes]
    left = iter(ids)
    for turn in range(max(sizes, default=0)):
        row = [table for table, size in zip(tables, sizes, strict=True) if turn < size]
        for table in reversed(row) if turn % 2 else row:
            table.append(next(left))
    return tables


def _improve(
    tables: list[list[int]], facts: _Facts, inputs: DrawInput, rng: random.Random
) -> tuple[list[list[int]], int]:
    """What `seating_search` makes of the first tables, and its sweeps."""
    ids = [m for members in tables for m in members]
    number = {m: at for at, m in enumerate(ids)}
    empty = len(ids)
    places = [
        [*map(number.__getitem__, members), *[empty] * (facts.size - len(members))] for members in tables
    ]
    found, steps = improve(np.array(places).T, _costs(ids, facts, inputs), rng)
    return [[ids[m] for m in members if m != empty] for members in found.T.tolist()], steps


def _costs(ids: list[int], facts: _Facts, inputs: DrawInput) -> Costs:
    """The facts as arrays in the order of `ids`, with an empty place at the end."""
    w = inputs.weights
    rounds = sorted({past.round for past in inputs.history})
    sat, sides = _past_places(ids, rounds, inputs)
    return Costs(
        spread=w.spread,
        meeting=w.meeting,
        consecutive=w.consecutive,
        partner=w.partner if facts.partners else 0,
        seat=w.seat,
        floats=w.floats,
        points=np.array([*(facts.points[i] for i in ids), 0]),
        strength=np.array([*(facts.strength[i] for i in ids), 0]),
        floated=np.array([*(facts.floats[i] for i in ids), 0]),
        odd=np.array([*(facts.odd[i] for i in ids), 0]),
        sat=sat,
        sat_last=sat[[at for at, number in enumerate(rounds) if number == inputs.round - 1]],
        sides=sides,
        excess=excess_by_order(np.array([*(facts.seat_cost[i] for i in ids), (0,) * facts.size])),
    )


def _past_places(ids: list[int], rounds: list[int], inputs: DrawInput) -> tuple[Array, Array]:
    """Which table, and which side of it, each had in each round; the absent one of their own."""
    number = {i: at for at, i in enumerate(ids)}
    row = {each: at for at, each in enumerate(rounds)}
    sat = np.tile(-1 - np.arange(len(ids) + 1, dtype=np.int32), (len(rounds), 1))
    sides = sat.copy()
    for table, past in enumerate(inputs.history):
        for seat, m in enumerate(past.seats):
            if m in number:
                sat[row[past.round], number[m]] = table
                sides[row[past.round], number[m]] = 2 * table + seat % 2
    return sat, sides


def _arrange(members: list[int], facts: _Facts, rng: random.Random) -> Seats:
    """The best order of seats; chance decides among equals."""
    places = (*members, None, None, None)[: facts.size]
    orders = list(permutations(places))
    rng.shuffle(orders)
    return min(orders, key=facts.order_cost) * (4 // facts.size)


def _report(
    seated: Sequence[Seats], tables: Sequence[list[int]], byes: tuple[int, ...], facts: _Facts, steps: int
) -> Report:
    points = [[facts.points[m] for m in members] for members in tables]
    spreads = [Fraction(max(each) - min(each), POINT) for each in points]
    costs = tuple(facts.cost_seated(members, seats) for members, seats in zip(tables, seated, strict=True))
    at_bots = sorted(
        m for members, seats in zip(tables, seated, strict=True) if None in seats for m in members
    )
    return Report(
        cost=sum(costs),
        table_costs=costs,
        mean_spread=round(float(sum(spreads) / max(1, len(spreads))), 3),
        max_spread=round(float(max(spreads, default=0)), 3),
        repeats=_pairs(tables, lambda a, b: (a, b) in facts.met),
        consecutive=_pairs(tables, lambda a, b: (a, b) in facts.last_met),
        partner_repeats=_partner_repeats(seated, facts) if facts.partners else (),
        seat_imbalance=max(_imbalance(seated, facts), default=0),
        neighbour_repeats=sum(facts.neighbours(seats) for seats in seated),
        bot_tables=sum(None in seats for seats in seated),
        at_bot_tables=tuple(at_bots),
        byes=byes,
        second_bots=_too_early([*at_bots, *byes], facts),
        steps=steps,
    )


def _too_early(at_odd_places: Sequence[int], facts: _Facts) -> tuple[int, ...]:
    """Who had a bot, an empty place or a bye more often than someone who has none now."""
    others = facts.seats.keys() - set(at_odd_places)
    least = min((facts.odd[m] for m in others), default=None)
    return tuple(sorted(m for m in at_odd_places if least is not None and facts.odd[m] > least))


def _pairs(
    tables: Iterable[Sequence[int]], wanted: Callable[[int, int], bool]
) -> tuple[tuple[int, int], ...]:
    found = (sorted(pair) for members in tables for pair in combinations(members, 2))
    return tuple(sorted((a, b) for a, b in found if wanted(a, b)))


def _partner_repeats(seated: Iterable[Sequence[int | None]], facts: _Facts) -> tuple[tuple[int, int], ...]:
    sides = [side for seats in seated for side in (seats[0::2], seats[1::2])]
    return _pairs(map(_people, sides), lambda a, b: (a, b) in facts.partnered)


def _imbalance(seated: Iterable[Sequence[int | None]], facts: _Facts) -> Iterable[int]:
    for seats in seated:
        for seat, m in enumerate(seats[: facts.size]):
            if m is not None:
                counts = [number + (s == seat) for s, number in enumerate(facts.seats[m])]
                yield max(counts) - min(counts)

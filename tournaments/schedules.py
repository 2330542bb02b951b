"""Whole schedules for tables of four, made before the first round. Pure: no models, no clock.

`schedule(players, rounds)` seats everyone in every round. The same arguments give the same schedule on any
machine: the search is counted in steps, and the seed only decides who gets which place of the schedule.

Hard rules
    everyone sits once a round; the number of tables is the least that seats everyone; bots (None) fill them,
    at most one a table from nine players on;
    nobody sits with a bot while someone who sat with bots less often does not.
Costs, in order
    1. meetings: for a pair that meets m times m (m - 1) / 2, so that repeats are few and spread
    2. partners, for whist: the same of a pair that partners m times
    3. seats: everyone each seat once in each block of four rounds (1 to 4, 5 to 8, ...). Exact: the places at
       tables are the edges between tables and pairs (player, block), and as no more than four meet anywhere,
       four colours do (König). In whist partners sit opposite, and seats are as even as a search makes them
    4. neighbours: the same player at one's right

The search starts from the known schedules of `designs`, longer or shorter as needed, and from chance, swaps
players of two tables of a round, and keeps the best. It ends at once where counting shows that nothing
is better.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import combinations, cycle, islice
from typing import Any

from tournaments import designs
from tournaments.seating import DrawError, bots_at

MOST_PLAYERS = 1000
MOST_ROUNDS = 99
BOT = -1
WARM = 2.0  # the most repeats that a swap may add when a search begins

Table = list[int]  # those who sit there, bots left out
Round = list[Table]
Place = tuple[Table, int]
Met = list[list[int]]  # how often each two players met
Seats = tuple[int | None, ...]  # S, E, N, W; None is a bot
Key = tuple[int, ...]  # a player, and the block of rounds in which nothing may come twice


@dataclass(frozen=True)
class Report:
    """What a schedule cost. Lists by number start at 0: `meetings[2]` pairs meet twice."""

    meetings: tuple[int, ...]
    meet_again: int  # pairs that meet twice or more
    repeats: int  # the sum of m (m - 1) / 2 over all pairs that meet m times
    bound: int  # no schedule has fewer repeats than this
    same_seat: int  # the most times that a player has one seat in a block of four rounds: 1 is even
    neighbour_repeats: int  # how often a player has someone at the right whom he had there before
    bot_tables: tuple[int, ...]  # rounds at a table with a bot, of each player
    partners: tuple[int, ...] | None  # like meetings; None unless partners rotate
    opponents: tuple[int, ...] | None

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON types."""
        return asdict(self)


@dataclass(frozen=True)
class Schedule:
    """For each round its tables: four players 0, 1, ... in seat order S, E, N, W, None for a bot."""

    rounds: tuple[tuple[Seats, ...], ...]
    report: Report


def schedule(
    players: int, rounds: int, *, seed: int = 0, partners: bool = False, pairs: bool = False
) -> Schedule:
    """Seat players 0 to players - 1 in all rounds.

    `partners`: S plays with N and E with W, and everyone's partner changes. `pairs`: each player stands for
    a fixed pair, and a table is pair, other pair, pair, other pair. Raises DrawError (`bad_players`,
    `bad_rounds`, `two_formats`).
    """
    _check(players, rounds, partners and pairs)
    names = random.Random(seed).sample(range(players), players)
    seated = tuple(
        tuple(tuple(None if place is None else names[place] for place in table) for table in tables)
        for tables in _places(players, rounds, "whist" if partners else "pairs" if pairs else "singles")
    )
    return Schedule(seated, _report(players, seated, partners, pairs))


def _check(players: int, rounds: int, both: bool) -> None:
    if not 2 <= players <= MOST_PLAYERS:
        raise DrawError("bad_players", f"A schedule is for 2 to {MOST_PLAYERS} players, not {players}.")
    if not 1 <= rounds <= MOST_ROUNDS:
        raise DrawError("bad_rounds", f"A schedule has 1 to {MOST_ROUNDS} rounds, not {rounds}.")
    if both:
        raise DrawError("two_formats", "Partners either rotate or are fixed pairs: ask for one of the two.")


@lru_cache(maxsize=16)
def _places(players: int, rounds: int, kind: str) -> tuple[tuple[Seats, ...], ...]:
    """The schedule before players are given their places."""
    rng = random.Random(f"{players}:{rounds}")
    if kind == "pairs":
        return tuple(tuple(two * 2 for two in tables) for tables in _seat(_circle(players, rounds), 2))
    if kind == "whist":
        return _seat_partners(_whist(players, rounds, rng), rng)
    return _seat(_singles(players, rounds, rng), 4, rng)


# Who meets whom


def _singles(players: int, rounds: int, rng: random.Random) -> list[Round]:
    """The best of the known schedules, made to measure, and of searches from them and from chance."""
    whole = players + -players % 4
    starts = [found for design in designs.designs(whole) for found in _fit(design, players, rounds)]
    starts = sorted(starts, key=_repeats)[:2] + [_by_chance(players, rounds, rng) for _ in range(2)]
    best = min(starts, key=_repeats)
    bound = _bound(players, rounds, _sizes(players))
    for start in starts:
        if _repeats(best) > bound:
            best = min(best, _improve(start, players, bound, rng), key=_repeats)
    return best


def _fit(design: list[Round], players: int, rounds: int) -> Iterator[list[Round]]:
    """The design in as many rounds, and with bots in as many places if that keeps the bots' rule."""
    places = 4 * len(design[0])
    made = _shorten(design, rounds) if rounds < len(design) else list(islice(cycle(design), rounds))
    bots = _bot_places(made, places, places - players)
    if bots is not None:
        names = {place: name for name, place in enumerate(p for p in range(places) if p not in bots)}
        yield [[_without_bots(table, names) for table in tables] for tables in made]


def _shorten(design: list[Round], rounds: int) -> list[Round]:
    """Leave out rounds, each time the one that repeats most."""
    kept = list(design)
    while len(kept) > rounds:
        met = Counter(pair for tables in kept for pair in _pairs(tables))
        kept.pop(max(range(len(kept)), key=lambda number: sum(met[pair] for pair in _pairs(kept[number]))))
    return kept


def _bot_places(rounds: list[Round], places: int, bots: int) -> set[int] | None:
    """Places of the design that can be bots, if there are any."""
    for first in range(min(places, 20)):
        chosen = {first} if bots else set()
        for place in range(places):
            if len(chosen) < bots and place not in chosen and _fair(rounds, places, chosen | {place}):
                chosen.add(place)
        if len(chosen) == bots and _fair(rounds, places, chosen):
            return chosen
    return None


def _fair(rounds: list[Round], places: int, bots: set[int]) -> bool:
    """At most one bot a table, and nobody a second bot table before everyone had one."""
    had = dict.fromkeys(set(range(places)) - bots, 0)
    for tables in rounds:
        for table in tables:
            now = [place for place in table if place not in bots]
            if len(now) < 3:
                return False
            if len(now) == 3:
                for place in now:
                    had[place] += 1
        if max(had.values()) - min(had.values()) > 1:
            return False
    return True


def _without_bots(table: Table, names: dict[int, int]) -> Table:
    """The table turned so that a bot comes last, and without it: partners stay partners."""
    bot = next((seat for seat, place in enumerate(table) if place not in names), 3)
    return [names[place] for place in table[bot + 1 :] + table[: bot + 1] if place in names]


def _by_chance(players: int, rounds: int, rng: random.Random) -> list[Round]:
    """Tables by lot; those with bots from who sat with bots least."""
    sizes = _sizes(players)
    with_bots = sum(size for size in sizes if size < 4)
    had = [0] * players
    made = []
    for _ in range(rounds):
        order = sorted(range(players), key=lambda player: (had[player], rng.random()))
        for player in order[:with_bots]:
            had[player] += 1
        made.append(_cut(rng.sample(order[:with_bots], with_bots) + order[with_bots:], sizes))
    return made


def _sizes(players: int) -> list[int]:
    """How many players sit at each table, those with bots first."""
    bots = bots_at(players)
    return [4 - number for number in bots] + [4] * ((players + 3) // 4 - len(bots))


def _cut(players: Sequence[int], sizes: Iterable[int]) -> Round:
    rest = iter(players)
    return [list(islice(rest, size)) for size in sizes]


def _improve(rounds: list[Round], players: int, bound: int, rng: random.Random) -> list[Round]:
    """Let players change places. What repeats more passes by a chance that falls to none at the end."""
    made = [[list(table) for table in tables] for tables in rounds]
    groups = [group for tables in made for group in _exchangeable(tables)]
    at_bots = _at_bots(made, players)
    met = _matrix(made, players)
    repeats = _repeats(made)
    steps = _steps(players)
    for step in range(steps):
        if repeats <= bound:
            break
        most = rng.random() * WARM * (1 - step / steps)
        if groups and (step % 3 or not any(at_bots)):
            repeats += _try_swap(met, groups, most, rng.random)
        else:
            repeats += _try_bots(met, made, at_bots, most, rng)
    return made


def _try_swap(met: Met, groups: list[list[Place]], most: float, chance: Callable[[], float]) -> int:
    """Swap two players of a round unless more than `most` repeats come of it; how many do."""
    group = groups[int(chance() * len(groups))]
    table, i = group[int(chance() * len(group))]
    other, j = group[int(chance() * len(group))]
    if table is other:
        return 0
    change = _change(met, table, i, other, j)
    if change > most:
        return 0
    _swap(met, table, i, other, j)
    return change


def _try_bots(
    met: Met, rounds: list[Round], at_bots: list[list[int]], most: float, rng: random.Random
) -> int:
    """Let two players sit with a bot in each other's round, if it is the k-th time for both: that is fair."""
    x, y = rng.sample(range(len(at_bots)), 2)
    times = min(len(at_bots[x]), len(at_bots[y]))
    if not times:
        return 0
    k = rng.randrange(times)
    r, s = at_bots[x][k], at_bots[y][k]
    if r in at_bots[y] or s in at_bots[x]:
        return 0
    change = sum(_swap_players(met, rounds[number], x, y) for number in (r, s))
    if change > most:
        for number in (r, s):
            _swap_players(met, rounds[number], x, y)
        return 0
    at_bots[x][k], at_bots[y][k] = s, r
    return change


def _at_bots(rounds: list[Round], players: int) -> list[list[int]]:
    """The numbers of the rounds in which each player sits with a bot."""
    found: list[list[int]] = [[] for _ in range(players)]
    for number, tables in enumerate(rounds):
        for player in (player for table in tables if len(table) < 4 for player in table):
            found[player].append(number)
    return found


def _steps(players: int) -> int:
    """Swaps that one search tries: its time budget, a function of the size alone."""
    return 20_000 * min(players, 20)


def _exchangeable(tables: Round) -> Iterator[list[Place]]:
    """Places among which any two may be swapped and nobody sits with bots more or less often."""
    for full in (True, False):
        some = [table for table in tables if (len(table) == 4) == full]
        if len(some) > 1:
            yield [(table, place) for table in some for place in range(len(table))]


def _matrix(rounds: list[Round], players: int) -> Met:
    met = [[0] * players for _ in range(players)]
    for tables in rounds:
        for a, b in _pairs(tables):
            met[a][b] += 1
            met[b][a] += 1
    return met


def _change(met: Met, table: Table, i: int, other: Table, j: int) -> int:
    """How many more repeats there are if these two players of two tables are swapped."""
    met_x, met_y = met[table[i]], met[other[j]]
    change = len(table) + len(other) - 2 - 2 * met_x[other[j]]
    for a in table:
        change += met_y[a] - met_x[a]
    for b in other:
        change += met_x[b] - met_y[b]
    return change


def _swap_players(met: Met, tables: Round, x: int, y: int) -> int:
    """Swap two players of a round who sit at two tables; how many more repeats come of it."""
    table = next(table for table in tables if x in table)
    other = next(table for table in tables if y in table)
    i, j = table.index(x), other.index(y)
    change = _change(met, table, i, other, j)
    _swap(met, table, i, other, j)
    return change


def _swap(met: Met, table: Table, i: int, other: Table, j: int) -> None:
    for members, place, new in ((table, i, other[j]), (other, j, table[i])):
        old = members[place]
        for a in members:
            if a != old:
                met[old][a] -= 1
                met[a][old] -= 1
                met[new][a] += 1
                met[a][new] += 1
        members[place] = new


def _pairs(tables: Iterable[Sequence[int]]) -> Iterator[tuple[int, int]]:
    for table in tables:
        for a, b in combinations(table, 2):
            yield (a, b) if a < b else (b, a)


def _repeats(rounds: list[Round]) -> int:
    return _choose_two(Counter(pair for tables in rounds for pair in _pairs(tables)).values())


def _choose_two(numbers: Iterable[int]) -> int:
    return sum(m * (m - 1) // 2 for m in numbers)


def _bound(players: int, rounds: int, sizes: list[int]) -> int:
    """No schedule repeats less: meetings spread over all pairs, or each table over those of another round."""
    pairs = players * (players - 1) // 2
    met = rounds * sum(size * (size - 1) // 2 for size in sizes)
    crossed = sum(_choose_two(_spread(size, len(sizes))) for size in sizes)
    return max(_choose_two(_spread(met, pairs)), rounds * (rounds - 1) // 2 * crossed)


def _spread(total: int, places: int) -> list[int]:
    return [total // places + (place < total % places) for place in range(places)]


def _circle(players: int, rounds: int) -> list[Round]:
    """Tables of two: all meet once, then again from the start. Of an odd number one sits alone each time."""
    size = players + players % 2
    made = []
    for number in range(rounds):
        turn = number % (size - 1)
        two = [(turn, size - 1)]
        two += [((turn + i) % (size - 1), (turn - i) % (size - 1)) for i in range(1, size // 2)]
        made.append([[player for player in table if player < players] for table in two])
    return made


# Whist: a table's partners are its first and third player, and its second and fourth


def _whist(players: int, rounds: int, rng: random.Random) -> list[Round]:
    """A whist tournament made to measure, or the schedule for singles, with partners changed."""
    whole = players + -players % 4
    known = _fit(designs.whist(whole), players, rounds) if whole in designs.WHIST else ()
    made = [_change_partners(found, rng) for found in (*known, _singles(players, rounds, rng))]
    return min(made, key=lambda found: _repeats(found) + 3 * _choose_two(_partners(found).values()))


def _sides(table: Table) -> tuple[Table, Table]:
    """A bot is everyone's partner as rarely as a player is."""
    return table[::2], [*table[1::2], BOT] if len(table) == 3 else table[1::2]


def _partners(rounds: list[Round]) -> Counter[tuple[int, int]]:
    return Counter(pair for tables in rounds for table in tables for pair in _pairs(_sides(table)))


def _change_partners(rounds: list[Round], rng: random.Random) -> list[Round]:
    """Pair each table off anew as its players were partners least, many times over."""
    made = [[list(table) for table in tables] for tables in rounds]
    tables = [table for tables in made for table in tables if len(table) > 2]
    partners = _partners(made)
    for _ in range(30 * len(tables)):
        if max(partners.values(), default=0) < 2:
            break
        table = rng.choice(tables)
        partners.subtract(_pairs(_sides(table)))
        orders: list[Table] = [
            table,
            [table[1], table[0], *table[2:]],
            [table[0], table[2], table[1], *table[3:]],
        ]
        rng.shuffle(orders)
        best = min(orders, key=lambda order: _together_before(order, partners))
        table[:] = best
        partners.update(_pairs(_sides(table)))
    return made


def _together_before(table: Table, partners: Counter[tuple[int, int]]) -> int:
    return sum(partners[pair] for pair in _pairs(_sides(table)))


# Who sits where


def _seat(rounds: list[Round], block: int, rng: random.Random | None = None) -> tuple[tuple[Seats, ...], ...]:
    """Give each player each of `block` seats once in every block of as many rounds."""
    rows: list[list[Key]] = [
        [(player, number // block) for player in table]
        for number, tables in enumerate(rounds)
        for table in tables
    ]
    seats = _colour(rows, block)
    if rng:
        _vary_neighbours(seats, rng)
    return _as_rounds([_players(row) for row in seats], len(rounds))


def _players(row: Sequence[Key | None]) -> Seats:
    return tuple(None if key is None else key[0] for key in row)


def _as_rounds(rows: list[Seats], rounds: int) -> tuple[tuple[Seats, ...], ...]:
    tables = len(rows) // rounds
    return tuple(tuple(rows[first : first + tables]) for first in range(0, len(rows), tables))


def _colour(rows: list[list[Key]], colours: int) -> list[list[Key | None]]:
    """Put the keys of each row into places so that no key has one place twice (Kőnig's theorem).

    A row holds at most `colours` keys, a key stands in at most `colours` rows.
    """
    seats: list[list[Key | None]] = [[None] * colours for _ in rows]
    where: dict[Key, list[int | None]] = {key: [None] * colours for row in rows for key in row}
    for row, keys in enumerate(rows):
        for key in keys:
            free, wanted = seats[row].index(None), where[key].index(None)
            if where[key][free] is not None:
                _exchange(seats, where, key, free, wanted)
            seats[row][free] = key
            where[key][free] = row
    return seats


def _exchange(
    seats: list[list[Key | None]], where: dict[Key, list[int | None]], start: Key, a: int, b: int
) -> None:
    """Exchange places a and b along the path that leaves `start` by a, so that a is free there."""
    path: list[tuple[int, Key, int]] = []
    key: Key | None = start
    while key is not None and (row := where[key][a]) is not None:
        path.append((row, key, b))
        key = seats[row][b]
        if key is not None:
            path.append((row, key, a))
    for row, key, new in path:
        seats[row][a + b - new] = where[key][a + b - new] = None
    for row, key, new in path:
        seats[row][new], where[key][new] = key, row


def _vary_neighbours(seats: list[list[Key | None]], rng: random.Random) -> None:
    """Exchange two seats at all tables that hang together by them, where fewer neighbours repeat then."""
    where: dict[Key | None, set[int]] = {}
    for row, keys in enumerate(seats):
        for key in filter(None, keys):
            where.setdefault(key, set()).add(row)
    right = Counter(pair for row in seats for pair in _neighbours(row))
    for _ in range(3000):
        if max(right.values(), default=0) < 2:
            break
        a, b = rng.sample(range(4), 2)
        rows = _together(seats, where, rng.randrange(len(seats)), a, b)
        before = _turn(seats, right, rows, a, b)
        if before < 0:
            _turn(seats, right, rows, a, b)


def _together(
    seats: list[list[Key | None]], where: dict[Key | None, set[int]], start: int, a: int, b: int
) -> set[int]:
    """The rows that must exchange places a and b together with `start`."""
    found, todo = {start}, [start]
    while todo:
        row = todo.pop()
        for key in (seats[row][a], seats[row][b]):
            near = {r for r in where.get(key, ()) if key in (seats[r][a], seats[r][b])}
            todo += near - found
            found |= near
    return found


def _turn(
    seats: list[list[Key | None]], right: Counter[tuple[int, int]], rows: set[int], a: int, b: int
) -> int:
    """Exchange places a and b in these rows; how many fewer neighbours repeat."""
    gained = 0
    for row in rows:
        for pair in _neighbours(seats[row]):
            right[pair] -= 1
            gained += right[pair]
    for row in rows:
        seats[row][a], seats[row][b] = seats[row][b], seats[row][a]
        for pair in _neighbours(seats[row]):
            gained -= right[pair]
            right[pair] += 1
    return gained


def _neighbours(row: Sequence[Key | None]) -> Iterator[tuple[int, int]]:
    """Each player with the one at his right."""
    for key, other in zip(row, (*row[1:], row[0]), strict=True):
        if key and other:
            yield key[0], other[0]


def _seat_partners(rounds: list[Round], rng: random.Random) -> tuple[tuple[Seats, ...], ...]:
    """Partners opposite: a search decides who sits north and south, and colours who of these sits south."""
    sides: list[list[Key]] = []
    lean: Counter[int] = Counter()
    for first in range(0, len(rounds), 4):
        tables = [table for tables in rounds[first : first + 4] for table in tables]
        turned = _balance_axes(tables, lean, rng)
        sat: Counter[tuple[int, int]] = Counter()
        for table, turn in zip(tables, turned, strict=True):
            for axis in (0, 1):
                members = table[axis ^ turn :: 2]
                sides.append([(p, first, axis, sat[p, axis] // 2) for p in members])
                sat.update((p, axis) for p in members)
    seats = [_players(row) for row in _colour(sides, 2)]
    rows: list[Seats] = [(ns[0], ew[0], ns[1], ew[1]) for ns, ew in zip(seats[::2], seats[1::2], strict=True)]
    return _as_rounds(rows, len(rounds))


def _balance_axes(tables: list[Table], before: Counter[int], rng: random.Random) -> list[int]:
    """Which tables to turn by a quarter so that everyone sits on either axis as often as on the other.

    `before` is how much more often each player sat on the first axis so far, and is carried on.
    """
    turned = [0] * len(tables)
    lean: Counter[int] = Counter()
    for table in tables:
        lean.update({player: 1 - place % 2 * 2 for place, player in enumerate(table)})
    steps = 100 * len(tables)
    for step in range(steps):
        number = rng.randrange(len(tables))
        signs = {p: 1 if place % 2 == turned[number] else -1 for place, p in enumerate(tables[number])}
        # Squares of the lean in this block, which weigh twice, and of the whole lean.
        change = sum(12 - 4 * sign * (3 * lean[p] + before[p]) for p, sign in signs.items())
        if change <= 0 or change < rng.random() * 48 * (1 - step / steps):
            turned[number] ^= 1
            lean.subtract({p: 2 * sign for p, sign in signs.items()})
    before.update(lean)
    return turned


# What it cost


def _report(players: int, rounds: Sequence[Sequence[Seats]], partners: bool, pairs: bool) -> Report:
    seated = [[[p for p in table if p is not None] for table in tables] for tables in rounds]
    if pairs:
        seated = [[table[: len(table) // 2] for table in tables] for tables in seated]
    meetings = _by_number(Counter(pair for tables in seated for pair in _pairs(tables)), players)
    together = Counter(pair for tables in rounds for table in tables for pair in _opposite(table))
    against = Counter(pair for tables in seated for pair in _pairs(tables))
    against.subtract(together)
    sizes = [2] * (players // 2) + [1] * (players % 2) if pairs else _sizes(players)
    bots = Counter(p for tables in rounds for table in tables if None in table for p in set(table))
    return Report(
        meetings=meetings,
        meet_again=sum(meetings[2:]),
        repeats=sum(number * m * (m - 1) // 2 for m, number in enumerate(meetings)),
        bound=_bound(players, len(rounds), sizes),
        same_seat=_same_seat(rounds, 2 if pairs else 4),
        neighbour_repeats=0 if pairs else _neighbour_repeats(rounds),
        bot_tables=tuple(bots[player] for player in range(players)),
        partners=_by_number(together, players) if partners else None,
        opponents=_by_number(against, players) if partners else None,
    )


def _by_number(times: Counter[tuple[int, int]], players: int) -> tuple[int, ...]:
    """How many pairs there are to each number of times, from 0 on."""
    pairs = Counter(times.values())
    pairs[0] = players * (players - 1) // 2 - sum(number for m, number in pairs.items() if m)
    return tuple(pairs[m] for m in range(max(pairs) + 1))


def _opposite(table: Seats) -> Iterator[tuple[int, int]]:
    for a, b in ((table[0], table[2]), (table[1], table[3])):
        if a is not None and b is not None:
            yield (a, b) if a < b else (b, a)


def _same_seat(rounds: Sequence[Sequence[Seats]], block: int) -> int:
    """Pairs have two seats: their first player sits south or east."""
    sat = Counter(
        (player, number // block, seat)
        for number, tables in enumerate(rounds)
        for table in tables
        for seat, player in enumerate(table[:block])
        if player is not None
    )
    return max(sat.values())


def _neighbour_repeats(rounds: Sequence[Sequence[Seats]]) -> int:
    right = Counter(
        pair
        for tables in rounds
        for table in tables
        for pair in zip(table, (*table[1:], table[0]), strict=True)
        if None not in pair
    )
    return sum(times - 1 for times in right.values())

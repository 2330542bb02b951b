"""`make bench`: our figures beside a peer's or a limit, and their ratio, which is to be 1 or more.

Peers run in the same process, taking turns with ours. `bare hearts` (tests/bench/deals.py) is a harder peer,
for information. Nothing here fails for being slow: read the ratios.

`make bench` measures everything, `python -m tests.bench replay space` only those.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.bench import beliefs, big, bots, deals, ratings, records, standings, swiss, swiss_plot
from tournaments.schedules import schedule

ROOT = Path(__file__).resolve().parents[2]
REPEATS = 3
REPLAYED = 200
LEAGUE = ("--players", "16", "--rounds", "5", "--rules", "cardkings-complex", "--bots", "greedy", "--json")
PUBLISHED = {
    (12, 7): 63, (16, 5): 0, (20, 5): 0, (20, 7): 20, (20, 8): 50, (20, 10): 110, (24, 7): 0, (24, 8): 23,
    (24, 9): 49, (24, 10): 84, (28, 9): 0, (28, 10): 42, (32, 10): 0, (36, 11): 0, (40, 13): 0,
}  # fmt: skip
"""Players and rounds: the pairs that meet again in the best published schedules."""

COMPETITORS = {
    "pgbench": "pgbench, statements alone",
    "bare": "a bare DRF endpoint",
    "real": "Trix",
    "peer": "boardgame.io in memory",
}
MOVES = "{:<36}{:>10}{:>10}{:>10}{:>14}"
DRAWS = "{:<36}{:>10}{:>10}{:>10}"
ROW = "{:<36}{:>10}   {:<25}{:>10}{:>8}"

Line = tuple[str, float, str, float, float]
"""What is measured, our figure, what it is compared with, that figure, and the ratio."""


def measure_deals() -> Iterator[Line]:
    rates = deals.measure()
    for peer in ("hearts", "bare hearts"):
        for game in ("ltoosh", "trix"):
            ratio = deals.ratio(rates[game], rates[peer])
            yield (
                f"{game}, random deals/s",
                median(rates[game]),
                f"OpenSpiel {peer}",
                median(rates[peer]),
                ratio,
            )


def measure_bots() -> Iterator[Line]:
    """Prints what decisions of strong take by contract; the slowest contract counts."""
    rates = bots.rates()
    every = median(rates["every contract"])
    yield "kernel, random trick deals/s", every, "at least", 1e6, every / 1e6
    ours, theirs = rates["ltoosh"], rates["rollouts"]
    ratio = deals.ratio(ours, theirs)
    yield "those of ltoosh alone", median(ours), "8 x OpenSpiel's rollouts", 8 * median(theirs), ratio / 8
    decisions = bots.decisions()
    print(DRAWS.format("a decision of strong, ms", "median", "mean", "longest"))
    for contract, seconds in decisions.items():
        figures = (1000 * figure(seconds) for figure in (median, fmean, max))
        print(DRAWS.format(contract, *map(_number, figures)), flush=True)
    slowest = 1000 * max(map(fmean, decisions.values()))
    yield "strong, ms a decision", slowest, "at most", 50, 50 / slowest
    yield from _cold_start()


def _cold_start() -> Iterator[Line]:
    """Fresh processes with Django: the first has the machine code to make, the second finds it made."""
    with TemporaryDirectory() as folder:
        (making, _), (seconds, memory) = (_cold(folder) for _ in range(2))
    print(f"The very first decisions, for which the machine code is made, take {making:.0f} s.")
    yield "first decisions of a process, s", seconds, "at most", 10, 10 / seconds
    yield "its memory, MB", memory, "at most", 350, 350 / memory


def _cold(folder: str) -> tuple[float, float]:
    """Seconds from start to end, and MB."""
    started = perf_counter()
    memory = float(_run(["-m", "tests.bench.cold"], folder, NUMBA_CACHE_DIR=folder))
    return perf_counter() - started, memory


def measure_beliefs() -> Iterator[Line]:
    for name, (without, believed) in beliefs.measure().items():
        if name == "random":  # Who plays by chance tells nothing: believing him is not to cost much.
            yield f"bits: {name}", believed, "at most", without + 0.1, (without + 0.1) / believed
        else:
            yield f"bits: {name}", believed, "any world as likely", without, without / believed


def measure_fill_in() -> Iterator[Line]:
    for count, seats in ((1, "one seat"), (3, "three seats")):
        with TemporaryDirectory() as folder:
            _migrate(folder)
            found = json.loads(_run(["-m", "tests.bench.fill_in", str(count)], folder))
        print(f"Bots in {seats}: {found['rate']:.1f} answers/s, 9 of 10 within {found['p90']:.0f} ms.")
        yield f"a bot's answer, {seats}, median ms", found["median"], "at most", 150, 150 / found["median"]
        yield "a worker's memory, MB", found["memory"], "at most", 350, 350 / found["memory"]


def measure_replay() -> Iterator[Line]:
    """The command as a person starts it, Python's own start included."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "matches.trix"
        file.write_text(records.write_matches(REPLAYED, seed=1))
        seconds = [_seconds("replay", "--json", str(file)) for _ in range(REPEATS)]
    rate = 60 * REPLAYED / median(seconds)
    yield "replay, matches of 20 deals/min", rate, "at least", 1000, rate / 1000


def measure_league() -> Iterator[Line]:
    with TemporaryDirectory() as folder:
        _migrate(folder)
        seconds = [
            _seconds("simulate_league", *LEAGUE, "--seed", str(seed), data=folder) for seed in range(REPEATS)
        ]
    yield "league of 16 players, 5 rounds, s", median(seconds), "at most", 60, 60 / median(seconds)


def measure_standings() -> Iterator[Line]:
    found = standings.measure()
    yield "standings, 10,000 × 10 rounds, s", found["default"], "at most", 1.5, 1.5 / found["default"]
    yield "the same by all metrics, s", found["all"], "at most", 3, 3 / found["all"]


def measure_swiss() -> Iterator[Line]:
    """Prints how the time of a draw grows, then gives the ratios to the limits; the slowest round counts."""
    print(DRAWS.format("a draw of so many players, s", *(f"round {number}" for number in swiss.ROUNDS)))
    slowest = {}
    for players, seconds in swiss.times():
        print(DRAWS.format(f"{players:,}", *map(_number, seconds)), flush=True)
        slowest[players] = max(seconds)
    for players, limit in swiss.LIMITS.items():
        yield f"draw of {players:,} players, s", slowest[players], "at most", limit, limit / slowest[players]


def measure_swiss_quality() -> Iterator[Line]:
    found = swiss.quality()
    (ROOT / "docs" / "images" / "swiss-quality.svg").write_text(swiss_plot.svg(found))
    for players, draws in found.items():
        ours, greedy = draws["ours"], draws["greedy"]
        for figure, title in swiss.FIGURES.items():
            ratio = greedy[figure] / max(ours[figure], 0.01)
            yield f"{players} players, {title}", ours[figure], "greedy draw", greedy[figure], ratio


def measure_round_robins() -> Iterator[Line]:
    """Pairs that meet again (of 12 players, all repeats); ratios are of one more, as some are 0."""
    for (players, rounds), published in PUBLISHED.items():
        report = schedule(players, rounds).report
        found = report.repeats if players == 12 else report.meet_again
        what = "repeats" if players == 12 else "pairs meeting again"
        yield f"{players} x {rounds}, {what}", found, "published", published, (published + 1) / (found + 1)
    slowest = max(PUBLISHED, key=lambda size: size[0] * size[1])
    seconds = _seconds("seat", "--players", str(slowest[0]), "--rounds", str(slowest[1]), "--json")
    yield f"manage.py seat, {slowest[0]} x {slowest[1]}, s", seconds, "at most", 60, 60 / seconds


def measure_space() -> Iterator[Line]:
    with TemporaryDirectory() as folder:
        _migrate(folder)
        space = json.loads(_run(["-m", "tests.bench.space"], folder))
    match, ratings = space["games"] / 1024, space["ratings"] / 1024
    yield "finished match of 20 deals, kB", match, "at most", 8, 8 / match
    yield "the same with its ratings, kB", match + ratings, "at most", 8, 8 / (match + ratings)


def measure_moves() -> Iterator[Line]:
    """Prints every figure of every competitor, then gives the ratios."""
    with TemporaryDirectory() as folder:
        _migrate(folder)
        found = json.loads(_run(["-m", "tests.bench.moves"], folder))
    print(MOVES.format("16 clients at once", "moves/s", "p50 ms", "p99 ms", "client's ms"))
    for name, title in COMPETITORS.items():
        if name in found:
            print(MOVES.format(title, *map(_number, found[name].values())))
    ours = found["real"]
    yield _moves(ours, "0.7 of the bare endpoint", 0.7 * found["bare"]["rate"])
    yield "99 of 100 moves within, ms", ours["p99"], "at most", 60, 60 / ours["p99"]
    yield _moves(ours, COMPETITORS["peer"], found["peer"]["rate"])
    if "pgbench" in found:
        yield _moves(ours, "pgbench", found["pgbench"]["rate"])
    else:
        print("No pgbench on the PATH (Debian: postgresql-contrib), so not measured with it.")


def _moves(ours: dict[str, float], versus: str, rate: float) -> Line:
    return "moves/s", ours["rate"], versus, rate, ours["rate"] / rate


def measure_streams() -> Iterator[Line]:
    with TemporaryDirectory() as folder:
        _migrate(folder)
        found = json.loads(_run(["-m", "tests.bench.streams"], folder))
    yield "open stream of 2,000, kB", found["each"], "at most", 60, 60 / found["each"]
    yield "a move to its readers, median ms", found["median"], "at most", 100, 100 / found["median"]


def measure_big() -> Iterator[Line]:
    """A whole tournament of 10,000 entries, step by step."""
    with TemporaryDirectory() as folder:
        _migrate(folder)
        found = json.loads(_run(["-m", "tests.bench.big"], folder))
    for what, limit in big.LIMITS.items():
        yield f"10,000: {what}, s", found[what], "at most", limit, limit / found[what]


def measure_ratings() -> Iterator[Line]:
    """The formula alone, and a million rows of the ledger in a database."""
    tables = ratings.tables()
    rates = [(ratings.maths_rate(tables), ratings.openskill_rate(tables)) for _ in range(REPEATS)]
    ours, theirs = (median(rate) for rate in zip(*rates, strict=True))
    yield "formula, matches/s", ours, "at least", 100_000, ours / 100_000
    yield "formula, matches/s", ours, "openskill", theirs, ours / theirs
    with TemporaryDirectory() as folder:
        _migrate(folder)
        found = json.loads(_run(["-m", "tests.bench.ratings"], folder))
    for what, limit in ratings.LIMITS.items():
        yield what, found[what], "at most", limit, limit / found[what]


BENCHMARKS: dict[str, Callable[[], Iterator[Line]]] = {
    "deals": measure_deals,
    "bots": measure_bots,
    "beliefs": measure_beliefs,
    "fill-in": measure_fill_in,
    "replay": measure_replay,
    "league": measure_league,
    "standings": measure_standings,
    "swiss": measure_swiss,
    "swiss-quality": measure_swiss_quality,
    "round-robins": measure_round_robins,
    "big": measure_big,
    "space": measure_space,
    "ratings": measure_ratings,
    "moves": measure_moves,
    "streams": measure_streams,
}


def main(names: list[str]) -> None:
    if unknown := [name for name in names if name not in BENCHMARKS]:
        sys.exit(f"There is no benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}.")
    print(ROW.format("", "ours", "", "theirs", "ratio"), flush=True)
    for name in names or BENCHMARKS:
        for what, ours, versus, theirs, ratio in BENCHMARKS[name]():
            print(ROW.format(what, _number(ours), versus, _number(theirs), f"{ratio:.2f}"), flush=True)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def _migrate(data: str) -> None:
    _run(["manage.py", "migrate", "--verbosity", "0"], data)


def _seconds(*command: str, data: str = "") -> float:
    started = perf_counter()
    _run(["manage.py", *command], data)
    return perf_counter() - started


def _run(arguments: list[str], data: str, **more: str) -> str:
    """Run our Python on the embedded database in the folder `data`; what it printed."""
    here = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment = here | {"DJANGO_SETTINGS_MODULE": "trix_site.settings.local", "TRIX_DATA_DIR": data} | more
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


if __name__ == "__main__":
    main(sys.argv[1:])

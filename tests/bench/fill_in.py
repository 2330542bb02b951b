"""Bots that fill in: `python -m tests.bench.fill_in BOTS` on a database that nobody else uses; prints JSON.

TABLES matches run, each with so many seats played by strong, which is the two workers of `make run`. People
think for a while and act through the service, as greedy would. Timed is from the commit of a move of theirs
that gives a bot the turn to the commit of the bot's answer, both as PostgreSQL tells of them.
"""

import json
import random
import sys
import threading
from collections import deque
from contextlib import suppress
from datetime import timedelta
from heapq import heappop, heappush
from queue import Empty, Queue
from statistics import median, quantiles
from time import perf_counter
from typing import TYPE_CHECKING

import django
import psycopg
from django.utils import timezone

from deploy.run import commands
from tests.bench.streams import resident
from tests.processes import Process

if TYPE_CHECKING:
    from games.models import Match

TABLES, ANSWERS = 50, 400
THINKING = 1.0, 5.0  # seconds that a person thinks: any between, 3 in the mean
PATIENCE = 60.0  # seconds

Commits = Queue[tuple[str, float]]


class Table:
    """A match. Of the people's moves whose commits were not heard of yet: whether a bot is next."""

    def __init__(self, match: "Match", bots: int) -> None:
        self.match, self.bots = match, range(4 - bots, 4)
        self.unheard: deque[bool] = deque()
        self.thinks = False
        self.waits_since: float | None = None

    @property
    def waits_for_bot(self) -> bool:
        from tests.games.play import state_of

        return state_of(self.match).turn in self.bots


class Evening:
    """All tables, and when a person is to act at each. ``answers``: seconds that bots took."""

    def __init__(self, tables: list[Table], commits: Commits) -> None:
        self.tables = {table.match.code: table for table in tables}
        self.commits = commits
        self.due: list[tuple[float, str]] = []
        self.answers: list[float] = []
        for table in tables:
            if not table.waits_for_bot:
                self.think(table)

    def think(self, table: Table) -> None:
        table.thinks = True
        heappush(self.due, (perf_counter() + random.uniform(*THINKING), table.match.code))

    def play(self) -> None:
        while len(self.answers) < ANSWERS:
            left = self.due[0][0] - perf_counter() if self.due else PATIENCE
            try:
                code, at = self.commits.get(timeout=max(left, 0.0))
            except Empty:
                assert self.due, "The bots are silent at every table."
                self.act(self.tables[heappop(self.due)[1]])
            else:
                self.hear(self.tables[code], at)

    def act(self, table: Table) -> None:
        table.thinks = False
        bot_next = move(table.match) in table.bots
        table.unheard.append(bot_next)
        if not bot_next:
            self.think(table)

    def hear(self, table: Table, at: float) -> None:
        if table.unheard:
            table.waits_since = at if table.unheard.popleft() else None
            return
        if table.waits_since is not None:
            self.answers.append(at - table.waits_since)
            table.waits_since = None
        if not table.thinks and not table.waits_for_bot:
            self.think(table)


def move(match: "Match") -> int:
    """The person to act acts; the seat that is next."""
    from games.bots import LEVELS
    from games.engine import action_text, legal_actions, view
    from games.services.moves import submit_action
    from tests.games.play import state_of

    state = state_of(match)
    seat = state.turn
    player = match.seats.get(index=seat).player
    assert player is not None
    action = LEVELS["greedy"](view(state, seat), legal_actions(state, seat), random.Random())
    result = submit_action(
        match_code=match.code, player=player, action_text=action_text(action), version=state.version
    )
    return result.position.state.turn


def make_tables(bots: int) -> list[Table]:
    """Matches that are followed, or nobody would be told; without doubling, where bots take their time."""
    from games.models import Match, Player
    from games.services.matches import create_match

    tables = []
    for number in range(TABLES):
        people = [Player.objects.create_user(f"p{number}n{place}") for place in range(4 - bots)]
        match = create_match(rules="cardkings", options={}, seats=[*people, *["strong"] * bots])
        tables.append(Table(match, bots))
    Match.objects.update(watched_until=timezone.now() + timedelta(hours=1))
    return tables


def listen(commits: Commits) -> None:
    """Put each match's commits into the queue as they are told, from a thread of its own."""
    from games.services.news import CHANNEL
    from trix_site.common.conninfo import conninfo

    told = psycopg.connect(conninfo(), autocommit=True)
    told.execute(f"LISTEN {CHANNEL}")

    def follow() -> None:
        with suppress(psycopg.OperationalError):  # The database ends with us.
            for notification in told.notifies():
                kind, _, code = notification.payload.partition(" ")
                if kind == "match":
                    commits.put((code, perf_counter()))

    threading.Thread(target=follow, daemon=True).start()


def main(bots: int) -> None:
    from games.bots import LEVELS
    from games.bots.warming import warm

    warm(LEVELS["strong"])
    commits: Commits = Queue()
    tables = make_tables(bots)
    listen(commits)
    workers = [Process(command[1:], {}, "") for name, command in commands(0).items() if "worker" in name]
    try:
        for worker in workers:
            worker.launch()
        evening = Evening(tables, commits)
        started = perf_counter()
        evening.play()
        print(json.dumps(figures(evening.answers, perf_counter() - started, workers)))
    finally:
        for worker in workers:
            worker.kill()


def figures(answers: list[float], seconds: float, workers: list[Process]) -> dict[str, float]:
    """In milliseconds, answers a second, and MB of the larger worker."""
    return {
        "median": 1000 * median(answers),
        "p90": 1000 * quantiles(answers, n=10)[8],
        "rate": len(answers) / seconds,
        "memory": max(resident(worker.process.pid) for worker in workers) / 2**20,
    }


if __name__ == "__main__":
    django.setup()
    main(int(sys.argv[1]))

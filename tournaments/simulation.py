"""Leagues and matches without any person or worker: every move through the services that everyone uses."""

import hashlib
import logging
import random
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

import django
from celery import current_app
from django.contrib.auth.hashers import make_password

from games.bots import LEVELS
from games.engine import State, action_text, legal_actions, to_act, view
from games.models import Match, Player
from games.positions import position
from games.services.moves import play_bot_move, submit_action
from ratings.models import Rating
from ratings.services import rate_finished
from tournaments import selectors
from tournaments.models import Round, Table, Tournament
from tournaments.services import entries, life, rounds
from tournaments.services.results import record_match
from tournaments.services.stages import is_complete
from tournaments.standings import as_number
from trix_site.common.ids import new_code

BATCH = 64


def open_league(*, players: int, rules: str, seed: int, **stage: Any) -> Tournament:
    """A league of one stage, running, of new program accounts: their ratings begin with it.

    `stage` as `stages.set_stages` takes it; no arena, which waits for the clock.
    """
    code = new_code()
    names = [f"sim-{code}-{number:0{len(str(players))}}" for number in range(1, players + 1)]
    Player.objects.bulk_create(Player(username=n, is_bot=True, password=make_password(None)) for n in names)
    league = life.create_tournament(
        actor=None,
        name=f"Simulated league {code}",
        slug=f"sim-{code}",
        rules=rules,
        stages=[stage],
        seed=seed,
        visibility=Tournament.Visibility.UNLISTED,
    )
    life.open_registration(slug=league.slug, actor=None)
    entries.enter_many(slug=league.slug, actor=None, names=names)
    return life.start(slug=league.slug, actor=None)


def play_league(
    league: Tournament, level: str, seed: int, done: Callable[[], object], processes: int = 1
) -> None:
    """Play every round and finish; calls `done` after each match. Cards follow from `seed`.

    The tables of a round are shared out to processes; how many makes no difference to the results.
    """
    with tasks_at_once(), _runner(processes) as run:
        while not is_complete(league.stages.get()):
            played = _publish(league, seed)
            tables = [
                (table.match_id, level, f"{seed}:{played.number}:{table.number}")
                for table in played.tables.all()
            ]
            for _ in run(play_and_record, *zip(*tables, strict=True)):
                done()
            rate_finished()
            rounds.close_round(slug=league.slug, number=played.number, actor=None)
    life.finish(slug=league.slug, actor=None)


def _publish(league: Tournament, seed: int) -> Round:
    number = rounds.draw_round(slug=league.slug, actor=None).number

    def secret_for(table: Table) -> bytes:
        return hashlib.sha256(f"{seed}:{number}:{table.number}".encode()).digest()

    return rounds.publish_round(slug=league.slug, number=number, actor=None, secret_for=secret_for)


@contextmanager
def _runner(processes: int) -> Iterator[Callable[..., Iterable[None]]]:
    """`map`, by as many processes: the moves take a core of Python, not of the database."""
    if processes == 1:
        yield map
        return
    with ProcessPoolExecutor(processes, get_context("spawn"), initializer=django.setup) as pool:
        yield pool.map


def play_and_record(match_id: int, level: str, luck: str) -> None:
    """Play one match to its end and record it at its table."""
    with tasks_at_once():
        play_match(Match.objects.get(pk=match_id), level, random.Random(luck))
    record_match(match_id)


def play_match(match: Match, level: str, rng: random.Random) -> None:
    """Play a running match to its end: `level` decides for every player who is there, and he acts himself.

    House bots, and those who play on for who has left, move as they always do.
    """
    choose = LEVELS[level]
    seats = match.seats.filter(player__isnull=False, away_since=None).select_related("player")
    players = {seat.index: seat.player for seat in seats if seat.player}
    match, state = _now(match)
    while match.status == Match.Status.RUNNING:
        seat = next((seat for seat in to_act(state) if seat in players), None)
        if seat is None:
            play_bot_move(match.pk, limit=BATCH)
            match, state = _now(match)
            continue
        text = action_text(choose(view(state, seat), legal_actions(state, seat), rng))
        done = submit_action(
            match_code=match.code, player=players[seat], action_text=text, version=state.version
        )
        match, state = done.match, done.position.state


def _now(match: Match) -> tuple[Match, State]:
    fresh = Match.objects.get(pk=match.pk)
    return fresh, position(fresh, list(fresh.deals.all()))[0].state


@contextmanager
def tasks_at_once() -> Iterator[None]:
    """Tasks run where they are queued, without a word: no worker is needed, and none gets a message."""
    before, log = current_app.conf.task_always_eager, logging.getLogger("celery.app.trace")
    current_app.conf.task_always_eager = True
    log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        current_app.conf.task_always_eager = before
        log.setLevel(logging.NOTSET)


def report(league: Tournament) -> dict[str, Any]:
    """Standings with ratings and the results of every table, JSON-able."""
    ratings = selectors.ratings_of(league)
    lines = selectors.standings_of(league)
    return {
        "tournament": league.slug,
        "rules": league.rules,
        "seed": league.seed,
        "matches": Match.objects.filter(table__round__tournament=league).count(),
        "standings": [_line(league, line, ratings) for line in lines],
        "rounds": [_tables(round_) for round_ in league.rounds.all()],
    }


def _line(league: Tournament, line: selectors.Line, ratings: dict[int, Rating]) -> dict[str, Any]:
    rating = ratings.get(line.entry.player_id)
    return {
        "rank": line.standing.rank,
        "player": line.entry.player.username,
        "number": _number(line.entry.player),
        "played": line.standing.played,
        "values": dict(zip(league.metrics, map(as_number, line.standing.values), strict=True)),
        "rating": None if rating is None else round(rating.value, 1),
    }


def _tables(round_: Round) -> list[dict[str, Any]]:
    """Of each table the numbers of its players in seat order (None: a house bot), and its scores."""
    return [
        {
            "players": [seat.player and _number(seat.player) for seat in table.seats.all()],
            "scores": table.match and table.match.totals,
        }
        for table in selectors.tables_of(round_)
    ]


def _number(player: Player) -> int:
    return int(player.username.rpartition("-")[2])

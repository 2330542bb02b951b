"""Overdue turns are acted on once each: by sweeps at once, beside moves, and after a stop of the server."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Event

import pytest
from django.utils import timezone

from games.engine import Phase, State
from games.models import Match, Player
from games.selectors import events_after, stored_match
from games.services import matches, moves
from games.tasks import sweep
from tests.games.play import act, act_until, at_once, in_play, state_of
from tests.games.test_tasks import wait_until
from tests.processes import Process
from trix_site.celery import app
from trix_site.common.errors import Conflict

pytestmark = pytest.mark.django_db(transaction=True)

CHOOSES, DOUBLES, PLAYS = "chooses", "doubles", "plays"


@pytest.fixture
def cast(transactional_db) -> list[Player]:
    return [Player.objects.create_user(name) for name in ("amal", "basil", "كارلا", "daoud")]


def begin(cast: list[Player], waits_for: str, **options) -> Match:
    """A match with five minutes for anything, where somebody chooses, is asked to double, or plays."""
    clocks = {"clock_choose": 300, "clock_double": 300, "clock_play": 300}
    match = matches.create_match(rules="dananeer", options={}, seats=cast, **(clocks | options))
    if waits_for == DOUBLES:
        act(match, "choose queens")
    if waits_for == PLAYS:
        act_until(match, in_play)
    return match


def is_overdue(match: Match) -> None:
    """As if the clock had been shorter."""
    Match.objects.filter(pk=match.pk).update(deadline=timezone.now() - timedelta(seconds=1))


def choose(match: Match, player: Player, contract: str) -> str:
    """What the answer is: the version after it, or the refusal's code."""
    try:
        done = moves.submit_action(
            match_code=match.code, player=player, action_text=f"choose {contract}", version=0
        )
    except Conflict as refusal:
        return refusal.code
    return str(done.version)


def away(match: Match) -> list[int]:
    return [seat.index for seat in match.seats.all() if seat.away_since]


def check_acted_once(match: Match, waited_for: str, before: State, bots_played: bool) -> None:
    """What happens to the silent has happened, and nothing else."""
    state = state_of(match)
    taken = len(state.log) - len(before.log)
    if waited_for == CHOOSES:
        assert (state.version, taken, state.contract.text) == (1, 1, "king")
    elif waited_for == DOUBLES:
        assert (state.version, state.phase, state.doubled) == (before.version + 1, Phase.PLAY, {})
    else:
        assert (state.version, taken) == ((before.version + 1, 1) if bots_played else (before.version, 0))
    assert away(match) == ([before.turn] if waited_for == PLAYS else [])
    assert len(list(events_after(stored_match(match.code), None, 0))) == state.version


@pytest.mark.parametrize("waits_for", [CHOOSES, DOUBLES, PLAYS])
def test_sweeps_at_once_act_once(cast, waits_for):
    for _ in range(6):
        match = begin(cast, waits_for)
        before = state_of(match)
        is_overdue(match)
        at_once([sweep] * 4)
        check_acted_once(match, waits_for, before, bots_played=False)


def test_a_sweep_and_a_move_at_once_are_one_action(cast):
    """Who gets the lock first decides: the move is taken, or it is stale, and never both."""
    for count in range(40):
        match = begin(cast, CHOOSES, clock_double=None)
        is_overdue(match)
        choose_trix = partial(choose, match, cast[state_of(match).turn], "trix")
        calls = [choose_trix, sweep] if count % 2 else [sweep, choose_trix]
        answer = next(filter(None, at_once([*calls, sweep])))
        state = state_of(match)
        assert (answer, state.contract.text) in {("1", "trix"), ("stale_version", "king")}
        assert (state.version, len(state.log)) == (1, 1)


def test_a_sweep_that_saw_a_turn_does_not_act_on_the_next(cast):
    """The move was in time after all, and by then the next turn is overdue too: the next sweep's."""
    match = begin(cast, PLAYS)
    seen = state_of(match).version
    is_overdue(match)
    act(match)
    is_overdue(match)
    assert not moves.expire(match.pk, seen)
    assert (away(match), state_of(match).version) == ([], seen + 1)
    assert moves.expire(match.pk, seen + 1)


def test_a_sweep_waits_for_a_move_that_has_the_lock_and_then_finds_nothing_to_do(cast, monkeypatch):
    match = begin(cast, PLAYS)
    before = state_of(match)
    is_overdue(match)
    locked, sweeping = Event(), Event()
    real = moves.choose

    def slowly(table, seat):
        locked.set()
        assert sweeping.wait(30)
        return real(table, seat)

    monkeypatch.setattr(moves, "choose", slowly)

    def play() -> None:
        match.seats.filter(index=before.turn).update(away_since=timezone.now())
        moves.play_bot_move(match.pk)

    def sweep_meanwhile() -> None:
        assert locked.wait(30)
        sweeping.set()
        sweep()

    at_once([play, sweep_meanwhile])
    state = state_of(match)
    assert (state.version, away(match)) == (before.version + 1, [before.turn])
    assert Match.objects.get(pk=match.pk).deadline > timezone.now()


# After a stop of the server


@pytest.fixture
def start_server(database_environment, transactional_db, tmp_path) -> Iterator[Callable[[], list[Process]]]:
    """Two workers and beat, as `make run` has them; they end with the test."""
    app.control.purge()
    quiet = ["--loglevel=INFO", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    celery = ["-m", "celery", "-A", "trix_site"]
    commands = [[*celery, "worker", f"--hostname={number}@%h", *quiet] for number in (1, 2)]
    started = [Process(command, database_environment, " ready.") for command in commands]
    beat = [*celery, "beat", "--loglevel=INFO", "--schedule", str(Path(tmp_path) / "beat")]
    started.append(Process(beat, database_environment, "beat: Starting..."))

    def start() -> list[Process]:
        for process in started:
            process.launch()
        for process in started:
            process.wait_for(process.ready, 60)
        return started[:2]

    yield start
    for process in started:
        if hasattr(process, "process"):
            process.kill()


def sweeps_done(workers: list[Process]) -> int:
    lines = [line for worker in workers for line in worker.output.splitlines()]
    return sum("games.tasks.sweep" in line and "succeeded" in line for line in lines)


@pytest.mark.broker
def test_turns_that_fell_overdue_while_nothing_ran_are_acted_on_once_each(cast, clock, start_server):
    """Their time was over a minute ago; two workers and beat start, and sweep at once."""
    clock.time = datetime.now(UTC) - timedelta(seconds=360)
    kinds = [(kind, rule) for kind in (CHOOSES, DOUBLES, PLAYS) for rule in ("bot", "wait")] * 4
    started = [begin(cast, kind, on_timeout=rule) for kind, rule in kinds]
    app.control.purge()  # What was sent is lost as well.
    waiting = [kind == PLAYS and rule == "wait" for kind, rule in kinds]
    before = [state_of(match) for match in started]

    def done() -> bool:
        return all(
            waits or state_of(match).version > was.version
            for match, was, waits in zip(started, before, waiting, strict=True)
        )

    workers = start_server()
    wait_until(done)
    swept = sweeps_done(workers)
    wait_until(lambda: sweeps_done(workers) >= swept + 3)

    for match, was, (kind, _), waits in zip(started, before, kinds, waiting, strict=True):
        if waits:
            assert (state_of(match), away(match)) == (was, [])
        else:
            check_acted_once(match, kind, was, bots_played=True)


@pytest.mark.broker
def test_matches_whose_players_are_all_silent_are_played_to_their_ends(cast, start_server):
    """A second for each action, and none comes: each seat goes to a bot once, and no turn is skipped."""
    clocks = {"clock_choose": 1, "clock_double": 1, "clock_play": 1}
    started = [
        matches.create_match(rules="cardkings-complex", options={}, seats=cast, **clocks) for _ in range(4)
    ]
    start_server()
    wait_until(lambda: not Match.objects.exclude(status="finished").exists())
    for match in started:
        assert away(match) == [0, 1, 2, 3]
        versions = [event.state.version for event in events_after(stored_match(match.code), None, 0)]
        assert versions == list(range(1, state_of(match).version + 1))

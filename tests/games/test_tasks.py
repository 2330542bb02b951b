"""Bots' turns and the sweep, with a real worker where messages and their loss are the point."""

import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from games import tasks
from games.engine import Phase, action_text, legal_actions
from games.models import Match
from games.services import matches, moves
from games.signals import match_finished, match_started
from games.tasks import play_bots, sweep
from tests.games.play import secret_where, state_of

SECONDS = 90


def wait_until(done: Callable[[], bool], meanwhile: Callable[[], object] = lambda: None) -> None:
    limit = time.monotonic() + SECONDS
    while not done():
        assert time.monotonic() < limit, "it never happened"
        meanwhile()
        time.sleep(0.05)


def bots_match(**options) -> Match:
    return matches.create_match(rules="cardkings-complex", options={}, seats=["random"] * 4, **options)


def unfinished() -> int:
    return Match.objects.exclude(status="finished").count()


def bots_are_overdue() -> None:
    """As if the grace time had passed."""
    Match.objects.filter(bots_due__isnull=False).update(bots_due=timezone.now() - timedelta(seconds=1))


@pytest.mark.django_db(transaction=True)
def test_a_worker_plays_a_match_of_bots_to_its_end(celery_worker_process):
    bots_match()
    wait_until(lambda: unfinished() == 0)


@pytest.mark.django_db(transaction=True)
def test_a_worker_plays_until_a_person_is_to_act_and_goes_on_after_him(celery_worker_process, cast):
    match = matches.create_match(
        rules="eram",
        options={},
        seats=[cast[0], "random", "random", "random"],
        secret=secret_where(1, "eram"),
    )

    def amal_is_to_act() -> bool:
        state = state_of(match)
        return state.turn == 0 and state.phase is Phase.PLAY

    wait_until(amal_is_to_act)
    version = state_of(match).version
    assert moves.play_bot_move(match.pk).taken == 0
    moves.submit_action(match_code=match.code, player=cast[0], action_text=_legal(match), version=version)
    wait_until(lambda: state_of(match).version > version + 1 and amal_is_to_act())


def _legal(match) -> str:
    state = state_of(match)
    return action_text(legal_actions(state, state.turn)[0])


@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_loses_nothing(celery_worker_process):
    """SIGKILL while 20 matches play; a new worker and the sweep finish them all, each action once."""
    for _ in range(20):
        bots_match()
    wait_until(lambda: Match.objects.filter(version__gt=100).exists())
    celery_worker_process.kill()
    assert unfinished() > 0
    celery_worker_process.start()
    bots_are_overdue()
    sweep()
    wait_until(lambda: unfinished() == 0)
    for match in Match.objects.all():
        assert match.deals.count() == 8 and sum(match.totals) == 0
        assert state_of(match).version == match.version


@pytest.mark.django_db(transaction=True)
def test_without_a_worker_the_sweep_calls_again_but_once_at_a_time(monkeypatch, transactional_db):
    called = []
    monkeypatch.setattr("games.tasks.queue_bots", lambda match: called.append(match.pk))
    match = bots_match()
    sweep()
    assert called == []
    for times in (1, 2):
        bots_are_overdue()
        sweep()
        sweep()
        assert called == [match.pk] * times


def test_a_task_ends_quietly_where_someone_was_quicker(db):
    match = bots_match()
    play_bots(match.pk, 5)
    assert state_of(match).version == 0
    play_bots(match.pk + 1000, 0)


def test_slow_bots_are_interrupted_between_transactions_and_between_tables(db, monkeypatch):
    queued = []
    monkeypatch.setattr(play_bots, "apply_async", lambda args, countdown: queued.append(args))
    match = bots_match()
    monkeypatch.setattr(tasks, "SHARE", 0)
    play_bots(match.pk, 0)
    assert queued == [(match.pk, tasks.BATCH)]
    monkeypatch.setattr(tasks, "THOUGHT", 0)
    play_bots(*queued[0])
    assert queued[1:] == [(match.pk, tasks.BATCH + 1)]


def test_a_task_plays_a_whole_match_in_a_few_rounds(db, monkeypatch):
    queued = []
    monkeypatch.setattr(play_bots, "apply_async", lambda args, countdown: queued.append((args, countdown)))
    match = bots_match()
    play_bots(match.pk, 0)
    while queued and unfinished():
        args, countdown = queued.pop()
        assert countdown == 0
        play_bots(*args)
    assert Match.objects.get().status == "finished"


def test_where_bots_pause_a_task_plays_one_action_and_queues_the_next(cast, monkeypatch):
    queued = []
    monkeypatch.setattr(play_bots, "apply_async", lambda args, countdown: queued.append((args, countdown)))
    match = bots_match(bot_delay=2)
    play_bots(match.pk, 0)
    assert state_of(match).version == 1
    assert queued == [((match.pk, 1), 2)]


def test_bots_that_pause_are_overdue_later(cast):
    now = timezone.now()
    slow, quick = bots_match(bot_delay=60), bots_match()
    assert slow.bots_due - quick.bots_due > timedelta(seconds=59)
    assert quick.bots_due > now


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_down_costs_no_move(cast, transactional_db, monkeypatch, caplog):
    """The move is stored and answered; the bots are called by the next sweep."""

    def down(*args, **options):
        raise ConnectionError("the broker is down")

    monkeypatch.setattr(play_bots, "apply_async", down)
    match = matches.create_match(
        rules="eram", options={}, seats=[cast[0], *["random"] * 3], secret=secret_where(0, "eram")
    )
    done = moves.submit_action(match_code=match.code, player=cast[0], action_text="choose trix", version=0)
    assert done.version == 1
    version = act_version(match, cast[0])
    assert Match.objects.get(pk=match.pk).version == version
    assert "the broker is down" in caplog.text


def act_version(match, player) -> int:
    """The player takes his first legal action if it is his turn; the version after it."""
    if state_of(match).turn == 0:
        moves.submit_action(
            match_code=match.code, player=player, action_text=_legal(match), version=state_of(match).version
        )
    return state_of(match).version


@pytest.mark.django_db(transaction=True)
def test_the_start_and_the_end_of_a_match_are_told_after_commit(transactional_db):
    told = []

    def on_start(match_id, **_):
        told.append(("started", match_id, Match.objects.get(pk=match_id).status))

    def on_finish(match_id, **_):
        told.append(("finished", match_id, Match.objects.get(pk=match_id).status))

    match_started.connect(on_start)
    match_finished.connect(on_finish)
    try:
        match = bots_match()
        while moves.play_bot_move(match.pk, limit=100).bots_pending:
            assert len(told) == 1
    finally:
        match_started.disconnect(on_start)
        match_finished.disconnect(on_finish)
    assert told == [("started", match.pk, "running"), ("finished", match.pk, "finished")]


@pytest.mark.django_db(transaction=True)
def test_a_receiver_that_fails_costs_neither_the_match_nor_the_other_receivers(transactional_db, caplog):
    told = []

    def broken(**_):
        raise RuntimeError("no ratings today")

    def told_too(match_id, **_):
        told.append(match_id)

    match_finished.connect(broken)
    match_finished.connect(told_too)
    try:
        match = bots_match()
        while moves.play_bot_move(match.pk, limit=100).bots_pending:
            pass
    finally:
        match_finished.disconnect(broken)
        match_finished.disconnect(told_too)
    assert told == [match.pk]
    assert "no ratings today" in caplog.text
    assert Match.objects.get().status == "finished"

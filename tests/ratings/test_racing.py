"""Real threads on real connections: whatever the order of messages, each match is rated once, in order."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction

from games.models import Match
from games.signals import match_finished
from ratings import recalculations, services
from ratings.models import LedgerMatch, RatingChange
from ratings.tasks import rate_finished
from tests.ratings.tables import finished, ledger, people, pool, ratings
from trix_site.celery import app

pytestmark = pytest.mark.django_db(transaction=True)

FOUR = ("amal", "basil", "carla", "daoud")
TOTALS = (300, 100, -100, -300)
DEADLINE = 20


def at_once(jobs: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run all jobs together, each on a connection of its own; their results, or the first error."""
    gate = threading.Barrier(len(jobs))

    def run(job: Callable[[], Any]) -> Any:
        try:
            connection.ensure_connection()
            gate.wait(DEADLINE)
            return job()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as threads:
        return list(threads.map(run, jobs))


def wait_until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE
    while not done():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def shuffled_people(number: int):
    names = list(FOUR)
    random.Random(number).shuffle(names)
    return people(*names)


def test_three_racing_tasks_rate_a_match_once():
    finished(people(*FOUR), TOTALS)
    assert sorted(at_once([services.rate_finished] * 3)) == [0, 0, 1]
    assert RatingChange.objects.count() == 4
    assert LedgerMatch.objects.count() == 1


def test_matches_that_finish_together_are_rated_one_after_the_other():
    """Each thread finishes a match and rates, as a worker does; no two start from the same ratings."""
    tables = [shuffled_people(number) for number in range(8)]

    def finish_and_rate(number: int) -> None:
        finished(tables[number], TOTALS, minute=number)
        rate_finished()

    at_once([partial(finish_and_rate, number) for number in range(8)])
    for name in FOUR:
        rows = list(RatingChange.objects.filter(player__username=name).order_by("n"))
        assert [row.n for row in rows] == list(range(8))
        assert all(one.after == two.before for one, two in pairwise(rows))
    assert sum(ratings().values()) == 4 * 1500
    live = ledger()
    assert recalculations.rebuild().moves == {}
    assert ledger() == live


def test_the_order_of_arrival_leaves_no_trace():
    """The same matches, announced in two orders by racing tasks, give the same ratings to the last bit."""
    for number in range(6):
        finished(shuffled_people(number), TOTALS, minute=6 - number)
    at_once([rate_finished] * 4)
    raced = ledger()
    by_finish = Match.objects.order_by("finished_at").values_list("pk", flat=True)
    assert list(LedgerMatch.objects.values_list("match", flat=True)) == list(by_finish)
    recalculations.rebuild()
    assert ledger() == raced


def test_a_match_that_commits_after_a_later_one_was_rated():
    early, late = people(*FOUR), people(*reversed(FOUR))
    written, rated = threading.Event(), threading.Event()

    def finish_slowly() -> None:
        with transaction.atomic():
            finished(early, TOTALS, minute=1)
            written.set()
            assert rated.wait(DEADLINE)
        rate_finished()

    def overtake() -> None:
        assert written.wait(DEADLINE)
        finished(late, TOTALS, minute=2)
        rate_finished()
        rated.set()

    at_once([finish_slowly, overtake])
    minutes = LedgerMatch.objects.values_list("match__finished_at__minute", flat=True)
    assert list(minutes) == [2, 1]
    live = ledger()
    assert len(live) == 8
    assert recalculations.rebuild().moves == {}
    assert ledger() == live


def test_a_rating_waits_for_a_rebuild_and_is_part_of_the_result():
    finished(people(*FOUR), TOTALS)
    services.rate_finished()
    finished(people(*FOUR), TOTALS, minute=1)
    at_once([recalculations.rebuild, rate_finished, recalculations.rebuild])
    assert RatingChange.objects.filter(pool=pool("classic")).count() == 8
    assert recalculations.rebuild().moves == {}


class TestTasks:
    def test_a_real_worker_rates_whatever_messages_come(self, celery_worker_process):
        """Three messages a match, in any order; the first match has lost its own."""
        matches = [finished(shuffled_people(number), TOTALS, minute=number) for number in range(10)]
        messages = [match.pk for match in matches[1:]] * 3
        random.Random(1).shuffle(messages)
        for match_id in messages:
            match_finished.send_robust(sender=Match, match_id=match_id)
        wait_until(lambda: LedgerMatch.objects.count() == 10)
        assert list(LedgerMatch.objects.values_list("match", flat=True)) == [match.pk for match in matches]
        assert RatingChange.objects.count() == 40
        assert recalculations.rebuild().moves == {}

    def test_a_broker_that_is_down_does_not_reach_the_move(self, monkeypatch):
        def refuse(*_: object, **__: object) -> None:
            raise ConnectionError("no broker")

        monkeypatch.setattr(rate_finished, "delay", refuse)
        match_finished.send_robust(sender=Match, match_id=1)

    def test_the_beat_finds_a_match_whose_message_was_lost(self):
        finished(people(*FOUR), TOTALS)
        app.tasks[str(settings.CELERY_BEAT_SCHEDULE["ratings.sweep"]["task"])]()
        assert LedgerMatch.objects.count() == 1

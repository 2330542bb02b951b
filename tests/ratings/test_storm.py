"""Everything at once over real workers; and what no number of matches may alter."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

import pytest

from games.engine.cards import SEAT_NAMES
from games.models import Match
from games.signals import match_finished
from ratings import fold, recalculations
from ratings.fold import Facts, PoolRules, Sitter
from ratings.maths import SCHEDULE, START
from ratings.models import LedgerMatch, Rating, RatingChange, Recalculation
from ratings.recalculations import annul, restore
from ratings.tasks import rate_finished, recalculate
from tests.processes import Process
from tests.ratings.tables import HOUSE, NOON, finished, ledger, people, ratings
from tests.ratings.test_racing import at_once, wait_until
from trix_site.common.errors import Conflict

NAMES = tuple(f"player {number}" for number in range(12))
RULES = ("dananeer", "cardkings-complex", "cardkings-partners")
TABLES, MATCHES = 6, 20
WORKERS = 3


@contextmanager
def workers(first: Process) -> Iterator[list[Process]]:
    """The worker of the fixture and others like it."""
    others = [Process(first.command[1:], first.environment, first.ready) for _ in range(WORKERS - 1)]
    try:
        for each in others:
            each.start()
        yield [first, *others]
    finally:
        for each in others:
            each.kill()


def play(table: int) -> None:
    """Finish matches, some at the same moment as those of other tables; each is announced up to three times,
    late, or never.
    """
    luck = random.Random(table)
    late: list[int] = []
    for number in range(MATCHES):
        sitters = people(*luck.sample(NAMES, 4))
        seats = [HOUSE if luck.random() < 0.2 else sitter for sitter in sitters]
        totals = [luck.randrange(-300, 300) for _ in range(4)]
        gone = [name for name, seat in zip(SEAT_NAMES, seats, strict=True) if seat != HOUSE]
        left = "".join(name for name in gone if luck.random() < 0.1)
        match = finished(seats, totals, number // 3, luck.choice(RULES), left)
        late += [match.pk] * luck.randrange(4)
        luck.shuffle(late)
        while late and luck.random() < 0.7:
            match_finished.send_robust(sender=Match, match_id=late.pop())
    for pk in late:
        match_finished.send_robust(sender=Match, match_id=pk)


def annul_and_restore() -> None:
    """Of the matches that are rated so far, annul one here and there, and restore some."""
    luck = random.Random(99)
    for _ in range(8):
        wait_until(lambda: LedgerMatch.objects.filter(reason=LedgerMatch.Reason.RATED).exists())
        entry = luck.choice(list(LedgerMatch.objects.all()))
        act = restore if entry.reason == LedgerMatch.Reason.ANNULLED else annul
        try:
            act([entry], None, "drawn by lot")
        except Conflict as refused:
            assert refused.code in ("recalculation_waiting", "already_annulled", "not_annulled")


def rated_more_than(number: int) -> bool:
    return LedgerMatch.objects.count() > number


@pytest.mark.django_db(transaction=True)
def test_a_rebuild_equals_what_came_out_of_a_storm(celery_worker_process):
    """Matches that finish together, messages twice, out of order and lost, annulments, two workers killed."""
    with workers(celery_worker_process) as running:
        stop = threading.Event()

        def kill_two() -> None:
            for share, victim in zip((4, 2), running, strict=False):
                wait_until(partial(rated_more_than, TABLES * MATCHES // share))
                victim.kill()
            stop.set()

        at_once([*(partial(play, table) for table in range(TABLES)), annul_and_restore, kill_two])
        assert stop.is_set()
        rate_finished.delay()  # As the beat does.
        recalculate.delay()
        wait_until(lambda: LedgerMatch.objects.count() == TABLES * MATCHES)
        wait_until(lambda: not Recalculation.objects.exclude(state="done").exists())

    live = {slug: ratings(slug) for slug in ("classic", "complex", "partners")}
    book = ledger()
    assert LedgerMatch.objects.filter(reason=LedgerMatch.Reason.ANNULLED).exists()
    assert all(len(found) == len(NAMES) for found in live.values())
    assert all(sum(found.values()) == START * len(NAMES) for found in live.values())
    assert recalculations.rebuild().moves == {}
    assert ledger() == book
    assert {slug: ratings(slug) for slug in live} == live
    assert Rating.objects.count() == 3 * len(NAMES)
    assert len(book) == RatingChange.objects.count()


def test_the_sum_of_a_pool_grows_by_newcomers_alone_over_100_000_matches():
    """Asked for is 1e-9; it is exact."""
    luck = random.Random(1)
    pools = {("classic", False): PoolRules(1, SCHEDULE)}
    book: fold.Book = {}
    for number in range(100_000):
        newest = 4 + number // 50
        players = luck.sample(range(newest), 4)
        totals = [luck.randrange(-20, 20) for _ in range(4)]
        sitters = [Sitter(seat, player, luck.random() < 0.02) for seat, player in enumerate(players)]
        at = NOON + timedelta(minutes=number)
        fold.rate(Facts(number, number, at, "classic", totals, sitters), pools, book)
    values = [standing.value for standing in book.values()]
    assert len(values) > 1900
    assert sum(values) == START * len(values)
    assert max(values) - min(values) > 100

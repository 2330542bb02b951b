"""Analyses of matches that are over: asked for once, and made in the background, deal by deal.

One match is analysed at a time, with a rest after each deal for as long as it took, so that bots at the
tables have all workers to themselves half of the time; the others wait in line. What was begun and did not
end is found by the sweeper: a deal that is begun three times in vain makes the analysis fail, until somebody
asks again.
"""

import logging
from datetime import timedelta
from importlib.util import find_spec
from time import perf_counter

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.bots.decisions import pack
from games.models import Analysis, Match, Player
from games.positions import open_position
from games.selectors import published_secret, visible_match
from games.services.refusals import wrong_status
from games.services.tables import GRACE
from trix_site.common.errors import Conflict

log = logging.getLogger(__name__)

AT_ONCE = 1
MOST_TRIES = 3
# Longer than a task can take: who has begun a deal and not ended it by then is gone.
GONE = timedelta(seconds=settings.TASK_SECONDS + 30)

ASKED, READY, FAILED = Analysis.State.ASKED, Analysis.State.READY, Analysis.State.FAILED


def ask(*, match_code: str, player: Player) -> Analysis:
    """Have a match analysed that is over; harmless if it was, or is being.

    Raises Missing, or Conflict: the match is not over, its cards are still played elsewhere, or there are no
    compiled bots here.
    """
    return ask_for(visible_match(match_code, player))


def ask_for(match: Match) -> Analysis:
    """The same for a match that was read. Raises Conflict."""
    if match.status in Match.UNFINISHED or not match.deal_number:
        raise wrong_status(match, "finished")
    if published_secret(match) is None:
        raise Conflict(
            "cards_in_play", "These cards are still played at other tables: ask once they are over."
        )
    if find_spec("numba") is None:
        raise Conflict("analysis_unavailable", "This server has no numba, without which nothing is analysed.")
    with transaction.atomic():
        analysis, _ = Analysis.objects.get_or_create(match=match)
        again = Analysis.objects.filter(pk=match.pk, state=FAILED)
        if again.update(state=ASKED, tries=0, asked_at=timezone.now()):
            analysis.refresh_from_db()
        transaction.on_commit(call_next, robust=True)
    return analysis


def call_next() -> None:
    """Go on with what waits: with what has stopped, or, if nothing is being analysed, with the next in line.

    Whoever moves ``due_at`` calls: two at once call once.
    """
    now = timezone.now()
    asked = Analysis.objects.filter(state=ASKED)
    waiting = Q(due_at=None) | Q(due_at__lte=now)
    for match_id in asked.filter(waiting, tries__gte=MOST_TRIES).values_list("pk", flat=True):
        if asked.filter(waiting, pk=match_id, tries__gte=MOST_TRIES).update(state=FAILED, due_at=None):
            log.error("The analysis of match %s was begun %s times and never ended", match_id, MOST_TRIES)
    room = AT_ONCE - asked.filter(due_at__gt=now).count()
    for analysis in asked.filter(waiting).order_by("asked_at")[: max(0, room)]:
        if asked.filter(waiting, pk=analysis.pk).update(due_at=now + GRACE):
            _queue(analysis.pk, len(analysis.deals), analysis.tries)


def make_next_deal(match_id: int, done: int, tries: int) -> None:
    """Analyse the deal after the first ``done``, and queue what comes next.

    Ends quietly where the analysis is not there any more, or somebody has begun this try of this deal.
    """
    stored = Analysis.objects.filter(pk=match_id, state=ASKED, deals__len=done)
    begun = {"tries": tries + 1, "due_at": timezone.now() + GONE}
    if not stored.filter(tries=tries).update(**begun):
        return
    match, started = Match.objects.get(pk=match_id), perf_counter()
    try:
        packed = _analysed(match, done)
    except Exception:
        log.exception("Deal %s of match %s could not be analysed", done + 1, match_id)
        stored.update(state=FAILED, due_at=None)
        call_next()
        return
    _store(match, done, packed, rest=perf_counter() - started)


def _analysed(match: Match, done: int) -> bytes:
    from games.bots.analysis import deal_decisions  # It needs numba.

    deals = list(match.deals.all()[: done + 1])
    return pack(deal_decisions(open_position(match, deals), deals[-1].actions, match.secret))


def _store(match: Match, done: int, packed: bytes, rest: float) -> None:
    """Add a deal, and after so many seconds have the next one made."""
    now = timezone.now()
    with transaction.atomic():
        analysis = (
            Analysis.objects.select_for_update(no_key=True)
            .filter(pk=match.pk, state=ASKED, deals__len=done)
            .first()
        )
        if analysis is None:  # Another try was quicker; it has found the same.
            return
        analysis.deals.append(packed)
        analysis.tries = 0
        ready = len(analysis.deals) == match.deals.count()
        if ready:
            analysis.state, analysis.done_at, analysis.due_at = READY, now, None
        else:
            analysis.due_at = now + timedelta(seconds=rest) + GRACE
            _queue(match.pk, len(analysis.deals), 0, rest)
        analysis.save()
    if ready:
        call_next()


def _queue(match_id: int, done: int, tries: int, rest: float = 0) -> None:
    """Call a worker after commit. A lost message, or a broker that is down, costs time and nothing else."""
    from games.tasks import analyse  # A task calls services, so it cannot be imported above.

    def send() -> None:
        analyse.apply_async((match_id, done, tries), countdown=rest)

    transaction.on_commit(send, robust=True)

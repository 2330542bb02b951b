"""Background work: bots' turns, and the sweep for what messages lost. Every task may run twice."""

import logging
from time import monotonic

from celery import shared_task
from django.utils import timezone

from games.models import Match
from games.services import accounts, analyses, deliveries
from games.services.bots import queue_bots
from games.services.closing import closed_with_rest, leave_everything
from games.services.moves import expire, play_bot_move
from games.services.passwords import send_reset
from games.services.tables import GRACE
from trix_site.common import throttling
from trix_site.common.errors import Missing

log = logging.getLogger(__name__)

# A batch is one transaction: meanwhile nobody else can act at the table, and nobody sees what was played.
# It ends after so many actions, or with the one in which bots have thought for so many seconds.
BATCH, THOUGHT = 16, 0.05
# After so many seconds a task queues itself again, so that a worker with many tables is fair to all.
SHARE = 0.2


@shared_task
def play_bots(match_id: int, version: int) -> None:
    """Play on for the bots of a match until a person is to act or the match is over.

    Ends quietly where the match is no longer at this version: someone else was quicker.
    """
    ends = monotonic() + SHARE
    while True:
        try:
            turn = play_bot_move(match_id, version, limit=BATCH, seconds=THOUGHT)
        except Missing:  # It was deleted.
            return
        if not turn.taken or not turn.bots_pending:
            return
        version = turn.version
        if turn.pause or monotonic() > ends:
            break
    play_bots.apply_async((match_id, version), countdown=turn.pause)


@shared_task
def sweep() -> None:
    """Act where the clock has run out, and call bots and analyses again that should have gone on by now."""
    now = timezone.now()
    running = Match.objects.filter(status=Match.Status.RUNNING)
    for match_id, version in running.filter(deadline__lte=now).values_list("pk", "version"):
        _expire(match_id, version)
    for match in running.filter(bots_due__lte=now):
        # Whoever moves the time calls them: two sweeps at once call once.
        later = timezone.now() + GRACE
        if running.filter(pk=match.pk, bots_due=match.bots_due).update(bots_due=later):
            queue_bots(match)
    analyses.call_next()


def _expire(match_id: int, version: int) -> None:
    """One match that cannot be played on must not keep the sweep from the others."""
    try:
        expire(match_id, version)
    except Exception:
        log.exception("The overdue turn of match %s could not be taken", match_id)


@shared_task
def analyse(match_id: int, done: int, tries: int) -> None:
    """Analyse one more deal of a match, about a second, and queue the next."""
    analyses.make_next_deal(match_id, done, tries)


@shared_task
def deliver() -> None:
    """Send what is due to webhooks. A message is a wake-up; beat sends some, for those that are lost."""
    if deliveries.send_due():
        deliver.delay()


@shared_task
def mail_resets(players: list[int]) -> None:
    """Have each of these accounts, or of none, sent its link for a new password."""
    for player in players:
        mail_reset.delay(player)


@shared_task(autoretry_for=(OSError,), retry_backoff=5, max_retries=5)
def mail_reset(player: int) -> None:
    """Send one account its link; again a little later where the mail server is away."""
    send_reset(player)


@shared_task
def sweep_closed() -> None:
    """Do for closed accounts what the web process could not after their deletion."""
    for account in closed_with_rest():
        leave_everything(account)


@shared_task
def tidy() -> None:
    """Drop what is of no more use: expired tokens, answers of yesterday's creating calls, old deliveries
    and counts.
    """
    accounts.forget_old()
    deliveries.forget_old()
    throttling.sweep()

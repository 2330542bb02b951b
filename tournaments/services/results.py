"""Results of tables: played ones arrive by themselves, organisers enter or correct others by hand."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from games.models import Match, Player
from games.services.matches import stop
from tournaments.models import Round, Table, TableResult, Tournament
from tournaments.organisers import Right
from tournaments.services.audit import audit
from tournaments.services.locks import (
    lock_as,
    lock_round,
    lock_table,
    lock_tournament,
    require_state,
)
from tournaments.services.news import announce_result
from trix_site.common.errors import BadRequest, Conflict
from trix_site.common.lines import check_line

State = Tournament.State
LARGEST_SCORE = 100_000


def record_match(match_id: int) -> TableResult | None:
    """Record the result of a finished match at its table, once, whoever asks and however often.

    A result entered by hand before stays. None if the match is at no table or not over.
    """
    table = Table.objects.select_related("round__tournament").filter(match_id=match_id).first()
    if table is None:
        return None
    with transaction.atomic():
        tournament = lock_tournament(table.round.tournament.slug)
        table = lock_table(lock_round(tournament, table.round.number), table.number)
        match = Match.objects.get(pk=match_id)
        if match.status != Match.Status.FINISHED:
            return None
        if known := _counting(table):
            return known
        result = TableResult.objects.create(
            table=table,
            match=match,
            scores=match.totals,
            best_deals=best_deals(match),
            source=TableResult.Source.PLAYED,
        )
        _note(tournament, None, "result_recorded", table, result)
        return result


def enter_result(
    *,
    slug: str,
    number: int,
    table_number: int,
    scores: Sequence[int],
    reason: str,
    actor: Player,
    replaces: int | None = None,
) -> TableResult:
    """Enter a table's scores, in seat order, by hand; a result that counts so far stays in the history.

    If the table's match is still being played it is stopped: nobody plays on, and it is never rated.
    `replaces` is the id of the result that the organiser saw, None if there was none: of two
    corrections at once the later is refused (Conflict `result_changed`). The same scores again are
    answered with the result that counts. Raises BadRequest `bad_scores`, `no_reason`; Conflict
    `not_published`.
    """
    check_scores(scores)
    if not reason.strip():
        raise BadRequest("no_reason", "A result entered by hand needs a reason.")
    check_line("reason", reason.strip())
    with transaction.atomic():
        tournament = lock_as(Right.JUDGE, slug, actor)
        require_state(tournament, State.RUNNING, State.FINISHED)
        round_ = lock_round(tournament, number)
        if round_.state == Round.State.DRAWN:
            raise Conflict("not_published", f"Round {number} is not published, so nothing was played.")
        table = lock_table(round_, table_number)
        known = _counting(table)
        if known and known.scores == list(scores):
            return known
        _supersede(known, replaces)
        if table.match_id is not None:
            stop(table.match_id)
        result = TableResult.objects.create(
            table=table,
            scores=list(scores),
            source=TableResult.Source.ENTERED,
            entered_by=actor,
            reason=reason.strip()[:300],
        )
        _note(tournament, actor, "result_entered", table, result, replaced=known and known.scores)
        return result


def best_deals(match: Match) -> list[int] | None:
    """Each seat's best score in one deal of a finished match."""
    scores = [deal.scores for deal in match.deals.all() if deal.scores]
    return [max(deal[seat] for deal in scores) for seat in range(4)] if scores else None


def check_scores(scores: Sequence[int]) -> None:
    """Raise BadRequest `bad_scores` unless there are four whole numbers of a sensible size."""
    if len(scores) != 4 or any(type(s) is not int or abs(s) > LARGEST_SCORE for s in scores):
        raise BadRequest(
            "bad_scores", f"Give four whole numbers within ±{LARGEST_SCORE}, in seat order S, E, N, W."
        )


def _counting(table: Table) -> TableResult | None:
    return table.results.filter(superseded_at=None).first()


def _supersede(known: TableResult | None, replaces: int | None) -> None:
    if (known and known.pk) != replaces:
        current = known and known.pk
        detail = "Another result counts for this table by now; look at it before you replace it."
        raise Conflict("result_changed", detail, result=current, scores=known and known.scores)
    if known:
        known.superseded_at = timezone.now()
        known.save(update_fields=["superseded_at"])


def _note(
    tournament: Tournament,
    actor: Player | None,
    action: str,
    table: Table,
    result: TableResult,
    **more: object,
) -> None:
    data = {"round": table.round.number, "table": table.number, "scores": result.scores, **more}
    audit(tournament, actor, action, reason=result.reason, **data)
    announce_result(tournament, table, result)

"""Results of tables: played ones arrive by themselves, the others are entered, imported or corrected.

Nothing is overwritten: what counted before is superseded, and stays in the history. Corrections name the
result that they replace, so that of two at once the later is refused.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.engine.cards import SEAT_NAMES
from games.models import Match, Player, new_secret
from games.services.matches import stop
from tournaments.models import Round, Table, TableResult, Tournament
from tournaments.organisers import Right
from tournaments.services.audit import audit, checked_reason
from tournaments.services.locks import lock_as, lock_round, lock_table, lock_tournament, require_state
from tournaments.services.news import announce_replay, announce_result
from tournaments.services.records import check_record, read_finished
from tournaments.services.rounds import has_empty_seat, leave_for_the_gone, start_matches
from trix_site.common.errors import AgainstRules, BadRequest, Conflict

State = Tournament.State
Source = TableResult.Source
LARGEST_SCORE = 100_000

Scores = Sequence[int | None]
"""In seat order S, E, N, W; None is an empty seat."""


def record_match(match_id: int) -> TableResult | None:
    """Record the result of a finished match at its table, once, whoever asks and however often.

    A result entered by hand before stays. None if the match is at no table or not over.
    """
    table = Table.objects.prefetch_related("round__tournament").filter(match_id=match_id).first()
    if table is None:
        return None
    with transaction.atomic():
        tournament = lock_tournament(table.round.tournament.slug)
        table = lock_table(lock_round(tournament, table.round.number), table.number)
        match = Match.objects.get(pk=match_id)
        if match.status != Match.Status.FINISHED or table.match_id != match_id:  # It is being replayed.
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
    scores: Scores,
    reason: str,
    actor: Player,
    replaces: int | None = None,
) -> TableResult:
    """Enter a table's scores, in seat order, by hand; a result that counts so far stays in the history.

    An empty seat, and no other, has the score None. If the table's match is still being played it is
    stopped: nobody plays on, and it is never rated. `replaces` is the id of the result that the official
    saw, None if there was none: of two corrections at once the later is refused (Conflict
    `result_changed`). The same scores again are answered with the result that counts. Raises BadRequest
    `bad_scores`, `no_reason`; Conflict `not_published`.
    """
    check_scores(scores)
    reason = checked_reason(reason)
    with transaction.atomic():
        tournament, table = _lock(slug, number, table_number, actor, State.RUNNING, State.FINISHED)
        _check_empty_seats(table, scores)
        result = {"source": Source.ENTERED, "scores": list(scores), "reason": reason}
        return _correct(tournament, table, actor, "result_entered", replaces, result)


def annul(
    *, slug: str, number: int, table_number: int, reason: str, actor: Player, replaces: int | None = None
) -> TableResult:
    """Let a table give nobody anything. It has a result then, so that its round can be closed.

    A running match there is stopped; `replaces`, and refusals, as in `enter_result`.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        tournament, table = _lock(slug, number, table_number, actor, State.RUNNING, State.FINISHED)
        result = {"source": Source.ANNULLED, "scores": None, "reason": reason}
        return _correct(tournament, table, actor, "result_annulled", replaces, result)


def import_record(
    *,
    slug: str,
    number: int,
    table_number: int,
    record: str,
    reason: str,
    actor: Player,
    replaces: int | None = None,
) -> TableResult:
    """Enter a table's result as the `.trix` record of a match that was played elsewhere.

    The engine plays it through: it must be whole, of the tournament's rules and options, and of the players
    of the table. Its canonical text is stored. Raises BadRequest: `no_reason`, and those of
    `records.read_finished` and `records.check_record`; `replaces`, and conflicts, as in `enter_result`.
    """
    with transaction.atomic():
        lock_as(Right.JUDGE, slug, actor)  # Nobody else has us play a record through, which takes a while.
    replay, recorded = read_finished(record)
    reason = checked_reason(reason)
    with transaction.atomic():
        tournament, table = _lock(slug, number, table_number, actor, State.RUNNING, State.FINISHED)
        check_record(replay, tournament, table)
        result = {
            "source": Source.IMPORTED,
            "scores": recorded.scores,
            "best_deals": recorded.best_deals,
            "record": recorded.text,
            "reason": reason,
        }
        return _correct(tournament, table, actor, "result_imported", replaces, result)


def replay_table(
    *, slug: str, number: int, table_number: int, reason: str, actor: Player, replaces: int | None = None
) -> Table:
    """Have a table play again: a new match for those who sit there, with cards that nobody has seen.

    They are new at a table of a round of the same cards, too, so it has nothing to compare with there. What
    counted so far is superseded, and a running match stopped. In a closed round the table counts nothing
    until the new match is over; the round stays closed. The same request again finds the match that it
    began. Raises Conflict `result_changed`, `not_published`, `wrong_state`; AgainstRules `played_elsewhere`
    for a table with an empty seat.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        tournament, table = _lock(slug, number, table_number, actor, State.RUNNING)
        if has_empty_seat(table):
            detail = f"Somebody is missing at table {table.number}: it cannot play here. Enter its result."
            raise AgainstRules("played_elsewhere", detail)
        asked = {"reason": reason, "replaces": replaces, "by": actor.username}
        began = tournament.log.filter(action="table_replayed", data__match=table.match and table.match.code)
        if any(asked.items() <= line.data.items() for line in began):
            return table
        known = _supersede(table, replaces)
        before = _play_anew(tournament, table, actor)
        seen = {"round": number, "table": table.number, "match": table.match and table.match.code}
        replaced = known and known.scores
        audit(tournament, actor, "table_replayed", **seen, **asked, instead_of=before, replaced=replaced)
        announce_replay(tournament, table)
        return table


def best_deals(match: Match) -> list[int] | None:
    """Each seat's best score in one deal of a finished match."""
    scores = [deal.scores for deal in match.deals.all() if deal.scores]
    return [max(deal[seat] for deal in scores) for seat in range(4)] if scores else None


def check_scores(scores: Scores) -> None:
    """Raise BadRequest `bad_scores` unless there are four whole numbers of a sensible size, or None."""
    if len(scores) != 4 or any(
        s is not None and (type(s) is not int or abs(s) > LARGEST_SCORE) for s in scores
    ):
        raise BadRequest(
            "bad_scores", f"Give four whole numbers within ±{LARGEST_SCORE}, in seat order S, E, N, W."
        )


def _play_anew(tournament: Tournament, table: Table, actor: Player) -> str | None:
    """Start another match at a locked table; the code of the one before, which is stopped if it runs."""
    before = table.match
    if before:
        stop(before.pk)
    (table.match,) = start_matches(tournament, [(table, new_secret())], actor)
    table.save(update_fields=["match"])
    table.seats.update(no_show_at=None)
    leave_for_the_gone(table)
    return before.code if before else None


def _check_empty_seats(table: Table, scores: Scores) -> None:
    empty = [seat.letter for seat in table.seats.all() if seat.is_empty]
    if empty != [seat for seat, score in zip(SEAT_NAMES, scores, strict=True) if score is None]:
        wrong = f"null for the empty seat {' and '.join(empty)}, and a score for" if empty else "a score for"
        raise BadRequest("bad_scores", f"At table {table.number} give {wrong} everyone who sits there.")


def _lock(slug: str, number: int, table_number: int, actor: Player, *states: str) -> tuple[Tournament, Table]:
    """The table, locked for a correction by an official, and its tournament."""
    tournament = lock_as(Right.JUDGE, slug, actor)
    require_state(tournament, *states)
    round_ = lock_round(tournament, number)
    if round_.state == Round.State.DRAWN:
        raise Conflict("not_published", f"Round {number} is not published, so nothing was played.")
    return tournament, lock_table(round_, table_number)


def _correct(
    tournament: Tournament,
    table: Table,
    actor: Player,
    action: str,
    replaces: int | None,
    result: dict[str, Any],
) -> TableResult:
    """Let a result, given by its fields, count at a locked table, unless it does already."""
    known = _counting(table)
    if known and _is_the_same(known, result):
        return known
    _supersede(table, replaces)
    if table.match_id is not None:
        stop(table.match_id)
    made = TableResult.objects.create(table=table, entered_by=actor, **result)
    _note(tournament, actor, action, table, made, replaced=known and known.scores)
    return made


def _is_the_same(known: TableResult, result: dict[str, Any]) -> bool:
    """Whether this was entered already. Scores that were played may be entered again: it is no news."""
    if result["source"] == Source.IMPORTED and known.record != result["record"]:
        return False
    return known.scores == result["scores"]


def _counting(table: Table) -> TableResult | None:
    return table.results.filter(superseded_at=None).first()


def _supersede(table: Table, replaces: int | None) -> TableResult | None:
    """What counted at a locked table, which does no more. Raises Conflict if it is not what was seen."""
    known = _counting(table)
    if (known and known.pk) != replaces:
        current = known and known.pk
        detail = "Another result counts for this table by now; look at it before you replace it."
        raise Conflict("result_changed", detail, result=current, scores=known and known.scores)
    if known:
        known.superseded_at = timezone.now()
        known.save(update_fields=["superseded_at"])
    return known


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

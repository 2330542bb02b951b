"""Computing ratings again: after an annulment, under other parameters, or from nothing to be sure.

Whoever asks writes down a `Recalculation`; a task does it, from the first match that it concerns on, in one
transaction that holds the lock on the pools. So readers see the old ratings until the new ones are there, no
match is rated meanwhile, and what the recalculation is about (which matches are annulled, what the parameters
are) changes with the ratings that follow from it, and by it alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from games.models import Player
from ratings.fold import Book, Change, Standing, rate
from ratings.ledger import (
    STREAMED,
    book_before,
    book_of,
    drop_ratings,
    lock_pools,
    recorded,
    rules_of,
    write_changes,
    write_ratings,
)
from ratings.models import LedgerMatch, Pool, RatingChange, Recalculation, Revision
from ratings.services import rate_finished
from trix_site.common.errors import BadRequest, Conflict, Missing

Cause = Recalculation.Cause
State = Recalculation.State
Reason = LedgerMatch.Reason
Key = tuple[int, int]
Moves = dict[Key, tuple[Standing | None, Standing | None]]
"""By pool and player the rating before and after, of those whom it moved."""


@dataclass(slots=True)
class Refolded:
    """What computing again did: matches looked at, rows of the ledger written, who moved."""

    matches: int = 0
    changes: int = 0
    moves: Moves = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)


def annul(entries: Sequence[LedgerMatch], actor: Player | None, note: str) -> Recalculation:
    """Have these matches taken out of the ratings, as if they had not been played.

    `note` says why, and everyone may read it. Raises Conflict, BadRequest.
    """
    return _ask_about(entries, Cause.ANNULMENT, actor, note)


def restore(entries: Sequence[LedgerMatch], actor: Player | None, note: str) -> Recalculation:
    """Have annulled matches count again, each in its old place in the order. Raises Conflict, BadRequest."""
    return _ask_about(entries, Cause.RESTORATION, actor, note)


def preview(pool: Pool, parameters: Mapping[str, Any], actor: Player | None, note: str) -> Recalculation:
    """Have it computed, on a copy, whom other parameters of a pool would move.

    `parameters`: any of `Pool.PARAMETERS`. Raises BadRequest for values that cannot be, Conflict where they
    are the present ones.
    """
    was = pool.parameters
    altered = {name: value for name, value in parameters.items() if was[name] != value}
    if not altered:
        raise Conflict("nothing_to_change", "These are the parameters that the pool has.")
    _check(_with(pool, altered))
    return _asked(
        Recalculation(
            cause=Cause.PARAMETERS,
            state=State.ASKED,
            pool=pool,
            parameters=altered,
            was={name: was[name] for name in altered},
            note=_said(note),
            asked_by=actor,
        )
    )


@transaction.atomic
def confirm(pk: int) -> Recalculation:
    """Have a preview come true. Raises Conflict unless it is one, and the pool is still as it was then."""
    asked = _locked(pk)
    if asked.state != State.PREVIEW:
        raise Conflict("not_a_preview", f"It is no preview: {asked.get_state_display().lower()}.")
    assert asked.pool is not None
    if any(asked.pool.parameters[name] != value for name, value in asked.was.items()):
        raise Conflict("preview_outdated", "The pool's parameters have changed since: ask for a new preview.")
    asked.state = State.WAITING
    return _asked(asked)


@transaction.atomic
def drop(pk: int) -> Recalculation:
    """Give up a preview, or one that is being made. Raises Conflict for what is to be applied, or was."""
    asked = _locked(pk)
    if asked.state not in (State.ASKED, State.PREVIEW):
        raise Conflict("not_a_preview", f"It is no preview: {asked.get_state_display().lower()}.")
    asked.revisions.all().delete()
    asked.state = State.DROPPED
    asked.save(update_fields=["state"])
    return asked


def recalculate() -> int:
    """Do all that was asked for; how many. Any number of calls may race. Then rates what has waited."""
    done = 0
    while _do_next():
        done += 1
    if done:
        rate_finished()
    return done


@transaction.atomic
def rebuild() -> Refolded:
    """Throw away ratings and ledger, and compute them from the matches, in the recorded order.

    Those whom it moved had a wrong rating; there are none, bit for bit, and if there are, it is shown as a
    recalculation. Then rates what waits.
    """
    done = _refold(lock_pools(), since=0)
    if done.moves:
        _finish(Recalculation(cause=Cause.REBUILD), done)
    done.matches += rate_finished(since_ever=True)
    return done


def _ask_about(
    entries: Sequence[LedgerMatch], cause: Cause, actor: Player | None, note: str
) -> Recalculation:
    if not note.strip():
        raise BadRequest("no_reason", "Say why: those whose ratings move will read it.")
    keys = sorted(entry.pk for entry in entries)
    with transaction.atomic():
        locked = LedgerMatch.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk")
        annulled = cause == Cause.RESTORATION
        for entry in locked:
            if (entry.reason == Reason.ANNULLED) != annulled:
                raise Conflict("not_annulled" if annulled else "already_annulled", _refusal(entry, annulled))
            if entry.recalculations.filter(state=State.WAITING).exists():
                raise Conflict(
                    "recalculation_waiting", f"Match {entry.sequence} of the ledger is being recalculated."
                )
        asked = Recalculation(cause=cause, note=_said(note), asked_by=actor)
        asked.save()
        asked.matches.set(keys)
        return _asked(asked)


def _refusal(entry: LedgerMatch, annulled: bool) -> str:
    return (
        f"Match {entry.sequence} of the ledger {'was not annulled' if annulled else 'is annulled already'}."
    )


def _said(note: str) -> str:
    note = note.strip()
    if len(note) > 200:
        raise BadRequest("invalid", "The reason may have 200 characters.")
    return note


def _asked(asked: Recalculation) -> Recalculation:
    """Save, and call for it once that is committed. A lost message is made up for by the beat."""
    from ratings.tasks import recalculate as task

    with transaction.atomic():
        asked.save()
        transaction.on_commit(task.delay, robust=True)
    return asked


def _locked(pk: int) -> Recalculation:
    asked = Recalculation.objects.select_for_update(no_key=True, of=("self",)).filter(pk=pk)
    found = asked.select_related("pool").first()
    if found is None:
        raise Missing("no_such_recalculation", "There is no such recalculation.")
    return found


def _check(pool: Pool) -> None:
    try:
        pool.full_clean(validate_unique=False)
    except ValidationError as error:
        raise BadRequest.of_fields(error) from None


def _with(pool: Pool, parameters: Mapping[str, Any]) -> Pool:
    altered = copy(pool)
    for name, value in parameters.items():
        setattr(altered, name, value)
    return altered


@transaction.atomic
def _do_next() -> bool:
    """Do the oldest that nobody else is doing."""
    asked = (
        Recalculation.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(state__in=(State.ASKED, State.WAITING))
        .order_by("pk")
        .first()
    )
    if asked is None:
        return False
    if asked.state == State.ASKED:
        _preview(asked)
    else:
        _apply(asked)
    return True


def _preview(asked: Recalculation) -> None:
    """Fold all matches under the present parameters and under the others, side by side: nothing is locked."""
    assert asked.pool is not None
    pools = list(Pool.objects.filter(kind=asked.pool.kind))
    others = [_with(pool, asked.parameters) if pool == asked.pool else pool for pool in pools]
    now, then = rules_of(pools), rules_of(others)
    before: Book = {}
    after: Book = {}
    done = Refolded()
    for facts in recorded() if now != then else ():
        if facts.kind == asked.pool.kind:
            rate(facts, now, before)
            rate(facts, then, after)
            done.matches += 1
    done.moves = _moves(before, after)
    _record(asked, done, State.PREVIEW)


def _apply(asked: Recalculation) -> None:
    pools = lock_pools()
    if asked.cause == Cause.PARAMETERS:
        done = _apply_parameters(asked, pools)
    else:
        done = _apply_annulment(asked, pools)
    _finish(asked, done)


def _apply_parameters(asked: Recalculation, pools: Sequence[Pool]) -> Refolded:
    (pool,) = (pool for pool in pools if pool.pk == asked.pool_id)
    schedule = pool.schedule
    for name, value in asked.parameters.items():
        setattr(pool, name, value)
    pool.save(update_fields=list(asked.parameters))
    if pool.schedule == schedule:
        return Refolded()
    return _refold([each for each in pools if each.kind == pool.kind], since=0)


def _apply_annulment(asked: Recalculation, pools: Sequence[Pool]) -> Refolded:
    """Mark the matches, and compute again from the first of them, in the pools of all kinds of game."""
    since = min(asked.matches.values_list("sequence", flat=True))
    annulled = asked.cause == Cause.ANNULMENT
    asked.matches.update(reason=Reason.ANNULLED if annulled else Reason.RATED)
    return _refold(pools, since)


def _refold(pools: Sequence[Pool], since: int) -> Refolded:
    """Compute the ratings in these pools, which are locked, again from match number `since` on."""
    keys = [pool.pk for pool in pools]
    before, book = book_of(pool__in=keys), book_before(since, keys)
    RatingChange.objects.filter(pool__in=keys, sequence__gte=since).delete()
    done = Refolded()
    done.changes = write_changes(_fold(pools, since, book, done))
    done.moves = _moves(before, book)
    _correct_reasons(done.reasons)
    drop_ratings(before.keys() - book.keys())
    write_ratings({key: standing for key, standing in book.items() if before.get(key) != standing})
    return done


def _fold(pools: Sequence[Pool], since: int, book: Book, done: Refolded) -> Iterator[Change]:
    rules = rules_of(pools)
    kinds = {kind for kind, _ in rules}
    for facts in recorded(since):
        if facts.kind in kinds:
            outcome = rate(facts, rules, book)
            done.matches += 1
            if outcome.reason != facts.reason:
                done.reasons[facts.sequence] = outcome.reason
            yield from outcome.changes


def _correct_reasons(reasons: Mapping[int, str]) -> None:
    for sequence, reason in reasons.items():
        LedgerMatch.objects.filter(sequence=sequence).update(reason=reason)


def _moves(before: Book, after: Book) -> Moves:
    return {
        key: (before.get(key), after.get(key))
        for key in sorted(before.keys() | after.keys())
        if _figures(before.get(key)) != _figures(after.get(key))
    }


def _figures(standing: Standing | None) -> tuple[float, int] | None:
    return (standing.value, standing.matches) if standing else None


def _finish(asked: Recalculation, done: Refolded) -> None:
    asked.done_at = timezone.now()
    _record(asked, done, State.DONE)


def _record(asked: Recalculation, done: Refolded, state: State) -> None:
    """Write down what was done, or would be, over what a preview has said before."""
    asked.state, asked.computed, asked.moved = state, done.matches, len(done.moves)
    asked.save()
    asked.revisions.all().delete()
    Revision.objects.bulk_create(_revisions(asked, done.moves), batch_size=STREAMED)


def _revisions(asked: Recalculation, moves: Moves) -> Iterable[Revision]:
    return [
        Revision(
            recalculation=asked,
            pool_id=pool,
            player_id=player,
            before=before.value if before else None,
            after=after.value if after else None,
            matches=after.matches if after else 0,
        )
        for (pool, player), (before, after) in moves.items()
    ]

"""Who takes part: entering, alone or by an organiser, and withdrawing."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.models import Match, Player
from games.selectors import players_called
from games.services.matches import leave
from tournaments.models import Entry, Tournament
from tournaments.organisers import Right, check_may, may
from tournaments.services.audit import audit
from tournaments.services.locks import lock_as, lock_tournament, require_state
from tournaments.services.stages import current_stage, join
from trix_site.common.errors import BadRequest, Conflict, Missing

State = Tournament.State
MOST_NAMES = 2000


def enter(*, slug: str, actor: Player, name: str | None = None) -> Entry:
    """Enter oneself while registration is open, or, as an organiser, anyone until the end.

    Raises Missing `no_such_player`, Conflict `already_entered`, Forbidden, Conflict `wrong_state`.
    """
    with transaction.atomic():
        tournament = lock_tournament(slug)
        player = actor if name is None else find_players([name])[0]
        _check_may_enter(tournament, actor, player)
        entry = tournament.entries.filter(player=player).first()
        if entry and entry.state == Entry.State.ACTIVE:
            raise Conflict("already_entered", f"{player.username} has entered {tournament.name} already.")
        return _enter(tournament, actor, player, entry)


def enter_many(*, slug: str, actor: Player | None, names: Iterable[str]) -> list[Entry]:
    """Enter players by name, all or none; those who are in already are passed over. Returns the new entries.

    Raises Missing `no_such_player` with every unknown name in `names`.
    """
    with transaction.atomic():
        tournament = lock_as(Right.RUN, slug, actor)
        require_state(tournament, State.DRAFT, State.REGISTRATION, State.RUNNING)
        entered = {entry.player_id: entry for entry in tournament.entries.all()}
        players = [p for p in find_players(names) if not _is_active(entered.get(p.pk))]
        return [_enter(tournament, actor, player, entered.get(player.pk)) for player in players]


def withdraw(*, slug: str, actor: Player | None, name: str | None = None) -> Entry:
    """Take oneself, or as an organiser anyone, out of later rounds. Results stay and are ranked.

    A bot plays on at the player's running table. Raises Missing `not_entered`,
    Conflict `already_withdrawn`, `wrong_state`.
    """
    with transaction.atomic():
        tournament = lock_tournament(slug)
        player = actor if name is None else find_players([name])[0]
        if actor != player:
            check_may(actor, tournament, Right.RUN)
        require_state(tournament, State.DRAFT, State.REGISTRATION, State.RUNNING)
        entry = tournament.entries.select_related("player").filter(player=player).first()
        if entry is None:
            raise Missing("not_entered", f"{player} has not entered {tournament.name}.")
        if entry.state == Entry.State.WITHDRAWN:
            raise Conflict("already_withdrawn", f"{player} has withdrawn already.")
        entry.state, entry.withdrawn_at = Entry.State.WITHDRAWN, timezone.now()
        entry.save(update_fields=["state", "withdrawn_at"])
        audit(tournament, actor, "withdrawn", player=entry.player.username)
        _leave_table(entry)
        return entry


def withdraw_closed(player: Player, **_: Any) -> None:
    """Receives games.signals.account_closed: withdraw a player who has deleted his account."""
    for slug in closed_entries().filter(player=player).values_list("tournament__slug", flat=True):
        with suppress(Conflict):  # It has just ended, or a sweep was quicker.
            withdraw(slug=slug, actor=player)


def closed_entries() -> QuerySet[Entry]:
    """Entries in unfinished tournaments of players whose accounts were deleted since."""
    unfinished = (State.DRAFT, State.REGISTRATION, State.RUNNING)
    return Entry.objects.filter(
        player__closed_at__isnull=False, state=Entry.State.ACTIVE, tournament__state__in=unfinished
    )


def _leave_table(entry: Entry) -> None:
    """Hand the player's seat at a running table to a bot, so that the other three can play on."""
    running = entry.seats.filter(table__match__status=Match.Status.RUNNING, player__in=entry.players)
    for seat in running.select_related("table__match", "player"):
        assert seat.table.match and seat.player
        with suppress(Conflict):  # It has just ended.
            leave(match_code=seat.table.match.code, player=seat.player)


def find_players(names: Iterable[str]) -> list[Player]:
    """The accounts of these names in any case, each once, in their order. Raises Missing for unknown ones."""
    wanted = [name.strip() for name in names if name.strip()]
    if len(wanted) > MOST_NAMES:
        raise BadRequest("too_many_names", f"At most {MOST_NAMES} names at once.")
    found = players_called(wanted)
    if unknown := [name for name in wanted if name not in found]:
        raise Missing("no_such_player", f"There is no player named {', '.join(unknown)}.", names=unknown)
    if not wanted:
        raise BadRequest("no_names", "Name at least one player.")
    return list(dict.fromkeys(found[name] for name in wanted))


def _check_may_enter(tournament: Tournament, actor: Player, player: Player) -> None:
    """Oneself: while registration is open. Others: as an organiser, until the end."""
    if player.pk == actor.pk and not may(actor, tournament, Right.RUN):
        require_state(tournament, State.REGISTRATION)
        return
    check_may(actor, tournament, Right.RUN)
    require_state(tournament, State.DRAFT, State.REGISTRATION, State.RUNNING)


def _enter(tournament: Tournament, actor: Player | None, player: Player, entry: Entry | None) -> Entry:
    """A new entry, or the old one of a player who comes back: missed rounds stay missed."""
    if not player.is_active:
        raise Conflict(
            "account_closed", f"The account of {player.username} is closed.", player=player.username
        )
    if entry is None:
        entry = Entry.objects.create(tournament=tournament, player=player)
    else:
        entry.state, entry.withdrawn_at = Entry.State.ACTIVE, None
        entry.save(update_fields=["state", "withdrawn_at"])
    if stage := current_stage(tournament):
        join(stage, entry)
    audit(tournament, actor, "entered", player=player.username)
    return entry


def _is_active(entry: Entry | None) -> bool:
    return entry is not None and entry.state == Entry.State.ACTIVE

"""Who really sits at a table: substitutes, and players who did not come.

Both are facts of one match. The entry stays whose it is, and so do its results, past and to come.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from games.engine import Phase
from games.engine.cards import SEAT_NAMES
from games.models import Match, Player, Seat
from games.positions import open_position, steps
from games.services.locks import lock_match, lock_open_account
from games.services.matches import leave
from games.services.substitutes import replace_player
from tournaments.models import Entry, Round, Table, TableSeat, Tournament
from tournaments.organisers import Right
from tournaments.services.audit import audit
from tournaments.services.entries import find_players
from tournaments.services.locks import lock_as, lock_round, lock_table, require_state
from tournaments.services.news import announce_seat
from trix_site.common.errors import AgainstRules, Conflict, Missing

State = Tournament.State


def substitute(
    *, slug: str, number: int, table_number: int, seat: str, actor: Player | None, name: str | None
) -> TableSeat:
    """Let another player sit at this table for an entry, or with None the entry's own player again.

    At a running table he sees the hand and plays on at once, and the one before sees it no more; in a round
    that is not published yet he begins. The entry's other matches are not touched. Harmless if he sits there.
    Raises Missing; Forbidden; Conflict `wrong_state`, `seat_of_bot`, `table_over`, `sits_elsewhere`,
    `account_closed`; AgainstRules `has_seen_cards`.
    """
    with transaction.atomic():
        tournament, found = _lock(slug, number, table_number, seat, actor)
        assert found.entry and found.drawn and found.player
        before = found.player
        player = found.drawn if name is None else find_players([name])[0]
        if player == before:
            return found
        _check_free(found, player)
        _check_unseen(tournament, found, player)
        found.player, found.no_show_at = player, None
        found.save(update_fields=["player", "no_show_at"])
        data = {"round": number, "table": table_number, "seat": seat, "entry": found.entry.name}
        match = found.table.match
        data |= {"player": player.username, "instead_of": before.username, "match": match and match.code}
        audit(tournament, actor, "seat_changed", **data)
        if match:
            replace_player(match_code=match.code, seat=found.index, player=player)
            announce_seat(tournament, found)
        lock_open_account(player)
        return found


def mark_no_show(*, slug: str, number: int, table_number: int, seat: str, actor: Player | None) -> TableSeat:
    """A bot plays on for a player who is not there, until he acts. Harmless if that is noted and so.

    Raises Missing; Forbidden; Conflict `wrong_state`, `seat_of_bot`, `table_over`, `not_published`.
    """
    with transaction.atomic():
        tournament, found = _lock(slug, number, table_number, seat, actor)
        match = found.table.match
        if match is None:
            detail = f"Table {table_number} of round {number} is not played here: no bot can play on."
            raise Conflict("not_published", detail)
        _mark(tournament, found, match, actor)
        return found


def mark_absent(seat: TableSeat) -> bool:
    """Mark one of `absent_seats` if nothing was ever played in it by its player; whether that was so.

    For the sweeper: what is stored is looked at again, under the locks.
    """
    with transaction.atomic():
        tournament = lock_as(Right.JUDGE, seat.round.tournament.slug, None)
        lock_table(lock_round(tournament, seat.round.number), seat.table.number)
        found = absent_seats(tournament, timezone.now()).filter(pk=seat.pk).first()
        if found is None:
            return False
        match = lock_match(pk=found.table.match_id)
        if match.status != Match.Status.RUNNING or not _has_not_come(match, found.index):
            return False
        _mark(tournament, found, match, None)
        return True


def absent_seats(tournament: Tournament, now: datetime) -> QuerySet[TableSeat]:
    """Seats at running tables whose players may be marked as absent: the grace since the match began is over,
    no stream of theirs has been open, and in nobody's name was a whole deal played. Substitutes, who come
    later, are the officials' to mark.
    """
    if tournament.grace is None:
        return TableSeat.objects.none()
    own = Q(member=0, player=F("entry__player")) | Q(member=1, player=F("entry__partner"))
    found = TableSeat.objects.filter(
        Q(table__match__deal_number=1) | Q(table__match__seats__away_since__isnull=False),
        own,
        round__tournament=tournament,
        no_show_at=None,
        entry__state=Entry.State.ACTIVE,
        table__match__status=Match.Status.RUNNING,
        table__match__started_at__lte=now - timedelta(seconds=tournament.grace),
        table__match__seats__index=F("index"),
        table__match__seats__seen_at=None,
    )
    return found.select_related("table", "player").prefetch_related("round__tournament").order_by("pk")


def _mark(tournament: Tournament, seat: TableSeat, match: Match, actor: Player | None) -> None:
    assert seat.player
    playing = Seat.objects.get(match=match, index=seat.index)
    if seat.no_show_at and playing.away_since:
        return
    seat.no_show_at = timezone.now()
    seat.save(update_fields=["no_show_at"])
    leave(match_code=match.code, player=seat.player)
    where = {"round": seat.round.number, "table": seat.table.number, "seat": seat.letter}
    audit(tournament, actor, "no_show", player=seat.player.username, **where)


def _has_not_come(match: Match, index: int) -> bool:
    """Whether nothing was played in this seat before a bot took it, as far as everyone can see."""
    seat = Seat.objects.get(match=match, index=index)
    deal = match.deals.get(number=1)
    state = open_position(match, [deal])
    before = [s.seat for s in steps(state, deal) if seat.away_since is None or s.at < seat.away_since]
    # While doubling nobody may be told who has answered.
    return index not in before and state.phase is not Phase.DOUBLE


def _lock(
    slug: str, number: int, table_number: int, letter: str, actor: Player | None
) -> tuple[Tournament, TableSeat]:
    """A player's seat at a locked table that is not over, and the tournament."""
    if letter not in SEAT_NAMES:
        raise Missing("no_such_seat", f"There is no seat {letter!r}; there are {', '.join(SEAT_NAMES)}.")
    tournament = lock_as(Right.JUDGE, slug, actor)
    require_state(tournament, State.RUNNING)
    table = lock_table(lock_round(tournament, number), table_number)
    seats = table.seats.select_related("player", "entry__player", "entry__partner")
    seat = seats.get(index=SEAT_NAMES.index(letter))
    seat.table, seat.round = table, table.round
    if seat.entry is None:
        raise Conflict("seat_of_bot", f"Nobody who has entered was drawn to seat {letter}.")
    _check_not_over(table)
    return tournament, seat


def _check_not_over(table: Table) -> None:
    over = table.match is not None and table.match.status != Match.Status.RUNNING
    closed = table.match is None and table.round.state == Round.State.CLOSED
    if over or closed or table.results.filter(superseded_at=None).exists():
        raise Conflict("table_over", f"Table {table.number} of round {table.round.number} is over.")


def _check_free(seat: TableSeat, player: Player) -> None:
    """Nobody sits at two tables of a round."""
    other = seat.round.seats.filter(player=player).exclude(pk=seat.pk).select_related("table").first()
    if other:
        detail = f"{player.username} sits at table {other.table.number} of this round himself."
        raise Conflict("sits_elsewhere", detail, table=other.table.number, seat=other.letter)


def _check_unseen(tournament: Tournament, seat: TableSeat, player: Player) -> None:
    """Nobody plays cards that he has seen in another seat: of this table, or of one with the same cards."""
    match = seat.table.match
    if match is None:
        return
    same = Match.objects.filter(table__round=seat.round, secret=match.secret)
    codes = set(same.values_list("code", flat=True))
    here = {"table": seat.table.number, "seat": seat.letter}
    changed = tournament.log.filter(
        Q(data__player=player.username) | Q(data__instead_of=player.username),
        action="seat_changed",
        data__round=seat.round.number,
    )
    sat = [line.data for line in changed if line.data["match"] in codes]
    if any(not here.items() <= line.items() for line in sat):
        detail = f"{player.username} sat in another seat of this round, and has seen these cards."
        raise AgainstRules("has_seen_cards", detail)

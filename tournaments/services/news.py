"""News of a tournament: to its webhooks, and to the streams and webhooks of those who play in it.

Written in the transaction of the thing itself; all of it is what anyone may see.
"""

from collections.abc import Iterable, Sequence

from games.engine.view import by_seat
from games.models import Match
from games.selectors import with_seats
from games.services.news import tell, tell_each
from games.services.webhooks import emit, emit_each, emit_to_players
from tournaments.models import Entry, Round, Table, TableResult, TableSeat, Tournament
from tournaments.services.webhooks import topic_of


def announce(tournament: Tournament, event: str, **data: object) -> None:
    """Tell the tournament's webhooks."""
    emit(topic_of(tournament).name, event, {"tournament": tournament.slug, **data})


def announce_to_entrants(tournament: Tournament, event: str) -> None:
    """Tell the tournament's webhooks, and everyone who takes part."""
    announce(tournament, event)
    active = tournament.entries.filter(state=Entry.State.ACTIVE)
    players = [player.pk for entry in active.select_related("player", "partner") for player in entry.players]
    _tell(players, event, {"tournament": tournament.slug})


def announce_published(tournament: Tournament, round_: Round, tables: Sequence[Table]) -> None:
    """Tell the tournament's webhooks, and each player which match is his."""
    announce(tournament, "round_published", round=round_.number, tables=len(tables))
    told = [
        (
            [seat.player_id for seat in table.seats.all() if seat.player_id],
            _published(tournament, round_, table),
        )
        for table in tables
        if table.match is not None  # Else it is played elsewhere.
    ]
    tell_each("round_published", told)
    emit_each("round_published", [(player, data) for players, data in told for player in players])


def _published(tournament: Tournament, round_: Round, table: Table) -> dict[str, object]:
    assert table.match is not None
    return {"tournament": tournament.slug, "round": round_.number, "match": table.match.code}


def announce_replay(tournament: Tournament, table: Table) -> None:
    """Tell the tournament's webhooks, and those at the table which match is theirs now."""
    assert table.match
    where = {"round": table.round.number, "match": table.match.code}
    announce(tournament, "table_replayed", table=table.number, **where)
    players = table.seats.filter(player__isnull=False).values_list("player_id", flat=True)
    _tell(players, "round_published", {"tournament": tournament.slug, **where})


def announce_seat(tournament: Tournament, seat: TableSeat) -> None:
    """Tell who sits down at a running table for another which match is his."""
    assert seat.player and seat.table.match
    data = {"tournament": tournament.slug, "round": seat.round.number, "match": seat.table.match.code}
    _tell([seat.player.pk], "round_published", data)


def announce_closed(tournament: Tournament, round_: Round) -> None:
    """Tell the tournament's webhooks, and everyone who sat at a table of the round."""
    announce(tournament, "round_closed", round=round_.number)
    seats = TableSeat.objects.filter(round=round_, entry__isnull=False)
    data = {"tournament": tournament.slug, "round": round_.number}
    _tell(seats.values_list("player_id", flat=True), "round_closed", data)


def announce_result(tournament: Tournament, table: Table, result: TableResult) -> None:
    """Tell the tournament's webhooks; without the result while its cards are still played elsewhere."""
    match = with_seats(Match.objects.filter(table=table)).first()
    scores = result.scores and by_seat(result.scores)
    counts = {"scores": scores, "source": result.source, "reason": result.reason}
    announce(
        tournament,
        "result_entered",
        round=table.round.number,
        table=table.number,
        match=match and match.code,
        result=counts if match is None or match.behind is None else None,
    )


def _tell(player_ids: Iterable[int], event: str, data: dict[str, object]) -> None:
    ids = list(player_ids)
    tell(ids, event, data)
    emit_to_players(ids, event, data)

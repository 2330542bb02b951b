"""Rows in the one order of locks: tournament, round, table; then whatever games locks."""

from games.models import Player
from tournaments.models import Round, Table, Tournament
from tournaments.organisers import Right, check_may
from tournaments.selectors import replaying
from trix_site.common.errors import Conflict, Missing


def lock_tournament(slug: str) -> Tournament:
    """The tournament, locked until the transaction ends. Raises Missing."""
    tournament = Tournament.objects.select_for_update(no_key=True).filter(slug=slug).first()
    if tournament is None:
        raise Missing("no_such_tournament", f"There is no tournament {slug!r}.")
    return tournament


def lock_as(right: Right, slug: str, actor: Player | None) -> Tournament:
    """The tournament, locked for a step of an official who has the right. Raises Missing, Forbidden."""
    tournament = lock_tournament(slug)
    check_may(actor, tournament, right)
    return tournament


def lock_round(tournament: Tournament, number: int) -> Round:
    """The round of a locked tournament. Raises Missing."""
    found = Round.objects.select_for_update(no_key=True).filter(tournament=tournament, number=number).first()
    if found is None:
        raise Missing("no_such_round", f"{tournament.name} has no round {number}.")
    return found


def lock_table(round_: Round, number: int) -> Table:
    """The table of a locked round. Raises Missing."""
    found = Table.objects.select_for_update(no_key=True).filter(round=round_, number=number).first()
    if found is None:
        raise Missing("no_such_table", f"Round {round_.number} has no table {number}.")
    return found


def require_state(tournament: Tournament, *states: str) -> None:
    """Raise Conflict `wrong_state` unless the tournament is in one of the states."""
    if tournament.state not in states:
        *most, last = states
        wanted = f"{', '.join(most)} or {last}" if most else last
        detail = f"{tournament.name} is in state {tournament.state}; this needs {wanted}."
        raise Conflict("wrong_state", detail, state=tournament.state)


def require_no_open_round(tournament: Tournament) -> None:
    """Raise Conflict `round_open` while a round is drawn or played."""
    if open_ := tournament.rounds.exclude(state=Round.State.CLOSED).first():
        way_out = "drop its draw" if open_.state == Round.State.DRAWN else "close it"
        detail = f"Round {open_.number} is {open_.state}; {way_out} first."
        raise Conflict("round_open", detail, round=open_.number)


def require_no_replay(tournament: Tournament) -> None:
    """Raise Conflict `tables_unfinished` while a table of a closed round is open again."""
    if again := replaying(tournament):
        names = ", ".join(f"{table.number} of round {table.round.number}" for table in again)
        raise Conflict("tables_unfinished", f"Table {names} is being replayed.")

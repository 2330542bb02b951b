"""The ratings that players of a tournament played like, from the ledger of ratings. Nothing here writes."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from math import fsum
from typing import Any, NamedTuple

from ratings.maths import PARTNERS, SINGLES, Entrant
from ratings.models import RatingChange
from ratings.performance import Pair, pairs, performance
from ratings.selectors import with_seats
from tournaments.models import Round, Tournament

Change = Mapping[str, Any]


class Performance(NamedTuple):
    """What a player's rated matches of a tournament come to. `opponents`: their mean rating."""

    rating: float
    matches: int
    opponents: float


def performances(tournament: Tournament, players: Collection[int]) -> dict[int, Performance]:
    """Those of these players, by account; who met nobody with a rating is left out. One query.

    Counted are the rated matches of closed rounds, as they were played: a corrected result alters no rating.
    """
    sides = PARTNERS if tournament.engine_options.partners else SINGLES
    met: dict[int, list[Pair]] = defaultdict(list)
    matches: dict[int, int] = defaultdict(int)
    for _, rows in groupby(_changes(tournament, players), key=lambda row: (row["match"], row["pool"])):
        for player, found in _met(list(rows), sides):
            met[player] += found
            matches[player] += bool(found)
    return {player: _performance(met[player], matches[player]) for player in players if met[player]}


def _performance(met: list[Pair], matches: int) -> Performance:
    rating = performance(met)
    assert rating is not None
    return Performance(rating, matches, fsum(pair.opponent for pair in met) / len(met))


def _met(rows: list[Change], sides: int) -> Iterable[tuple[int, list[Pair]]]:
    """Each player of one match with his pairs."""
    entrants = [
        Entrant(row["before"], row["n"], row["seat"] % sides, row["place"], row["left"]) for row in rows
    ]
    return [(row["player"], pairs(entrants, at)) for at, row in enumerate(rows)]


def _changes(tournament: Tournament, players: Collection[int]) -> Iterable[Change]:
    """The ledger of all matches in which one of these players was rated, match by match."""
    closed = RatingChange.objects.filter(
        match__table__round__tournament=tournament, match__table__round__state=Round.State.CLOSED
    )
    rows = closed.filter(match__in=closed.filter(player__in=players).values("match"))
    return (
        with_seats(rows)
        .order_by("sequence", "pool", "seat")
        .values("match", "pool", "player", "seat", "before", "n", "place", "left")
    )

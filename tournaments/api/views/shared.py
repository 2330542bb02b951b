"""What all doors of tournaments share."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.permissions import require_scope
from games.models import Player, Scope
from games.selectors import players_called
from tournaments import selectors
from tournaments.api import answers, requests
from tournaments.models import Round, Table, Tournament
from trix_site.common.errors import Missing
from trix_site.common.pagination import paged
from trix_site.common.serializers import read


class TournamentDoor(APIView):
    """Anyone may read what is visible to him; running a tournament takes a token that may organise."""

    scope: str | None = Scope.ORGANISE

    @property
    def actor(self) -> Player:
        """The caller of a door that only players may pass."""
        assert isinstance(self.request.user, Player)
        return self.request.user

    def tournament(self, slug: str) -> Tournament:
        """The tournament, if the caller may see it. Raises Missing."""
        return selectors.visible_tournament(slug, self.request.user)

    def round(self, slug: str, number: int) -> Round:
        """The round, if the caller may see it: a draw only once it is published. Raises Missing."""
        tournament = self.tournament(slug)
        found = selectors.visible_rounds(tournament, self.request.user).filter(number=number).first()
        if found is None:
            raise Missing("no_such_round", f"{tournament.name} has no round {number}.")
        return found

    def table(self, slug: str, number: int, table: int) -> Table:
        """The table with all that answers show of it. Raises Missing."""
        found = selectors.tables_of(self.round(slug, number)).filter(number=table).first()
        if found is None:
            raise Missing("no_such_table", f"Round {number} has no table {table}.")
        return found

    def body_for(self, kind: type[requests.PlayerRequest] = requests.PlayerRequest) -> dict[str, Any]:
        """The body of a door for oneself, with the other player whom an official names as `name`, or None.

        Raises Forbidden: the one takes a token that may organise, the other one that may play.
        """
        body = read(kind, self.request.data)
        name = body.pop("player")
        own = name is None or players_called([name]).get(name) == self.actor
        require_scope(self.request, Scope.PLAY if own else Scope.ORGANISE)
        return body | {"name": name}

    def paged(self, rows: QuerySet[Any], answer: Callable[[Any], answers.Json]) -> Response:
        return paged(self.request, rows, answer)

    def opened(self, tournament: Tournament, status: int = 200) -> Response:
        return Response(answers.opened(tournament, self.request.user), status=status)

    def opened_round(self, round_: Round, status: int = 200) -> Response:
        tables = list(selectors.tables_of(round_))
        return Response(answers.opened_round(round_, tables, self.request.user), status=status)

    def opened_table(self, table: Table) -> Response:
        return Response(answers.tables_of(table.round, [table], self.request.user)[0])

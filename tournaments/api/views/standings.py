"""Standings."""

from drf_spectacular.types import OpenApiTypes
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments import selectors
from tournaments.api import answers, requests, schemas
from tournaments.api.renderers import CSVRenderer
from tournaments.api.views.shared import TournamentDoor
from tournaments.organisers import is_official
from trix_site.common.schemas import describe
from trix_site.common.serializers import read


class Standings(TournamentDoor):
    renderer_classes = [JSONRenderer, CSVRenderer]

    @describe(
        404,
        answers={
            (200, "application/json"): schemas.Standings,
            (200, "text/csv"): OpenApiTypes.STR,
        },
        parameters=[requests.StandingsQuery],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The standings, from the results of closed rounds. Equal on every metric is an equal rank.

        `live` ones are for organisers alone while other tables still play the same cards.
        """
        tournament = self.tournament(slug)
        live = read(requests.StandingsQuery, request.query_params)["live"]
        live = live and (is_official(request.user, tournament) or not selectors.still_secret(tournament))
        lines = selectors.standings_of(tournament, live)
        if isinstance(request.accepted_renderer, CSVRenderer):
            return Response(answers.standings_rows(tournament, lines))
        return Response(answers.standings(tournament, lines, live))

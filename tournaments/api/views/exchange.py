"""A whole tournament out, and in."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.permissions import PlayersOnly
from tournaments.api import requests, schemas
from tournaments.api.views.shared import TournamentDoor
from tournaments.services.exports import download
from tournaments.services.imports import import_tournament
from trix_site.common.schemas import describe
from trix_site.common.serializers import read


class Export(TournamentDoor):
    permission_classes = [PlayersOnly]

    @describe(
        403,
        404,
        409,
        answers={(200, "application/json"): OpenApiTypes.OBJECT},
        operation_id="export_tournament",
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """The whole tournament as one document (organisers), while no round is open."""
        self.tournament(slug)
        return download(slug=slug, actor=self.actor)


class Import(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.OpenedTournament, status=201, request=requests.DocumentRequest)
    def post(self, request: Request) -> Response:
        """Make the tournament of an exported document; you are its organiser.

        Name a `slug`: sent twice, it is made once, for the address is taken then.
        """
        body = read(requests.DocumentRequest, request.data)
        return self.opened(import_tournament(actor=self.actor, **body), 201)

"""From stage to stage, and the dates of rounds."""

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api import answers, requests, schemas
from tournaments.api.views.shared import TournamentDoor
from tournaments.services import cuts, dates
from trix_site.common.schemas import describe
from trix_site.common.serializers import NothingRequest, read


class StartStage(TournamentDoor):
    @describe(403, 404, 409, 422, answers=schemas.StartedStage, request=NothingRequest)
    def post(self, request: Request, slug: str) -> Response:
        """Begin the next stage (organisers, assistants) with the best of the one before.

        That may be cut short: only its open round must be closed.
        """
        self.tournament(slug)
        read(NothingRequest, request.data)
        return Response(answers.started_stage(cuts.start_stage(slug=slug, actor=self.actor)))


class Dates(TournamentDoor):
    @describe(404, answers=schemas.Dates)
    def get(self, request: Request, slug: str) -> Response:
        """When rounds begin, and by when their tables must be over: in UTC, beside the tournament's zone."""
        return Response(answers.dates(self.tournament(slug)))

    @describe(403, 404, 409, answers=schemas.Dates, request=requests.DatesRequest)
    def put(self, request: Request, slug: str) -> Response:
        """Say all dates anew (organisers). Times carry their offset from UTC: 2027-01-30T19:00:00+02:00."""
        self.tournament(slug)
        dates.set_dates(slug=slug, actor=self.actor, **read(requests.DatesRequest, request.data))
        return Response(answers.dates(self.tournament(slug)))

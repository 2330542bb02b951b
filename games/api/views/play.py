"""A match as it is played: its view, actions, events and record; and what a bot thinks of it afterwards."""

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import selectors
from games.api import answers, requests, schemas
from games.api.throttles import GENERAL, AnalysisThrottle
from games.api.views.shared import PlayersRequest, shown_match
from games.api.views.streams import LAST_EVENT_ID, STREAM_ANSWERS, STREAMS, open_stream, wants_stream
from games.services import analyses, moves
from trix_site.common.schemas import describe
from trix_site.common.serializers import NothingRequest, read


class Match(APIView):
    @describe(404, answers=schemas.Table)
    def get(self, request: Request, code: str) -> Response:
        """A match with all that you may know of it."""
        return shown_match(request, code)


class Actions(APIView):
    @describe(403, 404, 409, 422, answers=schemas.Move, request=requests.ActionRequest)
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Act at the version that you have seen. Sent twice, it is answered as the first time."""
        body = read(requests.ActionRequest, request.data)
        done = moves.submit_action(
            match_code=code, player=request.user, action_text=body["action"], version=body["version"]
        )
        return Response(answers.move(done))


class Events(APIView):
    renderer_classes = [JSONRenderer, *STREAMS]

    @describe(
        404,
        answers={200: schemas.Events, **STREAM_ANSWERS, 204: None},
        parameters=[requests.EventsQuery, LAST_EVENT_ID],
    )
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """The public actions after a version; as a stream, the match and then each as it happens.

        The stream is described in docs/streams.md. 204: you have all of a match that is over.
        """
        if wants_stream(request):
            return open_stream(request, code)
        after = read(requests.EventsQuery, request.query_params)["after"]
        match = selectors.visible_match(code, request.user)
        events = [answers.event(event) for event in selectors.events_after(match, request.user, after)]
        version = (
            events[-1]["version"] if events else min(after, selectors.score_for(match, request.user).version)
        )
        return Response({"version": version, "events": events})


class Record(APIView):
    @describe(404, 409, answers={(200, "text/plain"): OpenApiTypes.STR}, parameters=[requests.RecordQuery])
    def get(self, request: Request, code: str) -> HttpResponse:
        """The `.trix` record: whole once the match is over, until then the deals that are over."""
        annotated = read(requests.RecordQuery, request.query_params)["analysis"]
        match = selectors.visible_match(code, request.user)
        record = selectors.annotated_record if annotated else selectors.match_record
        return HttpResponse(record(match, request.user), content_type="text/plain; charset=utf-8")


class Analysis(APIView):
    throttle_classes = [*GENERAL, AnalysisThrottle]

    @describe(404, answers=schemas.Analysis, parameters=[requests.AnalysisQuery])
    def get(self, request: Request, code: str) -> Response:
        """What a bot thinks of the decisions of a match that is over, each by what its seat could see."""
        wanted = read(requests.AnalysisQuery, request.query_params)
        match = selectors.visible_match(code, request.user)
        return Response(answers.analysis(selectors.analysis_of(match), **wanted))

    @describe(
        403,
        404,
        409,
        answers={200: schemas.AnalysisState, 202: schemas.AnalysisState},
        request=NothingRequest,
    )
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Have a match analysed that is over. 200: it is ready. 202: it is being made, ask by GET."""
        read(NothingRequest, request.data)
        asked = analyses.ask(match_code=code, player=request.user)
        return Response(answers.analysis_state(asked), status=200 if asked.done_at else 202)

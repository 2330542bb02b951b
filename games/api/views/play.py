"""A match as it is played: its view, actions, events and record."""

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import selectors
from games.api import answers, requests, schemas
from games.api.views.shared import PlayersRequest, shown_match
from games.api.views.streams import LAST_EVENT_ID, STREAM_ANSWERS, STREAMS, open_stream, wants_stream
from games.services import moves
from trix_site.common.schemas import describe
from trix_site.common.serializers import read


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
    @describe(404, answers={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, request: Request, code: str) -> HttpResponse:
        """The `.trix` record: whole once the match is over, until then the deals that are over."""
        match = selectors.visible_match(code, request.user)
        return HttpResponse(
            selectors.match_record(match, request.user), content_type="text/plain; charset=utf-8"
        )

"""Leave to open a stream: who asks, for what, in which form. `games.streams` sends what follows.

The checks are those of every other call, since these are ordinary views. Only the events process can hold
streams: it marks its requests, and any other process says where to go.
"""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from games.api import requests
from games.api.permissions import PlayersOnly
from games.models import ApiToken, Player
from trix_site.common.errors import BadRequest, ProblemError
from trix_site.common.schemas import describe
from trix_site.common.serializers import LARGEST_INT, read

MARK = "trix.streams"


class ServerSentEvents(JSONRenderer):
    """JSON for a refusal; what it stands for is sent by `games.streams`."""

    media_type, format = "text/event-stream", "sse"


class NDJSON(JSONRenderer):
    media_type, format = "application/x-ndjson", "ndjson"


STREAMS = [ServerSentEvents, NDJSON]

STREAM_ANSWERS: dict[object, object] = {(200, kind.media_type): OpenApiTypes.STR for kind in STREAMS}
LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID",
    int,
    OpenApiParameter.HEADER,
    description="For a stream: go on after this version. It counts before `after`.",
)


class Elsewhere(ProblemError):
    """There is a stream, but not from this process."""

    status = 406


class Stream(HttpResponse):
    """In place of an answer: a stream may be opened.

    ``match_code`` is None for the account's; ``after`` None for no resuming; ``caller`` is whom limits count.
    """

    def __init__(self, request: Request, match_code: str | None = None, after: int | None = None) -> None:
        renderer = request.accepted_renderer
        super().__init__(content_type=renderer.media_type)
        self.format: str = renderer.format
        self.match_code, self.after = match_code, after
        self.player = request.user if isinstance(request.user, Player) else None
        self.token = request.auth if isinstance(request.auth, ApiToken) else None
        address = BaseThrottle().get_ident(request)
        self.caller = f"player {self.player.pk}" if self.player else f"address {address}"


def wants_stream(request: Request) -> bool:
    return isinstance(request.accepted_renderer, tuple(STREAMS))


def open_stream(request: Request, match_code: str | None = None) -> Stream:
    """Raises Elsewhere, or BadRequest for a Last-Event-ID that is none."""
    if MARK not in request.META:
        raise Elsewhere("stream_elsewhere", "Streams are served by the events process: see docs/running.md.")
    return Stream(request, match_code, _resume_after(request))


def _resume_after(request: Request) -> int | None:
    """Last-Event-ID comes before `?after=`: a browser that reconnects sends both."""
    header = request.headers.get("Last-Event-ID", "")
    if header:
        if not (header.isascii() and header.isdigit() and len(header) <= 10 and int(header) <= LARGEST_INT):
            detail = "Last-Event-ID must be the id of the last event that you got, which is a version."
            raise BadRequest("malformed_event_id", detail)
        return int(header)
    if "after" not in request.query_params:
        return None
    after: int = read(requests.EventsQuery, request.query_params)["after"]
    return after


class AccountEvents(APIView):
    permission_classes = [PlayersOnly]
    renderer_classes = STREAMS

    @describe(404, answers=STREAM_ANSWERS, operation_id="account_stream")
    def get(self, request: Request) -> HttpResponse:
        """Your stream: `account`, as GET account/ answers, then what happens to you: docs/streams.md."""
        return open_stream(request)

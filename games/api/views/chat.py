"""What players say at their tables, and whom they would rather not read."""

from rest_framework.response import Response
from rest_framework.views import APIView

from games import selectors
from games.api import answers, requests, schemas
from games.api.idempotency import idempotent
from games.api.permissions import PlayersOnly
from games.api.throttles import GENERAL, ChatThrottle
from games.api.views.shared import PlayersRequest
from games.services import chat
from trix_site.common.pagination import PageQuery, paged
from trix_site.common.schemas import describe
from trix_site.common.serializers import NothingRequest, read


class Chat(APIView):
    permission_classes = [PlayersOnly]
    throttle_classes = [*GENERAL, ChatThrottle]

    @describe(403, 404, answers=schemas.Chat, parameters=[requests.ChatQuery])
    def get(self, request: PlayersRequest, code: str) -> Response:
        """What was said at your table after the message `after`, the oldest first, at most 200 at once."""
        after = read(requests.ChatQuery, request.query_params)["after"]
        match = selectors.match_to_talk(code, request.user)
        found = selectors.chat_after(match, request.user, after)
        return Response({"messages": [answers.message(message) for message in found]})

    @idempotent
    @describe(403, 404, 409, 422, answers=schemas.Message, status=201, request=requests.SayRequest)
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Say something to the players of your table."""
        said = chat.say(match_code=code, player=request.user, **read(requests.SayRequest, request.data))
        return Response(answers.message(said), status=201)


class Report(APIView):
    @describe(403, 404, 409, answers=None, status=204, request=requests.ReportRequest)
    def post(self, request: PlayersRequest, code: str, message: int) -> Response:
        """Tell the house that a message does not belong there. Nobody at the table is told."""
        body = read(requests.ReportRequest, request.data)
        chat.report(match_code=code, player=request.user, message_id=message, **body)
        return Response(status=204)


class Mutes(APIView):
    permission_classes = [PlayersOnly]

    @describe(404, answers=schemas.MutedPage, parameters=[PageQuery], operation_id="list_mutes")
    def get(self, request: PlayersRequest) -> Response:
        """Whom you have muted, the latest first."""
        return paged(request, selectors.mutes_of(request.user), answers.muted)


class Mute(APIView):
    @describe(403, 404, 409, answers=schemas.Muted, request=NothingRequest)
    def put(self, request: PlayersRequest, name: str) -> Response:
        """Mute a player: you read none of his messages, and hear of none of his invitations."""
        read(NothingRequest, request.data)
        return Response(answers.muted(chat.mute(player=request.user, name=name)))

    @describe(403, 404, answers=None, status=204)
    def delete(self, request: PlayersRequest, name: str) -> Response:
        """Read a player's messages again."""
        chat.unmute(player=request.user, name=name)
        return Response(status=204)

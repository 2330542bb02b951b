"""The doors of the API: each checks the shape of what it is given and calls one service or selector."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import selectors
from games.api import answers, requests, schemas
from games.api.throttles import GuessThrottle, RegisterThrottle, TokenThrottle
from games.models import ApiToken, Player
from games.services import accounts, matches, moves
from trix_site.common.pagination import paged
from trix_site.common.schemas import describe
from trix_site.common.serializers import NothingRequest, read


class PlayersRequest(Request):
    """A request that the permissions let through only with a token."""

    user: Player


class Register(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [RegisterThrottle]

    @describe(400, 409, 429, answers=schemas.Account, status=201, request=requests.RegisterRequest)
    def post(self, request: Request) -> Response:
        """Make an account."""
        account = accounts.register(**read(requests.RegisterRequest, request.data))
        return Response(answers.player(account), status=201)


class Tokens(APIView):
    def get_permissions(self) -> list[Any]:
        return [AllowAny() if self.request.method == "POST" else IsAuthenticated()]

    def get_throttles(self) -> list[Any]:
        return [TokenThrottle(), GuessThrottle()] if self.request.method == "POST" else []

    @describe(400, 401, 429, answers=schemas.NewToken, status=201, request=requests.TokenRequest)
    def post(self, request: Request) -> Response:
        """Make a token for an account. Its text is shown this once."""
        stored, text = accounts.make_token(**read(requests.TokenRequest, request.data))
        return Response(answers.token(stored) | {"token": text}, status=201)

    @describe(401, answers=schemas.Token(many=True))
    def get(self, request: Request) -> Response:
        """List your tokens, without their texts."""
        return Response([answers.token(stored) for stored in ApiToken.objects.filter(user=request.user)])


class Token(APIView):
    permission_classes = [IsAuthenticated]

    @describe(401, 404, answers=None, status=204)
    def delete(self, request: PlayersRequest, code: str) -> Response:
        """Revoke one of your tokens."""
        accounts.revoke_token(player=request.user, code=code)
        return Response(status=204)


class Account(APIView):
    permission_classes = [IsAuthenticated]

    @describe(401, answers=schemas.Me)
    def get(self, request: PlayersRequest) -> Response:
        """You, your unfinished matches, and whose turn it is."""
        waiting = selectors.unfinished_matches_of(request.user, 100)
        listed = [answers.waiting(match, request.user) for match in waiting]
        return Response(answers.player(request.user) | {"matches": listed})


class Matches(APIView):
    @describe(
        400,
        401,
        404,
        answers=schemas.ListedPage,
        parameters=[requests.ListQuery],
        operation_id="list_matches",
    )
    def get(self, request: Request) -> Response:
        """The open tables, or those of another `status`; with `mine` your own of any. The newest first."""
        query = read(requests.ListQuery, request.query_params)
        status = query["status"]
        if query["mine"]:
            if not isinstance(request.user, Player):
                raise NotAuthenticated
            mine = selectors.matches_of(request.user)
            found = mine.filter(status=status) if status else mine
        else:
            found = selectors.lobby(status or "open")
        return paged(request, found, lambda match: answers.listed(match, request.user))

    @describe(400, 401, answers=schemas.Table, status=201, request=requests.OpenRequest)
    def post(self, request: PlayersRequest) -> Response:
        """Open a table and sit down at it."""
        table = read(requests.OpenRequest, request.data)
        clock = table.pop("clock", {})
        clocks = {f"clock_{phase}": seconds for phase, seconds in clock.items()}
        match = matches.open_match(player=request.user, **table, **clocks)
        return _table(request, match.code, status=201)


class Match(APIView):
    @describe(401, 404, answers=schemas.Table)
    def get(self, request: Request, code: str) -> Response:
        """A match with all that you may know of it."""
        return _table(request, code)


class Join(APIView):
    @describe(400, 401, 403, 404, 409, answers=schemas.Table, request=requests.JoinRequest)
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Sit down at an open table: on the seat asked for, or the first free one."""
        matches.join(match_code=code, player=request.user, **read(requests.JoinRequest, request.data))
        return _table(request, code)


class Leave(APIView):
    @describe(400, 401, 403, 404, 409, answers=schemas.Table, request=NothingRequest)
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Get up from an open table, which closes it if you opened it. A running match goes to a bot."""
        read(NothingRequest, request.data)
        matches.leave(match_code=code, player=request.user)
        # Who has left a private table still gets this answer.
        return Response(answers.table(selectors.stored_match(code), request.user))


class Start(APIView):
    @describe(400, 401, 403, 404, 409, answers=schemas.Table, request=requests.StartRequest)
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Start the table that you opened; bots fill its free seats."""
        matches.start(match_code=code, player=request.user, **read(requests.StartRequest, request.data))
        return _table(request, code)


class ComeBack(APIView):
    @describe(400, 401, 403, 404, 409, answers=schemas.Table, request=NothingRequest)
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Take your seat back from the bot that plays on for you. Any action of yours does so too."""
        read(NothingRequest, request.data)
        moves.come_back(match_code=code, player=request.user)
        return _table(request, code)


class Actions(APIView):
    @describe(400, 401, 403, 404, 409, 422, answers=schemas.Move, request=requests.ActionRequest)
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Act at the version that you have seen. Sent twice, it is answered as the first time."""
        body = read(requests.ActionRequest, request.data)
        done = moves.submit_action(
            match_code=code, player=request.user, action_text=body["action"], version=body["version"]
        )
        return Response(answers.move(done))


class Events(APIView):
    @describe(400, 401, 404, answers=schemas.Events, parameters=[requests.EventsQuery])
    def get(self, request: Request, code: str) -> Response:
        """The public actions after a version."""
        after = read(requests.EventsQuery, request.query_params)["after"]
        match = selectors.visible_match(code, request.user)
        events = [answers.event(event) for event in selectors.events_after(match, request.user, after)]
        version = (
            events[-1]["version"] if events else min(after, selectors.score_for(match, request.user).version)
        )
        return Response({"version": version, "events": events})


class Record(APIView):
    @describe(401, 404, answers={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, request: Request, code: str) -> HttpResponse:
        """The `.trix` record: whole once the match is over, until then the deals that are over."""
        match = selectors.visible_match(code, request.user)
        return HttpResponse(selectors.match_record(match), content_type="text/plain; charset=utf-8")


def _table(request: Request, code: str, status: int = 200) -> Response:
    match = selectors.visible_match(code, request.user)
    return Response(answers.table(match, request.user), status=status)

"""Tables: finding, opening, asking to them, sitting down, getting up, starting, ending, playing again."""

from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import selectors
from games.api import answers, requests, schemas
from games.api.idempotency import idempotent
from games.api.views.shared import PlayersRequest, shown_match
from games.models import Player
from games.services import endings, invitations, matches, moves, rematches
from trix_site.common.pagination import paged
from trix_site.common.schemas import describe
from trix_site.common.serializers import NothingRequest, read


class Matches(APIView):
    @describe(404, answers=schemas.ListedPage, parameters=[requests.ListQuery], operation_id="list_matches")
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
            found = selectors.lobby(request.user, status or "open")
        return paged(request, found, lambda match: answers.listed(match, request.user))

    @idempotent
    @describe(403, 404, 409, 422, answers=schemas.Table, status=201, request=requests.OpenRequest)
    def post(self, request: PlayersRequest) -> Response:
        """Open a table and sit down at it."""
        table = read(requests.OpenRequest, request.data)
        clock = requests.clock_fields(table)
        match = matches.open_match(player=request.user, **table, **clock)
        return shown_match(request, match.code, status=201)


class Join(APIView):
    @describe(403, 404, 409, answers=schemas.Table, request=requests.JoinRequest)
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Sit down at an open table: on the seat asked for, or the first free one."""
        matches.join(match_code=code, player=request.user, **read(requests.JoinRequest, request.data))
        return shown_match(request, code)


class Leave(APIView):
    @describe(403, 404, 409, answers=schemas.Table, request=NothingRequest)
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Get up from an open table, which closes it if you opened it. A running match goes to a bot."""
        read(NothingRequest, request.data)
        matches.leave(match_code=code, player=request.user)
        # Who has left a private table still gets this answer.
        return Response(answers.table(selectors.stored_match(code), request.user))


class Start(APIView):
    @describe(403, 404, 409, answers=schemas.Table, request=requests.StartRequest)
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Start the table that you opened; bots fill its free seats."""
        matches.start(match_code=code, player=request.user, **read(requests.StartRequest, request.data))
        return shown_match(request, code)


class ComeBack(APIView):
    @describe(403, 404, 409, answers=schemas.Table, request=NothingRequest)
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Take your seat back from the bot that plays on for you. Any action of yours does so too."""
        read(NothingRequest, request.data)
        moves.come_back(match_code=code, player=request.user)
        return shown_match(request, code)


class Invitations(APIView):
    @idempotent
    @describe(403, 404, 409, 422, answers=schemas.Table, status=201, request=requests.InviteRequest)
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Ask a player to the table that you opened: he sees it and sits down without its code."""
        name = read(requests.InviteRequest, request.data)["player"]
        invitations.invite(match_code=code, player=request.user, name=name)
        return shown_match(request, code, status=201)


class Invitation(APIView):
    @describe(403, 404, answers=None, status=204)
    def delete(self, request: PlayersRequest, code: str, name: str) -> Response:
        """Decline an invitation, by your own name; or take one back, if you opened the table."""
        invitations.end_invitation(match_code=code, player=request.user, name=name)
        return Response(status=204)


class Abort(APIView):
    @describe(403, 404, 409, answers=schemas.Table, request=requests.AbortRequest)
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Agree that the match is called off. That is enough before the first action; later all must."""
        endings.abort(match_code=code, player=request.user, **read(requests.AbortRequest, request.data))
        return shown_match(request, code)


class Resign(APIView):
    @describe(403, 404, 409, answers=schemas.Table, request=NothingRequest)
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Leave a running match for good: a bot plays in your seat to the end."""
        read(NothingRequest, request.data)
        endings.resign(match_code=code, player=request.user)
        return shown_match(request, code)


class Rematch(APIView):
    @idempotent
    @describe(403, 404, 409, 422, answers={201: schemas.Table, 200: schemas.Table}, request=NothingRequest)
    def post(self, request: PlayersRequest, code: str) -> Response:
        """Play again: open the rematch of a finished match of yours (201), or sit down at it (200)."""
        read(NothingRequest, request.data)
        match, opened = rematches.rematch(match_code=code, player=request.user)
        return shown_match(request, match.code, status=201 if opened else 200)

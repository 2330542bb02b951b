"""Accounts and their tokens."""

from typing import Any

from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import selectors
from games.api import answers, requests, schemas
from games.api.permissions import PlayersOnly, require_scope
from games.api.throttles import GENERAL, GuessThrottle, RegisterThrottle, TokenThrottle
from games.api.views.shared import PlayersRequest
from games.models import ApiToken, Scope
from games.services import accounts
from trix_site.common.schemas import describe
from trix_site.common.serializers import read


class TokenRequest(PlayersRequest):
    auth: ApiToken


class Register(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [*GENERAL, RegisterThrottle]

    @describe(400, 409, 429, answers=schemas.Account, status=201, request=requests.RegisterRequest)
    def post(self, request: Request) -> Response:
        """Make an account."""
        account = accounts.register(**read(requests.RegisterRequest, request.data))
        return Response(answers.player(account), status=201)


class Tokens(APIView):
    throttle_classes = [*GENERAL, TokenThrottle, GuessThrottle]

    def get_permissions(self) -> list[Any]:
        return [AllowAny() if self.request.method == "POST" else PlayersOnly()]

    @describe(400, 401, 429, answers=schemas.NewToken, status=201, request=requests.TokenRequest)
    def post(self, request: Request) -> Response:
        """Make a token for an account. Its text is shown this once."""
        stored, text = accounts.make_token(**read(requests.TokenRequest, request.data))
        return Response(answers.token(stored) | {"token": text}, status=201)

    @describe(401, answers=schemas.Token(many=True))
    def get(self, request: Request) -> Response:
        """List your tokens, without their texts."""
        return Response([answers.token(stored) for stored in ApiToken.objects.filter(user=request.user)])


class CurrentToken(APIView):
    permission_classes = [PlayersOnly]
    scope = None  # Any token may end itself.

    @describe(401, answers=schemas.CurrentToken)
    def get(self, request: TokenRequest) -> Response:
        """The token that you send, and whose it is: the way to test one."""
        return Response(answers.token(request.auth) | {"player": answers.player(request.user)})

    @describe(401, answers=None, status=204)
    def delete(self, request: TokenRequest) -> Response:
        """Revoke the token that you send."""
        accounts.revoke_token(player=request.user, code=request.auth.code)
        return Response(status=204)


class Token(APIView):
    scope = None

    @describe(401, 403, 404, answers=None, status=204)
    def delete(self, request: TokenRequest, code: str) -> Response:
        """Revoke one of your tokens."""
        if code != request.auth.code:
            require_scope(request, Scope.PLAY)
        accounts.revoke_token(player=request.user, code=code)
        return Response(status=204)


class Account(APIView):
    permission_classes = [PlayersOnly]

    @describe(401, answers=schemas.Me)
    def get(self, request: PlayersRequest) -> Response:
        """You, your unfinished matches and whose turn it is, and where you are invited."""
        matches = selectors.unfinished_matches_of(request.user, answers.MOST_LISTED)
        invitations = selectors.invitations_of(request.user, answers.MOST_LISTED)
        return Response(answers.me(request.user, matches, invitations))

"""Accounts and their tokens."""

from typing import Any

from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import selectors
from games.api import answers, requests, schemas
from games.api.permissions import PlayersOnly, require_scope
from games.api.throttles import (
    GENERAL,
    GuessThrottle,
    MailThrottle,
    RegisterThrottle,
    ResetThrottle,
    TokenThrottle,
)
from games.api.views.shared import PlayersRequest
from games.models import ApiToken, Scope
from games.services import accounts, closing, passwords
from trix_site.common.schemas import describe
from trix_site.common.serializers import read


class TokenRequest(PlayersRequest):
    auth: ApiToken


class Register(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [*GENERAL, RegisterThrottle]

    @describe(409, answers=schemas.Account, status=201, request=requests.RegisterRequest)
    def post(self, request: Request) -> Response:
        """Make an account."""
        account = accounts.register(**read(requests.RegisterRequest, request.data))
        return Response(answers.player(account), status=201)


class Tokens(APIView):
    throttle_classes = [*GENERAL, TokenThrottle, GuessThrottle]

    def get_permissions(self) -> list[Any]:
        return [AllowAny() if self.request.method == "POST" else PlayersOnly()]

    @describe(answers=schemas.NewToken, status=201, request=requests.TokenRequest)
    def post(self, request: Request) -> Response:
        """Make a token for an account. Its text is shown this once."""
        stored, text = accounts.make_token(**read(requests.TokenRequest, request.data))
        return Response(answers.token(stored) | {"token": text}, status=201)

    @describe(answers=schemas.Token(many=True))
    def get(self, request: Request) -> Response:
        """List your tokens, without their texts."""
        return Response([answers.token(stored) for stored in ApiToken.objects.filter(user=request.user)])


class CurrentToken(APIView):
    permission_classes = [PlayersOnly]
    scope = None  # Any token may end itself.

    @describe(answers=schemas.CurrentToken)
    def get(self, request: TokenRequest) -> Response:
        """The token that you send, and whose it is: the way to test one."""
        return Response(answers.token(request.auth) | {"player": answers.player(request.user)})

    @describe(answers=None, status=204)
    def delete(self, request: TokenRequest) -> Response:
        """Revoke the token that you send."""
        accounts.revoke_token(player=request.user, code=request.auth.code)
        return Response(status=204)


class Token(APIView):
    scope = None

    @describe(403, 404, answers=None, status=204)
    def delete(self, request: TokenRequest, code: str) -> Response:
        """Revoke one of your tokens."""
        if code != request.auth.code:
            require_scope(request, Scope.PLAY)
        accounts.revoke_token(player=request.user, code=code)
        return Response(status=204)


class Account(APIView):
    permission_classes = [PlayersOnly]
    scope = None  # The password is asked for.
    throttle_classes = [*GENERAL, GuessThrottle]

    @describe(answers=schemas.Me)
    def get(self, request: PlayersRequest) -> Response:
        """You, your unfinished matches and whose turn it is, and where you are invited."""
        matches = selectors.unfinished_matches_of(request.user, answers.MOST_LISTED)
        invitations = selectors.invitations_of(request.user, answers.MOST_LISTED)
        return Response(answers.me(request.user, matches, invitations))

    @describe(403, answers=schemas.AccountEmail, request=requests.EmailRequest)
    def patch(self, request: PlayersRequest) -> Response:
        """Change your e-mail address. It takes your password."""
        body = read(requests.EmailRequest, request.data)
        account = passwords.change_email(player=request.user, **body)
        return Response(answers.player(account) | {"email": account.email})

    @describe(403, 409, answers=None, status=204, request=requests.CloseRequest)
    def delete(self, request: PlayersRequest) -> Response:
        """Delete your account for good. The body holds your `password`. Results stay, without your name."""
        closing.close_account(player=request.user, **read(requests.CloseRequest, request.data))
        return Response(status=204)


class Password(APIView):
    scope = None
    throttle_classes = [*GENERAL, GuessThrottle]

    @describe(403, answers=None, status=204, request=requests.PasswordRequest)
    def post(self, request: PlayersRequest) -> Response:
        """Change your password. All your tokens end, this one too."""
        passwords.change_password(player=request.user, **read(requests.PasswordRequest, request.data))
        return Response(status=204)


class PasswordReset(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [*GENERAL, ResetThrottle, MailThrottle]

    @describe(answers=None, status=202, request=requests.ResetRequest)
    def post(self, request: Request) -> Response:
        """Have a link for a new password sent to the accounts of this address, if there are any."""
        passwords.request_reset(**read(requests.ResetRequest, request.data))
        return Response(status=202)


class PasswordConfirm(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [*GENERAL, ResetThrottle]

    @describe(answers=None, status=204, request=requests.ConfirmRequest)
    def post(self, request: Request) -> Response:
        """Set a new password with what the link in the e-mail holds. All tokens of the account end."""
        passwords.reset(**read(requests.ConfirmRequest, request.data))
        return Response(status=204)

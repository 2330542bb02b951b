"""Who asks: the token of the Authorization header."""

from django.utils import timezone
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from games.api.throttles import PerAddress
from games.models import ApiToken, Player


class BearerAuthentication(TokenAuthentication):
    """Knox's, in one query a request, with a 401 for a header that is not text, and plainer words.

    Tokens that are none count against the limit of their address: no throttle of a view gets to see them.
    """

    def authenticate(self, request: Request) -> tuple[Player, ApiToken] | None:
        try:
            return self._authenticate(request)
        except AuthenticationFailed:
            throttle = PerAddress()
            if not throttle.count(throttle.get_ident(request)):
                raise Throttled(throttle.wait()) from None
            raise

    def _authenticate(self, request: Request) -> tuple[Player, ApiToken] | None:
        if not request.META.get("HTTP_AUTHORIZATION", "").isascii():
            raise AuthenticationFailed("A token is plain ASCII.", "malformed_token")
        return super().authenticate(request)

    def authenticate_credentials(self, token: bytes) -> tuple[Player, ApiToken]:
        try:
            return super().authenticate_credentials(token)
        except AuthenticationFailed as error:
            words = "The token is unknown, has expired or was revoked, or its account is closed."
            raise AuthenticationFailed(words) from error

    def _cleanup_token(self, auth_token: ApiToken) -> bool:
        """Whether this token has expired; knox would look at all others of the player too."""
        return auth_token.expiry is not None and auth_token.expiry < timezone.now()

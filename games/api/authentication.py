"""Who asks: the token of the Authorization header."""

from hmac import compare_digest

from django.utils import timezone
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from knox.settings import CONSTANTS
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from games.api.throttles import PerAddress
from games.models import ApiToken, Player
from trix_site.common.prepared import Prepared

TOKENS = Prepared(lambda key: ApiToken.objects.filter(token_key=key).select_related("user"), "?")


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
        text = token.decode()
        for stored in TOKENS.all(text[: CONSTANTS.TOKEN_KEY_LENGTH]):
            if compare_digest(hash_token(text), stored.digest) and _is_good(stored):
                return stored.user, stored
        raise AuthenticationFailed(
            "The token is unknown, has expired or was revoked, or its account is closed."
        )


def _is_good(token: ApiToken) -> bool:
    return token.user.is_active and (token.expiry is None or token.expiry >= timezone.now())

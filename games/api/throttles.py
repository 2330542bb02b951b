"""Who may ask how often: everyone in general, and less often where it matters more."""

from typing import Any

from django.conf import settings
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from games.models import ApiToken, Player
from trix_site.common.throttling import Throttle

# Of a general limit, what a process takes at once.
LEASES = 50


class General(Throttle):
    """Base of the limits that the settings name, which hold for every call."""

    @property
    def lease(self) -> int:  # type: ignore[override]
        return max(1, self.limit // LEASES)


class PerToken(General):
    scope = "each token"

    @property
    def limit(self) -> int:  # type: ignore[override]
        return settings.THROTTLE_TOKEN

    def who(self, request: Request) -> str | None:
        return request.auth.code if isinstance(request.auth, ApiToken) else None


class PerAddress(General):
    """Of calls without a token, and of tokens that are none."""

    scope = "each address"

    @property
    def limit(self) -> int:  # type: ignore[override]
        return settings.THROTTLE_ADDRESS

    def who(self, request: Request) -> str | None:
        return None if request.auth else self.get_ident(request)


GENERAL = (PerToken, PerAddress)


class Writing(Throttle):
    """Base of the stricter limits: of calls that write, at the views that name them beside GENERAL."""

    def allow_request(self, request: Request, view: Any) -> bool:
        return request.method in SAFE_METHODS or super().allow_request(request, view)


class ByAddress(Writing):
    def who(self, request: Request) -> str:
        return self.get_ident(request)


class RegisterThrottle(ByAddress):
    scope, limit = "register", 120


class TokenThrottle(ByAddress):
    scope, limit = "token", 120


class ResetThrottle(ByAddress):
    scope, limit = "reset", 20


class MailThrottle(Writing):
    """By the e-mail address that is to be written to, whether anyone here has it or not."""

    scope, limit, window = "mail", 5, 60 * 60

    def who(self, request: Request) -> str | None:
        email = dict(request.data).get("email")
        return self.written(email) if isinstance(email, str) else None

    @staticmethod
    def written(email: str) -> str:
        """The same for all that counts as one address: without spaces around it, in upper case as the
        database compares them.
        """
        return email.strip().upper().casefold()


class GuessThrottle(Writing):
    """By the account whose password is asked for: however it is written, from whomever the guesses come.

    Doors that ask for the caller's own take no `username`, and refuse a body with one before they look.
    """

    scope, limit = "guess", 20

    def who(self, request: Request) -> str | None:
        name = dict(request.data).get("username") or request.user.get_username()
        return self.written(name) if name and isinstance(name, str) else None

    @staticmethod
    def written(name: str) -> str:
        return Player.normalize_username(name).casefold()


class ChatThrottle(Writing):
    scope, limit = "chat", 30

    def who(self, request: Request) -> str | None:
        return str(request.user.pk) if request.user.is_authenticated else None


class AnalysisThrottle(Writing):
    """Asking: one takes some seconds of a processor."""

    scope, limit, window = "analysis", 60, 60 * 60

    def who(self, request: Request) -> str | None:
        return str(request.user.pk) if request.user.is_authenticated else None

"""What a caller may do at all: anyone reads, players write, with a token of the scope that a door names."""

from typing import Any

from rest_framework.exceptions import MethodNotAllowed
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from games.models import Scope
from trix_site.common.errors import Forbidden


class Scoped(BasePermission):
    """The default. Writing takes a token of the view's ``scope``, which is `play` unless it says otherwise.

    A view whose ``scope`` is None decides for itself, by `require_scope` or by asking for the password.
    What a door does not have is said first, for no token would help.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        if request.method not in view.allowed_methods:
            raise MethodNotAllowed(str(request.method))
        if request.method in SAFE_METHODS:
            return True
        if not request.user.is_authenticated:
            return False
        if scope := getattr(view, "scope", Scope.PLAY):
            require_scope(request, scope)
        return True


class PlayersOnly(Scoped):
    """Reading, too, is for players: what is here is the caller's own, or an organiser's."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return super().has_permission(request, view) and bool(request.user.is_authenticated)


def require_scope(request: Request, scope: str) -> None:
    """Raise Forbidden unless the caller's token has this scope."""
    token: Any = request.auth
    if scope not in token.scopes:
        has = ", ".join(token.scopes)
        detail = (
            f"This takes a token with the scope {scope}; yours has {has}. Make one by POST"
            f' /api/v1/auth/tokens/ with "scopes": ["{scope}"], or without "scopes" for all of them.'
        )
        raise Forbidden("missing_scope", detail, scope=scope)

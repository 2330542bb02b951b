"""What several doors share."""

from rest_framework.request import Request
from rest_framework.response import Response

from games import selectors
from games.api import answers
from games.models import Player


class PlayersRequest(Request):
    """A request that the permissions let through only with a token."""

    user: Player


def shown_match(request: Request, code: str, status: int = 200) -> Response:
    """A match with all that the caller may know of it. Raises Missing."""
    match = selectors.visible_match(code, request.user)
    return Response(answers.table(match, request.user), status=status)

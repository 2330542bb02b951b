"""Creating calls that may be sent again: the header Idempotency-Key names one, and it is done once."""

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from games.api.views.shared import PlayersRequest
from games.models import IdempotentAnswer, Player
from trix_site.common.errors import AgainstRules, BadRequest

LONGEST_KEY = 200  # characters

HEADER = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description=(
        "Names this call, so that it may be sent again when its answer was lost: for 24 hours the same"
        " request with the same key gets the first answer, with the header Idempotency-Replayed."
    ),
)

# Waits for a transaction that has written the same key, and writes nothing if that one commits.
CLAIM = """
    INSERT INTO games_idempotentanswer (player_id, key, request, created_at)
    VALUES (%s, %s, %s, %s) ON CONFLICT (player_id, key) DO NOTHING RETURNING id
"""

Post = Callable[..., Response]


def idempotent(post: Post) -> Post:
    """Decorate the `post` of a view for players, outside of `describe`, which names 422.

    With the header the view runs in one transaction with the row that remembers its answer. A refusal is
    not remembered. Not for answers that must be stored nowhere, such as a token.
    """

    @extend_schema(parameters=[HEADER])
    @wraps(post)
    def once(view: Any, request: PlayersRequest, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get("Idempotency-Key")
        if key is None:
            return post(view, request, *args, **kwargs)
        _check_key(key)
        with transaction.atomic():
            digest = _digest(request)
            while (claimed := _claim(request.user, key, digest)) is None:
                # None where it has got free since, a day old.
                if stored := IdempotentAnswer.objects.filter(player=request.user, key=key).first():
                    return _first_answer(stored, digest)
            answer = post(view, request, *args, **kwargs)
            text = JSONRenderer().render(answer.data).decode()
            IdempotentAnswer.objects.filter(pk=claimed).update(status=answer.status_code, answer=text)
        return answer

    return once


def _check_key(key: str) -> None:
    if not (1 <= len(key) <= LONGEST_KEY and all("!" <= char <= "~" for char in key)):
        detail = f"An Idempotency-Key is 1 to {LONGEST_KEY} visible characters of ASCII."
        raise BadRequest("malformed_idempotency_key", detail)


def _digest(request: PlayersRequest) -> bytes:
    """What makes two requests the same: the call, and its body to the byte."""
    call = f"{request.method} {request.get_full_path()}\n"
    return hashlib.sha256(call.encode() + request.body).digest()


def _claim(player: Player, key: str, digest: bytes) -> int | None:
    """The id of a new row for this key, or None if there is one already."""
    with connection.cursor() as cursor:
        cursor.execute(CLAIM, [player.pk, key, digest, timezone.now()])
        row = cursor.fetchone()
    return row and row[0]


def _first_answer(stored: IdempotentAnswer, digest: bytes) -> Response:
    """The stored answer to the same request. Raises AgainstRules for another one."""
    if bytes(stored.request) != digest:
        detail = "This Idempotency-Key was used for another request; take a new key for a new one."
        raise AgainstRules("idempotency_key_reused", detail)
    assert stored.answer is not None
    answer = json.loads(stored.answer)
    return Response(answer, status=stored.status, headers={"Idempotency-Replayed": "true"})

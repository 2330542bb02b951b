"""What is refused before any view sees it."""

from collections.abc import Callable
from contextlib import suppress

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, UnreadablePostError

from trix_site.common.handlers import is_api, problem_response

DRAIN_LIMIT = 8 * 1024 * 1024  # bytes


class RefuseBadRequests:
    """Null characters in an address, which PostgreSQL cannot compare; the API's addresses without their
    slash, which would be redirected, body and all; too large bodies of the API.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        answer = self._refusal(request) or self.get_response(request)
        if is_api(request):
            _drain(request)
        return answer

    def _refusal(self, request: HttpRequest) -> HttpResponse | None:
        if "\0" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            return problem_response(400, "null_character", "An address must not hold a null character.")
        if not is_api(request):
            return None
        address = f"/{request.path.strip('/')}/"
        if address not in ("/api/", request.path):
            detail = f"There is nothing at {request.path}. Try {address}, one slash at each end."
            return problem_response(404, "not_found", detail)
        if "HTTP_TRANSFER_ENCODING" in request.META and not request.META.get("CONTENT_LENGTH"):
            return problem_response(411, "length_required", "Send the body with a Content-Length.")
        limit = body_limit(request.path)
        if _length(request) > limit:
            detail = f"The body is too large: at most {limit} bytes."
            return problem_response(413, "body_too_large", detail, limit=limit)
        return None


def body_limit(path: str) -> int:
    """How many bytes a body sent to this address of the API may have: more where whole files are imported."""
    if path.endswith("tournaments/import/"):
        return settings.API_DOCUMENT_LIMIT
    return settings.API_IMPORT_LIMIT if path.endswith("/import/") else settings.API_BODY_LIMIT


def _length(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def _drain(request: HttpRequest) -> None:
    """Read what nobody has read of the body, within reason.

    A client that is cut off while sending never reads the answer, and the next request on its connection
    would be lost.
    """
    taken = 0
    with suppress(UnreadablePostError):
        while taken < DRAIN_LIMIT and (chunk := request.read(65536)):
            taken += len(chunk)

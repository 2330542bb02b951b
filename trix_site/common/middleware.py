"""What is refused before any view sees it."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from trix_site.common.handlers import is_api, problem_response

DRAIN_LIMIT = 8 * 1024 * 1024  # bytes


class RefuseBadRequests:
    """Null characters in an address, which PostgreSQL cannot compare; too large bodies of the API."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._refusal(request) or self.get_response(request)

    def _refusal(self, request: HttpRequest) -> HttpResponse | None:
        if "\0" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            return problem_response(400, "null_character", "An address must not hold a null character.")
        if not is_api(request):
            return None
        if "HTTP_TRANSFER_ENCODING" in request.META and not request.META.get("CONTENT_LENGTH"):
            return problem_response(411, "length_required", "Send the body with a Content-Length.")
        if _length(request) > settings.API_BODY_LIMIT:
            _drain(request)
            detail = f"The body is too large: at most {settings.API_BODY_LIMIT} bytes."
            return problem_response(413, "body_too_large", detail, limit=settings.API_BODY_LIMIT)
        return None


def _length(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def _drain(request: HttpRequest) -> None:
    """Read what is on its way, within reason: a client cut off while sending never reads the answer."""
    taken = 0
    while taken < DRAIN_LIMIT and (chunk := request.read(65536)):
        taken += len(chunk)

"""Every error under /api/ leaves here, as `application/problem+json` (RFC 9457).

Members: `type`, `title`, `status`, `detail`, `code`; `errors` by field for a body that does not fit; and what
the raiser of a `ProblemError` added.
"""

import logging
import math
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.core.exceptions import ValidationError as DjangoValidationError
from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views import csrf, defaults
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.serializers import as_serializer_error
from rest_framework.views import set_rollback

from trix_site.common.errors import ProblemError

MEDIA_TYPE = "application/problem+json"

log = logging.getLogger(__name__)


def problem(status: int, code: str, detail: str, **members: object) -> dict[str, Any]:
    """The members of one answer. `type` is about:blank: the code says more, and has no page of its own."""
    title = HTTPStatus(status).phrase
    return {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
        **members,
    }


def problem_response(status: int, code: str, detail: str, **members: object) -> JsonResponse:
    """A problem from outside Django REST Framework's views: middleware, URL errors."""
    return JsonResponse(problem(status, code, detail, **members), status=status, content_type=MEDIA_TYPE)


def is_api(request: HttpRequest) -> bool:
    """Whether programs ask: also for `/api` and `//api/…`, where nothing is."""
    return f"/{request.path.strip('/')}/".startswith("/api/")


# Inside the API's views


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's hook. None lets an unforeseen error through, to the log and to `server_error`."""
    data = _problem_of(error) or _refusal_of(error, context)
    if data is None:
        return None
    set_rollback()
    return Response(data, status=data["status"], headers=_headers(error), content_type=MEDIA_TYPE)


def _problem_of(error: Exception) -> dict[str, Any] | None:
    match error:
        case ProblemError():
            return problem(error.status, error.code, error.detail, **error.members)
        case exceptions.ValidationError():
            return _invalid(error.detail)
        case DjangoValidationError():
            return _invalid(as_serializer_error(error))
        case exceptions.UnsupportedMediaType():
            wanted = "Send the body as JSON, with Content-Type: application/json."
            return problem(415, "unsupported_media_type", wanted)
        case Http404():
            return problem(404, "not_found", "There is nothing here.")
        case PermissionDenied():
            return problem(403, "permission_denied", "This is not yours to do.")
        case RequestDataTooBig():
            return problem(413, "body_too_large", "The body is too large.")
        case DataError():  # A value that fits its field and not its column, such as a number of 40 digits.
            return problem(400, "invalid", "A value is out of range.")
    return None


def _refusal_of(error: Exception, context: dict[str, Any]) -> dict[str, Any] | None:
    """DRF's own errors, some in words that say what would be right."""
    match error:
        case exceptions.NotAuthenticated():
            detail = "This takes a token: Authorization: Bearer and the token of POST /api/v1/auth/tokens/."
        case exceptions.MethodNotAllowed():
            methods = ", ".join(context["view"].allowed_methods)
            detail = f"There is no {context['request'].method:.20} here. There are: {methods}."
        case exceptions.NotAcceptable():
            forms = ", ".join(renderer.media_type for renderer in context["view"].renderer_classes)
            detail = f"The answer has none of the forms that you accept. There are: {forms}."
        case exceptions.Throttled():
            wait = math.ceil(getattr(error, "wait", None) or 1)
            detail = f"That was too often. The next may come in {wait} seconds."
        case exceptions.APIException():
            detail = str(error.detail)
        case _:
            return None
    return problem(error.status_code, _code_of(error), detail)


def _invalid(errors: Any) -> dict[str, Any]:
    """A body that does not fit: the first sentence in `detail`, all of them in `errors`."""
    by_field = errors if isinstance(errors, dict) else {"non_field_errors": errors}
    return problem(400, "invalid", _first_sentence(by_field), errors=by_field)


def _first_sentence(errors: Any, path: str = "") -> str:
    if isinstance(errors, dict):
        name, inner = next(iter(errors.items()))
        if isinstance(name, int):  # The place in a list.
            return _first_sentence(inner, f"item {name + 1} of {path}")
        prefix = "" if name == "non_field_errors" else f"{name}: "
        return _first_sentence(inner, path + prefix)
    if isinstance(errors, list):
        return _first_sentence(next(filter(None, errors), "The body does not fit."), path)
    return path + str(errors)


def _code_of(error: exceptions.APIException) -> str:
    code = error.get_codes()
    return code if isinstance(code, str) else error.default_code


def _headers(error: Exception) -> dict[str, str]:
    """401 says how to authenticate, 429 when to come back."""
    headers = {}
    if auth := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = auth
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(math.ceil(wait))
    return headers


# Outside them: unknown addresses, refused forms, and what nobody foresaw


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_api(request):
        return problem_response(400, "bad_request", "The request is malformed.")
    return defaults.bad_request(request, exception)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_api(request):
        return problem_response(403, "permission_denied", "This is not yours to do.")
    return defaults.permission_denied(request, exception)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_api(request):
        return problem_response(404, "not_found", f"There is nothing at {request.path}.")
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    if is_api(request):
        return problem_response(500, "internal_error", "Something went wrong here. It has been logged.")
    return defaults.server_error(request)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    if is_api(request):
        return problem_response(403, "csrf_failed", reason or "The CSRF token is missing or wrong.")
    return csrf.csrf_failure(request, reason)

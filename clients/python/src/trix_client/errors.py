"""What can go wrong: the server refused (`ApiError`), or no answer came (`TransportError`)."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

MEMBERS_OF_ALL = {"type", "title", "status", "detail", "code"}
NOT_OURS = "This is not the answer of a Trix server, but a proxy's or another site's."


class TrixError(Exception):
    """Base of all errors of this client."""


class TransportError(TrixError):
    """No answer came, whatever was tried. `sent`: the request may have arrived, and may have been done."""

    def __init__(self, message: str, *, sent: bool, hopeless: bool = False) -> None:
        super().__init__(message)
        self.sent, self.hopeless = sent, hopeless


class VerificationError(TrixError):
    """A record's deals do not follow from its seed, or a webhook was not signed with its key."""


class ApiError(TrixError):
    """The server refused. `code` is for programs, `detail` for people, `members` is what else it said."""

    def __init__(self, status: int, code: str, detail: str, members: Mapping[str, Any] | None = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.status, self.code, self.detail = status, code, detail
        self.members = dict(members or {})

    @property
    def errors(self) -> dict[str, Any]:
        """What is wrong with a body, by field."""
        errors: dict[str, Any] = self.members.get("errors", {})
        return errors

    @property
    def version(self) -> int | None:
        """The match's version now, where the server told it."""
        return self.members.get("version")

    @property
    def legal(self) -> list[str]:
        """Your legal actions, where the server told them."""
        legal: list[str] = self.members.get("legal", [])
        return legal

    @property
    def retry_after(self) -> float | None:
        """Seconds until it is worth another try, where the server told them."""
        return self.members.get("retry_after")


class BadRequest(ApiError):
    """400: malformed; `errors` says which field."""


class Unauthorized(ApiError):
    """401: no valid token."""


class Forbidden(ApiError):
    """403: not yours to do."""


class NotFound(ApiError):
    """404: there is no such thing, or none that you may know of."""


class Conflict(ApiError):
    """409: it has moved on; `stale_version` has the `version` of now."""


class AgainstRules(ApiError):
    """422: against the rules; for an action with your `legal` ones."""


class Throttled(ApiError):
    """429: too often; `retry_after` says when to come back."""


BY_STATUS: dict[int, type[ApiError]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    422: AgainstRules,
    429: Throttled,
}


def api_error(request: str, status: int, body: bytes, retry_after: float | None = None) -> ApiError:
    """The error that an answer tells. One that is no problem of the server's, as a proxy's, is `http_502`.

    ``request`` names what was answered, as in "GET http://localhost:8000/api/v1/account/".
    """
    problem = _problem(body)
    code = problem.get("code") or f"http_{status}"
    detail = problem.get("detail") or f"{request}: {_phrase(status)}. {NOT_OURS}"
    members = {name: value for name, value in problem.items() if name not in MEMBERS_OF_ALL}
    if retry_after is not None:
        members["retry_after"] = retry_after
    return BY_STATUS.get(status, ApiError)(status, code, detail, members)


def _problem(body: bytes) -> dict[str, Any]:
    try:
        problem = json.loads(body)
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}


def _phrase(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"Status {status}"

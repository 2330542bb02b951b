"""Errors that reach a caller as `application/problem+json` (RFC 9457). Services raise them.

`code` is stable and made for programs, `detail` is a sentence for people. Keywords become members
of the answer: `Conflict("stale_version", "…", version=38)` tells the current version.
"""

from typing import Self

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError


class ProblemError(Exception):
    """A refusal: nothing was changed. Raise a subclass, which names the HTTP status."""

    status = 400

    def __init__(self, code: str, detail: str, **members: object) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.members = members


class BadRequest(ProblemError):
    """The request itself is malformed."""

    @classmethod
    def of_fields(cls, error: ValidationError) -> Self:
        """What a model's `full_clean` refused: the first reason in `detail`, all of them in `errors`."""
        errors = error.message_dict
        field, found = next(iter(errors.items()))
        detail = found[0] if field == NON_FIELD_ERRORS else f"{field}: {found[0]}"
        return cls("invalid", detail, errors=errors)


class Forbidden(ProblemError):
    """Well formed, but not this caller's to do."""

    status = 403


class Missing(ProblemError):
    """No such thing, or not one that this caller may know of."""

    status = 404


class Conflict(ProblemError):
    """The thing has moved on: a stale version, a finished match, a taken seat."""

    status = 409


class AgainstRules(ProblemError):
    """Well formed, and against the rules of the game or of the tournament."""

    status = 422

"""What every app says of its calls in the OpenAPI description."""

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers


class Problem(serializers.Serializer):
    """RFC 9457. `code` is stable; what helps with it comes in further members."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    errors = serializers.DictField(  # type: ignore[assignment]  # the name of a property of Serializer
        required=False, help_text="By field, for a body that does not fit."
    )
    version = serializers.IntegerField(required=False, help_text="The match's version now.")
    legal = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Your legal actions."
    )


class Page(serializers.Serializer):
    """Base of the pages of a list, each with its `results`."""

    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


REFUSALS = {
    400: "Malformed",
    401: "No valid token",
    403: "Not yours to do",
    404: "No such thing, or none that you may know of",
    406: "Not in this form, or not from this process",
    409: "It has moved on",
    411: "A body without Content-Length",
    413: "Too large a body",
    415: "A body that is not JSON",
    422: "Against the rules",
    429: "Too often; Retry-After says when",
}
OF_ALL = {400, 401, 406, 429}
OF_BODIES = {411, 413, 415}


def describe(*refusals: int, answers: object, status: int = 200, **options: Any) -> Any:
    """`extend_schema` with the refusals that an operation knows, those of all calls, and those of bodies."""
    responses = dict(answers) if isinstance(answers, dict) else {status: answers}
    for code in sorted({*refusals, *OF_ALL, *(OF_BODIES if "request" in options else ())}):
        responses[code, "application/problem+json"] = OpenApiResponse(Problem, REFUSALS[code])
    return extend_schema(responses=responses, **options)

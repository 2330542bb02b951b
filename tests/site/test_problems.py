"""Bad input of every class gets problem+json with a stable code, through the real middleware and handlers."""

import json

import pytest
from django.test import Client, override_settings
from django.urls import include, path
from rest_framework import exceptions, serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView

from trix_site.common.errors import Conflict
from trix_site.common.serializers import StrictSerializer, read
from trix_site.urls import urlpatterns as site_urls


class ClockSerializer(StrictSerializer):
    play = serializers.IntegerField()


class MoveSerializer(StrictSerializer):
    action = serializers.CharField(max_length=40)
    version = serializers.IntegerField(min_value=0)
    sure = serializers.BooleanField(default=True)
    scores = serializers.ListField(child=serializers.IntegerField(max_value=100), required=False)
    options = serializers.DictField(required=False)
    clock = ClockSerializer(required=False)
    where = serializers.ChoiceField(["here", "there"], required=False)
    id = serializers.CharField(read_only=True)


class Moves(APIView):
    """A view like those of the apps, without anything behind it."""

    permission_classes = ()

    def post(self, request):
        return Response(read(MoveSerializer, request.data))

    def put(self, request):
        raise Conflict("stale_version", "The match is at version 38, not 37.", version=38)

    def patch(self, request):
        raise exceptions.Throttled(wait=7)

    def delete(self, request):
        raise RuntimeError("nobody foresaw this")


class Private(APIView):
    permission_classes = (IsAuthenticated,)

    def get(self, request):
        return Response({})


urlpatterns = [
    path("api/v1/", include([path("moves/", Moves.as_view()), path("private/", Private.as_view())])),
    *site_urls,
]
handler400 = "trix_site.common.handlers.bad_request"
handler403 = "trix_site.common.handlers.permission_denied"
handler404 = "trix_site.common.handlers.page_not_found"
handler500 = "trix_site.common.handlers.server_error"

GOOD = {"action": "play KH", "version": 37}


@pytest.fixture(autouse=True)
def addresses():
    with override_settings(ROOT_URLCONF=__name__):
        yield


@pytest.fixture
def api():
    return Client(raise_request_exception=False)


def post(api, body, content_type="application/json"):
    return api.post("/api/v1/moves/", body, content_type=content_type)


def problem_of(answer, status, code):
    """The members of the problem, after checking what every problem has."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    members = json.loads(answer.content)
    assert members["status"] == status
    assert members["code"] == code
    assert members["type"] and members["title"] and members["detail"]
    return members


def test_a_good_body_passes(api):
    answer = post(api, json.dumps(GOOD))
    assert answer.json() == {**GOOD, "sure": True}


def test_arabic_text_comes_back_as_it_went(api):
    answer = post(api, json.dumps({"action": "العب الختيار", "version": 0}))
    assert "العب الختيار" in answer.content.decode()


@pytest.mark.parametrize(
    ("body", "kind"), [("[]", "an array"), ('"play KH"', "a string"), ("37", "a number"), ("null", "null")]
)
def test_json_that_is_no_object(api, body, kind):
    members = problem_of(post(api, body), 400, "not_an_object")
    assert members["detail"] == f"The body must be a JSON object, not {kind}."


@pytest.mark.parametrize(
    "body",
    [
        "{",
        "play KH",
        '{"action": "pass", "action": "play KH", "version": 1}',
        '{"version": NaN}',
        '{"version": -Infinity}',
        '{"version": ' + "9" * 5000 + "}",
        "[" * 100_000,
        '{"a":' * 20_000 + "1" + "}" * 20_000,
    ],
    ids=["cut", "text", "twice", "nan", "infinity", "5000 digits", "deep", "deep object"],
)
def test_malformed_json(api, body):
    problem_of(post(api, body), 400, "malformed_json")


def test_no_body_is_an_empty_object(api):
    members = problem_of(post(api, ""), 400, "invalid")
    assert members["errors"] == {
        "action": ["This field is required."],
        "version": ["This field is required."],
    }


def test_bytes_that_are_not_utf8(api):
    problem_of(post(api, b'{"action": "\xff"}'), 400, "not_utf8")


@pytest.mark.parametrize(
    "body", [{"action": "a\0b", "version": 1}, {**GOOD, "a\0b": 1}, {**GOOD, "x": [{"y": "\0"}]}]
)
def test_a_null_character_anywhere(api, body):
    problem_of(post(api, json.dumps(body)), 400, "null_character")


def test_half_a_surrogate_pair(api):
    problem_of(post(api, r'{"action": "\ud800", "version": 1}'), 400, "malformed_text")


def test_unknown_fields_are_named_and_the_known_ones_told(api):
    members = problem_of(post(api, json.dumps({**GOOD, "verison": 1})), 400, "invalid")
    words = "There is no such field. Fields: action, clock, options, scores, sure, version, where."
    assert members["errors"] == {"verison": [words]}
    assert members["detail"] == f"verison: {words}"


def test_a_field_that_is_only_read_cannot_be_written(api):
    members = problem_of(post(api, json.dumps({**GOOD, "id": "x"})), 400, "invalid")
    assert list(members["errors"]) == ["id"]


@pytest.mark.parametrize(
    ("field", "value", "wanted"),
    [
        ("action", 5, "text"),
        ("action", ["play KH"], "text"),
        ("action", {"play": "KH"}, "text"),
        ("version", "37", "a whole number"),
        ("version", 37.0, "a whole number"),
        ("version", 1e400, "a whole number"),
        ("version", True, "a whole number"),
        ("sure", "yes", "true or false"),
        ("sure", 1, "true or false"),
        ("scores", "1 2", "a list"),
        ("scores", {"0": 1}, "a list"),
        ("options", [], "an object"),
        ("options", "early_end", "an object"),
        ("clock", 5, "an object"),
        ("clock", [5], "an object"),
    ],
)
def test_wrong_types_are_refused_not_converted(api, field, value, wanted):
    body = json.dumps({**GOOD, field: value}).replace("Infinity", "1e400")
    members = problem_of(post(api, body), 400, "invalid")
    assert members["errors"] == {field: [f"This must be {wanted}."]}


@pytest.mark.parametrize(
    ("scores", "detail"),
    [
        ([1, "2", "3"], "item 2 of scores: This must be a whole number."),
        ([True], "item 1 of scores: This must be a whole number."),
        ([1, 2, 101], "item 3 of scores: Ensure this value is less than or equal to 100."),
    ],
)
def test_a_wrong_item_of_a_list_is_told_by_its_place(api, scores, detail):
    members = problem_of(post(api, json.dumps({**GOOD, "scores": scores})), 400, "invalid")
    assert members["detail"] == detail


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("nowhere", "'nowhere'"),
        (["here"], "['here']"),
        (5, "5"),
        ("", "''"),
        ("\u202e", r"'\u202e'"),
        ("x" * 1000, "'" + "x" * 39),
    ],
)
def test_a_choice_that_is_not_there_tells_those_that_are(api, where, told):
    members = problem_of(post(api, json.dumps({**GOOD, "where": where})), 400, "invalid")
    assert members["errors"] == {"where": [f"This must be one of here, there, not {told}."]}


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b'{"version": ' + b"9" * 101 + b"}", "a number has more than 100 digits"),
        (b'\xef\xbb\xbf{"version": 1}', "it starts with a byte order mark"),
    ],
    ids=["digits", "byte order mark"],
)
def test_malformed_json_is_told_without_names_of_python(api, body, detail):
    members = problem_of(post(api, body), 400, "malformed_json")
    assert members["detail"] == f"The body is not JSON: {detail}."


def test_null_and_missing_fields(api):
    members = problem_of(post(api, json.dumps({"action": None})), 400, "invalid")
    assert set(members["errors"]) == {"action", "version"}


def test_every_wrong_type_is_told_at_once(api):
    members = problem_of(post(api, json.dumps({"action": 5, "version": "x", "more": 1})), 400, "invalid")
    assert set(members["errors"]) == {"action", "version", "more"}


@pytest.mark.parametrize("size", [300_000, 1_000_000, 9_000_000])
def test_a_body_that_is_too_large(api, size):
    members = problem_of(post(api, b'{"action": "' + b"x" * size + b'"}'), 413, "body_too_large")
    assert members["limit"] == 256 * 1024


def test_a_large_body_to_an_unknown_address(api):
    problem_of(
        api.post("/api/v1/nothing/", b"x" * 1_000_000, content_type="text/plain"), 413, "body_too_large"
    )


def test_a_body_without_its_length(api):
    answer = api.generic("POST", "/api/v1/moves/", HTTP_TRANSFER_ENCODING="chunked")
    problem_of(answer, 411, "length_required")


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x"]
)
def test_a_content_type_that_is_not_json(api, kind):
    members = problem_of(post(api, b"action=pass", kind), 415, "unsupported_media_type")
    assert members["detail"] == "Send the body as JSON, with Content-Type: application/json."


def test_an_answer_that_we_cannot_give(api):
    problem_of(api.get("/api/v1/private/", headers={"accept": "text/csv"}), 406, "not_acceptable")


def test_a_format_that_is_not_there_tells_those_that_are(api):
    members = problem_of(api.get("/api/v1/private/?format=xml"), 404, "not_found")
    assert members["detail"] == "There is no format xml here, but json."


@pytest.mark.parametrize(
    "address", ["/api/v1/nothing/", "/api", "/api/", "/api/v1/moves/%F0%9F%82%B1/", "/api/v1/moves/%FF/"]
)
def test_an_unknown_address(api, address):
    problem_of(api.get(address), 404, "not_found")


@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
@pytest.mark.parametrize(
    ("address", "right"),
    [
        ("/api/v1/moves", "/api/v1/moves/"),
        ("/api/docs", "/api/docs/"),
        ("//api/v1/moves/", "/api/v1/moves/"),
        ("//api/v1/moves", "/api/v1/moves/"),
    ],
)
def test_an_address_without_its_slash_is_not_redirected_but_named(api, method, address, right):
    answer = api.generic(method.upper(), "/", PATH_INFO=address)
    members = problem_of(answer, 404, "not_found")
    assert f" {right}, " in members["detail"]


@pytest.mark.parametrize("address", ["/api/v1/moves/%00/", "/api/v1/moves/?after=%00", "/admin/?q=%00"])
def test_a_null_character_in_the_address(api, address):
    problem_of(api.get(address), 400, "null_character")


def test_a_method_that_is_not_there(api):
    answer = api.get("/api/v1/moves/")
    members = problem_of(answer, 405, "method_not_allowed")
    assert members["detail"] == f"There is no GET here. There are: {answer['Allow']}."
    assert "POST" in answer["Allow"]


def test_no_token(api):
    answer = api.get("/api/v1/private/")
    assert "POST /api/v1/auth/tokens/" in problem_of(answer, 401, "not_authenticated")["detail"]
    assert answer["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer x", "Bearer \u00e9", "Bearer a b", "Basic eDp5", "Bearer " + "x" * 9000]
)
def test_a_wrong_token(db, api, header):
    answer = api.get("/api/v1/private/", headers={"authorization": header.encode().decode("latin-1")})

    code = json.loads(answer.content)["code"]
    assert code in ("authentication_failed", "not_authenticated", "malformed_token")
    problem_of(answer, 401, code)


def test_what_a_service_adds_is_a_member(api):
    members = problem_of(api.put("/api/v1/moves/"), 409, "stale_version")
    assert members == {
        "type": "about:blank",
        "title": "Conflict",
        "status": 409,
        "detail": "The match is at version 38, not 37.",
        "code": "stale_version",
        "version": 38,
    }


def test_too_many_requests_tell_when_to_come_back(api):
    answer = api.patch("/api/v1/moves/")
    assert "in 7 seconds" in problem_of(answer, 429, "throttled")["detail"]
    assert answer["Retry-After"] == "7"


def test_what_nobody_foresaw_is_a_problem_too_and_tells_nothing(api):
    members = problem_of(api.delete("/api/v1/moves/"), 500, "internal_error")
    assert "foresaw" not in members["detail"]


def test_pages_for_people_are_not_json(api):
    answer = api.get("/nothing/")
    assert answer.status_code == 404
    assert answer["Content-Type"].startswith("text/html")

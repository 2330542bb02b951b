"""The description of the API is whole, and true: every call of a long story is as it says.

Its examples are answers out of that story; `WRITE_EXAMPLES=1` with this test writes them anew.
"""

import json
import os

import pytest
from django.db import transaction
from django.test import Client
from jsonschema import Draft202012Validator

from tests.site import examples, scenario
from trix_site.openapi import EXAMPLES, TAGS, operations

pytestmark = pytest.mark.django_db
# Two apps share the doors of webhooks and their description; the other status is one of the events process.
NOT_HERE = {
    ("GET", "/api/v1/account/webhooks/", "403"),
    ("GET", "/api/v1/account/webhooks/", "404"),
    ("POST", "/api/v1/account/webhooks/", "404"),
    ("GET", "/api/v1/account/webhooks/{code}/", "403"),
    ("GET", "/api/v1/account/webhooks/{code}/deliveries/", "403"),
    ("GET", "/api/v1/matches/{code}/events/", "204"),
}


@pytest.fixture(scope="module")
def schema():
    """As it is served."""
    return Client().get("/api/schema/", headers={"Accept": "application/json"}).json()


@pytest.fixture(scope="module")
def story(django_db_setup, django_db_blocker, schema):
    with django_db_blocker.unblock(), transaction.atomic():
        story = scenario.Story()
        scenario.tell(story)
        scenario.refusals(story, schema)
        if "WRITE_EXAMPLES" in os.environ:
            EXAMPLES.write_text(json.dumps(examples.of(story, schema), ensure_ascii=False, indent=1) + "\n")
        yield story
        transaction.set_rollback(True)


def described(schema, call):
    return schema["paths"][call.template][call.method.lower()]


def strict(schema):
    """The same, where an answer has no fields but those described."""
    if isinstance(schema, dict):
        found = {name: strict(value) for name, value in schema.items()}
        if found.get("type") == "object" and "properties" in found:
            found.setdefault("additionalProperties", False)
        return found
    return [strict(value) for value in schema] if isinstance(schema, list) else schema


@pytest.fixture(scope="module")
def misfit(schema):
    """Says what of a value does not fit a content of the description, or None."""
    components = strict(schema["components"])
    components["schemas"]["Problem"].pop("additionalProperties")

    def check(content, value):
        validator = Draft202012Validator(strict(content["schema"]) | {"components": components})
        return next((f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)), None)

    return check


def test_the_story_has_every_call(schema, story):
    described = {(method.upper(), path) for path, methods in schema["paths"].items() for method in methods}
    assert described == story.calls.succeeded().keys()


def test_answers_are_as_described(schema, story, misfit):
    for call in story.calls.made:
        answer = described(schema, call)["responses"].get(str(call.status))
        assert answer, f"{call.method} {call.url} is not said to answer {call.status}: {call.body}"
        if call.media or call.body:
            assert call.media in answer["content"], f"{call.method} {call.url}: {call.media}"
            problem = misfit(answer["content"][call.media], call.body)
            assert problem is None, f"{call.method} {call.url} {call.status}: {problem}"
        else:
            assert "content" not in answer, f"{call.method} {call.url} {call.status} answers nothing"


def test_requests_are_as_described(schema, story, misfit):
    for call in story.calls.made:
        if "requestBody" in described(schema, call) and not call.refused:
            content = described(schema, call)["requestBody"]["content"]["application/json"]
            assert misfit(content, call.request) is None, f"{call.method} {call.url}"


def test_every_status_that_is_described_is_reached(schema, story):
    reached = {(call.method, call.template, str(call.status)) for call in story.calls.made}
    missing = {
        (method.upper(), path, status)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
        for status in operation["responses"]
    } - reached
    assert missing == NOT_HERE


def test_every_operation_is_described_with_examples(schema):
    bare = []
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            here = (method.upper(), path)
            contents = [operation["requestBody"]] if "requestBody" in operation else []
            contents += [
                it for status, it in operation["responses"].items() if (*here, status) not in NOT_HERE
            ]
            examples = [media for each in contents for media in each.get("content", {}).values()]
            named = operation["summary"] and operation["description"] and operation["tags"][0] in TAGS
            if not named or not all("example" in media or media.get("examples") for media in examples):
                bare.append(here)
    assert bare == [], "Add these calls to tests/site/scenario.py, and run this file with WRITE_EXAMPLES=1."


def test_examples_are_as_described(schema, misfit):
    for operation in operations(schema):
        contents = list(operation["responses"].values())
        contents += [operation["requestBody"]] if "requestBody" in operation else []
        for content in (media for each in contents for media in each.get("content", {}).values()):
            for value in _examples(content, schema["components"]["examples"]):
                assert misfit(content, value) is None, operation["operationId"]


def _examples(content, shared):
    yield from [content["example"]] if "example" in content else []
    for reference in content.get("examples", {}).values():
        yield shared[reference["$ref"].rpartition("/")[2]]["value"]


@pytest.mark.parametrize(
    "path", ["matches/", "ratings/{pool}/", "players/{name}/ratings/{pool}/history/", "tournaments/"]
)
def test_lists_are_described_with_their_pages(schema, path):
    described = {parameter["name"] for parameter in schema["paths"][f"/api/v1/{path}"]["get"]["parameters"]}
    assert {"page", "page_size"} <= described

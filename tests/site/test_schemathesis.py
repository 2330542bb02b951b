"""Whatever is sent to a real server, it answers as described: no 5xx, no other status or media type.

schemathesis makes requests out of the description as it is served, fitting and not fitting, for every
operation, with tokens of every scope and without one. `make test-long` makes twenty times as many. The two
streams are refused by this server with a 406, as REST servers do; tests of streams hold their bytes.
"""

import itertools
from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from games.models import ApiToken, Scope
from tests.site import scenario

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
SCOPES = [None, list(Scope), *([scope] for scope in Scope)]


@pytest.fixture
def story(live_api):
    """It is told for real, so that there is something behind the addresses that are tried."""
    story = scenario.Story()
    scenario.tell(story)
    return story


@pytest.fixture
def headers(story) -> Iterator[dict[str, str]]:
    """Another caller each time, with a token that is new: the one before may have ended itself."""

    def callers():
        for name, scopes in itertools.cycle(itertools.product(story.players, SCOPES)):
            if scopes is None:
                yield {}
            else:
                token = ApiToken.objects.create(user=story.players[name], scopes=scopes)[1]
                yield {"Authorization": f"Bearer {token}"}

    return callers()


def lively(schema, story):
    """The description, where addresses are often those of things that the story has made."""
    for template, methods in schema["paths"].items():
        for parameter in (each for operation in methods.values() for each in operation.get("parameters", ())):
            if parameter["in"] == "path":
                name = parameter["name"]
                seen = {call.path[name] for call in story.calls.made if call.template == template}
                parameter["schema"] = {"anyOf": [{"enum": sorted(seen)[:20]}, parameter["schema"]]}
                parameter.pop("example", None)
    return schema


def test_nothing_makes_the_server_answer_otherwise_than_described(live_api, story, headers, client):
    described = client.get("/api/schema/", headers={"Accept": "application/json"}).json()
    schema = schemathesis.openapi.from_dict(lively(described, story))
    schema.config.update(base_url=live_api)
    wrong = []
    for found, mode in itertools.product(schema.get_all_operations(), GenerationMode):
        try:
            attack(found.ok(), mode, headers)
        except Unsatisfiable:
            pass  # Where nothing is asked for, nothing misfits.
        except FailureGroup as failures:
            wrong += [f"{found.ok().label}: {failure}" for failure in failures.exceptions]
    assert not wrong, "\n\n".join(wrong)


def attack(operation, mode, headers) -> None:
    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=max(5, settings().max_examples // 20),
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    def attempt(case):
        response = case.call(headers=next(headers))
        case.validate_response(response, checks=CHECKS)

    attempt()

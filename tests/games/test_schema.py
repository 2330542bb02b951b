"""The OpenAPI description is whole, and the answers are what it says."""

import pytest
from django.core.management import call_command
from drf_spectacular.generators import SchemaGenerator

from games.api import schemas
from tests.games.play import act, act_until, bots_play_deals, in_play


def test_the_schema_is_valid_and_without_warnings(tmp_path):
    call_command("spectacular", validate=True, fail_on_warn=True, file=tmp_path / "schema.yml")


def test_it_is_served(api, db):
    client = api().client
    assert client.get("/api/schema/").status_code == 200
    assert client.get("/api/docs/").status_code == 200


def test_every_call_of_the_games_is_described_with_its_refusals():
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    action = paths["/api/v1/matches/{code}/actions/"]["post"]
    assert set(action["responses"]) == {"200", "400", "401", "403", "404", "409", "422"}
    assert set(action["responses"]["409"]["content"]) == {"application/problem+json"}
    for path, operations in paths.items():
        if path.startswith(("/api/v1/matches/", "/api/v1/auth/", "/api/v1/account/")):
            assert all(operation["description"] for operation in operations.values()), path


@pytest.mark.parametrize(
    "path", ["matches/", "ratings/{pool}/", "players/{name}/ratings/{pool}/history/", "tournaments/"]
)
def test_lists_are_described_with_their_pages(path):
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    described = {parameter["name"] for parameter in paths[f"/api/v1/{path}"]["get"]["parameters"]}
    assert {"page", "page_size"} <= described


@pytest.fixture
def answers(apis, match):
    """Every kind of answer, of several phases of a match."""
    found = []

    def look():
        path = f"matches/{match.code}/"
        found.append((schemas.Table, apis[0].get(path).json()))
        found.append((schemas.Events, apis[0].get(f"{path}events/").json()))
        found.append((schemas.Me, apis[0].get("account/").json()))

    look()
    act(match, "choose queens")
    look()
    done = act_until(match, in_play)
    action = apis[done.turn].get(f"matches/{match.code}/").json()["view"]["legal"][0]
    moved = apis[done.turn].post(f"matches/{match.code}/actions/", action=action, version=done.version)
    found.append((schemas.Move, moved.json()))
    act(match)
    look()
    bots_play_deals(match, 4)
    look()
    bots_play_deals(match)
    look()
    found.append((schemas.Table, apis[0].post(f"matches/{match.code}/rematch/").json()))
    found.append((schemas.Me, apis[1].get("account/").json()))
    assert found[-1][1]["invitations"]
    said = apis[0].post(f"matches/{match.code}/chat/", text="again?")
    found.append((schemas.Message, said.json()))
    found.append((schemas.Chat, apis[1].get(f"matches/{match.code}/chat/").json()))
    found.append((schemas.Muted, apis[0].put("account/mutes/basil/").json()))
    found.append((schemas.MutedPage, apis[0].get("account/mutes/").json()))
    apis[0].post("matches/", rules="eram")
    found.append((schemas.ListedPage, apis[1].get("matches/").json()))
    found.append((schemas.Token, apis[0].get("auth/tokens/").json()[0]))
    hook = apis[0].post("account/webhooks/", url="https://example.org/").json()
    found.append((schemas.NewWebhook, hook))
    found.append((schemas.Webhook, apis[0].get("account/webhooks/").json()[0]))
    found.append((schemas.Delivery, apis[0].post(f"account/webhooks/{hook['code']}/test/").json()))
    found.append((schemas.DeliveryPage, apis[0].get(f"account/webhooks/{hook['code']}/deliveries/").json()))
    return found


def test_answers_have_the_fields_of_the_schema_and_no_others(answers):
    for kind, answer in answers:
        _same_fields(kind(), answer, kind.__name__)


def _same_fields(serializer, answer, place) -> None:
    assert set(serializer.fields) == set(answer), place
    for name, field in serializer.fields.items():
        value = answer[name]
        if value is None:
            assert field.allow_null, f"{place}.{name}"
        elif hasattr(field, "many") and hasattr(field, "child"):
            for each in value:
                _same_fields(field.child, each, f"{place}.{name}")
        elif hasattr(field, "fields"):
            _same_fields(field, value, f"{place}.{name}")
        else:
            field.run_validation(value)

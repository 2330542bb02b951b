"""Who may do what: every door of a tournament, by everybody. docs/organising.md has the table."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from django.db import transaction
from rest_framework.test import APIClient

from games.models import ApiToken, Player, Scope
from tests.tournaments.conftest import draw_and_publish
from tournaments.api.urls import ONE, urlpatterns
from tournaments.models import Tournament
from tournaments.services import rounds

pytestmark = pytest.mark.django_db

WHY: dict[str, Any] = {"reason": "asked"}
ORGANISE, RUN, JUDGE = {"organiser"}, {"organiser", "assistant"}, {"organiser", "referee"}
OFFICIALS = ORGANISE | RUN | JUDGE
PLAYERS = OFFICIALS | {"player", "stranger", "other"}
EVERYONE = PLAYERS | {"anonymous"}
PLACES = {"first": {"table": 1, "seat": "S"}, "second": {"table": 1, "seat": "E"}, "version": 0}


class Door(NamedTuple):
    """A call that is well formed, and who may make it."""

    method: str
    path: str
    who: set[str]
    body: dict[str, Any] | None = None


def reads(*paths: str, who: set[str]) -> list[Door]:
    return [Door("get", path, who) for path in paths]


def steps(*paths: str, who: set[str], **body: Any) -> list[Door]:
    return [Door("post", path, who, body) for path in paths]


TABLE = "rounds/1/tables/1/"
DOORS = [
    *reads(
        "", "entries/", "penalties/", "standings/", "ranking/", "dates/", "rounds/", "rounds/1/", who=EVERYONE
    ),
    *reads("performance/", who=EVERYONE),
    *reads("standings/compare/?first=amal&second=basil", "rounds/1/tables/", TABLE, who=EVERYONE),
    *reads(f"{TABLE}record/", who=EVERYONE),
    *reads("log/", who=OFFICIALS),
    *reads("export/", "webhooks/", "webhooks/none/", "webhooks/none/deliveries/", who=ORGANISE),
    *steps("open/", "start/", "finish/", "cancel/", "webhooks/none/test/", who=ORGANISE),
    Door("patch", "", ORGANISE, {"cap": 9}),
    Door("put", "officials/", ORGANISE, {"referees": []}),
    Door("put", "dates/", ORGANISE, {"dates": []}),
    Door("post", "webhooks/", ORGANISE, {"url": "https://example.com/"}),
    Door("delete", "webhooks/none/", ORGANISE),
    *steps("code/", "check-in/open/", "entries/dana/admit/", "stages/start/", "rounds/", who=RUN),
    *steps("rounds/1/publish/", "rounds/1/close/", who=RUN),
    *steps("entries/", "check-in/", "withdraw/", who=RUN, player="dana"),
    Door("post", "entries/import/", RUN, {"csv": "player\nzaid"}),
    Door("post", "entries/import/", RUN, {"csv": "player\nzaid", "preview": True}),
    Door("patch", "entries/dana/", RUN, {"seed_rating": 1}),
    Door("post", "rounds/1/swap/", RUN, PLACES),
    Door("post", "rounds/1/swap/", RUN, PLACES | {"preview": True}),
    Door("delete", "rounds/1/", RUN),
    *steps("penalties/", who=JUDGE, player="dana", points=-1, **WHY),
    *steps("entries/dana/disqualify/", "penalties/1/revoke/", who=JUDGE, **WHY),
    *steps(f"{TABLE}annul/", f"{TABLE}replay/", who=JUDGE, **WHY),
    *steps(f"{TABLE}result/", who=JUDGE, scores=[1, 2, 3, 4], **WHY),
    *steps(f"{TABLE}record/", who=JUDGE, record='[Rules "eram"]', **WHY),
    *steps(f"{TABLE}seats/S/no-show/", who=JUDGE),
    *steps(f"{TABLE}seats/S/substitute/", who=JUDGE, player="zaid"),
]
FOR_ONESELF = steps("entries/", "check-in/", "withdraw/", who=PLAYERS)


@pytest.fixture
def cast(organiser, people, league, api) -> dict[str, APIClient]:
    """Clients by role; amal plays, and other runs another tournament."""
    people(20)
    made = league(8, visibility="code", stages=[{"format": "swiss", "rounds": 2}, {"format": "knockout"}])
    roles: dict[str, Player | None] = {"organiser": organiser, "anonymous": None}
    roles |= {
        name: Player.objects.create_user(name) for name in ("assistant", "referee", "stranger", "other")
    }
    roles["player"] = Player.objects.get(username="amal")
    made.assistants.add(roles["assistant"])
    made.referees.add(roles["referee"])
    league(0, "draft", name="Of others").organisers.set([roles["other"]])
    return {role: api(player) for role, player in roles.items()}


def called(client: APIClient, door: Door) -> tuple[int, str]:
    """Status and code of the answer to a call, which is undone."""
    at = f"/api/v1/tournaments/amman-league/{door.path}"
    with transaction.atomic():
        answer = getattr(client, door.method)(at, *([] if door.body is None else [door.body]), format="json")
        transaction.set_rollback(True)
    is_problem = answer["Content-Type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"] if is_problem else ""


def wrong(cast: dict[str, APIClient], refused: dict[str, set[tuple[int, str]]]) -> Iterator[str]:
    """Calls that end otherwise than the table says; `refused`: how whoever may not is refused."""
    for door in DOORS:
        for role, client in cast.items():
            answer = called(client, door)
            if (answer in refused[role]) == (role in door.who) or answer[0] >= 500:
                yield f"{role} {door.method} {door.path}: {answer}"


def refusals(code: tuple[int, str]) -> dict[str, set[tuple[int, str]]]:
    return {role: {code} for role in PLAYERS} | {"anonymous": {code, (401, "not_authenticated")}}


def test_every_door_is_in_the_table():
    slugs = {"<str:player>": "dana", "<int:number>": "1", "<int:table>": "1", "<int:penalty>": "1"}
    slugs |= {"<str:seat>": "S", "<str:code>": "none"}
    known = {(door.method, door.path.partition("?")[0]) for door in DOORS}
    for pattern in urlpatterns:
        path = str(pattern.pattern)
        if path.startswith(ONE):
            path = path.removeprefix(ONE)
            for name, value in slugs.items():
                path = path.replace(name, value)
            methods = {"get", "post", "put", "patch", "delete"} & set(dir(pattern.callback.view_class))
            assert {(method, path) for method in methods} <= known, path


def test_in_a_published_round_each_does_what_his_role_allows(cast):
    draw_and_publish(Tournament.objects.get(slug="amman-league"))
    assert not list(wrong(cast, refusals((403, "not_organiser"))))


def test_a_draw_and_what_is_done_with_it_is_known_to_officials_alone(cast):
    rounds.draw_round(slug="amman-league", actor=None)
    for door in DOORS:
        if door.path.startswith("rounds/1/"):
            for role in EVERYONE - OFFICIALS:
                code = called(cast[role], door)
                unknown = (404, "no_such_round")
                anonymous = (401, "not_authenticated") if door.method != "get" else unknown
                assert code == (anonymous if role == "anonymous" else unknown), (role, door)


def test_of_a_draft_nobody_else_learns_by_any_door_that_it_is_there(cast):
    Tournament.objects.filter(slug="amman-league").update(state="draft")
    unknown = (404, "no_such_tournament")
    for door in DOORS + FOR_ONESELF:
        for role in ("player", "stranger", "other"):
            assert called(cast[role], door) == unknown, (role, door)
        assert called(cast["anonymous"], door) in (unknown, (401, "not_authenticated")), door


@pytest.mark.parametrize("scopes", [[Scope.READ], [Scope.PLAY], [Scope.READ, Scope.PLAY]])
def test_a_token_that_may_not_organise_changes_nothing_for_an_organiser(cast, organiser, scopes):
    client = APIClient()
    token = ApiToken.objects.create(user=organiser, scopes=scopes)[1]
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    for door in DOORS:
        if door.method != "get":
            assert called(client, door) == (403, "missing_scope"), door
    for door in FOR_ONESELF:
        assert (called(client, door) == (403, "missing_scope")) == (Scope.PLAY not in scopes), door


def test_what_officials_alone_are_told_stands_in_no_answer_to_others(cast):
    made = Tournament.objects.get(slug="amman-league")
    rounds.draw_round(slug=made.slug, actor=None)
    for door in DOORS:
        if door.method == "get":
            for role in EVERYONE - OFFICIALS:
                at = f"/api/v1/tournaments/{made.slug}/{door.path}"
                told = cast[role].get(at).content.decode()
                assert made.join_code not in told and str(made.draw_seed()) not in told, (role, door)

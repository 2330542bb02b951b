"""Whole leagues of 14 people and 2 bots with a real worker: one by API alone, one in the admin alone."""

import io
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from games.engine.reading import Replay, read_records
from games.engine.replay import replay_report
from games.models import Match, Player
from games.services.matches import leave
from ratings.maths import START
from ratings.models import Pool, Rating
from tests.tournaments.conftest import NAMES, stage_fields, swiss
from tournaments import selectors
from tournaments.models import Table, TableResult, Tournament
from tournaments.services import entries, life
from tournaments.standings import PlayedTable, standings
from tournaments.tasks import sweep

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = (*NAMES[:13], NAMES[-1])
PASSWORD = "seven of hearts"
DEADLINE = 90  # seconds for the worker to play a round


def wait_until(done: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + DEADLINE
    while not done():
        assert time.monotonic() < deadline, f"{what}: not after {DEADLINE} s"
        time.sleep(0.1)


def everything_rated() -> bool:
    return not Match.objects.filter(status="finished", ledger_match=None).exists()


def check_the_end(slug: str, rounds: int) -> None:
    """Standings follow from the records alone, ratings are moved and their sum is not."""
    league = Tournament.objects.get(slug=slug)
    assert league.state == "finished"
    tables = list(Table.objects.filter(round__tournament=league).prefetch_related("seats__entry__player"))
    assert len(tables) == 4 * rounds
    recorded = []
    for table in tables:
        text = Client().get(f"/api/v1/matches/{table.match.code}/record/").content
        (replay,) = read_records(io.BytesIO(text), "record")
        assert isinstance(replay, Replay)
        found = replay_report(replay)
        assert found["status"] == "finished"
        assert {seat.name for seat in table.seats.all()} <= set(replay.record.tags.values())
        seats = tuple(seat.entry_id for seat in table.seats.all())
        recorded.append(PlayedTable(seats, tuple(found["totals"][seat.letter] for seat in table.seats.all())))
    lines = selectors.standings_of(league)
    entries = [entry.pk for entry in selectors.entries_by_name(league)]
    assert [line.standing for line in lines] == standings(entries, recorded, league.metrics)
    assert len(lines) == 14
    pool = Pool.objects.get(kind="complex", programs=False)
    ratings = list(Rating.objects.filter(pool=pool))
    assert len(ratings) >= 3
    assert sum(rating.value for rating in ratings) == START * len(ratings)
    assert any(rating.value != START for rating in ratings)


class Api:
    """One account over HTTP, from its registration on."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.client = Client()
        account = {"username": name, "password": PASSWORD}
        if not Player.objects.filter(username=name).exists():
            self.post("auth/register/", account, 201)
        token = self.post("auth/tokens/", account, 201)["token"]
        self.client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {token}"

    def get(self, path: str) -> Any:
        response = self.client.get(f"/api/v1/{path}")
        assert response.status_code == 200, response.content
        return response.json()

    def post(self, path: str, body: dict[str, Any] | None = None, status: int = 200) -> Any:
        response = self.client.post(f"/api/v1/{path}", body or {}, content_type="application/json")
        assert response.status_code == status, response.content
        return response.json()


def play_to_the_end(player: Api, match: str) -> None:
    """One person stays at a table and plays; bots have the seats of the others."""
    deadline = time.monotonic() + DEADLINE
    while True:
        table = player.get(f"matches/{match}/")
        if table["status"] == "finished":
            return
        view = table["view"]
        if view["legal"]:
            action = {"action": view["legal"][-1], "version": view["version"]}
            player.post(f"matches/{match}/actions/", action)
        else:
            time.sleep(0.02)
        assert time.monotonic() < deadline


def all_have_results(organiser: Api, tables: str) -> bool:
    return all(table["result"] for table in organiser.get(tables))


def test_a_league_run_by_api_alone(celery_worker_process):
    olga = Api("olga")
    people = {name: Api(name) for name in PEOPLE}
    made = olga.post("tournaments/", {"name": "دوري", "rules": "cardkings-complex", "stages": swiss(2)}, 201)
    at = f"tournaments/{made['slug']}/"
    olga.post(at + "open/")
    for player in people.values():
        player.post(at + "entries/", status=201)
    olga.post(at + "start/")
    for number in (1, 2):
        drawn = olga.post(at + "rounds/", status=201)
        assert sum(seat["bot"] is not None for table in drawn["tables"] for seat in table["seats"]) == 2
        olga.post(at + f"rounds/{number}/publish/")
        tables = at + f"rounds/{number}/tables/"
        stayed = next(seat["player"]["name"] for seat in olga.get(tables + "1/")["seats"] if seat["player"])
        for name, player in people.items():
            match = player.get(at)["you"]["match"]
            if name != stayed or number == 2:
                player.post(f"matches/{match}/leave/")
        if number == 1:
            play_to_the_end(people[stayed], people[stayed].get(at)["you"]["match"])
        wait_until(partial(all_have_results, olga, tables), f"round {number}")
        olga.post(at + f"rounds/{number}/close/")
    olga.post(at + "finish/")
    wait_until(everything_rated, "ratings")
    check_the_end(made["slug"], rounds=2)
    shown = olga.get(at + "standings/")
    assert shown["standings"][0]["rank"] == 1
    assert {row["player"]["name"] for row in shown["standings"]} == set(PEOPLE)


# The admin


class Browser:
    """A staff member in the admin, following forms and reading messages."""

    def __init__(self, name: str) -> None:
        self.client = Client()
        assert self.client.login(username=name, password=PASSWORD)

    def get(self, path: str) -> str:
        response = self.client.get(f"/admin/{path}", follow=True)
        assert response.status_code == 200, path
        return response.content.decode()

    def post(self, path: str, **fields: Any) -> str:
        response = self.client.post(f"/admin/{path}", fields, follow=True)
        assert response.status_code == 200, path
        return response.content.decode()

    def step(self, desk: str, key: str, **fields: Any) -> str:
        """Press a button of the desk, and confirm where it asks."""
        page = self.post(f"{desk}step/{key}/", **fields)
        return self.post(f"{desk}step/{key}/", confirmed=1, **fields) if 'name="confirmed"' in page else page


@pytest.fixture
def cast(transactional_db) -> Iterator[None]:
    organiser = Player.objects.create_user("olga", password=PASSWORD, is_staff=True)
    organiser.groups.add(Group.objects.get(name="Organisers"))
    for name in PEOPLE:
        Player.objects.create_user(name, password=PASSWORD)
    yield


SETTINGS = {
    "name": "دوري عمّان", "slug": "", "description": "", "visibility": "public",
    "rules": "cardkings-complex", "options": "{}", **stage_fields(*swiss(2)), "rated": "on", "seed": 7,
    "fill": "bots", "place_points": "4,2,1,0", "bye_points": "1.75", "weights": "{}", "time_zone": "UTC",
    "metrics": "table_points,total_score,opponents,firsts",
    "clock_choose": 60, "clock_double": 60, "clock_play": 60, "on_timeout": "bot",
    "bot_level": "greedy", "bot_delay": 0,
}  # fmt: skip


def test_a_league_run_in_the_admin_alone(cast, celery_worker_process):
    olga = Browser("olga")
    page = olga.post("tournaments/tournament/add/", **SETTINGS)
    assert "is created, as a draft" in page
    league = Tournament.objects.get()
    desk = f"tournaments/tournament/{league.pk}/desk/"
    assert "no player named nobody" in olga.post(desk + "players/", names="\n".join([*PEOPLE, "nobody"]))
    assert league.entries.count() == 0
    assert "Entered: " in olga.post(desk + "players/", names=", ".join(PEOPLE))
    assert "Registration is open." in olga.step(desk, "open")
    assert "The tournament runs" in olga.step(desk, "start")
    for number in (1, 2):
        assert "Drawn." in olga.step(desk, "draw")
        if number == 1:
            assert "The draw was dropped." in olga.step(desk, "drop", number=1)
            assert "Drawn." in olga.step(desk, "draw")
        page = olga.get(f"{desk}rounds/{number}/")
        assert all(name in page for name in PEOPLE) and page.count("greedy bot") >= 2
        assert "have started" in olga.step(desk, "publish", number=number)
        first = Table.objects.get(round__number=number, number=1)
        stayed = next(seat.name for seat in first.seats.all() if seat.entry)
        leave_the_tables(league, all_but=stayed if number == 1 else "")
        if number == 1:
            play_to_the_end(Api(stayed), first.match.code)
        played = TableResult.objects.filter(table__round__number=number)
        wait_until(lambda played=played: played.count() == 4, f"round {number}")
        assert "is closed and counts" in olga.step(desk, "close", number=number)
    assert "is finished" in olga.step(desk, "finish")
    wait_until(everything_rated, "ratings")
    check_the_end(league.slug, rounds=2)
    page = olga.get(desk + "standings/")
    assert "Final standings" in page and all(name in page for name in PEOPLE)
    assert "round published" in olga.get(desk + "log/")


def leave_the_tables(league: Tournament, all_but: str = "") -> None:
    """People get up, so that bots play on: what their clocks would do a few seconds later."""
    for match in Match.objects.filter(table__round__tournament=league, status="running"):
        for seat in match.seats.exclude(player__username=all_but):
            if seat.player:
                leave(match_code=match.code, player=seat.player)


def test_an_automatic_league_runs_to_its_end_by_itself(cast, celery_worker_process):
    olga = Player.objects.get(username="olga")
    league = life.create_tournament(
        actor=olga, name="By itself", rules="cardkings-complex", stages=swiss(2), automatic=True
    )
    entries.enter_many(slug=league.slug, actor=olga, names=PEOPLE[:3])
    life.open_registration(slug=league.slug, actor=olga)
    life.start(slug=league.slug, actor=olga)
    sweep()
    for number in (1, 2):
        published = league.rounds.filter(number=number, state="published")
        wait_until(published.exists, f"round {number}")
        leave_the_tables(league)
    wait_until(lambda: Tournament.objects.get().state == "finished", "the end")
    assert [line.standing.played for line in selectors.standings_of(league)] == [2, 2, 2]

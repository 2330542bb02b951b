"""Every door that can be read, as everyone who may come: nobody is told what is not his to know."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from games.models import Match, Player
from tests.tournaments.conftest import by_hand, finish
from tournaments.api.urls import urlpatterns
from tournaments.desk import PAGES
from tournaments.models import Table, Tournament
from tournaments.services import life, results, rounds
from tournaments.services.standings import ranked
from tournaments.services.webhooks import add_webhook

pytestmark = pytest.mark.django_db

VIEWS: list[Any] = urlpatterns
DOORS = [view.pattern._route for view in VIEWS if hasattr(view.callback.view_class, "get")]
LIVE = ("", "?live=true", "?live=true&format=csv", "?live=true&first=amal&second=basil")
TOTALS = (30011, 20012, -20013, -30010)
SEED = 7110711
HOOK = "https://olga.example/hook"

Told = dict[str, str]
"""All that the doors answer to each viewer."""


def addresses(where: dict[str, Any]) -> Iterator[str]:
    for door in DOORS:
        for name, value in where.items():
            for kind in ("slug", "int", "str"):
                door = door.replace(f"<{kind}:{name}>", str(value))
        yield from (f"/api/v1/{door}{asked}" for asked in (LIVE if "standings" in door else [""]))


def body(answer: Any) -> str:
    assert answer.status_code < 500
    return (b"".join(answer.streaming_content) if answer.streaming else answer.content).decode()


@pytest.fixture
def look(league, people, organiser, api) -> Callable[[], Told]:
    """Who may come: nobody and somebody, two who play at different tables, a referee, and the organiser."""
    players = [*people(8), *map(Player.objects.create_user, ("reem", "زيد"))]
    Player.objects.update(email="somebody@example.org")
    viewers = {player.username: api(player) for player in (*players, organiser)} | {"nobody": api()}

    def look() -> Told:
        made = Tournament.objects.get()
        code = add_webhook(slug=made.slug, actor=organiser, url=HOOK).code
        at = list(addresses({"slug": made.slug, "number": 1, "table": 1, "player": "amal", "code": code}))
        sitting = [table.seats.exclude(player=None).first() for table in Table.objects.all()]
        asking = {"nobody", "زيد", "reem", "olga", *(seat.player.username for seat in sitting)}
        told = {who: "".join(body(viewers[who].get(each)) for each in at) for who in asking}
        check_what_always_holds(told, made)
        return told

    return look


def check_what_always_holds(told: Told, made: Tournament) -> None:
    assert who_knows(told, made.join_code) == {"olga", "reem"}
    assert who_knows(told, HOOK) == {"olga"}
    assert who_knows(told, str(SEED)) <= {"olga"}  # With an export, and only there.
    for words in ("example.org", "whsec_", "password"):
        assert not who_knows(told, words), words
    for match in Match.objects.filter(status__in=Match.UNFINISHED):
        assert not who_knows(told, match.secret.hex())


def who_knows(told: Told, words: str) -> set[str]:
    return {who for who, text in told.items() if words in text}


def test_no_door_tells_anyone_what_is_not_his_to_know(league, organiser, look):
    made = league(8, "draft", visibility="code", same_cards=True, seed=SEED)
    life.name_officials(slug=made.slug, actor=organiser, referees=["reem"])
    assert who_knows(look(), made.name) == {"olga", "reem"}

    life.open_registration(slug=made.slug, actor=organiser)
    life.start(slug=made.slug, actor=organiser)
    rounds.draw_round(slug=made.slug, actor=organiser)
    drawn = look()
    assert who_knows(drawn, "at_bot_tables") == who_knows(drawn, "round_drawn") == {"olga", "reem"}

    rounds.publish_round(slug=made.slug, number=1, actor=organiser)
    first, second = Table.objects.all()
    results.record_match(finish(first, TOTALS))
    ranked(made, live=True)  # Officials may, and what they saw is kept.
    playing = look()
    sat = set(first.seats.values_list("player__username", flat=True))
    assert who_knows(playing, "30011") == {"olga", "reem"} | (sat & playing.keys())
    assert len(sat & playing.keys()) == 1 and len(playing) == 6

    by_hand(second, (1, 2, 3, 4))
    rounds.close_round(slug=made.slug, number=1, actor=organiser)
    over = look()
    assert who_knows(over, "30011") == over.keys()
    assert who_knows(over, str(SEED)) == {"olga"}


def test_no_page_of_the_desk_opens_for_staff_who_have_no_part_in_it(league, organiser):
    made = league(4)
    rounds.draw_round(slug=made.slug, actor=organiser)
    staff = Player.objects.create_user("uma", is_staff=True)
    staff.groups.add(Group.objects.get(name="Organisers"))
    browser = Client()
    browser.force_login(staff)
    for page in PAGES:
        for name, value in {"number": 1, "table": 1, "how": "annul", "key": "finish"}.items():
            for kind in ("slug", "int", "str"):
                page = page.replace(f"<{kind}:{name}>", str(value))
        answer = browser.get(f"/admin/tournaments/tournament/{made.pk}/desk/{page}")
        assert answer.status_code == 404 and "amal" not in answer.content.decode(), page

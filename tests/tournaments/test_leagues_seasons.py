"""Leagues through their seasons: divisions are tournaments, promotion follows their final rankings."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from games.models import Player
from tests.tournaments.conftest import NAMES, by_hand, draw_and_publish
from tests.tournaments.test_races import at_once
from tournaments.models import Entry, League, Season, Tournament
from tournaments.services import entries, leagues, life, rounds
from trix_site.common.errors import ProblemError

pytestmark = pytest.mark.django_db
SETTINGS = {"rules": "cardkings-complex", "stages": [{"format": "swiss", "rounds": 1}], "rated": False}
LIST = "/admin/tournaments/league/"


@pytest.fixture
def amman(organiser, people) -> League:
    """A league of three divisions of four; of each two one goes up and one down."""
    people(len(NAMES))
    return leagues.create_league(
        actor=organiser, name="Amman", divisions=3, division_size=4, promoted=1, settings=SETTINGS
    )


def opened(league: League, *players: str) -> Season:
    return leagues.open_season(slug=league.slug, actor=league.organisers.first(), players=players)


def divisions(season: Season) -> list[list[str]]:
    return [
        [entry.player.username for entry in each.entries.order_by("pk")]
        for each in season.tournaments.order_by("division")
    ]


def play(tournament: Tournament, order: str, scores: tuple[int, ...] = (300, 100, -100, -300)) -> None:
    """One round, which ends in this order, and the end."""
    life.start(slug=tournament.slug, actor=None)
    played = draw_and_publish(tournament)
    for table in played.tables.all():
        seats = [seat.player.username if seat.player else "" for seat in table.seats.order_by("index")]
        of = dict(zip(order.split(), scores, strict=False))
        by_hand(table, [of.get(name, -500) for name in seats])
    rounds.close_round(slug=tournament.slug, number=1, actor=None)
    life.finish(slug=tournament.slug, actor=None)


def division(season: Season, number: int) -> Tournament:
    return season.tournaments.get(division=number)


FIRST = ("amal basil dana farid", "ghada hadi iman jamal", "kamal layla maha nabil")


@pytest.fixture
def played(amman) -> Season:
    """The first season, over; everyone in the order in which he was dealt."""
    season = opened(amman, *" ".join(FIRST).split())
    for number, order in enumerate(FIRST, 1):
        play(division(season, number), order)
    return season


def refused(call: Callable[[], Any]) -> ProblemError:
    with pytest.raises(ProblemError) as caught:
        call()
    return caught.value


# Seasons


def test_a_first_season_deals_the_names_from_the_strongest_on(amman, organiser):
    season = opened(amman, *" ".join(FIRST).split())
    assert divisions(season) == [names.split() for names in FIRST]
    top = division(season, 1)
    assert (top.name, top.slug) == ("Amman, season 1, division 1", "amman-s1-d1")
    assert (top.state, top.cap, top.rated, top.rules) == ("registration", 4, False, "cardkings-complex")
    assert [stage.rounds for stage in top.stages.all()] == [1]
    assert list(top.organisers.all()) == [organiser]


def test_a_season_without_names_is_open_to_enter(amman):
    season = opened(amman)
    assert divisions(season) == [[], [], []]
    entries.enter(slug=division(season, 1).slug, actor=Player.objects.get(username="amal"))
    assert divisions(season) == [["amal"], [], []]


def test_the_first_goes_up_and_the_last_goes_down(played, amman):
    season = opened(amman)
    assert season.number == 2
    assert divisions(season) == [
        ["amal", "basil", "dana", "ghada"],
        ["farid", "hadi", "iman", "kamal"],
        ["jamal", "layla", "maha", "nabil"],
    ]
    log = division(season, 2).log.filter(action="entered").order_by("pk")
    assert [line.data["why"] for line in log] == ["relegated", "stays", "stays", "promoted"]
    assert log[0].data | {"equal": []} == {
        "player": "farid", "division": 2, "before": 1, "rank": 4, "why": "relegated", "equal": [],
    }  # fmt: skip


def test_newcomers_begin_at_the_bottom_and_so_does_who_had_left(amman):
    season = opened(amman, *" ".join(FIRST).split())
    play(division(season, 1), FIRST[0])
    play(division(season, 2), FIRST[1])
    bottom = division(season, 3)
    entries.withdraw(slug=bottom.slug, actor=None, name="kamal")
    play(bottom, FIRST[2])
    assert divisions(opened(amman, "kamal"))[1:] == [
        ["farid", "hadi", "iman", "layla"],
        ["jamal", "maha", "nabil", "kamal"],
    ]


def test_a_withdrawn_disqualified_or_closed_account_frees_its_place(amman):
    season = opened(amman, *" ".join(FIRST).split())
    for number, order in enumerate(FIRST, 1):
        play(division(season, number), order)
    Entry.objects.filter(player__username="basil").update(
        state="disqualified", withdrawn_at="2026-01-01T00:00Z"
    )
    Entry.objects.filter(player__username="ghada").update(state="withdrawn", withdrawn_at="2026-01-01T00:00Z")
    Player.objects.filter(username="kamal").update(is_active=False)
    plan = leagues.plan_season(slug=amman.slug, actor=None)
    assert [[move.who[0].username for move in each] for each in plan.divisions] == [
        ["amal", "dana", "hadi", "iman"],
        ["farid", "layla", "maha", "nabil"],
        ["jamal"],
    ]
    assert {(left.who[0].username, left.division, left.why) for left in plan.left} == {
        ("basil", 1, "disqualified"), ("ghada", 2, "withdrawn"), ("kamal", 3, "account closed"),
    }  # fmt: skip


def test_equals_at_the_cut_are_told(amman):
    season = opened(amman, *" ".join(FIRST).split())
    play(division(season, 1), FIRST[0], (300, 0, -150, -150))
    play(division(season, 2), FIRST[1])
    play(division(season, 3), FIRST[2])
    plan = leagues.plan_season(slug=amman.slug, actor=None)
    down = plan.divisions[1][0]
    assert (down.who[0].username, down.rank, [who[0].username for who in down.equal]) == (
        "farid",
        3,
        ["dana"],
    )


def test_a_cancelled_division_neither_sends_nor_takes_anyone(amman):
    season = opened(amman, *" ".join(FIRST).split())
    life.cancel(slug=division(season, 1).slug, actor=None)
    play(division(season, 2), FIRST[1])
    play(division(season, 3), FIRST[2])
    assert divisions(opened(amman)) == [
        ["amal", "basil", "dana", "farid"],
        ["ghada", "hadi", "iman", "kamal"],
        ["jamal", "layla", "maha", "nabil"],
    ]


def test_a_preview_shows_what_would_be_and_makes_nothing(played, amman):
    plan = leagues.plan_season(slug=amman.slug, actor=None)
    assert plan.number == 2
    assert [move.why for move in plan.divisions[0]] == ["stays", "stays", "stays", "promoted"]
    assert Season.objects.count() == 1 and Tournament.objects.count() == 3


def test_no_season_opens_while_a_division_is_played(amman):
    season = opened(amman, *" ".join(FIRST).split())
    play(division(season, 1), FIRST[0])
    error = refused(lambda: opened(amman))
    assert error.code == "season_running"
    assert error.members["tournaments"] == ["amman-s1-d2", "amman-s1-d3"]


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["amal", "nobody", "noone"], "no_such_player"),
        (["amal", "AMAL"], "named_twice"),
        (["amal", " "], "named_twice"),
        (list(NAMES[:13]), "too_many_players"),
    ],
)
def test_a_season_that_makes_no_sense_is_not_opened_at_all(amman, names, code):
    assert refused(lambda: opened(amman, *names)).code == code
    assert not Season.objects.exists() and not Tournament.objects.exists()


def test_who_plays_already_is_no_newcomer(played, amman):
    assert refused(lambda: opened(amman, "amal")).code == "plays_already"


def test_half_a_season_is_never_made(amman, monkeypatch):
    made, make = [], leagues._open_division

    def fail_at_the_third(*args: Any) -> None:
        made.append(make(*args))
        if len(made) == 3:
            raise RuntimeError

    monkeypatch.setattr(leagues, "_open_division", fail_at_the_third)
    with pytest.raises(RuntimeError):
        opened(amman, "amal")
    assert not Season.objects.exists() and not Tournament.objects.exists()


def test_fixed_pairs_move_together(organiser, people):
    people(16)
    pairs = [f"{one} & {two}" for one, two in zip(NAMES[:8:2], NAMES[1:8:2], strict=True)]
    league = leagues.create_league(
        actor=organiser, name="أزواج عمّان", divisions=2, division_size=2, promoted=1, slug="pairs",
        settings={"rules": "cardkings-partners", "pairs": True} | {"stages": SETTINGS["stages"]},
    )  # fmt: skip
    season = opened(league, *pairs)
    assert [entry.name for entry in Entry.objects.order_by("pk")] == pairs
    assert division(season, 1).name == "أزواج عمّان, season 1, division 1"
    assert refused(lambda: opened(league, "omar")).code == "bad_pair"


# Leagues


def test_an_arabic_league_gets_an_address(organiser):
    league = leagues.create_league(actor=organiser, name="دوري عمّان")
    assert league.slug.startswith("league-")
    other = leagues.create_league(actor=organiser, name="Amman")
    again = leagues.create_league(actor=organiser, name="Amman")
    assert (other.slug, again.slug[:6]) == ("amman", "amman-")
    assert (
        refused(lambda: leagues.create_league(actor=organiser, name="X", slug="amman")).code == "slug_taken"
    )


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"settings": {"color": "red"}}, "bad_settings"),
        ({"settings": {"rules": 5}}, "bad_settings"),
        ({"settings": {"stages": [{"rounds": "5"}]}}, "bad_settings"),
        ({"settings": {"stages": [{"format": "arena"}]}}, "bad_stages"),
        ({"settings": {"rules": "chess"}}, "unknown_rules"),
        ({"settings": {"metrics": ["beauty"]}}, "unknown_metric"),
        ({"settings": {"weights": {"meeting": -1}}}, "bad_weights"),
        ({"division_size": 4, "promoted": 3}, "invalid"),
        ({"divisions": 21}, "invalid"),
        ({"name": "\u202ename"}, "invalid"),
    ],
)
def test_a_league_that_makes_no_sense_is_refused(organiser, fields, code):
    error = refused(lambda: leagues.create_league(**{"actor": organiser, "name": "Amman", **fields}))
    assert error.code == code
    assert "__all__" not in error.detail
    assert not League.objects.exists()


def test_only_its_organisers_change_a_league(amman, people):
    amal = people(1)[0]
    assert refused(lambda: leagues.change_league(amman.slug, actor=amal, divisions=2)).code == "not_organiser"
    assert refused(lambda: leagues.open_season(slug=amman.slug, actor=amal)).code == "not_organiser"
    assert refused(lambda: leagues.plan_season(slug="nothing", actor=amal)).code == "no_such_league"
    assert (
        refused(lambda: leagues.change_league(amman.slug, actor=None, organisers=[])).code == "no_organiser"
    )
    leagues.change_league(amman.slug, actor=None, organisers=[amal])
    assert leagues.change_league(amman.slug, actor=amal, divisions=2).divisions == 2


# Two at once


@pytest.mark.django_db(transaction=True)
def test_two_organisers_open_the_first_season_at_once(amman, organiser):
    answers = at_once(*[lambda: leagues.open_season(slug="amman", actor=organiser, players=["amal"])] * 3)
    assert answers.count("season_running") == 2
    assert Tournament.objects.count() == 3 and Entry.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_organisers_open_the_next_season_at_once(played, organiser):
    answers = at_once(*[lambda: leagues.open_season(slug="amman", actor=organiser)] * 3)
    assert answers.count("season_running") == 2
    assert Tournament.objects.count() == 6 and Entry.objects.count() == 24


def test_the_database_refuses_a_second_season_of_a_number(amman):
    opened(amman)
    assert refused(lambda: leagues._new_season(amman, 1)).code == "season_exists"


# API


def test_a_league_through_the_api(api, organiser, people):
    people(12)
    client = api(organiser)
    wanted = {"name": "دوري عمّان", "slug": "amman", "divisions": 3, "division_size": 4, "promoted": 1}
    settings = {
        "rules": "cardkings-complex",
        "stages": [{"format": "swiss", "rounds": 1}],
        "clock": {"play": 30},
    }
    made = client.post("/api/v1/leagues/", wanted | {"settings": settings})
    assert made.status_code == 201, made.content
    assert made.json()["settings"] == settings and made.json()["organisers"] == ["olga"]
    assert client.post("/api/v1/leagues/", wanted | {"settings": {"x": 1}}).json()["code"] == "bad_settings"
    one = "/api/v1/leagues/amman/"
    assert client.patch(one, {"description": "Fridays"}).json()["description"] == "Fridays"
    assert client.patch(one, {"organisers": ["olga", "amal"]}).json()["organisers"] == ["amal", "olga"]
    assert client.patch(one, {"promoted": 3}).status_code == 400
    names = " ".join(FIRST).split()
    preview = client.post(f"{one}seasons/", {"players": names, "preview": True})
    assert preview.status_code == 200
    assert [[move["player"] for move in each] for each in preview.json()["divisions"]] == [
        order.split() for order in FIRST
    ]
    assert client.get(f"{one}seasons/").json() == []
    assert client.post(f"{one}seasons/", {"players": names}).status_code == 201
    assert client.post(f"{one}seasons/", {}).json()["code"] == "season_running"
    assert division(Season.objects.get(), 1).clock_play == 30
    for number, order in enumerate(FIRST, 1):
        play(division(Season.objects.get(), number), order)
    second = client.post(f"{one}seasons/", {}).json()
    assert second["number"] == 2
    shown = api(None).get(f"{one}seasons/2/").json()["divisions"]
    assert [each["tournament"] for each in shown] == [f"amman-s2-d{number}" for number in (1, 2, 3)]
    assert [(each["promoted"], each["relegated"]) for each in shown] == [
        (["ghada"], []), (["kamal"], ["farid"]), ([], ["jamal"]),
    ]  # fmt: skip
    first = api(None).get(f"{one}seasons/1/").json()["divisions"][0]
    assert [line["player"]["name"] for line in first["head"]] == ["amal", "basil", "dana"]
    assert [line["number"] for line in api(None).get(f"{one}seasons/").json()] == [1, 2]
    assert api(None).get("/api/v1/leagues/").json()["results"][0]["seasons"] == 2
    assert api(None).get(f"{one}seasons/3/").json()["code"] == "no_such_season"
    stranger = api(Player.objects.get(username="dana"))
    assert stranger.post(f"{one}seasons/", {}).json()["code"] == "not_organiser"
    assert stranger.patch(one, {}).json()["code"] == "not_organiser"


def test_unlisted_divisions_are_not_shown_to_strangers(api, amman, organiser):
    leagues.change_league("amman", actor=None, settings=SETTINGS | {"visibility": "unlisted"})
    opened(amman, "amal")
    one = "/api/v1/leagues/amman/seasons/1/"
    assert api(None).get(one).json()["divisions"] == []
    assert len(api(organiser).get(one).json()["divisions"]) == 3


# Admin


@pytest.fixture
def staff(organiser) -> Client:
    """The organiser, logged in as staff of the organisers' group."""
    organiser.is_staff = True
    organiser.save()
    organiser.groups.add(Group.objects.get(name="Organisers"))
    client = Client()
    client.force_login(organiser)
    return client


FORM = {
    "name": "دوري عمّان", "slug": "amman", "description": "", "divisions": 3, "division_size": 4,
    "promoted": 1, "settings": '{"rules": "cardkings-complex", "stages": [{"format": "swiss", "rounds": 1}]}',
}  # fmt: skip


def page(client: Client, url: str, **fields: Any) -> str:
    response = client.post(url, fields, follow=True) if fields else client.get(url)
    assert response.status_code == 200, url
    return response.content.decode()


def test_a_league_is_made_and_its_seasons_opened_in_the_admin(staff, people):
    people(12)
    assert "دوري عمّان" in page(staff, f"{LIST}add/", **FORM)
    league = League.objects.get()
    assert [player.username for player in league.organisers.all()] == ["olga"]
    seasons = f"{LIST}{league.pk}/seasons/"
    assert "No season was opened yet" in page(staff, seasons)
    names = "\n".join(" ".join(FIRST).split())
    preview = page(staff, f"{seasons}open/", names=names)
    assert "ghada" in preview and not Season.objects.exists()
    assert "nobody-here" in page(staff, f"{seasons}open/", names="nobody-here", confirmed=1)
    assert not Season.objects.exists()
    done = page(staff, f"{seasons}open/", names=names, confirmed=1)
    top = division(Season.objects.get(), 1)
    assert f"/admin/tournaments/tournament/{top.pk}/desk/" in done
    assert "is not over" in page(staff, f"{seasons}open/", names="", confirmed=1)
    assert Season.objects.count() == 1


def test_wrong_settings_of_a_league_come_back_in_its_form(staff):
    wrong = {
        "{": "valid JSON",
        '{"rules": "chess"}': "There are no rules",
        '{"colour": 1}': "colour is unknown",
        "[]": "valid JSON object",
    }
    for settings, told in wrong.items():
        assert told in page(staff, f"{LIST}add/", **FORM | {"settings": settings})
    assert "At most half" in page(staff, f"{LIST}add/", **FORM | {"promoted": 3})
    assert not League.objects.exists()


def test_staff_see_their_own_leagues_only(staff, people):
    other = leagues.create_league(actor=people(1)[0], name="Not hers")
    assert "Not hers" not in page(staff, LIST)
    assert staff.get(f"{LIST}{other.pk}/seasons/").status_code == 404
    assert staff.post(f"{LIST}{other.pk}/seasons/open/", {"names": "", "confirmed": 1}).status_code == 404
    assert not Season.objects.exists()

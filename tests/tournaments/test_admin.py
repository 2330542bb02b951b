"""The organiser's desk in the admin: who sees what, and refusals as messages."""

import html
import re
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Player
from ratings.models import Pool, Rating
from tests.tournaments.conftest import by_hand, draw_and_publish, play_round, stage_fields, swiss
from tournaments.models import Entry, Round, Table, TableResult, Tournament
from tournaments.services import entries, life, rounds
from tournaments.standings import DEFAULT_METRICS

pytestmark = pytest.mark.django_db
LIST = "/admin/tournaments/tournament/"

MORE_SETTINGS = {
    **stage_fields(*swiss(5)), "fill": "bots", "place_points": "4,2,1,0", "bye_points": "1.75",
    "weights": "{}", "time_zone": "UTC",
}  # fmt: skip
SETTINGS = {
    "name": "Friday", "slug": "", "description": "", "visibility": "public",
    "rules": "eram", "options": "{}", "rated": "on", "seed": 1, **MORE_SETTINGS,
    "metrics": ",".join(DEFAULT_METRICS), "on_timeout": "bot", "bot_level": "greedy", "bot_delay": 0,
}  # fmt: skip


def desk(league: Tournament, page: str = "") -> str:
    return f"{LIST}{league.pk}/desk/{page}"


def words(client: Client, url: str, **fields: Any) -> str:
    """The page that a POST ends at, or with no fields a GET."""
    response = client.post(url, fields, follow=True) if fields else client.get(url, follow=True)
    assert response.status_code == 200, (url, response.status_code)
    return response.content.decode()


def confirmed(client: Client, league: Tournament, key: str, **fields: Any) -> str:
    return words(client, desk(league, f"step/{key}/"), confirmed=1, **fields)


# Who


def test_organisers_see_their_own_tournaments_and_matches_only(staff, league, people):
    mine = league(4)
    draw_and_publish(mine)
    other = league(4, name="Not hers", slug="other")
    other.organisers.clear()
    draw_and_publish(other)
    page = words(staff, LIST)
    assert "Amman League" in page and "Not hers" not in page
    for page in ("", "players/", "standings/", "log/", "rounds/1/", "rounds/1/tables/1/"):
        assert staff.get(desk(other, page)).status_code == 404
        assert staff.get(desk(mine, page)).status_code == 200
    assert staff.get(f"{LIST}{other.pk}/change/").status_code == 302
    matches = words(staff, "/admin/games/match/")
    assert Table.objects.get(round__tournament=mine).match.code in matches
    assert Table.objects.get(round__tournament=other).match.code not in matches


def test_a_step_in_someone_elses_tournament_is_not_found(staff, league):
    other = league(4, "registration")
    other.organisers.clear()
    assert staff.post(desk(other, "step/start/"), {"confirmed": 1}).status_code == 404
    assert Tournament.objects.get().state == "registration"


def test_a_superuser_sees_all(league):
    made = league(4)
    root = Client()
    root.force_login(Player.objects.create_superuser("root", password="x"))
    assert "Amman League" in words(root, LIST)
    assert words(root, desk(made))
    assert words(root, "/admin/games/player/")
    assert words(root, f"/admin/games/player/{Player.objects.get(username='amal').pk}/change/")
    assert words(root, f"{LIST}{made.pk}/change/")


def test_staff_without_the_group_and_players_see_nothing(organiser, league, people):
    made = league(4)
    client = Client()
    client.force_login(people(1)[0])
    assert "/admin/login/" in client.get(desk(made)).url
    organiser.is_staff = True
    organiser.save()
    client.force_login(organiser)
    assert client.get(desk(made)).status_code == 403
    assert client.post(desk(made, "step/draw/")).status_code == 403
    assert not Round.objects.exists()


# Pages


@pytest.mark.parametrize(
    ("state", "number"),
    [("draft", 0), ("draft", 5), ("registration", 0), ("registration", 5), ("running", 5)],
)
def test_every_page_opens_in_every_state(staff, league, state, number):
    made = league(number, state)
    for page in ("", "players/", "players/?q=a", "standings/", "standings/?live=1", "log/", "log/?page=99"):
        assert words(staff, desk(made, page))
    assert words(staff, f"{LIST}{made.pk}/change/")


def test_every_page_opens_while_a_round_is_drawn_played_closed_and_over(staff, league):
    made = league(6, rules="cardkings-partners", stages=swiss(1))
    pages = ("", "players/", "standings/", "standings/?live=1", "log/", "rounds/1/", "rounds/1/tables/1/")

    def open_all() -> str:
        return "".join(words(staff, desk(made, page)) for page in pages)

    rounds.draw_round(slug=made.slug, actor=None)
    assert "Publish and start the tables" in open_all()
    rounds.publish_round(slug=made.slug, number=1, actor=None)
    assert "can be closed once tables 1 and 2 have results" in open_all()
    for table in Table.objects.all():
        by_hand(table, (75, -75, 0, 0))
    assert "Close the round" in open_all()
    rounds.close_round(slug=made.slug, number=1, actor=None)
    assert "Finish the tournament" in open_all()
    confirmed(staff, made, "finish")
    assert "Final standings" in open_all()
    assert words(staff, f"{LIST}{made.pk}/change/")


PAGES = ("", "players/", "standings/", "standings/?live=1", "log/", "rounds/2/", "rounds/2/tables/1/")


def test_a_page_asks_as_many_questions_for_many_players_as_for_few(staff, league, people):
    for player in people(12):
        Rating.objects.create(player=player, pool=Pool.objects.get(slug="complex"))
    few, many = league(4, name="Few"), league(12, name="Many")
    for made in (few, many):
        play_round(made)
        draw_and_publish(made)
    asked: dict[str, list[int]] = {page: [] for page in PAGES}
    for made in (few, many):
        words(staff, desk(made))  # What is looked up or computed once is known by now.
    for page, counts in asked.items():
        for made in (few, many):
            with CaptureQueriesContext(connection) as queries:
                words(staff, desk(made, page))
            counts.append(len(queries))
    assert [counts for counts in asked.values() if counts[0] != counts[1]] == []


def test_standings_show_ratings_with_the_provisional_mark(staff, league, people):
    made, (amal, basil) = league(4), people(2)
    pool = Pool.objects.get(slug="complex")
    Rating.objects.create(player=amal, pool=pool, value=1777.4, matches=20)
    Rating.objects.create(player=basil, pool=pool, value=1555.6, matches=19)
    page = words(staff, desk(made, "standings/"))
    assert all(f">{rating}</td>" in page for rating in ("1777", "1556?", "–"))


@pytest.mark.parametrize("state", ["draft", "registration", "running"])
def test_the_csv_that_standings_lead_to_is_there(staff, league, state):
    page = words(staff, desk(league(4, state, visibility="unlisted"), "standings/"))
    links = re.findall(r'href="([^"]*format=csv)"', page)
    assert len(links) == (state != "draft")
    for link in links:
        assert staff.get(html.unescape(link))["Content-Type"].startswith("text/csv")


def test_names_are_shown_as_they_are_and_never_as_markup(staff, league):
    made = league(4, name="<script>alert(1)</script>", slug="markup")
    by_hand(draw_and_publish(made).tables.get(), reason="<b>bold</b>")
    for page in ("", "log/", "rounds/1/tables/1/"):
        shown = words(staff, desk(made, page))
        assert "<script>alert" not in shown and "<b>bold" not in shown


# Steps


def test_a_step_is_taken_by_post_alone_and_asks_first(staff, league):
    made = league(4, "registration")
    assert staff.get(desk(made, "step/start/")).status_code == 302
    assert Tournament.objects.get().state == "registration"
    page = words(staff, desk(made, "step/start/"), go=1)
    assert "Start the tournament?" in page
    assert Tournament.objects.get().state == "registration"
    assert "The tournament runs" in confirmed(staff, made, "start")
    assert Tournament.objects.get().state == "running"


def test_refusals_appear_as_messages(staff, league, people):
    made = league(8)
    assert "has no round 0" in confirmed(staff, made, "publish", number="x")
    assert "has no round 7" in confirmed(staff, made, "close", number="7")
    assert "No round was played" in confirmed(staff, made, "finish")
    words(staff, desk(made, "step/draw/"), go=1)
    assert "drop its draw first" in words(staff, desk(made, "step/draw/"), go=1)
    assert Round.objects.count() == 1
    entries.withdraw(slug=made.slug, actor=people(1)[0])
    assert "withdrew after the draw" in confirmed(staff, made, "publish", number=1)
    confirmed(staff, made, "drop", number=1)
    words(staff, desk(made, "step/draw/"), go=1)
    confirmed(staff, made, "publish", number=1)
    assert "No result yet at table 1, 2" in confirmed(staff, made, "close", number=1)
    assert Round.objects.get().state == "published"
    assert staff.post(desk(made, "step/nonsense/")).status_code == 404


@pytest.mark.parametrize("key", ["publish", "drop", "close"])
@pytest.mark.parametrize("number", ["9" * 30, "9" * 5000, "-1", "٣", "²", ""])
def test_an_odd_number_of_a_round_is_a_message_too(staff, league, key, number):
    assert "has no round" in confirmed(staff, league(4), key, number=number)


@pytest.mark.parametrize("key", ["abc", "-1", "1/x", "9" * 5000, "9" * 30])
def test_the_way_to_a_desk_that_is_none_is_not_found(staff, key):
    assert staff.get(f"{LIST}{key}/to-desk/", follow=True).status_code == 404


def test_the_second_publication_is_told_that_it_is_the_second(staff, league):
    made = league(4)
    draw_and_publish(made)
    assert "Round 1 was published already" in confirmed(staff, made, "publish", number=1)
    assert "Round 1 was published already" in confirmed(staff, made, "drop", number=1)
    assert "this needs draft, registration or running" not in confirmed(staff, made, "cancel")
    assert "this needs draft, registration or running" in confirmed(staff, made, "cancel")


# Players


def test_players_are_found_and_entered(staff, league, people):
    people(20)
    made = league(0, "registration")
    found = words(staff, desk(made, "players/?q=am"))
    assert all(name in found for name in ("amal", "jamal", "kamal"))
    assert "Enter <bdi>kamal" in found and "Enter <bdi>basil" not in found
    assert "أمينة" in words(staff, desk(made, "players/?q=مين"))
    assert "Entered: amal." in words(staff, desk(made, "players/"), names="amal")
    assert "Entered: " in words(staff, desk(made, "players/"), names="basil,\nأمينة، dana amal")
    assert "Entered: nobody new." in words(staff, desk(made, "players/"), names="basil")
    names = set(made.entries.values_list("player__username", flat=True))
    assert names == {"amal", "basil", "أمينة", "dana"}


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        ("amal\nnobody\nnoone", "There is no player named nobody, noone; accounts must be there first."),
        (" , ,", "Name at least one player."),
        ("", "This field is required."),
        ("amal\0", "Null characters are not allowed."),
    ],
)
def test_a_paste_with_a_mistake_enters_nobody_and_keeps_the_text(staff, league, people, names, complaint):
    people(3)
    made = league(0, "registration")
    assert complaint in words(staff, desk(made, "players/"), names=names)
    assert not made.entries.exists()


@pytest.mark.parametrize("name", ["\0", "amal\0", "", "nobody"])
def test_withdrawing_a_name_that_is_none_is_a_message(staff, league, name):
    page = words(staff, desk(league(4), "players/withdraw/"), confirmed=1, name=name)
    assert "There is no player named" in page or "Name at least one player" in page
    assert not Entry.objects.filter(state="withdrawn").exists()


def test_a_player_is_withdrawn_after_a_question_and_brought_back(staff, league):
    made = league(4)
    assert "Withdraw amal?" in words(staff, desk(made, "players/withdraw/"), name="amal")
    assert Entry.objects.filter(state="withdrawn").count() == 0
    assert "amal has withdrawn." in words(staff, desk(made, "players/withdraw/"), name="amal", confirmed=1)
    assert "has withdrawn already" in words(staff, desk(made, "players/withdraw/"), name="amal", confirmed=1)
    assert "no player named" in words(staff, desk(made, "players/withdraw/"), name="x y", confirmed=1)
    assert "Entered: amal." in words(staff, desk(made, "players/"), names="amal")
    assert Entry.objects.get(player__username="amal").state == "active"


# Results


def scores(*values: int, **more: Any) -> dict[str, Any]:
    return {f"score_{index}": value for index, value in enumerate(values)} | {"reason": "misread"} | more


def test_a_result_is_entered_and_corrected(staff, league):
    made = league(4)
    draw_and_publish(made)
    url = desk(made, "rounds/1/tables/1/")
    assert "is entered" in words(staff, url, **scores(300, 100, -100, -300))
    first = TableResult.objects.get()
    assert "Another result counts" in words(staff, url, **scores(0, 0, 0, 0))
    assert "is entered" in words(staff, url, **scores(0, 0, 0, 0, replaces=first.pk))
    page = words(staff, url)
    assert "300 / 100 / -100 / -300" in page and "0 / 0 / 0 / 0" in page
    assert TableResult.objects.filter(superseded_at=None).get().scores == [0, 0, 0, 0]


def test_a_malformed_result_stays_on_its_form(staff, league):
    made = league(4)
    draw_and_publish(made)
    url = desk(made, "rounds/1/tables/1/")
    assert "Enter a whole number" in words(staff, url, **scores("x", 1, 2, 3))
    assert "This field is required" in words(staff, url, reason="", score_0=1)
    assert "less than or equal" in words(staff, url, **scores(10**9, 1, 2, 3))
    assert "Another result counts" in words(staff, url, **scores(1, 2, 3, 4, replaces=999))
    assert not TableResult.objects.exists()


# Settings


DEEP = '{"early_end": ' + "[" * 850 + "]" * 850 + "}"


def test_a_new_tournament_is_a_draft_of_whoever_made_it(staff, organiser):
    assert "is created, as a draft" in words(staff, f"{LIST}add/", **SETTINGS)
    made = Tournament.objects.get()
    assert (made.state, made.slug, list(made.organisers.all())) == ("draft", "friday", [organiser])
    assert [line.action for line in made.log.all()] == ["created"]


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("name", " ", "This field is required"),
        ("options", '{"nonsense": 1}', "nonsense"),
        ("options", "[", "Enter a valid JSON"),
        ("options", "[1]", "JSON object"),
        ("options", "7", "JSON object"),
        ("options", "[" * 20_000, "Enter a valid JSON object"),
        ("options", f'{{"x": {"9" * 5000}}}', "Enter a valid JSON object"),
        ("options", '{"x": NaN}', "Enter a valid JSON object"),
        ("options", r'{"x": "\u0000"}', "Enter a valid JSON object"),
        ("options", DEEP, "early_end"),
        ("weights", "[" * 20_000, "Enter a valid JSON object"),
        ("weights", f'{{"meeting": {"9" * 5000}}}', "Enter a valid JSON object"),
        ("weights", '{"meeting": -1}', "0 to 100000"),
        ("place_points", "1,1,1,1", "fall from first to last"),
        ("bye_points", "0.3", "whole quarters"),
        ("time_zone", "Mars/Olympus", "There is no time zone"),
        ("pairs", "on", "played without partners"),
        ("metrics", "wins,wins", "not wins twice"),
        ("name", "Fri\nday", "one line"),
        ("name", "\N{RIGHT-TO-LEFT OVERRIDE}Friday", "one line"),
        ("name", "\N{ZERO WIDTH JOINER}", "one line"),
        ("metrics", "luck", "Metrics are a list of some of"),
        ("rules", "whist", "whist"),
        ("stages-0-rounds", "0", "greater than or equal to 1"),
        ("bot_delay", "99", "less than or equal to 60"),
        ("stages-0-format", "knockout", "need rounds, knockouts and arenas none."),
        ("stages-0-minutes", "5", "An arena needs its minutes; for any other format leave them empty."),
        ("slug", "a b", "valid “slug”"),
    ],
)
def test_settings_that_make_no_sense_stay_on_the_form(staff, field, value, complaint):
    assert complaint in words(staff, f"{LIST}add/", **{**SETTINGS, field: value})
    assert not Tournament.objects.exists()


def test_settings_are_changed_through_the_service_and_logged(staff, league):
    made = league(0, "draft")
    words(staff, f"{LIST}{made.pk}/change/", **{**SETTINGS, "slug": made.slug, **stage_fields(*swiss(3))})
    made.refresh_from_db()
    assert (made.rounds_planned, made.rules, made.name) == (3, "eram", "Friday")
    assert [line.action for line in made.log.all()][:2] == ["stages_changed", "settings_changed"]


@pytest.fixture
def root() -> Client:
    client = Client()
    client.force_login(Player.objects.create_superuser("root", password="x"))
    return client


def test_a_superuser_changes_who_organises_and_it_is_logged(root, league, organiser, people):
    made, amal = league(0, "draft"), people(1)[0]
    chosen = {**SETTINGS, "slug": made.slug, "organisers": [organiser.pk, amal.pk]}
    words(root, f"{LIST}{made.pk}/change/", **chosen)
    assert set(made.organisers.all()) == {organiser, amal}
    line = made.log.first()
    assert (line.action, line.actor.username) == ("officials_changed", "root")
    assert line.data == {"organisers": ["amal", "olga"]}
    assert "amal / olga" in words(root, desk(made, "log/"))
    words(root, f"{LIST}{made.pk}/change/", **chosen)
    assert made.log.filter(action="officials_changed").count() == 1


def test_a_superuser_makes_a_tournament_for_others_and_is_an_organiser_of_it(root, organiser):
    words(root, f"{LIST}add/", **SETTINGS, organisers=[organiser.pk])
    made = Tournament.objects.get()
    assert set(made.organisers.values_list("username", flat=True)) == {"olga", "root"}
    assert [line.action for line in made.log.all()] == ["officials_changed", "created"]


@pytest.mark.parametrize("query", ["organisers=no-key", "name=no-key", "options=no-key"])
def test_a_form_begins_the_same_whatever_its_address_says(root, query):
    assert "no-key" not in words(root, f"{LIST}add/?{query}")


def test_an_organiser_cannot_change_who_organises(staff, league, organiser, people):
    made = league(0, "draft")
    words(staff, f"{LIST}{made.pk}/change/", **SETTINGS, organisers=[people(1)[0].pk])
    assert list(made.organisers.all()) == [organiser]


def test_the_address_is_changed_unless_it_is_taken(staff, league):
    league(0, "draft", name="Other", slug="taken")
    made = league(0, "draft")
    url = f"{LIST}{made.pk}/change/"
    assert "already exists" in words(staff, url, **{**SETTINGS, "slug": "taken"})
    words(staff, url, **{**SETTINGS, "slug": "friday"})
    made.refresh_from_db()
    assert (made.slug, made.log.first().action) == ("friday", "settings_changed")


def test_what_may_no_longer_change_is_not_changed(staff, league):
    made = league(4)
    words(staff, f"{LIST}{made.pk}/change/", **{**SETTINGS, **stage_fields(*swiss(7))})
    made.refresh_from_db()
    assert (made.rounds_planned, made.rules, made.seed, made.slug) == (
        7,
        "cardkings-complex",
        1,
        "amman-league",
    )


def test_nothing_is_deleted_in_the_admin(staff, league):
    made = league(4)
    play_round(made)
    assert staff.post(f"{LIST}{made.pk}/delete/", {"post": "yes"}).status_code == 403
    staff.post(LIST, {"action": "delete_selected", "_selected_action": [made.pk], "post": "yes"})
    assert Tournament.objects.exists()


# What a newcomer met


def test_who_opens_the_login_page_itself_lands_in_the_admin(organiser):
    organiser.set_password("seven of hearts")
    organiser.is_staff = True
    organiser.save()
    login = {"username": organiser.username, "password": "seven of hearts"}
    assert Client().post("/admin/login/", login).headers["Location"] == "/admin/"


def test_a_form_without_lists_of_accounts_shows_no_empty_ones(staff, root, league):
    assert "Who runs it" not in words(staff, f"{LIST}add/")
    assert "Who runs it" in words(root, f"{LIST}add/")
    assert "Who runs it" not in words(staff, f"{LIST}{league(2).pk}/change/")


def test_reports_of_groups_say_whose_they_are(staff, league):
    made = league(8, stages=[{"format": "swiss", "rounds": 2, "groups": 2}])
    draw_and_publish(made)
    page = words(staff, desk(made, "rounds/1/"))
    assert re.findall(r"<h3[^>]*>(Group \d)</h3>", page) == ["Group 1", "Group 2"]
    assert page.count("even for everyone, to within 1") == 2


def test_what_is_no_place_is_refused_with_what_would_be_one(staff, league):
    made = league(8)
    rounds.draw_round(slug=made.slug, actor=None)
    page = words(staff, desk(made, "rounds/1/swap/"), first_text="99Z", second_text="1S", version=0)
    assert "&#x27;99Z&#x27; is no place: name table and seat as 12E, or bye amal." in page


def test_the_start_names_first_whom_it_withdraws(staff, league):
    made = league(3, "registration")
    asked = "Registration closes."
    assert "not having checked in" not in words(staff, desk(made, "step/start/"), go=1)
    confirmed(staff, made, "check-in")
    words(staff, desk(made, "players/check-in/"), name="amal")
    page = words(staff, desk(made, "step/start/"), go=1)
    assert f"Withdrawn, not having checked in: basil, dana. {asked}" in page


def test_nobody_is_offered_what_he_may_not_do(staff, league, people):
    made = league(8)
    amal, basil = people(2)
    life.name_officials(slug=made.slug, actor=None, assistants=["amal"], referees=["basil"])
    draw_and_publish(made)
    pages = {}
    for player in (amal, basil):
        player.is_staff = True
        player.save()
        player.groups.add(Group.objects.get(name="Organisers"))
        client = Client()
        client.force_login(player)
        for page in ("", "players/", "penalties/", "officials/", "log/"):
            pages[player.username, page] = words(client, desk(made, page))
        pages[player.username, "settings"] = words(client, f"{LIST}{made.pk}/change/")
    offers = {
        "Cancel the tournament": "", "Withdraw…": "players/", "Give one": "penalties/",
        "Let these run it": "officials/", "Download the whole": "log/", "_save": "settings",
    }  # fmt: skip
    found = {
        name: {what for what, at in offers.items() if what in pages[name, at]} for name in ("amal", "basil")
    }
    assert found == {"amal": {"Withdraw…"}, "basil": {"Give one"}}
    assert all("<dt>Referees</dt>" in pages[name, ""] for name in ("amal", "basil"))
    assert "Enter a result" in pages["basil", ""] and "Enter a result" not in pages["amal", ""]

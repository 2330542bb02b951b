"""Suspicions are written down once, come back when there is more to them, and are for organisers alone."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from games.models import Player
from games.services.closing import close_account
from ratings import guards, recalculations, services, suspicions, tasks
from ratings.guards import DAYS, FARMED_MEETINGS
from ratings.maths import START
from ratings.models import LedgerMatch, Suspicion
from tests.ratings.tables import HOUSE, NOON, finished, people, pool
from tests.ratings.test_racing import at_once
from tournaments.organisers import GROUP
from trix_site.celery import app
from trix_site.common.errors import BadRequest

pytestmark = pytest.mark.django_db
LIST = "/admin/ratings/suspicion/"
LOOKED_AT = "ratings_suspicion_look_at"
MEETINGS = 20


@pytest.fixture(autouse=True)
def _at_that_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON + timedelta(days=1))


@pytest.fixture(autouse=True)
def _little_is_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two newcomers and few matches do, so that tests are quick."""
    monkeypatch.setattr(guards, "SETTLED", 0)
    monkeypatch.setattr(guards, "SIGMAS", 1.0)


def farm(meetings: int, since: int = 0, names: tuple[str, str] = ("basil", "carla")) -> None:
    """Matches of two and two bots, which the first one always wins."""
    winner, loser = people(*names)
    for minute in range(since, since + meetings):
        finished([winner, HOUSE, loser, HOUSE], (300, 0, -300, 0), minute)
    services.rate_finished()


def find() -> int:
    return suspicions.find(pool("classic"))


def the_only() -> Suspicion:
    return Suspicion.objects.get(kind="farming")


class TestFinding:
    def test_says_who_met_whom_and_what_he_won(self):
        farm(MEETINGS)
        find()
        found = the_only()
        assert (found.player.username, found.other.username, found.state) == ("basil", "carla", "open")
        assert (found.figures["met"], found.figures["matches"]) == (MEETINGS, MEETINGS)
        rating = found.player.ratings.get().value
        assert found.weight == found.figures["points"] == pytest.approx(rating - START, abs=1e-4)

    def test_finding_again_brings_the_figures_up_to_date(self):
        farm(MEETINGS)
        find()
        first = the_only()
        farm(5, since=MEETINGS)
        find()
        again = the_only()
        assert again.figures["met"] == MEETINGS + 5
        assert again.pk == first.pk and again.first_seen == first.first_seen

    def test_in_each_pool_by_its_own_matches(self):
        farm(MEETINGS)
        assert suspicions.find(pool("complex")) == 0
        assert not Suspicion.objects.exists()

    def test_of_a_game_of_partners_opponents_are_the_other_side(self):
        seats = people("basil", "carla", "dana", "emad")
        for minute in range(30):
            finished(seats, (300, 0, 0, 0), minute, rules="cardkings-partners")
        services.rate_finished()
        suspicions.find(pool("partners"))
        pairs = {
            (each.player.username, each.other.username) for each in Suspicion.objects.exclude(other=None)
        }
        assert pairs and pairs <= {(one, two) for one in ("basil", "dana") for two in ("carla", "emad")}

    def test_matches_older_than_the_window_do_not_count(self, monkeypatch):
        farm(MEETINGS)
        monkeypatch.setattr(timezone, "now", lambda: NOON + timedelta(days=DAYS + 1))
        assert find() == 0

    def test_annulled_matches_do_not_count(self):
        farm(MEETINGS)
        entries = list(LedgerMatch.objects.all()[FARMED_MEETINGS - 1 :])
        recalculations.annul(entries, None, "They were played for the points.")
        recalculations.recalculate()
        find()
        assert not Suspicion.objects.filter(kind="farming").exists()

    def test_one_account_is_named_alone_and_a_pair_in_full(self):
        basil, carla = people("basil", "carla")
        row = {"pool": pool("classic"), "player": basil, "weight": 1, "first_seen": NOON, "last_seen": NOON}
        with pytest.raises(IntegrityError):
            Suspicion.objects.create(kind="fed", other=carla, **row)

    def test_the_beat_looks_through_every_pool_once_a_day(self, monkeypatch):
        farm(MEETINGS)
        entry = settings.CELERY_BEAT_SCHEDULE["ratings.suspicions"]
        monkeypatch.setattr(tasks.find_suspicions_in, "delay", tasks.find_suspicions_in)
        app.tasks[str(entry["task"])]()
        assert the_only().other.username == "carla"


class TestLooking:
    def test_stays_looked_at_until_there_is_half_as_much_again(self):
        farm(MEETINGS)
        find()
        ann = people("ann")[0]
        assert suspicions.look_at(Suspicion.objects.all(), ann, " They teach. ") == 1
        find()
        looked = the_only()
        assert (looked.state, looked.note, looked.looked_at_by) == ("looked_at", "They teach.", ann)
        Suspicion.objects.update(weight_then=looked.weight / 1.49)
        find()
        assert the_only().state == "looked_at"
        Suspicion.objects.update(weight_then=looked.weight / 1.51)
        find()
        assert (the_only().state, the_only().note) == ("open", "They teach.")

    def test_what_the_matches_no_longer_show_is_not_closed(self, monkeypatch):
        farm(MEETINGS)
        find()
        monkeypatch.setattr(timezone, "now", lambda: NOON + timedelta(days=DAYS + 1))
        assert find() == 0
        assert the_only().state == "open"

    def test_a_note_that_is_too_long_is_refused(self):
        with pytest.raises(BadRequest):
            suspicions.look_at(Suspicion.objects.all(), people("ann")[0], "a" * 501)

    def test_it_changes_no_rating_and_goes_with_the_account(self):
        farm(MEETINGS)
        before = list(pool("classic").ratings.values_list("player", "value"))
        find()
        assert list(pool("classic").ratings.values_list("player", "value")) == before
        carla = Player.objects.get(username="carla")
        carla.set_password("queen of spades")
        carla.save()
        close_account(player=carla, password="queen of spades")
        assert not Suspicion.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_at_once_write_each_suspicion_once():
    farm(MEETINGS)
    farm(MEETINGS, MEETINGS, ("dana", "emad"))
    at_once([find] * 3)
    assert Suspicion.objects.filter(kind="farming").count() == 2


@pytest.fixture
def organiser() -> Player:
    ann = Player.objects.create_user("ann", is_staff=True)
    ann.groups.add(Group.objects.get(name=GROUP))
    return ann


def client_of(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


def text(client: Client, path: str, **query: Any) -> str:
    answer = client.get(path, query)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


SENTENCE = f"<bdi>basil</bdi> met <bdi>carla</bdi> in {MEETINGS} of {MEETINGS} matches and won "


class TestAdmin:
    @pytest.fixture(autouse=True)
    def _found(self, _at_that_time: None) -> None:
        farm(MEETINGS)
        find()

    def test_organisers_read_a_sentence_and_get_at_the_matches(self, organiser):
        client = client_of(organiser)
        assert SENTENCE in text(client, LIST)
        found = the_only()
        page = text(client, f"{LIST}{found.pk}/change/")
        assert SENTENCE in page
        for rating in pool("classic").ratings.all():
            assert f"/admin/ratings/rating/{rating.pk}/change/" in page
        between = f"{found.pool_id}-{found.player_id}-{found.other_id}"
        assert f"/admin/ratings/ledgermatch/?between={between}" in page

    def test_the_ledger_is_narrowed_to_the_matches_of_two(self, organiser):
        finished([*people("basil", "dana"), HOUSE, HOUSE], (300, 0, 0, -300), MEETINGS)
        services.rate_finished()
        found, client = the_only(), client_of(organiser)
        ledger = "/admin/ratings/ledgermatch/"
        between = f"{found.pool_id}-{found.player_id}-{found.other_id}"
        assert f"{MEETINGS} matches in the ledger" in text(client, ledger, between=between)
        assert "0 matches in the ledger" in text(client, ledger, between=f"{found.pool_id}-0-0")
        for nonsense in ("x", "1-2", "1-2-²", "1-2-" + "9" * 40):
            assert f"{MEETINGS + 1} matches in the ledger" in text(client, ledger, between=nonsense)

    def test_an_organiser_says_that_he_looked_with_a_note(self, organiser):
        client, found = client_of(organiser), the_only()
        form = {"note": "They are brothers.", LOOKED_AT: "Looked at"}
        client.post(f"{LIST}{found.pk}/change/", form)
        found = the_only()
        assert (found.state, found.note, found.looked_at_by) == ("looked_at", form["note"], organiser)
        assert SENTENCE in text(client, LIST, state__exact="looked_at", kind__exact="farming")
        assert SENTENCE not in text(client, LIST, state__exact="open")

    def test_a_note_alone_leaves_it_open(self, organiser):
        found = the_only()
        client_of(organiser).post(f"{LIST}{found.pk}/change/", {"note": "Asked them.", "_save": "Save"})
        assert (the_only().state, the_only().note) == ("open", "Asked them.")

    def test_or_of_many_in_the_list(self, organiser):
        selected = {"action": "look_at_all", "_selected_action": [row.pk for row in Suspicion.objects.all()]}
        client_of(organiser).post(LIST, selected)
        assert the_only().state == "looked_at"

    def test_staff_without_the_permission_see_nothing_of_it(self):
        client = client_of(Player.objects.create_user("bo", is_staff=True))
        assert client.get(LIST).status_code == 403
        assert client.get(f"{LIST}{the_only().pk}/change/").status_code == 403
        assert "suspicion" not in text(client, "/admin/ratings/").lower()

    def test_who_may_only_view_changes_nothing(self, organiser):
        organiser.groups.clear()
        organiser.user_permissions.set(
            Group.objects.get(name=GROUP).permissions.filter(codename="view_suspicion")
        )
        client, found = client_of(organiser), the_only()
        assert SENTENCE in text(client, LIST)
        assert client.post(f"{LIST}{found.pk}/change/", {"note": "no", LOOKED_AT: ""}).status_code == 403
        client.post(LIST, {"action": "look_at_all", "_selected_action": [found.pk]})
        assert the_only().state == "open"

    @pytest.mark.parametrize("name", ["basil", "carla"])
    def test_what_is_about_an_organiser_is_left_to_others(self, name):
        himself = Player.objects.get(username=name)
        himself.is_staff = True
        himself.save()
        himself.groups.add(Group.objects.get(name=GROUP))
        client, found = client_of(himself), the_only()
        assert SENTENCE not in text(client, LIST)
        client.post(f"{LIST}{found.pk}/change/", {"note": "nothing", LOOKED_AT: ""})
        assert the_only().state == "open"
        himself.is_superuser = True
        himself.save()
        assert SENTENCE in text(client, LIST)

    def test_every_kind_has_its_sentence(self, organiser):
        basil, carla = people("basil", "carla")
        figures = {"met": 30, "scored": 28.0, "expected": 16.2, "sigmas": 4.4, "comparisons": 120}
        row = {"pool": pool("classic"), "weight": 1, "first_seen": NOON, "last_seen": NOON}
        for kind in ("improbable", "together"):
            Suspicion.objects.create(kind=kind, player=basil, other=carla, figures=figures, **row)
        accounts = {"accounts": [carla.pk, *(each.pk for each in people("dana", "emad"))], "points": 211.6}
        Suspicion.objects.create(kind="fed", player=basil, figures=figures | accounts, **row)
        page = text(client_of(organiser), LIST)
        assert "<bdi>basil</bdi> beat <bdi>carla</bdi> 28 times out of 30;" in page
        assert "at one table in 30 matches, beat the others there 28 times out of 120;" in page
        assert "3 accounts, which have hardly met anybody else, lost 212 points to <bdi>basil</bdi>" in page
        fed = Suspicion.objects.get(kind="fed")
        assert text(client_of(organiser), f"{LIST}{fed.pk}/change/").count("?between=") == 3

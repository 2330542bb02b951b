"""The pages of the admin that recalculate ratings, as an organiser goes through them."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from games.models import Match, Player
from ratings import services
from ratings.models import LedgerMatch, Pool, Recalculation
from ratings.recalculations import recalculate
from tests.ratings.tables import finished, people, pool, ratings
from tournaments.organisers import GROUP

pytestmark = pytest.mark.django_db

FOUR = ("amal", "basil", "كارلا", "daoud")
TOTALS = (300, 100, -100, -300)
BASE = "/admin/ratings/recalculation/"


@pytest.fixture
def organiser() -> Client:
    player = Player.objects.create_user("organiser", is_staff=True)
    player.groups.add(Group.objects.get(name=GROUP))
    client = Client()
    client.force_login(player)
    return client


@pytest.fixture
def season() -> list[Match]:
    matches = [finished(people(*FOUR), TOTALS, minute=minute) for minute in range(3)]
    services.rate_finished()
    return matches


def text(answer) -> str:
    assert answer.status_code == 200
    return answer.content.decode()


def test_matches_chosen_in_the_ledger_are_annulled_for_a_reason_and_restored(organiser, season):
    before = ratings()
    entries = LedgerMatch.objects.filter(sequence__in=[1, 3])
    chosen = {"action": "annul", "_selected_action": [entry.pk for entry in entries]}
    asking = organiser.post("/admin/ratings/ledgermatch/", chosen, follow=True)
    page = text(asking)
    assert "Annul 2 matches" in page and season[0].code in page and season[1].code not in page
    address = asking.redirect_chain[-1][0]
    assert "This field is required" in text(organiser.post(address, {"note": " "}))
    assert not Recalculation.objects.exists()

    done = organiser.post(address, {"note": "Two of them were one person"}, follow=True)
    assert "It is being applied" in text(done)
    recalculate()
    page = text(organiser.get(done.redirect_chain[-1][0]))
    assert "4 ratings moved" in page and "Two of them were one person" in page
    assert "<bdi>كارلا</bdi>" in page
    assert "Two of them were one person" in text(organiser.get(BASE))

    assert "is annulled already" in text(organiser.post(address, {"note": "again"}))
    organiser.post(address.replace("annul", "restore"), {"note": "They were not"})
    recalculate()
    assert ratings() == before


def test_parameters_are_previewed_and_then_applied(organiser, season):
    classic = pool("classic")
    assert "to-parameters" in text(organiser.get(f"/admin/ratings/pool/{classic.pk}/change/"))
    address = f"{BASE}pool/{classic.pk}/"
    values = classic.parameters | {"k_start": 32, "note": "Calmer"}
    assert "not above" in text(organiser.post(address, values | {"k_floor": 40}))
    assert "These are the parameters that the pool has" in text(organiser.post(address, classic.parameters))

    done = organiser.post(address, values, follow=True)
    assert "A preview of Classic is being made" in text(done)
    recalculate()
    page = text(organiser.get(done.redirect_chain[-1][0]))
    assert "4 ratings would move" in page and "Nothing has changed yet" in page
    before = ratings()
    organiser.post(done.redirect_chain[-1][0], {"confirm": ""})
    recalculate()
    assert ratings() != before
    assert Pool.objects.get(slug="classic").k_start == 32
    assert "Applied on" in text(organiser.get(done.redirect_chain[-1][0]))


def test_a_preview_can_be_dropped(organiser, season):
    classic = pool("classic")
    values = classic.parameters | {"k_start": 32, "note": ""}
    address = organiser.post(f"{BASE}pool/{classic.pk}/", values)["Location"]
    recalculate()
    organiser.post(address, {"drop": ""})
    assert "was dropped" in text(organiser.get(address))
    refused = organiser.post(address, {"confirm": ""}, follow=True)
    assert "It is no preview" in text(refused)
    assert Pool.objects.get(slug="classic").k_start == 64


def test_staff_who_organise_nothing_look_and_cannot_touch(season):
    client = Client()
    client.force_login(Player.objects.create_user("clerk", is_staff=True))
    classic = pool("classic")
    for address in (f"{BASE}annul/?match=1", f"{BASE}restore/?match=1", f"{BASE}pool/{classic.pk}/"):
        assert client.get(address).status_code == 403
        assert client.post(address, {"note": "x"}).status_code == 403
    row = Recalculation.objects.create(cause="annulment", note="x", state="preview")
    assert "Apply" not in text(client.get(f"{BASE}{row.pk}/"))
    assert client.post(f"{BASE}{row.pk}/", {"confirm": ""}).status_code == 403
    assert "Annul…" not in text(client.get("/admin/ratings/ledgermatch/"))
    assert "to-parameters" not in text(client.get(f"/admin/ratings/pool/{classic.pk}/change/"))


@pytest.mark.parametrize(
    "query", ["", "match=", "match=x", "match=99", "match=-1", "match=9999999999999", "match=٣"]
)
def test_an_address_that_names_no_match_is_not_found(organiser, season, query):
    assert organiser.get(f"{BASE}annul/?{query}").status_code == 404


def test_the_code_of_a_private_match_is_not_told(organiser, season):
    Match.objects.filter(pk=season[0].pk).update(visibility="private")
    assert season[0].code not in text(organiser.get(f"{BASE}annul/?match=1"))
    address = organiser.post(f"{BASE}annul/?match=1", {"note": "why"})["Location"]
    recalculate()
    assert season[0].code not in text(organiser.get(address))

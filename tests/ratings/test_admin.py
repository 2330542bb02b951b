"""The ratings in the admin: staff may look at all of it and change nothing."""

from typing import Any

import pytest
from django.test import Client

from games.models import Match, Player
from ratings import services
from ratings.models import LedgerMatch, Rating, RatingChange
from tests.ratings.tables import HOUSE, finished, people, pool

pytestmark = pytest.mark.django_db

FOUR = ("amal", "basil", "كارلا", "daoud")
TOTALS = (300, 100, -100, -300)
LISTS: dict[str, Any] = {"rating": Rating, "ratingchange": RatingChange, "ledgermatch": LedgerMatch}


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(Player.objects.create_user("organiser", is_staff=True))
    return client


@pytest.fixture
def rated() -> None:
    finished(people(*FOUR), TOTALS)
    finished(people(*reversed(FOUR)), TOTALS, minute=1, left="W")
    finished([*people("amal"), HOUSE, HOUSE, HOUSE], TOTALS, minute=2)
    services.rate_finished()


def page(client: Client, path: str, **query: str) -> str:
    answer = client.get(f"/admin/ratings/{path}", query)
    assert answer.status_code == 200
    return answer.content.decode().replace("\N{NO-BREAK SPACE}", " ")


def test_ratings_of_a_pool_carry_the_provisional_mark(staff, rated):
    Rating.objects.filter(player__username="basil").update(matches=20, value=1777)
    text = page(staff, "rating/", pool__id__exact=str(pool("classic").pk))
    assert "1777<" in text
    assert f"{Rating.objects.get(player__username='كارلا').value:.0f}?" in text
    established = page(staff, "rating/", standing="established")
    assert "basil" in established and "كارلا" not in established


def test_a_players_history_shows_every_match_and_who_was_there(staff, rated):
    amal = Rating.objects.get(player__username="amal")
    text = page(staff, f"rating/{amal.pk}/change/")
    assert "1500? → 1532?" in text
    assert "4, left" in text
    assert "<bdi>كارلا</bdi>" in text


def test_the_ledger_shows_each_change(staff, rated):
    text = page(staff, "ratingchange/", q="amal")
    assert "+32.0" in text and "−" in text
    row = RatingChange.objects.get(player__username="amal", n=0)
    assert "1532?" in page(staff, f"ratingchange/{row.pk}/change/")


def test_a_match_that_was_not_rated_says_why(staff, rated):
    assert "Not rated: fewer than two people" in page(staff, "ledgermatch/")
    first = LedgerMatch.objects.get(sequence=1)
    assert "1500? → 1532?" in page(staff, f"ledgermatch/{first.pk}/change/")


def test_the_code_of_a_private_match_is_for_its_players_and_superusers(staff):
    private, public = finished(people(*FOUR), TOTALS), finished(people(*FOUR), TOTALS, minute=1)
    Match.objects.filter(pk=private.pk).update(visibility="private")
    services.rate_finished()
    rating = Rating.objects.get(player__username="amal")
    change, entry = RatingChange.objects.earliest("sequence"), LedgerMatch.objects.earliest("sequence")
    paths = [
        "ratingchange/",
        "ledgermatch/",
        f"rating/{rating.pk}/change/",
        f"ratingchange/{change.pk}/change/",
        f"ledgermatch/{entry.pk}/change/",
    ]

    def told(code: str) -> list[bool]:
        return [code in page(staff, path) for path in paths]

    assert told(private.code) == [False] * 5 and told(public.code) == [True] * 3 + [False] * 2
    assert "amal" not in page(staff, "ratingchange/", q=private.code[:4])
    assert "amal" in page(staff, "ratingchange/", q=public.code[:4])
    Player.objects.filter(username="amal").update(is_staff=True)
    for viewer in (Player.objects.get(username="amal"), Player.objects.create_superuser("root")):
        staff.force_login(viewer)
        assert told(private.code) == [True] * 5


@pytest.mark.parametrize("name", LISTS)
def test_nothing_can_be_added_changed_or_deleted(staff, rated, name):
    staff.force_login(Player.objects.create_superuser("root"))
    row = LISTS[name].objects.first()
    for path in ("add/", f"{row.pk}/delete/"):
        assert staff.get(f"/admin/ratings/{name}/{path}").status_code == 403
    assert staff.post(f"/admin/ratings/{name}/{row.pk}/change/", {"value": 9}).status_code == 403
    selected = {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"}
    staff.post(f"/admin/ratings/{name}/", selected)
    row.refresh_from_db()


@pytest.mark.parametrize("name", LISTS)
def test_players_who_are_not_staff_are_sent_to_the_login(rated, name):
    client = Client()
    client.force_login(Player.objects.get(username="amal"))
    assert client.get(f"/admin/ratings/{name}/").status_code == 302

"""Two tables that play the same cards: neither tells the players of the other what is to come."""

import pytest

from games.engine import Phase
from games.models import Player
from games.services import matches
from tests.games.play import act, act_until, bots_play_deals, in_play, secret_where


@pytest.fixture
def tables(cast):
    others = [Player.objects.create_user(name) for name in ("fadi", "ghada", "hala", "imad")]
    secret = secret_where(0, "cardkings-complex")
    return [
        matches.create_match(rules="cardkings-complex", options={}, seats=seats, secret=secret)
        for seats in (cast, others)
    ]


@pytest.fixture
def outsiders(api, tables, stranger):
    """A player of the other table, a stranger, and nobody."""
    return [api(tables[1].seats.get(index=0).player), api(stranger), api()]


def test_only_its_players_see_a_deal_that_another_table_has_yet_to_play(tables, apis, outsiders):
    ahead, _ = tables
    bots_play_deals(ahead, 2)
    act_until(ahead, in_play)
    act(ahead)
    assert apis[0].get(f"matches/{ahead.code}/").json()["view"]["deal"]["number"] == 3
    assert apis[0].get(f"matches/{ahead.code}/events/").json()["events"]
    for outsider in outsiders:
        seen = outsider.get(f"matches/{ahead.code}/").json()
        assert (seen["view"], seen["deadline"], seen["secret"]) == (None, None, None)
        assert outsider.get(f"matches/{ahead.code}/events/").json()["events"] == []
        assert "deal" not in outsider.get(f"matches/{ahead.code}/record/").content.decode()


def test_deals_that_all_tables_have_played_are_open(tables, outsiders):
    ahead, behind = tables
    bots_play_deals(ahead, 3)
    bots_play_deals(behind, 1)
    for outsider in outsiders[1:]:
        events = outsider.get(f"matches/{ahead.code}/events/").json()["events"]
        assert {event["deal"] for event in events} == {1}
        assert outsider.get(f"matches/{ahead.code}/record/").content.decode().count("hands") == 1


def test_the_secret_is_out_when_the_last_table_is_done(tables, apis, outsiders):
    first, last = tables
    assert bots_play_deals(first).phase is Phase.OVER
    for viewer in (apis[0], *outsiders):
        assert viewer.get(f"matches/{first.code}/").json()["secret"] is None
        assert "Seed" not in viewer.get(f"matches/{first.code}/record/").content.decode()
    bots_play_deals(last)
    for match in tables:
        assert outsiders[2].get(f"matches/{match.code}/").json()["secret"] == match.secret.hex()
        assert outsiders[2].get(f"matches/{match.code}/record/").content.decode().count("hands") == 8

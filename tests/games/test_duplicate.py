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


def test_a_record_does_not_say_what_was_chosen_elsewhere_with_the_hand_that_others_still_choose_by(
    tables, apis, outsiders
):
    first, _ = tables
    act(first)
    assert "\ndeal 1 S " in apis[0].get(f"matches/{first.code}/record/").content.decode()
    for outsider in outsiders:
        assert "deal" not in outsider.get(f"matches/{first.code}/record/").content.decode()


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


def test_how_other_tables_stand_is_open_deal_by_deal(tables, apis, outsiders):
    """Deal by deal, their totals and versions would tell how the cards lie that are still to be played."""
    ahead, behind = tables
    bots_play_deals(behind, 1)
    bots_play_deals(ahead, 3)
    first, second = ahead.deals.all()[:2]
    assert apis[0].get(f"matches/{ahead.code}/").json()["version"] > second.first_version
    for outsider in outsiders:
        answers = [outsider.get(f"matches/{ahead.code}/").json()]
        answers += outsider.get("matches/", status="running").json()["results"]
        shown = [answer for answer in answers if answer["code"] == ahead.code]
        assert len(shown) == 2
        for answer in shown:
            assert answer["version"] == second.first_version
            assert list(answer["totals"].values()) == first.scores
        events = outsider.get(f"matches/{ahead.code}/events/", after=10_000).json()
        assert events == {"version": second.first_version, "events": []}


def test_nor_is_it_said_who_won_before_the_others_are_done(tables, outsiders):
    first, last = tables
    assert bots_play_deals(first).phase is Phase.OVER
    bots_play_deals(last, 2)
    seen = outsiders[0].get(f"matches/{first.code}/").json()
    assert (seen["status"], seen["winners"]) == ("finished", [])
    scores = [deal.scores for deal in first.deals.all()[:2]]
    assert list(seen["totals"].values()) == [sum(column) for column in zip(*scores, strict=True)]
    bots_play_deals(last)
    first.refresh_from_db()
    seen = outsiders[0].get(f"matches/{first.code}/").json()
    assert seen["winners"] == first.winners != []
    assert list(seen["totals"].values()) == first.totals


def test_an_event_that_is_out_never_changes(tables, outsiders):
    """The one that ends the last open deal names the next deal from the start."""
    ahead, behind = tables
    bots_play_deals(ahead, 2)
    bots_play_deals(behind, 1)
    last = outsiders[2].get(f"matches/{ahead.code}/events/").json()["events"][-1]
    assert last["result"]["number"] == 1
    assert last["next_deal"] == {"number": 2, "owner": "S"}
    bots_play_deals(behind, 1)
    assert last in outsiders[2].get(f"matches/{ahead.code}/events/").json()["events"]

"""House bots have no account. Whoever has none either is not one of them: he is nobody."""

import pytest
from django.contrib.auth.models import AnonymousUser

from games.models import Match, Player
from games.selectors import seat_of
from games.services import matches
from tests.games.play import secret_where

SEATS = range(4)


@pytest.fixture
def nobodies(api, stranger):
    """Without a token, and with one of someone who sits nowhere."""
    return [api(), api(stranger)]


def beside_bots(player: Player, seat: int, **options) -> Match:
    """A running match of one player; bots have the other seats."""
    seats: list[Player | str] = ["greedy"] * 4
    seats[seat] = player
    return matches.create_match(rules="dananeer", options={}, seats=seats, **options)


@pytest.mark.parametrize("seat", SEATS)
def test_nobody_sees_the_hand_of_a_bot(nobodies, cast, seat):
    match = beside_bots(cast[0], seat)
    for nobody in nobodies:
        table = nobody.get(f"matches/{match.code}/").json()
        assert (table["you"], table["view"]["seat"], table["view"]["hand"]) == (None, None, None)
        assert table["view"]["legal"] == []


@pytest.mark.parametrize("viewer", [None, AnonymousUser(), Player(username="not stored")], ids=str)
def test_who_has_no_account_has_no_seat(cast, viewer):
    assert seat_of(beside_bots(cast[0], 2), viewer) is None


@pytest.mark.parametrize("started", [False, True], ids=["open", "running"])
def test_a_private_table_is_not_there_for_nobody(nobodies, cast, started):
    match = matches.open_match(
        player=cast[0], rules="dananeer", options={}, visibility="private", bots=["greedy"] * 3
    )
    if started:
        matches.start(match_code=match.code, player=cast[0])
    for nobody in nobodies:
        for part in ("", "events/", "record/"):
            answer = nobody.get(f"matches/{match.code}/{part}")
            assert (answer.status_code, answer.json()["code"]) == (404, "no_such_match")


def test_nobody_gets_the_code_of_a_table(nobodies, apis, cast):
    match = matches.open_match(
        player=cast[0], rules="dananeer", options={}, visibility="code", bots=["greedy"]
    )
    for nobody in nobodies:
        table = nobody.get(f"matches/{match.code}/").json()
        assert (table["you"], table["join_code"]) == (None, None)
        assert nobody.get("matches/").json()["results"][0]["you"] is None
    assert apis[0].get(f"matches/{match.code}/").json()["join_code"] == match.join_code


@pytest.mark.parametrize("seat", SEATS)
def test_nobody_watches_cards_that_another_table_has_yet_to_play(nobodies, cast, seat):
    secret = secret_where(0)
    ahead = beside_bots(cast[0], seat, secret=secret)
    beside_bots(cast[1], seat, secret=secret)
    for nobody in nobodies:
        assert nobody.get(f"matches/{ahead.code}/").json()["view"] is None
        assert nobody.get(f"matches/{ahead.code}/events/").json()["events"] == []

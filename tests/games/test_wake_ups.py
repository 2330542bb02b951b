"""What the database tells, by its triggers, to whoever listens."""

from collections.abc import Iterator
from datetime import timedelta

import psycopg
import pytest
from django.db import transaction
from django.utils import timezone

from games.models import Match, Player, Seat
from games.services import chat, invitations, matches, news, presence
from tests.games.play import act
from trix_site.common.conninfo import conninfo


class Ear:
    def __init__(self) -> None:
        self.connection = psycopg.connect(conninfo(), autocommit=True)
        self.connection.execute("LISTEN trix")

    def heard(self) -> list[str]:
        """Every payload since this was last asked, in order."""
        self.connection.execute("SELECT pg_notify('trix', 'end')")
        found: list[str] = []
        for notification in self.connection.notifies():
            if notification.payload == "end":
                return found
            found.append(notification.payload)
        raise AssertionError


@pytest.fixture
def ear(transactional_db) -> Iterator[Ear]:
    ear = Ear()
    yield ear
    ear.connection.close()


@pytest.fixture
def table(cast) -> Match:
    return matches.open_match(player=cast[0], rules="dananeer", options={}, visibility="private")


def test_a_move_wakes_its_match_once_if_somebody_follows_it(ear, match):
    ear.heard()
    act(match)
    assert ear.heard() == []
    presence.watch(match.code)
    assert ear.heard() == []
    act(match)
    assert ear.heard() == [f"match {match.code}"]


def test_who_begins_to_follow_while_a_move_is_under_way_asks_again(ear, match):
    """He reads what was before it, and it tells nobody."""
    ear.heard()
    with psycopg.connect(conninfo()) as move:
        move.execute("SELECT 1 FROM games_match WHERE id = %s FOR NO KEY UPDATE", [match.pk])
        assert not presence.watch(match.code)
        move.execute("UPDATE games_match SET bot_delay = 7 WHERE id = %s", [match.pk])
        move.commit()
        assert ear.heard() == []
        assert presence.watch(match.code)
        assert Match.objects.get(code=match.code).bot_delay == 7
        assert presence.watch(match.code)


def test_following_goes_on_and_a_gap_in_it_is_noticed(ear, match):
    presence.watch(match.code)
    assert presence.watch_on([match.code]) == set()
    past = timezone.now() - timedelta(seconds=1)
    Match.objects.filter(pk=match.pk).update(watched_until=past)
    ear.heard()
    act(match)
    assert ear.heard() == []
    assert presence.watch_on([match.code]) == {match.code}
    act(match)
    assert ear.heard() == [f"match {match.code}"]


def test_nobody_is_woken_before_the_commit_or_by_what_is_undone(ear, match):
    presence.watch(match.code)
    ear.heard()
    with transaction.atomic():
        act(match)
        assert ear.heard() == []
        transaction.set_rollback(True)
    assert ear.heard() == []


def test_a_secret_answer_wakes_too_and_says_no_more(ear, match):
    presence.watch(match.code)
    act(match, "choose queens")
    ear.heard()
    act(match, "double none")
    assert ear.heard() == [f"match {match.code}"]


def test_a_seat_wakes_its_match_and_its_player(ear, cast, table):
    ear.heard()
    matches.join(match_code=table.code, player=cast[1], join_code=table.join_code)
    assert set(ear.heard()) == {f"match {table.code}", f"player {cast[1].pk}"}
    matches.leave(match_code=table.code, player=cast[1])
    assert set(ear.heard()) == {f"match {table.code}", f"player {cast[1].pk}"}


def test_a_match_for_four_players_wakes_each_once(ear, cast):
    match = matches.create_match(rules="eram", options={}, seats=cast)
    heard = ear.heard()
    assert sorted(heard) == sorted({f"match {match.code}", *(f"player {player.pk}" for player in cast)})


def test_an_invitation_wakes_the_invited_and_the_table(ear, cast, table):
    ear.heard()
    invitations.invite(match_code=table.code, player=cast[0], name="basil")
    assert set(ear.heard()) == {f"match {table.code}", f"player {cast[1].pk}"}
    invitations.end_invitation(match_code=table.code, player=cast[1], name="basil")
    assert set(ear.heard()) == {f"match {table.code}", f"player {cast[1].pk}"}


def test_chat_wakes_the_chat(ear, cast, table):
    ear.heard()
    chat.say(match_code=table.code, player=cast[0], text="hello")
    assert ear.heard() == [f"chat {table.code}"]


def test_being_there_wakes_nobody_but_coming_back_does(ear, cast, match):
    ear.heard()
    presence.has_come(match.code, [cast[0].pk])
    seat = match.seats.get(index=0)
    presence.still_there([seat.pk])
    assert ear.heard() == []
    assert Seat.objects.get(pk=seat.pk).seen_at is not None

    Seat.objects.filter(pk=seat.pk).update(seen_at=timezone.now() - timedelta(seconds=50))
    ear.heard()
    presence.has_come(match.code, [cast[0].pk])
    assert ear.heard() == [f"match {match.code}"]


def test_going_away_wakes(ear, cast, match):
    ear.heard()
    matches.leave(match_code=match.code, player=cast[0])
    assert f"match {match.code}" in ear.heard()


def test_being_there_waits_for_no_move(ear, cast, match):
    """A seat that somebody has locked is left out."""
    seat = match.seats.get(index=0)
    with psycopg.connect(conninfo()) as other:
        other.execute("SELECT 1 FROM games_seat WHERE id = %s FOR NO KEY UPDATE", [seat.pk])
        presence.still_there([seat.pk])
        presence.has_come(match.code, [cast[0].pk, cast[1].pk])
    assert list(match.seats.filter(seen_at__isnull=False).values_list("index", flat=True)) == [1]


def test_another_name_wakes_the_matches_that_show_it(ear, cast, match, stranger):
    ear.heard()
    Player.objects.filter(pk=cast[2].pk).update(username="كريم")
    assert ear.heard() == [f"match {match.code}"]
    Player.objects.filter(pk=stranger.pk).update(username="elie")
    assert ear.heard() == []


def test_a_deleted_match_is_told(ear, match):
    ear.heard()
    match.delete()
    assert f"match {match.code}" in ear.heard()


def test_news_for_many_players_comes_in_parts_that_postgresql_takes(ear):
    ear.heard()
    news.tell(range(10**9, 10**9 + 1000), "round_published", {"tournament": "بطولة", "round": 3})
    heard = ear.heard()
    assert len(heard) == 3
    assert all(payload.startswith('news {"players": [1000000') and "بطولة" in payload for payload in heard)


def test_news_waits_for_the_commit(ear):
    with transaction.atomic():
        news.tell([1], "round_published", {"tournament": "t"})
        assert ear.heard() == []
    assert len(ear.heard()) == 1

"""Many at once, over real connections to a real server."""

import http.client
import json
from collections import Counter
from functools import partial
from threading import Event
from time import monotonic
from urllib.parse import urlsplit

import pytest
from django.db import connection, transaction
from django.test import Client

from games.engine import action_text, legal_actions
from games.engine.cards import card_text
from games.models import ApiToken, Match, Player, Seat
from games.selectors import chat_after
from games.services import chat, matches, moves, rematches
from tests.games.play import act_until, at_once, bots_play_deals, in_play, play_out, secret_where, state_of
from trix_site.common.errors import Conflict

pytestmark = pytest.mark.django_db(transaction=True)


class Caller:
    """A client that is connected: calling it posts, and gives the status and the body."""

    def __init__(self, address: str, player: Player | None) -> None:
        self.connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
        self.connection.connect()
        self.headers = {"Content-Type": "application/json"}
        if player:
            self.headers["Authorization"] = f"Bearer {ApiToken.objects.create(user=player)[1]}"

    def __call__(self, path: str, **body: object) -> tuple[int, bytes]:
        self.connection.request("POST", f"/api/v1/{path}", json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()


@pytest.fixture
def connect(live_api):
    """Connected clients of a player; all are closed when the test is over."""
    opened = []

    def clients(player: Player | None, count: int = 1) -> list[Caller]:
        new = [Caller(live_api, player) for _ in range(count)]
        opened.extend(new)
        return new

    yield clients
    for client in opened:
        client.connection.close()


@pytest.fixture
def cast(transactional_db):
    return [Player.objects.create_user(name) for name in ("amal", "basil", "carla", "daoud")]


@pytest.fixture
def match(cast):
    return matches.create_match(rules="dananeer", options={}, seats=cast, secret=secret_where(0))


def last_card(state) -> str:
    return card_text(state.plays[-1][1])


def test_of_32_clients_that_race_for_the_same_move_one_is_accepted(connect, match, cast):
    state = act_until(match, lambda state: in_play(state) and len(state.trick) == 1)
    legal = [action_text(action) for action in legal_actions(state, state.turn)][:2]
    wanted = legal * (32 // len(legal))
    path = f"matches/{match.code}/actions/"
    clients = connect(cast[state.turn], 32)
    answers = at_once(
        [
            partial(post, path, action=text, version=state.version)
            for post, text in zip(clients, wanted, strict=True)
        ]
    )
    after = state_of(match)
    assert (after.version, len(after.log)) == (state.version + 1, len(state.log) + 1)
    for text, (status, body) in zip(wanted, answers, strict=True):
        if text == f"play {last_card(after)}":
            assert status == 200 and json.loads(body)["version"] == after.version
        else:
            assert status == 409 and json.loads(body)["code"] == "stale_version"
    assert len({body for status, body in answers if status == 200}) == 1


def test_all_four_seats_race_and_only_the_one_to_act_moves(connect, match, cast):
    clients = [client for player in cast for client in connect(player, 4)]
    path = f"matches/{match.code}/actions/"
    answers = at_once([partial(post, path, action="choose trix", version=0) for post in clients])
    assert [status for status, _ in answers[:4]] == [200] * 4
    assert {status for status, _ in answers[4:]} <= {409, 422}
    assert state_of(match).version == 1


def test_two_who_race_for_the_last_seat_do_not_both_get_it(connect, cast):
    match = matches.open_match(player=cast[0], rules="eram", options={}, bots=["greedy", "greedy"])
    clients = [client for player in cast[1:] for client in connect(player)]
    answers = at_once([partial(post, f"matches/{match.code}/join/") for post in clients])
    assert Counter(status for status, _ in answers) == {200: 1, 409: 2}
    assert {json.loads(body)["code"] for status, body in answers if status == 409} == {"match_full"}
    assert match.seats.count() == 4


def test_one_who_joins_eight_times_at_once_sits_once(connect, cast):
    match = matches.open_match(player=cast[0], rules="eram", options={})
    answers = at_once([partial(post, f"matches/{match.code}/join/") for post in connect(cast[1], 8)])
    assert Counter(status for status, _ in answers) == {200: 1, 409: 7}
    assert Seat.objects.filter(match=match, player=cast[1]).count() == 1


def test_of_ten_tables_opened_at_once_only_the_twentieth_is(cast):
    def open_one() -> str:
        try:
            matches.open_match(player=cast[0], rules="eram", options={})
        except Conflict as refusal:
            return refusal.code
        return "opened"

    for _ in range(17):
        open_one()
    assert Counter(at_once([open_one] * 10)) == {"opened": 3, "too_many_tables": 7}
    assert cast[0].opened_matches.count() == 20


def test_a_match_that_is_started_eight_times_at_once_starts_once(connect, cast):
    match = matches.open_match(player=cast[0], rules="eram", options={}, bots=["random"] * 3)
    answers = at_once([partial(post, f"matches/{match.code}/start/") for post in connect(cast[0], 8)])
    assert Counter(status for status, _ in answers) == {200: 1, 409: 7}
    assert match.deals.count() == 1 and match.seats.count() == 4


def test_one_name_registered_six_times_at_once_is_one_account(connect, transactional_db):
    names = ["amal", "Amal", "AMAL", "amal", "aMal", "amaL"]
    answers = at_once(
        [
            partial(post, "auth/register/", username=name, password="seven of hearts")
            for post, name in zip(connect(None, 6), names, strict=True)
        ]
    )
    assert Counter(status for status, _ in answers) == {201: 1, 409: 5}
    assert Player.objects.count() == 1


def test_bots_the_clock_and_a_player_race_and_one_action_is_stored(match, cast):
    """The deadline has passed and a bot may take over: whoever gets the lock first acts, once.

    Who comes after a bot that chose another card is stale.
    """
    state = act_until(match, in_play)
    Match.objects.filter(pk=match.pk).update(clock_play=1, deadline=match.created_at)
    action = legal_actions(state, state.turn)[0]

    def by_player() -> str:
        try:
            moves.submit_action(
                match_code=match.code,
                player=cast[state.turn],
                action_text=action_text(action),
                version=state.version,
            )
            return "taken"
        except Conflict as refusal:
            return refusal.code

    by_clock = partial(moves.expire, match.pk)
    by_bot = partial(moves.play_bot_move, match.pk, state.version)
    answers = at_once([by_clock, by_bot, by_player] * 3)
    taken = state_of(match).log[-1] == action
    assert set(answers[2::3]) == {"taken" if taken else "stale_version"}
    after = state_of(match)
    assert (after.version, len(after.log)) == (state.version + 1, len(state.log) + 1)


def test_what_readers_see_of_a_match_being_played_is_of_one_moment(match):
    """One thread plays deals to their ends, three read: a version is that of the view beside it."""
    over = Event()

    def play():
        try:
            bots_play_deals(match, 3)
        finally:
            over.set()

    def look() -> list[dict]:
        seen = []
        while not over.is_set():
            seen.append(Client().get(f"/api/v1/matches/{match.code}/").json())
        return seen

    Client().get(f"/api/v1/matches/{match.code}/")  # The first one is slow.
    _, *looks = at_once([play, look, look, look])
    answers = [answer for seen in looks for answer in seen]
    assert len({answer["version"] for answer in answers}) > 1
    for answer in answers:
        assert answer["version"] == answer["view"]["version"]
        assert answer["totals"] == answer["view"]["totals"]


def codes(answers) -> Counter[str]:
    """What was answered: the status, or the code of the refusal."""
    return Counter(str(status) if status < 400 else json.loads(body)["code"] for status, body in answers)


def test_all_who_ask_for_a_rematch_at_once_end_up_in_the_one_that_starts(connect, match, cast):
    play_out(match)
    clients = [client for player in cast for client in connect(player, 3)]
    answers = at_once([partial(post, f"matches/{match.code}/rematch/") for post in clients])
    assert codes(answers) == {"201": 1, "200": 11}
    again = Match.objects.get(rematch_of=match)
    assert {json.loads(body)["code"] for _, body in answers} == {again.code}
    assert again.status == Match.Status.RUNNING
    assert [seat.player_id for seat in again.seats.all()] == [player.pk for player in cast]
    assert not again.invitations.exists()


def test_a_rematch_that_closes_while_another_asks_leaves_him_in_one_that_is_open(connect, match, cast):
    """Whoever comes first: he never ends up at a closed table, and never at one of two open ones."""
    play_out(match)
    for _ in range(8):
        first = rematches.rematch(match_code=match.code, player=cast[0])[0]
        leave, ask = connect(cast[0])[0], connect(cast[1])[0]
        left, asked = at_once(
            [partial(leave, f"matches/{first.code}/leave/"), partial(ask, f"matches/{match.code}/rematch/")]
        )
        assert left[0] == 200 and asked[0] in (200, 201)
        found = Match.objects.filter(rematch_of=match)
        assert found.count() == (asked[0] == 201)
        for again in found:
            assert again.created_by == cast[1]
            matches.stop(again.pk)


def test_one_who_joins_while_he_is_invited_sits_once_and_has_no_invitation(connect, cast):
    for _ in range(8):
        match = matches.open_match(player=cast[0], rules="eram", options={}, visibility="code")
        join, ask = connect(cast[1])[0], connect(cast[0])[0]
        joined, asked = at_once(
            [
                partial(join, f"matches/{match.code}/join/", join_code=match.join_code),
                partial(ask, f"matches/{match.code}/invitations/", player="basil"),
            ]
        )
        assert joined[0] == 200
        assert asked[0] == 201 or json.loads(asked[1])["code"] == "already_seated"
        assert match.seats.filter(player=cast[1]).count() == 1
        assert not match.invitations.exists()


def test_two_who_invite_the_same_player_at_once_do_it_once(connect, cast):
    match = matches.open_match(player=cast[0], rules="eram", options={})
    path = f"matches/{match.code}/invitations/"
    answers = at_once([partial(post, path, player="basil") for post in connect(cast[0], 6)])
    assert codes(answers) == {"201": 1, "already_invited": 5}


def test_a_match_is_called_off_or_played_on_and_never_both(connect, cast):
    for _ in range(8):
        match = matches.open_match(player=cast[0], rules="dananeer", options={}, secret=secret_where(0))
        for player in cast[1:]:
            matches.join(match_code=match.code, player=player)
        matches.start(match_code=match.code, player=cast[0])
        act, abort = connect(cast[0])[0], connect(cast[1])[0]
        acted, aborted = at_once(
            [
                partial(act, f"matches/{match.code}/actions/", action="choose trix", version=0),
                partial(abort, f"matches/{match.code}/abort/"),
            ]
        )
        match.refresh_from_db()
        assert aborted[0] == 200
        if match.status == Match.Status.CANCELLED:
            assert (codes([acted]), match.version) == ({"match_cancelled": 1}, 0)
        else:
            assert (acted[0], match.status, match.version) == (200, Match.Status.RUNNING, 1)
            assert match.seats.get(player=cast[1]).agrees_to_abort


def test_the_last_who_agree_at_once_call_the_match_off_once(connect, cast):
    match = matches.open_match(player=cast[0], rules="dananeer", options={}, secret=secret_where(0))
    for player in cast[1:]:
        matches.join(match_code=match.code, player=player)
    matches.start(match_code=match.code, player=cast[0])
    act_until(match, lambda state: state.version > 0)
    clients = [client for player in cast for client in connect(player)]
    answers = at_once([partial(post, f"matches/{match.code}/abort/") for post in clients])
    match.refresh_from_db()
    assert codes(answers) == {"200": 4} and match.status == Match.Status.CANCELLED


def test_who_resigns_while_he_acts_has_acted_or_not_and_is_out(connect, match, cast):
    act, resign = connect(cast[0])[0], connect(cast[0])[0]
    acted, resigned = at_once(
        [
            partial(act, f"matches/{match.code}/actions/", action="choose trix", version=0),
            partial(resign, f"matches/{match.code}/resign/"),
        ]
    )
    assert resigned[0] == 200
    assert codes([acted]) in ({"200": 1}, {"resigned": 1})
    assert state_of(match).version == (acted[0] == 200)
    seat = match.seats.get(player=cast[0])
    assert seat.resigned and seat.away_since


def test_no_message_is_there_before_one_with_a_lower_id(match, cast):
    """While one is being said the next waits: who reads on after the last id would miss it for good."""
    first_said, looked = Event(), Event()

    def first():
        with transaction.atomic():
            chat.say(match_code=match.code, player=cast[0], text="first")
            first_said.set()
            assert looked.wait(30)

    def second():
        assert first_said.wait(30)
        chat.say(match_code=match.code, player=cast[1], text="second")

    def look() -> list[str]:
        until = monotonic() + 30
        while not (seen := texts()) and not somebody_waits() and monotonic() < until:
            pass
        looked.set()
        return seen

    def texts() -> list[str]:
        return [message.text for message in chat_after(match, cast[2], 0)]

    *_, seen = at_once([first, second, look])
    assert seen == []
    assert texts() == ["first", "second"]


def somebody_waits() -> bool:
    """Whether a connection to this database waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # Within a transaction it would stay the same.
        cursor.execute(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return cursor.fetchone() is not None


def test_a_message_reported_six_times_at_once_is_reported_once(connect, match, cast):
    said = chat.say(match_code=match.code, player=cast[1], text="a bad word")
    path = f"matches/{match.code}/chat/{said.pk}/report/"
    answers = at_once([partial(post, path) for post in connect(cast[0], 6)])
    assert codes(answers) == {"204": 1, "already_reported": 5}

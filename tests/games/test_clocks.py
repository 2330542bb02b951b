"""Clocks: what happens to whoever is silent, and the way back."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from games.engine import Phase
from games.models import Match
from games.positions import at_deadline
from games.services import matches, moves
from games.tasks import sweep
from tests.games.play import act, act_until, doubling, in_play, secret_where, state_of
from tests.games.test_bots import queens_of_both


@pytest.fixture
def match(clock, match):
    return match


def away(match) -> list[int]:
    return [seat.index for seat in match.seats.all() if seat.away_since]


def start(cast, **options):
    return matches.create_match(
        rules="dananeer", options={}, seats=cast, secret=secret_where(0), clock_play=30, **options
    )


def test_a_deadline_follows_from_the_last_public_action(apis, match, clock):
    began = clock.time
    assert Match.objects.get(pk=match.pk).deadline == began + timedelta(seconds=30)
    clock.pass_(20)
    done = act(match, "choose ltoosh")
    assert done.deadline == Match.objects.get(pk=match.pk).deadline == clock.time + timedelta(seconds=30)
    shown = apis[3].get(f"matches/{match.code}/").json()["deadline"]
    assert shown == (clock.time + timedelta(seconds=30)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def test_nothing_happens_before_the_time_is_up(match, clock):
    clock.pass_(29.9)
    assert not moves.expire(match.pk)
    assert state_of(match).version == 0


def test_who_does_not_choose_plays_the_first_contract_left(match, clock):
    clock.pass_(30)
    assert moves.expire(match.pk)
    assert state_of(match).contract.text == "king"
    assert away(match) == []


def test_the_second_time_it_is_the_next_in_order(cast, clock):
    match = matches.create_match(rules="eram", options={"doubling": "off"}, seats=cast, clock_choose=5)
    act(match, "choose king")
    act_until(match, lambda state: state.number == 2)
    clock.pass_(5)
    moves.expire(match.pk)
    assert state_of(match).contract.text == "queens"


def test_who_is_silent_while_doubling_doubles_nothing(match, clock):
    act(match, "choose queens")
    began = Match.objects.get(pk=match.pk).deadline
    clock.pass_(10)
    act(match)
    assert Match.objects.get(pk=match.pk).deadline in (began, clock.time + timedelta(seconds=30))
    clock.pass_(30)
    moves.expire(match.pk)
    state = state_of(match)
    assert state.phase is Phase.PLAY and not state.doubled
    assert away(match) == []


def test_an_answer_does_not_move_the_deadline_of_doubling(match, clock):
    act(match, "choose queens")
    deadline = Match.objects.get(pk=match.pk).deadline
    clock.pass_(10)
    act(match, "double none")
    if doubling(state_of(match)):
        assert Match.objects.get(pk=match.pk).deadline == deadline


def test_a_bot_takes_the_seat_of_who_does_not_play(match, clock):
    state = act_until(match, in_play)
    clock.pass_(31)
    assert moves.expire(match.pk)
    assert away(match) == [state.turn]
    stored = Match.objects.get(pk=match.pk)
    assert stored.bots_pending and stored.deadline is None
    assert moves.play_bot_move(match.pk, state.version).taken == 1
    assert not moves.expire(match.pk)


def test_the_bot_plays_on_for_whoever_stays_away(match, clock):
    state = act_until(match, in_play)
    gone = state.turn
    clock.pass_(31)
    moves.expire(match.pk)
    for _ in range(8):
        while moves.play_bot_move(match.pk).bots_pending:
            pass
        if state_of(match).phase is Phase.PLAY:
            assert state_of(match).turn != gone
        act(match)
    assert away(match) == [gone]


@pytest.mark.parametrize("way", ["action", "stale action", "malformed action", "return", "repeated action"])
def test_the_seat_is_given_back_when_its_player_acts(apis, match, clock, way):
    state = act_until(match, in_play)
    seat = state.turn
    clock.pass_(31)
    moves.expire(match.pk)
    url = f"matches/{match.code}/"
    text = apis[seat].get(url).json()["view"]["legal"][0]
    status = {
        "action": lambda: apis[seat].post(url + "actions/", action=text, version=state.version),
        "stale action": lambda: apis[seat].post(url + "actions/", action=text, version=0),
        "malformed action": lambda: apis[seat].post(url + "actions/", action="hello", version=0),
        "return": lambda: apis[seat].post(url + "return/"),
        "repeated action": lambda: apis[0].post(url + "actions/", action="choose king", version=0),
    }[way]().status_code
    if seat == 0 or way != "repeated action":
        assert away(match) == []
        assert status == {"stale action": 409, "malformed action": 400}.get(way, 200)


def test_who_is_back_on_his_turn_has_the_whole_time_again(apis, match, clock):
    state = act_until(match, in_play)
    clock.pass_(100)
    moves.expire(match.pk)
    clock.pass_(5)
    apis[state.turn].post(f"matches/{match.code}/return/")
    stored = Match.objects.get(pk=match.pk)
    assert stored.deadline == clock.time + timedelta(seconds=30)
    assert not stored.bots_pending
    assert moves.play_bot_move(match.pk).taken == 0
    shown = apis[0].get(f"matches/{match.code}/").json()["deadline"]
    assert shown == stored.deadline.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def test_another_players_action_gives_nothing_back(apis, match, clock):
    state = act_until(match, in_play)
    clock.pass_(31)
    moves.expire(match.pk)
    apis[(state.turn + 1) % 4].post(f"matches/{match.code}/actions/", action="pass", version=state.version)
    assert away(match) == [state.turn]


def test_where_the_table_waits_nobody_takes_the_seat(cast, clock):
    match = start(cast, on_timeout="wait")
    act_until(match, in_play)
    assert Match.objects.get(pk=match.pk).deadline is None
    clock.pass_(10_000)
    assert not moves.expire(match.pk)
    assert away(match) == []


def test_without_a_clock_there_is_no_deadline(apis, cast, clock):
    match = matches.create_match(rules="dananeer", options={}, seats=cast)
    assert Match.objects.get(pk=match.pk).deadline is None
    assert apis[0].get(f"matches/{match.code}/").json()["deadline"] is None


def test_the_sweep_handles_every_overdue_turn_once(cast, clock):
    """As after a stop of the server: deadlines were stored, and are acted on when it is back."""
    started = [start(cast, clock_choose=30) for _ in range(3)]
    clock.pass_(3600)
    sweep()
    sweep()
    assert [(state_of(match).contract.text, len(state_of(match).log)) for match in started] == [
        ("king", 1)
    ] * 3


def test_one_match_that_cannot_be_played_on_keeps_the_sweep_from_no_other(cast, clock, monkeypatch, caplog):
    started = [start(cast, clock_choose=30) for _ in range(2)]
    clock.pass_(31)
    real = moves.expire

    def broken(match_id, version):
        if match_id == started[0].pk:
            raise RuntimeError("broken row")
        return real(match_id, version)

    monkeypatch.setattr("games.tasks.expire", broken)
    sweep()
    assert state_of(started[1]).contract is not None
    assert f"match {started[0].pk}" in caplog.text


def test_a_move_that_gets_the_lock_before_the_clock_is_in_time(match, clock):
    clock.pass_(31)
    act(match, "choose trix")
    assert not moves.expire(match.pk)
    assert state_of(match).contract.text == "trix"


def deadline(match):
    return Match.objects.get(pk=match.pk).deadline


def post(apis, match, seat, door, **body):
    return apis[seat].post(f"matches/{match.code}/{door}/", **body)


@pytest.mark.parametrize("phase", [in_play, doubling, lambda state: True], ids=["play", "double", "choose"])
def test_who_comes_and_goes_does_not_move_the_deadline_of_another(apis, match, clock, phase):
    if phase is doubling:
        act(match, "choose queens")
    other = (act_until(match, phase).turn + 1) % 4
    before = deadline(match)
    for door in ("leave", "return", "leave", "return"):
        clock.pass_(7)
        assert post(apis, match, other, door).status_code == 200
        assert deadline(match) == before


def test_another_takes_back_no_time_of_who_has_it_again(apis, match, clock):
    turn = act_until(match, in_play).turn
    clock.pass_(31)
    moves.expire(match.pk)
    post(apis, match, turn, "return")
    again = deadline(match)
    assert again == clock.time + timedelta(seconds=30)
    for door in ("leave", "return"):
        clock.pass_(5)
        post(apis, match, (turn + 1) % 4, door)
        assert deadline(match) == again
    assert not moves.expire(match.pk)
    assert away(match) == []


@pytest.mark.parametrize("phase", [in_play, lambda state: True], ids=["play", "choose"])
def test_who_leaves_on_his_turn_and_comes_back_has_the_time_that_is_left(apis, match, clock, phase):
    turn = act_until(match, phase).turn
    before = deadline(match)
    for _ in range(3):
        clock.pass_(4)
        post(apis, match, turn, "leave")
        assert deadline(match) is None
        clock.pass_(4)
        post(apis, match, turn, "return")
        assert deadline(match) == before


@pytest.fixture
def used_up(apis, match, clock) -> int:
    """A seat whose player let the clock run out twice in one turn."""
    turn = act_until(match, in_play).turn
    for _ in range(2):
        assert away(match) == []
        clock.pass_(31)
        assert moves.expire(match.pk)
        answer = post(apis, match, turn, "return")
        assert answer.status_code == 200
    return turn


def test_the_whole_time_comes_again_once_a_turn_then_the_bot_plays(apis, match, clock, used_up):
    assert away(match) == [used_up]
    assert post(apis, match, used_up, "actions", action="hello", version=0).status_code == 400
    assert away(match) == [used_up]
    assert moves.play_bot_move(match.pk).taken == 1
    post(apis, match, used_up, "return")
    assert away(match) == []


def test_an_action_that_comes_before_the_bots_is_in_time(apis, match, used_up):
    view = apis[used_up].get(f"matches/{match.code}/").json()["view"]
    answer = post(apis, match, used_up, "actions", action=view["legal"][0], version=view["version"])
    assert answer.status_code == 200
    assert away(match) == []
    assert moves.play_bot_move(match.pk).taken == 0


def test_the_next_turn_has_its_own_second_time(apis, match, clock, used_up):
    moves.play_bot_move(match.pk)
    post(apis, match, used_up, "return")
    state = act_until(match, lambda state: in_play(state) and state.turn == used_up)
    assert deadline(match) == clock.time + timedelta(seconds=30)
    clock.pass_(31)
    moves.expire(match.pk)
    post(apis, match, used_up, "return")
    assert state_of(match).version == state.version
    assert deadline(match) == clock.time + timedelta(seconds=30)


def test_nobody_stops_the_table_by_coming_and_going(apis, match, clock):
    """The bot waits a minute before it moves, and the player is there again whenever it would."""
    Match.objects.update(bot_delay=60)
    state = act_until(match, in_play)
    began = clock.time
    while clock.time - began < timedelta(seconds=90):
        clock.pass_(9)
        moves.expire(match.pk)
        post(apis, match, state.turn, "leave")
        post(apis, match, state.turn, "return")
    assert away(match) == [state.turn]
    assert moves.play_bot_move(match.pk).taken == 1


# The machine's clock


def test_a_clock_that_is_set_back_turns_no_time_around_and_costs_nobody_his_turn(apis, match, clock):
    """Nobody's time runs until the time is reached again that was already noted; then all is as before."""
    act(match, "choose ltoosh")
    reached = clock.time
    clock.pass_(-3600)
    for _ in range(3):
        done = act(match)
        assert done.deadline == deadline(match) == reached + timedelta(seconds=30)
    sweep()
    post(apis, match, state_of(match).turn, "leave")
    assert moves.play_bot_move(match.pk).taken == 1
    assert away(match) != []
    times = [event["at"] for event in apis[0].get(f"matches/{match.code}/events/").json()["events"]]
    assert times == [reached.strftime("%Y-%m-%dT%H:%M:%S.%fZ")] * 5
    clock.pass_(3629.9)
    version = state_of(match).version
    assert not moves.expire(match.pk, version)
    clock.pass_(0.1)
    assert moves.expire(match.pk, version)


def test_summer_time_moves_no_deadline(cast, clock):
    """In the night of 25 October 2026 clocks in Beirut go back an hour; deadlines are in UTC."""
    clock.time = datetime(2026, 10, 24, 20, 59, 50, tzinfo=UTC)
    with timezone.override("Asia/Beirut"):
        match = start(cast, clock_choose=20)
        clock.pass_(19.9)
        assert not moves.expire(match.pk)
        clock.pass_(0.1)
        assert moves.expire(match.pk)
    assert deadline(match) is None and state_of(match).version == 1


# When bots are overdue


def test_bots_are_overdue_ten_seconds_after_the_pause_that_they_were_given(
    cast, clock, monkeypatch, django_capture_on_commit_callbacks
):
    """While doubling the pause is drawn at random: once, or the sweep would call bots before their time."""
    called = []
    monkeypatch.setattr("games.services.bots.queue_bots", lambda match, pause: called.append(pause))
    for _ in range(3):
        match = matches.create_match(
            rules="dananeer",
            options={},
            seats=[*cast[:2], "greedy", "greedy"],
            bot_delay=20,
            secret=queens_of_both((2, 3)),
        )
        with django_capture_on_commit_callbacks(execute=True):
            act(match, "choose queens")
        due = Match.objects.get(pk=match.pk).bots_due
        assert due == clock.time + timedelta(seconds=called.pop() + 10)
    assert not called


# What is said to happen next


def whose(match) -> tuple[int | None, str] | None:
    now = Match.objects.get(pk=match.pk)
    return at_deadline(now, list(now.seats.all()), state_of(now))


def test_it_is_said_who_is_waited_for_and_what_happens_then(match):
    assert whose(match) == (0, "first_contract")
    act(match, "choose queens")
    assert whose(match) == (None, "no_double")
    state = act_until(match, in_play)
    assert whose(match) == (state.turn, "bot_plays")
    match.seats.filter(index=state.turn).update(away_since=timezone.now())
    assert whose(match) is None


def test_while_doubling_it_is_said_as_long_as_anyone_is_there_whoever_is_asked(match):
    act(match, "choose queens")
    for gone in range(4):
        assert whose(match) == (None, "no_double")
        match.seats.filter(index=gone).update(away_since=timezone.now())
    assert whose(match) is None


def test_where_the_table_waits_that_is_said_of_play_alone(cast):
    match = start(cast, on_timeout="wait", clock_choose=30)
    assert whose(match) == (0, "first_contract")
    state = act_until(match, in_play)
    assert whose(match) == (state.turn, "waits")


def test_of_a_match_that_is_over_nothing_is_said(cast):
    match = start(cast)
    match.seats.update(away_since=timezone.now())
    while moves.play_bot_move(match.pk, limit=100).bots_pending:
        pass
    assert state_of(match).phase is Phase.OVER
    assert whose(match) is None

"""What the hub sends, step by step: countdowns, who is gone, the account's news, and whom it drops."""

import json
from typing import Any

import pytest

from games.engine import to_act
from games.models import Match
from games.services import invitations, matches, moves
from games.streams import watchers
from tests.games.play import act, act_until, bots_play_deals, in_play, play_out, state_of
from tests.games.streaming import Message, sse


def told(room, watcher) -> list[Message]:
    """All messages of a stream so far."""
    return list(sse(iter(room.told[watcher].decode().split("\n"))))


def new(room, watcher) -> list[Message]:
    """Those since this was last asked."""
    found = told(room, watcher)
    room.told[watcher] = b""
    return found


def kinds(messages: list[Message]) -> list[str]:
    return [message.kind for message in messages]


# Countdowns


@pytest.fixture
def hasty(cast, clock):
    """A match with eleven seconds for each action, of which 0.3 have passed."""
    match = matches.create_match(
        rules="dananeer", options={}, seats=cast, clock_choose=11, clock_double=11, clock_play=11
    )
    clock.pass_(0.3)
    return match


def countdown(message: Message) -> Any:
    assert (message.kind, message.id) == ("countdown", None)
    return message.data


def test_ten_seconds_before_the_end_everyone_is_warned(cast, hasty, screens):
    room = screens()
    streams = [room.open(hasty, viewer) for viewer in (cast[0], cast[1], None)]
    document = new(room, streams[0])[0].data
    new(room, streams[1]), new(room, streams[2])
    room.wait(0.9)
    for stream in streams:
        (warning,) = new(room, stream)
        assert countdown(warning) == {
            "seat": document["view"]["to_act"],
            "seconds": 10,
            "deadline": document["deadline"],
            "then": "first_contract",
        }


def test_who_has_acted_is_not_warned_and_the_next_one_is(cast, hasty, clock, screens):
    room = screens()
    stream = room.open(hasty)
    act(hasty, "choose ltoosh")
    room.moved(hasty)
    new(room, stream)
    room.wait(0.9)
    assert new(room, stream) == []
    clock.pass_(0.3)
    other = screens()
    stream = other.open(hasty)
    new(other, stream)
    other.wait(0.9)
    assert countdown(new(other, stream)[0])["then"] == "bot_plays"


def test_while_doubling_the_warning_is_for_everyone_and_names_nobody(cast, hasty, clock, screens):
    act(hasty, "choose queens")
    clock.pass_(0.3)
    room = screens()
    streams = [room.open(hasty, viewer) for viewer in (*cast, None)]
    told = [new(room, stream) for stream in streams]
    act(hasty, "double none")
    room.moved(hasty)
    room.wait(0.9)
    told += [new(room, stream) for stream in streams]
    warnings = [message.data for messages in told for message in messages if message.kind == "countdown"]
    assert warnings == warnings[:1] * 5
    assert (warnings[0]["seat"], warnings[0]["then"]) == (None, "no_double")


def test_a_table_that_waits_says_so(cast, clock, screens):
    match = matches.create_match(
        rules="dananeer", options={}, seats=cast, clock_play=11, clock_bank=0, on_timeout="wait"
    )
    act_until(match, in_play)
    clock.pass_(0.3)
    room = screens()
    stream = room.open(match)
    new(room, stream)
    room.wait(0.9)
    assert countdown(new(room, stream)[0])["then"] == "waits"


# Who is there


def gone(message: Message) -> list[bool]:
    return [seat["gone"] for seat in message.data["seats"]]


def test_a_player_whose_stream_has_ended_is_gone_after_a_while_and_back_with_the_next(
    cast, match, clock, screens, api
):
    room = screens()
    amal, basil = room.open(match, cast[0]), room.open(match, cast[1])
    assert gone(new(room, basil)[0]) == [False] * 4
    room.hub.leave(amal)
    for _ in range(3):
        clock.pass_(15)
        room.look()
    assert new(room, basil) == []
    clock.pass_(15)
    room.look()
    (message,) = new(room, basil)
    assert gone(message) == [True, False, False, False]
    assert message.data == api(cast[1]).get(f"matches/{match.code}/").json()

    back = room.open(match, cast[0])
    room.moved(match)
    assert gone(told(room, back)[0]) == [False] * 4
    assert gone(new(room, basil)[0]) == [False] * 4


def test_who_never_had_a_stream_is_not_gone(cast, match, clock, screens):
    room = screens()
    stream = room.open(match)
    clock.pass_(100)
    room.look()
    assert gone(told(room, stream)[0]) == [False] * 4
    assert not match.seats.filter(seen_at__isnull=False).exists()


def test_a_player_for_whom_a_bot_plays_is_away_and_not_gone(cast, match, clock, screens):
    room = screens()
    room.hub.leave(room.open(match, cast[0]))
    stream = room.open(match)
    clock.pass_(50)
    matches.leave(match_code=match.code, player=cast[0])
    room.moved(match)
    last = told(room, stream)[-1].data["seats"][0]
    assert (last["away"], last["gone"]) == (True, False)


# The account


def test_the_first_message_is_the_account_as_get_answers_it(cast, match, screens, api):
    room = screens()
    stream = room.open(None, cast[0])
    (message,) = told(room, stream)
    assert (message.kind, message.id) == ("account", None)
    assert message.data == api(cast[0]).get("account/").json()


def test_the_account_tells_of_a_match_from_its_start_to_its_end(cast, screens, api):
    room = screens()
    streams = [room.open(None, player) for player in cast]
    for stream in streams:
        new(room, stream)
    match = matches.create_match(rules="dananeer", options={}, seats=cast)
    owner = state_of(match).owner
    room.hear(*(f"player {player.pk}" for player in cast))
    for seat, stream in enumerate(streams):
        messages = new(room, stream)
        assert kinds(messages) == ["match_started"] + (["your_turn"] if seat == owner else [])
        assert messages[0].data == api(cast[seat]).get("account/").json()["matches"][0]
    act(match, "choose ltoosh")
    room.moved(match)
    after = state_of(match)
    assert [kinds(new(room, stream)) for stream in streams] == [
        ["your_turn"] if seat == after.turn else [] for seat in range(4)
    ]
    play_out(match)
    room.moved(match)
    for stream in streams:
        (message,) = new(room, stream)
        assert (message.kind, message.data["status"]) == ("match_finished", "finished")
    assert room.hub.matches == {}


def test_two_turns_in_a_row_are_told_twice(cast, match, screens):
    room = screens()
    stream = room.open(None, cast[0])
    assert new(room, stream)[0].data["matches"][0]["your_turn"]
    act(match, "choose ltoosh")
    if state_of(match).turn == 0:
        room.moved(match)
        assert kinds(new(room, stream)) == ["your_turn"]
        return
    while state_of(match).turn != 0:
        act(match)
    room.moved(match)
    (message,) = new(room, stream)
    assert (message.kind, message.data["version"]) == ("your_turn", state_of(match).version)
    room.moved(match)
    assert new(room, stream) == []


def test_who_is_asked_to_double_is_told_once_and_nobody_else_is(cast, match, screens):
    room = screens()
    streams = [room.open(None, player) for player in cast]
    act(match, "choose queens")
    room.moved(match)
    asked = to_act(state_of(match))
    told_so = [kinds(new(room, stream)) for stream in streams]
    assert told_so == [["account", *(["your_turn"] if seat in asked else [])] for seat in range(4)]
    for _ in asked[1:]:
        act(match, "double none")
        room.moved(match)
    assert [new(room, stream) for stream in streams] == [[]] * 4


def test_a_cancelled_match_is_told_and_a_seat_given_up_is_not(cast, screens):
    room = screens()
    match = matches.open_match(player=cast[0], rules="eram", options={})
    matches.join(match_code=match.code, player=cast[1])
    amal, basil = room.open(None, cast[0]), room.open(None, cast[1])
    new(room, amal), new(room, basil)
    matches.leave(match_code=match.code, player=cast[1])
    room.hear(f"match {match.code}", f"player {cast[1].pk}")
    assert (new(room, amal), new(room, basil)) == ([], [])
    matches.leave(match_code=match.code, player=cast[0])
    room.moved(match)
    assert kinds(new(room, amal)) == ["match_cancelled"]
    assert new(room, basil) == []


def test_an_invitation_is_told_once(cast, screens, api):
    room = screens()
    match = matches.open_match(player=cast[0], rules="eram", options={}, visibility="private")
    stream = room.open(None, cast[1])
    new(room, stream)
    invitations.invite(match_code=match.code, player=cast[0], name="basil")
    room.hear(f"player {cast[1].pk}")
    room.hear(f"player {cast[1].pk}")
    (message,) = new(room, stream)
    assert message.kind == "invited"
    assert message.data == api(cast[1]).get("account/").json()["invitations"][0]


def test_news_goes_to_the_accounts_that_it_is_for(cast, screens):
    room = screens()
    streams = [room.open(None, player) for player in cast]
    for stream in streams:
        new(room, stream)
    data = {"tournament": "بطولة", "round": 2}
    news = {"players": [cast[0].pk, cast[2].pk], "type": "round_published", "data": data}
    room.hear(f"news {json.dumps(news)}")
    assert [kinds(new(room, stream)) for stream in streams] == [
        ["round_published"], [], ["round_published"], []
    ]  # fmt: skip


def test_a_new_stream_of_an_account_changes_nothing_for_the_old_one(cast, match, screens):
    room = screens()
    first = room.open(None, cast[0])
    new(room, first)
    second = room.open(None, cast[0])
    assert (new(room, first), kinds(new(room, second))) == ([], ["account"])


def test_after_something_may_have_been_missed_the_account_comes_again(cast, match, screens):
    room = screens()
    stream = room.open(None, cast[0])
    new(room, stream)

    async def wake() -> None:
        room.hub.wake_all()

    room.runner.run(wake())
    room._settle()
    assert kinds(new(room, stream)) == ["account"]


# Whom it drops, and what it forgets


def test_a_reader_that_lags_is_dropped(cast, match, screens, monkeypatch):
    room = screens()
    slow, quick = room.open(match), room.open(match)
    del room.told[slow]  # Nobody takes what waits for it any more.
    monkeypatch.setattr(watchers, "MOST_WAITING", 10_000)
    while not slow.ended:
        assert slow.size <= 10_000
        act(match)
        room.moved(match)
    assert slow.waiting == []
    assert not quick.ended
    assert told(room, quick)[-1].id == state_of(match).version


def test_a_long_past_is_sent_at_once_however_long_it_is(cast, match, screens, monkeypatch):
    monkeypatch.setattr(watchers, "MOST_WAITING", 1000)
    bots_play_deals(match, 2)
    room = screens()
    stream = room.open(match, after=0)
    assert [message.id for message in told(room, stream)[:-1]] == list(range(1, state_of(match).version + 1))
    assert not stream.ended


def test_what_nobody_follows_is_forgotten(cast, match, screens):
    room = screens()
    streams = [
        room.open(match, cast[0]),
        room.open(match),
        room.open(None, cast[0]),
        room.open(None, cast[1]),
    ]
    assert set(room.hub.matches) == {match.code}
    for stream in streams:
        room.hub.leave(stream)
    assert (room.hub.matches, room.hub.accounts, room.hub.watchers) == ({}, {}, {})
    assert not any(room.hub.callers.values())


def test_many_wake_ups_are_one_reading(cast, match, screens):
    room = screens()
    room.open(match)
    read = []

    async def count(job, *arguments):
        read.append(job)
        return await room._read(job, *arguments)

    room.hub.matches[match.code].read = count
    room.hear(*[f"match {match.code}"] * 50)
    assert len(read) <= 2


def test_all_who_see_the_same_are_sent_the_same_bytes_of_one_making(cast, match, screens):
    room = screens()
    streams = [room.open(match) for _ in range(5)]
    act(match)
    room.moved(match)
    assert len({id(stream.document) for stream in streams}) == 1


def test_the_stream_of_a_match_that_went_wrong_goes_on(cast, match, screens, monkeypatch):
    """A database that restarts costs time and nothing else."""
    monkeypatch.setattr("games.streams.topics.RETRY_SECONDS", 0.01)
    room = screens()
    stream = room.open(match)
    new(room, stream)
    broken = [True]

    async def fail(job, *arguments):
        if broken and broken.pop():
            raise OSError("the database is away")
        return await room._read(job, *arguments)

    room.hub.matches[match.code].read = fail
    act(match)
    room.moved(match)
    assert kinds(new(room, stream)) == ["action", "match"]


def test_a_match_that_runs_out_of_time_is_told(cast, match, clock, screens):
    room = screens()
    stream = room.open(match)
    new(room, stream)
    clock.pass_(31)
    assert moves.expire(Match.objects.get(pk=match.pk).pk)
    room.moved(match)
    assert kinds(new(room, stream)) == ["action", "match"]

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from games.times import TICK, pack_after, unpack_times

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


PAUSES = st.timedeltas(timedelta(0), timedelta(days=70))


@given(st.lists(PAUSES))
def test_times_come_back_to_a_tenth_of_a_second_however_many_they_are(pauses):
    packed, last, noted = b"", NOON, []
    for pause in pauses:
        more = pack_after(last, last + pause)
        ((last, own),) = unpack_times(last, more)
        noted.append((last, own))
        packed += more
    assert list(unpack_times(NOON, packed)) == noted
    assert all(TICK * (pause // TICK) == TICK * own for pause, (_, own) in zip(pauses, noted, strict=True))


@given(st.lists(st.tuples(PAUSES, st.none() | st.timedeltas(timedelta(days=-1), timedelta(days=71)))))
def test_what_was_a_players_own_part_of_a_time_comes_back_too(turns):
    packed, last = b"", NOON
    for pause, left in turns:
        packed += pack_after(last, last + pause, None if left is None else last + left)
        last += TICK * (pause // TICK)
    taken = list(unpack_times(NOON, packed))
    last = NOON
    for (pause, left), (at, own) in zip(turns, taken, strict=True):
        assert at == last + TICK * (pause // TICK)
        within = pause if left is None else min(pause, max(timedelta(0), left))
        assert own == within // TICK
        last = at


def test_a_quick_action_takes_one_byte_and_a_slow_one_three():
    assert pack_after(NOON, NOON + timedelta(seconds=12.7)) == b"\x7f"
    assert len(pack_after(NOON, NOON + timedelta(seconds=12.8))) == 2
    assert len(pack_after(NOON, NOON + timedelta(hours=50))) == 3
    assert len(pack_after(NOON, NOON + timedelta(days=60))) == 4


def test_a_time_in_two_parts_takes_two_bytes_more_at_least():
    assert pack_after(NOON, NOON + timedelta(seconds=5), NOON) == b"\x80\0\x32"
    assert pack_after(NOON, NOON + timedelta(seconds=5), NOON + timedelta(seconds=2)) == b"\x94\0\x1e"


def test_a_clock_that_is_set_back_does_not_turn_time_around():
    assert pack_after(NOON, NOON - timedelta(hours=1)) == b"\0"
    assert list(unpack_times(NOON, b"\0")) == [(NOON, 0)]

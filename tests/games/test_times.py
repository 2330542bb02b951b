from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from games.times import TICK, pack_after, unpack_times

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@given(st.lists(st.timedeltas(timedelta(0), timedelta(days=40))))
def test_times_come_back_to_a_tenth_of_a_second_however_many_they_are(pauses):
    packed, last, noted = b"", NOON, []
    for pause in pauses:
        now = last + pause
        more, last = pack_after(last, now)
        assert timedelta(0) <= now - last < TICK
        packed += more
        noted.append(last)
    assert list(unpack_times(NOON, packed)) == noted


def test_a_quick_action_takes_one_byte_and_a_slow_one_three():
    assert pack_after(NOON, NOON + timedelta(seconds=12.7))[0] == b"\x7f"
    assert len(pack_after(NOON, NOON + timedelta(seconds=12.8))[0]) == 2
    assert len(pack_after(NOON, NOON + timedelta(hours=50))[0]) == 3


def test_a_clock_that_is_set_back_does_not_turn_time_around():
    assert pack_after(NOON, NOON - timedelta(hours=1)) == (b"\0", NOON)

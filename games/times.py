"""When each action of a deal was taken, packed beside the actions.

Tenths of a second since the action before (the first: since the deal began), each as a base-128
number, low digits first, the high bit set on all but the last byte: one byte under 12.8 s, two
under 27 min 18 s, three under 58 hours, four under 310 days. What is answered is computed from these
stored times, so the same question gets the same answer later.

Where a bot acted for a player who was not there, and it matters which part of the time was the player's
own, there are two numbers: his part first, told by a zero byte too many at its end, then the bot's.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

TICK = timedelta(milliseconds=100)
TICKS_A_SECOND = 10


def pack_after(last: datetime, now: datetime, left: datetime | None = None) -> bytes:
    """The bytes that say ``now`` after the action at ``last``: to the tenth of a second below, never before.

    ``left`` is when the player's own time ended, where that is to be known: at most ``now``.
    """
    ticks = max(0, (now - last) // TICK)
    if left is None:
        return _pack(ticks)
    own = min(ticks, max(0, (left - last) // TICK))
    *digits, highest = _pack(own)
    return bytes([*digits, highest | 0x80, 0]) + _pack(ticks - own)


def unpack_times(start: datetime, packed: bytes) -> Iterator[tuple[datetime, int]]:
    """Of each action of a deal that began at ``start``: when it was taken, and how many of the tenths of a
    second since the one before were its player's own.
    """
    ticks = shift = 0
    own: int | None = None
    for byte in packed:
        ticks |= (byte & 0x7F) << shift
        shift += 7
        if byte >= 0x80:
            continue
        start += ticks * TICK
        if byte or shift == 7:
            yield start, ticks if own is None else own
            own = None
        else:
            own = ticks
        ticks = shift = 0


def _pack(ticks: int) -> bytes:
    packed = bytearray()
    while ticks >= 0x80:
        packed.append(ticks & 0x7F | 0x80)
        ticks >>= 7
    packed.append(ticks)
    return bytes(packed)

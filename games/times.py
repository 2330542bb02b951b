"""When each action of a deal was taken, packed beside the actions.

Tenths of a second since the action before (the first: since the deal began), each as a base-128
number, low digits first, the high bit set on all but the last byte: one byte under 12.8 s, two
under 27 min 18 s, three under 58 hours. What is answered is computed from these stored times, so
the same question gets the same answer later.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

TICK = timedelta(milliseconds=100)


def pack_after(last: datetime, now: datetime) -> tuple[bytes, datetime]:
    """The bytes that say ``now`` after the action at ``last``, and the time they will be read as."""
    ticks = max(0, (now - last) // TICK)
    return _pack(ticks), last + ticks * TICK


def unpack_times(start: datetime, packed: bytes) -> Iterator[datetime]:
    """The time of each action of a deal that began at ``start``."""
    ticks = shift = 0
    for byte in packed:
        ticks |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            start += ticks * TICK
            yield start
            ticks = shift = 0


def _pack(ticks: int) -> bytes:
    packed = bytearray()
    while ticks >= 0x80:
        packed.append(ticks & 0x7F | 0x80)
        ticks >>= 7
    packed.append(ticks)
    return bytes(packed)

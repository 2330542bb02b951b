"""Limits on requests that all processes hold together, counted in one small table.

A limit counts in windows of so many seconds, by the database's clock and the same for all. A process takes
requests out of the table in leases and counts them down in memory, so most requests cost no statement. What
it leaves of a lease is lost to the others: a caller gets at most the limit in a window, and at least the
limit less one lease for each further process. A lease of 1 is exact.
"""

import hashlib
import time
from dataclasses import dataclass
from threading import Lock
from typing import Any

from django.db import connection
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

# How many callers a process remembers. One that it forgets loses the rest of a lease.
MOST_HELD = 20_000

# Used stops at a lease past the limit, so that any caller can tell how much of his own lease he got.
TAKE = """
    INSERT INTO site_throttle AS stored (key, ends, used)
    VALUES (%(key)s, (floor(extract(epoch FROM clock_timestamp()) / %(window)s) + 1) * %(window)s, %(lease)s)
    ON CONFLICT (key) DO UPDATE SET ends = excluded.ends, used = CASE
        WHEN stored.ends = excluded.ends THEN least(stored.used + %(lease)s, %(limit)s + %(lease)s)
        ELSE excluded.used END
    RETURNING used, ends - extract(epoch FROM clock_timestamp())
"""


class Throttle(BaseThrottle):
    """Base: `who` a request counts for, and how many he has in a window. Without a limit nobody counts."""

    scope: str
    limit: int
    window = 60  # seconds
    lease = 1

    def who(self, request: Request) -> str | None:
        """The caller, or None for a request that this limit is not for."""
        raise NotImplementedError

    def allow_request(self, request: Request, view: Any) -> bool:
        who = self.who(request)
        return who is None or self.count(who)

    def count(self, who: str) -> bool:
        """Count a request of this caller; whether it is within the limit. If not, `wait` says until when."""
        self._wait = 0.0
        if self.limit:
            # Hashed: a header or a name may be of any length, and is nobody's to read in the table.
            key = hashlib.sha256(f"{self.scope} {who}".encode(errors="replace")).digest()
            self._wait = use(key, self.limit, self.window, self.lease)
        return not self._wait

    def wait(self) -> float:
        return self._wait


@dataclass
class Lease:
    """What a process may still let through. ``ends`` is by its monotonic clock.

    ``last``: there is no more in this window.
    """

    left: int
    ends: float
    last: bool


_held: dict[bytes, Lease] = {}
_lock = Lock()
_asking = [Lock() for _ in range(64)]
"""Of threads that use one key one asks the database; the others wait for what he gets."""


def use(key: bytes, limit: int, window: int, lease: int) -> float:
    """Use one of the ``limit`` requests in this window: 0, or the seconds until there are new ones."""
    while True:
        with _lock:
            held = _held.get(key)
            left = held.ends - time.monotonic() if held else 0
            if held and left > 0 and held.left:
                held.left -= 1
                return 0
            if held and left > 0 and held.last:
                return left
        with _asking[key[-1] % len(_asking)]:
            if _held.get(key) is held:
                _keep(key, _take(key, limit, window, lease))


def forget() -> None:
    """Give up all leases of this process."""
    with _lock:
        _held.clear()


def sweep() -> None:
    """Drop the counts of windows that are over."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM site_throttle WHERE ends < extract(epoch FROM clock_timestamp())")


def _take(key: bytes, limit: int, window: int, lease: int) -> Lease:
    asked = time.monotonic()  # Before the database looks at its clock: our window must not end later.
    values: dict[str, bytes | int] = {"key": key, "limit": limit, "window": window, "lease": lease}
    with connection.cursor() as cursor:
        cursor.execute(TAKE, values)
        used, seconds = cursor.fetchone()
    granted = max(0, min(lease, limit + lease - used))
    return Lease(granted, asked + float(seconds), last=granted < lease)


def _keep(key: bytes, fresh: Lease) -> None:
    with _lock:
        if len(_held) >= MOST_HELD:
            _held.clear()
        _held[key] = fresh

"""Which lost or refused requests are sent again, and when."""

import email.utils
import random
import time
from dataclasses import dataclass

import httpx

from .errors import ApiError, TransportError, TrixError

NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)
HOPELESS = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)
NO_HTTPS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE")  # OpenSSL's words for an answer in plain HTTP
LOST_ON_THE_WAY = (502, 503, 504)
LONGEST_WAIT = 5.0  # seconds


@dataclass(frozen=True)
class Retries:
    """At most so many tries of a call, and no new one after so many seconds. `tries=1` is none again."""

    tries: int = 5
    seconds: float = 30.0
    first_wait: float = 0.2

    def start(self, safe: bool = True) -> "Tries":
        return Tries(self, safe)


USUAL = Retries()
FOREVER = Retries(tries=2**31, seconds=float("inf"))


class Tries:
    """One call's tries. `safe`: to do it twice is to do it once."""

    def __init__(self, policy: Retries, safe: bool) -> None:
        self.policy, self.safe = policy, safe
        self.failed, self.started = 0, time.monotonic()

    def wait(self, error: TrixError) -> float:
        """The seconds until the next try after this error. Raises the error where there is none."""
        self.failed += 1
        asked = error.retry_after if isinstance(error, ApiError) else None
        wait = self._backoff() if asked is None else asked
        late = time.monotonic() + wait > self.started + self.policy.seconds
        if late or self.failed >= self.policy.tries or not self._worth_another(error):
            raise error
        return wait

    def _worth_another(self, error: TrixError) -> bool:
        if isinstance(error, TransportError) and error.hopeless:
            return False
        refused_for_now = isinstance(error, ApiError) and error.status == 429
        return refused_for_now or (self.safe if may_be_done(error) else isinstance(error, TransportError))

    def _backoff(self) -> float:
        """Twice as long each time, half of it by chance, so that many clients do not come back at once."""
        longest = self.policy.first_wait * 2.0 ** min(self.failed - 1, 16)
        return min(longest, LONGEST_WAIT) * random.uniform(0.5, 1)


def may_be_done(error: TrixError) -> bool:
    """Whether the server may have done what was asked for, and only its answer is missing."""
    if isinstance(error, ApiError):
        return error.status in LOST_ON_THE_WAY
    return isinstance(error, TransportError) and error.sent


def transport_error(error: httpx.RequestError, request: str) -> TransportError:
    """The error for a failure of httpx."""
    reason = str(error) or type(error).__name__
    if any(words in reason for words in NO_HTTPS):
        told = f"{request}: The server there does not speak HTTPS. Try http:// instead of https://."
        return TransportError(told, sent=False, hopeless=True)
    sent = not isinstance(error, NEVER_SENT)
    return TransportError(f"{request}: {reason}", sent=sent, hopeless=isinstance(error, HOPELESS))


def retry_after(header: str | None) -> float | None:
    """The seconds that a Retry-After header asks for, given as a number or as a date."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None

"""Sending to addresses of others: signed, bounded in time, and never into our own network.

The scheme is Standard Webhooks (https://www.standardwebhooks.com): its libraries check our signatures.
Nothing here knows the database; everything may be called in threads.
"""

import base64
import hmac
import ipaddress
import re
import socket
import ssl
import time
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import SplitResult, urlsplit, urlunsplit

import httpcore
from django.utils.encoding import iri_to_uri

CONNECT_SECONDS = 5
WHOLE_SECONDS = 10  # From the look-up of the name to the end of the answer, however slowly it drips.
MOST_BYTES = 64 * 1024  # of an answer
KEPT_CHARACTERS = 500
LONGEST_URL = 500
USER_AGENT = "Trix-Webhooks/1"

HOST_NAME = re.compile(r"[\w.-]+", re.ASCII)
GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
# Addresses of IPv6 that lead to one of IPv4 (Teredo, 6to4), or nowhere (documentation, protocols).
NEVER = [ipaddress.ip_network(text) for text in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")]

Resolve = Callable[[str, int], Iterable[str]]


class Refused(Exception):
    """The address is not one that we send to. The words are for its owner."""


@dataclass(frozen=True)
class Outcome:
    """What came of sending: the status of the answer, None where there was none, and how it begins."""

    status: int | None
    text: str

    @property
    def delivered(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def signature(key: bytes, code: str, timestamp: int, body: bytes) -> str:
    """What the header `webhook-signature` says of a body."""
    digest = hmac.digest(key, f"{code}.{timestamp}.".encode() + body, "sha256")
    return f"v1,{base64.b64encode(digest).decode()}"


def clean_url(url: str, private: bool = False) -> str:
    """The address in ASCII, without a fragment. Raises Refused for one that cannot be sent to.

    ``private``: plain http, any port and addresses of our own network are fine.
    """
    parts = _parts(url)
    if parts.scheme not in ("https", "http") or not (private or parts.scheme == "https"):
        raise Refused("The address must begin with https://.")
    if "@" in parts.netloc:
        raise Refused("The address must not hold a name and a password.")
    host, port = _host(parts), parts.port or (443 if parts.scheme == "https" else 80)
    if not private and port != 443 and port < 1024:
        raise Refused(f"The port must be 443, or 1024 and above, not {port}.")
    netloc = f"[{host}]" if ":" in host else host
    netloc += f":{parts.port}" if parts.port else ""
    clean = urlunsplit((parts.scheme, netloc, iri_to_uri(parts.path) or "/", iri_to_uri(parts.query), ""))
    if len(clean) > LONGEST_URL:
        raise Refused(f"The address is too long: at most {LONGEST_URL} characters.")
    return clean


def is_private_host(url: str) -> bool:
    """Whether a clean URL names this machine, or an address that is not public, in plain sight."""
    host = urlsplit(url).hostname or ""
    if host.rstrip(".") == "localhost" or host.rstrip(".").endswith(".localhost"):
        return True
    try:
        return not is_public(socket.inet_ntoa(socket.inet_aton(host)))  # 127.1 and 2130706433 too.
    except OSError:
        return ":" in host and not is_public(host)


def is_public(address: str) -> bool:
    """Whether an IP address can only be somebody else's, out in the internet."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv4Address):
        return parsed.is_global and not parsed.is_multicast
    return parsed.is_global and parsed in GLOBAL_UNICAST and not any(parsed in network for network in NEVER)


def resolve(host: str, port: int) -> list[str]:
    """The IP addresses of a host. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


def send(
    url: str,
    headers: Mapping[bytes | str, bytes | str],
    body: bytes,
    private: bool = False,
    resolve: Resolve = resolve,
) -> Outcome:
    """POST a body. Never raises, never follows a redirect, and heeds no proxy of the environment."""
    guarded = _Backend(time.monotonic() + WHOLE_SECONDS, private, resolve)
    timeout = dict.fromkeys(("connect", "read", "write", "pool"), WHOLE_SECONDS)
    try:
        with (
            httpcore.ConnectionPool(ssl_context=_tls(), network_backend=guarded) as pool,
            pool.stream(
                "POST", url, headers=headers, content=body, extensions={"timeout": timeout}
            ) as answer,
        ):
            return Outcome(answer.status, _clean(_beginning(answer)))
    except Exception as error:
        return Outcome(None, _clean(_words(error).encode()))


class _Backend(httpcore.SyncBackend):
    """Looks a host up itself, refuses unless all that it finds is public, and connects to just that.

    A name that leads elsewhere a moment later (DNS rebinding) thus gains nothing.
    """

    def __init__(self, ends: float, private: bool, resolve: Resolve) -> None:
        self.ends, self.private, self.resolve = ends, private, resolve

    def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> httpcore.NetworkStream:
        addresses = list(self.resolve(host, port))
        if not addresses or not (self.private or all(map(is_public, addresses))):
            raise Refused("The name leads to an address that is not public.")
        failure: Exception | None = None
        for address in addresses:
            try:
                seconds = min(CONNECT_SECONDS, _left(self.ends))
                return _Stream(super().connect_tcp(address, port, seconds), self.ends)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        assert failure is not None
        raise failure


class _Stream(httpcore.NetworkStream):
    """A connection whose every wait ends when the whole time is over."""

    def __init__(self, inner: httpcore.NetworkStream, ends: float) -> None:
        self.inner, self.ends = inner, ends

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.inner.read(max_bytes, _left(self.ends))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.inner.write(buffer, _left(self.ends))

    def close(self) -> None:
        self.inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _Stream(self.inner.start_tls(ssl_context, server_hostname, _left(self.ends)), self.ends)

    def get_extra_info(self, info: str) -> Any:
        return self.inner.get_extra_info(info)


def _left(ends: float) -> float:
    """Seconds until then. Raises where there are none."""
    left = ends - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout
    return left


@cache
def _tls() -> ssl.SSLContext:
    """One for all: reading the certificates of the authorities takes longer than most answers."""
    return httpcore.default_ssl_context()


def _parts(url: str) -> SplitResult:
    """Raises Refused unless this is an address with a host, and a port that is one."""
    if any(char.isspace() or unicodedata.category(char) in ("Cc", "Cf") for char in url) or "\\" in url:
        raise Refused("The address must not hold spaces, backslashes or control characters.")
    try:
        parts = urlsplit(url)
        if not parts.hostname or parts.port == 0:
            raise ValueError
    except ValueError:
        raise Refused("This is no address such as https://example.org/trix.") from None
    return parts


def _host(parts: SplitResult) -> str:
    """The host in ASCII; names in other scripts as DNS knows them. Raises Refused."""
    host = parts.hostname or ""
    try:
        if "[" in parts.netloc:  # urlsplit lets forms of future protocols through, such as v1.fe80:1.
            return ipaddress.IPv6Address(host).compressed
        name = host.encode("idna").decode()
        if not HOST_NAME.fullmatch(name):
            raise ValueError
        return name
    except ValueError:
        raise Refused(f"{host:.60} is no name of a host.") from None


def _beginning(answer: httpcore.Response) -> bytes:
    """What is kept of an answer. The rest is read, within limits, so that its sender is not cut off."""
    taken = b""
    for chunk in answer.iter_stream():
        taken += chunk
        if len(taken) >= MOST_BYTES:
            break
    return taken


def _clean(text: bytes) -> str:
    """The first characters of a text, without those that control what shows them."""
    plain = text[: 8 * KEPT_CHARACTERS].decode(errors="replace")
    return "".join(char if char.isprintable() else " " for char in plain)[:KEPT_CHARACTERS].strip()


def _words(error: Exception) -> str:
    """What failed, in words for the owner of the address."""
    if isinstance(error, Refused):
        return str(error)
    if isinstance(error, httpcore.TimeoutException):
        return f"No whole answer within {WHOLE_SECONDS} seconds, or no connection within {CONNECT_SECONDS}."
    if isinstance(error, socket.gaierror):
        return "The name of the host is unknown."
    return f"The connection failed: {error or type(error).__name__}"

"""Deals that follow from a secret, so that anyone can check them once it is published.

A match publishes the SHA-256 of its secret when it starts and the secret when it is over. The
derivation, in full (docs/notation.md has a test vector):

1.  Block ``k`` (0, 1, 2 …) of the stream of a deal is the 32 bytes
    ``HMAC-SHA256(key = secret, message = "trix deal v1:<deal>:<attempt>:<k>")``, the message in ASCII
    and its numbers in decimal, as in ``trix deal v1:12:0:1``. The stream is its blocks in order.
2.  The deck starts as 2S … AS, 2H … AH, 2D … AD, 2C … AC, positions 0..51.
3.  Fisher–Yates: for i = 51, 50 … 1, draw j from 0..i and swap positions i and j.
4.  To draw from n = i + 1 numbers take bytes of the stream until one is below 256 - 256 mod n; that
    byte mod n is the number. (Bytes above are thrown away: no number is likelier than another.)
5.  Positions 0..12 are South's hand, 13..25 East's, 26..38 North's, 39..51 West's.

A deal is attempt 0. Where the ``redeal`` option throws hands in, later attempts follow: `deal_hands`.
"""

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from .apply import has_bare_heart
from .cards import TWOS, Four, mask_of
from .options import Options

# For each i of step 3, downwards: i, n and the limit of step 4.
_STEPS = tuple((i, i + 1, 256 - 256 % (i + 1)) for i in range(51, 0, -1))


@dataclass(frozen=True, slots=True)
class Dealt:
    """Hands of a deal, sets of cards by seat; ``redealt`` are those that may replace them."""

    hands: Four
    redealt: Four | None


def commitment(secret: bytes) -> str:
    """What is published before the first deal: the SHA-256 of the secret in lower-case hex."""
    return hashlib.sha256(secret).hexdigest()


def deal_hands(secret: bytes, number: int, options: Options) -> Dealt:
    """The hands of a deal (``number`` counts from 1), what `new_match` and `next_deal` want.

    Without a ``redeal`` option: attempt 0, and ``redealt`` is None.
    four_twos: the first attempt that gives nobody all four twos; None.
    bare_heart: attempt 0, and the first later attempt without a bare king or ace of hearts.
    first_owner: attempts 0 and 1.
    """
    attempts = _attempts(secret, number)
    if options.redeal == "four_twos":
        return Dealt(next(hands for hands in attempts if not _four_twos(hands)), None)
    hands = next(attempts)
    if options.redeal == "bare_heart":
        return Dealt(hands, next(later for later in attempts if not has_bare_heart(later)))
    return Dealt(hands, next(attempts) if options.redeal == "first_owner" else None)


def _attempts(secret: bytes, number: int) -> Iterator[Four]:
    return (shuffled_hands(secret, number, attempt) for attempt in count())


def _four_twos(hands: Four) -> bool:
    return any(hand & TWOS == TWOS for hand in hands)


def shuffled_hands(secret: bytes, number: int, attempt: int) -> Four:
    """Steps 1 to 5 of the derivation, whatever the options."""
    stream = _stream(secret, f"trix deal v1:{number}:{attempt}:")
    deck = list(range(52))
    for i, n, limit in _STEPS:
        byte = next(stream)
        while byte >= limit:
            byte = next(stream)
        j = byte % n
        deck[i], deck[j] = deck[j], deck[i]
    return (mask_of(deck[:13]), mask_of(deck[13:26]), mask_of(deck[26:39]), mask_of(deck[39:]))


def _stream(secret: bytes, message: str) -> Iterator[int]:
    for block in count():
        yield from hmac.digest(secret, f"{message}{block}".encode(), "sha256")

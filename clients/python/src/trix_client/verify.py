"""Whether a record's deals follow from its seed: written from docs/notation.md, not from the server."""

import hashlib
import hmac
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

from .errors import VerificationError

SUITS = "SHDC"
RANKS = "23456789TJQKA"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
Hands = list[set[str]]  # South's, East's, North's, West's


@dataclass(frozen=True)
class VerifiedMatch:
    """A match whose deals all follow from its seed. `tags` are the record's."""

    tags: dict[str, str]
    deals: int

    @property
    def commitment(self) -> str:
        return self.tags["Commitment"]


def verify_record(text: str, commitment: str | None = None) -> list[VerifiedMatch]:
    """The matches of a record, each of them checked. Raises VerificationError, which names the line.

    ``commitment`` is what the server published when the match began: give it, as `match["commitment"]` was
    then, to be sure that the seed is not chosen afterwards. That the moves are legal is not checked.
    """
    found = [_verified(lines, commitment) for lines in _matches(text)]
    if not found:
        raise VerificationError("There is no match in the record.")
    return found


def _matches(text: str) -> Iterator[list[tuple[int, str]]]:
    """The lines of each match, numbered from 1; it begins with its Rules."""
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        stripped = line.strip()
        if stripped.startswith("[Rules ") and lines:
            yield lines
            lines = []
        if stripped and not stripped.startswith("#"):
            lines.append((number, stripped))
    if lines:
        yield lines


def _verified(lines: list[tuple[int, str]], commitment: str | None) -> VerifiedMatch:
    tags = {found[1]: found[2] for _, line in lines if (found := TAG.fullmatch(line))}
    secret = _secret(tags, commitment)
    options = dict(option.partition("=")[::2] for option in tags.get("Options", "").split())
    redeal = options.get("redeal", "none")
    deal, deals = "?", 0
    for number, line in lines:
        word, *rest = line.split()
        if word == "deal":
            deal = rest[0] if rest else "?"
        elif word in ("hands", "redeal"):
            deals += word == "hands"
            if not deal.isdecimal() or _written(rest) != dealt(secret, int(deal), redeal, word == "redeal"):
                raise VerificationError(f"Line {number}: these {word} of deal {deal} are not the seed's.")
    if not deals:
        raise VerificationError("The record has no hands to verify.")
    return VerifiedMatch(tags, deals)


def _secret(tags: dict[str, str], commitment: str | None) -> bytes:
    for tag in ("Commitment", "Seed"):
        if not re.fullmatch("[0-9a-f]{64}", tags.get(tag, "")):
            raise VerificationError(f"The record has no {tag}: the match may not be over yet.")
    secret = bytes.fromhex(tags["Seed"])
    published = commitment or tags["Commitment"]
    if {hashlib.sha256(secret).hexdigest(), tags["Commitment"]} != {published}:
        raise VerificationError(f"The seed has not the SHA-256 that was published: {published}.")
    return secret


def _written(words: list[str]) -> Hands:
    """The hands of a line: `S:A.KQ974.K72.QJT9 E:…`, spades, hearts, diamonds and clubs in each."""
    hands = {seat: cards for seat, _, cards in (word.partition(":") for word in words)}
    return [_hand(hands.get(seat, "")) for seat in "SENW"]


def _hand(text: str) -> set[str]:
    return {rank + suit for suit, ranks in zip(SUITS, text.split("."), strict=False) for rank in ranks}


def dealt(secret: bytes, deal: int, redeal: str = "none", again: bool = False) -> Hands:
    """The hands of a deal (1, 2 …), or with `again` those that replace them under this `redeal` option."""
    attempts = (shuffled(secret, deal, attempt) for attempt in count(int(again)))
    unfit = NOT_DEALT.get((redeal, again))
    return next(hands for hands in attempts if unfit is None or not unfit(hands))


def shuffled(secret: bytes, deal: int, attempt: int) -> Hands:
    """One attempt at a deal's hands, whatever the options."""
    deck, stream = list(DECK), _stream(secret, f"trix deal v1:{deal}:{attempt}:")
    for i in range(51, 0, -1):
        limit = 256 - 256 % (i + 1)
        j = next(byte for byte in stream if byte < limit) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return [set(deck[start : start + 13]) for start in (0, 13, 26, 39)]


def _stream(secret: bytes, message: str) -> Iterator[int]:
    for block in count():
        yield from hmac.digest(secret, f"{message}{block}".encode(), "sha256")


def _four_twos(hands: Hands) -> bool:
    return any({"2S", "2H", "2D", "2C"} <= hand for hand in hands)


def _bare_heart(hands: Hands) -> bool:
    return any([card for card in hand if card[1] == "H"] in (["KH"], ["AH"]) for hand in hands)


NOT_DEALT: dict[tuple[str, bool], Callable[[Hands], bool]] = {
    ("four_twos", False): _four_twos,
    ("bare_heart", True): _bare_heart,
}

"""The words of a record's lines, checked one line at a time and without a position.

Every function gives what the words say or raises the RecordError that tells what would be right;
`reading` adds where that was.
"""

import re
from collections.abc import Sequence

from .cards import CARD_TEXTS, FULL_DECK, RANKS, SEAT_NAMES, SEAT_TITLES, SUITS, cards_of
from .errors import shown
from .notation import SUIT_TEXTS, Four, RecordError
from .tags import CONTROL, LONGEST_LINE, TAG_NAME, wrong_form

_TAG = re.compile(rf'\[({TAG_NAME.pattern})[ \t]+"([^"\\]*(?:\\["\\][^"\\]*)*)"[ \t]*\]')
_ESCAPE = re.compile(r"\\(.)")
_SCORE = re.compile(r"0|-?[1-9][0-9]{0,5}")
_SUIT_OF_TEXT = {text: mask for mask, text in enumerate(SUIT_TEXTS)}
_ORDER = RANKS[::-1]
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # its byte order marks


def line_text(raw: bytes) -> str:
    """A line as text, without the blanks around it."""
    if len(raw) > LONGEST_LINE:
        raise RecordError("line_too_long", f"A line has at most {LONGEST_LINE} bytes.")
    try:
        text = raw.decode().strip(" \t")
    except UnicodeDecodeError as error:
        if raw.startswith(_UTF_16):
            raise RecordError("invalid_utf8", "This is UTF-16: save the file as UTF-8.") from None
        raise RecordError("invalid_utf8", f"Byte {error.start + 1} of the line is not UTF-8.") from None
    control = CONTROL.search(text.replace("\t", " "))
    if control:
        ends = " Lines end with LF or CR LF." if control[0] == "\r" else ""
        message = f"The line holds the control character {control[0]!r}.{ends}"
        raise RecordError("control_character", message)
    return text


# -- tags ----------------------------------------------------------------------------------------


def parse_tag(text: str) -> tuple[str, str]:
    """Name and value of a tag; the values of Date, Commitment and Seed have a form to keep to."""
    tag = _TAG.fullmatch(text)
    if tag is None:
        raise RecordError(
            "malformed_tag",
            r'A tag is [Name "value"], with \" for a quotation mark and \\ for a backslash.',
        )
    name, value = tag[1], _ESCAPE.sub(r"\1", tag[2])
    wrong = wrong_form(name, value)
    if wrong:
        raise RecordError(f"bad_{name.lower()}", wrong)
    return name, value


# -- hands and scores ----------------------------------------------------------------------------


def parse_hands(keyword: str, words: Sequence[str]) -> Four:
    """Four hands of thirteen cards that are the whole deck."""
    if len(words) != 4:
        raise RecordError("malformed_hands", f"Write {keyword} S:… E:… N:… W:…, four hands.")
    south, east, north, west = (parse_hand(seat, word) for seat, word in enumerate(words))
    hands = (south, east, north, west)
    _check_deck(hands)
    return hands


def parse_hand(seat: int, word: str) -> int:
    """The set of cards of ``S:A.KQ974.K72.QJT9``."""
    name, _, cards = word.partition(":")
    suits = cards.split(".")
    if name != SEAT_NAMES[seat] or len(suits) != 4:
        form = f"{SEAT_NAMES[seat]}:spades.hearts.diamonds.clubs, the seats S E N W in this order"
        raise RecordError("malformed_hands", f"{shown(word)} should be {form}.")
    hand = 0
    for suit, ranks in enumerate(suits):
        held = _SUIT_OF_TEXT.get(ranks)
        if held is None:
            raise _bad_suit(SEAT_TITLES[seat], suit, ranks)
        hand |= held << 13 * suit
    return hand


def _bad_suit(seat: str, suit: int, ranks: str) -> RecordError:
    where = f"{seat}'s {shown(ranks)}"
    unknown = next((rank for rank in ranks if rank not in RANKS), None)
    if unknown:
        return RecordError("malformed_hands", f"{shown(unknown)} in {where} is no rank: those are {_ORDER}.")
    twice = next((rank for rank in _ORDER if ranks.count(rank) > 1), None)
    if twice:
        card = twice + SUITS[suit]
        return RecordError("card_twice", f"{seat} is dealt {card} twice.", card=card)
    return RecordError("malformed_hands", f"{where} should be in the order {_ORDER}.")


def _check_deck(hands: Four) -> None:
    seen = 0
    for seat, hand in enumerate(hands):
        if seen & hand:
            raise _dealt_twice(hands, seat, cards_of(seen & hand)[0])
        seen |= hand
    if seen != FULL_DECK:
        card = CARD_TEXTS[cards_of(FULL_DECK ^ seen)[0]]
        raise RecordError("card_missing", f"Nobody is dealt {card}.", card=card)
    if any(hand.bit_count() != 13 for hand in hands):
        counts = ", ".join(f"{SEAT_TITLES[seat]} {hands[seat].bit_count()}" for seat in range(4))
        raise RecordError("wrong_hand_size", f"Each hand has thirteen cards, not {counts}.")


def _dealt_twice(hands: Four, seat: int, card: int) -> RecordError:
    other = next(holder for holder in range(seat) if hands[holder] >> card & 1)
    text = CARD_TEXTS[card]
    return RecordError(
        "card_twice", f"{text} is dealt to {SEAT_TITLES[other]} and to {SEAT_TITLES[seat]}.", card=text
    )


def parse_scores(words: Sequence[str]) -> list[int]:
    """The points of ``S:0 E:-25 N:0 W:-75``."""
    pairs = [word.partition(":") for word in words]
    in_order = [seat for seat, _, _ in pairs] == list(SEAT_NAMES)
    if not in_order or not all(_SCORE.fullmatch(points) for _, _, points in pairs):
        raise RecordError("malformed_score", "Write score S:0 E:-25 N:0 W:-75, the seats in this order.")
    return [int(points) for _, _, points in pairs]

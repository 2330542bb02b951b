"""The record of a match, `.trix`: what it holds, its canonical text, and its error.

docs/notation.md describes the format. `games.engine.reading` reads it; this module writes it:

    deals = [record_deal(state, hands), ...]    # each deal's position, and the hands it began with
    text = write_record(Record("eram", options, {"South": "amal", "Date": "2026-11-30"}, deals))
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .actions import DOUBLABLE, PASS
from .cards import CARD_TEXTS, RANKS, SEAT_NAMES, Four, four, mask_of
from .errors import EngineError
from .options import Contract, Options, format_overrides
from .state import Phase, State
from .tags import KNOWN_TAGS, tag_line

PLAYS_A_LINE = 16  # four tricks


class RecordError(EngineError):
    """What is wrong with a record, and where.

    match: the how-manieth of the file. line: of the file. deal, play: numbers, from 1. card: its
    text. Each is None where it says nothing.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        file: str = "",
        match: int | None = None,
        line: int | None = None,
        deal: int | None = None,
        play: int | None = None,
        card: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.file = file
        self.match = match
        self.line = line
        self.deal = deal
        self.play = play
        self.card = card

    def __str__(self) -> str:
        """``a.trix:12: match 1, deal 2, play 5: message [code]``, without what is None."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        named = (("match", self.match), ("deal", self.deal), ("play", self.play))
        within = ", ".join(f"{word} {number}" for word, number in named if number)
        return ": ".join(part for part in (place, within, f"{self.message} [{self.code}]") if part)


@dataclass(slots=True)
class RecordDeal:
    """One deal of a record; sets of cards are bit masks, by seat.

    hands: as first dealt, None where the record stops before them. redealt: the hands that replaced
    them under a ``redeal`` option. doubled: the set of doubled cards. plays: cards and PASS, in
    order. scores: None until the deal is over.
    """

    number: int
    owner: int
    contract: Contract
    hands: Four | None = None
    redealt: Four | None = None
    doubled: int = 0
    plays: tuple[int, ...] = ()
    scores: Four | None = None


@dataclass(slots=True)
class Record:
    """A match: the preset's name, the options in force, all other tags, and the deals so far."""

    rules: str
    options: Options
    tags: dict[str, str] = field(default_factory=dict)
    deals: Sequence[RecordDeal] = ()


def record_deal(state: State, hands: Sequence[int]) -> RecordDeal | None:
    """The deal of a position for a record; None before its contract is chosen.

    ``hands`` are those first dealt. Nothing of unrevealed double answers gets into the record.
    """
    if state.contract is None:
        return None
    return RecordDeal(
        state.number,
        state.owner,
        state.contract,
        four(hands),
        four(state.redealt_hands) if state.redealt and state.redealt_hands else None,
        mask_of(state.doubled),
        tuple(action for _, action in state.plays),
        four(state.scores) if state.phase is Phase.OVER else None,
    )


def write_record(record: Record) -> str:
    """The canonical text of a match, ending with a line feed.

    Reading it gives an equal record, but for control characters in tag values: they have no place
    in a record, and spaces stand for them. The deals are trusted. Raises ValueError for tags that no
    record can hold: a name that is none, a Date, Commitment or Seed without its form, a value of
    10,000 bytes, and Rules and Options, which are fields of the record.
    """
    blocks = [_tag_lines(record), *(_deal_lines(deal) for deal in record.deals)]
    return "\n\n".join("\n".join(lines) for lines in blocks) + "\n"


def with_comments(text: str, comments: Mapping[tuple[int, int], Sequence[str]]) -> str:
    """The canonical text of a match with comments in lines of their own; without them it is the same again.

    They are for a deal and a play, by their numbers, and stand below the line that has the play; for play 0
    below the deal's first line, and for deal 0 below the tags.
    """
    lines: list[str] = []
    deal = plays = 0
    for line in text.removesuffix("\n").split("\n"):
        keyword, *words = line.split(" ")
        if not line and not deal:
            lines += _comment_lines(comments, 0, 0, 0)
        lines.append(line)
        if keyword == "deal":
            deal, plays = int(words[0]), 0
            lines += _comment_lines(comments, deal, 0, 0)
        elif keyword == "play":
            lines += _comment_lines(comments, deal, plays + 1, plays + len(words))
            plays += len(words)
    return "\n".join(lines) + "\n"


def _comment_lines(
    comments: Mapping[tuple[int, int], Sequence[str]], deal: int, first: int, last: int
) -> Iterator[str]:
    for play in range(first, last + 1):
        yield from (f"# {comment}" for comment in comments.get((deal, play), ()))


def write_records(records: Iterable[Record]) -> str:
    """The canonical text of a file of many matches."""
    return "\n".join(map(write_record, records))


# -- tags ----------------------------------------------------------------------------------------


def _tag_lines(record: Record) -> list[str]:
    if "Rules" in record.tags or "Options" in record.tags:
        raise ValueError("Rules and Options are fields of a record, not among its tags.")
    overrides = format_overrides(record.rules, record.options)
    tags = {"Rules": record.rules} | ({"Options": overrides} if overrides else {})
    tags |= {name: record.tags[name] for name in KNOWN_TAGS if name in record.tags}
    tags |= {name: value for name, value in record.tags.items() if name not in tags}
    return [tag_line(name, value) for name, value in tags.items()]


# -- deals ---------------------------------------------------------------------------------------


def _deal_lines(deal: RecordDeal) -> list[str]:
    lines = [f"deal {deal.number} {SEAT_NAMES[deal.owner]} {deal.contract.text}"]
    if deal.hands:
        lines.append(f"hands {hands_text(deal.hands)}")
    if deal.redealt:
        lines.append(f"redeal {hands_text(deal.redealt)}")
    if deal.doubled:
        lines.append(f"double {doubled_text(deal.doubled)}")
    lines += _play_lines(deal.plays)
    if deal.scores:
        lines.append(f"score {scores_text(deal.scores)}")
    return lines


def _play_lines(plays: Sequence[int]) -> list[str]:
    words = [PLAY_TEXTS[action] for action in plays]
    return [
        f"play {' '.join(words[start : start + PLAYS_A_LINE])}"
        for start in range(0, len(words), PLAYS_A_LINE)
    ]


def hands_text(hands: Sequence[int]) -> str:
    """Four hands as in ``S:A.KQ974.K72.QJT9 E:… N:… W:…``: suits spades, hearts, diamonds, clubs."""
    return " ".join(
        f"{seat}:{'.'.join(SUIT_TEXTS[hand >> 13 * suit & 0x1FFF] for suit in range(4))}"
        for seat, hand in zip(SEAT_NAMES, hands, strict=True)
    )


def doubled_text(cards: int) -> str:
    """A set of doubled cards, queens first, in the order of suits."""
    return " ".join(CARD_TEXTS[card] for card in DOUBLABLE if cards >> card & 1)


def scores_text(scores: Sequence[int]) -> str:
    """Scores as in ``S:50 E:100 N:200 W:150``."""
    return " ".join(f"{seat}:{score}" for seat, score in zip(SEAT_NAMES, scores, strict=True))


def _suit_texts() -> tuple[str, ...]:
    """Every subset of a suit as its ranks high to low, indexed by its 13-bit mask."""
    texts = [""]
    for rank in RANKS:
        texts += [rank + text for text in texts]
    return tuple(texts)


SUIT_TEXTS = _suit_texts()
PLAY_TEXTS = (*CARD_TEXTS, "-")
assert PLAY_TEXTS[PASS] == "-"

"""Reading `.trix` records strictly: every card, turn and score is checked against the rules.

A match that fails gives one `RecordError` and is skipped to the next ``[Rules …]`` tag, so that it
costs the other matches of its file nothing. Input is bytes, a line at a time: a file may be of any
size and hold anything.
"""

import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from .actions import PASS, REDEAL, choose_action, double_action
from .apply import apply, has_bare_heart
from .cards import BIT, CARD_TEXTS, SEAT_NAMES, SEAT_TITLES, SEVEN_OF_HEARTS, TWOS, parse_card
from .errors import CARD_FORM, EngineError, shown
from .legal import doublable, legal_actions
from .match import match_over, owner_after, remaining_contracts, resume
from .notation import PLAY_TEXTS, Record, RecordDeal, RecordError, doubled_text, scores_text
from .options import CONTRACT_OF_TEXT, Contract, Options, options_for, parse_options
from .refusals import refusal
from .state import DealResult, Phase, State
from .tags import LONGEST_LINE
from .words import line_text, parse_hands, parse_scores, parse_tag

_OPENS = re.compile(rb"[ \t]*\[Rules\b")
_COMMENT_OR_BLANK = re.compile(rb"[ \t]*(#|$)")
_OF_A_DEAL = re.compile(rb"[ \t]*(deal|hands|redeal|double|play|score)([ \t]|$)")
_TAG = re.compile(rb"[ \t]*\[")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WORDS = re.compile(r"[^ \t]+")
_NUMBER = re.compile(r"[1-9][0-9]{0,3}")
_PLAYS = {text: action for action, text in enumerate(PLAY_TEXTS)}

# The lines that may stand before each line of a deal.
_AFTER = {
    "hands": ("deal",),
    "redeal": ("hands",),
    "double": ("hands", "redeal"),
    "play": ("hands", "redeal", "double", "play"),
    "score": ("hands", "redeal", "double", "play"),
}


@dataclass(slots=True)
class Replay:
    """A match that was read and played through.

    match: the how-manieth of its file. lines: where its tags stand, by name, and the lines of its
    deals, by number and keyword. results: of the finished deals. state: the position after the last
    play; None where no cards are on the record to go on with: before the first deal, or where the
    record stops before the (second) hands of a deal.
    """

    file: str
    match: int
    record: Record
    lines: dict[str | tuple[int, str], int]
    results: tuple[DealResult, ...]
    state: State | None


def read_text(text: str, file: str = "") -> Iterator[Replay | RecordError]:
    """`read_records` of a text in memory."""
    return read_records(io.BytesIO(text.encode("utf-8", "surrogatepass")), file)


def read_records(stream: BinaryIO, file: str = "") -> Iterator[Replay | RecordError]:
    """The matches of a stream of bytes, in order; a RecordError in the place of each that fails.

    A match comes out as soon as the next one begins: with its tag Rules, or, where the last deal of
    this one is over, with any line that can only be a broken start of the next. A stream without any
    match is an error as well. Comments outside matches are not looked into.

    Raises nothing but what reading the stream raises.
    """
    match, reader = 0, None
    for line, raw in _lines(stream):
        between = reader.is_whole() if reader else match == 0
        if between and _COMMENT_OR_BLANK.match(raw):
            continue
        if _OPENS.match(raw) or (between and not (reader and reader.goes_on(raw))):
            if reader:
                yield reader.end()
            match += 1
            reader = _MatchReader(file, match)
        error = reader.read(line, raw) if reader else None
        if error:
            yield error
            reader = None
    if reader:
        yield reader.end()
    if match == 0:
        yield RecordError("no_match", 'There is no match here: one opens with [Rules "…"].', file=file)


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers. Of a line too long come its first bytes, more than LONGEST_LINE."""
    number = 0
    while raw := stream.readline(LONGEST_LINE + 5):
        number += 1
        rest = raw
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST_LINE)
        # Windows editors end lines with CR LF and begin files, which may be put together, with a mark.
        yield number, raw.removesuffix(b"\n").removesuffix(b"\r").removeprefix(_BYTE_ORDER_MARK)


class _MatchReader:
    """Reads one match line by line; its methods raise RecordErrors, and `read` adds the place."""

    def __init__(self, file: str, match: int) -> None:
        self.file = file
        self.match = match
        self.rules = ""
        self.options = Options()
        self.tags: dict[str, str] = {}
        self.deals: list[RecordDeal] = []
        self.results: tuple[DealResult, ...] = ()
        self.version = 0
        self.line = 0
        self.number: int | None = None  # of the deal that an error would be about
        self.deal: RecordDeal | None = None
        self.lines: dict[str | tuple[int, str], int] = {}
        self.above = ""  # the keyword of the deal's line before this one
        self.state: State | None = None

    def read(self, line: int, raw: bytes) -> RecordError | None:
        """Take a line in; the error, if there is one, ends the match."""
        self.line = line
        try:
            text = line_text(raw)
            if text.startswith("["):
                self._read_tag(*parse_tag(text))
            elif text and not text.startswith("#"):
                self._read_deal_line(*_WORDS.findall(text))
        except EngineError as error:
            return self._placed(error)
        return None

    def is_whole(self) -> bool:
        """Whether the last deal of the match is over."""
        return self.state is not None and match_over(self.state)

    def goes_on(self, raw: bytes) -> bool:
        """Whether a line after the end of the last deal is still of this match.

        Lines of a deal are, and before the score what may be a score misspelt.
        """
        return bool(_OF_A_DEAL.match(raw)) or (self.above != "score" and not _TAG.match(raw))

    def end(self) -> Replay:
        """The match as far as it goes; it may stop anywhere."""
        if self.deal and self._has_cards(self.deal):
            self._keep(self._position())
        elif self.deal:
            self.deals.append(self.deal)
        tags = {name: value for name, value in self.tags.items() if name not in ("Rules", "Options")}
        record = Record(self.rules, self.options, tags, self.deals)
        return Replay(self.file, self.match, record, self.lines, self.results, self.state)

    def _placed(self, error: EngineError) -> RecordError:
        if not isinstance(error, RecordError):
            error = RecordError(error.code, error.message)
        error.file, error.match, error.deal = self.file, self.match, self.number
        error.line = error.line or self.line
        return error

    # -- tags --------------------------------------------------------------------------------------

    def _read_tag(self, name: str, value: str) -> None:
        if self.deal:
            raise RecordError(
                "misplaced_tag",
                f"Tags stand before the first deal, and {name} after one: Rules opens a match.",
            )
        if not self.rules and name != "Rules":
            raise RecordError("rules_missing", f"{name} stands before Rules: the tag Rules opens a match.")
        if name in self.tags:
            raise RecordError("duplicate_tag", f"The match has a tag {name} already.")
        if name == "Rules":
            self.options, self.rules = options_for(value), value
        elif name == "Options":
            self.options = options_for(self.rules, parse_options(value))
        self.tags[name] = value
        self.lines[name] = self.line

    # -- the lines of a deal -----------------------------------------------------------------------

    def _read_deal_line(self, keyword: str, *words: str) -> None:
        if not self.rules:
            raise RecordError("rules_missing", 'A match opens with the tag Rules, as in [Rules "dananeer"].')
        if keyword == "deal":
            self._close_deal()
            self._read_deal(words)
        else:
            self._check_order(keyword)
            _check_comment(words)
            assert self.deal is not None
            _READERS[keyword](self, self.deal, words)
        self.above = keyword
        self.lines[len(self.deals) + 1, keyword] = self.line

    def _check_order(self, keyword: str) -> None:
        if keyword not in _READERS:
            known = f"deal, {', '.join(_READERS)}, [ or #"
            raise RecordError(
                "unknown_line", f"No line begins with {shown(keyword)}; lines begin with {known}."
            )
        if self.above == "deal" and keyword != "hands":
            raise RecordError("hands_missing", f"The hands of the deal come before its {keyword} line.")
        if self.above not in _AFTER[keyword]:
            raise RecordError(
                "misplaced_line",
                f"A {keyword} line cannot stand here: a deal has the lines deal, hands, redeal, double, play,"
                " score in this order, and only play more than once.",
            )

    def _close_deal(self) -> None:
        """Put away the deal that another one follows."""
        if self.deal is None:
            return
        if self.above == "deal":
            raise RecordError("hands_missing", f"Deal {self.number} has no hands, and another follows.")
        state = self._position()
        if state.phase is not Phase.OVER:
            raise RecordError("deal_not_over", f"Deal {self.number} is not over: {_whose_turn(state)}.")
        self._keep(state)

    def _keep(self, state: State) -> None:
        assert self.deal is not None
        self.deal.plays = tuple([action for _, action in state.plays])
        if state.phase is Phase.OVER:
            self.deal.scores = state.result.scores
            self.results, self.version = state.finished, state.version
        self.deals.append(self.deal)

    def _read_deal(self, words: Sequence[str]) -> None:
        self.number = expected = len(self.deals) + 1
        _check_comment(words)
        if len(words) != 3 or not _NUMBER.fullmatch(words[0]):
            raise RecordError("malformed_line", "Write deal NUMBER OWNER CONTRACT, as in deal 1 S trix.")
        self.number = int(words[0])
        if expected > self.options.deals:
            raise RecordError("match_over", f"The match ended with deal {self.options.deals}.")
        if self.number != expected:
            raise RecordError("wrong_deal_number", f"This is deal {expected}, not {self.number}.")
        self.deal = RecordDeal(expected, self._owner(words[1]), self._contract(words[2]))
        self.state = None

    def _owner(self, word: str) -> int:
        if word not in SEAT_NAMES:
            raise RecordError("malformed_line", f"{shown(word)} is no seat: the owner is S, E, N or W.")
        owner = SEAT_NAMES.index(word)
        if self.deals:
            last = self.deals[-1]
            _check_owner(owner, owner_after(self.options, last.number, last.owner), "owns this kingdom")
        return owner

    def _contract(self, word: str) -> Contract:
        contract = CONTRACT_OF_TEXT.get(word)
        if contract is None:
            known = ", ".join(contract.text for contract in Contract)
            raise RecordError("unknown_contract", f"{shown(word)} is no contract: those are {known}.")
        if contract not in self.options.contracts:
            known = ", ".join(contract.text for contract in self.options.contracts)
            raise RecordError("contract_not_in_rules", f"These rules have no {word}: they have {known}.")
        remaining = self._remaining(len(self.deals) + 1)
        if contract not in remaining:
            left = ", ".join(contract.text for contract in remaining)
            raise RecordError("contract_taken", f"{word} was played in this kingdom; left: {left}.")
        return contract

    def _remaining(self, number: int) -> tuple[Contract, ...]:
        return remaining_contracts(self.options, number, self.results)

    def _read_hands(self, deal: RecordDeal, words: Sequence[str]) -> None:
        hands = parse_hands("hands", words)
        if deal.number == 1:
            holder = next(seat for seat in range(4) if hands[seat] & BIT[SEVEN_OF_HEARTS])
            _check_owner(deal.owner, holder, "holds 7H and owns the first kingdom", self.lines[1, "deal"])
        if self.options.redeal == "four_twos" and any(hand & TWOS == TWOS for hand in hands):
            raise RecordError("must_redeal", "Under redeal=four_twos nobody is dealt all four twos.")
        deal.hands = hands

    def _read_redeal(self, deal: RecordDeal, words: Sequence[str]) -> None:
        if not (self._must_redeal(deal) or (self.options.redeal == "first_owner" and deal.number == 1)):
            raise RecordError(
                "cannot_redeal",
                "This deal cannot be dealt again: deal 1 can under redeal=first_owner, a king deal"
                " with a bare KH or AH under redeal=bare_heart.",
            )
        hands = parse_hands("redeal", words)
        if self.options.redeal == "bare_heart" and has_bare_heart(hands):
            raise RecordError("must_redeal", "In the second hands, too, KH or AH is somebody's only heart.")
        deal.redealt = hands

    def _must_redeal(self, deal: RecordDeal) -> bool:
        wanted = self.options.redeal == "bare_heart" and deal.contract is Contract.KING
        return wanted and deal.hands is not None and has_bare_heart(deal.hands)

    def _has_cards(self, deal: RecordDeal) -> bool:
        """Whether the hands that the deal is played with are on the record."""
        return deal.hands is not None and (deal.redealt is not None or not self._must_redeal(deal))

    def _position(self) -> State:
        """Where the deal stands; it starts with the first line that needs to know."""
        if self.state is None:
            assert self.deal is not None
            self.state = self._start(self.deal)
        return self.state

    def _start(self, deal: RecordDeal) -> State:
        if not self._has_cards(deal):
            raise RecordError(
                "redeal_missing", "KH or AH is somebody's only heart: redeal=bare_heart wants a redeal line."
            )
        assert deal.hands is not None
        log = [REDEAL] if deal.redealt and self.options.redeal == "first_owner" else []
        if len(self._remaining(deal.number)) > 1:
            log.append(choose_action(deal.contract))
        results, hands, redealt = self.results, deal.hands, deal.redealt
        return resume(self.options, deal.number, deal.owner, results, self.version, hands, redealt, log)

    def _read_double(self, deal: RecordDeal, words: Sequence[str]) -> None:
        state = self._position()
        if not words or words[0] == "none":
            raise RecordError(
                "malformed_line", "Write double QS KH; leave the double line out when nobody doubled."
            )
        for word in words:
            deal.doubled |= _doubled_card(state, word, deal.doubled)
        _reveal(state, deal.doubled)

    def _read_play(self, deal: RecordDeal, words: Sequence[str]) -> None:
        state = self._position()
        if not words:
            raise RecordError("malformed_line", "A play line names what was played, as in play KH - 9S.")
        if state.phase is Phase.DOUBLE:
            _reveal(state, 0)
        for word in words:
            action = _PLAYS.get(word, -1)
            if action not in legal_actions(state, state.turn):
                raise _bad_play(state, word)
            apply(state, action)

    def _read_score(self, deal: RecordDeal, words: Sequence[str]) -> None:
        state = self._position()
        if state.phase is not Phase.OVER:
            raise RecordError("deal_not_over", f"There is no score yet: {_whose_turn(state)}.")
        if parse_scores(words) != state.scores:
            raise RecordError("wrong_score", f"What was played scores {scores_text(state.scores)}.")


_READERS: dict[str, Callable[[_MatchReader, RecordDeal, Sequence[str]], None]] = {
    "hands": _MatchReader._read_hands,
    "redeal": _MatchReader._read_redeal,
    "double": _MatchReader._read_double,
    "play": _MatchReader._read_play,
    "score": _MatchReader._read_score,
}


def _check_comment(words: Sequence[str]) -> None:
    if any(word.startswith("#") for word in words):
        raise RecordError("malformed_line", "A comment needs a line of its own.")


def _check_owner(owner: int, expected: int, why: str, line: int | None = None) -> None:
    if owner != expected:
        message = f"{SEAT_TITLES[expected]} {why}, not {SEAT_TITLES[owner]}."
        raise RecordError("wrong_owner", message, line=line)


def _doubled_card(state: State, word: str, before: int) -> int:
    """The set of the one card that the word doubles where ``before`` is doubled already."""
    card = parse_card(word[:20])
    if BIT[card] & before:
        raise RecordError("card_twice", f"{word} is doubled twice.", card=word)
    allowed = sum(doublable(state, seat) for seat in state.asked) if state.phase is Phase.DOUBLE else 0
    if not BIT[card] & allowed:
        others = f"only {doubled_text(allowed)} can" if allowed else "no card can"
        message = f"{word} cannot be doubled: in this contract, under these rules, {others}."
        raise RecordError("cannot_double", message, card=word)
    return BIT[card]


def _reveal(state: State, doubled: int) -> None:
    """Give the answers that amount to these cards; that ends the doubling."""
    for seat in state.asked:
        apply(state, double_action(seat, doubled & state.hands[seat]))


def _bad_play(state: State, word: str) -> RecordError:
    action = _PLAYS.get(word)
    if action is None:
        message = f"{shown(word)} is neither a card nor the pass -: {CARD_FORM}."
        error = RecordError("malformed_card", message)
    elif state.phase is Phase.OVER:
        error = RecordError("deal_over", f"{word} is played after the end of deal {state.number}.")
    else:
        refused = refusal(state, state.turn, action)
        error = RecordError(refused.code, refused.message + _whereabouts(state, action))
    error.play, error.card = len(state.plays) + 1, word
    return error


def _whereabouts(state: State, action: int) -> str:
    """Who else holds the card: a record shows all hands."""
    if action == PASS:
        return ""
    others = (seat for seat in range(4) if seat != state.turn and state.hands[seat] & BIT[action])
    return "".join(f" {CARD_TEXTS[action]} is in {SEAT_TITLES[seat]}'s hand." for seat in others)


def _whose_turn(state: State) -> str:
    if state.phase is Phase.DOUBLE:
        return "nothing is doubled or played yet"
    return f"{SEAT_TITLES[state.turn]} is to act at play {len(state.plays) + 1}"

"""Why an action is not legal: the error that `submit` raises, in words for the one who tried.

One function a phase, in the order of `legal`. Nothing here tells a seat more than its own hand and
the public play do: while doubling, a message never says who else is asked.
"""

from .actions import CHOOSE, DOUBLE, PASS, REDEAL, action_text, double_seat
from .cards import CARD_TEXTS, SEAT_TITLES, SUIT_OF
from .errors import (
    AlreadyAnswered,
    CannotPass,
    CannotRedeal,
    ContractTaken,
    ContractUnknown,
    DealOver,
    IllegalCard,
    LeadRestricted,
    MatchOver,
    MustDump,
    MustFollowSuit,
    MustPlay,
    NotYourCard,
    NotYourTurn,
    RuleError,
    WrongPhase,
)
from .legal import legal_actions
from .options import Contract
from .state import Phase, State

Reason = tuple[type[RuleError], str]
SUIT_WORDS = ("spade", "heart", "diamond", "club")


def refusal(state: State, seat: int, action: int) -> RuleError:
    """The error for an action that is not among the legal ones of ``seat``.

    Raises MalformedAction for a number that is no action.
    """
    tried = action_text(action)
    legal = tuple(legal_actions(state, seat))
    error, reason = _reason(state, seat, action)
    instead = f" Legal: {', '.join(map(action_text, legal))}." if legal else ""
    return error(f"{SEAT_TITLES[seat]} cannot {tried}: {reason}.{instead}", legal)


def _reason(state: State, seat: int, action: int) -> Reason:
    if state.phase is Phase.OVER:
        if state.number == state.options.deals:
            return MatchOver, "the match is over"
        return DealOver, f"deal {state.number} is over"
    if state.phase is Phase.DOUBLE:
        return _not_doubling(state, seat, action)
    if seat != state.turn:
        return NotYourTurn, f"it is {SEAT_TITLES[state.turn]}'s turn"
    if state.phase is Phase.CHOOSE:
        return _not_choosing(state, action)
    return _not_playing(state, seat, action)


def _not_choosing(state: State, action: int) -> Reason:
    if action == REDEAL:
        return CannotRedeal, "only the first owner may, once, in the first deal, under redeal=first_owner"
    if not _is_choice(action):
        return WrongPhase, "a contract is to be chosen"
    contract = Contract(action - CHOOSE)
    if contract in state.options.contracts:
        return ContractTaken, f"{contract.text} was already played in this kingdom"
    return ContractUnknown, f"these rules have no contract {contract.text}"


def _not_doubling(state: State, seat: int, action: int) -> Reason:
    if seat not in state.asked:
        return NotYourTurn, "doubling is under way, and this seat holds no card to double"
    if state.answers[seat] is not None:
        return AlreadyAnswered, "its first answer is final"
    if action < DOUBLE:
        return WrongPhase, "doubling is under way, and this seat has not answered"
    if double_seat(action) != seat:
        return NotYourTurn, f"that is an answer of {SEAT_TITLES[double_seat(action)]}"
    return NotYourCard, "it may double only what it holds and this contract doubles"


def _not_playing(state: State, seat: int, action: int) -> Reason:
    trix = state.contract is Contract.TRIX
    if action == PASS:
        return (
            (MustPlay, "a card fits, and who can play must")
            if trix
            else (CannotPass, "nobody passes in tricks")
        )
    if action > PASS:
        return WrongPhase, "a card is to be played"
    if not state.hands[seat] >> action & 1:
        played = ", which was played before" if _was_played(state, action) else ""
        return NotYourCard, f"it does not hold {CARD_TEXTS[action]}{played}"
    return _does_not_fit(action) if trix else _not_in_trick(state, action)


def _does_not_fit(card: int) -> Reason:
    suit = SUIT_WORDS[SUIT_OF[card]]
    return IllegalCard, f"it is neither a jack nor next to an end of the {suit} row"


def _not_in_trick(state: State, card: int) -> Reason:
    if not state.trick:
        return (
            LeadRestricted,
            f"{CARD_TEXTS[card]} may not be led here (lead_restriction={state.options.lead_restriction})",
        )
    suit = SUIT_OF[state.trick[0]]
    if state.hands[state.turn] >> 13 * suit & 0x1FFF:
        return MustFollowSuit, f"it holds a {SUIT_WORDS[suit]} and must follow suit"
    return MustDump, "it cannot follow suit and must throw a penalty card (must_dump)"


def _was_played(state: State, card: int) -> bool:
    return any(action == card for _, action in state.plays)


def _is_choice(action: int) -> bool:
    return CHOOSE <= action < CHOOSE + len(Contract)

"""Everything the engine refuses, one exception class for each question a caller may ask.

``code`` is stable and goes out through the API, the records and the client; ``message`` says what
was tried and what would be right. `RuleError` is raised by `submit` alone and leaves the state as
it was; ``legal`` holds the actions that the seat could have taken instead.
"""

CARD_FORM = "write a rank of AKQJT98765432, T for ten, and a suit of SHDC, both in capitals, as in KH or TS"
LONGEST_SHOWN = 60  # characters


def shown(value: object) -> str:
    """A value quoted for a message, cut where it is endless."""
    if isinstance(value, str):
        return repr(value if len(value) <= LONGEST_SHOWN else value[:LONGEST_SHOWN] + "…")
    text = repr(value)
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"


class EngineError(Exception):
    """Base of all refusals."""

    code: str

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class MalformedAction(EngineError):
    """The text is no action at all, whatever the position."""

    code = "malformed_action"


class MalformedCard(MalformedAction):
    """The text, alone or in an action, names no card."""

    code = "malformed_card"

    def __init__(self, text: object) -> None:
        super().__init__(f"{shown(text)} is no card: {CARD_FORM}.")


class OptionError(EngineError):
    """The rules or options asked for do not exist."""


class UnknownRules(OptionError):
    code = "unknown_rules"


class UnknownOption(OptionError):
    code = "unknown_option"


class BadOptionValue(OptionError):
    code = "bad_option_value"


class DealError(EngineError):
    """The hands handed to a new deal are not four times thirteen different cards."""

    code = "bad_deal"


class RuleError(EngineError):
    """The action is understood, and against the rules here."""

    def __init__(self, message: str, legal: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.legal = legal


class MatchOver(RuleError):
    code = "match_over"


class DealOver(RuleError):
    code = "deal_over"


class WrongPhase(RuleError):
    code = "wrong_phase"


class NotYourTurn(RuleError):
    code = "not_your_turn"


class AlreadyAnswered(RuleError):
    code = "already_answered"


class ContractTaken(RuleError):
    code = "contract_taken"


class ContractUnknown(RuleError):
    code = "contract_not_in_rules"


class NotYourCard(RuleError):
    code = "not_your_card"


class MustFollowSuit(RuleError):
    code = "must_follow_suit"


class MustDump(RuleError):
    code = "must_dump"


class LeadRestricted(RuleError):
    code = "lead_restricted"


class IllegalCard(RuleError):
    """A card that does not fit the layout of a trix deal."""

    code = "illegal_card"


class MustPlay(RuleError):
    """A pass while a card fits."""

    code = "must_play"


class CannotPass(RuleError):
    """A pass in a trick contract."""

    code = "cannot_pass"


class CannotRedeal(RuleError):
    code = "cannot_redeal"

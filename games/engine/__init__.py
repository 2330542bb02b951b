"""The rules of Trix as a library: standard library only, no clock, no randomness of its own.

state = new_match(options_for("dananeer"), hands)
while not match_over(state):
    if state.phase is Phase.OVER:
        state = next_deal(state, other_hands)
        continue
    seat = to_act(state)[0]
    submit(state, seat, legal_actions(state, seat)[0])
"""

from .actions import PASS, REDEAL, action_text, choose_action, double_action, parse_action
from .apply import apply, submit
from .errors import DealError, EngineError, MalformedAction, MalformedCard, OptionError, RuleError
from .legal import legal_actions, to_act
from .match import MatchResult, match_over, match_result, new_match, next_deal, resume
from .notation import Record, RecordError, record_deal, with_comments, write_record, write_records
from .options import PRESETS, Contract, Options, format_overrides, options_for, overrides_of, parse_options
from .reading import Replay, read_records, read_text
from .shuffle import commitment, deal_hands
from .state import NOBODY, DealResult, Phase, State
from .view import View, view, view_as_dict

__all__ = [
    "NOBODY",
    "PASS",
    "PRESETS",
    "REDEAL",
    "Contract",
    "DealError",
    "DealResult",
    "EngineError",
    "MalformedAction",
    "MalformedCard",
    "MatchResult",
    "OptionError",
    "Options",
    "Phase",
    "Record",
    "RecordError",
    "Replay",
    "RuleError",
    "State",
    "View",
    "action_text",
    "apply",
    "choose_action",
    "commitment",
    "deal_hands",
    "double_action",
    "format_overrides",
    "legal_actions",
    "match_over",
    "match_result",
    "new_match",
    "next_deal",
    "options_for",
    "overrides_of",
    "parse_action",
    "parse_options",
    "read_records",
    "read_text",
    "record_deal",
    "resume",
    "submit",
    "to_act",
    "view",
    "view_as_dict",
    "with_comments",
    "write_record",
    "write_records",
]

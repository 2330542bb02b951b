"""A file of whole matches for `manage.py replay`, played at random."""

import random
from collections.abc import Iterator

from games.engine import (
    PRESETS,
    Options,
    Phase,
    apply,
    legal_actions,
    match_over,
    new_match,
    next_deal,
    options_for,
    to_act,
)
from games.engine.notation import Record, RecordDeal, record_deal, write_record
from games.engine.shuffle import deal_hands

FULL_RULES = [rules for rules in PRESETS if options_for(rules).deals == 20]


def write_matches(count: int, seed: int) -> str:
    """So many matches of twenty deals, the presets in turn."""
    rng = random.Random(seed)
    return "\n".join(random_match(FULL_RULES[number % len(FULL_RULES)], rng) for number in range(count))


def random_match(rules: str, rng: random.Random) -> str:
    options = options_for(rules)
    return write_record(Record(rules, options, {}, list(_deals(options, rng))))


def _deals(options: Options, rng: random.Random) -> Iterator[RecordDeal]:
    secret = rng.randbytes(32)
    state = None
    while state is None or not match_over(state):
        hands = deal_hands(secret, state.number + 1 if state else 1, options).hands
        state = next_deal(state, hands) if state else new_match(options, hands)
        while state.phase is not Phase.OVER:
            seat = to_act(state)[0]
            apply(state, rng.choice(legal_actions(state, seat)))
        deal = record_deal(state, hands)
        assert deal is not None
        yield deal

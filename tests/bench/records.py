"""A file of whole matches for `manage.py replay`, played at random."""

import random

from games.engine import PRESETS, options_for
from games.engine.notation import Record, write_record
from tests.engine.random_matches import random_deals

FULL_RULES = [rules for rules in PRESETS if options_for(rules).deals == 20]


def write_matches(count: int, seed: int) -> str:
    """So many matches of twenty deals, the presets in turn."""
    rng = random.Random(seed)
    return "\n".join(random_match(FULL_RULES[number % len(FULL_RULES)], rng) for number in range(count))


def random_match(rules: str, rng: random.Random) -> str:
    options = options_for(rules)
    return write_record(Record(rules, options, {}, random_deals(options, rng.randbytes(32), rng)))

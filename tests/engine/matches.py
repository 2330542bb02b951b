"""Records to test with: the files beside this module, and matches played at random."""

from collections.abc import Mapping
from pathlib import Path
from random import Random

from hypothesis import strategies as st

from games.engine import (
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
from games.engine.notation import Record, RecordDeal, RecordError, record_deal
from games.engine.reading import Replay, read_text
from games.engine.shuffle import commitment, deal_hands
from tests.engine.strategies import overrides, presets, seeds

RECORDS = Path(__file__).parent / "records"
FRIDAY = (RECORDS / "friday.trix").read_text()
FINAL = (RECORDS / "final.trix").read_text()

# Any preset with any options, and any number of actions, 2,000 being more than a match has.
recipes = st.tuples(
    presets,
    st.just({}) | overrides(),
    seeds,
    st.just(2000) | st.integers(0, 400),
)


def good(text: str) -> Replay:
    """The one match of a text, which is valid."""
    (found,) = read_text(text, "a.trix")
    assert isinstance(found, Replay), found
    return found


def refused(text: str) -> RecordError:
    """The error of the one match of a text."""
    (found,) = read_text(text, "a.trix")
    assert isinstance(found, RecordError), "the record was accepted"
    return found


def random_record(
    preset: str, changed: Mapping[str, object], seed: int, actions: int = 2000, tags: Mapping[str, str] = {}
) -> Record:
    """A match played at random from its seed, stopped after so many actions."""
    rng, secret, options = Random(seed), seed.to_bytes(32), options_for(preset, changed)
    deals = _random_deals(options, secret, rng, actions)
    signed = {"Commitment": commitment(secret), "Seed": secret.hex()}
    return Record(preset, options, {**tags, **signed}, deals)


def _random_deals(options: Options, secret: bytes, rng: Random, actions: int) -> list[RecordDeal]:
    dealt = deal_hands(secret, 1, options)
    state = new_match(options, dealt.hands, dealt.redealt)
    deals = []
    while actions and not match_over(state):
        if state.phase is Phase.OVER:
            deals.append(record_deal(state, dealt.hands))
            dealt = deal_hands(secret, state.number + 1, options)
            state = next_deal(state, dealt.hands, dealt.redealt)
        else:
            seat = rng.choice(to_act(state))
            apply(state, rng.choice(legal_actions(state, seat)))
            actions -= 1
    deals.append(record_deal(state, dealt.hands))
    return [deal for deal in deals if deal]

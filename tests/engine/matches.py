"""Records to test with: the files beside this module, and matches played at random."""

from collections.abc import Mapping
from pathlib import Path
from random import Random

from hypothesis import strategies as st

from games.engine import options_for
from games.engine.notation import Record, RecordError
from games.engine.reading import Replay, read_text
from games.engine.shuffle import commitment
from tests.engine.random_matches import random_deals
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
    """A match played at random from its seed, stopped after so many actions and deals."""
    secret, options = seed.to_bytes(32), options_for(preset, changed)
    deals = random_deals(options, secret, Random(seed), actions + 1)
    signed = {"Commitment": commitment(secret), "Seed": secret.hex()}
    return Record(preset, options, {**tags, **signed}, deals)

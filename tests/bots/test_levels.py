"""What holds for every level everywhere: legal, blind to hidden cards, ready, and there without numba."""

import os
import shutil
import subprocess
import sys
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.bots import LEVELS, warming
from games.bots.kernel import compiling
from games.engine import (
    PRESETS,
    Contract,
    Options,
    Phase,
    State,
    apply,
    legal_actions,
    match_over,
    new_match,
    next_deal,
    to_act,
    view,
)
from games.engine.cards import cards_of, mask_of
from games.engine.shuffle import deal_hands
from tests.bots.deals import mixed, random_deal, random_options
from tests.bots.table import QUICK, RNG_SEED
from tests.engine import strategies
from tests.engine.strategies import positions, seeds

PARTS = 20
MATCHES = int(os.environ.get("BOT_MATCHES", PARTS))

levels = st.sampled_from(sorted(QUICK))


def decide(level: str, state: State, seat: int) -> int:
    return QUICK[level](view(state, seat), legal_actions(state, seat), Random(RNG_SEED))


@given(positions(), levels)
def test_any_position_gets_a_legal_action(state, level):
    """Also those that no bot would have come to."""
    for seat in to_act(state):
        assert decide(level, state, seat) in legal_actions(state, seat)


# `make test-bots` plays 10,000 of them.
@pytest.mark.parametrize("part", range(PARTS))
def test_no_bot_breaks_the_rules_in_a_whole_match(part):
    rng = Random(f"matches {part}")
    presets = sorted(PRESETS)
    for number in range(part, MATCHES, PARTS):
        preset = PRESETS[presets[number // 2 % len(presets)]]
        play_match(preset if number % 2 else random_options(rng), rng)


def play_match(options: Options, rng: Random) -> None:
    """A match of levels by chance, half of them strong."""
    seats = rng.choices(["random", "greedy", "strong"], [1, 1, 2], k=4)
    dealt = deal_hands(rng.randbytes(32), 1, options)
    state = new_match(options, dealt.hands, dealt.redealt)
    while True:
        play_deal(state, seats, rng)
        if match_over(state):
            return
        dealt = deal_hands(rng.randbytes(32), state.number + 1, options)
        state = next_deal(state, dealt.hands, dealt.redealt)


def play_deal(state: State, seats: list[str], rng: Random) -> None:
    while state.phase is not Phase.OVER:
        seat = rng.choice(to_act(state))
        legal = legal_actions(state, seat)
        action = QUICK[seats[seat]](view(state, seat), legal, rng)
        assert action in legal, (seats[seat], state.options)
        apply(state, action)


@given(positions(), levels, seeds)
def test_hidden_cards_change_nothing(state, level, seed):
    for seat in to_act(state):
        other = with_other_hidden_cards(state, seat, Random(seed))
        assert decide(level, other, seat) == decide(level, state, seat)


@pytest.mark.parametrize("contract", Contract)
def test_hidden_cards_change_nothing_in_any_contract(contract):
    """Positions as play brings them about, where there is something to choose."""
    rng = Random(f"blind {contract.text}")
    seen = 0
    while seen < 40:
        options = random_options(rng)
        if contract not in options.contracts:
            continue
        state = random_deal(rng, contract, options)
        while state.phase is not Phase.OVER:
            legal = legal_actions(state, state.turn)
            if len(legal) > 1 and rng.random() < 0.1:
                seen += 1
                other = with_other_hidden_cards(state, state.turn, rng)
                for level in QUICK:
                    assert decide(level, other, state.turn) == decide(level, state, state.turn)
            apply(state, mixed(state, legal, rng))


def with_other_hidden_cards(state: State, seat: int, rng: Random) -> State:
    """The same position but for what the seat does not see: the cards of the others, shuffled."""
    seen = view(state, seat)
    twos = mask_of(cards_of(sum(seen.exposed))) if seen.exposed else 0
    others = [other for other in range(4) if other != seat]
    hidden = [card for other in others for card in cards_of(state.hands[other] & ~twos)]
    rng.shuffle(hidden)
    twin = state.copy()
    for other in others:
        shown = state.hands[other] & twos
        count = (state.hands[other] & ~twos).bit_count()
        twin.hands[other] = shown | mask_of(hidden[:count])
        del hidden[:count]
    assert view(twin, seat) == seen
    return twin


def test_random_takes_every_action_now_and_then():
    state = new_match(PRESETS["cardkings"], *strategies.random_deal(PRESETS["cardkings"], Random(1)))
    seat = to_act(state)[0]
    legal = legal_actions(state, seat)
    assert {LEVELS["random"](view(state, seat), legal, Random(seed)) for seed in range(100)} == set(legal)


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None  # Whoever imports it is told that there is none.
import django
django.setup()
from django.core.management import CommandError, call_command
from games.bots import LEVELS, greedy, strong_or_greedy, warming
call_command("check")
warming.warm_apart()
warming.warm(LEVELS["strong"])
assert strong_or_greedy() is greedy.choose
try:
    call_command("duel", "strong", "random", "--playouts", "10")
except CommandError as error:
    print(error)
"""


def test_without_numba_strong_plays_like_greedy_and_one_warning_says_so():
    done = subprocess.run([sys.executable, "-c", WITHOUT_NUMBA], capture_output=True, text=True, timeout=60)
    (warning,) = done.stderr.splitlines()
    assert "strong plays like greedy here, since numba does not work" in warning
    checked, refused = done.stdout.splitlines()
    assert "no issues" in checked
    assert refused == "--playouts needs numba, without which strong plays like greedy."


STRONG_OR_NOT = """
import games.bots
print("greedy" if games.bots.strong_or_greedy() is games.bots.greedy.choose else "strong")
"""


def play_with_machine_code_in(folder):
    """What strong is in a process of its own, and what it warns of."""
    done = subprocess.run(
        [sys.executable, "-c", STRONG_OR_NOT],
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.stdout.strip(), done.stderr


@pytest.fixture
def machine_code(tmp_path):
    """A copy of the folder of machine code."""
    warming.warm(LEVELS["strong"])
    folder = tmp_path / "trix" / compiling.FOLDER.name
    shutil.copytree(compiling.FOLDER, folder)
    return folder


def test_damaged_machine_code_is_thrown_away_and_strong_plays_like_greedy(machine_code, tmp_path):
    assert play_with_machine_code_in(tmp_path) == ("strong", "")
    for index in machine_code.rglob("beliefs.likely_hands*.nbi"):  # One for each folder that Trix ran in.
        index.write_bytes(b"")
    level, warned = play_with_machine_code_in(tmp_path)
    assert level == "greedy" and len(warned.splitlines()) == 1
    assert not machine_code.exists()


def test_where_no_machine_code_can_be_written_strong_plays_like_greedy(tmp_path):
    (tmp_path / "trix").write_text("Not a folder.")
    level, warned = play_with_machine_code_in(tmp_path)
    assert level == "greedy"
    assert "no machine code can be written to" in warned and len(warned.splitlines()) == 1


def test_no_process_takes_numba_along_before_a_bot_needs_it():
    script = "import django, sys; django.setup(); import trix_site.urls; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], timeout=60).returncode == 0


def test_warming_asks_for_every_kind_of_decision():
    asked = []

    def choose(seen, legal, rng):
        asked.append((seen.phase, seen.contract, len(legal) > 1))
        return legal[0]

    warming.warm(choose)
    assert {
        (Phase.CHOOSE, None, True),
        (Phase.DOUBLE, Contract.KING, True),
        (Phase.PLAY, Contract.KING, True),
        (Phase.PLAY, Contract.TRIX, True),
    } <= set(asked)
    asked.clear()
    warming.warm(choose)
    assert not asked

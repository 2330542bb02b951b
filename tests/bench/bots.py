"""The kernel beside OpenSpiel's own rollouts, and what a decision of strong takes.

The peer plays hearts whole in C++: the evaluator of its tree search makes so many random rollouts at one
call. It is given hands that are dealt already, in a deal without passing, where ours deals anew each time.
"""

import random
from collections.abc import Callable, Sequence
from time import process_time

import numpy as np
import pyspiel

from games.bots import LEVELS
from games.bots.duel import Duel, play_matches
from games.bots.kernel import rows, tricks
from games.bots.warming import warm
from games.engine import PRESETS, Contract, View, options_for

ROUNDS, OURS, THEIRS = 15, 100_000, 10_000  # deals a round
RULES = options_for("dananeer")
TRICKS = tuple(contract for contract in RULES.contracts if contract is not Contract.TRIX)
NO_PASSING = 0  # of hearts' first chance event
HEARTS = pyspiel.load_game("hearts")
MATCHES = 2  # under each rules


def rates() -> dict[str, list[float]]:
    """Deals a second of our processor time, round by round: in each round all take their turn.

    ltoosh is always 13 tricks, as hearts is; other contracts may be over sooner.
    """
    kernel_deals(1, *TRICKS)
    found: dict[str, list[float]] = {"every contract": [], "ltoosh": [], "rollouts": []}
    for seed in range(1, ROUNDS + 1):
        theirs = rollouts(seed)
        found["every contract"].append(OURS / _seconds(lambda: kernel_deals(OURS, *TRICKS)))
        found["ltoosh"].append(OURS / _seconds(lambda: kernel_deals(OURS, Contract.LTOOSH)))
        found["rollouts"].append(THEIRS / _seconds(theirs))
    return found


def kernel_deals(deals: int, *contracts: Contract) -> None:
    """So many deals, of the contracts alike."""
    luck, deck, row = np.array([1], np.uint64), np.arange(52), np.zeros(tricks.ROW, np.int64)
    for contract in contracts:
        terms = rows.terms_of(contract, RULES, ())
        tricks.random_deals(terms, luck, deals // len(contracts), deck, row)


def rollouts(seed: int) -> Callable[[], object]:
    deck = list(range(52))
    random.Random(seed).shuffle(deck)
    dealt = HEARTS.new_initial_state()
    for action in (NO_PASSING, *deck):
        dealt.apply_action(action)
    evaluator = pyspiel.RandomRolloutEvaluator(THEIRS, seed)
    search = pyspiel.MCTSBot(HEARTS, evaluator, 2.0, 1, 1, False, seed, False)

    def play() -> None:
        assert search.mcts_search(dealt).explore_count == 1

    return play


def _seconds(call: Callable[[], object]) -> float:
    started = process_time()
    call()
    return process_time() - started


def decisions() -> dict[str, list[float]]:
    """Seconds of a core that strong took in whole matches among greedy where it had a choice, by contract."""
    found: dict[str, list[float]] = {}

    def timed(seen: View, legal: Sequence[int], rng: random.Random) -> int:
        started = process_time()
        action = LEVELS["strong"](seen, legal, rng)
        if len(legal) > 1:
            name = "choosing" if seen.contract is None else seen.contract.text
            found.setdefault(name, []).append(process_time() - started)
        return action

    warm(LEVELS["strong"])
    for rules in ("dananeer", "dananeer-complex"):
        list(play_matches(Duel(timed, LEVELS["greedy"], PRESETS[rules], seed=1), MATCHES))
    return found

"""Random deals through the engine's public calls, beside the same loop over OpenSpiel's hearts.

Two loops over hearts: the game as OpenSpiel has it, asking for and taking a legal action until it is over
(its chance nodes deal the cards, three are passed); and one that spares it all that Trix has not: no cards
are passed, and a shuffled deck is dealt to it without asking, as ours is.
"""

import random
from collections.abc import Callable
from statistics import median
from time import process_time

import pyspiel

from games.engine import Contract, Phase, apply, choose_action, legal_actions, new_match, options_for
from games.engine.cards import mask_of

RULES = options_for("dananeer")  # ltoosh is always 13 tricks, and all 52 cards of a trix deal are played
HEARTS = pyspiel.load_game("hearts")
BARE_HEARTS = pyspiel.load_game("hearts", {"pass_cards": False})
OVER = Phase.OVER
CHUNK, ROUNDS = 200, 25


def deal_of(contract: Contract) -> Callable[[random.Random], object]:
    start = choose_action(contract)

    def play(rng: random.Random) -> object:
        draw = rng.random
        deck = list(range(52))
        rng.shuffle(deck)
        hands = (mask_of(deck[:13]), mask_of(deck[13:26]), mask_of(deck[26:39]), mask_of(deck[39:]))
        state = new_match(RULES, hands)
        apply(state, start)
        while state.phase is not OVER:
            actions = legal_actions(state, state.turn)
            apply(state, actions[int(draw() * len(actions))])
        return state.scores

    return play


def hearts(rng: random.Random) -> object:
    return _finish(HEARTS.new_initial_state(), rng)


def bare_hearts(rng: random.Random) -> object:
    deck = list(range(52))
    rng.shuffle(deck)
    state = BARE_HEARTS.new_initial_state()
    for card in deck:
        state.apply_action(card)
    return _finish(state, rng)


def _finish(state: pyspiel.State, rng: random.Random) -> object:
    draw = rng.random
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(draw() * len(actions))])
    return state.returns()


GAMES = {
    "ltoosh": deal_of(Contract.LTOOSH),
    "trix": deal_of(Contract.TRIX),
    "hearts": hearts,
    "bare hearts": bare_hearts,
}


def measure(seed: int = 1) -> dict[str, list[float]]:
    """Deals a second of our processor time, round by round: in each round all games take their turn."""
    rng = random.Random(seed)
    rates: dict[str, list[float]] = {name: [] for name in GAMES}
    for _ in range(ROUNDS):
        for name, play in GAMES.items():
            started = process_time()
            for _ in range(CHUNK):
                play(rng)
            rates[name].append(CHUNK / (process_time() - started))
    return rates


def ratio(ours: list[float], theirs: list[float]) -> float:
    """The median over the rounds, as both had the same neighbours on the machine in each."""
    return median(one / other for one, other in zip(ours, theirs, strict=True))

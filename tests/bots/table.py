"""Positions for bots, and what a bot does in them, in words."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from random import Random

from games.bots import LEVELS, Chooser, strong
from games.engine import Contract, Options, State, action_text, legal_actions, to_act, view
from tests.engine.positions import E, N, S, W, answer, cards, deal, deal_of, play, suit

RNG_SEED = 7
# The levels for tests that ask for anything but strength.
TINY = replace(strong.USUAL, playouts=60, again=1, tries=20, chains=20, stages=1, rounds=1, steps=2)
QUICK: dict[str, Chooser] = LEVELS | {"strong": partial(strong.choose, budget=TINY)}


def decision(level: str, state: State, seat: int) -> int:
    """The action of a level for a seat, from a luck that is always the same."""
    return LEVELS[level](view(state, seat), legal_actions(state, seat), Random(RNG_SEED))


def chosen(level: str, state: State) -> str:
    """What a level does in the seat to act, as text without the word play."""
    return action_text(decision(level, state, to_act(state)[0])).removeprefix("play ")


def greedy(state: State) -> str:
    """What ``greedy`` does in the seat to act."""
    return chosen("greedy", state)


def doubles(state: State, seat: int) -> set[str]:
    """The cards that ``greedy`` doubles in this seat."""
    return set(action_text(decision("greedy", state, seat)).split()[1:]) - {"none"}


def hand(text: str) -> set[str]:
    """The cards of a hand as records write it: spades.hearts.diamonds.clubs, high to low."""
    return {rank + letter for letter, ranks in zip("SHDC", text.split("."), strict=True) for rank in ranks}


def last_to_play(
    options: Options,
    contract: Contract,
    south: str,
    table: str,
    doubled: Mapping[int, str] | None = None,
) -> State:
    """East, North and West have played the cards of ``table`` to the first trick; South is next."""
    played = dict(zip((E, N, W), table.split(), strict=True))
    led = played[E][1]
    wanted = {S: hand(south)} | {seat: {card} for seat, card in played.items()}
    void = {seat: suit(led) for seat, card in played.items() if card[1] != led}
    state = deal_of(options, E, deal(wanted, void), contract)
    answer(state, doubled)
    play(state, table)
    return state


def on_lead(
    options: Options, contract: Contract, south: str, others: Mapping[int, str] | None = None
) -> State:
    """South, with this hand, leads to the first trick. ``others`` names cards that others hold."""
    wanted = {S: hand(south)} | {seat: cards(text) for seat, text in (others or {}).items()}
    return deal_of(options, S, deal(wanted), contract)

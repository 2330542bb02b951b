"""Positions by hand: the hands a test needs, and play in words, through `submit` alone."""

from collections.abc import Iterable, Mapping
from functools import cache

from games.engine import (
    Contract,
    Options,
    Phase,
    State,
    action_text,
    choose_action,
    legal_actions,
    new_match,
    next_deal,
    options_for,
    parse_action,
    submit,
    to_act,
)
from tests.engine.strategies import play_out

S, E, N, W = range(4)
SEATS = "SENW"
SUITS = "SHDC"
RANKS = "23456789TJQKA"
DECK = [rank + suit for suit in SUITS for rank in RANKS]


def cards(text: str) -> set[str]:
    """The cards of ``"QS KH"``."""
    return set(text.split())


def suit(letter: str, ranks: str = RANKS) -> set[str]:
    """These ranks of a suit; all of it if not said otherwise."""
    return {rank + letter for rank in ranks}


def mask(held: Iterable[str]) -> int:
    """A set of card texts as the engine's set."""
    return sum(1 << DECK.index(card) for card in held)


def texts(held: int) -> set[str]:
    """The engine's set as card texts."""
    return {DECK[card] for card in range(52) if held >> card & 1}


def deal(wanted: Mapping[int, Iterable[str]], never: Mapping[int, Iterable[str]] | None = None) -> list[int]:
    """Four hands of thirteen that hold what is ``wanted`` and nothing that is ``never`` to be held.

    The other cards go, those with fewest possible holders first, to the hand with most room.
    """
    never = never or {}
    hands = [set(wanted.get(seat, ())) for seat in range(4)]
    rest = sorted(set(DECK).difference(*hands), key=lambda card: _holders(card, never))
    for card in rest:
        free = [seat for seat in range(4) if card not in never.get(seat, ()) and len(hands[seat]) < 13]
        hands[min(free, key=lambda seat: len(hands[seat]))].add(card)
    assert sum(map(mask, hands)) == mask(DECK), "the wish fits no deal"
    return [mask(hand) for hand in hands]


def _holders(card: str, never: Mapping[int, Iterable[str]]) -> int:
    return sum(card not in never.get(seat, ()) for seat in range(4))


def deal_for_trick(leader: int, words: str, also: Mapping[int, Iterable[str]] | None = None) -> list[int]:
    """Hands with which ``words``, leader first, can be the first trick; ``also`` names more cards.

    Who does not follow in it is void in the suit led.
    """
    played = {(leader + n) % 4: card for n, card in enumerate(words.split())}
    led = words.split()[0][1]
    wanted = {seat: {card, *(also or {}).get(seat, ())} for seat, card in played.items()}
    return deal(wanted, {seat: suit(led) for seat, card in played.items() if card[1] != led})


def suits_to(*letters: str) -> list[int]:
    """A whole suit to each seat, South first."""
    return [mask(suit(letter)) for letter in letters]


# -- starting a deal ---------------------------------------------------------------------------


@cache
def _kingdom_before(options: Options, owner: int) -> State:
    """The end of a first kingdom that belongs to the seat before ``owner``."""
    state = new_match(options, deal({(owner - 1) % 4: ["7H"]}))
    for seed in range(len(options.contracts) - 1):
        state = next_deal(play_out(state, seed), deal({}))
    return play_out(state, 99)


def deal_of(options: Options, owner: int, hands: list[int], contract: Contract) -> State:
    """The first deal of ``owner``'s kingdom, the second of a match, with this contract chosen.

    Not the first kingdom: there 7H would have to lie in the owner's hand.
    """
    state = next_deal(_kingdom_before(options, owner), hands)
    assert state.owner == owner
    submit(state, owner, choose_action(contract))
    return state


def rules(preset: str = "dananeer", **overrides: object) -> Options:
    """The options of a preset, changed where said."""
    return options_for(preset, overrides)


# -- acting in words ---------------------------------------------------------------------------


def say(state: State, seat: int, text: str) -> None:
    """One action of a seat."""
    submit(state, seat, parse_action(text, seat))


def answer(state: State, doubled: Mapping[int, str] | None = None) -> None:
    """Every asked seat, if any, answers: it doubles the cards named for it, or none."""
    for seat in to_act(state) if state.phase is Phase.DOUBLE else ():
        say(state, seat, f"double {(doubled or {}).get(seat, 'none')}")


def play(state: State, words: str) -> None:
    """Play these cards (``-`` is a pass) in order, the rules naming the seat."""
    for word in words.split():
        say(state, state.turn, "pass" if word == "-" else f"play {word}")


def play_lowest(state: State) -> None:
    """The seat to act plays its lowest legal card, or passes."""
    submit(state, state.turn, legal_actions(state, state.turn)[0])


def finish_trick(state: State) -> None:
    """Everyone who still owes a card to the trick plays the lowest legal one."""
    while state.trick:
        play_lowest(state)


def finish_deal(state: State) -> State:
    """Everyone plays the lowest legal card to the end of the deal."""
    while state.phase is Phase.PLAY:
        play_lowest(state)
    return state


def legal(state: State, seat: int) -> set[str]:
    """The cards, or words, that a seat may play now."""
    return {action_text(action).removeprefix("play ") for action in legal_actions(state, seat)}

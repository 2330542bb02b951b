"""Hypothesis strategies and random play for everything that needs positions of a match.

Options and seeds are drawn by hypothesis, so a failure shrinks to few unusual options; the cards and
the play follow from the seed, which keeps a position of the twentieth deal cheap to make.
"""

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from games.engine import (
    PRESETS,
    Options,
    Phase,
    State,
    legal_actions,
    match_over,
    new_match,
    next_deal,
    options_for,
    submit,
    to_act,
)

# What each option may be, copied from the rules page and not from the engine.
OPTION_VALUES: dict[str, st.SearchStrategy[object]] = {
    "kingdom": st.sampled_from(("classic", "complex")),
    "partners": st.booleans(),
    "doubling": st.booleans(),
    "self_take": st.sampled_from(("plain", "leader", "leader_or_self")),
    "forced_strict": st.booleans(),
    "trix_end": st.sampled_from(("all", "third")),
    "early_end": st.booleans(),
    "tie": st.sampled_from(("shared", "draw")),
    "lead_restriction": st.sampled_from(("none", "king_first_trick", "hearts_in_king")),
    "must_dump": st.booleans(),
    "exposed_twos": st.booleans(),
    "redeal": st.sampled_from(("none", "four_twos", "bare_heart", "first_owner")),
    "capot": st.booleans(),
    "equal_count": st.sampled_from(("next", "split")),
    "king_value": st.integers(0, 1000),
    "queen_value": st.integers(0, 1000),
    "diamond_value": st.integers(0, 1000),
    "trick_value": st.integers(0, 1000),
    # An even sum of the last two, so that equal_count=split can halve it.
    "trix_values": st.tuples(*[st.integers(0, 500).map(lambda value: 2 * value)] * 4),
}
POINT_VALUES = ("king_value", "queen_value", "diamond_value", "trick_value", "trix_values")

seeds = st.integers(0, 2**32 - 1)
presets = st.sampled_from(sorted(PRESETS))


def overrides(**fixed: object) -> st.SearchStrategy[dict[str, object]]:
    """Any subset of the options with any of their values; ``fixed`` ones always as given."""
    free = {name: values for name, values in OPTION_VALUES.items() if name not in fixed}
    always = {name: st.just(value) for name, value in fixed.items()}
    return st.fixed_dictionaries(always, optional=free)


def options(**fixed: object) -> st.SearchStrategy[Options]:
    """Options of any preset, bare or with any of them overridden; ``fixed`` ones as given."""
    bare = st.just(dict(fixed))
    return st.builds(options_for, presets, bare | overrides(**fixed))


def ordinary_points(**fixed: object) -> st.SearchStrategy[Options]:
    """Options with the points of the rule pages: 75, 25, 10, 15 and 200/150/100/50."""
    free = {k: v for k, v in OPTION_VALUES.items() if k not in fixed and k not in POINT_VALUES}
    always = {name: st.just(value) for name, value in fixed.items()}
    return st.builds(options_for, presets, st.fixed_dictionaries(always, optional=free))


def positions(**fixed: object) -> st.SearchStrategy[State]:
    """Positions by random play: any options, any deal of the match, any point of that deal."""
    return st.builds(random_position, options(**fixed), seeds, st.integers(0, 19), st.integers(0, 60))


# -- random hands ------------------------------------------------------------------------------


def random_hands(rng: Random) -> list[int]:
    """Four hands; most are plain shuffles, some have whole suits in one hand.

    The skewed ones are there for what random deals hardly show: voids at once, all tricks to one
    seat, a hand of hearts only, a bare king of hearts, four twos.
    """
    deck = list(range(52))
    if rng.random() < 0.6:
        rng.shuffle(deck)
    else:
        turn = 13 * rng.randrange(4)
        deck = deck[turn:] + deck[:turn]
        for _ in range(rng.choice((0, 2, 8, 25))):
            a, b = rng.randrange(52), rng.randrange(52)
            deck[a], deck[b] = deck[b], deck[a]
    return [sum(1 << card for card in deck[13 * seat : 13 * seat + 13]) for seat in range(4)]


def random_deal(options: Options, rng: Random) -> tuple[list[int], list[int] | None]:
    """Hands, and second hands where the ``redeal`` option wants them, as the option allows them."""
    hands = random_hands(rng)
    while options.redeal == "four_twos" and _someone_holds_four_twos(hands):
        hands = random_hands(rng)
    if options.redeal not in ("bare_heart", "first_owner"):
        return hands, None
    second = random_hands(rng)
    while options.redeal == "bare_heart" and _someone_has_a_bare_heart(second):
        second = random_hands(rng)
    return hands, second


def _someone_holds_four_twos(hands: list[int]) -> bool:
    return any(all(hand >> two & 1 for two in (0, 13, 26, 39)) for hand in hands)


def _someone_has_a_bare_heart(hands: list[int]) -> bool:
    hearts = [[card for card in range(13, 26) if hand >> card & 1] for hand in hands]
    return [24] in hearts or [25] in hearts


# -- random play -------------------------------------------------------------------------------


def random_answer(state: State, rng: Random, style: str) -> tuple[int, int]:
    """A seat that owes an action and one of its legal actions; low, high or any."""
    seat = rng.choice(to_act(state))
    legal = legal_actions(state, seat)
    if style == "low":
        return seat, legal[0]
    return seat, legal[-1] if style == "high" else rng.choice(legal)


def walk(options: Options, seed: int, deals: int = 20, first: State | None = None) -> Iterator[State]:
    """Random play, yielding the position (one object, changing) at each start and after each action.

    ``deals``: how many to play at most. ``first``: a position to go on from.
    """
    rng = Random(seed)
    state = first or new_match(options, *random_deal(options, rng))
    while True:
        yield state
        style = rng.choice(("any", "any", "low", "high"))
        while state.phase is not Phase.OVER:
            submit(state, *random_answer(state, rng, style))
            yield state
        deals -= 1
        if match_over(state) or not deals:
            return
        state = next_deal(state, *random_deal(options, rng))


def play_out(state: State, seed: int) -> State:
    """Play the deal to its end at random, in place."""
    for _ in walk(state.options, seed, deals=1, first=state):
        pass
    return state


def random_position(options: Options, seed: int, deal: int, actions: int) -> State:
    """The position after so many whole deals and then so many actions of the next."""
    deal = min(deal, options.deals - 1)
    for state in walk(options, seed):
        if state.number > deal and (len(state.log) == actions or state.phase is Phase.OVER):
            return state
    raise AssertionError("a match has as many deals as its options say")

"""Matches played at random, the same ones from the same numbers."""

from collections.abc import Iterator
from itertools import islice
from random import Random

from games.engine import (
    Options,
    Phase,
    State,
    apply,
    legal_actions,
    match_over,
    new_match,
    next_deal,
    to_act,
)
from games.engine.notation import RecordDeal, record_deal
from games.engine.shuffle import Dealt, deal_hands


def random_positions(options: Options, secret: bytes, rng: Random) -> Iterator[tuple[State, Dealt]]:
    """Every position of a match with the deal that it is in. The state goes on to change."""
    dealt = deal_hands(secret, 1, options)
    state = new_match(options, dealt.hands, dealt.redealt)
    yield state, dealt
    while not match_over(state):
        if state.phase is Phase.OVER:
            dealt = deal_hands(secret, state.number + 1, options)
            state = next_deal(state, dealt.hands, dealt.redealt)
        else:
            apply(state, rng.choice(legal_actions(state, to_act(state)[0])))
        yield state, dealt


def random_deals(
    options: Options, secret: bytes, rng: Random, positions: int | None = None
) -> list[RecordDeal]:
    """The deals of a match that stops after so many positions, as a record has them."""
    played = islice(random_positions(options, secret, rng), positions)
    last = {state.number: (state, dealt.hands) for state, dealt in played}
    return [deal for state, hands in last.values() if (deal := record_deal(state, hands))]

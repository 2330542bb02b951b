"""Hidden hands: always of those that fit what the seat knows, each as likely as another."""

from collections import Counter
from itertools import product
from random import Random

import numpy as np
import pytest

from games.bots.kernel import rows, worlds
from games.engine import Contract, Phase, apply, legal_actions, to_act, view
from games.engine.cards import mask_of
from tests.bots.deals import mixed, random_deal

SMALL = {
    "one kind": ({7: 6}, (2, 2, 2)),
    "a void": ({3: 2, 7: 4}, (2, 3, 1)),
    "every kind": ({1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 2}, (3, 2, 3)),
    "three pairs": ({3: 2, 5: 2, 6: 3}, (3, 2, 2)),
    "forced": ({3: 3, 4: 1}, (1, 2, 1)),
}


def unseen(kinds, rooms):
    sizes = [kinds.get(kind, 0) for kind in range(8)]
    cards = list(range(sum(sizes)))
    return [np.array(values, np.int64) for values in (cards, sizes, rooms, (0, 0, 0))]


def enumerated(kinds, rooms):
    """Every way to deal, one card at a time."""
    kind_of = [kind for kind in range(8) for _ in range(kinds.get(kind, 0))]
    for owners in product(range(3), repeat=len(kind_of)):
        fits = all(kind >> seat & 1 for kind, seat in zip(kind_of, owners, strict=True))
        if fits and all(owners.count(seat) == room for seat, room in enumerate(rooms)):
            yield tuple(mask_of(card for card, seat in enumerate(owners) if seat == of) for of in range(3))


@pytest.mark.parametrize(("kinds", "rooms"), SMALL.values(), ids=SMALL.keys())
def test_every_way_to_deal_is_as_likely_as_the_next(kinds, rooms):
    wanted = list(enumerated(kinds, rooms))
    _, sums = worlds.count_splits(*unseen(kinds, rooms)[1:3])
    assert sums[-1] == len(wanted)
    each = 400
    dealt = worlds.deal_worlds(*unseen(kinds, rooms), each * len(wanted), np.array([5], np.uint64))
    counted = Counter(map(tuple, dealt.tolist()))
    assert set(counted) == set(wanted)
    # Pearson's chi-square with k degrees of freedom has mean k and variance 2k; five deviations are allowed.
    surprise = sum((counted[world] - each) ** 2 / each for world in wanted)
    freedom = len(wanted) - 1
    assert surprise <= freedom + 5 * (2 * freedom) ** 0.5


def test_the_true_hands_always_fit_and_all_worlds_hold_what_is_known():
    rng, luck = Random(3), np.array([3], np.uint64)
    for _ in range(300):
        state = random_deal(rng)
        while state.phase is Phase.PLAY:
            seat = to_act(state)[0]
            cards = legal_actions(state, seat)
            if rng.random() < 0.2:
                check(state, seat, luck)
            apply(
                state,
                mixed(state, cards, rng),
            )


def check(state, seat, luck):
    seen = view(state, seat)
    trix = state.contract is Contract.TRIX
    hidden = rows.trix_hidden_of(seen) if trix else rows.hidden_of(seen)
    others = [(seat + step) % 4 for step in (1, 2, 3)]
    true = [state.hands[other] for other in others]
    kinds = np.repeat(np.arange(8), hidden.sizes)
    for card, kind in zip(hidden.cards, kinds, strict=True):
        holder = next(place for place, hand in enumerate(true) if hand >> int(card) & 1)
        assert kind >> holder & 1, "a card is denied to the seat that holds it"
    for place, hand in enumerate(true):
        assert hand & hidden.fixed[place] == hidden.fixed[place]
    for hands in worlds.deal_worlds(*hidden[:4], 3, luck).tolist():
        assert [hand.bit_count() for hand in hands] == [hand.bit_count() for hand in true]
        assert sum(hands) == sum(true)

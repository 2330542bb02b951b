"""What ``strong`` adds to rules of thumb: the whole table, the rest of the kingdom, and what play tells."""

from dataclasses import replace
from random import Random

from games.bots import strong
from games.engine import Contract, action_text, apply, legal_actions, to_act, view
from tests.bots.deals import mixed, random_deal
from tests.bots.table import last_to_play, on_lead
from tests.engine.positions import S, rules

SMALL = replace(strong.USUAL, playouts=300, worlds=30, tries=60, stages=2, steps=3)
KING, QUEENS, DIAMONDS, LTOOSH, TRIX, COMPLEX = Contract


def decide(state, budget=SMALL, seed=1):
    seat = to_act(state)[0]
    return strong.choose(view(state, seat), legal_actions(state, seat), Random(seed), budget)


def test_the_same_seed_decides_the_same_and_every_action_is_legal():
    rng = Random(1)
    for _ in range(12):
        state = random_deal(rng)
        while to_act(state):
            actions = legal_actions(state, state.turn)
            if len(actions) > 1 and rng.random() < 0.3:
                first = decide(state, seed=5)
                assert first in actions
                assert decide(state, seed=5) == first
            apply(state, mixed(state, actions, rng))


def test_cards_that_are_alike_are_weighed_once():
    state = last_to_play(rules("cardkings"), LTOOSH, "5432.432.543.A82", "6C 9C TC")
    seen = view(state, S)
    found = strong.unlike(seen, legal_actions(state, S))
    assert [action_text(card) for card in found] == ["play 2C", "play 8C", "play AC"]
    state = on_lead(rules("cardkings"), QUEENS, "KQJ2.432.543.A82")
    found = [action_text(card)[5:] for card in strong.unlike(view(state, S), legal_actions(state, S))]
    assert found == ["2S", "JS", "QS", "KS", "4H", "5D", "2C", "8C", "AC"]


def test_a_small_budget_thinks_in_few_worlds_and_a_large_one_in_no_more_than_usual():
    half, double = (strong.budget_of(round(share * strong.USUAL.playouts)) for share in (0.5, 2))
    assert (half.worlds, half.tries) == (strong.USUAL.worlds // 2, strong.USUAL.tries // 2)
    assert (double.worlds, double.tries) == (strong.USUAL.worlds, strong.USUAL.tries)
    assert double.playouts == 2 * strong.USUAL.playouts
    state = last_to_play(rules("cardkings"), LTOOSH, "5432.432.543.A82", "6C 9C TC")
    assert decide(state, strong.budget_of(2)) in legal_actions(state, S)

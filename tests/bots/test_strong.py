"""What ``strong`` adds to rules of thumb: the whole table, the rest of the kingdom, and what play tells."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from games.bots import LEVELS, prospects, strong
from games.bots.duel import Duel, deal_figures, report
from games.bots.kernel import playouts
from games.engine import Contract, action_text, apply, legal_actions, new_match, submit, to_act, view
from tests.bots.deals import mixed, random_deal
from tests.bots.table import hand, last_to_play, on_lead
from tests.engine.positions import S, deal, deal_of, rules

SMALL = replace(strong.USUAL, playouts=300, again=1, tries=60, chains=20, stages=2, rounds=2, steps=3)
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


def test_a_budget_has_worlds_in_proportion():
    half, double = (strong.budget_of(round(share * strong.USUAL.playouts)) for share in (0.5, 2))
    assert (half.chains, half.tries) == (strong.USUAL.chains // 2, strong.USUAL.tries // 2)
    assert (double.chains, double.tries) == (2 * strong.USUAL.chains, 2 * strong.USUAL.tries)
    assert double.playouts == 2 * strong.USUAL.playouts
    state = last_to_play(rules("cardkings"), LTOOSH, "5432.432.543.A82", "6C 9C TC")
    assert decide(state, strong.budget_of(2)) in legal_actions(state, S)


# -- weighing ----------------------------------------------------------------------------------


def dropped(behind, doubt=strong.USUAL.doubt):
    """Which actions are dropped: by action and world, how far it is behind one that is worth 0."""
    worth = np.column_stack([np.zeros(len(behind[0])), *(-np.array(points, float) for points in behind)])
    alive = np.ones(worth.shape[1], np.bool_)
    left = playouts.drop(worth, len(worth), np.zeros(worth.shape[1]), alive, doubt)
    assert left == alive.sum() and alive[0]
    return [number for number, there in enumerate(alive[1:]) if not there]


def test_an_action_is_dropped_that_is_behind_by_more_than_chance_allows():
    # Means of 5 with standard errors of 1 and 2.5.
    sure, unsure = [1, 9] * 8, [-5, 15] * 8
    assert np.std(sure) / 4 == 1 and np.std(unsure) / 4 == 2.5
    assert dropped([sure, unsure]) == [0]
    assert dropped([sure, unsure], doubt=1.9) == [0, 1]
    assert dropped([sure, unsure, [3] * 16], doubt=np.inf) == []


def test_what_is_clearly_worse_is_tried_in_fewer_worlds():
    state = last_to_play(rules("cardkings"), QUEENS, "A82.432.5432.543", "5S QS KS")
    actions = strong.unlike(view(state, S), legal_actions(state, S))
    low, ducks, takes = strong.weigh(view(state, S), actions, Random(1), SMALL)
    assert [action_text(worth.action) for worth in (low, ducks, takes)] == ["play 2S", "play 8S", "play AS"]
    assert takes.worlds < max(low.worlds, ducks.worlds)
    assert takes.points < min(low.points, ducks.points) - 20


def test_the_error_of_a_worth_is_about_as_large_as_worths_differ():
    """Worlds that come from one chain resemble each other, and so count as less than as many drawn afresh."""
    rng, differences, errors = Random("errors"), [], []
    thorough = replace(strong.USUAL, doubt=np.inf)
    while len(errors) < 8:
        state = random_deal(rng, LTOOSH, rules("cardkings"))
        while len(state.plays) < 24:
            apply(state, mixed(state, legal_actions(state, state.turn), rng))
        seen = view(state, state.turn)
        cards = strong.unlike(seen, legal_actions(state, state.turn))[:2]
        if len(cards) == 2:
            found = [strong.weigh(seen, cards, Random(seed), thorough)[0] for seed in range(12)]
            assert {worth.worlds for worth in found} == {strong.USUAL.chains * strong.USUAL.rounds}
            differences.append(np.std([worth.points for worth in found], ddof=1))
            errors.append(np.mean([worth.error for worth in found]))
    assert 0.7 < np.sum(differences) / np.sum(errors) < 1.5


# -- choosing and doubling ---------------------------------------------------------------------


def chosen(south, options, state=None):
    """What South chooses, who holds 7H and so owns the first kingdom."""
    return action_text(decide(state or new_match(options, deal({S: hand(south)}))))


@pytest.mark.parametrize(
    ("south", "contract", "preset"),
    [
        ("JT98.JT97.JT9.JT", "trix", "cardkings"),
        ("JT98.JT97.JT9.JT", "trix", "cardkings-complex"),
        ("5432.7432.432.32", "ltoosh", "cardkings"),
        ("5432.7432.432.32", "complex", "cardkings-complex-partners"),
    ],
)
def test_it_chooses_what_its_hand_is_best_for(south, contract, preset):
    assert chosen(south, rules(preset)) == f"choose {contract}"


def test_it_has_a_bad_hand_dealt_anew_and_keeps_a_good_one():
    options = rules("cardkings", redeal="first_owner")
    bad, good = deal({S: hand("AKQ2.AK72.AK2.A2")}), deal({S: hand("JT98.JT97.JT9.JT")})
    state = new_match(options, bad, good)
    assert action_text(decide(state)) == "redeal"
    submit(state, S, decide(state))
    assert action_text(decide(state)) == "choose trix"


def test_what_is_left_of_a_kingdom_is_worth_the_more_the_more_there_is_to_choose_from():
    """One contract alone promises nothing, as nobody knows for whom its cards will be good."""
    worth = prospects.of(rules("cardkings"))
    one, two, three = (worth(frozenset(left)) for left in ([KING], [KING, TRIX], [KING, LTOOSH, TRIX]))
    assert worth(frozenset()) == 0
    assert one == pytest.approx(0, abs=3)
    # The better of two independent normal figures: their difference's standard deviation over root(2 pi).
    assert two == pytest.approx((24**2 + 44**2) ** 0.5 / (2 * np.pi) ** 0.5, abs=3)
    assert two < three < worth(frozenset([KING, QUEENS, DIAMONDS, LTOOSH, TRIX]))
    cheap = prospects.of(rules("cardkings", trick_value=5))
    assert cheap(frozenset([KING, LTOOSH])) < worth(frozenset([KING, LTOOSH]))


@pytest.mark.parametrize(
    ("south", "doubled"),
    [
        ("432.K.A5432.5432", "none"),  # bare: it is his as soon as hearts are led
        ("432.K5432.432.43", "KH"),  # long enough to duck hearts to the end
    ],
)
def test_a_guarded_king_is_doubled(south, doubled):
    state = deal_of(rules("dananeer"), S, deal({S: hand(south)}), KING)
    assert action_text(decide(state)) == f"double {doubled}"


def test_of_its_queens_it_doubles_the_guarded_ones():
    state = deal_of(rules("dananeer"), S, deal({S: hand("Q5432.432.Q.5432")}), QUEENS)
    assert action_text(decide(state)) == "double QS"


# -- strength ----------------------------------------------------------------------------------


def test_with_a_small_budget_already_it_beats_greedy():
    """By 25 points and more over many deals; here that it is not broken."""
    duel = Duel(lambda *seen: strong.choose(*seen, SMALL), LEVELS["greedy"], rules("cardkings"), 3)
    found = report(duel, list(deal_figures(duel, [KING, QUEENS, DIAMONDS, LTOOSH], 16)), [])
    assert found["advantage"] > 10 and found["illegal"] == 0

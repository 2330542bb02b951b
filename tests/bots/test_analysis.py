"""What a bot thinks of decisions that were made: it finds what was planted, and knows no hidden card."""

from random import Random

import pytest

from games.bots import decisions
from games.bots.analysis import deal_decisions, decision
from games.bots.decisions import SURE, comments, pack, sums, unpack
from games.bots.strong import USUAL
from games.engine import (
    Contract,
    Phase,
    action_text,
    apply,
    choose_action,
    legal_actions,
    new_match,
    options_for,
    to_act,
    view,
)
from games.engine.cards import CARD_TEXTS, parse_card
from games.engine.shuffle import deal_hands
from tests.bots.deals import mixed, random_deal
from tests.bots.table import last_to_play
from tests.engine.positions import S, rules

LUCK = bytes(32)
PLAIN = rules("cardkings")


def thought_of(state, card: str):
    """What the bot thinks of this card in the seat to act."""
    seat = state.turn
    legal = legal_actions(state, seat)
    return decision(view(state, seat), legal, parse_card(card), Random(1), USUAL)


def played_out(seed: int):
    """A deal under random rules before its first action but the choice, and its log to the end."""
    rng = Random(seed)
    state = random_deal(rng)
    first = state.copy()
    count = len(state.log)
    while state.phase is not Phase.OVER:
        seat = to_act(state)[0]
        apply(state, mixed(state, legal_actions(state, seat), rng))
    return first, bytes(state.log)[count:]


@pytest.mark.parametrize(
    ("contract", "south", "table", "blunder", "better", "least"),
    [
        (Contract.QUEENS, "A2.432.5432.5432", "5S QS KS", "AS", "2S", 20),
        (Contract.KING, "5432.A2.432.5432", "5H KH 9H", "AH", "2H", 60),
        (Contract.QUEENS, "65432.K5432.Q32.", "5C KC 9C", "2S", "QD", 5),
    ],
)
def test_a_blunder_is_found_with_what_it_lost(contract, south, table, blunder, better, least):
    state = last_to_play(PLAIN, contract, south, table)
    found = thought_of(state, blunder)
    assert found.is_mistake
    assert (CARD_TEXTS[found.best], CARD_TEXTS[found.played]) == (better, blunder)
    assert found.lost > least and found.lost - SURE * found.error > 0
    assert thought_of(state, better).lost == 0


def test_cards_that_are_alike_are_worth_the_same_and_lose_nothing():
    state = last_to_play(PLAIN, Contract.QUEENS, "32.65432.5432.K3", "5S 6S 7S")
    found = [thought_of(state, card) for card in ("2S", "3S")]
    assert [one.lost for one in found] == [0, 0]
    assert [one.best for one in found] == [one.played for one in found]
    assert len({(one.points, one.error, one.worlds) for one in found[0].candidates}) == 1


def test_every_decision_of_a_deal_has_a_worth_for_every_legal_action():
    first, log = played_out(4)
    found = list(deal_decisions(first.copy(), log, LUCK))
    state = first
    wanted = []
    for action in log:
        legal = legal_actions(state, state.turn)
        if len(legal) > 1:
            wanted.append((state.version, len(state.plays) + 1, state.turn, action, tuple(legal)))
        apply(state, action)
    assert wanted == [
        (one.version, one.play, one.seat, one.played, tuple(each.action for each in one.candidates))
        for one in found
    ]


def test_the_same_deal_is_analysed_to_the_same_twice():
    first, log = played_out(5)
    once, again = (list(deal_decisions(first.copy(), log, LUCK)) for _ in range(2))
    assert once == again
    assert once != list(deal_decisions(first, log, bytes(31) + b"1"))


def test_it_knows_no_hidden_card():
    """The others' hands are dealt anew among them: the same view, and the same thoughts."""
    state = last_to_play(PLAIN, Contract.DIAMONDS, "5432.432.A2.5432", "5D 9D TD")
    other = state.copy()
    hidden = [card for seat in (1, 2, 3) for card in range(52) if state.hands[seat] >> card & 1]
    Random(8).shuffle(hidden)
    for seat in (1, 2, 3):
        other.hands[seat] = sum(1 << hidden.pop() for _ in range(12))
    assert other.hands != state.hands and view(other, S) == view(state, S)
    assert thought_of(other, "AD") == thought_of(state, "AD")


def test_choices_and_doubles_are_decisions_too():
    options = options_for("dananeer")
    dealt = deal_hands(bytes(32), 1, options)
    state = new_match(options, dealt.hands, dealt.redealt)
    first = state.copy()
    apply(state, choose_action(Contract.QUEENS))
    while state.phase is Phase.DOUBLE:
        apply(state, legal_actions(state, to_act(state)[0])[0])
    found = list(deal_decisions(first, bytes(state.log), LUCK))
    assert [action_text(one.played).split()[0] for one in found] == ["choose"] + ["double"] * (len(found) - 1)
    assert len(found) > 1 and {one.play for one in found} == {0}


def test_a_packed_deal_is_small_and_comes_out_as_it_went_in():
    first, log = played_out(6)
    found = list(deal_decisions(first, log, LUCK))
    assert unpack(pack(found)) == found
    assert len(pack(found)) < 60 * len(found)


def test_sums_and_comments_are_of_mistakes_alone():
    state = last_to_play(PLAIN, Contract.QUEENS, "A2.432.5432.5432", "5S QS KS")
    bad, good = thought_of(state, "AS"), thought_of(state, "2S")
    assert sums([[bad], [good]], S) == decisions.Sums(2, 1, bad.lost, round(bad.lost / 2, 2))
    assert sums([[bad], []], S).lost_per_deal == round(bad.lost, 2)  # Called off after it was dealt.
    said = comments([[good], [bad, good]])
    assert said[0, 0][0].startswith(f"South: 1 mistake in 3 decisions, {bad.lost} points lost (")
    assert list(said) == [(0, 0), (2, 4)]
    (remark,) = said[2, 4]
    assert remark.startswith(f"play 4, S AS: better 2S, {bad.lost} points lost")

"""What a move costs the database: the same few statements, however long the match has been."""

import re

from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.engine import action_text, legal_actions, to_act
from tests.games.play import act, act_until, bots_play_deals, doubling, in_play, state_of

MOVE = [
    "SELECT games_apitoken",
    "SELECT games_match FOR NO KEY UPDATE",
    "SELECT games_seat",
    "SELECT games_deal",
    "UPDATE games_deal",
    "UPDATE games_match",
]
DEAL_ENDS = [*MOVE[:5], "INSERT games_deal", MOVE[5]]


def kind(sql: str) -> str:
    """The verb, the first table and the lock of a statement."""
    verb, table = re.match(r'(SELECT|INSERT|UPDATE|DELETE)[^"]*"(\w+)"', sql).groups()
    return f"{verb} {table}" + (" FOR NO KEY UPDATE" if "FOR NO KEY UPDATE" in sql else "")


def statements(match, apis) -> list[str]:
    """What the next move sends, its player's token included; a transaction's bounds are left out."""
    state = state_of(match)
    seat = to_act(state)[0]
    action = action_text(legal_actions(state, seat)[0])
    with CaptureQueriesContext(connection) as queries:
        answer = apis[seat].post(f"matches/{match.code}/actions/", action=action, version=state.version)
    assert answer.status_code == 200
    return [kind(query["sql"]) for query in queries if not re.match("(RELEASE )?SAVEPOINT", query["sql"])]


def test_a_choice_takes_six_statements(match, apis):
    assert statements(match, apis) == MOVE


def test_an_answer_about_doubling_takes_six(match, apis):
    act(match, "choose queens")
    assert doubling(state_of(match))
    assert statements(match, apis) == MOVE


def test_a_card_takes_six_in_the_last_deals_too(match, apis):
    bots_play_deals(match, 17)
    act(match)
    act_until(match, in_play)
    assert statements(match, apis) == MOVE


def test_the_end_of_a_deal_takes_one_more(match, apis):
    act_until(match, lambda state: in_play(state) and sum(hand.bit_count() for hand in state.hands) == 1)
    assert statements(match, apis) == DEAL_ENDS

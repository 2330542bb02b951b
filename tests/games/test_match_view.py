"""GET /matches/{code}/: what each viewer sees of a running match."""

import json
import random
import re

import pytest

from games.engine import Phase
from games.engine.cards import card_text, cards_of
from games.models import Match
from games.services import matches
from tests.games.play import act, act_until, bots_play_deals, in_play, secret_where, state_of

CARD = re.compile(r'"([2-9TJQKA][SHDC])"')


@pytest.fixture
def dealt(apis, match):
    return state_of(match)


def test_a_seat_sees_its_hand_and_what_it_may_do(apis, match, dealt):
    seen = apis[0].get(f"matches/{match.code}/").json()
    assert seen["you"] == seen["view"]["to_act"] == "S"
    assert seen["view"]["hand"] == [card_text(card) for card in cards_of(dealt.hands[0])]
    assert seen["view"]["legal"] == [
        f"choose {contract}" for contract in ("king", "queens", "diamonds", "ltoosh", "trix")
    ]
    assert apis[1].get(f"matches/{match.code}/").json()["view"]["legal"] == []


def test_anyone_watches_a_public_match_without_hands(api, match):
    seen = api().get(f"matches/{match.code}/").json()
    assert (seen["you"], seen["view"]["seat"], seen["view"]["hand"], seen["view"]["legal"]) == (
        None,
        None,
        None,
        [],
    )


def test_a_private_match_is_there_for_its_players_only(api, apis, cast, stranger):
    private = matches.create_match(rules="eram", options={}, seats=cast, visibility=Match.Visibility.PRIVATE)
    for path in ("", "events/", "record/"):
        assert apis[3].get(f"matches/{private.code}/{path}").status_code == 200
        for outsider in (api(), api(stranger)):
            answer = outsider.get(f"matches/{private.code}/{path}")
            assert (answer.status_code, answer.json()["code"]) == (404, "no_such_match")


@pytest.mark.parametrize("rules", ["dananeer", "cardkings-complex-partners"])
def test_no_answer_of_a_whole_match_holds_a_hidden_card_or_the_secret(apis, api, cast, rules):
    """At every tenth position each viewer's answers are searched for every card still hidden from him."""
    match = matches.create_match(rules=rules, options={}, seats=cast, secret=secret_where(0, rules))
    rng = random.Random(7)
    viewers = [(apis[seat], seat) for seat in range(4)] + [(api(), None)]
    positions = 0
    while (state := state_of(match)).phase is not Phase.OVER and positions < 130:
        if positions % 10 == 0:
            for viewer, seat in viewers:
                _check(viewer, match, state, seat)
        act(match, rng=rng)
        positions += 1


def _check(viewer, match, state, seat):
    others = [state.hands[other] for other in range(4) if other != seat]
    hidden = {card_text(card) for hand in others for card in cards_of(hand) if card not in state.doubled}
    answer = viewer.get(f"matches/{match.code}/")
    events = viewer.get(f"matches/{match.code}/events/", after=state.version - len(state.plays))
    record = viewer.get(f"matches/{match.code}/record/").content.decode()
    account = viewer.get("account/").content.decode()
    assert hidden.isdisjoint(CARD.findall(json.dumps(answer.json()["view"])))
    assert hidden.isdisjoint(event["action"][-2:] for event in events.json()["events"] if event["action"])
    assert record.count("hands") == record.count("score") == state.number - 1
    for text in (answer.content.decode(), events.content.decode(), record, account):
        assert match.secret.hex() not in text


def test_once_over_the_secret_is_out_and_says_what_was_dealt(apis, api, cast):
    match = matches.create_match(rules="cardkings-complex", options={}, seats=cast)
    assert bots_play_deals(match).phase is Phase.OVER
    seen = api().get(f"matches/{match.code}/").json()
    assert seen["status"] == "finished"
    assert seen["secret"] == match.secret.hex()
    assert seen["view"]["over"] and seen["winners"] == seen["view"]["winners"] != []
    assert seen["totals"] == seen["view"]["totals"]
    assert sum(seen["totals"].values()) == 0
    assert seen["finished_at"] >= seen["started_at"]


def test_a_view_costs_four_queries(apis, match, django_assert_num_queries):
    act_until(match, in_play)
    with django_assert_num_queries(4):  # token, match, seats, deals
        apis[0].get(f"matches/{match.code}/")


def test_there_is_no_match_of_another_code(api, db):
    for code in ("nothing", "0" * 500, "كارلا", "a%00b", "..%2f"):
        assert api().get(f"matches/{code}/").status_code in (400, 404)

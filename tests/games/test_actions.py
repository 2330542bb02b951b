"""POST /matches/{code}/actions/."""

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.engine import Phase, action_text, legal_actions
from games.models import Deal, Match
from games.services import matches
from tests.games.answers import refusal
from tests.games.play import act, act_until, bots_play_deals, in_play, secret_where, state_of


@pytest.fixture
def url(match) -> str:
    return f"matches/{match.code}/actions/"


def stored(match):
    return Match.objects.values().get(pk=match.pk), list(Deal.objects.filter(match=match).values())


def test_an_action_is_answered_with_the_new_view(apis, match, url):
    answer = apis[0].post(url, action="choose ltoosh", version=0)
    assert answer.status_code == 200
    moved = answer.json()
    assert (moved["match"], moved["version"], moved["view"]["version"]) == (match.code, 1, 1)
    assert (moved["view"]["phase"], moved["view"]["deal"]["contract"]) == ("play", "ltoosh")
    assert moved["view"]["legal"][0] == f"play {moved['view']['hand'][0]}"


def test_collections_is_another_word_for_ltoosh(apis, url):
    assert (
        apis[0].post(url, action="choose collections", version=0).json()["view"]["deal"]["contract"]
        == "ltoosh"
    )


def test_the_same_action_sent_again_is_answered_byte_for_byte_the_same(apis, match, url, clock):
    """Every action of two deals is sent again at once, and all of them once more at the end."""
    sent = []
    rng = random.Random(3)
    while (state := state_of(match)).number < 3:
        clock.pass_(1.5)
        done = act(match, rng=rng)
        sent.append((done.seat, _text(match), state.version))
    firsts = {}
    for seat, text, version in sent:
        first = apis[seat].post(url, action=text, version=version)
        assert first.status_code == 200, (seat, text, version, first.json())
        firsts[seat, text, version] = first.content
    before = stored(match)
    clock.pass_(1000)
    for (seat, text, version), first in firsts.items():
        assert apis[seat].post(url, action=text, version=version).content == first
    assert stored(match) == before


def _text(match) -> str:
    """The last action that was stored, be it of a deal that it ended."""
    last = next(deal for deal in match.deals.order_by("-number") if deal.actions)
    return action_text(last.actions[-1])


def test_the_first_answer_and_the_repeated_one_are_the_same_bytes(apis, match, url, clock):
    first = apis[0].post(url, action="choose ltoosh", version=0)
    clock.pass_(5)
    card = first.json()["view"]["legal"][0]
    second = apis[0].post(url, action=card, version=1)
    clock.pass_(5)
    act(match)
    assert apis[0].post(url, action="choose ltoosh", version=0).content == first.content
    assert apis[0].post(url, action=card, version=1).content == second.content


def test_the_last_action_of_a_deal_and_of_a_match_can_be_repeated(apis, cast, clock):
    match = matches.create_match(rules="cardkings-complex", options={}, seats=cast, clock_play=9)
    url = f"matches/{match.code}/actions/"
    bots_play_deals(match, 6)
    rng = random.Random(5)
    ends = []
    while (state := state_of(match)).phase is not Phase.OVER:
        clock.pass_(1)
        text = action_text(rng.choice(legal_actions(state, state.turn)))
        answer = apis[state.turn].post(url, action=text, version=state.version)
        assert answer.status_code == 200
        if answer.json()["view"]["deal"]["number"] != state.number or answer.json()["view"]["over"]:
            ends.append((state.turn, text, state.version, answer.content))
    assert len(ends) == 2
    for seat, text, version, first in ends:
        assert apis[seat].post(url, action=text, version=version).content == first
    assert refusal(apis[0].post(url, action="pass", version=0)) == (409, "match_over")
    assert refusal(apis[0].post(url, action="play KH", version=10**6)) == (409, "match_over")


def test_another_action_at_a_version_that_has_passed_is_stale(apis, match, url):
    apis[0].post(url, action="choose ltoosh", version=0)
    before = stored(match)
    for seat, text, version in [
        (0, "choose trix", 0),
        (1, "choose ltoosh", 0),
        (0, "play KH", 0),
        (0, "pass", 2),
    ]:
        answer = apis[seat].post(url, action=text, version=version)
        assert refusal(answer) == (409, "stale_version")
        assert answer.json()["version"] == 1
    assert stored(match) == before


def test_against_the_rules_comes_with_the_legal_actions(apis, match, url):
    state = act_until(match, lambda state: in_play(state) and len(state.trick) == 1)
    seat = state.turn
    legal = apis[seat].get(f"matches/{match.code}/").json()["view"]["legal"]
    before = stored(match)
    for text in ("pass", "choose king", "redeal", "double none", "double KH"):
        answer = apis[seat].post(url, action=text, version=state.version)
        assert answer.status_code == 422
        assert answer.json()["legal"] == legal
        assert answer.json()["version"] == state.version
    assert refusal(apis[(seat + 1) % 4].post(url, action="pass", version=state.version)) == (
        422,
        "not_your_turn",
    )
    assert stored(match) == before


@pytest.mark.parametrize(
    "text",
    ["", "play", "play  KH", "PLAY KH", "play 10H", "play KH ", "double", "double KH KH", "choose", "سلام"],
)
def test_what_is_no_action_is_malformed(apis, match, url, text):
    answer = apis[0].post(url, action=text, version=0)
    assert answer.status_code == 400
    assert answer.json()["code"] in ("malformed_action", "malformed_card", "invalid")


def test_who_does_not_sit_here_is_refused(api, url, stranger):
    assert refusal(api(stranger).post(url, action="choose king", version=0)) == (403, "not_your_seat")


def test_an_open_match_is_not_played_yet(apis):
    code = apis[0].post("matches/", rules="eram").json()["code"]
    assert refusal(apis[0].post(f"matches/{code}/actions/", action="pass", version=0)) == (409, "match_open")


def test_the_owner_may_have_the_first_deal_dealt_again(apis, cast):
    match = matches.create_match(
        rules="dananeer", options={"redeal": "first_owner"}, seats=cast, secret=secret_where(0)
    )
    url = f"matches/{match.code}/actions/"
    hand = apis[0].get(f"matches/{match.code}/").json()["view"]["hand"]
    again = apis[0].post(url, action="redeal", version=0)
    assert again.json()["view"]["hand"] != hand
    assert apis[0].post(url, action="redeal", version=0).content == again.content
    assert refusal(apis[0].post(url, action="redeal", version=1)) == (422, "cannot_redeal")


def test_a_move_costs_six_queries_with_the_token(apis, match, url):
    state = act_until(match, lambda state: in_play(state) and len(state.trick) == 2)
    action = apis[state.turn].get(f"matches/{match.code}/").json()["view"]["legal"][0]
    with CaptureQueriesContext(connection) as captured:
        assert apis[state.turn].post(url, action=action, version=state.version).status_code == 200
    queries = [query["sql"] for query in captured if "SAVEPOINT" not in query["sql"]]
    assert len(queries) == 6, queries  # token, match, seats, deals; deal, match


def test_what_is_stored_gives_the_position_that_was_played(match):
    """The packed log is the match: after every action of a few deals the position is the engine's."""
    rng = random.Random(11)
    for _ in range(150):
        done = act(match, rng=rng)
        assert state_of(match) == done.position.state
        assert legal_actions(done.position.state, 0) == legal_actions(state_of(match), 0)

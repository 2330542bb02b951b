"""The time bank: seconds beside those for an action, for each player and the whole match."""

import json
import random
from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from games.engine import Phase, action_text, legal_actions, options_for, resume, to_act
from games.engine.shuffle import deal_hands
from games.models import Deal, Match, Player, Seat
from games.positions import Position, answered, position
from games.selectors import current_view, stored_match
from games.services import matches, moves
from games.services.tables import Table, take
from tests.games.play import act, act_until, bots_play_deals, doubling, in_play, secret_where, state_of

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
CHOICE, BANK = 30, 60


def begin(sitters, **options) -> Match:
    """A running match with 30 seconds for any action and a minute's bank, South to choose first."""
    clocks = {"clock_choose": CHOICE, "clock_double": 30, "clock_play": 30, "clock_bank": BANK}
    return matches.create_match(
        rules="dananeer", options={}, seats=sitters, secret=secret_where(0), **(clocks | options)
    )


@pytest.fixture
def match(clock, cast) -> Match:
    return begin(cast)


def banks(match: Match) -> list[float]:
    """The seconds left by seat."""
    return [tenths / 10 for tenths in current_view(stored_match(match.code), None)[2]]


def stored_deadline(match: Match) -> datetime | None:
    return Match.objects.get(pk=match.pk).deadline


def seconds(count: float) -> timedelta:
    return timedelta(seconds=count)


# How long an action may take


def test_the_seat_to_act_has_the_clock_and_its_bank(match, clock):
    assert stored_deadline(match) == clock.time + seconds(90)
    clock.pass_(45)
    done = act(match, "choose ltoosh")
    assert banks(match) == [45, 60, 60, 60]
    assert done.deadline == stored_deadline(match) == clock.time + seconds(30 + 45)
    done = act(match)
    assert done.deadline == stored_deadline(match) == clock.time + seconds(30 + 60)


@pytest.mark.parametrize(
    ("took", "left"),
    [
        (0, 60),
        (30, 60),
        (30.09, 60),
        (30.1, 59.9),
        (31.25, 58.8),
        (89.9, 0.1),
        (89.99, 0.1),
        (90, 0),
        (500, 0),
    ],
)
def test_an_action_uses_what_it_takes_beyond_the_clock_by_tenths(match, clock, took, left):
    clock.pass_(took)
    act(match, "choose ltoosh")
    assert banks(match) == [left, 60, 60, 60]


def test_what_is_left_is_less_and_less_and_then_nothing(match, clock):
    for index, left in enumerate([40, 20, 0, 0]):
        act_until(match, lambda state: state.turn == 0)
        clock.pass_(50)
        act(match, "choose ltoosh" if index == 0 else None)
        assert banks(match)[0] == left
    state = act_until(match, lambda state: state.turn == 0)
    assert stored_deadline(match) == clock.time + seconds(30)
    clock.pass_(30)
    assert moves.expire(match.pk, state.version)


def test_a_bank_is_for_the_whole_match(match, clock):
    clock.pass_(50)
    act(match, "choose ltoosh")
    for deals in (1, 2):
        bots_play_deals(match, deals)
        assert banks(match) == [40, 60, 60, 60]
    assert match.deals.last().banks == [400, 600, 600, 600]


def test_nothing_happens_while_there_is_something_in_the_bank(match, clock):
    act(match, "choose ltoosh")
    clock.pass_(89.9)
    assert not moves.expire(match.pk)
    clock.pass_(0.1)
    assert moves.expire(match.pk)


def test_doubling_has_one_time_for_the_table_and_uses_nobodys_bank(match, clock):
    clock.pass_(40)
    act(match, "choose queens")
    ends = clock.time + seconds(30)
    assert doubling(state_of(match)) and stored_deadline(match) == ends
    clock.pass_(29)
    while doubling(state_of(match)):
        assert (stored_deadline(match), banks(match)) == (ends, [50, 60, 60, 60])
        clock.pass_(100)  # Late, but before the sweep.
        act(match)
    assert banks(match) == [50, 60, 60, 60]
    assert stored_deadline(match) == clock.time + seconds(30 + 50)


def test_silence_while_doubling_uses_nobodys_bank(match, clock):
    act(match, "choose queens")
    clock.pass_(300)
    assert moves.expire(match.pk)
    assert banks(match) == [60, 60, 60, 60]


@pytest.mark.parametrize("phase", ["choose", "play"])
def test_without_a_limit_for_an_action_there_is_none_and_the_bank_stays(cast, clock, phase):
    match = begin(cast, **{f"clock_{phase}": None})
    if phase == "play":
        act(match, "choose ltoosh")
    assert stored_deadline(match) is None
    clock.pass_(10_000)
    act(match, "choose ltoosh" if phase == "choose" else None)
    assert banks(match) == [60, 60, 60, 60]


# Who is silent, who is gone


def test_an_overdue_turn_leaves_nothing(match, clock):
    clock.pass_(90)
    assert moves.expire(match.pk)
    assert state_of(match).contract.text == "king"
    assert banks(match) == [0, 60, 60, 60]


def test_an_overdue_turn_in_play_leaves_nothing_once_the_bot_has_played_it(match, clock):
    act(match, "choose ltoosh")
    clock.pass_(91)
    assert moves.expire(match.pk)
    clock.pass_(400)
    assert moves.play_bot_move(match.pk).taken == 1
    assert banks(match) == [0, 60, 60, 60]


def test_a_bot_that_plays_on_uses_no_bank_however_late_it_is(apis, match, clock):
    clock.pass_(40)
    act(match, "choose ltoosh")
    apis[0].post(f"matches/{match.code}/leave/")
    for late in (0, 31, 500):
        clock.pass_(late)
        assert moves.play_bot_move(match.pk).taken == 1
        assert banks(match) == [50, 60, 60, 60]
        act_until(match, lambda state: state.turn == 0)
    apis[0].post(f"matches/{match.code}/return/")
    assert stored_deadline(match) == clock.time + seconds(30 + 50)


def test_who_leaves_in_his_banks_time_has_used_it_until_then(apis, match, clock):
    """Or whoever leaves at the last moment, each turn, would stop the table for as long each time."""
    act(match, "choose ltoosh")
    clock.pass_(75)
    apis[0].post(f"matches/{match.code}/leave/")
    clock.pass_(500)
    moves.play_bot_move(match.pk)
    assert banks(match) == [15, 60, 60, 60]


def test_leaving_again_when_a_bot_plays_already_uses_nothing(apis, match, clock):
    act(match, "choose ltoosh")
    apis[0].post(f"matches/{match.code}/leave/")
    clock.pass_(75)
    apis[0].post(f"matches/{match.code}/leave/")
    moves.play_bot_move(match.pk)
    assert banks(match) == [60, 60, 60, 60]


def test_who_is_back_on_his_turn_has_the_time_that_is_left(apis, match, clock):
    act(match, "choose ltoosh")
    before = stored_deadline(match)
    clock.pass_(20)
    apis[0].post(f"matches/{match.code}/leave/")
    clock.pass_(20)
    apis[0].post(f"matches/{match.code}/return/")
    assert stored_deadline(match) == before
    clock.pass_(10)
    act(match)
    assert banks(match) == [40, 60, 60, 60]


def test_who_is_back_after_his_time_has_an_actions_time_again_and_no_bank(apis, match, clock):
    act(match, "choose ltoosh")
    clock.pass_(100)
    moves.expire(match.pk)
    clock.pass_(5)
    apis[0].post(f"matches/{match.code}/return/")
    assert stored_deadline(match) == clock.time + seconds(30)
    clock.pass_(29)
    assert not moves.expire(match.pk)
    act(match)
    assert banks(match) == [0, 60, 60, 60]


def test_an_actions_time_comes_again_once_a_turn(apis, match, clock):
    version = act(match, "choose ltoosh").version
    for wait in (90, 30):
        clock.pass_(wait)
        assert moves.expire(match.pk, version)
        apis[0].post(f"matches/{match.code}/return/")
    assert match.seats.get(index=0).away_since
    assert moves.play_bot_move(match.pk).taken == 1
    assert banks(match) == [0, 60, 60, 60]


def test_where_the_table_waits_the_bank_runs_out_and_nothing_else_happens(apis, cast, clock):
    match = begin(cast, on_timeout="wait")
    act(match, "choose ltoosh")
    shown = apis[1].get(f"matches/{match.code}/").json()["deadline"]
    assert shown == (clock.time + seconds(90)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    clock.pass_(4000)
    assert stored_deadline(match) is None and not moves.expire(match.pk)
    done = act(match)
    assert banks(match) == [0, 60, 60, 60]
    assert done.version == 2


def test_house_bots_use_no_bank(cast, clock):
    match = begin(["greedy", *cast[:3]], bot_delay=60)
    clock.pass_(60)
    assert moves.play_bot_move(match.pk).taken == 1
    assert banks(match) == [60, 60, 60, 60]


# Where it follows from


def test_the_repeated_answer_to_an_action_is_the_same_later(apis, match, clock):
    url = f"matches/{match.code}/actions/"
    clock.pass_(50)
    first = apis[0].post(url, action="choose ltoosh", version=0)
    card = apis[0].get(f"matches/{match.code}/").json()["view"]["legal"][0]
    clock.pass_(45)
    second = apis[0].post(url, action=card, version=1)
    clock.pass_(200)
    act(match)
    bots_play_deals(match, 2)
    assert apis[0].post(url, action="choose ltoosh", version=0).content == first.content
    assert apis[0].post(url, action=card, version=1).content == second.content


def test_the_answer_to_the_last_card_of_a_deal_is_the_same_later(apis, match, clock):
    act(match, "choose ltoosh")
    last = act_until(match, lambda state: sum(map(int.bit_count, state.hands)) == 1)
    url, card = f"matches/{match.code}/actions/", action_text(legal_actions(last, last.turn)[0])
    clock.pass_(40)
    first = apis[last.turn].post(url, action=card, version=last.version)
    assert state_of(match).number == 2 and min(banks(match)) == 50
    clock.pass_(70)
    act(match)
    assert apis[last.turn].post(url, action=card, version=last.version).content == first.content


def test_a_match_without_a_bank_stores_what_it_did_and_one_with_it_no_more_for_quick_moves(cast, clock):
    kept = []
    for bank in (None, 60):
        match = begin(cast, clock_bank=bank)
        for _ in range(12):
            clock.pass_(20)
            act(match)
        deal = match.deals.get()
        assert deal.banks == (None if bank is None else [600] * 4)
        kept.append(bytes(deal.times))
    assert kept[0] == kept[1] and len(kept[0]) == 12 * 2


def test_a_bank_costs_no_statement(apis, cast, clock):
    counts = []
    for bank in (None, 60):
        match = begin(cast, clock_bank=bank)
        act(match, "choose ltoosh")
        clock.pass_(50)
        card = action_text(legal_actions(state_of(match), 0)[0])
        with CaptureQueriesContext(connection) as queries:
            apis[0].post(f"matches/{match.code}/actions/", action=card, version=1)
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("wrong", [[1, 2, 3], [-1, 0, 0, 0], [600, 600, 600, 599]])
def test_what_a_deal_began_with_stays(match, wrong):
    with pytest.raises(IntegrityError), transaction.atomic():
        Deal.objects.filter(match=match).update(banks=wrong)


def table_with_a_bank() -> Table:
    """A table in memory whose deals are never stored."""
    clocks = {"clock_choose": 5, "clock_double": 5, "clock_play": 5, "clock_bank": 20}
    match = Match(rules="dananeer", secret=secret_where(0), deal_number=1, **clocks)
    options = options_for("dananeer")
    state = resume(options, 1, 0, (), 0, deal_hands(match.secret, 1, options).hands, None, b"")
    seats = [Seat(match=match, index=index, bot="greedy" if index == 3 else "") for index in range(4)]
    deal = Deal(match=match, number=1, owner=0, first_version=0, started_at=NOON, banks=[200] * 4)
    return Table(match, seats, [deal], Position(state, NOON, (200,) * 4), NOON)


PAUSES = st.integers(0, 99) | st.integers(4_900, 5_200) | st.integers(0, 26_000)
TURNS = st.lists(st.tuples(PAUSES, st.none() | st.integers(0, 30_000)), min_size=1, max_size=70)


@given(TURNS, st.integers(0, 2**32))
def test_step_by_step_and_at_once_banks_are_the_same_and_only_go_down(turns, luck):
    """Each turn: how long it takes, in milliseconds, and if a bot acts, how long its player was there."""
    table, now, rng = table_with_a_bank(), NOON, random.Random(luck)
    expected = [200] * 4
    answers = []
    for took, stayed in turns:
        state, began = table.position.state, table.last
        seat, choice = to_act(state)[0], state.phase in (Phase.CHOOSE, Phase.PLAY)
        own = took if stayed is None else min(took, stayed)
        table.seats[seat].away_since = None if stayed is None else began + timedelta(milliseconds=stayed)
        now = began + timedelta(milliseconds=took)
        version, action, deals = state.version, rng.choice(legal_actions(state, seat)), len(table.deals)
        take(table, seat, action, now)
        if choice and seat != 3:
            expected[seat] = max(0, expected[seat] - max(0, own // 100 - 50))
        assert table.position.banks == tuple(expected)
        at_once, last = position(table.match, table.deals)
        assert (at_once.since, at_once.banks, last) == (table.position.since, tuple(expected), table.last)
        if choice:
            answers.append((seat, action, version, table.position.since, tuple(expected)))
        if len(table.deals) > deals:
            assert table.deals[-1].banks == expected
            break
    for seat, action, version, since, left in answers:
        again = answered(table.match, table.deals, seat, action, version)
        assert (again.since, again.banks) == (since, left)


# What the API says of it


def test_a_table_is_opened_with_a_bank_and_says_what_is_left(apis, api, clock):
    opened = apis[0].post("matches/", rules="dananeer", clock={"play": 20, "bank": 90}, bots=["greedy"] * 3)
    assert opened.status_code == 201
    shown = opened.json()
    assert shown["clock"] == {"choose": None, "double": None, "play": 20, "bank": 90}
    assert shown["banks"] is None
    started = apis[0].post(f"matches/{shown['code']}/start/").json()
    assert started["banks"] == {"S": 90, "E": 90, "N": 90, "W": 90}
    assert api().get(f"matches/{shown['code']}/").json()["banks"] == started["banks"]


def test_banks_are_shown_to_a_tenth_of_a_second(api, match, clock):
    clock.pass_(34.567)
    act(match, "choose ltoosh")
    body = api().get(f"matches/{match.code}/").content
    assert b'"banks":{"S":55.5,"E":60.0,"N":60.0,"W":60.0}' in body


def test_without_a_bank_there_is_none(api, cast, clock):
    match = begin(cast, clock_bank=None)
    shown = api().get(f"matches/{match.code}/").json()
    assert (shown["clock"]["bank"], shown["banks"]) == (None, None)


@pytest.mark.parametrize("bank", [0, -1, 1.5, "60", 30 * 86400 + 1, True])
@pytest.mark.parametrize("door", ["matches/", "tournaments/"])
def test_a_bank_that_is_none_is_refused(apis, door, bank):
    body = {"rules": "eram", "clock": {"bank": bank}} | ({"name": "Friday"} if door == "tournaments/" else {})
    answer = apis[0].post(door, **body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert "clock" in json.dumps(answer.json()["errors"])


def test_banks_are_hidden_with_the_play_where_the_same_cards_are_played_elsewhere(api, cast, clock):
    ahead = begin(cast)
    begin([Player.objects.create_user(name) for name in ("fadi", "ghada", "hala", "imad")])
    assert api().get(f"matches/{ahead.code}/").json()["banks"] is None
    assert api(cast[0]).get(f"matches/{ahead.code}/").json()["banks"]["S"] == 60


def test_a_month_for_an_action_and_a_month_in_the_bank(api, cast, clock):
    """Correspondence: whatever is computed with such times fits where it is kept."""
    month, begun = 30 * 24 * 60 * 60, clock.time
    match = begin(cast, clock_choose=month, clock_double=month, clock_play=month, clock_bank=month)
    assert stored_deadline(match) == clock.time + timedelta(days=60)
    clock.pass_(timedelta(days=59).total_seconds())
    assert not moves.expire(match.pk)
    act(match, "choose ltoosh")
    assert banks(match) == [86400, month, month, month]
    clock.pass_(timedelta(days=31).total_seconds() - 1)
    assert not moves.expire(match.pk)
    shown = api().get(f"matches/{match.code}/").json()
    assert shown["deadline"] == (clock.time + seconds(1)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    clock.pass_(1)
    assert moves.expire(match.pk)
    assert moves.play_bot_move(match.pk).taken == 1
    assert banks(match) == [0, month, month, month]
    clock.pass_(timedelta(days=30).total_seconds())
    act(match)
    events = api().get(f"matches/{match.code}/events/").json()["events"]
    assert [event["at"] for event in events][-1] == clock.time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    assert clock.time - begun == timedelta(days=120)
    assert in_play(state_of(match))

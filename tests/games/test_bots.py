"""House bots at a table: what they see, and that nobody can foresee them."""

from itertools import count

import pytest

from games.bots import LEVELS
from games.bots.warming import warm
from games.engine import Phase, options_for, view
from games.engine.cards import KH, QUEENS, SEVEN_OF_HEARTS
from games.engine.shuffle import deal_hands
from games.models import Match
from games.services import matches, moves, tables
from tests.games.play import act_until, in_play, secret_where, state_of


@pytest.fixture
def seen(monkeypatch):
    """What the bots of this test were given, in order."""
    calls = []

    def choose(what, legal, rng):
        calls.append((what, tuple(legal), rng.random()))
        return legal[0]

    monkeypatch.setitem(LEVELS, "random", choose)
    return calls


def test_a_bot_gets_its_seats_view_and_nothing_else(db, seen):
    match = matches.create_match(rules="dananeer", options={}, seats=["random"] * 4)
    before = state_of(match)
    assert moves.play_bot_move(match.pk).taken == 1
    ((what, legal, _),) = seen
    assert what == view(before, before.turn)
    assert legal == what.legal


def test_the_luck_of_a_bot_follows_from_the_secret_the_version_and_the_seat(db, seen):
    for secret in (secret_where(0), secret_where(0), secret_where(1)):
        match = matches.create_match(rules="dananeer", options={}, seats=["random"] * 4, secret=secret)
        moves.play_bot_move(match.pk, limit=3)
    lucks = [luck for _, _, luck in seen]
    assert lucks[:3] == lucks[3:6]
    assert len(set(lucks)) == 6


def test_a_batch_ends_with_its_deal(db):
    match = matches.create_match(rules="dananeer", options={}, seats=["random"] * 4)
    turn = moves.play_bot_move(match.pk, limit=1000)
    match.refresh_from_db()
    assert turn.version == match.version and match.deal_number == 2
    assert match.deals.get(number=1).scores and match.deals.get(number=2).actions == b""


def test_bots_answer_doubling_by_themselves(db):
    match = matches.create_match(rules="dananeer", options={}, seats=["greedy"] * 4, secret=secret_where(0))
    while state_of(match).phase is not Phase.OVER and state_of(match).number < 8:
        moves.play_bot_move(match.pk, limit=100)
    assert state_of(match).number == 8


@pytest.mark.parametrize("broken", [lambda *_: 1 / 0, lambda *_: 99], ids=["fails", "breaks the rules"])
def test_a_bot_that_fails_is_logged_and_does_not_stop_the_match(db, monkeypatch, caplog, broken):
    monkeypatch.setitem(LEVELS, "random", broken)
    match = matches.create_match(rules="cardkings-complex", options={}, seats=["random"] * 4)
    while moves.play_bot_move(match.pk, limit=100).bots_pending:
        pass
    assert Match.objects.get().status == "finished"
    assert f"in match {match.pk} at version 0" in caplog.text


def test_where_a_bot_fails_the_stand_in_takes_its_place(db, monkeypatch):
    monkeypatch.setitem(LEVELS, "random", lambda *_: 1 / 0)
    failing, greedy = (
        matches.create_match(rules="cardkings", options={}, seats=[level] * 4, secret=secret_where(0))
        for level in ("random", "greedy")
    )
    for match in (failing, greedy):
        moves.play_bot_move(match.pk, limit=30)
    assert state_of(failing).plays == state_of(greedy).plays != []


def test_bots_do_not_act_for_people(match):
    act_until(match, in_play)
    assert moves.play_bot_move(match.pk) == moves.BotTurn(0, state_of(match).version, False)


def test_a_stand_in_plays_for_who_is_away_and_only_for_him(match, cast):
    state = act_until(match, in_play)
    match.seats.filter(index=state.turn).update(away_since=match.created_at)
    assert moves.play_bot_move(match.pk, limit=9).taken == 1


def test_while_doubling_at_a_table_with_people_bots_take_a_time_of_their_own(cast, monkeypatch):
    """An answer in no time would tell that nobody but bots was asked."""
    match = matches.create_match(
        rules="dananeer",
        options={},
        seats=[cast[0], cast[1], "greedy", "greedy"],
        bot_delay=2,
        secret=secret_where(0),
    )
    moves.submit_action(match_code=match.code, player=cast[0], action_text="choose queens", version=0)
    table = tables.load_table(Match.objects.get(pk=match.pk), list(match.seats.all()))
    assert table.position.state.phase is Phase.DOUBLE
    pauses = {tables.bot_pause(table) for _ in range(20)}
    assert len(pauses) == 20 and all(2 <= pause <= 6 for pause in pauses)


def king_of(owner: int, holder: int) -> bytes:
    """A secret whose first deal belongs to one seat, and whose king of hearts another seat holds."""
    for number in count():
        secret = number.to_bytes(32, "big")
        hands = deal_hands(secret, 1, options_for("dananeer")).hands
        if hands[owner] >> SEVEN_OF_HEARTS & 1 and hands[holder] >> KH & 1:
            return secret
    raise AssertionError


def test_a_batch_of_moves_stops_before_bots_answer_doubling_beside_people(cast, monkeypatch):
    """Choice, answers and first cards at once would tell that nobody but bots was asked."""
    monkeypatch.setitem(LEVELS, "random", lambda seen, legal, rng: legal[0])  # King comes first.
    seats = [*cast[:2], "random", "random"]
    match = matches.create_match(rules="dananeer", options={}, seats=seats, secret=king_of(2, 3))
    turn = moves.play_bot_move(match.pk, limit=16)
    assert (turn.taken, turn.version, turn.bots_pending) == (1, 1, True)
    assert turn.pause >= 1
    assert state_of(match).phase is Phase.DOUBLE
    assert moves.play_bot_move(match.pk, limit=16).taken > 1
    assert state_of(match).phase is Phase.PLAY


def queens_of_both(holders: tuple[int, int]) -> bytes:
    """A secret whose first deal belongs to South, and whose queens only these two seats hold, some each."""
    for number in count():
        secret = number.to_bytes(32, "big")
        hands = deal_hands(secret, 1, options_for("dananeer")).hands
        if hands[0] >> SEVEN_OF_HEARTS & 1 and {s for s in range(4) if hands[s] & QUEENS} == set(holders):
            return secret
    raise AssertionError


def test_bots_with_a_delay_answer_doubling_together(cast):
    """A pause for each answer would tell how many are asked (rule page D keeps that secret)."""
    seats = [*cast[:2], "greedy", "greedy"]
    secret = queens_of_both((2, 3))
    match = matches.create_match(rules="dananeer", options={}, seats=seats, bot_delay=2, secret=secret)
    moves.submit_action(match_code=match.code, player=cast[0], action_text="choose queens", version=0)
    turn = moves.play_bot_move(match.pk, limit=16)
    assert (turn.taken, turn.version) == (2, 2)
    assert state_of(match).phase is Phase.PLAY


def test_a_batch_among_bots_goes_on_through_doubling(db, monkeypatch):
    monkeypatch.setitem(LEVELS, "random", lambda seen, legal, rng: legal[0])
    match = matches.create_match(rules="dananeer", options={}, seats=["random"] * 4, secret=king_of(2, 3))
    assert moves.play_bot_move(match.pk, limit=16).taken == 16


def test_where_bots_pause_a_batch_is_one_move(db):
    match = matches.create_match(rules="dananeer", options={}, seats=["random"] * 4, bot_delay=2)
    assert moves.play_bot_move(match.pk, limit=16).taken == 1


def test_strong_plays_with_the_server_s_budget(db, monkeypatch, settings):
    budgets = []

    def choose(what, legal, rng, budget):
        budgets.append(budget.playouts)
        return legal[0]

    warm(LEVELS["strong"])
    monkeypatch.setattr("games.bots.strong.choose", choose)
    settings.STRONG_PLAYOUTS = 77
    match = matches.create_match(rules="cardkings", options={}, seats=["strong"] * 4)
    moves.play_bot_move(match.pk, limit=2)
    assert budgets == [77, 77]

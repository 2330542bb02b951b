"""What a stream sends depends on nothing that is hidden from its reader: neither a byte nor its time."""

import random
import re

import pytest
from django.db import transaction
from django.utils import timezone

from games.engine import action_text, legal_actions, to_act
from games.engine.cards import SEAT_NAMES, card_text, cards_of, mask_of, parse_card
from games.models import Match
from games.services import matches, moves
from tests.games.play import act, act_until, bots_play_deals, doubling, in_play, state_of
from tests.games.test_secrecy import WORLDS, answer_one, start

# Who holds one of these is asked to double, or begins: with them the same past would not be possible.
FIXED = mask_of(map(parse_card, ["QS", "QH", "QD", "QC", "KH", "7H"]))


def plain(told: bytes, match: Match) -> str:
    text = told.decode()
    for secret in (match.code, match.commitment):
        text = text.replace(secret, "…")
    return re.sub(r'"created_at":"[^"]*"', "", text)


@pytest.mark.parametrize("contract", WORLDS)
@pytest.mark.parametrize("seated", [True, False], ids=["West", "a spectator"])
def test_secret_answers_send_nothing_to_bystanders(monkeypatch, cast, clock, screens, contract, seated):
    """Neither a byte nor an empty message, whoever is asked and answers, until the reveal."""
    seen = set()
    for world in WORLDS[contract]:
        clock.time = clock.time.replace(minute=0, second=0, microsecond=0)
        match = start(monkeypatch, cast, world)
        viewer = cast[3] if seated else None
        room = screens()
        act(match, f"choose {contract}")
        stream = room.open(match, viewer, after=0)
        account = room.open(None, cast[3])
        countdown = room.hub.matches[match.code].countdown
        warnings = list(room.hub.matches[match.code]._warnings)
        before = room.told[stream], room.told[account]
        while doubling(state_of(match)) and len(to_act(state_of(match))) > 1:
            answer_one(match, clock)
            room.moved(match)
            assert (room.told[stream], room.told[account]) == before
            assert room.hub.matches[match.code].countdown == countdown
            assert room.hub.matches[match.code]._warnings == warnings
        clock.time = clock.time.replace(second=20)
        act(match, "double none")
        room.moved(match)
        seen.add(plain(room.told[stream] + room.told[account], match))
    assert len(seen) == 1


@pytest.mark.parametrize("contract", WORLDS)
def test_the_asked_player_alone_is_told_that_it_is_his_turn(monkeypatch, cast, screens, contract):
    for world in WORLDS[contract]:
        match = start(monkeypatch, cast, world)
        room = screens()
        accounts = [room.open(None, player) for player in cast]
        act(match, f"choose {contract}")
        asked = to_act(state_of(match))
        room.moved(match)
        turns = [b"event: your_turn" in room.told[account] for account in accounts]
        assert turns == [seat in asked for seat in range(4)]


def swapped(hands, first: int, second: int, rng: random.Random, left):
    """Hands where two seats have exchanged a card of one suit that neither has played, if there is one."""
    pairs = [
        (one, other)
        for one in cards_of(left[first] & ~FIXED)
        for other in cards_of(left[second] & ~FIXED)
        if card_text(one)[1] == card_text(other)[1]
    ]
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    changed = list(hands)
    changed[first] ^= 1 << one | 1 << other
    changed[second] ^= 1 << one | 1 << other
    return tuple(changed)


class Undone(Exception):
    pass


def everything_told(screens, monkeypatch, match, viewers, hands, action) -> str:
    """All that these viewers get around one action, with these hands. Nothing of it stays."""
    monkeypatch.setattr("games.engine.shuffle.shuffled_hands", lambda secret, number, attempt: hands)
    room = screens()
    try:
        with transaction.atomic():
            streams = [room.open(match, viewer, 0, form) for viewer in viewers for form in ("sse", "ndjson")]
            streams += [room.open(None, viewer) for viewer in viewers if viewer]
            act(match, action)
            room.moved(match)
            raise Undone
    except Undone:
        return plain(b"".join(room.told[stream] for stream in streams), match)


@pytest.mark.parametrize("seed", range(10))
def test_hidden_cards_change_no_byte_of_any_stream(monkeypatch, cast, clock, screens, seed):
    """A random position, where two seats exchange hidden cards: everyone else gets the same bytes."""
    rng = random.Random(seed)
    deck = list(range(52))
    rng.shuffle(deck)
    hands = tuple(mask_of(deck[13 * seat : 13 * seat + 13]) for seat in range(4))
    monkeypatch.setattr("games.engine.shuffle.shuffled_hands", lambda secret, number, attempt: hands)
    match = matches.create_match(rules="dananeer", options={}, seats=cast, clock_play=30)
    act_until(match, in_play, rng)
    for _ in range(rng.randrange(24)):
        act(match, rng=rng)
    state = act_until(match, in_play, rng)
    first, second = rng.sample([seat for seat in range(4) if seat != state.turn], 2)
    others = swapped(hands, first, second, rng, state.hands)
    assert others is not None, "another seed"
    action = action_text(rng.choice(legal_actions(state, state.turn)))
    viewers = [cast[seat] for seat in range(4) if seat not in (first, second)] + [None]
    told = [
        everything_told(screens, monkeypatch, match, viewers, each, action) for each in (hands, others, hands)
    ]
    assert told[0] == told[1] == told[2]
    own = [
        everything_told(screens, monkeypatch, match, [cast[first]], each, action) for each in (hands, others)
    ]
    assert own[0] != own[1]
    assert SEAT_NAMES[state.turn] in told[0]


def test_tables_with_the_same_cards_are_shown_to_others_as_get_shows_them(cast, stranger, api, screens):
    secret = bytes(range(32))
    first, second = (
        matches.create_match(rules="dananeer", options={}, seats=seats, secret=secret)
        for seats in (cast, ["random"] * 4)
    )
    room = screens()
    stream, own = room.open(first, stranger, after=0), room.open(first, cast[0], after=0)
    before = room.told[stream]
    assert b'"view":null' in before
    act(first)
    room.moved(first)
    assert room.told[stream] == before
    assert room.told[own].count(b"event: action") == 1

    bots_play_deals(second)
    room.look()
    later = room.told[stream][len(before) :]
    assert later.count(b"event: action") == 1
    assert later.endswith(b"data: " + api(stranger).get(f"matches/{first.code}/").content + b"\n\n")


def test_a_match_that_is_over_while_others_play_its_cards_stays_open_for_others(cast, screens):
    secret = bytes(range(32))
    first, second = (
        matches.create_match(rules="dananeer", options={}, seats=seats, secret=secret)
        for seats in (cast, ["random"] * 4)
    )
    room = screens()
    stream, own = room.open(first, after=0), room.open(first, cast[0])
    bots_play_deals(first)
    room.moved(first)
    assert (stream.ended, own.ended) == (False, True)
    assert b"event: action" not in room.told[stream]
    while moves.play_bot_move(second.pk, limit=100).taken:
        pass
    room.look()
    assert stream.ended
    version = Match.objects.get(pk=first.pk).version
    assert room.told[stream].count(b"event: action") == version


def test_the_end_of_the_clock_tells_nothing_either(monkeypatch, cast, clock, screens):
    seen = set()
    for world in WORLDS["queens"]:
        clock.time = clock.time.replace(minute=0, second=0, microsecond=0)
        match = start(monkeypatch, cast, world)
        room = screens()
        act(match, "choose queens")
        stream = room.open(match, cast[3])
        clock.pass_(31)
        assert moves.expire(match.pk)
        room.moved(match)
        seen.add(plain(room.told[stream], match))
    assert len(seen) == 1


def test_a_bots_secret_answer_is_no_news(monkeypatch, cast, clock, screens):
    seen = set()
    for world in WORLDS["queens"]:
        clock.time = clock.time.replace(minute=0, second=0, microsecond=0)
        match = start(monkeypatch, cast, world)
        act(match, "choose queens")
        match.seats.filter(index__lt=3).update(away_since=timezone.now())
        room = screens()
        stream = room.open(match, cast[3])
        before = room.told[stream]
        moves.play_bot_move(match.pk)
        room.moved(match)
        if doubling(state_of(match)):
            assert room.told[stream] == before
        seen.add(plain(before, match))
    assert len(seen) == 1

"""Actions and cards as text: one spelling each, and everything else refused as malformed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    PASS,
    REDEAL,
    Contract,
    MalformedAction,
    MalformedCard,
    action_text,
    choose_action,
    double_action,
    parse_action,
)
from games.engine.actions import double_cards, double_seat
from games.engine.cards import card_text, cards_of, mask_of, parse_card
from tests.engine.positions import DECK, cards, mask

ALL_ACTIONS = (*range(60), *range(64, 192))


@pytest.mark.parametrize("action", ALL_ACTIONS)
def test_every_action_has_one_text_and_is_read_from_it(action: int) -> None:
    seat = double_seat(action) if action >= 64 else 0
    assert parse_action(action_text(action), seat) == action


def test_an_action_is_one_byte() -> None:
    assert bytes(ALL_ACTIONS)


def test_texts_of_cards() -> None:
    assert [card_text(card) for card in range(52)] == DECK
    assert DECK[0] == "2S"
    assert DECK[24] == "KH"
    for card, text in enumerate(DECK):
        assert parse_card(text) == card
        assert action_text(card) == f"play {text}"


@given(st.sets(st.integers(0, 51)))
def test_sets_of_cards(held: set[int]) -> None:
    assert cards_of(mask_of(held)) == tuple(sorted(held))


@pytest.mark.parametrize(
    "text", ["", "K", "KHH", "kh", "HK", "10S", "1S", "K♥", "KH ", " KH", "♔", "XH", "KX"]
)
def test_malformed_cards(text: str) -> None:
    with pytest.raises(MalformedCard, match="AKQJT98765432") as refused:
        parse_card(text)
    assert refused.value.code == "malformed_card"


def test_texts_of_actions() -> None:
    assert action_text(PASS) == "pass"
    assert action_text(REDEAL) == "redeal"
    assert action_text(choose_action(Contract.LTOOSH)) == "choose ltoosh"
    assert action_text(double_action(2, 0)) == "double none"
    assert action_text(double_action(2, mask(cards("QS QH")))) == "double QS QH"
    assert action_text(double_action(2, mask(cards("KH QC QD")))) == "double QD QC KH"


def test_collections_is_read_as_ltoosh() -> None:
    assert parse_action("choose collections", 0) == choose_action(Contract.LTOOSH)


def test_doubled_cards_are_read_in_any_order() -> None:
    assert parse_action("double KH QC QS", 3) == double_action(3, mask(cards("QS QC KH")))
    action = parse_action("double QC QS", 3)
    assert (double_seat(action), double_cards(action)) == (3, mask(cards("QS QC")))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "play",
        "play ",
        " play KH",
        "PLAY KH",
        "KH",
        "pass ",
        "Pass",
        "passes",
        "choose",
        "choose ",
        "choose King",
        "choose hearts",
        "choose 0",
        "double",
        "double ",
        "double KS",
        "double none QS",
        "double QS none",
        "double QS QS",
        "double QS  QH",
        "double qs",
        "double QS,QH",
        "redeal now",
        "resign",
        "العب",
        "play\0KH",
        "\0",
        "x" * 100_000,
    ],
)
def test_malformed_actions(text: str) -> None:
    with pytest.raises(MalformedAction) as refused:
        parse_action(text, 0)
    assert refused.value.code == "malformed_action"
    assert len(refused.value.message) < 300


@pytest.mark.parametrize(
    "card", ["kh", "10H", "10S", "KH QH", " KH", "KH ", "KH\n", "J♣", "-", "pass", "\0", "9" * 100_000]
)
def test_playing_what_is_no_card(card: str) -> None:
    with pytest.raises(MalformedCard, match="T for ten, and a suit of SHDC, both in capitals") as refused:
        parse_action(f"play {card}", 0)
    assert refused.value.code == "malformed_card"
    assert len(refused.value.message) < 300


@given(
    st.text() | st.from_regex(r"(play|double|choose|pass|redeal)( [A-Z0-9a-z]{0,9}){0,6}"), st.integers(0, 3)
)
def test_any_text_is_an_action_or_malformed(text: str, seat: int) -> None:
    try:
        action = parse_action(text, seat)
    except MalformedAction:
        return
    assert action in ALL_ACTIONS
    assert parse_action(action_text(action), seat) == action

"""What a player types, and what it means."""

import pytest

from tests.client.screens import SHOWN
from trix_client.cli.cards import choices
from trix_client.cli.typed import Typed, card_of, read


def view(name: str):
    return SHOWN[name].match["view"]


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("1", "play KS"),
        ("KS", "play KS"),
        ("ks", "play KS"),
        ("k♠", "play KS"),
        ("play ks", "play KS"),
        ("10d", "play TD"),
        ("TD", "play TD"),
        ("pass", "pass"),
    ],
)
def test_a_card_may_be_written_in_many_ways(line, action):
    """A card that is not legal here goes to the server too, for it to say why not."""
    assert read(line, view("trick")) == Typed("action", action)


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("1", "double none"),
        ("none", "double none"),
        ("qh", "double QH"),
        ("QH, QD", "double QH QD"),
        ("4", "double QH QD"),
    ],
)
def test_doubling_takes_cards_numbers_or_none(line, action):
    assert read(line, view("double")) == Typed("action", action)


def test_contracts_are_chosen_by_name_or_number():
    assert read("queens", view("choose")) == Typed("action", "choose queens")
    assert read("5", view("choose")) == Typed("action", "choose trix")


def test_numbers_follow_the_hand_as_it_is_shown():
    assert choices(view("trix")) == ["play 9H", "play 9C", "play 4D"]


@pytest.mark.parametrize("line", ["0", "2", "99", "٣", "²", "xyzzy", "11h", "king queens", "say"])
def test_what_means_nothing_is_said_so(line):
    typed = read(line, view("trick"))
    assert typed.kind == "wrong"
    assert typed.text


def test_a_number_that_there_is_not_is_answered_with_those_that_there_are():
    assert read("7", view("trick")).text == "There is no 7. You can: 1 K♠. ? helps"


def test_enter_does_what_is_the_only_thing_to_do_and_else_nothing():
    assert read("", view("trick")) == Typed("action", "play KS")
    assert read("", dict(view("trix"), legal=["pass"])) == Typed("action", "pass")
    assert read("", view("choose")) == Typed("nothing")
    assert read("", dict(view("trick"), legal=[])) == Typed("nothing")


@pytest.mark.parametrize(
    ("line", "kind"), [("q", "quit"), ("?", "help"), ("scores", "scores"), ("Start", "start")]
)
def test_commands(line, kind):
    assert read(line, view("trick")).kind == kind


def test_nobody_resigns_by_one_word():
    assert read("resign", view("trick")).kind == "wrong"
    assert read("resign for good", view("trick")).kind == "resign"


def test_chat_keeps_its_letters():
    assert read("say Well PLAYED", view("trick")) == Typed("say", "Well PLAYED")


@pytest.mark.parametrize(
    ("word", "card"), [("th", "TH"), ("10♥", "TH"), ("1h", None), ("h", None), ("", None)]
)
def test_cards(word, card):
    assert card_of(word) == card

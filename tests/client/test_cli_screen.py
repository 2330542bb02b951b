"""The screen of a match in every phase, to the letter, and what must never be on it."""

import pytest
from rich.cells import cell_len

from tests.client.documents import document, played
from tests.client.screens import FOLDER, NOW, QUEENS, SHOWN, after, drawn
from trix_client.cli.screen import Shown, screen
from trix_client.cli.words import safe


@pytest.mark.parametrize("name", SHOWN)
def test_every_phase_is_drawn_as_it_was_found_pleasant(name):
    """After a wanted change: `python -m tests.client.screens`, and look at what it did."""
    assert drawn(name) == (FOLDER / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 30), (200, 60)])
def test_a_screen_fills_the_window_and_no_more(name, width, height):
    lines = screen(SHOWN[name], NOW, width, height).split("\n")
    assert len(lines) <= height
    assert max(line.cell_len for line in lines) <= width


@pytest.mark.parametrize("name", SHOWN)
def test_a_low_window_keeps_the_hand_and_the_prompt(name):
    whole = screen(SHOWN[name], NOW, 80, 24).plain.split("\n")
    low = screen(SHOWN[name], NOW, 40, 10).split("\n")
    assert len(low) <= 10
    assert max(line.cell_len for line in low) <= 40
    assert low[-1].plain.rstrip() == whole[-1].rstrip()


def test_only_what_may_be_played_has_a_number():
    numbered = [line for line in drawn("trick").splitlines() if line.strip() == "1"]
    assert len(numbered) == 1  # spades were led, and K♠ is the only one
    assert " 2 " not in drawn("trick").split("│ K♠│")[1].split("Your turn")[0]


def test_the_highest_card_of_the_suit_led_lies_on_gold():
    spans = screen(SHOWN["trick"], NOW).spans
    text = screen(SHOWN["trick"], NOW).plain
    gold = {text[span.start : span.end].strip() for span in spans if "wheat1" in str(span.style)}
    assert "9♠" in gold and "2♠" not in gold


def test_who_watches_sees_no_hand():
    """The drawing takes the hand from the document alone, which has none for him."""
    assert document(QUEENS, None)["view"]["hand"] is None
    assert "╭───╮╭───╮" not in drawn("watched")


def test_a_name_cannot_move_the_cursor_or_turn_the_line_around():
    match = document(QUEENS, 0)
    match["seats"][2]["player"]["name"] = "\x1b[2Jeve\u202e\r\n"
    text = screen(Shown(match), NOW).plain
    assert "[2Jeve" in text
    assert not {"\x1b", "\u202e", "\r"} & set(text)


def test_arabic_is_isolated_and_takes_the_cells_of_its_letters():
    assert safe("سلمى") == "\u2068سلمى\u2069"
    assert cell_len(safe("سلمى")) == 4
    assert safe("amal") == "amal"


def test_a_long_name_is_cut_and_its_isolation_kept():
    match = document(played("dananeer", after("queens", 22)), 0)
    match["seats"][3]["player"]["name"] = "سلمى " * 10
    line = next(line for line in screen(Shown(match), NOW).plain.splitlines() if "سلمى" in line)
    assert line.count("\u2068") == line.count("\u2069") == 1


def test_the_last_seconds_are_red():
    match = document(QUEENS, 0, deadline="2026-11-30T12:00:09Z")
    spans = screen(Shown(match), NOW).spans
    text = screen(Shown(match), NOW).plain
    assert [text[span.start : span.end].strip() for span in spans if span.style == "bold red"] == [
        "0:09 left"
    ]


def test_a_broken_connection_is_said_in_place_of_the_clock():
    assert "connection lost" in screen(Shown(document(QUEENS, 0), connected=False), NOW).plain


def test_long_refusals_take_room_from_the_log_not_from_the_hand():
    shown = SHOWN["refused"].but(notice="South cannot play 2H. " * 8)
    lines = screen(shown, NOW).plain.splitlines()
    assert len(lines) == 24
    assert any("│ K♠│" in line for line in lines)

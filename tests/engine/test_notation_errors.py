"""Records that are wrong: each fault has its code and names its place.

The faults are put into the example of the format by line: 1 to 7 tags, 9 to 15 a deal of trix, 17 to
23 a deal of queens.
"""

from io import BytesIO
from typing import NamedTuple

import pytest

from games.engine.notation import RecordError
from games.engine.reading import Replay, read_records, read_text
from games.engine.tags import LONGEST_LINE
from tests.engine.matches import FINAL, FRIDAY, good, refused

HANDS = "hands S:A.KQ974.K72.QJT9 E:JT4.A865.63.AK63 N:K863.T2.QT954.85 W:Q9752.J3.AJ8.742"
BARE_ACE = "S:985.Q852.97.KQT6 E:T3.T9764.KJT8.AJ N:AQ642.KJ3.AQ64.9 W:KJ7.A.532.875432"
NO_BARE = "S:.Q95.Q6.KQJT9864 E:KT93.8764.A743.7 N:AJ542.AJT2.J95.3 W:Q876.K3.KT82.A52"
FOUR_TWOS = "S:975.T9.AQJT9.K97 E:J862.2.K8732.632 N:3.K86543.5.QT854 W:AKQT4.AQJ7.64.AJ"
FIRST_OWNER = {2: '[Options "redeal=first_owner"]'}
BARE_HEART = {2: '[Options "redeal=bare_heart"]', 17: "deal 2 S king"}
NO_HEART_LEAD = {2: '[Options "lead_restriction=hearts_in_king"]', 17: "deal 2 S king", 19: "double KH"}
MUST_DUMP = {2: '[Options "must_dump=on"]', 17: "deal 2 S diamonds", 19: "play 4S JS TS QS 8C QC 9C TC"}


class Fault(NamedTuple):
    """Lines to replace, and what the error must say."""

    lines: dict[int, str]
    code: str
    line: int
    deal: int | None = None
    play: int | None = None
    card: str | None = None


FAULTS = {
    # -- tags
    "nothing opens the match": Fault({1: ""}, "rules_missing", 2),
    "a deal opens the match": Fault(dict.fromkeys(range(1, 8), ""), "rules_missing", 9),
    "rules nobody knows": Fault({1: '[Rules "bridge"]'}, "unknown_rules", 1),
    "an option nobody knows": Fault({2: '[Options "speed=high"]'}, "unknown_option", 2),
    "an option without a value": Fault({2: '[Options "doubling"]'}, "unknown_option", 2),
    "an option twice": Fault({2: '[Options "capot=on capot=on"]'}, "unknown_option", 2),
    "an option's value": Fault({2: '[Options "trix_end=soon"]'}, "bad_option_value", 2),
    "points beyond all bounds": Fault({2: '[Options "king_value=99999"]'}, "bad_option_value", 2),
    "options that do not go together": Fault(
        {2: '[Options "equal_count=split trix_values=4/3/2/1"]'}, "bad_option_value", 2
    ),
    "options twice": Fault({2: '[Options ""]', 3: '[Options ""]'}, "duplicate_tag", 3),
    "a known tag twice": Fault({5: '[South "basil"]'}, "duplicate_tag", 5),
    "an unknown tag twice": Fault({4: '[Umpire "a"]', 5: '[Umpire "b"]'}, "duplicate_tag", 5),
    "a tag in a deal": Fault({16: '[Event "late"]'}, "misplaced_tag", 16, 1),
    "a tag without quotation marks": Fault({2: "[Event Friday]"}, "malformed_tag", 2),
    "a tag without an end": Fault({2: '[Event "Friday"'}, "malformed_tag", 2),
    "something after a tag": Fault({2: '[Event "Friday"] # yes'}, "malformed_tag", 2),
    "a bare quotation mark in a tag": Fault({2: '[Event "Fri"day"]'}, "malformed_tag", 2),
    "an unknown escape": Fault({2: r'[Event "Fri\nday"]'}, "malformed_tag", 2),
    "a backslash before the end": Fault({2: '[Event "Friday\\"]'}, "malformed_tag", 2),
    "a name that is none": Fault({2: '[Évent "Friday"]'}, "malformed_tag", 2),
    "a date of another country": Fault({3: '[Date "30.11.2026"]'}, "bad_date", 3),
    "a day that never was": Fault({3: '[Date "2026-02-30"]'}, "bad_date", 3),
    "an hour that never was": Fault({3: '[Date "2026-11-30T25:00"]'}, "bad_date", 3),
    "a commitment too short": Fault({2: '[Commitment "abc"]'}, "bad_commitment", 2),
    "a seed in capitals": Fault({2: f'[Seed "{"AB" * 32}"]'}, "bad_seed", 2),
    # -- lines
    "a line of nothing known": Fault({11: "pass N"}, "unknown_line", 11, 1),
    "capitals": Fault({11: "PLAY JC"}, "unknown_line", 11, 1),
    "a null byte": Fault({11: "play JC\0JS"}, "control_character", 11, 1),
    "a carriage return within": Fault({11: "play JC\rplay JS"}, "control_character", 11, 1),
    "a control character in a tag": Fault({2: '[Event "a\x85b"]'}, "control_character", 2),
    "half of a surrogate pair": Fault({2: '[Event "\ud800"]'}, "invalid_utf8", 2),
    "a line without end": Fault({11: "play " + "JC " * 9999}, "line_too_long", 11, 1),
    "a comment without end": Fault({11: "#" * (LONGEST_LINE + 1)}, "line_too_long", 11, 1),
    "a comment after a contract": Fault({9: "deal 1 S trix # ours"}, "malformed_line", 9, 1),
    "a comment after a later contract": Fault({17: "deal 2 S queens # mine"}, "malformed_line", 17, 2),
    "a comment after plays": Fault({11: "play JC JS #nice"}, "malformed_line", 11, 1),
    "a line too long after a byte order mark": Fault(
        {11: "\ufeffplay JC JS" + " " * LONGEST_LINE}, "line_too_long", 11, 1
    ),
    # -- deals
    "a deal without a contract": Fault({9: "deal 1 S"}, "malformed_line", 9, 1),
    "a deal with too many words": Fault({9: "deal 1 S trix trix"}, "malformed_line", 9, 1),
    "a number that is none": Fault({9: "deal one S trix"}, "malformed_line", 9, 1),
    "a number with a nought": Fault({9: "deal 01 S trix"}, "malformed_line", 9, 1),
    "a foreign digit": Fault({9: "deal ١ S trix"}, "malformed_line", 9, 1),
    "a seat that is none": Fault({9: "deal 1 South trix"}, "malformed_line", 9, 1),
    "a first deal of another number": Fault({9: "deal 2 S trix"}, "wrong_deal_number", 9, 2),
    "a deal left out": Fault({17: "deal 3 S queens"}, "wrong_deal_number", 17, 3),
    "a deal twice": Fault({17: "deal 1 S queens"}, "wrong_deal_number", 17, 1),
    "an owner without 7H": Fault({9: "deal 1 E trix"}, "wrong_owner", 9, 1),
    "an owner out of turn": Fault({17: "deal 2 E queens"}, "wrong_owner", 17, 2),
    "a contract nobody knows": Fault({9: "deal 1 S bridge"}, "unknown_contract", 9, 1),
    "a contract of other rules": Fault({9: "deal 1 S complex"}, "contract_not_in_rules", 9, 1),
    "a contract played before": Fault({17: "deal 2 S trix"}, "contract_taken", 17, 2),
    "a deal that goes on": Fault({14: "", 15: ""}, "deal_not_over", 17, 1),
    "a deal not begun": Fault(dict.fromkeys(range(11, 16), ""), "deal_not_over", 17, 1),
    "a deal without hands": Fault(dict.fromkeys(range(10, 16), ""), "hands_missing", 17, 1),
    # -- the order of lines
    "hands without a deal": Fault({9: ""}, "misplaced_line", 10),
    "play without hands": Fault({10: ""}, "hands_missing", 11, 1),
    "hands twice": Fault({11: HANDS}, "misplaced_line", 11, 1),
    "doubles twice": Fault({20: "double QS"}, "misplaced_line", 20, 2),
    "doubles after play": Fault({19: "play 4S", 20: "double QS"}, "misplaced_line", 20, 2),
    "a score twice": Fault({16: "score S:50 E:100 N:200 W:150"}, "misplaced_line", 16, 1),
    "play after the score": Fault({16: "play JC"}, "misplaced_line", 16, 1),
    # -- hands
    "three hands": Fault({10: HANDS[: HANDS.index(" W")]}, "malformed_hands", 10, 1),
    "seats in another order": Fault({10: HANDS.replace("E:", "N:", 1)}, "malformed_hands", 10, 1),
    "three suits": Fault({10: HANDS.replace("A.KQ974", "AKQ974")}, "malformed_hands", 10, 1),
    "ten as 10": Fault({10: HANDS.replace("QJT9", "QJ109")}, "malformed_hands", 10, 1),
    "ranks low to high": Fault({10: HANDS.replace("K72", "27K")}, "malformed_hands", 10, 1),
    "a card twice in a hand": Fault({10: HANDS.replace("K72", "K77")}, "card_twice", 10, 1, card="7D"),
    "a card in two hands": Fault({10: HANDS.replace("K72", "KT7")}, "card_twice", 10, 1, card="TD"),
    "a card missing": Fault({10: HANDS.replace("K72", "K7")}, "card_missing", 10, 1, card="2D"),
    "fourteen and twelve cards": Fault(
        {10: HANDS.replace("K72", "K7").replace("63.A", "632.A")}, "wrong_hand_size", 10, 1
    ),
    # -- doubling
    "a double of nothing": Fault({19: "double"}, "malformed_line", 19, 2),
    "none doubled in words": Fault({19: "double none"}, "malformed_line", 19, 2),
    "a double of no card": Fault({19: "double QX"}, "malformed_card", 19, 2),
    "a double of another card": Fault({19: "double QS KH"}, "cannot_double", 19, 2, card="KH"),
    "a card doubled twice": Fault({19: "double QS QS"}, "card_twice", 19, 2, card="QS"),
    "doubling in trix": Fault({11: "double QS"}, "cannot_double", 11, 1, card="QS"),
    "doubling where it is off": Fault({2: '[Options "doubling=off"]'}, "cannot_double", 19, 2, card="QS"),
    # -- play
    "play of nothing": Fault({11: "play"}, "malformed_line", 11, 1),
    "a card that is none": Fault({11: "play JC jS"}, "malformed_card", 11, 1, 2, "jS"),
    "a pass in words": Fault({11: "play JC JS pass"}, "malformed_card", 11, 1, 3, "pass"),
    "a card of another hand": Fault({11: "play JC JS KH"}, "not_your_card", 11, 1, 3, "KH"),
    "a card played before": Fault({12: "play JC"}, "not_your_card", 12, 1, 17, "JC"),
    "a card that does not fit": Fault({11: "play KC"}, "not_your_card", 11, 1, 1, "KC"),
    "a card away from the row": Fault({11: "play JC KC"}, "illegal_card", 11, 1, 2, "KC"),
    "a pass with a legal card": Fault({11: "play JC -"}, "must_play", 11, 1, 2, "-"),
    "a pass in queens": Fault({20: "play 4S JS TS -"}, "cannot_pass", 20, 2, 4, "-"),
    "another suit than the led one": Fault({20: "play 4S JS KH"}, "must_follow_suit", 20, 2, 3, "KH"),
    "a card after the end": Fault({15: "play 2D"}, "deal_over", 15, 1, 64, "2D"),
    "a card after the fourth queen": Fault({23: "play 2C"}, "deal_over", 23, 2, 37, "2C"),
    "an option that forbids the lead": Fault(
        NO_HEART_LEAD | {20: "play 7H"}, "lead_restricted", 20, 2, 1, "7H"
    ),
    "an option that wants a diamond": Fault(
        MUST_DUMP | {20: "play 5S 2S 3S 8H"}, "must_dump", 20, 2, 12, "8H"
    ),
    # -- score
    "a wrong score": Fault({15: "score S:50 E:150 N:200 W:100"}, "wrong_score", 15, 1),
    "three scores": Fault({15: "score S:50 E:100 N:200"}, "malformed_score", 15, 1),
    "scores in another order": Fault({15: "score E:100 S:50 N:200 W:150"}, "malformed_score", 15, 1),
    "a score that is no number": Fault({15: "score S:fifty E:100 N:200 W:150"}, "malformed_score", 15, 1),
    "a score without an end": Fault({15: f"score S:{'9' * 5000} E:1 N:2 W:3"}, "malformed_score", 15, 1),
    "nought with a sign": Fault({23: "score S:-25 E:-0 N:-25 W:-50"}, "malformed_score", 23, 2),
    "a score too early": Fault({14: ""}, "deal_not_over", 15, 1),
    "a score before all doubles": Fault({20: "", 21: "", 22: "", 19: ""}, "deal_not_over", 23, 2),
    # -- redeal
    "a redeal nobody may have": Fault({11: HANDS.replace("hands", "redeal")}, "cannot_redeal", 11, 1),
    "a redeal in a later deal": Fault(FIRST_OWNER | {19: f"redeal {NO_BARE}"}, "cannot_redeal", 19, 2),
    "a redeal of no bare heart": Fault(BARE_HEART | {19: f"redeal {NO_BARE}"}, "cannot_redeal", 19, 2),
    "a bare heart that is played": Fault(BARE_HEART | {18: f"hands {BARE_ACE}"}, "redeal_missing", 19, 2),
    "second hands with a bare heart": Fault(
        BARE_HEART | {18: f"hands {BARE_ACE}", 19: f"redeal {BARE_ACE}"}, "must_redeal", 19, 2
    ),
    "second hands that are no deck": Fault(
        BARE_HEART | {18: f"hands {BARE_ACE}", 19: f"redeal {NO_BARE[:-1]}"}, "card_missing", 19, 2, card="2C"
    ),
    "four twos in a hand": Fault(
        {2: '[Options "redeal=four_twos"]', 18: f"hands {FOUR_TWOS}"}, "must_redeal", 18, 2
    ),
}


def with_lines(changes: dict[int, str]) -> str:
    lines = FRIDAY.splitlines()
    return "\n".join(changes.get(number, line) for number, line in enumerate(lines, start=1))


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_fault(fault: Fault) -> None:
    error = refused(with_lines(fault.lines))
    found = (error.code, error.line, error.deal, error.play, error.card)
    assert found == fault[1:], error
    assert (error.file, error.match) == ("a.trix", 1)
    assert error.message.endswith(".") and len(error.message) < 500


def test_second_hands_where_they_belong() -> None:
    """The bare heart that is an error above is none with second hands that have none."""
    lines = BARE_HEART | {18: f"hands {BARE_ACE}", 19: f"redeal {NO_BARE}", 20: "play QC"}
    match = good(with_lines(lines | dict.fromkeys((21, 22, 23), "")))
    assert match.state is not None and match.state.redealt


def test_a_match_has_no_deal_after_its_last() -> None:
    error = refused(FINAL + "deal 9 S trix\n")
    assert (error.code, error.deal, error.line) == ("match_over", 9, FINAL.count("\n") + 1)


def test_the_last_contract_of_a_kingdom_is_the_one_left() -> None:
    error = refused(FINAL.replace("deal 2 E trix", "deal 2 E complex"))
    assert error.code == "contract_taken"
    assert "left: trix" in error.message


def test_messages_say_what_would_be_right() -> None:
    error = refused(with_lines({11: "play JC JS KH"}))
    assert error.message == ("North cannot play KH: it does not hold KH. Legal: pass. KH is in South's hand.")
    assert str(error) == f"a.trix:11: match 1, deal 1, play 3: {error.message} [not_your_card]"
    assert refused(with_lines({12: "play JC"})).message == (
        "South cannot play JC: it does not hold JC, which was played before."
        " Legal: play 9H, play KH, play TC."
    )
    assert (
        "TH is dealt to North and to West"
        in refused(with_lines({10: HANDS.replace("J3.AJ8", "T3.AJ8")})).message
    )


MESSAGES = {
    "a word in capitals": (
        with_lines({9: "Deal 1 S trix"}),
        "No line begins with 'Deal'; lines begin with deal, hands, redeal, double, play, score, [ or #.",
    ),
    **{
        f"{card} for a card": (
            with_lines({11: f"play {card}"}),
            f"'{card}' is neither a card nor the pass -: write a rank of AKQJT98765432, T for ten, and a suit"
            " of SHDC, both in capitals, as in KH or TS.",
        )
        for card in ("jc", "10C", "J♣")
    },
    "a double of nobody": (
        with_lines({19: "double none"}),
        "Write double QS KH; leave the double line out when nobody doubled.",
    ),
    "a comment in a line": (with_lines({11: "play JC # led"}), "A comment needs a line of its own."),
    "lines of an old Macintosh": (
        FRIDAY.replace("\n", "\r"),
        "The line holds the control character '\\r'. Lines end with LF or CR LF.",
    ),
}


@pytest.mark.parametrize(("text", "message"), MESSAGES.values(), ids=MESSAGES)
def test_messages_for_what_people_write(text: str, message: str) -> None:
    assert refused(text).message == message


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_named(encoding: str) -> None:
    error, *_ = read_records(BytesIO(("\ufeff" + FRIDAY).encode(encoding)))
    assert isinstance(error, RecordError)
    assert (error.code, error.message) == ("invalid_utf8", "This is UTF-16: save the file as UTF-8.")


# -- one match of many ---------------------------------------------------------------------------

BROKEN = with_lines({11: "play KC"})


def codes(text: str) -> list[tuple[int | None, str | None]]:
    return [(found.match, getattr(found, "code", None)) for found in read_text(text)]


def test_a_match_that_fails_does_not_stop_the_others() -> None:
    text = "\n".join([FRIDAY, BROKEN, FINAL, '[Rules "whist"]\n\0\0\n[broken\n', FRIDAY])
    assert codes(text) == [(1, None), (2, "not_your_card"), (3, None), (4, "unknown_rules"), (5, None)]


def test_what_stands_before_the_first_match_is_an_error_of_its_own() -> None:
    assert codes("hello\nworld\n" + FRIDAY) == [(1, "rules_missing"), (2, None)]


def test_a_broken_rules_tag_opens_a_match_all_the_same() -> None:
    assert codes(FRIDAY + "\n[Rules dananeer]\n" + FRIDAY) == [(1, None), (2, "malformed_tag"), (3, None)]


@pytest.mark.parametrize(
    ("start", "code"),
    [
        ('[rules "eram"]', "rules_missing"),
        ('[Event "x"]', "rules_missing"),
        ("  [broken", "malformed_tag"),
        ("Deal 1 S trix", "rules_missing"),
        ("\0", "control_character"),
        ("\x1a", "control_character"),
    ],
)
def test_a_broken_start_of_a_match_does_not_harm_a_whole_one_before_it(start: str, code: str) -> None:
    """It counts as a match of its own, up to the next Rules."""
    text = f'{FINAL}\n# next\n{start}\n[South "x"]\ndeal 1 S trix\n\n{FINAL}'
    assert codes(text) == [(1, None), (2, code), (3, None)]
    error = list(read_text(text))[1]
    assert isinstance(error, RecordError) and error.line == FINAL.count("\n") + 3


def test_a_tag_ends_a_whole_match_that_has_no_last_score() -> None:
    unscored = FINAL[: FINAL.rindex("score")]
    assert codes(unscored + '[Event "x"]\n') == [(1, None), (2, "rules_missing")]
    assert codes(unscored + "scroe S:1 E:2 N:3 W:4\n") == [(1, "unknown_line")]


def test_lines_of_a_deal_after_the_last_are_errors_of_the_match() -> None:
    assert codes(FINAL + "play 2C\n" + FINAL) == [(1, "misplaced_line"), (2, None)]
    assert codes(FINAL + "score S:0 E:0 N:0 W:0\n") == [(1, "misplaced_line")]
    assert codes(FINAL[: FINAL.rindex("score")] + "score S:0 E:0 N:0 W:0\n") == [(1, "wrong_score")]


def test_files_put_together_keep_their_byte_order_marks() -> None:
    marked = "\ufeff" + FINAL
    assert codes(marked + marked + "\ufeff# and\n" + marked) == [(1, None), (2, None), (3, None)]


def test_comments_outside_matches_are_not_looked_into() -> None:
    comment = b"# \xff\0" + b"x" * LONGEST_LINE + b"\n"
    content = comment + FINAL.encode() + comment + FINAL.encode() + comment
    assert [type(found) for found in read_records(BytesIO(content))] == [Replay, Replay]


def test_bytes_that_are_no_text_cost_one_match() -> None:
    stream = BytesIO(FRIDAY.encode() + b'[Rules "eram"]\n[Event "\xff"]\n' + FRIDAY.encode())
    found = list(read_records(stream))
    assert isinstance(found[0], Replay) and isinstance(found[2], Replay)
    assert isinstance(found[1], RecordError)
    assert (found[1].code, found[1].line) == ("invalid_utf8", 25)


@pytest.mark.parametrize("text", ["", "\n \n", "# only a comment\n", "\ufeff"])
def test_a_file_without_a_match_is_an_error(text: str) -> None:
    assert codes(text) == [(None, "no_match")]

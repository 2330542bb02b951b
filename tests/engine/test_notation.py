"""Records that are right: what they say, what may be written differently, and the canonical text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    PASS,
    Contract,
    Phase,
    legal_actions,
    match_result,
    new_match,
    options_for,
    parse_action,
    submit,
    to_act,
)
from games.engine.cards import CARD_OF_TEXT
from games.engine.notation import (
    Record,
    RecordError,
    record_deal,
    with_comments,
    write_record,
    write_records,
)
from games.engine.reading import Replay, read_records, read_text
from games.engine.shuffle import deal_hands
from games.engine.tags import LONGEST_LINE
from tests.engine.matches import FINAL, FRIDAY, RECORDS, good, random_record, recipes

TRIX = """[Rules "dananeer"]
deal 1 S trix
hands S:A.KQ974.K72.QJT9 E:JT4.A865.63.AK63 N:K863.T2.QT954.85 W:Q9752.J3.AJ8.742
"""


# -- what a record says --------------------------------------------------------------------------


def test_the_example_of_the_format_is_read() -> None:
    match = good(FRIDAY)
    assert match.record.rules == "dananeer"
    assert match.record.tags == {
        "Event": "Friday league",
        "Date": "2026-11-30",
        "South": "amal",
        "East": "basil",
        "North": "carla",
        "West": "daoud",
    }
    trix, queens = match.record.deals
    assert (trix.number, trix.owner, trix.contract, trix.scores) == (1, 0, Contract.TRIX, (50, 100, 200, 150))
    assert trix.plays[:4] == (CARD_OF_TEXT["JC"], CARD_OF_TEXT["JS"], PASS, CARD_OF_TEXT["QS"])
    assert (queens.number, queens.owner, queens.contract) == (2, 0, Contract.QUEENS)
    assert queens.doubled == sum(1 << CARD_OF_TEXT[card] for card in ("QS", "QH", "QC"))


def test_the_scores_of_the_example_are_those_of_the_rule_page() -> None:
    """Queens, worked by hand: QS, QH and QC are taken by their doublers on another's lead (D: −50
    and +25 to the leader: South, East, North), QD undoubled by East."""
    match = good(FRIDAY)
    assert [result.scores for result in match.results] == [(50, 100, 200, 150), (-25, 0, -25, -50)]


def test_the_last_position_is_there_to_go_on_from() -> None:
    match = good(TRIX + "play JC JS\n")
    assert match.state is not None
    assert (match.state.phase, to_act(match.state)) == (Phase.PLAY, (2,))
    assert list(legal_actions(match.state, 2)) == [PASS]


def test_a_whole_match_with_everything_in_it() -> None:
    match = good(FINAL)
    assert match.record.options == options_for(
        "cardkings-complex-partners", {"doubling": "on", "equal_count": "split"}
    )
    assert match.record.tags["Event"] == 'Final "A" \\ Doha'
    assert match.record.tags["South"] == "آمال"
    assert match.record.tags["Arbiter"] == "Zoë"
    assert match_result(match.record.options, match.results).totals == (280, -245, -135, 0)


def test_collections_is_ltoosh() -> None:
    match = good(TRIX.replace("trix", "collections"))
    assert match.record.deals[0].contract is Contract.LTOOSH
    assert "deal 1 S ltoosh" in write_record(match.record)


# -- a match may stop anywhere -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["friday.trix", "final.trix"])
def test_a_match_may_stop_after_any_line(name: str) -> None:
    lines = (RECORDS / name).read_text().splitlines(keepends=True)
    for stop in range(1, len(lines) + 1):
        good("".join(lines[:stop]))


def test_a_match_may_stop_after_any_play() -> None:
    before, _, rest = FRIDAY.partition("play ")
    plays = rest[: rest.index("score")].replace("play", "").split()
    for stop in range(1, len(plays) + 1):
        match = good(f"{before}play {' '.join(plays[:stop])}")
        assert len(match.record.deals[0].plays) == stop


def test_without_double_line_or_play_the_doubling_is_under_way() -> None:
    deal = TRIX.replace("trix", "queens")
    doubling, doubled, undoubled = good(deal), good(deal + "double QS"), good(deal + "play 9H")
    assert doubling.state is not None and doubling.state.phase is Phase.DOUBLE
    assert doubled.state is not None and doubled.state.phase is Phase.PLAY
    assert doubled.state.doubled == {CARD_OF_TEXT["QS"]: 3}
    assert undoubled.state is not None and undoubled.state.doubled == {}


# -- what may be written differently -------------------------------------------------------------


VARIANTS = {
    "CR LF": FRIDAY.replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + FRIDAY,
    "comments": FRIDAY.replace("\n", "\n\n# a comment, [Rules too, and كلام\n"),
    "blanks at the end of lines": FRIDAY.replace("\n", " \t\n"),
    "blank lines, no last line feed": "\n\n" + FRIDAY.rstrip(),
    "indented, tabs": FRIDAY.replace("play ", "  play\t "),
    "one play line more": FRIDAY.replace(" QC TS", "\nplay QC TS"),
    "no score": FRIDAY.replace("score S:-25 E:0 N:-25 W:-50\n", ""),
    "another order of doubles": FRIDAY.replace("QS QH QC\n", "QC QH QS\n"),
    "options of the preset": FRIDAY.replace(
        '"dananeer"]', '"dananeer"]\n[Options "early_end=on  tie=shared"]'
    ),
    "another order of tags": FRIDAY.replace('[South "amal"]\n', "").replace(
        "\n\ndeal 1", '\n[South "amal"]\n\ndeal 1'
    ),
}


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_other_ways_to_write_the_same_match(variant: str) -> None:
    match = good(variant)
    assert write_record(match.record) == FRIDAY


def test_a_date_may_have_a_time() -> None:
    for date in ("2026-11-30T18:05", "2026-11-30T18:05:59Z", "2026-11-30T18:05:59.123456+03:00"):
        assert good(f'[Rules "eram"]\n[Date "{date}"]').record.tags["Date"] == date


def test_rules_twice_are_two_matches() -> None:
    first, second = read_text('[Rules "eram"]\n[Rules "cardkings"]')
    assert isinstance(first, Replay) and isinstance(second, Replay)
    assert (first.record.rules, second.record.rules) == ("eram", "cardkings")


# -- the canonical text --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["friday.trix", "final.trix"])
def test_golden_files_come_out_as_they_are(name: str) -> None:
    with (RECORDS / name).open("rb") as stream:
        (match,) = read_records(stream, name)
    assert isinstance(match, Replay)
    assert write_record(match.record).encode() == (RECORDS / name).read_bytes()


@given(recipe=recipes)
def test_what_is_written_is_read_again(recipe: tuple) -> None:
    record = random_record(*recipe)
    text = write_record(record)
    match = good(text)
    assert match.record == record
    assert write_record(match.record) == text


@given(recipes=st.lists(recipes, max_size=3))
def test_many_matches_in_a_file(recipes: list[tuple]) -> None:
    records = [random_record(*recipe) for recipe in recipes]
    text = write_records(records)
    matches = list(read_text(text, "a.trix"))
    if not records:
        assert [match.code for match in matches if isinstance(match, RecordError)] == ["no_match"]
        return
    assert [match.match for match in matches] == list(range(1, len(records) + 1))
    assert [match.record for match in matches if isinstance(match, Replay)] == records


@given(st.dictionaries(st.sampled_from(["Event", "South", "Match", "Arbiter", "x_1"]), st.text()))
def test_any_text_may_stand_in_a_tag(tags: dict[str, str]) -> None:
    """But for control characters and halves of surrogate pairs, which are replaced."""
    written = write_record(Record("eram", options_for("eram"), tags))
    read = good(written).record.tags
    assert read == {name: _printable(value) for name, value in tags.items()}
    assert write_record(good(written).record) == written


def _printable(value: str) -> str:
    replaced = "".join(" " if c < " " or "\x7f" <= c <= "\x9f" else c for c in value)
    return replaced.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@pytest.mark.parametrize(
    "tags",
    [
        {"2nd": "v"},
        {"_x": "v"},
        {"": "v"},
        {"x y": "v"},
        {"Évent": "v"},
        {"Event\n": "v"},
        {"Rules": "eram"},
        {"Options": ""},
        {"Date": "30.11.2026"},
        {"Date": ""},
        {"Commitment": "abc"},
        {"Seed": "AB" * 32},
        {"Event": "x" * LONGEST_LINE},
        {"Event": "é" * (LONGEST_LINE // 2)},
        {"Event": '"' * (LONGEST_LINE // 2)},
    ],
)
def test_tags_that_no_record_can_hold_are_not_written(tags: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"\.$") as refused:
        write_record(Record("eram", options_for("eram"), tags))
    assert len(str(refused.value)) < 300


def test_the_longest_tag_is_read_again() -> None:
    value = "x" * (LONGEST_LINE - len('[Event ""]'))
    assert (
        good(write_record(Record("eram", options_for("eram"), {"Event": value}))).record.tags["Event"]
        == value
    )


def test_a_redealt_match_has_both_hands() -> None:
    """Some random match of each option is dealt again, and comes out as it went in."""
    for redeal in ("first_owner", "bare_heart"):
        records = (random_record("dananeer", {"redeal": redeal}, seed) for seed in range(100))
        record = next(record for record in records if any(deal.redealt for deal in record.deals))
        text = write_record(record)
        assert "\nredeal S:" in text
        assert good(text).record == record


def test_unrevealed_doubles_stay_out_of_the_record() -> None:
    state = good(TRIX.replace("trix", "queens")).state
    assert state is not None
    hands = tuple(state.hands)
    before = record_deal(state, hands)
    submit(state, 3, parse_action("double QS", 3))
    assert state.phase is Phase.DOUBLE
    assert record_deal(state, hands) == before


def test_a_deal_without_a_contract_is_not_recorded() -> None:
    dealt = deal_hands(bytes(32), 1, options_for("eram"))
    assert record_deal(new_match(options_for("eram"), dealt.hands), dealt.hands) is None


# -- with comments -------------------------------------------------------------------------------


def test_comments_stand_below_their_lines_and_change_nothing_that_is_read() -> None:
    text = write_record(good(FRIDAY).record)
    said = {(0, 0): ["of all"], (1, 0): ["chose well"], (2, 1): ["first"], (2, 17): ["last", "again"]}
    commented = with_comments(text, said)
    assert good(commented).results == good(text).results
    assert "".join(line for line in commented.splitlines(True) if not line.startswith("#")) == text
    lines = commented.splitlines()
    before = {line: lines[at - 1] for at, line in enumerate(lines) if line.startswith("#")}
    assert before["# of all"] == '[West "daoud"]'
    assert before["# chose well"] == "deal 1 S trix"
    assert before["# first"].startswith("play 4S ")
    assert before["# last"].startswith("play 5H ") and before["# again"] == "# last"

"""Nothing that a file may hold brings the reader down: matches or RecordErrors come out, no more."""

import re
from io import BytesIO
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from games.engine.notation import RecordError, write_record
from games.engine.reading import Replay, read_records, read_text
from games.engine.replay import replay_report, report, verify_report
from tests.engine.matches import FINAL, FRIDAY, good, random_record, recipes
from tests.engine.test_notation_errors import FAULTS

DOCUMENTED = set(
    re.findall(r"`([a-z_0-9]+)`", (Path(__file__).parents[2] / "docs" / "notation.md").read_text())
)
WORDS = sorted(
    {*FINAL.split(), *FRIDAY.split(), "deal", "redeal", "10", "QS,QH", "[Rules", '"eram"]', "#", "\0"}
)
SOUP = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=12).map("\n".join)


def check(content: bytes) -> None:
    for found in read_records(BytesIO(content), "a.trix"):
        assert isinstance(found, Replay | RecordError)
        assert report(found, replay_report)["file"] == "a.trix"
        assert report(found, verify_report)["file"] == "a.trix"
        if isinstance(found, RecordError):
            assert found.code in DOCUMENTED
        else:
            assert write_record(good(write_record(found.record)).record) == write_record(found.record)


@given(st.binary(max_size=300))
@example(b"\r")
@example(b"\xef\xbb\xbf\xef\xbb\xbf")
@example(b"[Rules")
@example(b"[Rules\xff")
def test_bytes(content: bytes) -> None:
    check(content)


@given(st.text(max_size=300))
def test_text(content: str) -> None:
    for found in read_text(content):
        assert isinstance(found, Replay | RecordError)


@given(SOUP)
def test_words_of_records_in_any_order(content: str) -> None:
    check(f'[Rules "dananeer"]\n{content}'.encode())


@given(
    st.sampled_from([FRIDAY, FINAL]).map(str.encode),
    st.lists(st.tuples(st.integers(0, 6000), st.integers(0, 8), st.binary(max_size=4)), max_size=3),
)
def test_records_with_bytes_replaced(content: bytes, edits: list[tuple[int, int, bytes]]) -> None:
    for start, length, new in edits:
        start %= len(content)
        content = content[:start] + new + content[start + length :]
    check(content)


@given(recipes, st.data())
def test_records_with_two_words_exchanged(recipe: tuple, data: st.DataObject) -> None:
    words = re.split("( |\n)", write_record(random_record(*recipe)))
    i, j = (data.draw(st.integers(0, (len(words) - 1) // 2)) * 2 for _ in range(2))
    words[i], words[j] = words[j], words[i]
    check("".join(words).encode())


def test_every_code_is_documented() -> None:
    assert {fault.code for fault in FAULTS.values()} <= DOCUMENTED

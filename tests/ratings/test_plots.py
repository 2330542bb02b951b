"""The plots: where steps, links and marks are, and that any numbers and names make sound SVG."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.plots import HEIGHT, LEFT, RIGHT, WIDTH, Mark, Point, histogram, history, ticks_over

NAMES = st.characters(min_codepoint=32, exclude_categories=["Cs", "Cn"])
VALUES = st.floats(-3000, 6000)


def point(value: float, provisional: bool = False, words: str = "") -> Point:
    return Point(value, "/there/#1", words, provisional)


def drawn(points, before=1500.0, marks=()) -> ET.Element:
    return ET.fromstring(history(before, points, marks, "A title", "What it shows"))


def paths(svg: ET.Element) -> list[tuple[str, str]]:
    return [(path.get("class"), path.get("d")) for path in svg.iter("path")]


class TestHistory:
    def test_a_match_is_a_link_with_words_in_the_middle_of_its_step(self):
        svg = drawn([point(1532, words="match 1"), point(1500)])
        first, second = svg.iter("a")
        assert (first.get("href"), first.find("title").text) == ("/there/#1", "match 1")
        middle = (LEFT + WIDTH - RIGHT) / 2
        assert float(first.find("circle").get("cx")) < middle < float(second.find("circle").get("cx"))
        assert float(first.find("circle").get("cy")) < float(second.find("circle").get("cy"))

    def test_the_line_holds_until_the_next_match_and_runs_to_the_edge(self):
        svg = drawn([point(1600, provisional=True), point(1550)])
        (_, dashed), (_, solid) = paths(svg)
        assert (dashed.count("H"), solid.count("H")) == (2, 1)
        assert solid.endswith(f"H{WIDTH - RIGHT:.1f}")

    def test_what_is_provisional_is_dashed_and_the_rest_is_not(self):
        kinds = [kind for kind, _ in paths(drawn([point(1600, provisional=True)] * 3))]
        assert kinds == ["line dashed"]
        svg = drawn([*[point(1600, provisional=True)] * 3, point(1650)])
        assert [kind for kind, _ in paths(svg)] == ["line dashed", "line"]
        assert [circle.get("class") for circle in svg.iter("circle")] == ["open", "open", "open", "dot"]

    def test_a_recalculation_is_a_line_between_two_matches(self):
        svg = drawn([point(1600), point(1650)], marks=[Mark(1, "annulled")])
        (mark,) = (group for group in svg.iter("g"))
        assert mark.find("title").text == "annulled"
        assert float(mark.find("line").get("x1")) == (LEFT + WIDTH - RIGHT) / 2

    def test_is_named_and_its_links_are_not_in_the_way_of_the_keyboard(self):
        svg = drawn([point(1600)])
        assert (svg.get("role"), svg.get("aria-label")) == ("group", "A title")
        assert [link.get("tabindex") for link in svg.iter("a")] == ["-1"]

    @given(st.lists(st.tuples(VALUES, st.booleans(), st.text(NAMES)), min_size=1))
    def test_nothing_leaves_the_picture_and_no_name_breaks_it(self, rows):
        svg = drawn([point(*row) for row in rows])
        for circle in svg.iter("circle"):
            assert LEFT <= float(circle.get("cx")) <= WIDTH - RIGHT
            assert 0 <= float(circle.get("cy")) <= HEIGHT
        assert [title.text or "" for title in svg.iter("title")] == [words for _, _, words in rows]


class TestHistogram:
    def test_bars_are_as_high_as_their_counts(self):
        svg = ET.fromstring(histogram([(1450, 1), (1500, 4), (1550, 0)], 50, "A title", ""))
        heights = [float(bar.get("height")) for bar in svg.iter("rect")]
        assert heights[1] == pytest.approx(4 * heights[0], abs=0.3)
        assert heights[2] == 0
        assert [bar.find("title").text for bar in svg.iter("rect")][1] == "1500 to 1550: 4"

    @pytest.mark.parametrize("here", [1000.0, 1475.0, 2210.5])
    def test_the_mark_is_in_the_picture_wherever_it_is(self, here):
        svg = ET.fromstring(histogram([(1450, 2)], 50, "A title", "", here))
        (mark,) = (line for line in svg.iter("line") if line.get("class") == "here")
        assert LEFT <= float(mark.get("x1")) <= WIDTH - RIGHT


class TestTicks:
    def test_are_round_and_enclose(self):
        assert ticks_over(1468.2, 1532) == [1460, 1480, 1500, 1520, 1540]
        assert ticks_over(1500, 1500) == [1500, 1510]
        assert ticks_over(-20, 30) == [-20, -10, 0, 10, 20, 30]

    @given(VALUES, VALUES)
    def test_are_a_few(self, one, two):
        low, high = sorted((one, two))
        ticks = ticks_over(low, high)
        assert ticks[0] <= low and high <= ticks[-1]
        assert 2 <= len(ticks) <= 8

"""Plots: what is drawn where, what links where, and that long histories stay small."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.plots import (
    BIN,
    HEIGHT,
    LEFT,
    MOST_POINTS,
    RIGHT,
    WIDTH,
    Mark,
    Point,
    bin_of,
    histogram,
    history,
    round_numbers,
    thinned,
)

SVG = "{http://www.w3.org/2000/svg}"


def points(*ratings: float, provisional: int = 20) -> list[Point]:
    return [
        Point(number, rating, number < provisional, f"Match {number}", f"#classic-{number}")
        for number, rating in enumerate(ratings, 1)
    ]


def drawn(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def of_class(svg: str, name: str) -> list[ElementTree.Element]:
    return [element for element in drawn(svg).iter() if element.get("class") == name]


def words(svg: str) -> list[str]:
    return [element.text or "" for element in drawn(svg).iter(f"{SVG}text")]


def plot(*ratings: float, marks: tuple[Mark, ...] = (), provisional: int = 20) -> str:
    return history(points(*ratings, provisional=provisional), marks, 1500.0, "Rating of amal in Classic")


class TestHistory:
    def test_is_a_picture_with_a_title_and_a_description(self):
        svg = drawn(plot(1532, 1510, marks=(Mark(1, "Annulled"),)))
        assert svg.get("role") == "img"
        title, description = svg.find(f"{SVG}title"), svg.find(f"{SVG}desc")
        assert title.text == "Rating of amal in Classic"
        assert description.text == (
            "From 1500 to 1510 in 2 rated matches, 1532 at most and 1510 at least. 1 recalculation."
        )

    def test_each_point_links_to_its_match_and_says_what_it_was(self):
        links = list(drawn(plot(1532, 1510)).iter(f"{SVG}a"))
        assert [link.get("href") for link in links] == ["#classic-1", "#classic-2"]
        assert [link.find(f"{SVG}title").text for link in links] == ["Match 1", "Match 2"]
        assert {link.get("tabindex") for link in links} == {"-1"}

    def test_goes_level_to_each_match_and_then_to_what_came_of_it(self):
        (line,) = of_class(plot(1550, 1500, provisional=0), "line")
        start, *steps = re.findall(r"[MHV][\d. ]+", line.get("d"))
        heights = [step[1:] for step in steps if step[0] == "V"]
        assert start.startswith(f"M{LEFT}.0 ") and [step[0] for step in steps] == ["H", "V", "H", "V"]
        assert start.split()[1] == heights[1] != heights[0]

    def test_is_dashed_while_provisional_and_goes_on_from_there(self):
        dashed, solid = of_class(plot(1510, 1520, 1530, 1540, provisional=3), "line")
        assert dashed.get("stroke-dasharray") and not solid.get("stroke-dasharray")
        assert dashed.get("d").count("H") == solid.get("d").count("H") == 2
        joint = re.findall(r"[\d.]+", dashed.get("d"))[-2:]
        assert re.findall(r"[\d.]+", solid.get("d"))[:2] == joint

    def test_marks_recalculations_between_matches_with_their_note(self):
        svg = plot(*[1500.0] * 10, marks=(Mark(4, "Annulled: <one> & two"), Mark(10, "Rebuilt")))
        notes = [group.find(f"{SVG}title").text for group in drawn(svg).iter(f"{SVG}g")]
        assert notes == ["Annulled: <one> & two", "Rebuilt"]
        one, _, last, _ = (float(re.search(r"M([\d.]+)", mark.get("d"))[1]) for mark in of_class(svg, "mark"))
        width = WIDTH - LEFT - RIGHT
        assert (one, last) == (pytest.approx(LEFT + width * 0.45, abs=0.1), WIDTH - RIGHT)

    def test_of_nothing_says_so(self):
        svg = plot()
        assert "No rated match yet" in svg
        assert not of_class(svg, "line")

    def test_has_round_numbers_on_its_axes(self):
        assert words(plot(*[1511.3] * 137))[:-1] == [
            *("1480", "1490", "1500", "1510", "1520", "1530", "1540"),
            *("0", "50", "100"),
        ]

    @given(st.lists(st.floats(-500, 4000), min_size=1, max_size=40))
    def test_lies_within_its_frame(self, ratings):
        for circle in of_class(plot(*ratings), "point"):
            assert LEFT <= float(circle.get("cx")) <= WIDTH - RIGHT
            assert 0 <= float(circle.get("cy")) <= HEIGHT

    def test_of_thousands_of_matches_stays_small(self):
        svg = plot(*(1500 + number % 97 for number in range(20_000)))
        assert len(of_class(svg, "point")) <= MOST_POINTS
        assert len(svg) < 150_000


class TestThinned:
    @given(st.lists(st.floats(0, 3000), max_size=300), st.integers(4, 60))
    def test_keeps_the_ends_and_every_extreme_in_their_order(self, ratings, most):
        every = points(*ratings)
        kept = thinned(every, most)
        assert len(kept) <= most and set(kept) <= set(every)
        assert kept == sorted(kept)
        if every:
            assert (kept[0], kept[-1]) == (every[0], every[-1])
            assert max(point.rating for point in kept) == max(ratings)
            assert min(point.rating for point in kept) == min(ratings)

    def test_leaves_a_short_history_alone(self):
        assert thinned(points(1, 2, 3)) == points(1, 2, 3)


class TestRoundNumbers:
    @given(st.integers(-40_000, 40_000), st.integers(4, 40_000))
    def test_are_even_steps_around_what_they_are_for(self, low, span):
        low, high = low / 8, (low + span) / 8
        values = round_numbers(low, high, 6, 1, around=True)
        assert values[0] <= low and values[-1] >= high
        assert 2 <= len(values) <= 8
        assert len({two - one for one, two in pairwise(values)}) == 1

    def test_lie_within_if_not_around(self):
        assert round_numbers(0, 137, 6, 1) == [0, 50, 100]
        assert round_numbers(0, 1, 6, 1) == [0, 1]


class TestHistogram:
    def test_has_a_bar_for_each_bin_and_marks_ones_own(self):
        svg = histogram({1450: 3, 1500: 7, 1600: 1}, 1523.0, "Ratings in Classic")
        bars, (own, arrow) = of_class(svg, "bar"), of_class(svg, "own")
        assert len(bars) == 2 and own.tag == f"{SVG}rect" and arrow.tag == f"{SVG}path"
        titles = [group.find(f"{SVG}title").text for group in drawn(svg).iter(f"{SVG}g")]
        assert titles == ["1450 to 1500: 3 players", "1500 to 1550: 7 players", "1600 to 1650: 1 player"]
        assert "The marked bar is that of 1500 to 1550." in svg

    def test_heights_are_as_the_numbers_of_players(self):
        svg = histogram({1450: 3, 1500: 9}, None, "Ratings in Classic")
        low, high = (float(bar.get("height")) for bar in of_class(svg, "bar"))
        assert high == pytest.approx(3 * low, rel=0.01)

    def test_of_nobody_says_so(self):
        assert "Nobody is listed yet." in histogram({}, None, "Ratings in Classic")

    def test_shows_where_a_rating_is_that_no_bar_has(self):
        svg = histogram({1450: 3}, 2310.0, "Ratings in Classic")
        (arrow,) = of_class(svg, "own")
        assert arrow.tag == f"{SVG}path"

    @pytest.mark.parametrize(("rating", "low"), [(1500, 1500), (1549.9, 1500), (1550, 1550), (-0.1, -BIN)])
    def test_a_bin_has_its_lower_end(self, rating, low):
        assert bin_of(rating) == low

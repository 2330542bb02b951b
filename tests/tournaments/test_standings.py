"""Standings follow from the results of tables alone."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.maths import PARTNERS, SINGLES, places
from tournaments.standings import PlayedTable, standings, table_points

HALF = Fraction(1, 2)
BASIC = ("table_points", "total_score", "opponents", "firsts", "seconds")


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        ((300, 100, -100, -300), (4, 2, 1, 0)),
        ((-300, 100, 300, -100), (0, 2, 4, 1)),
        ((200, 200, -100, -300), (3, 3, 1, 0)),
        ((200, 0, 0, -200), (4, 3 * HALF, 3 * HALF, 0)),
        ((200, 0, -100, -100), (4, 2, HALF, HALF)),
        ((100, 100, 100, -300), (Fraction(7, 3),) * 3 + (0,)),
        ((0, 0, 0, 0), (Fraction(7, 4),) * 4),
    ],
)
def test_table_points_by_place_and_shared_by_ties(scores, points):
    assert table_points(scores) == points


def test_partners_both_get_the_place_of_their_team():
    scores = (-50, 400, 300, -650)  # S and N have 250, E and W -250
    assert table_points(scores, partners=True) == (3, HALF, 3, HALF)
    table = PlayedTable((1, 2, 3, 4), scores, partners=True)
    lines = standings([1, 2, 3, 4], [table], ["table_points", "total_score", "seconds"])
    assert [(line.rank, line.entry, line.values) for line in lines] == [
        (1, 1, (3, 250, 0)),
        (1, 3, (3, 250, 0)),
        (3, 2, (HALF, -250, 1)),
        (3, 4, (HALF, -250, 1)),
    ]


def test_teams_that_tie_share_all_places():
    table = PlayedTable((1, 2, 3, 4), (100, 50, -100, -50), partners=True)
    assert {line.values for line in standings([1, 2, 3, 4], [table], ["firsts"])} == {(1,)}
    assert table_points((100, 50, -100, -50), partners=True) == (Fraction(7, 4),) * 4


def test_each_metric_of_a_small_league():
    first = PlayedTable((1, 2, 3, 4), (300, 100, -100, -300))
    second = PlayedTable((4, 3, 2, 1), (500, -100, -100, -300))
    lines = {line.entry: line for line in standings([1, 2, 3, 4], [first, second], BASIC)}
    third = Fraction(3, 2)
    # table points: 1 → 4+0, 2 → 2+1.5, 3 → 1+1.5, 4 → 0+4
    assert [lines[e].values[0] for e in (1, 2, 3, 4)] == [4, 2 + third, 1 + third, 4]
    assert [lines[e].values[1] for e in (1, 2, 3, 4)] == [0, 0, -200, 200]
    # opponents, met twice each: all 14 points less one's own
    assert [lines[e].values[2] for e in (1, 2, 3, 4)] == [20, 21, 23, 20]
    assert [lines[e].values[3] for e in (1, 2, 3, 4)] == [1, 0, 0, 1]
    assert [lines[e].values[4] for e in (1, 2, 3, 4)] == [0, 2, 1, 0]
    assert [(lines[e].rank, lines[e].played) for e in (4, 1, 2, 3)] == [(1, 2), (2, 2), (3, 2), (4, 2)]


def test_equal_players_have_an_equal_rank_and_keep_their_order():
    tables = [
        PlayedTable((1, 2, 3, 4), (300, 100, -100, -300)),
        PlayedTable((5, 6, 7, 8), (300, 100, -100, -300)),
    ]
    for entries in ([1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]):
        lines = standings(entries, tables)
        assert [line.rank for line in lines] == [1, 1, 3, 3, 5, 5, 7, 7]
        assert [line.entry for line in lines] == sorted(
            entries, key=lambda e: ((e - 1) % 4, entries.index(e))
        )


def test_a_bot_has_no_standing_but_its_table_counts():
    # The bot won: 1 is second at it. A bot's opponents count it as the mean entry: (2+1+0)/3 = 1.
    lines = standings([1, 2, 3], [PlayedTable((None, 1, 2, 3), (400, 100, -100, -400))], BASIC)
    assert [(line.entry, line.values) for line in lines] == [
        (1, (2, 100, 1 + 1 + 0, 0, 1)),
        (2, (1, -100, 1 + 2 + 0, 0, 0)),
        (3, (0, -400, 1 + 2 + 1, 0, 0)),
    ]


def test_who_never_played_is_last_and_does_not_share_a_rank_by_accident():
    lines = standings([9, 1, 2, 3, 4], [PlayedTable((1, 2, 3, 4), (300, 100, -100, -300))])
    assert [(line.entry, line.rank, line.played) for line in lines] == [
        (1, 1, 1), (2, 2, 1), (3, 3, 1), (9, 4, 0), (4, 5, 1)
    ]  # fmt: skip


def test_withdrawn_players_are_not_ranked_first_but_by_what_they_reached():
    withdrawn = 4  # played only round one and lost; the caller lists it like every other entry
    tables = [
        PlayedTable((1, 2, 3, withdrawn), (300, 100, -100, -300)),
        PlayedTable((1, 2, 3, None), (300, 100, -100, -300)),
    ]
    lines = standings([withdrawn, 1, 2, 3], tables)
    assert [line.entry for line in lines] == [1, 2, 3, withdrawn]


def test_an_unknown_metric_is_named():
    with pytest.raises(ValueError, match="no metric 'luck'; there are table_points"):
        standings([1], [], ["luck"])


scores = st.lists(st.integers(-2000, 2000) | st.integers(0, 1), min_size=4, max_size=4).map(tuple)


@given(scores, st.booleans())
def test_a_table_always_gives_seven_points_and_better_scores_never_fewer(table, partners):
    points = table_points(table, partners)
    assert sum(points) == 7
    by_place = sorted(zip(places(table, PARTNERS if partners else SINGLES), points, strict=True))
    assert [p for _, p in by_place] == sorted(points, reverse=True)


@given(st.lists(st.tuples(st.permutations(range(8)), scores, scores), max_size=6))
def test_no_arrangement_of_results_changes_the_standings(rounds):
    tables = [
        PlayedTable(tuple(seats[at : at + 4]), result)
        for seats, *results in rounds
        for at, result in zip((0, 4), results, strict=True)
    ]
    lines = standings(range(8), tables)
    assert lines == standings(range(8), tables[::-1])
    assert sum(line.values[0] for line in lines) == 7 * len(tables)
    for above, below in pairwise(lines):
        assert above.values >= below.values
        assert (above.rank == below.rank) == (above.values == below.values)

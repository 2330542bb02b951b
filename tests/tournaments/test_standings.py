"""Standings follow from the results of tables alone."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.maths import PARTNERS, SINGLES, places
from tournaments import standings as module
from tournaments.standings import (
    DEFAULT_METRICS,
    METRIC_TITLES,
    METRICS,
    Appearance,
    Explanation,
    PlayedTable,
    compare,
    standings,
    table_points,
)

HALF = Fraction(1, 2)
THIRD = Fraction(1, 3)
BASIC = ("table_points", "total_score", "opponents", "firsts", "seconds")
BEST_FIRST = (300, 100, -100, -300)


def column(metric: str, entries, tables, **extras) -> dict[int, Fraction]:
    """The values of one metric, by entry."""
    return {line.entry: line.values[0] for line in standings(entries, tables, [metric], **extras)}


def ranks(lines) -> list[tuple[int, int]]:
    return [(line.rank, line.entry) for line in lines]


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


def test_leaving_and_returning_collects_no_points():
    tables = [
        PlayedTable((1, 2, 3, 4), BEST_FIRST, round=1),
        PlayedTable((None, 2, 3, 4), BEST_FIRST, round=2),  # 1 was away; the bot's win is nobody's
        PlayedTable((1, 2, 3, 4), BEST_FIRST[::-1], round=3),
    ]
    away = next(line for line in standings([1, 2, 3, 4], tables, BASIC) if line.entry == 1)
    assert (away.played, away.values) == (2, (4, 0, 2 * (5 + 4 + 4), 1, 0))


def test_an_unknown_metric_is_named():
    with pytest.raises(ValueError, match="no metric 'luck'; there are table_points"):
        standings([1], [], ["luck"])


# Every metric


def test_every_metric_is_in_the_header_and_in_the_docs_in_one_order():
    header = [
        line.split()[0] for line in module.__doc__.splitlines() if line[4:5].strip() and line[:4] == " " * 4
    ]
    docs = (Path(__file__).parents[2] / "docs/tournaments.md").read_text().split("## Standings")[1]
    in_docs = [row.split("`")[1] for row in docs.split("\n\n")[2].splitlines()[2:]]
    assert header == in_docs == list(METRICS) == list(METRIC_TITLES)


def test_a_win_is_shared_by_those_who_tie_for_it():
    tables = [
        PlayedTable((1, 2, 3, 4), BEST_FIRST),
        PlayedTable((1, 2, 3, 4), (100, 100, 100, -300)),
        PlayedTable((1, 2, None, 4), (100, -200, 100, 0)),  # a bot takes its share
    ]
    assert column("wins", [1, 2, 3, 4], tables) == {1: 1 + THIRD + HALF, 2: THIRD, 3: THIRD, 4: 0}


def test_both_partners_have_won_and_half_when_the_sides_tie():
    won = PlayedTable((1, 2, 3, 4), (300, -100, -100, -100), partners=True)
    tied = PlayedTable((1, 2, 3, 4), (300, 50, -300, -50), partners=True)
    assert column("wins", [1, 2, 3, 4], [won, tied]) == {1: 1 + HALF, 2: HALF, 3: 1 + HALF, 4: HALF}


def test_opponents_score_adds_up_who_was_met_and_a_bot_is_the_mean_entry():
    tables = [PlayedTable((1, 2, 3, None), (300, 100, -100, -300))]
    # the mean entry has 100
    assert column("opponents_score", [1, 2, 3], tables) == {1: 100, 2: 300, 3: 500}


def test_opponents_count_once_for_each_meeting_and_partners_not_at_all():
    tables = [PlayedTable((1, 2, 3, 4), (200, 100, 0, -300), partners=True)] * 2
    # 1 and 3 have 6 points each, 2 and 4 have 1
    assert column("opponents", [1, 2, 3, 4], tables) == {1: 4, 2: 24, 3: 4, 4: 24}


def test_opponents_count_what_they_reached_at_the_tables_given_and_not_in_finals_that_do_not_count():
    first = PlayedTable((1, 2, 3, 4), BEST_FIRST, round=1)
    final = PlayedTable((1, 2, None, None), (300, 500, -400, -400), round=2)
    assert column("opponents", [1, 2, 3, 4], [first])[4] == 4 + 2 + 1
    assert column("opponents", [1, 2, 3, 4], [first, final])[4] == 6 + 6 + 1


def test_head_to_head_counts_only_against_those_who_are_equal_before_it():
    tables = [
        PlayedTable((1, 2, 3, 4), (100, 300, -300, -100)),
        PlayedTable((1, 5, 6, 7), (300, 100, -100, -300)),
        PlayedTable((5, 2, 6, 7), (300, 100, -100, -300)),
    ]
    lines = standings(range(1, 8), tables, ["table_points", "head_to_head", "total_score"])
    # 1, 2 and 5 have 6 points: 2 beat 1, 1 beat 5, 5 beat 2. 4 and 3 are tied with nobody whom they met.
    assert {line.entry: line.values[:2] for line in lines} == {
        1: (6, 0), 2: (6, 0), 5: (6, 0), 6: (2, 0), 4: (1, 0), 3: (0, 0), 7: (0, 0)
    }  # fmt: skip
    tables.append(PlayedTable((2, 5, None, None), (0, 100, 200, -300)))
    tables.append(PlayedTable((1, None, None, None), (0, 100, -100, 50)))
    lines = standings(range(1, 8), tables, ["firsts", "head_to_head"])
    # one first each: 5 beat 2 twice and lost to 1, who lost to 2; the places between do not matter
    assert [(line.entry, line.values) for line in lines][:3] == [(5, (1, 1)), (1, (1, 0)), (2, (1, -1))]


def test_head_to_head_goes_group_by_group():
    tables = [
        PlayedTable((1, 2, 3, 4), (200, 200, -100, -300)),
        PlayedTable((3, 4, 1, 2), (-150, -50, 110, 90)),
    ]
    groups = standings([1, 2, 3, 4], tables, ["firsts", "head_to_head"], adjustments={1: -1})
    # after the penalty 1 is alone on 1, 2 too on 1: both are equal; 3 and 4 have 0
    assert {line.entry: line.values for line in groups} == {1: (1, 1), 2: (1, -1), 3: (0, 0), 4: (0, 0)}


def test_head_to_head_of_equal_scores_and_of_partners_is_nothing():
    partners = PlayedTable((1, 2, 3, 4), (300, 0, -100, -200), partners=True)
    assert column("head_to_head", [1, 2, 3, 4], [partners]) == {1: 2, 2: -2, 3: 2, 4: -2}
    tied = PlayedTable((1, 2, 3, 4), (0, 0, 0, 0))
    assert set(column("head_to_head", [1, 2, 3, 4], [tied]).values()) == {0}


def test_best_deal_is_the_highest_of_all_deals_also_below_nothing():
    tables = [
        PlayedTable((1, 2, 3, 4), BEST_FIRST, best_deals=(150, 200, -25, None)),
        PlayedTable((1, 2, 3, 4), BEST_FIRST, best_deals=(175, 50, -75, None)),
        PlayedTable((1, 2, 3, 4), BEST_FIRST),  # entered by hand: its deals are not known
    ]
    assert column("best_deal", [1, 2, 3, 4], tables) == {1: 175, 2: 200, 3: -25, 4: 0}


def test_duplicate_compares_with_the_same_seat_at_the_other_tables_of_the_round():
    tables = [
        PlayedTable((1, 2, 3, 4), (300, 100, -100, -300), round=1, same_cards=True),
        PlayedTable((5, 6, 7, 8), (100, 100, -50, -150), round=1, same_cards=True),
        PlayedTable((9, None, None, None), (-100, 300, 0, -200), round=1, same_cards=True),
        PlayedTable((1, 2, 3, 4), (1000, 0, 0, -1000), round=2, same_cards=True),  # alone with its cards
        PlayedTable((5, 6, 7, 8), (1000, 0, 0, -1000), round=1),  # other cards
    ]
    assert column("duplicate", range(1, 10), tables) == {
        1: 300 - 0, 5: 100 - 100, 9: -100 - 200,
        2: 100 - 200, 6: 100 - 200, 3: -100 + 25, 7: -50 + 50, 4: -300 + 175, 8: -150 + 250,
    }  # fmt: skip


def test_duplicate_scores_that_are_equal_are_so_to_the_last_digit():
    def at(number: int, entry: int | None, score: int) -> PlayedTable:
        return PlayedTable((entry, None, None, None), (score, 0, 0, -score), round=number, same_cards=True)

    # 1 has a third in each of six rounds, which as floats are not quite the 2 that 2 has in one
    thirds = [at(number, 1, 0) for number in range(6)]
    thirds += [at(number, None, score) for number in range(6) for score in (-1, 0, 0)]
    lines = standings([1, 2], [*thirds, at(6, 2, 2), at(6, None, 0)], ["duplicate"])
    assert sum([1 / 3] * 6) != 2
    assert [(line.rank, line.values) for line in lines] == [(1, (2,)), (1, (2,))]


def test_duplicate_of_partners_compares_sides():
    tables = [
        PlayedTable((1, 2, 3, 4), (300, -100, -100, -100), partners=True, same_cards=True),
        PlayedTable((5, 6, 7, 8), (0, 20, 50, -70), partners=True, same_cards=True),
    ]
    found = column("duplicate", range(1, 9), tables)
    assert found == {1: 150, 3: 150, 2: -150, 4: -150, 5: -150, 7: -150, 6: 150, 8: 150}


# Penalties, byes, pairs, tables of three


@pytest.mark.parametrize("metric", METRICS)
def test_penalties_and_bonuses_count_in_the_first_metric_whatever_it_is_and_in_no_other(metric):
    tables = [PlayedTable((1, 2, 3, 4), BEST_FIRST, best_deals=(150, 100, 50, 0), same_cards=True)]
    # head to head depends on who is equal before it, and so on penalties too
    others = [name for name in METRICS if name not in (metric, "head_to_head")]
    plain = standings([1, 2, 3, 4], tables, [metric, *others])
    moved = standings([1, 2, 3, 4], tables, [metric, *others], adjustments={1: -THIRD, 4: HALF})
    for entry, extra in {1: -THIRD, 2: 0, 3: 0, 4: HALF}.items():
        before, after = (next(line for line in lines if line.entry == entry) for lines in (plain, moved))
        assert after.values == (before.values[0] + extra, *before.values[1:])


def test_a_penalty_changes_the_rank_and_not_what_opponents_are_worth():
    tables = [PlayedTable((1, 2, 3, 4), BEST_FIRST)]
    lines = standings([1, 2, 3, 4], tables, ["table_points", "opponents"], adjustments={1: -3})
    assert [(line.rank, line.entry, line.values) for line in lines] == [
        (1, 2, (2, 5)), (2, 3, (1, 6)), (3, 1, (1, 3)), (4, 4, (0, 7))
    ]  # fmt: skip


def test_a_bye_is_worth_the_mean_of_a_table_and_nothing_but_points():
    tables = [PlayedTable((1, 2, 3, 4), BEST_FIRST)]
    metrics = ["total_score", "table_points", "wins", "opponents", "duplicate"]
    lines = {line.entry: line for line in standings([1, 2, 3, 4, 5], tables, metrics, byes={5: 2, 4: 1})}
    assert lines[5].values == (0, 3 + HALF, 0, 0, 0)
    assert (lines[5].played, lines[4].played) == (0, 1)
    assert lines[4].values[1] == Fraction(7, 4)
    assert lines[1].values[3] == 2 + 1 + 0  # what 4 has for the bye is not what 1 met
    assert column("table_points", [5], [], byes={5: 1}, bye_points=2) == {5: 2}


def test_points_by_place_are_the_organisers_to_choose():
    tables = [PlayedTable((1, 2, 3, 4), (200, 200, -100, -300))]
    points = (Fraction(5, 2), 1, 0, -1)
    assert column("table_points", [1, 2, 3, 4], tables, place_points=points) == {
        1: Fraction(7, 4), 2: Fraction(7, 4), 3: 0, 4: -1
    }  # fmt: skip
    assert table_points((300, 100, 0, -400), place_points=(1,)) == (1, 0, 0, 0)


def test_a_pair_counts_once_at_each_table_and_meets_one_opponent():
    tables = [
        PlayedTable((1, 2, 1, 2), (-50, 400, 300, -650), pairs=True, best_deals=(20, 90, 70, None)),
        PlayedTable((3, 1, 3, 1), (100, 0, 0, -100), pairs=True),
        PlayedTable((None, 2, None, 2), (100, 0, 0, -100), pairs=True),
    ]
    metrics = [*BASIC, "wins", "best_deal", "head_to_head"]
    lines = standings([1, 2, 3], tables, metrics)
    mean = Fraction(3 + HALF + 3 + HALF + HALF, 3)
    assert [(line.entry, line.played, line.values) for line in lines] == [
        (1, 2, (3 + HALF, 150, 4, 1, 1, 1, 70, 0)),
        (3, 1, (3, 100, 3 + HALF, 1, 0, 1, 0, 0)),
        (2, 2, (1, -350, 3 + HALF + mean, 0, 2, 0, 90, 0)),
    ]
    assert column("head_to_head", [1, 2, 3], tables) == {1: 0, 2: -1, 3: 1}


def test_two_entries_are_no_pair():
    with pytest.raises(ValueError, match="no pair at a table of round 3"):
        standings([1, 2, 3], [PlayedTable((1, 2, 3, 2), BEST_FIRST, pairs=True, round=3)])


def test_at_a_table_of_three_the_empty_seat_takes_no_place_and_is_no_opponent():
    three = PlayedTable((1, None, 2, 3), (100, None, 100, -200), same_cards=True)
    four = PlayedTable((4, 5, 6, None), (0, -50, 20, 30), same_cards=True)
    assert table_points((100, None, 0, -100)) == (4, 0, 2, 1)
    values = {e: column(e, range(1, 7), [three, four]) for e in ("table_points", "opponents", "duplicate")}
    assert values["table_points"] == {1: 3, 2: 3, 3: 1, 4: 1, 5: 0, 6: 2}
    assert values["opponents"][1] == 3 + 1
    assert values["duplicate"] == {1: 100, 4: -100, 5: 0, 2: 80, 6: -80, 3: -230}


def test_an_entry_cannot_sit_in_an_empty_seat():
    with pytest.raises(ValueError, match="entry 2 has no score at a table of round 4"):
        standings([1, 2, 3, 4], [PlayedTable((1, 2, 3, 4), (100, None, 0, -100), round=4)])


# Explanations

NAMES = {1: "amal", 2: "basil", 3: "نور", 4: "dina"}


def explain(one: int, two: int, entries, tables, metrics=DEFAULT_METRICS, **extras) -> Explanation:
    """Why one of two entries stands above the other."""
    lines = {line.entry: line for line in standings(entries, tables, metrics, **extras)}
    return compare(lines[one], lines[two], tables, metrics, **extras)


def test_an_explanation_names_what_is_equal_and_what_decides():
    tables = [
        PlayedTable((1, 2, 3, 4), (300, 140, -100, -340), round=1),
        PlayedTable((2, 1, 3, 4), (360, 340, -200, -500), round=2),
    ]
    found = explain(2, 1, [1, 2, 3, 4], tables)
    assert (found.above, found.below, found.metric) == (1, 2, "total_score")
    assert (found.values, found.equal) == ((640, 500), (("table_points", 6),))
    assert found.tables[1] == (
        Appearance(1, 300, 1, Fraction(4), (2, 3, 4)),
        Appearance(2, 340, 2, Fraction(2), (2, 3, 4)),
    )
    assert found.sentence(NAMES) == "amal and basil both have 6 points; amal has 640 total score against 500."
    assert explain(1, 2, [1, 2, 3, 4], tables[::-1]) == found
    assert explain(3, 4, [1, 2, 3, 4], tables).sentence(NAMES) == "نور has 2 points against 0."


def test_an_explanation_of_equals_says_so():
    tables = [PlayedTable((1, 2, 3, 4), (100, 100, -100, -100))]
    found = explain(3, 4, [1, 2, 3, 4], tables, ["table_points", "seconds", "firsts"])
    assert (found.above, found.below, found.metric, found.values) == (3, 4, None, ())
    assert (
        found.sentence(NAMES)
        == "نور and dina have an equal rank: both have 0.5 points, 0 seconds and 0 firsts."
    )
    assert explain(3, 4, [3, 4], [], []).sentence(NAMES) == "نور and dina have an equal rank."


def test_an_explanation_tells_penalties_bonuses_and_byes():
    tables = [PlayedTable((1, 2, 3, 4), BEST_FIRST)]
    extras = {"adjustments": {1: Fraction(-5, 2), 2: 1}, "byes": {2: 2, 1: 1}}
    found = explain(1, 2, [1, 2, 3, 4], tables, **extras)
    assert (found.adjustments, found.byes) == ({1: Fraction(-5, 2), 2: 1}, {1: 1, 2: 2})
    assert found.sentence(NAMES) == (
        "basil has 6.5 points against 3.25. This includes a bonus of 1 for basil. basil had 2 byes. "
        "This includes a penalty of 2.5 for amal. amal had 1 bye."
    )


def test_an_explanation_is_exact_where_two_digits_would_look_the_same():
    tables = [PlayedTable((seat, None, None, None), (0, 0, 0, 0)) for seat in (1, 2)]
    found = explain(1, 2, [1, 2], tables, ["duplicate"], adjustments={1: Fraction(1001, 3000), 2: THIRD})
    assert found.sentence(NAMES).startswith("amal has 1001/3000 duplicate score against 1/3.")


def test_two_known_lines_are_compared_with_the_tables_of_the_two_alone():
    tables = [PlayedTable((1, 2, None, None), BEST_FIRST), PlayedTable((3, 4, None, None), BEST_FIRST)]
    lines = {line.entry: line for line in standings([1, 2, 3, 4], tables)}
    assert compare(lines[2], lines[1], tables[:1], DEFAULT_METRICS) == explain(1, 2, [1, 2, 3, 4], tables)


# Whatever happened


scores = st.lists(st.integers(-2000, 2000) | st.integers(0, 1), min_size=4, max_size=4).map(tuple)


@st.composite
def leagues(draw) -> list[PlayedTable]:
    """Rounds of eight entries in any seats: with bots and empty seats, partners, pairs, the same cards."""
    tables = []
    for number in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from(("singles", "partners", "pairs")))
        same_cards = draw(st.booleans())
        seats = draw(st.permutations(range(1, 9)))
        for at in (0, 4):
            four = [entry if draw(st.integers(0, 5)) else None for entry in seats[at : at + 4]]
            four = four[:2] * 2 if kind == "pairs" else four
            result: list[int | None] = list(draw(scores))
            if kind == "singles" and draw(st.booleans()):
                four[3] = result[3] = None
            deals = draw(st.none() | st.tuples(*[st.none() | st.integers(-99, 99)] * 4))
            sorts = {"partners": kind == "partners", "pairs": kind == "pairs"}
            tables.append(
                PlayedTable(
                    tuple(four), tuple(result), **sorts, round=number, best_deals=deals, same_cards=same_cards
                )
            )
    return tables


def seat_lines(table: PlayedTable) -> list[tuple[int, int | None, int]]:
    """Seat, entry and score of its side, for each seat that counts on its own; naively."""
    count = 2 if table.partners or table.pairs else 4
    there = {seat: score for seat, score in enumerate(table.scores) if score is not None}
    sums = {seat: sum(there[other] for other in there if other % count == seat % count) for seat in there}
    return [(seat, table.seats[seat], sums[seat]) for seat in there if not table.pairs or seat < 2]


def worked_out(entry: int, tables: list[PlayedTable]) -> Mapping[str, Fraction]:
    """The metrics of the header from their definitions, table by table, in fractions; for eight entries."""
    found = dict.fromkeys(METRICS, Fraction())
    deals = []
    for table in tables:
        lines = seat_lines(table)
        own = next(((seat, score) for seat, who, score in lines if who == entry), None)
        if own is None:
            continue
        seat, score = own
        better = sorted(other for _, _, other in lines if other > score)
        distinct = len(better) if not table.partners else bool(better)
        found["table_points"] += points_of(entry, table)
        found["total_score"] += score
        found["firsts"] += distinct == 0
        found["seconds"] += distinct == 1
        equal = sum(other == score for _, _, other in lines) / (2 if table.partners else 1)
        found["wins"] += Fraction(1, int(equal)) if distinct == 0 else 0
        deals += [
            d
            for d, who in zip(table.best_deals or (), table.seats, strict=False)
            if who == entry and d is not None
        ]
        alike = [
            other
            for table_ in tables
            if table_ is not table and table_.same_cards and table.same_cards and table_.round == table.round
            for seat_, _, other in seat_lines(table_)
            if seat_ == seat
        ]
        found["duplicate"] += score - Fraction(sum(alike), len(alike)) if alike else 0
        count = 2 if table.partners or table.pairs else 4
        for seat_, who, other in lines:
            if seat_ % count != seat % count:
                found["opponents"] += worth(who, tables, points_of)
                found["opponents_score"] += worth(who, tables, score_of)
                found["head_to_head"] += (score > other) - (score < other) if who is not None else 0
    found["best_deal"] = Fraction(max(deals, default=0))
    return found


def points_of(entry: int, table: PlayedTable) -> Fraction:
    """Points go down the seats in order of score; equals share what they got."""
    weight = 2 if table.pairs else 1
    lines = [line for line in seat_lines(table) for _ in range(weight)]
    got = list(zip(sorted((score for _, _, score in lines), reverse=True), (4, 2, 1, 0), strict=False))
    own = [score for _, who, score in lines if who == entry]
    shared = [points for score, points in got if own and score == own[0]]
    return Fraction(sum(shared), len(shared)) if own else Fraction()


def score_of(entry: int, table: PlayedTable) -> Fraction:
    return Fraction(next((score for _, who, score in seat_lines(table) if who == entry), 0))


def worth(entry: int | None, tables: list[PlayedTable], of) -> Fraction:
    entries = range(1, 9) if entry is None else [entry]
    return sum((of(e, table) for e in entries for table in tables), Fraction()) / len(entries)


@given(leagues())
def test_every_metric_is_what_its_definition_says(tables):
    for metric in METRICS:
        assert column(metric, range(1, 9), tables) == {
            entry: worked_out(entry, tables)[metric] for entry in range(1, 9)
        }


@given(leagues(), st.permutations(list(METRICS)), st.randoms(use_true_random=False))
def test_no_order_of_tables_entries_and_seats_changes_ranks_and_values(tables, metrics, rng):
    """Turning all tables of a round by the same seats keeps sides and cards as they are."""
    turned = [turn(table, (2, 3, 0, 1)) for table in tables]
    rng.shuffle(turned)
    entries = list(range(1, 9))
    lines = standings(entries, tables, metrics)
    rng.shuffle(entries)
    assert sorted(map(repr, lines)) == sorted(map(repr, standings(entries, turned, metrics)))


def turn(table: PlayedTable, seats: tuple[int, ...]) -> PlayedTable:
    def turned(row):
        return tuple(row[seat] for seat in seats) if row else row

    return PlayedTable(
        turned(table.seats),
        turned(table.scores),
        table.partners,
        table.pairs,
        table.round,
        turned(table.best_deals),
        table.same_cards,
    )


@given(leagues(), st.lists(st.sampled_from(list(METRICS)), unique=True), st.data())
def test_an_explanation_agrees_with_the_ranks(tables, metrics, data):
    penalties = data.draw(st.dictionaries(st.integers(1, 8), st.fractions(-3, 3, max_denominator=4)))
    lines = standings(range(1, 9), tables, metrics, adjustments=penalties)
    a, b = data.draw(
        st.lists(st.sampled_from(lines), min_size=2, max_size=2, unique_by=lambda line: line.entry)
    )
    found = explain(a.entry, b.entry, range(1, 9), tables, metrics, adjustments=penalties)
    rank = {line.entry: line.rank for line in lines}
    assert rank[found.above] <= rank[found.below]
    assert (found.metric is None) == (a.rank == b.rank)
    assert found.sentence(dict.fromkeys(range(1, 9), "x"))


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

"""A draw is legal whatever came before, costs what its report says, and can be repeated."""

import json
import random
from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.seating import Draw, DrawError, DrawInput, Entrant, PastTable, bots_at, draw


def entrants(number: int, points: dict[int, int] | None = None) -> tuple[Entrant, ...]:
    return tuple(Entrant(i, 12 * (points or {}).get(i, 0)) for i in range(1, number + 1))


def people(result: Draw) -> list[int]:
    return [m for table in result.tables for m in table if m is not None]


def play(number: int, rounds: int, seed: int, partners: bool = False) -> list[Draw]:
    """Draw a whole league whose tables end in an order of chance."""
    rng = random.Random(seed)
    points: Counter[int] = Counter()
    history: list[PastTable] = []
    draws = []
    for number_of_round in range(1, rounds + 1):
        result = draw(DrawInput(number_of_round, entrants(number, points), tuple(history), seed, partners))
        draws.append(result)
        for table in result.tables:
            history.append(PastTable(number_of_round, table))
            for member, gained in zip(rng.sample(table, 4), (4, 2, 1, 0), strict=True):
                if member is not None:
                    points[member] += gained
    return draws


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 30), st.integers(1, 5), st.integers(0, 2**32), st.booleans())
def test_everyone_sits_exactly_once_at_a_table_of_four(number, rounds, seed, partners):
    for result in play(number, rounds, seed, partners):
        assert all(len(table) == 4 for table in result.tables)
        assert sorted(people(result)) == list(range(1, number + 1))
        assert len(result.tables) == (number + 3) // 4


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 23), st.integers(2, 6), st.integers(0, 2**32))
def test_nobody_gets_a_second_bot_table_before_all_had_one(number, rounds, seed):
    had = Counter[int]()
    for result in play(number, rounds, seed):
        now = [m for table in result.tables if None in table for m in table if m is not None]
        others = set(range(1, number + 1)) - set(now)
        assert max((had[m] for m in now), default=0) <= min((had[m] for m in others), default=99)
        had.update(now)
        assert sorted(now) == list(result.report.at_bot_tables)
    spread = [had[m] for m in range(1, number + 1)]
    assert max(spread) - min(spread) <= 1


@pytest.mark.parametrize(
    ("number", "bots"),
    [(1, [3]), (2, [2]), (3, [1]), (4, []), (5, [2, 1]), (6, [1, 1]), (7, [1]), (9, [1, 1, 1]), (14, [1, 1])],
)
def test_at_most_one_bot_a_table_where_that_is_possible(number, bots):
    assert bots_at(number) == bots
    result = draw(DrawInput(1, entrants(number)))
    assert sorted((table.count(None) for table in result.tables if None in table), reverse=True) == bots


@settings(max_examples=20, deadline=None)
@given(st.integers(4, 24), st.integers(1, 9), st.integers(0, 2**32))
def test_each_player_has_each_seat_about_equally_often(number, rounds, seed):
    counts = {m: [0, 0, 0, 0] for m in range(1, number + 1)}
    for result in play(number, rounds, seed):
        for table in result.tables:
            for seat, member in enumerate(table):
                if member is not None:
                    counts[member][seat] += 1
        worst = max(max(row) - min(row) for row in counts.values())
        assert worst <= 2
        assert worst >= result.report.seat_imbalance


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 20), st.integers(1, 4), st.integers(0, 2**32), st.booleans())
def test_a_stored_draw_can_be_replayed(number, rounds, seed, partners):
    history = tuple(
        PastTable(at, table)
        for at, result in enumerate(play(number, rounds - 1, seed, partners), start=1)
        for table in result.tables
    )
    inputs = DrawInput(rounds, entrants(number), history, seed, partners)
    stored = json.loads(json.dumps(inputs.as_dict()))
    assert DrawInput.from_dict(stored) == inputs
    assert draw(DrawInput.from_dict(stored)) == draw(inputs)


def test_another_seed_is_another_draw():
    tables = {draw(DrawInput(1, entrants(16), seed=seed)).tables for seed in range(10)}
    assert len(tables) == 10


def test_score_groups_sit_together():
    points = {m: (m - 1) // 4 for m in range(1, 17)}
    result = draw(DrawInput(2, entrants(16, points), (), seed=3))
    assert [sorted(table) for table in result.tables] == [
        [13, 14, 15, 16],
        [9, 10, 11, 12],
        [5, 6, 7, 8],
        [1, 2, 3, 4],
    ]
    assert result.report.mean_spread == result.report.max_spread == 0


def test_within_a_score_group_nobody_meets_again_who_need_not():
    first = draw(DrawInput(1, entrants(16), seed=1))
    second = draw(DrawInput(2, entrants(16), tuple(PastTable(1, t) for t in first.tables), seed=1))
    assert second.report.repeats == () == second.report.consecutive
    met = {frozenset(pair) for table in first.tables for pair in combinations(table, 2)}
    assert not met & {frozenset(pair) for table in second.tables for pair in combinations(table, 2)}


def test_the_report_names_the_pairs_that_meet_again():
    past = PastTable(1, (1, 2, 3, 4))
    result = draw(DrawInput(2, entrants(4), (past,)))
    assert result.report.repeats == result.report.consecutive == tuple(combinations((1, 2, 3, 4), 2))
    later = draw(DrawInput(3, entrants(4), (past,)))
    assert len(later.report.repeats) == 6
    assert later.report.consecutive == ()


def test_three_rounds_of_the_same_four_partner_everyone_once():
    draws = play(4, 3, seed=5, partners=True)
    sides = {frozenset(side) for result in draws for t in result.tables for side in (t[::2], t[1::2])}
    assert len(sides) == 6
    assert [result.report.partner_repeats for result in draws] == [(), (), ()]


def test_four_rounds_of_the_same_four_use_each_seat_once():
    draws = play(4, 4, seed=5)
    for member in (1, 2, 3, 4):
        assert sorted(result.tables[0].index(member) for result in draws) == [0, 1, 2, 3]


def test_the_stronger_table_is_table_one():
    points = {m: m for m in range(1, 13)}
    sums = [sum(t) for t in draw(DrawInput(5, entrants(12, points), (), seed=2)).tables]
    assert all(above >= below for above, below in pairwise(sums))


def test_withdrawn_opponents_in_the_history_do_no_harm():
    past = PastTable(1, (1, 2, 98, 99))
    result = draw(DrawInput(2, entrants(4), (past,)))
    assert result.report.repeats == ((1, 2),)


@pytest.mark.parametrize(
    ("inputs", "code"),
    [
        (DrawInput(1, ()), "no_entries"),
        (DrawInput(1, (Entrant(1), Entrant(1))), "duplicate_entry"),
        (DrawInput(1, entrants(4), (PastTable(1, (1, 2, 3, 4)),)), "bad_round"),
    ],
)
def test_impossible_inputs_are_refused_with_a_reason(inputs, code):
    with pytest.raises(DrawError) as refusal:
        draw(inputs)
    assert refusal.value.code == code


def test_the_search_ends_after_the_steps_it_reports():
    points = {m: m % 5 for m in range(1, 65)}
    assert draw(DrawInput(1, entrants(64, points))).report.steps == 3000 + 300 * 64
    assert draw(DrawInput(1, entrants(64))).report.steps == 0, "nothing to improve"

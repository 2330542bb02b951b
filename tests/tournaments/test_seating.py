"""A draw is legal whatever came before, costs what its report says, and can be repeated."""

import json
import random
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments import seating_search
from tournaments.seating import (
    FILLS,
    MOST_WEIGHT,
    Draw,
    DrawError,
    DrawInput,
    Entrant,
    PastTable,
    Weights,
    bots_at,
    draw,
    evaluate,
    floats_of,
    weights_from,
)

fills = st.sampled_from(FILLS)
seeds = st.integers(0, 2**32)
few_sweeps = patch.object(seating_search, "MOST", 30)  # enough where only the rules matter, and quick


def entrants(number: int, points: dict[int, int] | None = None) -> tuple[Entrant, ...]:
    return tuple(Entrant(i, 12 * (points or {}).get(i, 0)) for i in range(1, number + 1))


def people(result: Draw) -> list[int]:
    return [m for table in result.tables for m in table if m is not None]


@dataclass
class League:
    """A tournament whose tables end in an order of chance."""

    rng: random.Random
    playing: list[int]
    fill: str = "bots"
    pairs: bool = False
    partners: bool = False
    points: Counter[int] = field(default_factory=Counter)
    history: list[PastTable] = field(default_factory=list)
    byes: list[tuple[int, int]] = field(default_factory=list)
    round: int = 0

    def inputs(self) -> DrawInput:
        return DrawInput(
            self.round + 1,
            tuple(Entrant(m, 12 * self.points[m], seed=1500.5 + m % 7) for m in self.playing),
            tuple(self.history),
            self.rng.randrange(1000),
            self.partners,
            byes=tuple(self.byes),
            fill=self.fill,
            pairs=self.pairs,
        )

    def play(self) -> tuple[DrawInput, Draw]:
        inputs = self.inputs()
        result = draw(inputs)
        self.round += 1
        self.byes += [(self.round, m) for m in result.byes]
        for table in result.tables:
            self.history.append(PastTable(self.round, table))
            members = sorted({m for m in table if m is not None})
            for member, gained in zip(self.rng.sample(members, len(members)), (4, 2, 1, 0), strict=False):
                self.points[member] += gained
        return inputs, result

    def come_and_go(self) -> None:
        """One may withdraw, one may return or enter late."""
        if self.rng.random() < 0.5 and len(self.playing) > 5:
            self.playing.remove(self.rng.choice(self.playing))
        if self.rng.random() < 0.5:
            self.playing.append(self.rng.choice([m for m in range(1, 99) if m not in self.playing]))


def play(number: int, rounds: int, seed: int, partners: bool = False) -> list[Draw]:
    """Draw a whole league of players 1 to `number`."""
    league = League(random.Random(seed), list(range(1, number + 1)), partners=partners)
    return [league.play()[1] for _ in range(rounds)]


# Everyone once


@few_sweeps
@settings(max_examples=40, deadline=None)
@given(st.integers(4, 30), st.integers(1, 5), seeds, fills, st.booleans(), st.booleans())
def test_everyone_sits_or_sits_out_exactly_once(number, rounds, seed, fill, pairs, partners):
    league = League(random.Random(seed), list(range(1, number + 1)), fill, pairs, partners)
    for _ in range(rounds):
        inputs, result = league.play()
        seated = [m for table in result.tables for m in (table[:2] if pairs else table) if m is not None]
        assert sorted([*seated, *result.byes]) == sorted(league.playing)
        assert all(len(table) == 4 and any(table) for table in result.tables)
        assert not pairs or all(table[:2] == table[2:] for table in result.tables)
        size = 2 if pairs else 4
        left_over = len(league.playing) % size
        assert len(result.byes) == (left_over if fill == "byes" else 0)
        assert len(result.tables) == (len(league.playing) - len(result.byes) + size - 1) // size
        assert evaluate(inputs, result.tables, result.byes) == replace(result.report, steps=0)
        league.come_and_go()


@few_sweeps
@pytest.mark.parametrize("pairs", [False, True], ids=["single", "pairs"])
@pytest.mark.parametrize("fill", FILLS)
def test_an_odd_count_does_not_crash_the_draw(fill, pairs):
    for number in range(1, 51):
        league = League(random.Random(number), list(range(1, number + 1)), fill, pairs)
        if fill == "byes" and number < (2 if pairs else 4):
            with pytest.raises(DrawError, match=f"there are {number}; let bots fill") as refusal:
                league.play()
            assert refusal.value.code == "too_few_for_byes"
            continue
        for _ in range(2):
            _, result = league.play()
            assert sorted([*{*people(result)}, *result.byes]) == league.playing


# Bots, empty places, byes


@few_sweeps
@settings(max_examples=60, deadline=None)
@given(st.integers(4, 23), st.integers(2, 6), seeds, fills, st.booleans())
def test_nobody_gets_a_second_bot_table_or_bye_before_all_had_one(number, rounds, seed, fill, pairs):
    league = League(random.Random(seed), list(range(1, number + 1)), fill, pairs)
    had = Counter[int]()
    for _ in range(rounds):
        _, result = league.play()
        now = {m for table in result.tables if None in table for m in table if m is not None}
        assert sorted(now) == list(result.report.at_bot_tables)
        assert result.byes == result.report.byes
        now |= {*result.byes}
        others = set(league.playing) - now
        assert max((had[m] for m in now), default=0) <= min((had[m] for m in others), default=99)
        assert result.report.second_bots == ()
        had.update(now)
        league.come_and_go()


@few_sweeps
@settings(max_examples=30, deadline=None)
@given(st.integers(4, 23), st.integers(2, 8), seeds, fills)
def test_bot_tables_and_byes_are_spread_evenly(number, rounds, seed, fill):
    league = League(random.Random(seed), list(range(1, number + 1)), fill)
    had = Counter[int]()
    for _ in range(rounds):
        _, result = league.play()
        had.update((*result.report.at_bot_tables, *result.byes))
    spread = [had[m] for m in league.playing]
    assert max(spread) - min(spread) <= 1


@pytest.mark.parametrize("fill", ["bots", "short"])
@pytest.mark.parametrize(
    ("number", "bots"),
    [(1, [3]), (2, [2]), (3, [1]), (4, []), (5, [2, 1]), (6, [1, 1]), (7, [1]), (9, [1, 1, 1]), (14, [1, 1])],
)
def test_at_most_one_bot_a_table_where_that_is_possible(number, bots, fill):
    assert bots_at(number) == bots
    result = draw(DrawInput(1, entrants(number), fill=fill))
    assert sorted((table.count(None) for table in result.tables if None in table), reverse=True) == bots


def test_the_lowest_without_a_bye_has_the_bye():
    points = {m: m for m in range(1, 10)}
    assert draw(DrawInput(2, entrants(9, points), byes=((1, 1),), fill="byes")).byes == (2,)
    assert draw(DrawInput(1, entrants(9, points), fill="byes")).byes == (1,)


def test_a_bot_table_counts_as_a_bye_when_the_organiser_changes_his_mind():
    past = PastTable(1, (1, 2, 3, None))
    points = {m: m for m in range(1, 10)}
    assert draw(DrawInput(2, entrants(9, points), (past,), fill="byes")).byes == (4,)


def test_a_pair_left_over_sits_with_a_pair_of_bots():
    tables = draw(DrawInput(1, entrants(5), pairs=True)).tables
    assert [table for table in tables if None in table] in [[(m, None, m, None)] for m in range(1, 6)] + [
        [(None, m, None, m)] for m in range(1, 6)
    ]


# Strength


def test_a_first_round_spreads_strengths_over_the_tables():
    field = tuple(Entrant(m, seed=1000.0 + 10 * m) for m in range(1, 17))
    result = draw(DrawInput(1, field))
    assert {sum(table) for table in result.tables} == {4 * 17 // 2}
    quarters = [sorted((m - 1) // 4 for m in table) for table in result.tables]
    assert quarters == [[0, 1, 2, 3]] * 4
    assert [max(table) for table in result.tables] == [16, 15, 14, 13]


def test_strengths_are_spread_with_bots_too():
    field = tuple(Entrant(m, seed=float(m)) for m in range(1, 31))
    result = draw(DrawInput(1, field))
    means = [sum(m for m in table if m) / (4 - table.count(None)) for table in result.tables]
    assert max(means) - min(means) < 1.5


def test_a_knockout_round_spreads_strengths_and_still_avoids_who_met():
    field = tuple(Entrant(m, seed=float(m)) for m in range(1, 33))
    first = draw(DrawInput(1, field)).tables
    second = draw(DrawInput(2, field, tuple(PastTable(1, table) for table in first)))
    assert second.report.repeats == ()
    assert all(sorted((m - 1) // 8 for m in table) == [0, 1, 2, 3] for table in second.tables)
    assert max(abs(sum(table) - 66) for table in second.tables) <= 8


def test_once_points_differ_strength_does_not_matter():
    points = {m: (m - 1) // 4 for m in range(1, 17)}
    field = tuple(replace(each, seed=float(each.id % 5)) for each in entrants(16, points))
    assert draw(DrawInput(2, field)).report.max_spread == 0


# Scores and meetings


@settings(max_examples=20, deadline=None)
@given(st.integers(4, 24), st.integers(1, 9), seeds)
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


def test_a_penalty_counts_in_the_next_draw():
    points = {m: (m - 1) // 4 for m in range(1, 17)} | {16: -(10**9)}
    result = draw(DrawInput(2, entrants(16, points), (), seed=3))
    assert 16 in result.tables[-1]


@pytest.mark.parametrize("pairs", [False, True], ids=["single", "pairs"])
def test_within_a_score_group_nobody_meets_again_who_need_not(pairs):
    first = draw(DrawInput(1, entrants(16), seed=1, pairs=pairs))
    history = tuple(PastTable(1, t) for t in first.tables)
    second = draw(DrawInput(2, entrants(16), history, seed=1, pairs=pairs))
    assert second.report.repeats == () == second.report.consecutive
    met = {frozenset(pair) for table in first.tables for pair in combinations({*table}, 2)}
    assert not met & {frozenset(pair) for table in second.tables for pair in combinations({*table}, 2)}


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


def test_two_rounds_of_the_same_pairs_change_sides():
    league = League(random.Random(1), [1, 2], pairs=True)
    tables = [league.play()[1].tables[0] for _ in range(2)]
    assert sorted(tables) == [(1, 2, 1, 2), (2, 1, 2, 1)]


def test_the_stronger_table_is_table_one():
    points = {m: m for m in range(1, 13)}
    sums = [sum(t) for t in draw(DrawInput(5, entrants(12, points), (), seed=2)).tables]
    assert all(above >= below for above, below in pairwise(sums))


def test_withdrawn_opponents_in_the_history_do_no_harm():
    past = PastTable(1, (1, 2, 98, 99))
    result = draw(DrawInput(2, entrants(4), (past,)))
    assert result.report.repeats == ((1, 2),)


# Floats


def test_floats_are_counted_from_the_points_before_each_round():
    first = [(PastTable(1, (1, 2, 3, 4)), (48, 24, 12, 0)), (PastTable(1, (5, 6, 7, None)), (48, 24, 12, 0))]
    second = [(PastTable(2, (1, 5, 2, 6)), (48, 24, 12, 0)), (PastTable(2, (3, 7, 4, None)), (0, 48, 24, 12))]
    assert floats_of(second + first) == {1: 1, 5: 1, 2: -1, 6: -1, 3: 1, 7: 1, 4: -1}
    assert floats_of([]) == {}


def test_who_floated_down_is_spared_by_the_next_draw():
    """Seven of the upper group: three of them must play in the lower one's table."""
    for tired in range(1, 8):
        points = dict.fromkeys(range(1, 8), 1)
        field = tuple(replace(each, floats=3 * (each.id == tired)) for each in entrants(8, points))
        result = draw(DrawInput(3, field, seed=tired))
        assert {tired, 8} not in [{tired, 8} & {*table} for table in result.tables]


# The same again


@few_sweeps
@settings(max_examples=20, deadline=None)
@given(st.integers(4, 20), st.integers(1, 4), seeds, fills, st.booleans(), st.booleans())
def test_a_stored_draw_can_be_replayed(number, rounds, seed, fill, pairs, partners):
    league = League(random.Random(seed), list(range(1, number + 1)), fill, pairs, partners)
    for _ in range(rounds):
        inputs, result = league.play()
    stored = json.loads(json.dumps(inputs.as_dict()))
    assert DrawInput.from_dict(stored) == inputs
    assert draw(DrawInput.from_dict(stored)) == result


def test_another_seed_is_another_draw():
    tables = {draw(DrawInput(1, entrants(16), seed=seed)).tables for seed in range(10)}
    assert len(tables) == 10


def test_a_draw_is_the_same_on_every_machine():
    points = {m: m % 5 for m in range(1, 12)}
    history = (PastTable(1, (1, 2, 3, 4)), PastTable(1, (5, 6, 7, 8)), PastTable(1, (9, 10, 11, None)))
    tables = draw(DrawInput(2, entrants(11, points), history, seed=7)).tables
    assert tables == ((8, 4, 9, 3), (None, 7, 6, 2), (11, 5, 10, 1))


def test_inputs_stored_by_version_1_can_be_read():
    weights = {"spread": 144, "meeting": 5000, "consecutive": 2500, "partner": 200, "seat": 20}
    stored = {
        "version": 1,
        "round": 2,
        "entrants": [{"id": m, "points": 12 * m, "score": -m} for m in range(1, 5)],
        "history": [{"round": 1, "seats": [1, 2, 3, None]}],
        "seed": 9,
        "partners": False,
        "weights": weights,
    }
    field = tuple(Entrant(m, 12 * m, -m) for m in range(1, 5))
    assert DrawInput.from_dict(stored) == DrawInput(2, field, (PastTable(1, (1, 2, 3, None)),), 9)


# Seatings by hand


def by_hand(tables, byes=(), **inputs):
    points = {m: (m - 1) // 4 for m in range(1, 9)}
    return evaluate(DrawInput(2, entrants(8, points), **inputs), tables, byes)


def test_a_swap_by_hand_shows_what_it_costs():
    drawn = by_hand([(8, 7, 6, 5), (4, 3, 2, 1)])
    assert (drawn.cost, drawn.table_costs, drawn.mean_spread) == (0, (0, 0), 0)
    swapped = by_hand([(8, 7, 6, 1), (4, 3, 2, 5)])
    assert swapped.table_costs == (3 * 144, 3 * 144)
    assert (swapped.cost, swapped.mean_spread, swapped.steps) == (6 * 144, 1, 0)


def test_a_seating_by_hand_may_give_a_second_bye_but_the_report_says_so():
    history = (PastTable(1, (1, 2, 3, None)),)
    report = by_hand([(5, 6, 7, 8), (2, 3, 4, None)], [1], history=history)
    assert report.second_bots == (1, 2, 3)
    assert (report.byes, report.at_bot_tables, report.bot_tables) == ((1,), (2, 3, 4), 1)


@pytest.mark.parametrize(
    ("tables", "byes", "code", "said"),
    [
        ([(5, 6, 7, 8), (1, 2, 3, None)], (), "not_everyone_once", "missing: 4"),
        ([(5, 6, 7, 8), (1, 2, 3, 4)], (4,), "not_everyone_once", "more than once: 4"),
        ([(5, 6, 7, 8), (1, 2, 3, 99)], (), "not_everyone_once", "missing: 4; unknown: 99"),
        ([(5, 6, 7, 8), (1, 1, 1, 4)], (), "not_everyone_once", "missing: 2, 3; more than once: 1"),
        ([(5, 6, 7, 8), (1, 2, 3, 4), (None,) * 4], (), "bad_table", "Nobody sits at table 3"),
        ([(5, 6, 7, 8), (1, 2, 3, 4, None)], (), "bad_table", "Table 2 has 5 places"),
    ],
)
def test_a_seating_by_hand_that_is_none_is_refused(tables, byes, code, said):
    with pytest.raises(DrawError, match=said) as refusal:
        by_hand(tables, byes)
    assert refusal.value.code == code


def test_pairs_sit_opposite():
    inputs = DrawInput(1, entrants(2), pairs=True)
    assert evaluate(inputs, [(2, 1, 2, 1)]).cost == 0
    with pytest.raises(DrawError, match="a, b, a, b") as refusal:
        evaluate(inputs, [(1, 1, 2, 2)])
    assert refusal.value.code == "bad_table"


# Refusals and limits


@pytest.mark.parametrize(
    ("inputs", "code"),
    [
        (DrawInput(1, ()), "no_entries"),
        (DrawInput(1, (Entrant(1), Entrant(1))), "duplicate_entry"),
        (DrawInput(1, entrants(4), (PastTable(1, (1, 2, 3, 4)),)), "bad_round"),
        (DrawInput(1, entrants(4), byes=((1, 2),)), "bad_round"),
        (DrawInput(1, entrants(4), fill="ghosts"), "bad_fill"),
        (DrawInput(1, entrants(3), fill="byes"), "too_few_for_byes"),
        (DrawInput(1, entrants(1), fill="byes", pairs=True), "too_few_for_byes"),
        (DrawInput(1, entrants(4), weights=Weights(spread=-1)), "bad_weights"),
    ],
)
def test_impossible_inputs_are_refused_with_a_reason(inputs, code):
    with pytest.raises(DrawError) as refusal:
        draw(inputs)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"colour": 1}, "no weight 'colour'; there are spread, meeting"),
        ({"seat": -1}, f"seat is -1; it takes a whole number, 0 to {MOST_WEIGHT}"),
        ({"seat": MOST_WEIGHT + 1}, "seat is 100001"),
        ({"seat": 1.5}, "seat is 1.5"),
        ({"seat": True}, "seat is True"),
        ({"seat": "20"}, "seat is '20'"),
        ([20], "an object with any of"),
    ],
)
def test_odd_weights_are_named(data, said):
    with pytest.raises(DrawError, match=said) as refusal:
        weights_from(data)
    assert refusal.value.code == "bad_weights"


def test_weights_left_out_have_their_defaults():
    assert weights_from({"seat": 0}) == replace(Weights(), seat=0)


@pytest.mark.parametrize("partners", [False, True])
@pytest.mark.parametrize("weight", [0, 1, MOST_WEIGHT])
def test_no_weights_make_a_draw_that_hangs(weight, partners):
    """Nothing but repeats to choose from, scores a million points apart: it ends after its sweeps."""
    weights = Weights(*[weight] * 6)
    history = tuple(PastTable(at, (1, 2, 3, 4)) for at in range(1, 40)) * 2
    field = tuple(Entrant(m, 12 * 10**6 * (m % 3), floats=m) for m in range(1, 11))
    result = draw(DrawInput(40, field, history, 0, partners, weights))
    assert sorted(people(result)) == list(range(1, 11))
    assert result.report.steps == (350 if weight else 0)
    assert result.report.cost == sum(result.report.table_costs) >= 0


def test_the_search_ends_after_the_sweeps_it_reports():
    points = {m: m % 5 for m in range(1, 257)}
    assert draw(DrawInput(1, entrants(16, points))).report.steps == 400
    assert draw(DrawInput(1, entrants(256, points))).report.steps == 1000
    assert draw(DrawInput(1, entrants(64))).report.steps == 0, "nothing to improve"

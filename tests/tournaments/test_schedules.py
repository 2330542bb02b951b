"""A whole schedule is legal, repeats as little as promised, and can be made again."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from itertools import combinations
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tournaments import designs, schedules
from tournaments.schedules import Schedule, schedule
from tournaments.seating import DrawError, bots_at

MANAGE = Path(__file__).parents[2] / "manage.py"

few = settings(max_examples=25, deadline=None)
steps = schedules._steps


@pytest.fixture(scope="module", autouse=True)
def hasty() -> Iterator[None]:
    """Short searches: what is tested here does not hang on their length, nor do the figures of designs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schedules, "_steps", lambda players: 1000)
        schedules._places.cache_clear()
        yield
    schedules._places.cache_clear()


@pytest.fixture
def thorough(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Searches as they are outside of tests."""
    monkeypatch.setattr(schedules, "_steps", steps)
    schedules._places.cache_clear()
    yield
    schedules._places.cache_clear()


def meetings(made: Schedule) -> Counter[tuple[int, int]]:
    """Counted anew, not from the report."""
    return Counter(
        pair
        for tables in made.rounds
        for table in tables
        for pair in combinations(sorted({player for player in table if player is not None}), 2)
    )


def met_again(made: Schedule) -> int:
    return sum(times > 1 for times in meetings(made).values())


def repeats(made: Schedule) -> int:
    return sum(times * (times - 1) // 2 for times in meetings(made).values())


def in_seat(made: Schedule, block: int = 4) -> Counter[tuple[int, int, int]]:
    """How often each player had each seat in each block of rounds."""
    return Counter(
        (player, number // block, seat)
        for number, tables in enumerate(made.rounds)
        for table in tables
        for seat, player in enumerate(table)
        if player is not None
    )


def partners(made: Schedule) -> Counter[frozenset[int | None]]:
    sides = (side for tables in made.rounds for table in tables for side in (table[::2], table[1::2]))
    return Counter(frozenset(side) for side in sides if None not in side)


@pytest.mark.parametrize(
    "players, rounds",
    [
        (12, 1), (16, 5), (20, 5), (24, 7), (28, 9), (32, 10), (36, 11), (40, 13), (52, 17), (60, 19),
        (64, 21), (15, 5), (23, 7), (72, 15), (100, 25), (302, 10),
    ],
)  # fmt: skip
def test_nobody_meets_twice_in_as_many_rounds_as_that_is_known_for(players, rounds):
    made = schedule(players, rounds)
    assert max(meetings(made).values()) == 1
    assert (made.report.meet_again, made.report.repeats, made.report.bound) == (0, 0, 0)


@pytest.mark.parametrize(
    "players, rounds, most",
    [
        (20, 7, 20), (20, 8, 50), (20, 10, 110), (24, 8, 23), (24, 9, 48), (24, 10, 84),
        (28, 10, 42),
    ],
)  # fmt: skip
def test_pairs_that_meet_again_are_as_few_as_published(players, rounds, most):
    made = schedule(players, rounds)
    assert met_again(made) == made.report.meet_again <= most
    assert repeats(made) == made.report.repeats <= most
    assert max(in_seat(made).values()) == made.report.same_seat == 1


@pytest.mark.parametrize("rounds", range(1, 8))
def test_twelve_players_repeat_three_pairs_for_each_two_rounds(rounds):
    made = schedule(12, rounds)
    assert repeats(made) == made.report.bound == 3 * rounds * (rounds - 1) // 2


def test_the_search_finds_better_than_chance_and_designs(thorough):
    """Tables by lot repeat about 60 pairs, and no design fits 18 players with bots."""
    made = schedule(18, 6)
    assert repeats(made) == made.report.repeats <= 8
    assert set(made.report.bot_tables) == {2}


@few
@given(st.integers(2, 30), st.integers(1, 9), st.integers(0, 2**32))
def test_everyone_sits_once_a_round_and_in_each_seat_once_in_a_block_of_four(players, rounds, seed):
    made = schedule(players, rounds, seed=seed)
    assert len(made.rounds) == rounds
    for tables in made.rounds:
        assert len(tables) == (players + 3) // 4 and all(len(table) == 4 for table in tables)
        assert sorted(p for table in tables for p in table if p is not None) == list(range(players))
        with_bots = sorted(table.count(None) for table in tables if None in table)
        assert with_bots == sorted(bots_at(players))
    assert max(in_seat(made).values()) == 1
    assert made.report.repeats == repeats(made) >= made.report.bound


@pytest.mark.parametrize("kind", ["partners", "pairs"])
@few
@given(players=st.integers(2, 30), rounds=st.integers(1, 9), seed=st.integers(0, 2**32))
def test_nobody_gets_a_second_bot_table_before_all_had_one(kind, players, rounds, seed):
    for options in ({}, {kind: True}):
        made = schedule(players, rounds, seed=seed, **options)
        had = dict.fromkeys(range(players), 0)
        for tables in made.rounds:
            for player in {p for table in tables if None in table for p in table if p is not None}:
                had[player] += 1
            assert max(had.values()) - min(had.values()) <= 1
        assert made.report.bot_tables == tuple(had.values())


@few
@given(st.integers(2, 24), st.integers(1, 6), st.integers(0, 2**32))
def test_the_seed_only_says_who_gets_which_place(players, rounds, seed):
    made, again, other = (schedule(players, rounds, seed=s) for s in (seed, seed, seed + 1))
    assert made == again
    assert made.report.meetings == other.report.meetings
    assert sorted(made.report.bot_tables) == sorted(other.report.bot_tables)


def test_another_process_makes_the_same_schedule(thorough):
    """Whatever its hashes are."""
    made = json.loads(seat("--players", "10", "--rounds", "4", "--seed", "7"))
    ours = schedule(10, 4, seed=7)
    named = [[["bot" if p is None else f"p{p + 1}" for p in table] for table in r] for r in ours.rounds]
    assert made == {"rounds": named, "report": json.loads(json.dumps(ours.report.as_dict()))}


@pytest.mark.parametrize("players", designs.WHIST)
def test_whist_partners_everyone_once_and_opposes_everyone_twice(players):
    made = schedule(players, players - 1, partners=True)
    pairs = players * (players - 1) // 2
    assert len(partners(made)) == pairs and set(partners(made).values()) == {1}
    assert set(meetings(made).values()) == {3}
    assert (made.report.partners, made.report.opponents) == ((0, pairs), (0, 0, pairs))
    assert made.report.same_seat <= 2


@few
@given(st.integers(4, 30), st.integers(1, 9))
def test_whist_is_a_legal_schedule_whose_partners_change(players, rounds):
    made = schedule(players, rounds, partners=True)
    for tables in made.rounds:
        assert sorted(p for table in tables for p in table if p is not None) == list(range(players))
    most = max(partners(made).values())
    assert most == len(made.report.partners or ()) - 1
    assert most == 1 or players < 12
    assert max(in_seat(made).values()) == made.report.same_seat <= 2


@few
@example(3, 2)
@given(st.integers(2, 30), st.integers(1, 40))
def test_pairs_meet_all_others_before_one_twice_and_change_sides(players, rounds):
    made = schedule(players, rounds, pairs=True)
    for tables in made.rounds:
        assert all((table[0], table[1]) == (table[2], table[3]) for table in tables)
        assert sorted(p for table in tables for p in table[:2] if p is not None) == list(range(players))
    assert max(in_seat(made, block=2).values()) == made.report.same_seat == 1
    met = [meetings(made)[pair] for pair in combinations(range(players), 2)]
    assert max(met) - min(met) <= 1
    assert made.report.repeats == made.report.bound


@pytest.mark.parametrize("size", designs.DESIGNS)
def test_each_design_seats_everyone_once_in_each_of_its_rounds(size):
    players, rounds = size
    made = next(made for made in designs.designs(players) if len(made) == rounds)
    for tables in made:
        assert sorted(player for table in tables for player in table) == list(range(players))
        assert {len(table) for table in tables} == {4}


@pytest.mark.parametrize("players", [16, 20, 24, 32, 36, 44, 60, 96])
def test_squares_never_repeat(players):
    made = designs.squares(players)
    assert len(made) >= players // 12
    met = Counter(pair for tables in made for table in tables for pair in combinations(sorted(table), 2))
    assert max(met.values()) == 1


@pytest.mark.parametrize(
    "players, rounds, options, code",
    [
        (1, 3, {}, "bad_players"),
        (1001, 3, {}, "bad_players"),
        (8, 0, {}, "bad_rounds"),
        (8, 100, {}, "bad_rounds"),
        (8, 7, {"partners": True, "pairs": True}, "two_formats"),
    ],
)
def test_nonsense_is_refused_with_a_code(players, rounds, options, code):
    with pytest.raises(DrawError) as refused:
        schedule(players, rounds, **options)
    assert refused.value.code == code


# The command


def seat(*arguments: str) -> str:
    """In a process of its own whose database cannot be reached."""
    done = subprocess.run(
        [sys.executable, MANAGE, "seat", "--json", *arguments],
        env=os.environ | {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout


def test_seat_prints_a_schedule_as_json_without_a_database():
    made = json.loads(seat("--players", "9", "--rounds", "2"))
    assert [len(tables) for tables in made["rounds"]] == [3, 3]
    for tables in made["rounds"]:
        named = sorted(name for table in tables for name in table)
        assert named == sorted(["bot"] * 3 + [f"p{number}" for number in range(1, 10)])
    assert made["report"]["same_seat"] == 1 and made["report"]["bot_tables"] == [2] * 9


@pytest.mark.parametrize("options", [{}, {"whist": True}, {"pairs": True}])
def test_seat_prints_a_table_and_the_cost_in_words(options):
    out = StringIO()
    call_command("seat", players=7, rounds=2, stdout=out, **options)
    lines = out.getvalue().splitlines()
    assert lines[0].split() == ["round", "table", "S", "E", "N", "W"]
    tables = 4 if "pairs" in options else 2
    assert all(len(line.split()) in (5, 6) for line in lines[1 : 1 + 2 * tables])
    assert lines[1 + 2 * tables] == ""
    assert any(line.startswith("Pairs that meet again: ") for line in lines)
    assert any(line.startswith("As partners: ") for line in lines) == ("whist" in options)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"players": 1, "rounds": 1}, "A schedule is for 2 to 1000 players, not 1."),
        ({"players": 8, "rounds": 0}, "A schedule has 1 to 99 rounds, not 0."),
        ({"players": 8, "rounds": 1, "whist": True, "pairs": True}, "Partners either rotate or are fixed"),
    ],
)
def test_seat_says_in_a_sentence_what_is_wrong(options, words):
    with pytest.raises(CommandError, match=words):
        call_command("seat", **options)

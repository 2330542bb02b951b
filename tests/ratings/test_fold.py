"""What one match after another does to ratings, whoever sits where and is called what."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.fold import ALL_LEFT, FEW_PEOPLE, ONE_SIDE, Book, Facts, PoolRules, Sitter, rate
from ratings.maths import SCHEDULE, Schedule
from tests.ratings.tables import NOON

POOLS = {("classic", False): PoolRules(1, SCHEDULE), ("classic", True): PoolRules(2, SCHEDULE)}
PARTNERS = {("partners", False): PoolRules(3, SCHEDULE)}
Row = tuple[Sequence[int], Sequence[int], Sequence[bool]]
"""Of a match the players by seat, their totals, and who had left."""

rows = st.lists(
    st.tuples(
        st.permutations(range(6)).map(lambda players: players[:4]),
        st.lists(st.integers(-5, 5), min_size=4, max_size=4),
        st.lists(st.booleans(), min_size=4, max_size=4),
    ),
    max_size=12,
)


def facts(number: int, row: Row, kind: str = "classic", programs: str = "") -> Facts:
    players, totals, left = row
    sitters = [Sitter(seat, *each) for seat, each in enumerate(zip(players, left, strict=True))]
    return Facts(number, number, NOON + timedelta(minutes=number), kind, totals, sitters, programs)


def values(matches: Sequence[Row]) -> dict[int, float]:
    book: Book = {}
    for number, row in enumerate(matches):
        rate(facts(number, row), POOLS, book)
    return {player: standing.value for (_, player), standing in book.items()}


@given(rows, st.permutations(range(6)), st.permutations(range(4)))
def test_ids_and_seats_have_no_effect_on_any_bit(matches, called, seated):
    """Everybody gets another id, which is another order of ids, and sits elsewhere."""
    others = [tuple([part[seat] for seat in seated] for part in row) for row in matches]
    renamed = [([called[player] for player in players], *rest) for players, *rest in others]
    found = values(renamed)
    assert {player: found[called[player]] for player in values(matches)} == values(matches)


@given(rows)
def test_what_one_gains_others_lose(matches):
    found = values(matches)
    assert sum(found.values()) == 1500 * len(found)


@pytest.mark.parametrize(
    ("seats", "left", "kind", "reason"),
    [
        ([0], [], "classic", FEW_PEOPLE),
        ([], [], "classic", FEW_PEOPLE),
        ([0, 2], [], "partners", ONE_SIDE),
        ([0, 1], [0, 1], "classic", ALL_LEFT),
        ([0, 1, 2, 3], [0, 1, 2, 3], "partners", ALL_LEFT),
    ],
)
def test_a_match_that_rates_nobody_says_why(seats, left, kind, reason):
    sitters = [Sitter(seat, seat, seat in left) for seat in seats]
    outcome = rate(Facts(1, 1, NOON, kind, [4, 3, 2, 1], sitters), {**POOLS, **PARTNERS}, {})
    assert (outcome.changes, outcome.reason) == ([], reason)


def test_people_and_programs_are_rated_apart_and_with_the_schedule_of_their_pool():
    pools = {**POOLS, ("classic", True): PoolRules(2, Schedule(32, 32, 15))}
    row = ([10, 11, 12, 13], [4, 3, 2, 1], [False] * 4)
    outcome = rate(facts(1, row, programs="EW"), pools, {})
    assert [(change.pool_id, change.player_id, change.k) for change in outcome.changes] == [
        (1, 10, 64), (1, 12, 64), (2, 11, 32), (2, 13, 32),
    ]  # fmt: skip

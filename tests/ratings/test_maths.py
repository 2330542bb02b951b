"""The formula of ratings/maths.py: exact examples worked by hand, and what must hold for any table."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.maths import GRID, PARTNERS, SCHEDULE, SINGLES, START, Entrant, changes, expected

GRID_RATINGS = st.integers(int(-500 * GRID), int(4000 * GRID)).map(lambda steps: steps / GRID)


def singles(*facts: tuple[float, int, int], left: tuple[int, ...] = ()) -> list[Entrant]:
    """Entrants (rating, matches, place), a side each; `left` lists who had gone."""
    return [Entrant(r, n, i, place, i in left) for i, (r, n, place) in enumerate(facts)]


def teams(*facts: tuple[float, int, int], left: tuple[int, ...] = ()) -> list[Entrant]:
    """Entrants (rating, matches, place), sides S N against E W."""
    return [Entrant(r, n, i % 2, place, i in left) for i, (r, n, place) in enumerate(facts)]


def near(*points: float) -> object:
    """Equal but for the grid: at most three amounts are rounded to 2**-20."""
    return pytest.approx(points, abs=2e-6)


@st.composite
def single_tables(draw: st.DrawFn) -> list[Entrant]:
    size = draw(st.integers(2, 4))
    entrant = st.tuples(GRID_RATINGS, st.integers(0, 400), st.integers(1, 4), st.booleans())
    rows = draw(st.lists(entrant, min_size=size, max_size=size))
    return [Entrant(r, n, i, place, left) for i, (r, n, place, left) in enumerate(rows)]


@st.composite
def team_tables(draw: st.DrawFn) -> list[Entrant]:
    places = draw(st.sampled_from([(1, 2), (2, 1), (1, 1)]))
    seats = draw(st.sets(st.integers(0, 3), min_size=1))
    entrant = st.tuples(GRID_RATINGS, st.integers(0, 400), st.booleans())
    return [
        Entrant(r, n, seat % 2, places[seat % 2], left)
        for seat in sorted(seats)
        for r, n, left in [draw(entrant)]
    ]


class TestK:
    @pytest.mark.parametrize(
        ("matches", "k"),
        [(0, 64.0), (5, 48.0), (15, 32.0), (45, 16.0), (65, 12.0), (66, 12.0), (5000, 12.0)],
    )
    def test_falls_from_64_to_12(self, matches: int, k: float) -> None:
        assert SCHEDULE.k(matches) == k


class TestExpected:
    def test_equals_expect_a_half(self) -> None:
        assert expected(1731.5, 1731.5) == 0.5

    def test_four_hundred_points_are_ten_to_one(self) -> None:
        assert expected(1900, 1500) == pytest.approx(10 / 11)
        assert expected(1500, 1900) == pytest.approx(1 / 11)


class TestSingles:
    def test_four_newcomers(self) -> None:
        """All E are 1/2 and K 64: each pair moves 64 (1 - 1/2) / 3 = 32/3."""
        table = singles((START, 0, 1), (START, 0, 2), (START, 0, 3), (START, 0, 4))
        assert changes(table, SINGLES) == near(32, 32 / 3, -32 / 3, -32)

    def test_two_share_the_first_place(self) -> None:
        table = singles((START, 0, 1), (START, 0, 1), (START, 0, 3), (START, 0, 4))
        assert changes(table, SINGLES) == near(64 / 3, 64 / 3, -32 / 3, -32)

    def test_a_tie_between_equals_moves_nobody(self) -> None:
        assert changes(singles(*[(1623.25, 7, 1)] * 4), SINGLES) == [0, 0, 0, 0]

    def test_a_tie_moves_the_weaker_up(self) -> None:
        """K 12; E of 1900 against 1500 is 10/11, so 12 (1/2 - 10/11) / 3 = -18/11 from each opponent."""
        table = singles((1900, 99, 1), (1500, 99, 1), (1500, 99, 1), (1500, 99, 1))
        assert changes(table, SINGLES) == near(-54 / 11, 18 / 11, 18 / 11, 18 / 11)

    def test_pairs_of_unequal_experience_use_the_mean_k(self) -> None:
        """K 64 and 32 meet at 48: 48 / 2 / 3 = 8 a pair; 64 and 64: 32/3; 32 and 32: 16/3."""
        table = singles((START, 0, 1), (START, 0, 2), (START, 15, 3), (START, 15, 4))
        assert changes(table, SINGLES) == near(32 / 3 + 16, 16 - 32 / 3, -16 + 16 / 3, -16 - 16 / 3)

    def test_a_bot_at_the_table_drops_its_pairs_and_alters_no_other(self) -> None:
        three = singles((START, 0, 1), (START, 0, 2), (START, 0, 4))
        assert changes(three, SINGLES) == near(64 / 3, 0, -64 / 3)
        two = singles((START, 0, 3), (START, 0, 1))
        assert changes(two, SINGLES) == near(-32 / 3, 32 / 3)

    def test_one_person_among_bots_does_not_move(self) -> None:
        assert changes(singles((START, 0, 1)), SINGLES) == [0.0]


class TestLeaving:
    def test_who_left_is_last_even_if_the_bot_won_the_match(self) -> None:
        table = singles((START, 0, 1), (START, 0, 2), (START, 0, 3), (START, 0, 4), left=(0,))
        assert changes(table, SINGLES) == near(-32, 32, 32 / 3, -32 / 3)

    def test_two_who_left_do_not_move_each_other(self) -> None:
        table = singles((START, 0, 1), (START, 0, 2), (START, 0, 3), (START, 0, 4), left=(0, 1))
        assert changes(table, SINGLES) == near(-64 / 3, -64 / 3, 32, 32 / 3)

    def test_all_left_moves_nobody(self) -> None:
        table = singles((1400, 0, 1), (1800, 0, 2), (START, 3, 3), (START, 9, 4), left=(0, 1, 2, 3))
        assert changes(table, SINGLES) == [0, 0, 0, 0]

    def test_leaving_never_pays(self) -> None:
        facts = ((1800, 40, 1), (1400, 3, 4), (1500, 0, 2), (1600, 80, 3))
        for seat in range(4):
            stayed, gone = (changes(singles(*facts, left=left), SINGLES) for left in [(), (seat,)])
            assert gone[seat] <= stayed[seat]

    def test_partner_of_a_leaver_is_rated_by_the_result(self) -> None:
        """South left and his team won: he loses to both, North beats both; a pair moves 8."""
        table = teams((START, 0, 1), (START, 0, 2), (START, 0, 1), (START, 0, 2), left=(0,))
        assert changes(table, PARTNERS) == near(-16, 0, 16, 0)


class TestPartners:
    def test_the_change_is_split_equally(self) -> None:
        """Team K 64, E 1/2: the team moves 32, each partner 16."""
        table = teams((START, 0, 1), (START, 0, 2), (START, 0, 1), (START, 0, 2))
        assert changes(table, PARTNERS) == near(16, -16, 16, -16)

    def test_teams_are_compared_by_their_means(self) -> None:
        """Means 1900 and 1500, K 12: 12 (1 - 10/11) = 12/11 for the team, half for each."""
        table = teams((2000, 80, 1), (1200, 80, 2), (1800, 80, 1), (1800, 80, 2))
        won = changes(table, PARTNERS)
        assert won == near(6 / 11, -6 / 11, 6 / 11, -6 / 11)
        assert won[0] == won[2]

    def test_a_bot_as_partner_halves_the_stakes(self) -> None:
        table = teams((START, 0, 1), (START, 0, 2))
        three = [*table, Entrant(START, 0, 1, 2)]
        assert changes(three, PARTNERS) == near(16, -8, -8)
        assert changes(table, PARTNERS) == near(8, -8)

    def test_two_people_of_one_team_do_not_move(self) -> None:
        assert changes([Entrant(START, 0, 1, 1), Entrant(1700, 5, 1, 1)], PARTNERS) == [0, 0]


ANY_TABLE = st.one_of(
    single_tables().map(lambda table: (table, SINGLES)), team_tables().map(lambda table: (table, PARTNERS))
)


@given(ANY_TABLE)
def test_changes_sum_to_exactly_zero_and_stay_on_the_grid(table_and_sides: tuple[list[Entrant], int]) -> None:
    table, sides = table_and_sides
    deltas = changes(table, sides)
    assert sum(deltas) == 0
    after = [entrant.rating + delta for entrant, delta in zip(table, deltas, strict=True)]
    assert all((rating * GRID).is_integer() for rating in after)
    assert sum(after) == sum(entrant.rating for entrant in table)


@given(ANY_TABLE)
def test_order_of_the_seats_has_no_effect_on_any_bit(table_and_sides: tuple[list[Entrant], int]) -> None:
    table, sides = table_and_sides
    by_entrant = dict(zip(table, changes(table, sides), strict=True))
    for shuffled in permutations(table):
        assert changes(shuffled, sides) == [by_entrant[entrant] for entrant in shuffled]


@given(single_tables(), st.data())
def test_a_better_place_never_gives_less(table: list[Entrant], data: st.DataObject) -> None:
    who = data.draw(st.integers(0, len(table) - 1))
    old = table[who]
    better = Entrant(old.rating, old.matches, old.side, data.draw(st.integers(0, old.place)), old.left)
    improved = [*table[:who], better, *table[who + 1 :]]
    assert changes(improved, SINGLES)[who] >= changes(table, SINGLES)[who]


@given(st.lists(st.permutations([1, 2, 3, 4]), min_size=1, max_size=60))
def test_the_total_never_drifts_over_many_matches(results: list[list[int]]) -> None:
    ratings = [START] * 4
    for number, places in enumerate(results):
        table = [Entrant(ratings[i], number, i, places[i]) for i in range(4)]
        ratings = [r + d for r, d in zip(ratings, changes(table, SINGLES), strict=True)]
    assert sum(ratings) == 4 * START

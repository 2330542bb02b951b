"""Farming, win trading and feeding accounts are found; honest clubs are left in peace."""

from collections.abc import Iterable
from itertools import permutations
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.guards import (
    FARMED_MEETINGS,
    FARMING,
    FED,
    IMPROBABLE,
    TOGETHER,
    Comparisons,
    Suspected,
    Table,
    deviations,
    suspected,
)
from ratings.maths import PARTNERS, SCHEDULE, SINGLES, START, Entrant
from tests.ratings.worlds import CHEAT, MATE, PUPPET, World, club, play_apart, with_cheats

SEEDS = (1, 2)
RATINGS = st.lists(st.floats(800, 2400), min_size=4, max_size=4)


def comparisons(ratings: Iterable[float]) -> Comparisons:
    entrants = [Entrant(rating, 50, seat, seat + 1) for seat, rating in enumerate(ratings)]
    return Comparisons(Table(range(len(entrants)), entrants), SINGLES, SCHEDULE)


def by_kind(found: Iterable[Suspected]) -> dict[str, list[Suspected]]:
    kinds: dict[str, list[Suspected]] = {}
    for each in found:
        kinds.setdefault(each.kind, []).append(each)
    return kinds


class TestWhatChanceDoes:
    def test_four_equals(self):
        """A place among four is uniform: its variance is (16 - 1) / 12. Two against two is the rank-sum
        statistic of Mann and Whitney: 2 * 2 * (4 + 1) / 12."""
        match = comparisons([START] * 4)
        assert [total.variance for total in match.totals] == pytest.approx([15 / 12] * 4)
        assert match.joint(0, 1) == pytest.approx(20 / 12)

    @given(RATINGS)
    def test_variances_are_those_of_all_24_orders(self, ratings):
        weights = [10 ** ((rating - START) / 400) for rating in ratings]
        one, both = [], []
        for order in permutations(range(4)):
            rest, likely = sum(weights), 1.0
            for seat in order:
                likely *= weights[seat] / rest
                rest -= weights[seat]
            beaten = [3 - order.index(seat) for seat in range(4)]
            one.append((likely, beaten[0]))
            both.append((likely, beaten[0] + beaten[1]))
        match = comparisons(ratings)
        assert match.totals[0].variance == pytest.approx(variance(one), abs=1e-6)
        assert match.joint(0, 1) == pytest.approx(variance(both), abs=1e-6)

    @given(st.floats(0.1, 50), st.floats(0.1, 50))
    def test_deviations_are_never_more_than_the_plain_quotient(self, surplus, variance):
        assert 0 < deviations(surplus, variance) <= surplus / sqrt(variance) * (1 + 1e-9)

    def test_a_lucky_outsider_is_no_wonder(self):
        """Half a win of ten was expected and four came: once in a thousand times, so three deviations."""
        assert 3.5 / sqrt(10 * 0.05 * 0.95) > 5
        assert deviations(3.5, 10 * 0.05 * 0.95) == pytest.approx(3.2, abs=0.3)

    def test_doing_worse_is_no_sign(self):
        assert deviations(-3, 1) == 0


def variance(outcomes: list[tuple[float, int]]) -> float:
    mean = sum(likely * value for likely, value in outcomes)
    return sum(likely * (value - mean) ** 2 for likely, value in outcomes)


class TestHonest:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_a_club_with_newcomers_and_friends(self, seed):
        assert club(seed).found() == []

    def test_a_small_club_where_all_meet_all_the_time(self):
        assert club(1, members=10, matches=500).found() == []

    def test_somebody_far_better_than_his_rating_beats_everyone_and_is_left_in_peace(self):
        world = club(1)
        world.join(CHEAT, 1500, 60)
        world.skills[CHEAT] = 1900
        for _ in range(40):
            world.play([CHEAT, 1, *world.some(2, 1)])
            world.play([CHEAT, *world.some(3)])
        assert world.ratings[CHEAT] > 1650
        assert world.found() == []

    def test_partners_who_are_better_together_are_no_sign_in_a_game_of_partners(self):
        teams = [Entrant(START, 99, seat % 2, 1 + seat % 2) for seat in range(4)]
        tables = [Table((1, number % 9 + 10, 2, number % 7 + 20), teams) for number in range(60)]
        assert suspected(lambda: tables, PARTNERS, SCHEDULE) == []


@pytest.mark.parametrize("seed", SEEDS)
class TestCheats:
    def test_one_who_is_let_win_at_a_table_of_their_own(self, seed):
        world = with_cheats(seed)
        play_apart(world, 15)
        for _ in range(50):
            world.play([CHEAT, MATE], order=[CHEAT, MATE])
        (farming,) = by_kind(world.found())[FARMING]
        assert (farming.player, farming.other) == (CHEAT, MATE)
        assert farming.figures["met"] == farming.figures["scored"] == 50
        assert farming.figures["matches"] == 65
        assert farming.weight == farming.figures["points"] >= 60

    def test_one_who_is_let_by_at_full_tables(self, seed):
        world = with_cheats(seed)
        for _ in range(60):
            play_apart(world, 2)
            order = world.order([CHEAT, MATE, *world.some(2)])
            first, second = sorted((order.index(CHEAT), order.index(MATE)))
            order[first], order[second] = CHEAT, MATE
            world.play(order, order=order)
        found = by_kind(world.found())
        assert [(each.player, each.other) for each in found[IMPROBABLE]] == [(CHEAT, MATE)]
        assert found[IMPROBABLE][0].weight >= 4

    def test_one_whose_mate_leaves_whenever_he_is_there(self, seed):
        world = with_cheats(seed)
        for _ in range(50):
            play_apart(world, 2)
            order = [*world.order([CHEAT, *world.some(2)]), MATE]
            world.play(order, order=order)
        (improbable,) = by_kind(world.found())[IMPROBABLE]
        assert (improbable.player, improbable.other) == (CHEAT, MATE)

    def test_two_who_help_each_other(self, seed):
        world = with_cheats(seed)
        for _ in range(50):
            play_apart(world, 1)
            pair, others = world.order([CHEAT, MATE]), world.order(world.some(2))
            order = [*pair, *others] if world.random.random() < 0.8 else world.order([*pair, *others])
            world.play(order, order=order)
        (together,) = by_kind(world.found())[TOGETHER]
        assert (together.player, together.other) == (CHEAT, MATE)
        assert together.figures["comparisons"] == 4 * together.figures["met"] == 200

    def test_accounts_that_lose_to_one_player_and_are_gone(self, seed):
        world = with_cheats(seed)
        play_apart(world, 20)
        for account in range(PUPPET, PUPPET + 6):
            for _ in range(8):
                world.play([CHEAT, account], order=[CHEAT, account])
        (fed,) = by_kind(world.found())[FED]
        assert (fed.player, fed.other) == (CHEAT, None)
        assert fed.figures["accounts"] == list(range(PUPPET, PUPPET + 6))
        assert fed.figures["scored"] == fed.figures["met"] == 48


def test_the_order_of_the_matches_and_of_the_seats_does_not_matter():
    world = with_cheats(1)
    for _ in range(40):
        world.play([CHEAT, MATE], order=[CHEAT, MATE])
    found = world.found()
    turned = [Table(table.players[::-1], table.entrants[::-1]) for table in reversed(world.tables)]
    again = suspected(lambda: turned, SINGLES, SCHEDULE)
    assert found and [each[:3] for each in again] == [each[:3] for each in found]
    assert [each.weight for each in again] == pytest.approx([each.weight for each in found])


def test_a_newcomer_on_his_way_up_farms_nobody():
    """The points by which he finds his place do not count, nor do few meetings."""
    world = World(1)
    for player in (CHEAT, MATE):
        world.join(player, START)
    for _ in range(FARMED_MEETINGS + 4):
        world.play([CHEAT, MATE], order=[CHEAT, MATE])
    assert world.ratings[CHEAT] > START + 90
    assert world.found() == []

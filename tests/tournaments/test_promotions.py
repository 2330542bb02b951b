"""Who plays where next season: exact examples, and what always holds."""

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tournaments.promotions import DOWN, FILLS, FULL, NEW, UP, Ranked, deal, next_season


def ranked(names: str, *gone: str) -> list[Ranked]:
    return [Ranked(name, rank, name not in gone) for rank, name in enumerate(names.split(), 1)]


def shown(divisions) -> list[str]:
    return [" ".join(move.who for move in division) for division in divisions]


def why(divisions) -> dict[str, str]:
    return {move.who: move.why for division in divisions for move in division}


A, B, C = "a1 a2 a3 a4", "b1 b2 b3 b4", "c1 c2 c3 c4"


def test_a_first_season_is_dealt_from_the_strongest_on():
    assert shown(deal("abcdefghij", 3, 4)) == ["a b c d", "e f g h", "i j"]
    assert shown(deal("abc", 3, 4)) == ["a b c", "", ""]
    assert shown(deal("abcdef", 1, 4)) == ["a b c d e f"]


def test_as_many_go_up_as_come_down():
    made = next_season([ranked(A), ranked(B), ranked(C)], divisions=3, size=4, promoted=1)
    assert shown(made) == ["a1 a2 a3 b1", "a4 b2 b3 c1", "b4 c2 c3 c4"]
    assert {who for who, each in why(made).items() if each == UP} == {"b1", "c1"}
    assert {who for who, each in why(made).items() if each == DOWN} == {"a4", "b4"}


def test_nobody_moves_where_nobody_is_promoted():
    made = next_season([ranked(A), ranked(B)], divisions=2, size=4, promoted=0)
    assert shown(made) == [A, B]


def test_who_left_frees_a_place_for_the_next_best_below():
    made = next_season([ranked(A, "a2"), ranked(B), ranked(C)], divisions=3, size=4, promoted=1)
    assert shown(made) == ["a1 a3 b1 b2", "a4 b3 c1 c2", "b4 c3 c4"]
    assert why(made)["b2"] == why(made)["c2"] == FILLS


def test_a_promoted_one_who_left_is_followed_by_the_next():
    made = next_season([ranked(A), ranked(B, "b1")], divisions=2, size=4, promoted=1)
    assert shown(made) == ["a1 a2 a3 b2", "a4 b3 b4"]


def test_who_came_down_stays_after_all_where_nobody_else_is_below():
    made = next_season([ranked(A, "a1"), ranked("b1")], divisions=2, size=4, promoted=1)
    assert shown(made) == ["a2 a3 b1 a4", ""]
    assert why(made)["a4"] == "stays"


def test_newcomers_are_below_everyone():
    made = next_season([ranked(A), ranked("b1 b2")], divisions=2, size=4, promoted=1, newcomers=["n1", "n2"])
    assert shown(made) == ["a1 a2 a3 b1", "a4 b2 n1 n2"]
    assert why(made)["n1"] == NEW


def test_a_division_that_was_not_played_to_the_end_neither_sends_nor_takes():
    rankings = [ranked(A), ranked(B), ranked(C)]
    made = next_season(rankings, divisions=3, size=4, promoted=1, still=frozenset({1}))
    assert shown(made) == [A, "b1 b2 b3 c1", "b4 c2 c3 c4"]


def test_smaller_divisions_send_their_last_ones_down():
    made = next_season([ranked(A), ranked("b1 b2")], divisions=3, size=3, promoted=1)
    assert shown(made) == ["a1 a2 b1", "a3 a4 b2", ""]
    assert why(made)["a3"] == FULL


def test_fewer_divisions_put_the_rest_into_the_last_one():
    made = next_season([ranked("a1 a2"), ranked("b1 b2"), ranked("c1 c2")], divisions=2, size=4, promoted=1)
    assert shown(made) == ["a1 b1 c1 a2", "c2 b2"]


def test_equal_ranks_are_told_where_only_the_order_decided():
    upper = [Ranked("a1", 1), Ranked("a2", 2), Ranked("a3", 2), Ranked("a4", 2)]
    made = next_season([upper, ranked(B)], divisions=2, size=4, promoted=1)
    equal = {move.who: move.equal for division in made for move in division}
    assert equal == {"a1": (), "a2": ("a4",), "a3": ("a4",), "a4": ("a2", "a3")} | dict.fromkeys(
        B.split(), ()
    )


@given(
    st.lists(st.lists(st.booleans(), max_size=9), min_size=1, max_size=5),
    st.integers(1, 6),
    st.integers(2, 8),
    st.integers(0, 4),
    st.integers(0, 3),
    st.frozensets(st.integers(1, 5)),
)
def test_everyone_who_stays_has_one_place_as_high_as_can_be(stays, divisions, size, promoted, new, still):
    rankings = [
        [Ranked((at, place), place, here) for place, here in enumerate(each)]
        for at, each in enumerate(stays, 1)
    ]
    newcomers = [("new", number) for number in range(new)]
    made = next_season(
        rankings, divisions=divisions, size=size, promoted=promoted, newcomers=newcomers, still=still
    )
    staying = [each.who for ranking in rankings for each in ranking if each.stays]
    assert Counter(move.who for each in made for move in each) == Counter(staying + newcomers)
    assert len(made) == divisions
    assert all(len(each) <= size for each in made[:-1])
    old = [[move for move in each if move.why != NEW] for each in made]
    for upper, lower in pairwise(old):
        assert len(upper) == size or not lower
    up = Counter(move.before for each in made for move in each if move.why == UP)
    assert all(count <= promoted for count in up.values())

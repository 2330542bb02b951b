"""Who goes on from a table of a knockout, and the order in which all end."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.knockouts import NOT_SEATED, ranking, survivors
from tournaments.standings import PlayedTable

SEEDS = {entry: entry for entry in range(1, 300)}
BEST_FIRST = (300, 100, -100, -300)
ANNULLED = (None,) * 4


def table(*seats: int | None, scores: Sequence[int | None] = BEST_FIRST) -> PlayedTable:
    return PlayedTable(seats, tuple(scores))


def order(rounds, entries, advance=2):
    return [(line.rank, line.entry) for line in ranking(rounds, entries, SEEDS, advance)]


@pytest.mark.parametrize(("advance", "through"), [(1, [4]), (2, [3, 4]), (3, [2, 3, 4])])
def test_the_best_of_a_table_go_on_in_the_order_of_their_seeds(advance, through):
    assert survivors([table(4, 3, 2, 1)], advance, SEEDS) == through


def test_a_tie_at_the_cut_goes_to_the_better_seed_wherever_he_sits():
    for seats in ((1, 2, 3, 4), (1, 3, 2, 4)):
        assert survivors([table(*seats, scores=(200, 0, 0, -200))], 2, SEEDS) == [1, 2]
    assert survivors([table(1, 2, 3, 4, scores=(200, 0, 0, -200))], 2, {1: 4, 2: 3, 3: 2, 4: 1}) == [3, 1]


def test_bots_never_go_on_and_hold_no_place():
    assert survivors([table(None, 3, None, 5)], 1, SEEDS) == [3]
    assert survivors([table(None, 3, 4, 5)], 2, SEEDS) == [3, 4]


@pytest.mark.parametrize("advance", [1, 2, 3])
def test_one_goes_out_of_any_table_with_two_people_or_more(advance):
    assert len(survivors([table(1, 2, None, None)], advance, SEEDS)) == 1
    assert len(survivors([table(1, 2, 3, None)], advance, SEEDS)) == min(advance, 2)
    assert survivors([table(None, None, None, 9)], advance, SEEDS) == [9]
    assert survivors([table(None, None, None, None)], advance, SEEDS) == []


def test_a_table_of_three_has_an_empty_seat_that_nobody_takes():
    assert survivors([table(1, None, 2, 3, scores=(-150, None, 100, 50))], 3, SEEDS) == [2, 3]


@pytest.mark.parametrize("advance", [1, 2, 3])
def test_one_of_two_pairs_goes_on_by_the_score_of_both(advance):
    pairs = PlayedTable((1, 2, 1, 2), (300, 100, -400, 0), pairs=True)
    assert survivors([pairs], advance, SEEDS) == [2]
    assert survivors([PlayedTable((1, 2, 1, 2), (50, 0, -50, 0), pairs=True)], advance, SEEDS) == [1]
    assert survivors([PlayedTable((None, 2, None, 2), (50, 0, 50, -100), pairs=True)], advance, SEEDS) == [2]


def test_of_single_players_with_partners_the_winning_side_goes_on():
    tables = [PlayedTable((1, 2, 3, 4), (-400, 0, 500, -100), partners=True)]
    assert survivors(tables, 2, SEEDS) == [1, 3]


def test_an_annulled_table_sends_its_best_seeded_on():
    assert survivors([table(9, 4, None, 6, scores=ANNULLED)], 2, SEEDS) == [4, 6]
    assert survivors([PlayedTable((8, 7, 8, 7), ANNULLED, pairs=True)], 2, SEEDS) == [7]


def test_a_bye_is_a_table_of_one_and_counts_as_a_round():
    bye = table(1, None, None, None, scores=ANNULLED)
    assert survivors([bye, table(2, 3, 4, 5)], 1, SEEDS) == [1, 2]
    assert order([[bye, table(2, 3, 4, 5)]], range(1, 6), 1) == [(1, 1), (1, 2), (3, 3), (4, 4), (5, 5)]


def test_more_than_three_or_none_cannot_go_on():
    for advance in (0, 4):
        with pytest.raises(ValueError, match=f"1 to 3 go on from a table, not {advance}"):
            survivors([table(1, 2, 3, 4)], advance, SEEDS)


SEMIFINALS = [table(1, 4, 5, 8), table(2, 3, 6, 7)]


def test_both_thirds_of_two_semifinals_share_a_rank():
    final = [table(3, 1, 4, 2)]
    assert order([SEMIFINALS, final], range(1, 9)) == [
        (1, 3), (2, 1), (3, 4), (4, 2), (5, 5), (5, 6), (7, 7), (7, 8)
    ]  # fmt: skip


def test_who_lost_a_tie_at_the_cut_is_third_and_ties_below_the_cut_share_a_place():
    lost = [table(1, 4, 5, 8, scores=(300, 0, 0, -300)), table(2, 3, 6, 7, scores=(300, 100, -200, -200))]
    assert order([lost, [table(1, 2, 3, 4)]], range(1, 9)) == [
        (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (5, 6), (5, 7), (8, 8)
    ]  # fmt: skip


def test_a_final_has_one_winner_and_equals_behind_him():
    finals = [table(1, 2, 3, 4, scores=(-300, 200, 200, -100))]
    assert order([finals], [1, 2, 3, 4]) == [(1, 2), (2, 3), (3, 4), (4, 1)]
    finals = [table(1, 2, 3, 4, scores=(300, -100, -100, -100))]
    assert order([finals], [1, 2, 3, 4]) == [(1, 1), (2, 2), (2, 3), (2, 4)]


def test_an_annulled_final_goes_to_the_best_seed():
    assert order([[table(3, 1, 4, 2, scores=ANNULLED)]], [1, 2, 3, 4]) == [(1, 1), (2, 2), (2, 3), (2, 4)]


def test_who_withdrew_before_the_next_round_is_below_those_who_sat_in_it_and_above_those_who_went_out():
    final = [table(3, 1, 4, None)]  # 2 went on and withdrew
    lines = ranking([SEMIFINALS, final], range(1, 9), SEEDS, 2)
    assert [(line.rank, line.entry) for line in lines][:5] == [(1, 3), (2, 1), (3, 4), (4, 2), (5, 5)]
    assert (lines[3].round, lines[3].place) == (2, NOT_SEATED)


def test_who_never_played_is_last_and_equal_among_themselves():
    lines = ranking([SEMIFINALS, [table(1, 2, 3, 4)]], range(1, 11), SEEDS, 2)
    assert [(line.rank, line.entry, line.round) for line in lines][-3:] == [(7, 8, 1), (9, 9, 0), (9, 10, 0)]


def test_while_it_is_being_played_all_who_went_on_are_first():
    assert order([SEMIFINALS], range(1, 9)) == [
        (1, 1), (1, 2), (1, 3), (1, 4), (5, 5), (5, 6), (7, 7), (7, 8)
    ]  # fmt: skip


def test_who_is_disqualified_is_below_all_others_whatever_he_reached():
    lines = ranking([[table(1, 2, 3, 4)]], [1, 2, 3, 4, 5], SEEDS, 2, last={1, 3})
    assert [(line.rank, line.entry) for line in lines] == [(1, 2), (2, 4), (3, 5), (4, 1), (5, 3)]


def test_nobody_who_is_not_an_entry_is_ranked():
    assert order([[table(1, 2, 3, 4)]], [2, 4]) == [(1, 2), (2, 4)]


def seated(people: list[int], rng: random.Random) -> list[PlayedTable]:
    """As few tables as possible, evenly filled; bots in the rest; scores of chance, often tied."""
    tables = -(-len(people) // 4)
    rng.shuffle(people)
    full = [(people[at::tables] + [None] * 4)[:4] for at in range(tables)]
    return [table(*seats, scores=[rng.randrange(-3, 4) for _ in seats]) for seats in full]


@pytest.mark.parametrize("advance", [1, 2, 3])
def test_every_number_of_entries_ends_with_one_final_table(advance):
    rng = random.Random(advance)
    for entries in range(1, 201):
        people, rounds = list(range(1, entries + 1)), []
        while not rounds or len(rounds[-1]) > 1:
            rounds.append(seated(people, rng))
            left = survivors(rounds[-1], advance, SEEDS)
            assert len(left) < len(people) or entries == 1
            people = left
        lines = ranking(rounds, range(1, entries + 1), SEEDS, advance)
        assert [line.entry for line in lines if line.rank == 1] == [lines[0].entry]
        assert {line.entry for line in lines} == set(range(1, entries + 1))
        assert {line.round for line in lines} == set(range(1, len(rounds) + 1))


@given(st.integers(1, 60), st.integers(1, 3), st.randoms(use_true_random=False), st.data())
def test_no_order_of_tables_and_seats_changes_who_goes_on_and_how_all_end(entries, advance, rng, data):
    tables = seated(list(range(1, entries + 1)), rng)
    turned = [
        PlayedTable(
            tuple(t.seats[seat] for seat in turn), tuple(t.scores[seat] for seat in turn), round=t.round
        )
        for t in data.draw(st.permutations(tables))
        for turn in [data.draw(st.permutations(range(4)))]
    ]
    assert survivors(tables, advance, SEEDS) == survivors(turned, advance, SEEDS)
    everyone = range(1, entries + 1)
    assert ranking([tables], everyone, SEEDS, advance) == ranking([turned], everyone[::-1], SEEDS, advance)

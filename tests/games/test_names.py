"""Finding players by their names, in any script and case."""

import pytest

from games.models import Player
from games.selectors import players_called

NAMES = ["amal", "كارلا", "مُحَمَّد", "ΟΔΟΣ", "οδός", "İzmir", "ẞtraße", "Zoë", "ﬁn"]


@pytest.fixture
def players(db) -> dict[str, Player]:
    return {name: Player.objects.create_user(name) for name in NAMES}


def test_everyone_is_found_by_the_name_that_he_has(players):
    assert players_called(NAMES) == players


@pytest.mark.parametrize(
    ("asked", "name"),
    [("AMAL", "amal"), ("ａｍａｌ", "amal"), ("ZOË", "Zoë"), ("οδοσ", "ΟΔΟΣ"), ("fin", "ﬁn")],
)
def test_case_and_width_do_not_matter(players, asked, name):
    assert players_called([asked]) == {asked: players[name]}


def test_unknown_names_are_left_out(players):
    assert players_called(["amal", "nobody", ""]) == {"amal": players["amal"]}
    assert players_called([]) == {}


def test_one_player_asked_for_twice_is_there_under_both_names(players):
    assert players_called(["amal", "Amal"]) == {"amal": players["amal"], "Amal": players["amal"]}


def test_many_names_are_one_query(players, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert len(players_called([*NAMES, *map(str, range(2000))])) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_profile_is_found_by_the_name_that_it_has(api, players, name):
    assert api().get(f"players/{name}/").json()["name"] == players[name].username

"""The rating that players of a tournament played like, from its rated matches."""

import pytest

from ratings import services
from tests.ratings.tables import NOON, finished, people, person
from tournaments.models import Round, Stage, Table, Tournament
from tournaments.performances import performances

pytestmark = pytest.mark.django_db

FOUR = ("amal", "basil", "كارلا", "daoud")
TOTALS = (300, 100, -100, -300)


def tournament(*matches, rules: str = "dananeer", state: str = "closed") -> Tournament:
    """With a round for each of these matches, in which it was the only table."""
    made = Tournament.objects.create(name="Cup", slug="cup", rules=rules, state="running")
    stage = Stage.objects.create(tournament=made, number=1, rounds=len(matches))
    closed_at = NOON if state == "closed" else None
    times = {"published_at": NOON, "closed_at": closed_at}
    for number, match in enumerate(matches, 1):
        draw = {"number": number, "seed": 1, "inputs": [], "report": []}
        of = Round.objects.create(tournament=made, stage=stage, state=state, **draw, **times)
        Table.objects.create(round=of, number=1, match=match)
    services.rate_finished()
    return made


def shown(of: Tournament) -> dict[str, tuple[int, int, int]]:
    found = performances(of, {player.pk for player in people(*FOUR)})
    names = {player.pk: player.username for player in people(*FOUR)}
    return {names[pk]: (round(one.rating), one.matches, round(one.opponents)) for pk, one in found.items()}


def test_a_table_of_newcomers_spreads_by_place():
    # 400 log10(2) = 120.4 for two of three; all and nothing end 800 from the mean.
    assert shown(tournament(finished(people(*FOUR), TOTALS))) == {
        "amal": (2300, 1, 1500),
        "basil": (1620, 1, 1500),
        "كارلا": (1380, 1, 1500),
        "daoud": (700, 1, 1500),
    }


def test_teams_are_one_pair():
    found = shown(
        tournament(finished(people(*FOUR), TOTALS, rules="cardkings-partners"), rules="cardkings-partners")
    )
    assert found["amal"] == found["كارلا"] and found["basil"] == found["daoud"]


def test_opponents_count_with_what_they_had_before_each_match():
    first, second = finished(people(*FOUR), TOTALS), finished(people(*FOUR[::-1]), TOTALS, minute=1)
    found = shown(tournament(first, second))
    assert [row[1] for row in found.values()] == [2] * 4
    assert found["amal"][2] < 1500 < found["daoud"][2]


def test_rounds_that_are_not_closed_and_matches_elsewhere_do_not_count():
    finished(people(*FOUR), TOTALS)
    assert shown(tournament(finished(people(*FOUR), TOTALS, minute=1), state="published")) == {}


def test_who_did_not_play_has_none():
    assert performances(tournament(finished(people(*FOUR), TOTALS)), {person("elias").pk}) == {}


def test_asks_once(django_assert_num_queries):
    of = tournament(*(finished(people(*FOUR), TOTALS, minute=at) for at in range(5)))
    players = {player.pk for player in people(*FOUR)}
    with django_assert_num_queries(1):
        assert len(performances(of, players)) == 4

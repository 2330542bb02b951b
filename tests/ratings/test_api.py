"""GET /ratings/, /ratings/{pool}/, /players/{name}/ and a player's history, to anyone."""

from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from games.models import ApiToken, Match, Player
from ratings import services
from ratings.models import KINDS, Rating
from tests.ratings.tables import HOUSE, finished, people, person, pool, program

pytestmark = pytest.mark.django_db

FOUR = ("amal", "basil", "كارلا", "daoud")
TOTALS = (300, 100, -100, -300)


def get(path: str, viewer: Player | None = None, **query: Any):
    headers = {}
    if viewer is not None:
        _, token = ApiToken.objects.create(user=viewer)
        headers["Authorization"] = f"Bearer {token}"
    return Client(raise_request_exception=False).get(f"/api/v1/{path}", query, headers=headers)


def rate(name: str, value: float, matches: int = 20, days_ago: int = 1, slug: str = "classic") -> Rating:
    at = timezone.now() - timedelta(days=days_ago)
    return Rating.objects.create(
        pool=pool(slug), player=person(name), value=value, matches=matches, last_match_at=at
    )


def problem(answer, status: int, code: str) -> str:
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == code
    return answer.json()["detail"]


class TestPools:
    def test_a_pool_for_each_kind_and_the_same_for_programs(self):
        rate("amal", 1600)
        rate("basil", 1500, matches=3)
        pools = get("ratings/").json()
        assert [row["pool"] for row in pools] == [*KINDS, *(f"{kind}-bots" for kind in KINDS)]
        assert pools[0] == {"pool": "classic", "name": "Classic", "programs": False, "players": 1}


class TestLeaderboard:
    def test_is_ranked_from_the_best_and_equal_ratings_share_a_rank(self):
        for name, value in zip(FOUR, (1600, 1650.5, 1600, 1400), strict=True):
            rate(name, value)
        rate("elias", 1900, slug="complex")
        body = get("ratings/classic/").json()
        rows = [(row["rank"], row["player"]["name"], row["rating"]) for row in body["results"]]
        assert rows == [(1, "basil", 1650.5), (2, "amal", 1600), (2, "كارلا", 1600), (4, "daoud", 1400)]
        assert body["count"] == 4

    @pytest.mark.parametrize(
        ("matches", "days_ago", "listed"), [(20, 89, True), (19, 1, False), (20, 91, False)]
    )
    def test_wants_20_matches_and_one_in_the_last_90_days(self, matches, days_ago, listed):
        rate("amal", 1600, matches, days_ago)
        assert bool(get("ratings/classic/").json()["results"]) is listed

    def test_all_shows_provisional_and_absent_players_too(self):
        rate("amal", 1600)
        rate("basil", 1700, matches=19)
        rate("carla", 1500, days_ago=100)
        rows = get("ratings/classic/", all=1).json()["results"]
        assert [(row["player"]["name"], row["provisional"]) for row in rows] == [
            ("basil", True),
            ("amal", False),
            ("carla", False),
        ]

    def test_a_closed_account_is_not_listed(self):
        rate("amal", 1600)
        Player.objects.update(is_active=False)
        assert get("ratings/classic/", all=1).json()["results"] == []

    def test_comes_in_pages_whose_ranks_go_on(self):
        for number in range(5):
            rate(f"player{number}", 1500 - number)
        body = get("ratings/classic/", page=2, page_size=2).json()
        assert [row["rank"] for row in body["results"]] == [3, 4]
        assert body["count"] == 5
        assert body["next"] and body["previous"]

    def test_of_programs_says_that_they_are(self):
        finished([program("deep"), HOUSE, program("quick"), HOUSE], TOTALS)
        services.rate_finished()
        rows = get("ratings/classic-bots/", all="true").json()["results"]
        assert [row["player"] for row in rows] == [
            {"name": "deep", "is_bot": True},
            {"name": "quick", "is_bot": True},
        ]


class TestProfile:
    def test_has_the_rating_of_each_pool(self):
        finished(people(*FOUR), TOTALS)
        finished(people(*FOUR), TOTALS, rules="cardkings-complex")
        services.rate_finished()
        body = get(f"players/{quote('كارلا')}/").json()
        assert (body["name"], body["is_bot"]) == ("كارلا", False)
        assert [row["pool"] for row in body["ratings"]] == ["classic", "complex"]
        assert body["ratings"][0] == {
            "pool": "classic",
            "rating": Rating.objects.get(player__username="كارلا", pool=pool("classic")).value,
            "provisional": True,
            "matches": 1,
            "last_match_at": "2026-11-30T12:00:00.000000Z",
        }

    def test_of_a_player_without_rated_matches(self):
        person("amal")
        assert get("players/amal/").json() == {"name": "amal", "is_bot": False, "ratings": []}

    def test_is_found_in_any_case_and_any_form_of_the_letters(self):
        person("Amélie")
        decomposed = "AME\u0301LIE"
        assert get(f"players/{quote('amélie')}/").json()["name"] == "Amélie"
        assert get(f"players/{quote(decomposed)}/").json()["name"] == "Amélie"


class TestHistory:
    def test_is_the_newest_first_with_all_that_the_change_came_from(self):
        first = finished(people(*FOUR), TOTALS)
        second = finished(people(*reversed(FOUR)), TOTALS, minute=1, left="W")
        services.rate_finished()
        body = get("players/amal/ratings/classic/history/").json()
        new, old = body["results"]
        assert (new["match"], old["match"], body["count"]) == (second.code, first.code, 2)
        assert new["finished_at"] == "2026-11-30T12:01:00.000000Z"
        assert (new["place"], new["left"], new["n"], new["k"]) == (4, True, 1, 60)
        assert (old["before"], new["before"], new["provisional"]) == (1500, old["after"], True)
        assert new["change"] == new["after"] - new["before"] < 0 < old["change"]
        assert [(row["player"]["name"], row["place"], row["left"]) for row in new["players"]] == [
            ("daoud", 1, False),
            ("كارلا", 2, False),
            ("basil", 3, False),
            ("amal", 4, True),
        ]

    def test_a_rating_that_rises_after_a_bad_place_is_explained_by_the_opponents(self):
        for name in ("basil", "carla", "daoud"):
            rate(name, 2100)
        rate("amal", 1500)
        finished(people("basil", "amal", "carla", "daoud"), (0, 1, 2, 3))
        services.rate_finished()
        row = get("players/amal/ratings/classic/history/").json()["results"][0]
        assert row["place"] == 3
        assert row["change"] > 0
        assert sorted(other["before"] for other in row["players"]) == [1500, 2100, 2100, 2100]

    def test_of_a_private_match_gives_its_code_to_its_players_alone(self):
        match = finished(people(*FOUR), TOTALS)
        Match.objects.update(visibility=Match.Visibility.PRIVATE)
        services.rate_finished()
        path = "players/amal/ratings/classic/history/"
        assert get(path).json()["results"][0]["match"] is None
        assert get(path, person("elias")).json()["results"][0]["match"] is None
        assert get(path, person("daoud")).json()["results"][0]["match"] == match.code

    def test_asks_as_many_questions_for_many_matches_as_for_one(self, django_assert_max_num_queries):
        for minute in range(10):
            finished(people(*FOUR), TOTALS, minute=minute)
        services.rate_finished()
        with django_assert_max_num_queries(6):
            assert len(get("players/amal/ratings/classic/history/").json()["results"]) == 10

    def test_of_a_player_without_rated_matches_is_empty(self):
        person("amal")
        assert get("players/amal/ratings/partners/history/").json()["results"] == []


class TestBadInput:
    @pytest.mark.parametrize("slug", ["chess", "Classic", "كلاسيك", "-", "classic'--", "x" * 3000, "%ff"])
    def test_unknown_pools(self, slug):
        person("amal")
        for path in (f"ratings/{quote(slug)}/", f"players/amal/ratings/{quote(slug)}/history/"):
            assert "complex-partners" in problem(get(path), 404, "no_such_pool")

    @pytest.mark.parametrize("name", ["nobody", "لا أحد", "..x", "a b", "x" * 3000, "\udcff", "'", "🂡"])
    def test_unknown_players(self, name):
        for path in ("players/{}/", "players/{}/ratings/classic/history/"):
            address = path.format(quote(name, errors="surrogateescape"))
            problem(get(address), 404, "no_such_player")

    def test_null_characters(self):
        for path in ("ratings/a%00/", "players/a%00/", "players/a%00/ratings/classic/history/"):
            problem(get(path), 400, "null_character")

    def test_pages_that_are_not_there(self):
        for page in ("2", "9" * 400):
            assert get("ratings/classic/", page=page).status_code == 404
        assert get("ratings/classic/", page="١").status_code == 200

    @pytest.mark.parametrize(
        "query", [{"page": "0"}, {"page": "-1"}, {"page": "last!"}, {"page_size": "0"}, {"page_size": "201"}]
    )
    def test_what_is_no_page(self, query):
        person("amal")
        for path in ("ratings/classic/", "players/amal/ratings/classic/history/"):
            (field,) = query
            assert field in problem(get(path, **query), 400, "invalid")

    def test_a_flag_that_is_none(self):
        assert "all" in problem(get("ratings/classic/", all="perhaps"), 400, "invalid")

    @pytest.mark.parametrize("path", ["ratings/", "ratings/classic/", "players/amal/"])
    def test_nothing_here_can_be_written(self, path):
        amal = person("amal")
        _, token = ApiToken.objects.create(user=amal)
        headers = {"Authorization": f"Bearer {token}"}
        for method in ("post", "put", "patch", "delete"):
            answer = getattr(Client(), method)(f"/api/v1/{path}", headers=headers)
            problem(answer, 405, "method_not_allowed")

    def test_a_wrong_token(self):
        answer = Client().get("/api/v1/ratings/", headers={"Authorization": "Bearer nonsense"})
        assert answer.status_code == 401

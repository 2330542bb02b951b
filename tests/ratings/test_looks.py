"""The API's looks at ratings: CSV, distribution, forecasts, what a match was to ratings, head to head."""

import csv
import io
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.utils import timezone

from games.models import Match, Player, Seat
from ratings import recalculations, services
from ratings.maths import expected
from ratings.models import LedgerMatch, Pool, Rating
from tests.ratings.tables import HOUSE, finished, people, person, pool, program
from tests.ratings.test_api import FOUR, TOTALS, get, problem, rate

pytestmark = pytest.mark.django_db

NEARBY = [("amal", 90), ("basil", 60), ("daoud", 10), ("newcomer", 80)]
RATINGS = (1700, 1500, 1500, 1300)


def opened(seats, rules="dananeer", **fields) -> Match:
    """An open table with these people, programs and house bots (their level), None for a free seat."""
    match = Match.objects.create(rules=rules, **fields)
    for index, sitter in enumerate(seats):
        if sitter is not None:
            who = {"bot": sitter} if isinstance(sitter, str) else {"player": sitter}
            Seat.objects.create(match=match, index=index, **who)
    return match


def explained(match: Match, **options) -> dict:
    answer = get(f"matches/{match.code}/rating/", **options)
    assert answer.status_code == 200
    return answer.json()


class TestCSV:
    def rows(self, **query) -> list[list[str]]:
        answer = get("ratings/classic/", format="csv", **query)
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        text = answer.getvalue().decode()
        assert text.startswith("\ufeff")
        return list(csv.reader(io.StringIO(text[1:])))

    def test_is_the_whole_board_with_ranks_and_exact_ratings(self):
        for number in range(60):
            rate(f"player{number}", 1500.25 - number)
        header, *rows = self.rows()
        assert header == ["rank", "player", "rating", "provisional", "matches", "last_match_at"]
        assert [row[0] for row in rows] == [str(rank) for rank in range(1, 61)]
        assert rows[0][1:5] == ["player0", "1500.25", "False", "20"]

    def test_all_has_provisional_ratings_too(self):
        rate("كارلا", 1500, matches=3)
        assert len(self.rows()) == 1
        assert [row[1] for row in self.rows(all=1)] == ["player", "كارلا"]

    def test_a_name_is_no_formula(self):
        rate("amal", 1500)
        rate("basil", 1400)
        Player.objects.filter(username="amal").update(username="=1+1")  # As no name may begin today.
        assert [row[1] for row in self.rows()] == ["player", "'=1+1", "basil"]

    def test_what_is_wrong_is_said_as_a_problem(self):
        problem(get("ratings/chess/", format="csv"), 404, "no_such_pool")
        assert "csv" in problem(get("ratings/classic/", format="xls"), 404, "not_found")


class TestDistribution:
    def test_has_bins_of_50_points_mean_and_quartiles(self):
        for name, value in zip(FOUR, (1449.99, 1450, 1470, 1600), strict=True):
            rate(name, value)
        rate("elias", 2000, matches=3)
        body = get("ratings/classic/distribution/").json()
        assert [(row["from"], row["to"], row["players"]) for row in body["bins"]] == [
            (1400, 1450, 1),
            (1450, 1500, 2),
            (1500, 1550, 0),
            (1550, 1600, 0),
            (1600, 1650, 1),
        ]
        assert (body["players"], body["mean"]) == (4, pytest.approx(1492.4975))
        assert body["quartiles"] == pytest.approx([1449.9975, 1460, 1502.5])
        assert body["player"] is None

    def test_ratings_below_zero_have_bins_too(self):
        rate("amal", -0.5)
        assert get("ratings/classic/distribution/").json()["bins"] == [{"from": -50, "to": 0, "players": 1}]

    def test_of_an_empty_board(self):
        body = get("ratings/partners/distribution/").json()
        assert body == {"players": 0, "mean": None, "quartiles": None, "bins": [], "player": None}

    @pytest.mark.parametrize(
        ("name", "share"), [("amal", 90), ("basil", 60), ("daoud", 10), ("newcomer", 80)]
    )
    def test_the_percentile_is_the_share_below_and_half_of_the_ties(self, name, share):
        for each, value in zip((*FOUR, "elias"), (1700, 1500, 1500, 1300, 1500), strict=True):
            rate(each, value)
        Rating.objects.filter(player__username="elias").update(value=1400)
        rate("newcomer", 1600, matches=2)
        body = get("ratings/classic/distribution/", player=name).json()
        assert body["player"]["percentile"] == share
        assert body["players"] == 5

    def test_a_player_without_a_rating_there(self):
        person("amal")
        for name, code in (("amal", "no_such_rating"), ("nobody", "no_such_player")):
            problem(get("ratings/classic/distribution/", player=name), 404, code)


class TestExpected:
    def test_at_a_table_of_four(self):
        for name, value in zip(FOUR, RATINGS, strict=True):
            rate(name, value)
        body = get("ratings/classic/expected/", player=FOUR).json()
        one, two, _, four = body["players"]
        assert (one["player"]["name"], one["rating"], one["provisional"]) == ("amal", 1700, False)
        assert one["expected_place"] == pytest.approx(1 + 2 * expected(1500, 1700) + expected(1300, 1700))
        assert sum(row["expected_place"] for row in body["players"]) == pytest.approx(10)
        assert sum(row["win_chance"] for row in body["players"]) == pytest.approx(1)
        assert one["win_chance"] > two["win_chance"] > four["win_chance"]
        assert one["place_chances"][0] == pytest.approx(one["win_chance"])

    def test_of_partners_the_first_sits_with_the_third(self):
        for name, value in zip(FOUR, RATINGS, strict=True):
            rate(name, value, slug="partners")
        rows = get("ratings/partners/expected/", player=FOUR).json()["players"]
        chance = expected(1600, 1400)
        assert [row["win_chance"] for row in rows] == pytest.approx([chance, 1 - chance] * 2)
        assert [row["expected_place"] for row in rows] == pytest.approx([2 - chance, 1 + chance] * 2)

    def test_newcomers_count_as_1500(self):
        rate("amal", 1700)
        person("basil")
        one, two = get("ratings/classic/expected/", player=("AMAL", "basil")).json()["players"]
        assert (two["rating"], two["provisional"]) == (1500, True)
        assert one["win_chance"] == pytest.approx(expected(1700, 1500))

    @pytest.mark.parametrize("names", [(), ("amal",), (*FOUR, "elias")])
    def test_two_to_four_names(self, names):
        people(*FOUR, "elias")
        assert "player" in problem(get("ratings/classic/expected/", player=names), 400, "invalid")

    def test_who_cannot_sit_there(self):
        people("amal", "basil")
        program("deep")
        path = "ratings/{}/expected/"
        problem(get(path.format("classic"), player=("amal", "Amal")), 400, "player_twice")
        assert "with -bots" in problem(
            get(path.format("classic"), player=("amal", "deep")), 400, "other_pool"
        )
        assert "without -bots" in problem(
            get(path.format("classic-bots"), player=("amal", "deep")), 400, "other_pool"
        )
        problem(get(path.format("classic"), player=("amal", "nobody")), 404, "no_such_player")
        problem(get(path.format("chess"), player=("amal", "basil")), 404, "no_such_pool")


class TestMatchBefore:
    def test_says_who_would_be_where(self):
        rate("amal", 1700)
        match = opened([*people("amal"), HOUSE, *people("basil"), None])
        body = explained(match)
        assert (body["state"], body["reason"], body["detail"]) == ("before", None, None)
        amal, bot, basil, free = body["seats"]
        assert (amal["seat"], amal["player"]["name"], amal["before"]["rating"]) == ("S", "amal", 1700)
        assert amal["before"]["win_chance"] == pytest.approx(expected(1700, 1500))
        assert (basil["before"]["provisional"], basil["before"]["expected_place"]) == (
            True,
            pytest.approx(1 + expected(1700, 1500)),
        )
        assert (bot["bot"], bot["before"], bot["change"]) == (HOUSE, None, None)
        assert free == {"seat": free["seat"], "player": None, "bot": None, "before": None, "change": None}

    def test_programs_are_measured_by_programs(self):
        match = opened([*people("amal"), program("deep"), *people("basil"), program("quick")])
        pools = [seat["before"]["pool"] for seat in explained(match)["seats"]]
        assert pools == ["classic", "classic-bots"] * 2
        assert [seat["before"]["win_chance"] for seat in explained(match)["seats"]] == [0.5] * 4

    def test_partners_have_one_chance(self):
        for name, value in zip(FOUR, RATINGS, strict=True):
            rate(name, value, slug="partners")
        match = opened(people(*FOUR), rules="cardkings-partners")
        chances = [seat["before"]["win_chance"] for seat in explained(match)["seats"]]
        assert chances == pytest.approx([expected(1600, 1400), expected(1400, 1600)] * 2)

    @pytest.mark.parametrize(
        ("seats", "rules", "reason"),
        [
            (("amal", None, None, None), "dananeer", "few_people"),
            (("amal", None, "basil", None), "cardkings-partners", "one_side"),
        ],
    )
    def test_says_why_it_would_not_be_rated_as_it_is(self, seats, rules, reason):
        match = opened([person(name) if name else HOUSE for name in seats], rules=rules)
        body = explained(match)
        assert (body["state"], body["reason"]) == ("before", reason)
        assert body["detail"].startswith("Not rated: ")
        assert body["seats"][0]["before"]["win_chance"] is None

    def test_a_friendly_is_not_rated(self):
        body = explained(opened(people(*FOUR), rated=False))
        assert (body["state"], body["reason"]) == ("not_rated", "friendly")
        assert [seat["before"] for seat in body["seats"]] == [None] * 4


class TestMatchAfter:
    def test_waits_until_it_is_rated(self):
        match = finished(people(*FOUR), TOTALS)
        assert (explained(match)["state"], explained(match)["reason"]) == ("waiting", None)
        services.rate_finished()
        body = explained(match)
        assert (body["state"], body["reason"]) == ("rated", None)
        assert [seat["change"]["place"] for seat in body["seats"]] == [1, 2, 3, 4]
        amal = body["seats"][0]["change"]
        assert (amal["before"], amal["pool"], amal["left"]) == (1500, "classic", False)
        assert amal["change"] == amal["after"] - 1500 == pytest.approx(32)

    def test_waits_until_others_have_played_its_cards_and_tells_no_place(self):
        match = finished(people(*FOUR), TOTALS)
        opened([None] * 4, secret=match.secret)
        services.rate_finished()
        body = explained(match)
        assert (body["state"], body["reason"]) == ("waiting", "cards_in_play")
        assert [seat["change"] for seat in body["seats"]] == [None] * 4

    @pytest.mark.parametrize(
        ("seats", "rules", "left", "reason"),
        [
            (("amal", None, None, None), "dananeer", "", "few_people"),
            (("amal", None, "basil", None), "cardkings-partners", "", "one_side"),
            (FOUR, "dananeer", "NESW", "all_left"),
        ],
    )
    def test_says_why_it_was_not_rated(self, seats, rules, left, reason):
        match = finished([person(name) if name else HOUSE for name in seats], TOTALS, rules=rules, left=left)
        services.rate_finished()
        body = explained(match)
        assert (body["state"], body["reason"]) == ("not_rated", reason)
        assert body["detail"] == f"{LedgerMatch.Reason(reason).label}."

    def test_an_annulled_one_says_why(self):
        match = finished(people(*FOUR), TOTALS)
        services.rate_finished()
        recalculations.annul([LedgerMatch.objects.get()], None, "the cards were known")
        recalculations.recalculate()
        body = explained(match)
        assert (body["state"], body["reason"]) == ("not_rated", "annulled")
        assert body["detail"] == "Annulled: the cards were known"
        recalculations.restore([LedgerMatch.objects.get()], None, "they were not")
        recalculations.recalculate()
        assert explained(match)["state"] == "rated"

    def test_one_that_was_called_off(self):
        match = opened(people(*FOUR))
        Match.objects.update(status=Match.Status.CANCELLED)
        assert explained(match)["reason"] == "cancelled"

    def test_is_for_those_who_may_know_of_the_match(self):
        match = finished(people(*FOUR), TOTALS)
        Match.objects.update(visibility=Match.Visibility.PRIVATE)
        problem(get(f"matches/{match.code}/rating/", person("elias")), 404, "no_such_match")
        problem(get("matches/nothing/rating/"), 404, "no_such_match")
        assert explained(match, viewer=person("amal"))["state"] == "waiting"


def head_to_head(one="amal", two="basil", **options) -> list[dict]:
    answer = get(f"players/{quote(one)}/against/{quote(two)}/", **options)
    assert answer.status_code == 200
    return answer.json()["pools"]


class TestAgainst:
    def test_counts_who_ended_above_whom_with_what_was_expected(self):
        rate("amal", 1600)
        rate("basil", 1500)
        finished(people(*FOUR), TOTALS)
        finished(people(*FOUR), (100, 100, -100, -100), minute=1)
        finished(people("basil", "amal", "elias", "olga"), TOTALS, minute=2)
        services.rate_finished()
        (row,) = head_to_head()
        assert (row["pool"], row["matches"], row["partners"]) == ("classic", 3, 0)
        assert (row["above"], row["level"], row["below"], row["score"]) == (1, 1, 1, 1.5)
        (mirrored,) = head_to_head("basil", "amal")
        assert (mirrored["above"], mirrored["below"]) == (1, 1)
        assert row["expected"] + mirrored["expected"] == pytest.approx(3)
        assert 3 * 0.6 < row["expected"] < 3 * 0.66

    def test_takes_ratings_from_before_each_match(self):
        rate("amal", 1700)
        finished(people("amal", "basil"), (1, 0)) if False else finished(
            [*people("amal", "basil"), HOUSE, HOUSE], TOTALS
        )
        services.rate_finished()
        assert head_to_head()[0]["expected"] == expected(1700, 1500)

    def test_who_left_is_below_and_two_who_left_are_not_compared(self):
        finished(people(*FOUR), TOTALS, left="S")
        finished(people(*FOUR), TOTALS, minute=1, left="SE")
        services.rate_finished()
        (row,) = head_to_head()
        assert (row["matches"], row["above"], row["level"], row["below"]) == (2, 0, 0, 1)
        assert (row["expected"], row["score"]) == (0.5, 0)

    def test_partners_are_counted_apart_and_sides_have_means(self):
        for name, value in zip(FOUR, RATINGS, strict=True):
            rate(name, value, slug="partners")
        finished(people(*FOUR), TOTALS, rules="cardkings-partners")
        services.rate_finished()
        (with_carla,) = head_to_head("amal", "كارلا")
        assert (with_carla["matches"], with_carla["partners"], with_carla["above"]) == (1, 1, 0)
        (with_basil,) = head_to_head("amal", "basil")
        assert (with_basil["partners"], with_basil["below"] + with_basil["above"]) == (0, 1)
        assert with_basil["expected"] == pytest.approx(expected(1600, 1400))

    def test_is_by_pool_and_programs_among_people_meet_nobody(self):
        deep = program("deep")
        finished([*people("amal"), deep, *people("basil"), HOUSE], TOTALS)
        finished(people(*FOUR), TOTALS, minute=1, rules="cardkings-complex")
        services.rate_finished()
        assert [row["pool"] for row in head_to_head()] == ["classic", "complex"]
        assert head_to_head("amal", "deep") == []

    def test_of_strangers_and_of_one_alone(self):
        people("amal", "basil")
        assert head_to_head() == []
        problem(get("players/amal/against/AMAL/"), 400, "same_player")
        problem(get("players/amal/against/nobody/"), 404, "no_such_player")
        problem(get("players/nobody/against/amal/"), 404, "no_such_player")

    def test_asks_as_many_questions_for_many_matches_as_for_one(self, django_assert_max_num_queries):
        for minute in range(10):
            finished(people(*FOUR), TOTALS, minute=minute)
        services.rate_finished()
        with django_assert_max_num_queries(4):
            assert head_to_head()[0]["matches"] == 10


class TestRecalculations:
    @pytest.fixture
    def matches(self) -> list[Match]:
        found = [finished(people(*FOUR), TOTALS), finished(people(*FOUR), TOTALS, minute=1)]
        services.rate_finished()
        return found

    def listed(self, slug="classic", **query) -> list[dict]:
        return get(f"ratings/{slug}/recalculations/", **query).json()["results"]

    def annul(self, match: Match) -> None:
        recalculations.annul([match.ledger_match], None, "the cards were known")
        recalculations.recalculate()

    def test_an_annulment_is_told_with_its_match_and_what_it_did_to_a_player(self, matches):
        was = Rating.objects.get(player__username="amal").value
        self.annul(matches[0])
        (row,) = self.listed()
        assert (row["cause"], row["note"]) == ("annulment", "the cards were known")
        assert (row["matches"], row["computed"], row["moved"]) == ([matches[0].code], 1, 4)
        assert (row["parameters"], row["player"]) == ({}, None)
        (row,) = self.listed(player="amal")
        assert row["player"] == {
            "before": was,
            "after": Rating.objects.get(player__username="amal").value,
        }

    def test_a_rating_that_is_gone_or_come_back_is_null(self, matches):
        for match in matches:
            self.annul(match)
        recalculations.restore([matches[0].ledger_match], None, "it was right")
        recalculations.recalculate()
        restored, second, _ = self.listed(player="amal")
        assert second["player"]["after"] is None
        assert restored["player"]["before"] is None
        assert restored["cause"] == "restoration"

    def test_other_parameters_are_told_with_those_before(self, matches):
        asked = recalculations.preview(pool("classic"), {"k_start": 32.0}, None, "calmer")
        recalculations.recalculate()
        assert self.listed() == []
        recalculations.confirm(asked.pk)
        recalculations.recalculate()
        (row,) = self.listed()
        assert row["parameters"] == {"k_start": {"was": 64.0, "now": 32.0}}
        assert (row["cause"], row["matches"], row["moved"]) == ("parameters", [], 4)

    def test_one_that_moved_nobody_is_the_pools_and_no_players(self, matches):
        asked = recalculations.preview(pool("classic"), {"active_days": 30}, None, "")
        recalculations.recalculate()
        recalculations.confirm(asked.pk)
        recalculations.recalculate()
        assert [row["moved"] for row in self.listed()] == [0]
        assert self.listed(player="amal") == []

    def test_other_pools_know_nothing_of_it(self, matches):
        self.annul(matches[0])
        assert self.listed("complex") == []

    def test_private_matches_have_no_code_for_others(self, matches):
        self.annul(matches[0])
        Match.objects.update(visibility=Match.Visibility.PRIVATE)
        assert self.listed()[0]["matches"] == [None]
        path = "ratings/classic/recalculations/"
        assert get(path, person("amal")).json()["results"][0]["matches"] == [matches[0].code]

    def test_unknown_players_and_pools(self, matches):
        problem(get("ratings/classic/recalculations/", player="nobody"), 404, "no_such_player")
        problem(get("ratings/chess/recalculations/"), 404, "no_such_pool")


def test_history_says_what_was_expected_and_what_came_of_it():
    rate("amal", 1600)
    finished(people(*FOUR), (1, 2, -1, -2))
    services.rate_finished()
    row = get("players/amal/ratings/classic/history/").json()["results"][0]
    assert (row["pairs"], row["score"]) == (3, 2)
    assert row["expected"] == pytest.approx(3 * expected(1600, 1500))


def test_a_pool_of_another_activity_lists_by_its_own_days():
    rate("amal", 1500, days_ago=40)
    Pool.objects.filter(slug="classic").update(active_days=30)
    assert get("ratings/classic/distribution/").json()["players"] == 0
    Rating.objects.update(last_match_at=timezone.now() - timedelta(days=29))
    assert get("ratings/classic/distribution/").json()["players"] == 1

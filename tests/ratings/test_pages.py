"""The public pages: pools, a leaderboard, a player; for everyone, and without what is private."""

import re
from datetime import timedelta
from itertools import pairwise
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from games.models import Match, Player
from ratings import recalculations, selectors, services
from ratings.models import LedgerMatch, Pool, Rating, Recalculation, Revision
from tests.ratings.tables import HOUSE, finished, people, person, pool, program

pytestmark = pytest.mark.django_db

FOUR = ("amal", "basil", "كارلا", "daoud")
TOTALS = (300, 100, -100, -300)


def page(path: str, viewer: Player | None = None, status: int = 200, **query: Any) -> str:
    client = Client(raise_request_exception=False)
    if viewer is not None:
        client.force_login(viewer)
    answer = client.get(path, query)
    assert answer.status_code == status
    assert answer["Content-Type"] == "text/html; charset=utf-8"
    return answer.content.decode()


def rate(name: str, value: float, matches: int = 20, days_ago: int = 1) -> Rating:
    at = timezone.now() - timedelta(days=days_ago)
    return Rating.objects.create(
        pool=pool("classic"), player=person(name), value=value, matches=matches, last_match_at=at
    )


def names(text: str) -> list[str]:
    """Of the rows of a table, or of its lists, in their order."""
    return re.findall(r"<bdi>([^<]+)</bdi></a>", text)


def played(times: int = 1, rules: str = "dananeer") -> list[Match]:
    """Matches of the four, each won by the next one of them."""
    turned = (FOUR[at % 4 :] + FOUR[: at % 4] for at in range(times))
    matches = [finished(people(*seats), TOTALS, at, rules) for at, seats in enumerate(turned)]
    services.rate_finished()
    return matches


class TestPools:
    def test_shows_the_best_three_of_each(self):
        for at, name in enumerate((*FOUR, "elias")):
            rate(name, 1500 + at)
        text = page("/ratings/")
        assert names(text) == ["elias", "daoud", "كارلا"]
        assert "5 listed players" in text
        assert all(f'href="/ratings/{found.slug}/"' in text for found in Pool.objects.all())

    def test_says_what_it_takes_where_nobody_is_listed(self):
        Pool.objects.update(established_after=7)
        assert "Nobody is listed yet. That takes 7 rated matches." in page("/ratings/")


class TestLeaderboard:
    def test_is_ranked_from_the_best_and_links_to_the_players(self):
        rate("amal", 1600)
        rate("كارلا", 1700)
        text = page("/ratings/classic/")
        assert names(text) == ["كارلا", "amal"]
        assert f'href="/players/{quote("كارلا")}/#classic"' in text
        assert 'href="/api/v1/ratings/classic/"' in text

    def test_shows_provisional_players_if_asked_for_with_their_mark(self):
        rate("amal", 1600)
        rate("basil", 1723, matches=3)
        assert names(page("/ratings/classic/")) == ["amal"]
        text = page("/ratings/classic/", all="1")
        assert names(text) == ["basil", "amal"] and ">1723?<" in text and ">1600<" in text

    def test_has_fifty_players_a_page(self):
        for at in range(51):
            rate(f"player{at:02}", 2000 - at)
        first, second = page("/ratings/classic/"), page("/ratings/classic/", page=2)
        assert len(names(first)) == 50 and "1 to 50 of 51" in first and "?page=2" in first
        assert names(second) == ["player50"] and '<td class="number">51</td>' in second

    def test_search_keeps_the_ranks_of_the_whole_list(self):
        for name, value in (("basil", 1700), ("Amal", 1600), ("amalia", 1600), ("daoud", 1500)):
            rate(name, value)
        rate("kamal", 1900, matches=2)
        text = page("/ratings/classic/", name="AMAL")
        assert names(text) == ["Amal", "amalia"]
        assert text.count('<td class="number">2</td>') == 2
        assert names(page("/ratings/classic/", name="amal", all="1")) == ["kamal", "Amal", "amalia"]

    def test_search_ranks_as_the_leaderboard_does(self):
        for at in range(12):
            rate(f"player{at}", 1500 + at // 3)
        board = {row.pk: row.rank for row in selectors.leaderboard(pool("classic"))}
        assert {row.pk: row.rank for row in selectors.found_on(pool("classic"), False, "player")} == board

    @pytest.mark.parametrize("name", ["nobody", "%", "_", "<script>", "لا", "x" * 3000])
    def test_search_that_finds_nobody_says_so(self, name):
        rate("amal", 1600)
        text = page("/ratings/classic/", name=name)
        assert "No player here has" in text and "<script>" not in text

    def test_of_nobody_says_so(self):
        assert "Nobody is listed yet." in page("/ratings/complex/")


class TestPlayer:
    def test_has_a_rating_and_a_history_of_each_pool(self):
        played()
        played(rules="cardkings-complex")
        text = page("/players/amal/")
        assert re.findall(r'<h2 id="([\w-]+)">', text) == ["classic", "complex"]
        assert text.count('<svg xmlns="http://www.w3.org/2000/svg"') == 4
        assert "1500? → 1532?" in text and "+32.0" in text

    def test_shows_against_whom_with_their_ratings_and_places(self):
        played(2)
        text = page("/players/amal/")
        assert names(text)[:3] == ["basil", "كارلا", "daoud"]
        assert re.search(r"<bdi>basil</bdi></a> 1511\?, place 1<", text)

    def test_says_who_was_the_partner(self):
        finished(people(*FOUR), TOTALS, rules="cardkings-partners")
        services.rate_finished()
        text = page("/players/amal/")
        (partner,) = re.findall(r"<bdi>([^<]+)</bdi></a> [^<]*, partner<", text)
        assert partner == "كارلا"

    def test_each_point_of_the_plot_leads_to_a_row_of_that_page_or_of_another_one(self):
        played(60)
        text = page("/players/amal/")
        assert len(re.findall(r'<tr id="classic-', text)) == 50
        for link in re.findall(r'<a href="(#classic-\d+)" tabindex', text):
            assert f'<tr id="{link[1:]}">' in text
        elsewhere = re.findall(r'<a href="(\?classic=2)#(classic-\d+)" tabindex', text)
        assert len(elsewhere) == 10
        older = page(f"/players/amal/{elsewhere[0][0]}")
        assert all(f'<tr id="{row}">' in older for _, row in elsewhere)

    def test_of_a_private_match_tells_strangers_no_code(self):
        (match,) = played()
        address = f'href="/api/v1/matches/{match.code}/record/"'
        assert address in page("/players/amal/")
        Match.objects.update(visibility=Match.Visibility.PRIVATE)
        assert match.code not in page("/players/amal/")
        assert match.code not in page("/players/amal/", person("elias"))
        assert address in page("/players/amal/", person("daoud"))

    def test_marks_recalculations_with_their_reason(self):
        played(5)
        entry = LedgerMatch.objects.get(sequence=3)
        recalculations.annul([entry], None, "Agreed <beforehand>")
        recalculations.recalculate()
        text = page("/players/amal/")
        assert text.count("Agreed &lt;beforehand&gt;") == 2 and "<beforehand>" not in text

    def test_shows_no_preview_that_was_not_applied(self):
        played()
        asked = Recalculation.objects.create(
            cause="parameters", pool=pool("classic"), state="preview", note="Try"
        )
        Revision.objects.create(
            recalculation=asked, player=person("amal"), pool=pool("classic"), before=1, after=2, matches=1
        )
        assert "Recalculations" not in page("/players/amal/")

    def test_says_how_many_have_less(self):
        for at in range(5):
            rate(f"player{at}", 1500 + at)
        assert "Higher than 3 of the 4 others on the leaderboard, which is 75%." in page("/players/player3/")
        assert "rank 2 of 5" in page("/players/player3/")

    @pytest.mark.parametrize(
        ("matches", "days_ago", "why"),
        [
            (3, 1, "Not on the leaderboard yet: 3 of the 20 rated matches that it takes."),
            (20, 91, "Not on the leaderboard: no rated match in the last 90 days."),
            (20, 1, "Nobody else is on the leaderboard."),
        ],
    )
    def test_says_why_a_rating_is_compared_with_nobodys(self, matches, days_ago, why):
        rate("amal", 1600, matches, days_ago)
        assert why in page("/players/amal/")

    def test_a_closed_account_is_not_listed(self):
        rate("amal", 1600)
        Player.objects.update(is_active=False)
        assert "the account is closed" in page("/players/amal/")

    def test_of_a_program_says_that_it_is_one(self):
        finished([program("deep"), HOUSE, program("quick"), HOUSE], TOTALS)
        services.rate_finished()
        assert '<bdi>deep</bdi> <span class="tag">program</span>' in page("/players/deep/")

    def test_without_rated_matches(self):
        person("amal")
        assert "No rated match yet." in page("/players/amal/")

    def test_asks_as_many_questions_for_many_matches_as_for_one(self, django_assert_max_num_queries):
        played(12)
        with django_assert_max_num_queries(14):
            page("/players/amal/")

    def test_is_where_the_admin_sends_to(self):
        found = rate("كارلا", 1600)
        assert found.get_absolute_url() == f"/players/{quote('كارلا')}/#classic"
        admin = page(f"/admin/ratings/rating/{found.pk}/change/", Player.objects.create_superuser("root"))
        assert "/admin/r/" in admin


class TestLooks:
    @pytest.mark.parametrize("path", ["/ratings/", "/ratings/classic/", "/players/amal/", "/players/nobody/"])
    def test_headings_go_down_one_step_at_a_time_from_a_single_first(self, path):
        played(3)
        text = page(path, status=404 if "nobody" in path else 200)
        levels = [int(level) for level in re.findall(r"<h(\d)", text)]
        assert levels[0] == 1 and levels.count(1) == 1
        assert all(two <= one + 1 for one, two in pairwise(levels))

    def test_names_are_isolated_wherever_they_stand(self):
        played(2)
        for path in ("/players/amal/", "/ratings/classic/?all=1"):
            text = page(path)
            assert text.count("كارلا") == text.count("<bdi>كارلا</bdi>") > 0
        assert "\N{FIRST STRONG ISOLATE}كارلا\N{POP DIRECTIONAL ISOLATE}" in page(
            f"/players/{quote('كارلا')}/"
        )

    def test_need_no_scripts_and_nothing_from_elsewhere(self):
        played()
        for path in ("/ratings/", "/ratings/classic/", "/players/amal/"):
            text = page(path)
            assert "<script" not in text and "<link" not in text and "src=" not in text


class TestMissing:
    @pytest.mark.parametrize("slug", ["chess", "Classic", "كلاسيك", "classic'--", "<b>", "x" * 3000])
    def test_an_unknown_pool(self, slug):
        text = page(f"/ratings/{quote(slug, safe='')}/", status=404)
        assert "There is no pool" in text and "/ratings/classic/" in text and "<b>" not in text

    @pytest.mark.parametrize("name", ["nobody", "لا أحد", "..x", "a b", "x" * 3000, "<b>", "🂡"])
    def test_an_unknown_player(self, name):
        text = page(f"/players/{quote(name, safe='')}/", status=404)
        assert "There is no player" in text and "<b>" not in text

    @pytest.mark.parametrize("number", ["2", "0", "-1", "last", "9" * 5000, ""])
    def test_a_page_that_is_not_there(self, number):
        played()
        assert "There is no page" in page("/ratings/classic/", status=404, page=number)
        assert "There is no page" in page("/players/amal/", status=404, classic=number)


class TestAgainst:
    def test_counts_and_lists_the_matches_of_two(self):
        matches = played(4)
        Match.objects.filter(pk=matches[0].pk).update(visibility=Match.Visibility.PRIVATE)
        text = page(f"/players/amal/against/{quote('كارلا')}/")
        assert "<strong>2</strong> above, <strong>0</strong> level, <strong>2</strong> below" in text
        assert re.findall(r"<td>(above|below)</td>", text) == ["above", "below", "below", "above"]
        assert matches[1].code in text and matches[0].code not in text
        assert matches[0].code in page(f"/players/amal/against/{quote('كارلا')}/", person("daoud"))

    def test_counts_partners_apart_and_compares_nothing_there(self):
        played(1, "cardkings-partners")
        text = page(f"/players/amal/against/{quote('كارلا')}/")
        assert "; 1 as partners" in text and "<td>as partners</td>" in text
        assert "was expected" not in text
        assert "<td>above</td>" in page("/players/basil/against/amal/") + page("/players/amal/against/basil/")

    def test_is_found_by_the_form_on_a_players_page(self):
        played()
        assert 'action="/players/amal/against/"' in page("/players/amal/")
        answer = Client().get("/players/amal/against/", {"player": " BASIL "})
        assert (answer.status_code, answer["Location"]) == (302, "/players/amal/against/basil/")

    @pytest.mark.parametrize(
        ("path", "status"),
        [("nobody/", 404), ("AMAL/", 400), ("?player=nobody", 404), ("?player=", 404), ("", 404)],
    )
    def test_what_cannot_be_compared_is_said(self, path, status):
        person("amal")
        assert "<h1>Refused</h1>" in page(f"/players/amal/against/{path}", status=status) or status == 404

    def test_of_those_who_never_met(self):
        people("amal", "basil")
        assert "They have met in no rated match." in page("/players/amal/against/basil/")


def test_a_row_says_what_was_expected_and_what_was_scored():
    played()
    assert "3 of 3, expected 1.50" in page("/players/amal/")
    assert "2 of 3, expected 1.50" in page("/players/basil/")


def test_a_leaderboard_shows_how_its_ratings_spread():
    rate("amal", 1600)
    assert "Ratings on the leaderboard of Classic" in page("/ratings/classic/")
    assert "1 listed; the mean is 1600, the median 1600" in page("/ratings/classic/")
    assert "How ratings spread" not in page("/ratings/partners/")


def test_nothing_can_run_on_a_page_or_be_loaded_by_it():
    answer = Client().get("/ratings/")
    assert "default-src 'none'" in answer["Content-Security-Policy"]
    assert "script" not in answer["Content-Security-Policy"]


@override_settings(THROTTLE_ADDRESS=2)
def test_pages_are_limited_as_calls_without_a_token():
    page("/ratings/")
    page("/ratings/classic/")
    assert "try again in a minute" in page("/ratings/", status=429)

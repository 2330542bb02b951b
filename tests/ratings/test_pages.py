"""The public pages: anyone reads them, without scripts; what they show, and what they keep to themselves."""

import re
from html.parser import HTMLParser
from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.utils.html import escape

from games.models import Match, Player
from ratings import recalculations, services
from ratings.models import LedgerMatch, Rating
from tests.ratings.tables import HOUSE, finished, people, person, program
from tests.ratings.test_api import FOUR, TOTALS, rate

pytestmark = pytest.mark.django_db

CARLA = "كارلا"


class Outline(HTMLParser):
    """What readers of the screen go by: levels of headings, whether tables name their columns, labels."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.levels: list[int] = []
        self.inputs: list[str] = []
        self.labels: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        of = dict(attributes)
        if re.fullmatch(r"h\d", tag):
            self.levels.append(int(tag[1]))
        if tag == "input" and of.get("type") != "hidden":
            self.inputs.append(of["id"])
        if tag == "label":
            self.labels.add(of["for"])


def page(path: str, status: int = 200, client: Client | None = None, **query: str) -> str:
    answer = (client or Client()).get(path, query)
    assert answer.status_code == status
    assert answer["Content-Type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in answer["Content-Security-Policy"]
    text = answer.content.decode()
    assert "<script" not in text and " style=" not in text and " onclick" not in text
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("&nbsp;", " ")


def of(name: str, more: str = "") -> str:
    return f"/players/{quote(name)}/{more}"


@pytest.fixture
def played() -> list[Match]:
    """Three matches of four people, the last one private."""
    found = [finished(people(*FOUR), TOTALS, minute=minute) for minute in range(3)]
    Match.objects.filter(pk=found[2].pk).update(visibility=Match.Visibility.PRIVATE)
    services.rate_finished()
    return found


class TestLeaderboard:
    def test_all_pools_lead_to_their_leaderboards(self):
        rate("amal", 1600)
        text = page("/ratings/")
        assert text.count('href="/ratings/') == 9
        assert 'href="/ratings/complex-partners-bots/"' in text

    def test_shows_ranks_and_whole_points_with_names_isolated(self):
        rate("amal", 1700.4)
        rate(CARLA, 1600.6)
        text = page("/ratings/classic/")
        assert text.index("1700<") < text.index(f'<bdi dir="auto">{CARLA}</bdi>') < text.index("1601<")
        assert f'href="{of(CARLA)}"' in text
        assert "1601 player" not in text and "2 players listed" in text

    def test_all_has_provisional_ratings_with_their_mark(self):
        rate("amal", 1600, matches=3)
        assert "amal" not in page("/ratings/classic/")
        text = page("/ratings/classic/", all="1")
        assert '1600<abbr title="provisional">?</abbr>' in text
        assert "?format=csv&amp;all=true" in text

    def test_is_searched_by_a_part_of_the_name_with_the_rank_on_the_whole_board(self):
        for at, name in enumerate(FOUR):
            rate(name, 1600 - at)
        text = page("/ratings/classic/", name="AO")
        assert "daoud" in text and "basil" not in text
        assert '<td class="number">4</td>' in text
        assert CARLA in page("/ratings/classic/", name="ارل")

    def test_a_name_that_is_not_there_is_offered_to_be_searched_among_all(self):
        rate("amal", 1600, matches=3)
        text = page("/ratings/classic/", name="<amal>")
        assert "Nobody here has" in text and "&lt;amal&gt;" in text
        assert 'href="?all=1&amp;name=%3Camal%3E"' in text

    def test_pages_keep_what_was_asked_for(self):
        for number in range(120):
            rate(f"player{number}", 1500 - number, matches=3)
        text = page("/ratings/classic/", all="1", name="player", page="2")
        assert 'href="?all=1&amp;name=player&amp;page=1"' in text
        assert 'href="?all=1&amp;name=player&amp;page=3"' in text
        assert '<td class="number">51</td>' in text

    @pytest.mark.parametrize("number", ["0", "-1", "x", "9" * 300])
    def test_a_page_that_is_not_there_is_the_nearest(self, number):
        rate("amal", 1600)
        assert "amal" in page("/ratings/classic/", page=number)

    def test_an_empty_one_says_what_it_takes(self):
        text = page("/ratings/partners/")
        assert "Nobody is listed yet." in text and "20 rated matches" in text
        assert "<svg" not in text

    def test_recalculations_say_why(self, played):
        recalculations.annul([played[0].ledger_match], None, "the <cards> were known")
        recalculations.recalculate()
        text = page("/ratings/classic/")
        assert "the &lt;cards&gt; were known" in text and "4 ratings moved" in text
        assert played[0].code in text


class TestPlayer:
    def test_shows_each_pool_with_its_history_as_a_plot_and_a_table(self, played):
        finished(people(*FOUR), TOTALS, minute=9, rules="cardkings-complex")
        services.rate_finished()
        text = page(of("amal"))
        assert re.findall(r'<h2><a href="/ratings/(\w+)/">', text) == ["classic", "complex"]
        assert text.count('<svg class="plot history"') == 2
        rating = Rating.objects.get(player__username="amal", pool__slug="classic")
        assert f'<dd class="big">{rating.value:.0f}?</dd>' in text

    def test_a_row_says_why_by_each_opponent(self, played):
        text = page(of("amal"))
        assert "3 of 3, expected 1.50: above" in text
        assert f'<bdi dir="auto">{CARLA}</bdi>' in text
        assert "1500? → <b>1532?</b>" in text

    def test_a_row_of_partners_says_with_whom(self):
        finished(people(*FOUR), TOTALS, rules="cardkings-partners")
        services.rate_finished()
        text = " ".join(page(of("basil")).split())
        assert re.search(r'with <a class="name" href="[^"]*"><bdi dir="auto">daoud</bdi>', text)

    def test_each_match_of_the_plot_leads_to_its_row(self, played):
        text = page(of("amal"))
        links = re.findall(r'<a href="([^"]+)" tabindex="-1"', text)
        assert links == [f"/players/amal/ratings/classic/?page=1#match-{n}" for n in (1, 2, 3)]
        address, _, row = links[1].partition("#")
        assert f'id="{row}"' in page(address)

    def test_the_code_of_a_private_match_is_for_its_players(self, played):
        assert played[1].code in page(of("amal"))
        assert played[2].code not in page(of("amal"))
        client = Client()
        client.force_login(person("daoud"))
        assert played[2].code in page(of("amal"), client=client)

    def test_without_rated_matches(self):
        person("amal")
        assert "No rated match yet." in page(of("amal"))

    def test_where_everyone_is_provisional_there_is_no_percentile(self, played):
        assert "of those listed" not in page(of("amal"))

    def test_rank_and_percentile_are_among_those_listed(self):
        for at, name in enumerate(FOUR):
            rate(name, 1600 - at)
        text = page(of("basil"))
        assert "<dt>Rank</dt><dd>2</dd>" in text
        assert '63 %<span class="unit"> of those listed' in text

    def test_a_recalculation_is_a_mark_in_the_plot_with_its_reason(self, played):
        recalculations.annul([played[0].ledger_match], None, "the cards were known")
        recalculations.recalculate()
        text = page(of("amal"))
        mark = re.search(r'<g class="mark"><title>([^<]+)</title>', text)
        assert mark and "Matches annulled: the cards were known" in mark[1]
        assert mark[1].count("→") == 1

    def test_is_led_to_under_the_name_as_it_is_written(self):
        person("Amélie")
        answer = Client().get(of("amélie"))
        assert (answer.status_code, answer["Location"]) == (302, of("Amélie"))

    def test_programs_say_that_they_are(self):
        program("deep")
        assert "program</span>" in page(of("deep"))


class TestMatches:
    def test_come_in_pages_to_which_the_plot_leads(self):
        for minute in range(60):
            finished(people(*FOUR), TOTALS, minute=minute)
        services.rate_finished()
        text = page(of("amal", "ratings/classic/"))
        assert text.count('role="row"') == 51
        assert "?page=2#match-10" in text and "?page=1#match-11" in text
        assert 'id="match-10"' in page(of("amal", "ratings/classic/"), page="2")

    def test_ask_as_many_questions_for_many_matches_as_for_one(self, django_assert_max_num_queries):
        for minute in range(12):
            finished(people(*FOUR), TOTALS, minute=minute)
        services.rate_finished()
        with django_assert_max_num_queries(20):
            page(of("amal", "ratings/classic/"))

    def test_of_a_pool_where_he_has_none(self):
        person("amal")
        assert "no rated match in complex" in page(of("amal", "ratings/complex/"), 404)

    def test_the_admin_leads_there(self, played):
        Player.objects.create_user("olga", is_staff=True)
        client = Client()
        client.force_login(person("olga"))
        rating = Rating.objects.get(player__username=CARLA)
        text = client.get(f"/admin/ratings/rating/{rating.pk}/change/").content.decode()
        assert f'href="{of(CARLA, "ratings/classic/")}"' in text


class TestAgainst:
    def test_counts_and_lists_their_matches(self, played):
        text = page(of("amal", f"against/{quote(CARLA)}/"))
        assert '<dt>Above</dt><dd class="big">3</dd>' in text
        assert text.count("<td>above</td>") == 3
        assert played[0].code in text and played[2].code not in text

    def test_is_found_by_a_form(self, played):
        answer = Client().get(of("amal", "against/"), {"player": " BASIL "})
        assert answer["Location"] == of("amal", "against/basil/")

    def test_of_those_who_never_met(self):
        people("amal", "basil")
        assert "no rated match" in page(of("amal", "against/basil/"))

    @pytest.mark.parametrize(
        ("path", "status"),
        [
            ("against/nobody/", 404),
            ("against/amal/", 400),
            ("against/?player=nobody", 404),
            ("against/", 404),
        ],
    )
    def test_what_cannot_be_compared(self, path, status):
        person("amal")
        page(of("amal", path), status)


def test_unknown_pools_and_players_get_a_page_that_says_so():
    assert escape("There is no player '<b>'.") in page(of("<b>"), 404)
    assert "complex-partners" in page("/ratings/chess/", 404)


def test_nothing_can_be_posted():
    assert Client().post("/ratings/").status_code == 405


@override_settings(THROTTLE_ADDRESS=2)
def test_pages_are_limited_like_calls_without_a_token():
    for _ in range(2):
        page("/ratings/")
    assert "try again in a minute" in page("/ratings/", 429)


def test_headings_go_down_by_one_and_inputs_have_labels(played):
    for path in ("/ratings/", "/ratings/classic/?all=1", of("amal"), of("amal", "against/basil/")):
        outline = Outline(page(path))
        assert outline.levels[0] == 1 and outline.levels.count(1) == 1
        assert all(after <= before + 1 for before, after in zip(outline.levels, outline.levels[1:], strict=False))
        assert set(outline.inputs) <= outline.labels


def test_every_class_that_pages_use_is_in_the_style_sheet():
    sheet = (settings.ROOT / "ratings/static/ratings/pages.css").read_text()
    templates = "".join(path.read_text() for path in (settings.ROOT / "templates/ratings").glob("*.html"))
    used = {name for names in re.findall(r'class="([\w -]+)"', templates) for name in names.split()}
    assert {name for name in used if f".{name}" not in sheet} == set()


def test_a_match_with_bots_says_how_many_pairs_it_had():
    finished([*people("amal", "basil"), HOUSE, HOUSE], TOTALS)
    services.rate_finished()
    assert LedgerMatch.objects.get().reason == ""
    assert "1 of 1, expected 0.50: above" in page(of("amal"))

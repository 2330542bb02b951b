"""The desk at the tables: draws edited by hand, corrections, substitutes; without JavaScript."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from games.models import Match, Player
from tests.tournaments.conftest import by_hand, draw_and_publish, finish
from tests.tournaments.test_admin import desk, words
from tests.tournaments.test_corrections import record_of
from tests.tournaments.test_edits import seated
from tournaments.models import Bye, Entry, Round, Table, TableSeat
from tournaments.services import life, results, rounds

pytestmark = pytest.mark.django_db


def hidden(page: str) -> dict[str, str]:
    """The hidden fields of the last form of a page."""
    return dict(
        re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page.rpartition("<form")[2])
    )


# A draw edited by hand


def test_two_choices_a_look_at_the_cost_and_a_swap(staff, league):
    made = league(8)
    round_ = rounds.draw_round(slug=made.slug, actor=None)
    before = seated(round_)
    page = words(staff, desk(made, "rounds/1/"))
    assert page.count('name="first" value="') == page.count('name="second" value="') == 8
    assert 'data-place="2W"' in page and "tournaments/swap.js" in page
    look = words(staff, desk(made, "rounds/1/swap/"), first="1S", second="2W", version="0")
    assert "Swap?" in look and ">Cost<" in look and f"{before[1, 'S']}: table 1 S → table 2 W" in look
    assert seated(round_) == before
    assert "Swapped." in words(staff, desk(made, "rounds/1/swap/"), **hidden(look))
    assert seated(round_) == before | {(1, "S"): before[2, "W"], (2, "W"): before[1, "S"]}
    again = words(staff, desk(made, "rounds/1/swap/"), **hidden(look))
    assert "It cannot be swapped" in again and "edited meanwhile" in again


def test_a_bye_is_swapped_by_its_name(staff, league):
    made = league(9, fill="byes")
    round_ = rounds.draw_round(slug=made.slug, actor=None)
    out = Bye.objects.get().entry.name
    assert f'value="bye {out}"' in words(staff, desk(made, "rounds/1/"))
    look = words(
        staff, desk(made, "rounds/1/swap/"), first=f"bye {out}", second="", second_text="2e", version="0"
    )
    assert f"{out}: bye → table 2 E" in look
    words(staff, desk(made, "rounds/1/swap/"), **hidden(look))
    assert seated(round_)[2, "E"] == out


@pytest.mark.parametrize(
    ("first", "second", "version"),
    [
        ("", "", ""),
        ("1S", "1S", "0"),
        ("99S", "1S", "0"),
        ("1S", "bye x", "0"),
        ("0", "\0", "x"),
        ("1" * 99, "1S", "-1"),
    ],
)
def test_any_choice_is_answered_in_words(staff, league, first, second, version):
    made = league(8)
    rounds.draw_round(slug=made.slug, actor=None)
    page = words(
        staff, desk(made, "rounds/1/swap/"), first=first, second=second, version=version, confirmed=1
    )
    assert "It cannot be swapped" in page
    assert Round.objects.get().version == 0


def test_a_published_round_is_not_edited(staff, league):
    made = league(8)
    draw_and_publish(made)
    assert 'name="first"' not in words(staff, desk(made, "rounds/1/"))
    assert "published already" in words(
        staff, desk(made, "rounds/1/swap/"), first="1S", second="2S", version="0"
    )


def test_a_round_of_many_tables_is_shown_by_pages(staff, league):
    made = league(0, "registration")
    players = Player.objects.bulk_create(Player(username=f"p{number}") for number in range(260))
    Entry.objects.bulk_create(Entry(tournament=made, player=player) for player in players)
    life.start(slug=made.slug, actor=None)
    rounds.draw_round(slug=made.slug, actor=None)
    for query, first, last in (("", 1, 60), ("?page=2", 61, 65), ("?table=65", 61, 65), ("?page=x", 1, 60)):
        page = words(staff, desk(made, f"rounds/1/{query}"))
        assert page.count('class="at-table"') == last - first + 1
        assert f"Tables {first} to {last} of 65" in page


# Corrections


def test_a_table_is_annulled_and_replayed_after_a_question(staff, league):
    made = league(4)
    draw_and_publish(made)
    at = desk(made, "rounds/1/tables/1/")
    assert "Annul…" in words(staff, at) and "Replay…" in words(staff, at)
    question = words(staff, at + "annul/", reason="إعادة", replaces="")
    assert "Annul table 1 of round 1: إعادة?" in question
    assert not Table.objects.get().results.exists()
    assert "is annulled" in words(staff, at + "annul/", **hidden(question))
    result = Table.objects.get().results.get()
    old = Table.objects.get().match_id
    assert "annulled" in words(staff, desk(made, "rounds/1/"))
    question = words(staff, at + "replay/", reason="again", replaces=str(result.pk))
    assert "plays again" in words(staff, at + "replay/", **hidden(question))
    assert Table.objects.get().match_id != old
    assert "Another result counts" in words(staff, at + "annul/", reason="x", replaces="99", confirmed=1)
    assert "needs a reason" in words(staff, at + "annul/", reason=" ", replaces="", confirmed=1)
    assert staff.get(at + "burn/").status_code == 404


def test_a_record_is_imported_as_a_file_or_as_text(staff, league):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    at = desk(made, "rounds/1/tables/1/record/")
    text = record_of(table)
    for junk in (text.replace("play ", "plays ", 1).encode(), b"\xff\xfe[\0R\0", b"\x80" * 9):
        page = words(
            staff, at, file=SimpleUploadedFile("a.trix", junk), text="", reason="at home", replaces=""
        )
        assert "Import it" in page and 'class="error"' in page
    assert 'class="error"' in words(staff, at, text="", reason="at home", replaces="")
    done = words(staff, at, file=SimpleUploadedFile("a.trix", text.encode()), text="", reason="at home")
    assert "was played through and counts" in done
    result = table.results.get()
    assert result.record == text
    page = words(staff, desk(made, "rounds/1/tables/1/"))
    assert "From a record" in page and "[Rules &quot;cardkings-complex&quot;]" in page
    by_hand(table, (1, 2, 3, -6), replaces=result.pk)
    pasted = text.replace("\n", "\r\n")
    counting = table.results.get(superseded_at=None).pk
    assert "counts" in words(staff, at, text=pasted, reason="at home", replaces=str(counting))


def test_a_table_of_three_has_three_scores(staff, league):
    made = league(7, fill="short")
    round_ = draw_and_publish(made)
    table = round_.tables.get(match=None)
    at = desk(made, f"rounds/1/tables/{table.number}/")
    assert "Enter a result" in words(staff, desk(made, "rounds/1/"))
    page = words(staff, at)
    assert page.count('name="score_') == 3 and "From a record" not in page and "Replay…" not in page
    empty = table.seats.get(player=None).index
    scores = {f"score_{index}": 10 for index in range(4) if index != empty}
    assert "is entered" in words(staff, at, **scores, reason="at home", replaces="")
    assert table.results.get().scores.count(None) == 1
    assert words(staff, desk(made)) and words(staff, desk(made, "rounds/1/")) and words(staff, at)


# Seats


def test_a_substitute_sits_down_and_goes_and_a_no_show_is_marked(staff, league):
    made = league(4)
    Player.objects.create_user("زيد")
    table = draw_and_publish(made).tables.get()
    at = desk(made, "rounds/1/tables/1/seats/")
    own = TableSeat.objects.get(table=table, index=0).player.username
    assert "زيد sits there now" in words(staff, at, seat="S", name="زيد")
    page = words(staff, desk(made, "rounds/1/"))
    assert "<bdi>زيد</bdi>" in page and f"for <bdi>{own}</bdi>" in page
    assert "given back" in words(staff, at, seat="S", name="", back="")
    assert TableSeat.objects.get(table=table, index=0).player.username == own
    assert "A bot plays" in words(staff, at, seat="S", name="", no_show="")
    assert "did not come" in words(staff, desk(made, "rounds/1/"))
    assert "no player named nobody" in words(staff, at, seat="S", name="nobody")
    assert "Name who sits down" in words(staff, at, seat="S", name=" ")
    assert "There is no seat" in words(staff, at, seat="Q", name="زيد")
    results.record_match(finish(table))
    page = words(staff, at)
    assert "is over" in page and 'name="no_show"' not in page


def test_nobody_plays_yet_in_a_drawn_round(staff, league):
    made = league(4)
    rounds.draw_round(slug=made.slug, actor=None)
    page = words(staff, desk(made, "rounds/1/tables/1/seats/"))
    assert "Sits down" in page and 'name="no_show"' not in page
    assert not Match.objects.exists()

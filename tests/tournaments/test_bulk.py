"""Many entries from CSV: every bad line is named, and all are entered or none."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Player
from tests.tournaments.test_entries import PAIRS, states
from tests.tournaments.test_life import refusal
from tournaments.services import bulk, entries
from trix_site.common.errors import BadRequest

pytestmark = pytest.mark.django_db


@pytest.fixture
def bad(organiser, people):
    """The bad lines of a file, as (line, code), and proof that an import says the same and does nothing."""
    people(20)

    def ask(made, text: str) -> list[tuple[int, str]]:
        found = bulk.preview(made, organiser, text).bad
        with pytest.raises(BadRequest) as refused:
            bulk.enter_csv(slug=made.slug, actor=organiser, text=text)
        assert refused.value.code == "bad_lines"
        assert refused.value.members["lines"] == [vars(line) for line in found]
        assert all(line.detail for line in found)
        return [(line.line, line.code) for line in found]

    return ask


def enter(made, organiser, text: str) -> list[str]:
    return [entry.name for entry in bulk.enter_csv(slug=made.slug, actor=organiser, text=text)]


@pytest.mark.parametrize(
    "text",
    [
        "player,seed_rating\namal,1650.5\nأمينة,\n",
        "\ufeffplayer;seed_rating\r\namal;1650,5\r\nأمينة;\r\n",
        'Seed Rating,Player\n"1650.5","amal"\n\n,\n,  أمينة  ',
        "player,seed_rating\nAMAL,١٦٥٠٫٥\nأمينة",
    ],
)
def test_files_of_all_programs_are_read(league, people, organiser, text):
    people(20)
    made = league(0, "registration")
    assert enter(made, organiser, text) == ["amal", "أمينة"]
    assert [entry.seed_rating for entry in made.entries.all()] == [1650.5, None]


def test_a_list_of_names_is_enough(league, people, organiser):
    people(3)
    made = league(0, "draft")
    assert enter(made, organiser, "player\namal\nbasil\n") == ["amal", "basil"]


def test_each_bad_line_is_named_with_its_number_and_what_would_be_right(league, organiser, bad):
    made = league(2, "registration")
    entries.disqualify(slug=made.slug, actor=organiser, name="basil", reason="insults")
    text = "\n".join(
        [
            "player,seed_rating,partner", "amal,", "", "dana,1500", "nobody,", "DANA,", "farid,high",
            "ghada,-3",             "hadi,99999", ",1500", "basil", "iman,,jamal", "kamal,1,,4", "layla,1500",
        ]
    )  # fmt: skip
    assert bad(made, text)[:1] == [(13, "too_many_values")]
    assert bad(made, text.replace("kamal,1,,4", "kamal,1,")) == [
        (2, "already_entered"), (5, "no_such_player"), (6, "twice_in_file"), (7, "bad_seed_rating"),
        (8, "bad_seed_rating"), (9, "bad_seed_rating"), (10, "player_missing"), (11, "disqualified"),
        (12, "partner_not_wanted"),
    ]  # fmt: skip
    found = bulk.preview(made, organiser, "player\nnobody\nsomebody").bad
    assert [line.text for line in found] == ["nobody", "somebody"]
    assert "no player named nobody" in found[0].detail
    assert set(states(made)) == {"amal", "basil"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad_columns"),
        ("player", "no_names"),
        ("player\n\n,\n", "no_names"),
        ("amal\nbasil", "unknown_column"),
        ("player,rating\namal,1", "unknown_column"),
        ("player,player\namal,basil", "bad_columns"),
        ("partner\namal", "bad_columns"),
        ('player\n"amal\nbasil', "bad_csv"),
        ('player\n"am"al', "bad_csv"),
        ("player\n" + "x" * 200_000, "bad_csv"),
        ("player\nam\0al", "no_such_player"),
    ],
)
def test_what_is_no_such_file_is_refused(league, bad, text, code):
    assert [found for _, found in bad(league(0, "registration"), text)] == [code]


def test_lines_are_counted_as_in_the_file_whatever_is_quoted(league, bad):
    assert bad(league(0, "registration"), 'player\n"amal"\n"no\nbody"\nnoone\n') == [
        (3, "no_such_player"), (5, "no_such_player"),
    ]  # fmt: skip


def test_too_many_lines_are_refused(league, bad, monkeypatch):
    monkeypatch.setattr(bulk, "MOST_LINES", 2)
    assert bad(league(0, "registration"), "player\namal\nbasil\ndana\n") == [(4, "too_many_lines")]


def test_pairs_by_file(league, organiser, bad):
    made = league(0, "registration", **PAIRS)
    text = "partner,player\nbasil,amal\n,dana\nfarid,farid\namal,ghada\nhadi,nobody"
    assert bad(made, text) == [
        (3, "partner_missing"), (4, "partner_is_player"), (5, "twice_in_file"), (6, "no_such_player"),
    ]  # fmt: skip
    assert enter(made, organiser, "partner,player\nbasil,amal\nhadi,أمينة") == [
        "amal & basil",
        "أمينة & hadi",
    ]


def test_beyond_the_cap_the_last_lines_wait(league, people, organiser):
    people(4)
    made, text = league(0, "registration", cap=2), "player\nfarid\namal\ndana\nbasil"
    found = bulk.preview(made, organiser, text)
    assert (len(found.wanted), found.waiting, found.bad) == (4, 2, [])
    assert states(made) == {}
    enter(made, organiser, text)
    assert states(made) == {"amal": "active", "basil": "waiting", "dana": "waiting", "farid": "active"}


def test_late_entries_by_file_join_the_stage_and_who_withdrew_comes_back(league, people, organiser):
    people(10)
    made = league(4)
    entries.withdraw(slug=made.slug, actor=organiser, name="amal")
    enter(made, organiser, "player\namal\nkamal")
    assert set(states(made).values()) == {"active"}
    assert made.stages.get().entrants.count() == 5


def test_only_officials_import(league, people):
    made, amal = league(0, "registration"), people(1)[0]
    assert refusal(bulk.enter_csv, slug=made.slug, actor=amal, text="player\namal") == "not_organiser"
    assert refusal(bulk.preview, made, amal, "player\namal") == "not_organiser"


def test_a_file_of_ten_thousand_lines_takes_as_many_questions_as_a_short_one(league, organiser):
    made = league(0, "registration")
    Player.objects.bulk_create(Player(username=f"p{number}") for number in range(3010))

    def queries(first: int, last: int) -> int:
        text = "player,seed_rating\n" + "\n".join(f"p{number},{number}" for number in range(first, last))
        with CaptureQueriesContext(connection) as asked:
            enter(made, organiser, text)
        return sum(not query["sql"].startswith("INSERT") for query in asked)

    assert queries(0, 10) == queries(10, 3010)
    lines = made.log.filter(action="entered").order_by("id")
    assert [(line.data["entries"], len(line.data["players"])) for line in lines] == [(10, 10), (3000, 100)]
    assert bulk.MOST_LINES == 10_000

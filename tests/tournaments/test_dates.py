"""Rounds on dates: kept by automatic tournaments, shown to people in the tournament's own time zone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from games.services.moves import play_bot_move
from tests.tournaments.conftest import by_hand
from tests.tournaments.test_admin import desk, words
from tests.tournaments.test_formats import refusal
from tournaments.models import Round, RoundDate, Table, TableResult
from tournaments.services import entries, rounds
from tournaments.services.automatic import advance
from tournaments.services.dates import DRAW_AHEAD, in_zone, set_dates
from tournaments.tasks import sweep
from trix_site.common.errors import ProblemError

pytestmark = pytest.mark.django_db

NOON = datetime(2027, 1, 30, 12, tzinfo=UTC)
BEIRUT = ZoneInfo("Asia/Beirut")


@pytest.fixture
def clock(monkeypatch):
    """Set the service's clock."""

    def turn(now: datetime) -> None:
        monkeypatch.setattr("django.utils.timezone.now", lambda: now)

    return turn


def dated(league, *starts: datetime, ends: timedelta | None = None) -> None:
    dates = [
        {"number": number, "starts_at": at, "ends_at": at + ends if ends else None}
        for number, at in enumerate(starts, 1)
    ]
    set_dates(slug=league.slug, actor=None, dates=dates)


# A start time shown in the wrong time zone


def test_a_start_time_shown_in_the_wrong_time_zone(league, organiser, staff, api):
    """What is typed on clocks in Beirut is 17:00 UTC, for programs; and 19:00 in Beirut again, for people."""
    made = league(4, time_zone="Asia/Beirut")
    words(staff, desk(made, "dates/"), starts_1="2027-01-30T19:00", ends_1="2027-01-31T19:00")
    assert RoundDate.objects.get().starts_at == datetime(2027, 1, 30, 17, tzinfo=UTC)
    told = api().get(f"/api/v1/tournaments/{made.slug}/dates/").json()
    assert told == {
        "time_zone": "Asia/Beirut",
        "dates": [
            {
                "number": 1,
                "starts_at": "2027-01-30T17:00:00.000000Z",
                "ends_at": "2027-01-31T17:00:00.000000Z",
            }
        ],
    }
    assert 'value="2027-01-30T19:00"' in words(staff, desk(made, "dates/"))
    assert "30 January 2027, 19:00 (Asia/Beirut)" in words(staff, desk(made))


def test_the_api_takes_times_with_their_offset_and_no_others(league, organiser, api):
    made = league(4)
    at = f"/api/v1/tournaments/{made.slug}/dates/"
    olga = api(organiser)
    put = lambda time: olga.put(at, {"dates": [{"number": 1, "starts_at": time}]}, format="json")  # noqa: E731
    told = put("2027-01-30T19:00:00+02:00").json()
    assert told["dates"][0]["starts_at"] == "2027-01-30T17:00:00.000000Z"
    for wrong in ("2027-01-30T19:00:00", "Saturday", 5, None, "0001-01-01T00:00:00+14:00"):
        assert put(wrong).status_code == 400, wrong
    assert RoundDate.objects.get().starts_at == datetime(2027, 1, 30, 17, tzinfo=UTC)


@pytest.mark.parametrize(
    ("local", "code"),
    [
        (datetime(2027, 3, 28, 0, 30), "no_such_time"),
        (datetime(2027, 10, 30, 23, 30), "ambiguous_time"),
        (datetime(27, 1, 1), "bad_dates"),
        (datetime(1, 1, 1), "bad_dates"),
    ],
)
def test_times_that_clocks_skip_or_show_twice_are_refused(local, code):
    assert refusal(in_zone, local=local, zone=BEIRUT) == code


def test_a_time_on_a_clock_is_one_moment_before_and_after_clocks_change():
    assert in_zone(datetime(2027, 3, 27, 23, 30), BEIRUT) == datetime(2027, 3, 27, 21, 30, tzinfo=UTC)
    assert in_zone(datetime(2027, 3, 28, 1, 30), BEIRUT) == datetime(2027, 3, 27, 22, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"starts_1": "2027-03-28T00:30"}, "clocks are put forward"),
        ({"starts_1": "2027-10-30T23:30"}, "comes twice"),
        ({"starts_1": "soon"}, "is no time on a clock"),
        ({"starts_1": "2027-13-45T99:99"}, "is no time on a clock"),
        ({"starts_1": "2027-01-30T19:00+02:00"}, "is no time on a clock"),
        ({"ends_1": "2027-01-30T19:00"}, "say when it begins"),
        ({"starts_1": "2027-01-30T19:00", "ends_1": "2027-01-30T18:00"}, "must end after it begins"),
        ({"starts_1": "2027-01-30T19:00", "starts_2": "2027-01-30T18:00"}, "begins before round 1"),
    ],
)
def test_the_desk_refuses_dates_with_a_reason_and_keeps_what_was_typed(league, staff, fields, said):
    made = league(4, time_zone="Asia/Beirut")
    page = words(staff, desk(made, "dates/"), **fields)
    assert said in page
    assert next(iter(fields.values())).split("+")[0] in page
    assert not RoundDate.objects.exists()


# Setting


@pytest.mark.parametrize(
    "dates",
    [
        [{"number": 0, "starts_at": NOON}],
        [{"number": 100, "starts_at": NOON}],
        [{"number": 1, "starts_at": NOON}] * 2,
        [{"number": 1, "starts_at": NOON, "ends_at": NOON}],
        [{"number": 1, "starts_at": NOON}, {"number": 2, "starts_at": NOON - timedelta(1)}],
        [
            {"number": 1, "starts_at": NOON, "ends_at": NOON + timedelta(7)},
            {"number": 2, "starts_at": NOON + timedelta(6)},
        ],
    ],
)
def test_dates_that_make_no_sense_are_refused(league, dates):
    made = league(4)
    assert refusal(set_dates, slug=made.slug, actor=None, dates=dates) == "bad_dates"
    assert not RoundDate.objects.exists()


def test_the_start_of_a_published_round_stays(league):
    made = league(4)
    dated(made, NOON, NOON + timedelta(7))
    rounds.draw_round(slug=made.slug, actor=None)
    rounds.publish_round(slug=made.slug, number=1, actor=None)
    moved = [{"number": 1, "starts_at": NOON + timedelta(1)}]
    assert refusal(set_dates, slug=made.slug, actor=None, dates=moved) == "too_late"
    dated(made, NOON, ends=timedelta(3))
    assert RoundDate.objects.get().ends_at == NOON + timedelta(3)


# Keeping them


def test_an_automatic_round_is_published_at_its_start_and_not_before(league, clock):
    made = league(4, automatic=True)
    dated(made, NOON, NOON + timedelta(days=7))
    clock(NOON - timedelta(hours=1))
    sweep()
    assert not Round.objects.exists()
    clock(NOON - DRAW_AHEAD)
    sweep()
    assert Round.objects.get().state == "drawn"
    clock(NOON)
    sweep()
    assert Round.objects.get().state == "published"
    by_hand(Table.objects.get())
    sweep()
    assert [r.state for r in Round.objects.all()] == ["closed"]
    clock(NOON + timedelta(days=7))
    sweep()
    assert [r.state for r in Round.objects.all()] == ["closed", "published"]


def test_who_withdraws_between_the_draw_and_the_start_is_not_seated(league, clock, people):
    made = league(8, automatic=True)
    dated(made, NOON)
    clock(NOON - DRAW_AHEAD)
    advance(made.slug)
    entries.withdraw(slug=made.slug, actor=people(1)[0])
    advance(made.slug)
    clock(NOON)
    advance(made.slug)
    assert Round.objects.get().state == "published"
    assert not Table.objects.filter(seats__entry__player=people(1)[0]).exists()


def test_at_the_end_bots_play_on_for_whoever_has_not_finished(league, clock):
    made = league(4, automatic=True, clock_play=None)
    start = timezone.now()
    dated(made, start, start + timedelta(days=14), ends=timedelta(days=7))
    advance(made.slug)
    table = Table.objects.get()
    clock(start + timedelta(days=6))
    sweep()
    assert not table.match.seats.filter(away_since__isnull=False).exists()
    clock(start + timedelta(days=7))
    sweep()
    assert table.match.seats.filter(away_since__isnull=False).count() == 4
    while play_bot_move(table.match_id, limit=50).taken:
        pass
    sweep()
    assert TableResult.objects.get().source == "played"
    assert Round.objects.get().state == "closed"


def test_without_automatic_dates_are_shown_and_nothing_happens(league, clock):
    made = league(4)
    dated(made, NOON, ends=timedelta(days=1))
    rounds.draw_round(slug=made.slug, actor=None)
    clock(NOON + timedelta(days=30))
    sweep()
    assert Round.objects.get().state == "drawn"


def test_only_organisers_set_dates(league, people):
    made = league(4)
    with pytest.raises(ProblemError) as refused:
        set_dates(slug=made.slug, actor=people(1)[0], dates=[])
    assert refused.value.code == "not_organiser"


def test_the_desk_tells_until_when_a_round_is_played(league, staff):
    made = league(4, time_zone="Asia/Amman")
    dated(made, NOON, ends=timedelta(days=7))
    rounds.draw_round(slug=made.slug, actor=None)
    rounds.publish_round(slug=made.slug, number=1, actor=None)
    assert "Round 1 is being played until 6 February 2027, 15:00 (Asia/Amman)" in words(staff, desk(made))

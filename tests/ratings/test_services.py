"""Rating matches: who moves whom, in which order, and only once."""

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from games.models import Match, Player, Seat
from ratings import recalculations, services
from ratings.models import LedgerMatch, Rating, RatingChange
from ratings.tasks import rate_late
from tests.ratings.tables import HOUSE, NOON, finished, ledger, people, pool, program, ratings

pytestmark = pytest.mark.django_db

FOUR = ("amal", "basil", "carla", "daoud")
WON_BY_AMAL = (300, 100, -100, -300)


def near(**points: float) -> object:
    return pytest.approx(points, abs=2e-6)


class TestWhoMovesWhom:
    def test_four_newcomers_are_rated_by_place(self):
        finished(people(*FOUR), WON_BY_AMAL)
        assert services.rate_finished() == 1
        assert ratings() == near(amal=1532, basil=1500 + 32 / 3, carla=1500 - 32 / 3, daoud=1468)

    def test_the_ledger_says_what_the_change_was_computed_from(self):
        match = finished(people(*FOUR), WON_BY_AMAL)
        services.rate_finished()
        row = RatingChange.objects.get(player__username="daoud")
        assert (row.match, row.pool.slug, row.place, row.left) == (match, "classic", 4, False)
        assert (row.before, row.n, row.k, row.sequence, row.formula) == (1500, 0, 64, 1, 1)
        rating = Rating.objects.get(player__username="daoud")
        assert (rating.value, rating.matches, rating.last_match_at) == (row.after, 1, NOON)

    def test_house_bots_move_nobody_and_are_not_rated(self):
        amal, basil = people("amal", "basil")
        finished([amal, HOUSE, basil, HOUSE], (100, 300, -100, -300))
        services.rate_finished()
        assert ratings() == near(amal=1500 + 32 / 3, basil=1500 - 32 / 3)
        assert RatingChange.objects.count() == 2

    def test_one_person_among_bots_is_not_rated_and_the_reason_is_kept(self):
        finished([*people("amal"), HOUSE, HOUSE, program("deep")], WON_BY_AMAL)
        assert services.rate_finished() == 1
        assert not Rating.objects.exists()
        assert LedgerMatch.objects.get().reason == LedgerMatch.Reason.FEW_PEOPLE

    def test_programs_move_each_other_in_a_pool_of_their_own(self):
        amal, basil = people("amal", "basil")
        finished([amal, program("deep"), basil, program("quick")], WON_BY_AMAL)
        services.rate_finished()
        assert ratings("classic") == near(amal=1500 + 32 / 3, basil=1500 - 32 / 3)
        assert ratings("classic-bots") == near(deep=1500 + 32 / 3, quick=1500 - 32 / 3)

    def test_a_seat_its_player_left_is_last_although_the_bot_won(self):
        finished(people(*FOUR), WON_BY_AMAL, left="S")
        services.rate_finished()
        assert ratings() == near(amal=1468, basil=1532, carla=1500 + 32 / 3, daoud=1500 - 32 / 3)
        row = RatingChange.objects.get(player__username="amal")
        assert (row.place, row.left) == (1, True)

    def test_everyone_left_is_not_a_rated_match(self):
        finished(people(*FOUR), WON_BY_AMAL, left="SENW")
        services.rate_finished()
        assert not Rating.objects.exists()

    def test_partners_share_the_change(self):
        finished(people(*FOUR), (300, -100, -200, 0), rules="cardkings-partners")
        services.rate_finished()
        assert ratings("partners") == near(amal=1516, basil=1484, carla=1516, daoud=1484)

    @pytest.mark.parametrize(
        ("rules", "slug"),
        [
            ("dananeer", "classic"),
            ("eram", "classic"),
            ("cardkings", "classic"),
            ("dananeer-complex", "complex"),
            ("cardkings-complex", "complex"),
            ("cardkings-partners", "partners"),
            ("cardkings-complex-partners", "complex-partners"),
        ],
    )
    def test_each_kind_of_game_has_its_pool(self, rules, slug):
        finished(people(*FOUR), WON_BY_AMAL, rules=rules)
        services.rate_finished()
        assert {row.pool.slug for row in Rating.objects.all()} == {slug}

    def test_unrated_and_unfinished_matches_are_left_alone(self):
        finished(people(*FOUR), WON_BY_AMAL, rated=False)
        Match.objects.create(rules="dananeer")
        assert services.rate_finished() == 0
        assert not LedgerMatch.objects.exists()


class TestOrder:
    def test_matches_are_rated_in_order_of_finish_not_of_arrival(self):
        """Rated the other way round, the second match would find other ratings."""
        amal, basil, carla, daoud = people(*FOUR)
        late = finished([amal, basil, carla, daoud], WON_BY_AMAL, minute=2)
        early = finished([daoud, amal, basil, carla], WON_BY_AMAL, minute=1)
        same = finished([carla, daoud, amal, basil], WON_BY_AMAL, minute=2)
        services.rate_finished()
        order = LedgerMatch.objects.values_list("match", flat=True)
        assert list(order) == [early.pk, late.pk, same.pk]

    def test_each_match_starts_from_what_the_one_before_it_left(self):
        for minute in range(3):
            finished(people(*FOUR), WON_BY_AMAL, minute=minute)
        services.rate_finished()
        rows = RatingChange.objects.filter(player__username="amal").order_by("n")
        assert [row.n for row in rows] == [0, 1, 2]
        assert [row.before for row in rows] == [1500, rows[0].after, rows[1].after]

    def test_two_changes_from_the_same_rating_are_refused_by_the_database(self):
        finished(people(*FOUR), WON_BY_AMAL)
        other = finished(people(*FOUR), WON_BY_AMAL)
        services.rate_finished()
        row = RatingChange.objects.filter(match=other).first()
        assert row is not None
        row.pk, row.n = None, 0
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save()

    def test_a_match_waits_until_others_have_played_its_cards_however_long_that_takes(self):
        first = finished(people(*FOUR), WON_BY_AMAL)
        slow = Match.objects.create(rules="dananeer", secret=first.secret)
        finished(people(*FOUR), WON_BY_AMAL, minute=3 * 24 * 60)
        services.rate_finished()
        rate_late()
        assert not LedgerMatch.objects.filter(match=first).exists()
        Match.objects.filter(pk=slow.pk).update(status=Match.Status.CANCELLED)
        rate_late()
        assert LedgerMatch.objects.get(match=first).sequence == 2

    def test_a_match_that_commits_late_is_rated_next_and_stays_there(self):
        finished(people(*FOUR), WON_BY_AMAL, minute=5)
        services.rate_finished()
        late = finished(people(*reversed(FOUR)), WON_BY_AMAL, minute=4)
        services.rate_finished()
        finished(people(*FOUR), WON_BY_AMAL, minute=6)
        services.rate_finished()
        assert LedgerMatch.objects.get(match=late).sequence == 2
        live = ratings(), ledger()
        assert recalculations.rebuild().moves == {}
        assert (ratings(), ledger()) == live
        assert Rating.objects.get(player__username="amal").last_match_at == NOON.replace(minute=6)

    def test_rating_again_changes_nothing(self):
        finished(people(*FOUR), WON_BY_AMAL)
        services.rate_finished()
        live = ratings(), ledger()
        assert services.rate_finished() == 0
        assert (ratings(), ledger()) == live

    def test_more_than_one_batch(self, monkeypatch):
        monkeypatch.setattr(services, "BATCH", 3)
        for minute in range(7):
            finished(people(*FOUR), WON_BY_AMAL, minute=minute)
        assert services.rate_finished() == 7
        assert Rating.objects.get(player__username="amal").matches == 7


def play_a_season() -> None:
    """Matches of every sort, some of them rated out of order and with changed ratings in between."""
    amal, basil, carla, daoud = people(*FOUR)
    deep, quick = program("deep"), program("quick")
    season: list[tuple[list[Player | str], tuple[int, ...], str, str]] = [
        ([amal, basil, carla, daoud], (10, 20, -10, -20), "dananeer", ""),
        ([basil, deep, amal, quick], (5, 5, -5, -5), "eram", ""),
        ([daoud, amal, basil, carla], (0, 0, 0, 0), "cardkings", "N"),
        ([amal, basil, carla, daoud], (40, -20, 30, -50), "cardkings-partners", ""),
        ([carla, HOUSE, amal, daoud], (1, 2, 3, -6), "cardkings-complex-partners", "W"),
        ([HOUSE, HOUSE, HOUSE, amal], (1, 2, 3, -6), "dananeer", ""),
        ([deep, HOUSE, quick, HOUSE], (3, 0, 1, -4), "cardkings-complex", ""),
        ([daoud, carla, basil, amal], (7, 8, -9, -6), "dananeer", "SE"),
    ]
    for minute, (seats, totals, rules, left) in enumerate(season):
        finished(seats, totals, minute - 2 * (minute % 3), rules, left)
        if minute % 2:
            services.rate_finished()
    services.rate_finished()


def table():
    rows = Rating.objects.order_by("pool", "player")
    return list(rows.values_list("pool", "player", "value", "matches", "last_match_at"))


class TestRebuild:
    def test_from_nothing_equals_live_bit_for_bit(self):
        play_a_season()
        live, book = table(), ledger()
        assert len(book) == 25
        Rating.objects.all().delete()
        RatingChange.objects.all().delete()
        call_command("rebuild_ratings")
        assert ledger() == book
        assert table() == live

    def test_the_sum_of_each_pool_is_what_its_members_brought(self):
        play_a_season()
        for name in ("classic", "classic-bots", "complex-bots", "partners", "complex-partners"):
            values = ratings(name).values()
            assert len(values) >= 2
            assert sum(values) == 1500 * len(values)

    def test_uses_the_facts_of_the_match_not_of_today(self):
        """Since then basil's account was given to a program, and the other two left the club."""
        play_a_season()
        book = ledger()
        basil, carla = people("basil", "carla")
        basil.is_bot = True
        basil.save()
        carla.is_active, carla.username = False, "c"
        carla.save()
        recalculations.rebuild()
        assert ledger() == book

    def test_tells_how_many_ratings_were_wrong(self, capsys):
        play_a_season()
        Rating.objects.filter(player__username="amal", pool=pool("classic")).update(value=2000)
        call_command("rebuild_ratings")
        assert "1 ratings were wrong" in capsys.readouterr().out
        call_command("rebuild_ratings")
        assert "the ratings were right" in capsys.readouterr().out

    def test_without_any_record_takes_the_order_of_finish(self):
        finished(people(*FOUR), WON_BY_AMAL, minute=1)
        finished(people(*reversed(FOUR)), WON_BY_AMAL, minute=0)
        services.rate_finished()
        live = ratings()
        for model in (Rating, RatingChange, LedgerMatch):
            model.objects.all().delete()
        assert recalculations.rebuild().matches == 2
        assert ratings() == live

    def test_takes_up_what_waits_from_long_ago(self):
        finished(people(*FOUR), WON_BY_AMAL)
        services.rate_finished()
        finished(people(*FOUR), WON_BY_AMAL, minute=-60 * 24 * 30)
        assert services.rate_finished() == 0
        assert recalculations.rebuild().matches == 2


def test_a_seat_given_up_after_the_match_does_not_count():
    """The service never changes a seat of a finished match; if it were, the ledger would keep its word."""
    finished(people(*FOUR), WON_BY_AMAL)
    services.rate_finished()
    Seat.objects.filter(index=0).update(away_since=NOON)
    assert services.rate_finished() == 0
    assert ratings()["amal"] > 1500

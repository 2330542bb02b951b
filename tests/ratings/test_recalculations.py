"""Annulling matches, other parameters of a pool, and previews: computed again, and swapped in at once."""

import threading
from collections.abc import Iterable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from games.models import Match, Player
from ratings import recalculations, services
from ratings.maths import Schedule
from ratings.models import LedgerMatch, Pool, Rating, RatingChange, Recalculation, Revision
from ratings.recalculations import annul, confirm, drop, preview, recalculate, restore
from tests.ratings.tables import HOUSE, finished, ledger, people, pool, program, ratings
from tests.ratings.test_racing import DEADLINE, at_once
from trix_site.common.errors import BadRequest, Conflict, Missing

pytestmark = pytest.mark.django_db

FOUR = ("amal", "basil", "carla", "daoud")
WON_BY_AMAL = (300, 100, -100, -300)
State = Recalculation.State


def entries(*matches: Match) -> list[LedgerMatch]:
    return list(LedgerMatch.objects.filter(match__in=matches))


def season(number: int = 6, rules: str = "dananeer") -> list[Match]:
    """Matches of the four in which each is first in turn, rated as they end."""
    matches = []
    for minute in range(number):
        names = FOUR[minute % 4 :] + FOUR[: minute % 4]
        matches.append(finished(people(*names), WON_BY_AMAL, minute=minute, rules=rules))
        services.rate_finished()
    return matches


def without_numbers(rows: Iterable[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Rows of `ledger()` without match and sequence, which tell in which ledger they stand."""
    return [row[2:3] + row[4:] for row in rows]


class TestAnnulment:
    def test_is_as_if_the_match_had_not_been_played(self):
        matches = season()
        recalculation = annul(entries(matches[1], matches[4]), None, "Played by one person")
        assert recalculate() == 1
        annulled = ratings(), without_numbers(ledger())

        for model in (Revision, RatingChange, Rating):
            model.objects.all().delete()
        Recalculation.objects.all().delete()
        LedgerMatch.objects.all().delete()
        Match.objects.filter(pk__in=[matches[1].pk, matches[4].pk]).update(rated=False)
        services.rate_finished()
        assert (ratings(), without_numbers(ledger())) == annulled
        assert recalculation.note == "Played by one person"

    def test_changes_nothing_before_it_is_done(self):
        matches = season()
        before = ratings(), ledger()
        annul(entries(matches[0]), None, "A mistake")
        assert (ratings(), ledger()) == before
        assert LedgerMatch.objects.get(sequence=1).reason == LedgerMatch.Reason.RATED

    def test_is_shown_with_who_moved_from_where_to_where(self):
        matches = season()
        before = ratings()
        amal = people("amal")[0]
        asked = annul(entries(matches[5]), amal, "  The wrong rules  ")
        recalculate()
        asked.refresh_from_db()
        assert (asked.state, asked.cause, asked.note, asked.asked_by) == (
            State.DONE, "annulment", "The wrong rules", amal,
        )  # fmt: skip
        assert (asked.computed, asked.moved) == (0, 4)
        rows = {row.player.username: (row.before, row.after, row.matches) for row in asked.revisions.all()}
        after = ratings()
        assert rows == {name: (before[name], after[name], 5) for name in FOUR}
        assert sum(row.change for row in asked.revisions.all()) == 0

    def test_who_has_no_other_match_has_no_rating_left(self):
        match = season(1)[0]
        annul(entries(match), None, "A test")
        recalculate()
        assert not Rating.objects.exists() and not RatingChange.objects.exists()
        assert LedgerMatch.objects.get().reason == LedgerMatch.Reason.ANNULLED
        assert {row.after for row in Revision.objects.all()} == {None}

    def test_restoring_gives_back_every_bit(self):
        matches = season()
        finished([people("amal")[0], HOUSE, HOUSE, HOUSE], WON_BY_AMAL, minute=9)
        services.rate_finished()
        live = ratings(), ledger()
        all_of_them = list(LedgerMatch.objects.all())
        annul(entries(*matches[:2]), None, "A mistake")
        annul([all_of_them[6]], None, "Another")
        assert recalculate() == 2
        assert ratings() != live[0]
        restore([*entries(*matches[:2]), all_of_them[6]], None, "It was right")
        recalculate()
        assert (ratings(), ledger()) == live
        assert LedgerMatch.objects.get(sequence=7).reason == LedgerMatch.Reason.FEW_PEOPLE

    def test_leaves_other_kinds_of_game_alone(self):
        season()
        other = season(3, "cardkings-complex")
        classic = list(RatingChange.objects.filter(pool=pool("classic")).values_list("pk", "after"))
        before = ratings()
        annul(entries(other[0]), None, "A mistake")
        recalculate()
        assert ratings() == before
        rows = RatingChange.objects.filter(pool=pool("classic")).values_list("match", "player", "after")
        assert len(rows) == len(classic) == 24
        assert {row.pool.slug for row in Revision.objects.all()} == {"complex"}

    def test_the_next_match_goes_on_from_there(self):
        matches = season(2)
        annul(entries(matches[0]), None, "A mistake")
        recalculate()
        finished(people(*FOUR), WON_BY_AMAL, minute=10)
        services.rate_finished()
        newest = RatingChange.objects.filter(sequence=3).values_list("n", flat=True)
        assert set(newest) == {1}
        assert recalculations.rebuild().moves == {}

    def test_a_rebuild_leaves_annulled_matches_out(self, capsys):
        matches = season()
        annul(entries(matches[2]), None, "A mistake")
        call_command("rebuild_ratings")
        assert "5 matches, 20 changes: the ratings were right" in capsys.readouterr().out

    @pytest.mark.parametrize("note", ["", "   "])
    def test_wants_a_reason(self, note):
        matches = season(1)
        with pytest.raises(BadRequest) as refused:
            annul(entries(*matches), None, note)
        assert refused.value.code == "no_reason"
        assert not Recalculation.objects.exists()

    def test_what_is_annulled_or_being_recalculated_is_refused(self):
        matches = season(2)
        with pytest.raises(Conflict, match="Match 1 of the ledger was not annulled"):
            restore(entries(matches[0]), None, "why")
        annul(entries(matches[0]), None, "why")
        with pytest.raises(Conflict) as refused:
            annul(entries(*matches), None, "why")
        assert refused.value.code == "recalculation_waiting"
        recalculate()
        with pytest.raises(Conflict, match="Match 1 of the ledger is annulled already"):
            annul(entries(*matches), None, "why")
        assert Recalculation.objects.count() == 1


class TestParameters:
    def test_a_preview_says_who_would_move_and_moves_nobody(self):
        season()
        before = ratings(), ledger()
        asked = preview(pool("classic"), {"k_start": 32.0, "k_floor": 32.0}, None, "Calmer")
        assert asked.state == State.ASKED
        recalculate()
        asked.refresh_from_db()
        assert (asked.state, asked.computed, asked.moved) == (State.PREVIEW, 6, 4)
        assert (ratings(), ledger()) == before
        assert pool("classic").k_start == 64
        assert {row.player.username: row.before for row in asked.revisions.all()} == before[0]

    def test_confirming_makes_it_come_true_to_the_last_bit(self):
        season()
        asked = preview(pool("classic"), {"k_start": 32.0, "k_floor": 16.0}, None, "Calmer")
        recalculate()
        promised = {row.player.username: row.after for row in asked.revisions.all()}
        confirm(asked.pk)
        recalculate()
        asked.refresh_from_db()
        assert asked.state == State.DONE
        assert ratings() == promised
        assert pool("classic").schedule == Schedule(32, 16, 15)
        assert set(RatingChange.objects.filter(n=0).values_list("k", flat=True)) == {32}
        assert recalculations.rebuild().moves == {}
        assert asked.was == {"k_start": 64, "k_floor": 12}

    def test_matches_that_came_since_the_preview_count_too(self):
        season(3)
        asked = preview(pool("classic"), {"k_start": 40.0}, None, "")
        recalculate()
        season(2)
        confirm(asked.pk)
        recalculate()
        asked.refresh_from_db()
        assert asked.computed == 5
        assert recalculations.rebuild().moves == {}

    def test_when_a_rating_is_established_moves_nobody(self):
        season()
        before = ledger()
        asked = preview(pool("classic"), {"established_after": 5, "active_days": 30}, None, "")
        recalculate()
        confirm(asked.pk)
        recalculate()
        asked.refresh_from_db()
        assert (asked.state, asked.computed, asked.moved) == (State.DONE, 0, 0)
        assert ledger() == before
        assert not Rating.objects.select_related("pool").get(player__username="amal").provisional

    def test_programs_and_other_kinds_keep_theirs(self):
        season()
        finished([program("deep"), HOUSE, program("quick"), HOUSE], WON_BY_AMAL, minute=20)
        services.rate_finished()
        programs = ratings("classic-bots")
        asked = preview(pool("classic"), {"k_start": 40.0}, None, "")
        recalculate()
        confirm(asked.pk)
        recalculate()
        assert ratings("classic-bots") == programs
        assert pool("classic-bots").k_start == pool("complex").k_start == 64

    @pytest.mark.parametrize(
        "values",
        [
            {"k_start": 0.5},
            {"k_start": 1e9},
            {"k_start": float("nan")},
            {"k_start": float("inf")},
            {"k_floor": 65.0},
            {"k_halves_at": 0.0},
            {"established_after": 0},
            {"active_days": 100_000},
        ],
    )
    def test_values_that_cannot_be_are_refused(self, values: dict[str, Any]):
        with pytest.raises(BadRequest) as refused:
            preview(pool("classic"), values, None, "")
        assert refused.value.code == "invalid"
        assert not Recalculation.objects.exists()

    def test_the_present_values_are_refused(self):
        with pytest.raises(Conflict) as refused:
            preview(pool("classic"), pool("classic").parameters, None, "")
        assert refused.value.code == "nothing_to_change"

    def test_the_database_refuses_a_floor_above_the_start(self):
        with pytest.raises(IntegrityError), transaction.atomic():
            Pool.objects.update(k_floor=100)

    def test_a_preview_under_parameters_that_are_gone_is_not_confirmed(self):
        season()
        first, second = (preview(pool("classic"), {"k_start": k}, None, "") for k in (40.0, 50.0))
        recalculate()
        confirm(first.pk)
        recalculate()
        with pytest.raises(Conflict) as refused:
            confirm(second.pk)
        assert refused.value.code == "preview_outdated"

    def test_a_dropped_preview_is_none_and_keeps_no_rows(self):
        season()
        asked = preview(pool("classic"), {"k_start": 40.0}, None, "")
        with pytest.raises(Conflict, match="preview is being made"):
            confirm(asked.pk)
        recalculate()
        drop(asked.pk)
        assert not Revision.objects.exists()
        for act in (confirm, drop):
            with pytest.raises(Conflict, match="It is no preview: dropped"):
                act(asked.pk)

    def test_one_that_is_not_there(self):
        with pytest.raises(Missing):
            confirm(1)


@hypothesis_settings(max_examples=20)
@given(data=st.data())
def test_whatever_is_annulled_and_restored_a_rebuild_finds_nothing_wrong(data):
    with transaction.atomic():
        season(8)
        for _ in range(3):
            annulled = data.draw(st.sets(st.integers(1, 8)))
            rows = LedgerMatch.objects.filter(sequence__in=annulled)
            for act, chosen in (
                (restore, rows.filter(reason="annulled")),
                (annul, rows.exclude(reason="annulled")),
            ):
                if found := list(chosen):
                    act(found, None, "drawn")
            recalculate()
            assert sum(ratings().values()) == 1500 * len(ratings())
        live = ratings(), ledger()
        assert recalculations.rebuild().moves == {}
        assert (ratings(), ledger()) == live
        transaction.set_rollback(True)


@pytest.mark.django_db(transaction=True)
class TestRacing:
    def test_two_workers_do_each_recalculation_once(self):
        matches = season()
        for match in matches[:3]:
            annul(entries(match), None, "A mistake")
        assert sum(at_once([recalculate] * 4)) == 3
        assert set(Recalculation.objects.values_list("state", flat=True)) == {State.DONE}
        assert recalculations.rebuild().moves == {}

    def test_two_who_annul_a_match_at_once_annul_it_once(self):
        matches = season(1)

        def ask() -> str:
            try:
                return annul(entries(*matches), None, "A mistake").state
            except Conflict as refused:
                return refused.code

        assert sorted(at_once([ask] * 2)) == ["recalculation_waiting", State.WAITING]

    def test_matches_that_finish_meanwhile_are_rated_after_it(self, monkeypatch):
        """Rating gives up after a moment, so as not to hold its worker; the recalculation makes up for it."""
        monkeypatch.setattr(services, "PATIENCE", "50ms")
        matches = season(3)
        annul(entries(matches[0]), None, "A mistake")
        computing, given_up = threading.Event(), threading.Event()
        refold = recalculations._refold

        def slowly(*args: Any, **kwargs: Any) -> Any:
            computing.set()
            assert given_up.wait(DEADLINE)
            return refold(*args, **kwargs)

        monkeypatch.setattr(recalculations, "_refold", slowly)

        def finish() -> int:
            assert computing.wait(DEADLINE)
            finished(people(*FOUR), WON_BY_AMAL, minute=5)
            done = services.rate_finished()
            before = ratings()
            given_up.set()
            assert before["amal"] == Rating.objects.get(player__username="amal").value
            return done

        assert at_once([recalculate, finish]) == [1, 0]
        assert LedgerMatch.objects.count() == 4
        assert recalculations.rebuild().moves == {}


def test_players_see_old_ratings_until_the_new_ones_are_there(transactional_db):
    """Whoever reads in the middle sees all of the one or all of the other."""
    matches = season(4)
    old = ratings()
    annul(entries(matches[0]), None, "A mistake")
    seen: list[dict[str, float]] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.append(ratings())
        seen.append(ratings())

    def compute() -> None:
        recalculate()
        done.set()

    at_once([read, compute])
    assert seen[-1] != old
    assert all(each in (old, seen[-1]) for each in seen)


def test_a_deleted_organiser_leaves_his_recalculations():
    matches = season(1)
    root = Player.objects.create(username="root")
    asked = annul(entries(*matches), root, "A mistake")
    root.delete()
    asked.refresh_from_db()
    assert asked.asked_by is None

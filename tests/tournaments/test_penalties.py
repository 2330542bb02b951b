"""Penalties and bonuses: counted by standings and by the next draw, revoked but never deleted."""

from decimal import Decimal

import pytest
from django.db import transaction
from django.db.models import ProtectedError

from tests.tournaments.conftest import by_hand, draw_and_publish, play_round, swiss
from tests.tournaments.test_entries import logged
from tests.tournaments.test_life import refusal
from tournaments import selectors
from tournaments.models import Penalty, Tournament
from tournaments.seating import POINT
from tournaments.services import entries, life, penalties, rounds

pytestmark = pytest.mark.django_db


def give(made: Tournament, name: str, points: str, **more) -> Penalty:
    by = {"actor": made.organisers.first(), "reason": "came late", **more}
    return penalties.give(slug=made.slug, name=name, points=Decimal(points), **by)


def points(made: Tournament) -> dict[str, float]:
    return {line.entry.name: float(line.standing.values[0]) for line in selectors.standings_of(made)}


def test_a_penalty_lowers_its_player_and_a_bonus_lifts_him(league):
    made = league(8)
    play_round(made)
    first, *_, last = selectors.standings_of(made)
    before = points(made)
    give(made, first.entry.name, "-4.25")
    give(made, last.entry.name, "+0.5")
    after = points(made)
    assert after[first.entry.name] == before[first.entry.name] - 4.25
    assert after[last.entry.name] == before[last.entry.name] + 0.5
    assert selectors.standings_of(made)[-1].entry == first.entry


def test_a_penalty_that_the_next_draw_ignores(league):
    """Elsewhere penalties change the standings alone, and the draw goes on with the points before."""
    made = league(8)
    play_round(made)
    best = selectors.standings_of(made)[0].entry
    give(made, best.name, "-4")
    drawn = rounds.draw_round(slug=made.slug, actor=None)
    seated = {each["id"]: each["points"] for each in drawn.inputs[0]["entrants"]}
    assert seated == {
        line.entry.pk: int(line.standing.values[0] * POINT) for line in selectors.standings_of(made)
    }
    # With four points he would sit with those who won and came second; with none he sits with the last.
    table = drawn.seats.get(entry=best).table
    assert sum(seated[seat.entry_id] for seat in table.seats.all()) < sum(seated.values()) / 2


def test_a_revoked_penalty_counts_no_more_and_stays(league, organiser):
    made = league(4)
    play_round(made)
    before = points(made)
    penalty = give(made, "amal", "-1")
    revoke = {"slug": made.slug, "actor": organiser, "penalty": penalty.pk}
    assert refusal(penalties.revoke, **revoke, reason="  ") == "no_reason"
    penalties.revoke(**revoke, reason="he was there")
    assert points(made) == before
    assert refusal(penalties.revoke, **revoke, reason="again") == "already_revoked"
    assert logged(made, "penalty_given") == [
        {"penalty": penalty.pk, "stage": 1, "player": "amal", "points": -1.0, "reason": "came late"}
    ]
    assert logged(made, "penalty_revoked")[0]["reason"] == "he was there"
    penalty.refresh_from_db()
    assert (penalty.given_by, penalty.revoked_by) == (organiser, organiser)


@pytest.mark.parametrize("points", ["0", "0.1", "1000.25", "-1001", "NaN", "Infinity"])
def test_points_are_some_whole_quarters(league, organiser, points):
    assert refusal(give, league(4), "amal", points) == "bad_points"


def test_a_penalty_needs_a_reason_a_player_of_the_stage_and_a_tournament_that_runs(league, people, organiser):
    made = league(5, "registration", cap=4)
    assert refusal(give, made, "amal", "1") == "wrong_state"
    life.start(slug=made.slug, actor=organiser)
    people(6)
    assert refusal(give, made, "amal", "1", reason=" ") == "no_reason"
    assert refusal(give, made, "amal", "1", reason="x" * 301) == "invalid"
    assert refusal(give, made, "amal", "1", reason="a\nb") == "invalid"
    assert refusal(give, made, "nobody", "1") == "no_such_player"
    for name in ("hadi", "ghada"):  # A stranger; one who waits.
        assert refusal(give, made, name, "1") == "not_entered"
    assert refusal(give, made, "amal", "1", actor=people(1)[0]) == "not_organiser"


def test_who_has_withdrawn_can_be_penalised_and_results_after_the_end(league, organiser):
    made = league(4, stages=swiss(1))
    play_round(made)
    entries.withdraw(slug=made.slug, actor=organiser, name="amal")
    life.finish(slug=made.slug, actor=organiser)
    before = points(made)["amal"]
    give(made, "amal", "-1")
    assert points(made)["amal"] == before - 1


def test_a_penalty_of_another_tournament_is_none_here(league, organiser):
    penalty = give(league(4), "amal", "-1")
    other = league(4, name="Other")
    revoke = {"slug": other.slug, "actor": organiser, "penalty": penalty.pk, "reason": "wrong"}
    assert refusal(penalties.revoke, **revoke) == "no_such_penalty"


def test_a_referee_gives_penalties_and_an_assistant_does_not(league, people, organiser):
    made, (amal, basil) = league(4), people(2)
    life.name_officials(slug=made.slug, actor=organiser, assistants=["amal"], referees=["basil"])
    assert refusal(give, made, "dana", "1", actor=amal) == "not_organiser"
    give(made, "dana", "1", actor=basil)


def test_an_opponents_penalty_lowers_nobody_elses_tie_breaks(league):
    made = league(4, metrics=["table_points", "opponents"])
    by_hand(draw_and_publish(made).tables.get())
    rounds.close_round(slug=made.slug, number=1, actor=None)
    before = {line.entry.name: line.standing.values[1] for line in selectors.standings_of(made)}
    give(made, "amal", "-3")
    assert {line.entry.name: line.standing.values[1] for line in selectors.standings_of(made)} == before


def test_an_entry_with_a_penalty_is_not_deleted(league):
    made = league(4)
    give(made, "amal", "-1")
    with pytest.raises(ProtectedError), transaction.atomic():
        made.entries.get(player__username="amal").delete()

"""Tournaments that run by themselves go on whatever happens, step by step, each step whole."""

import pytest

from tests.tournaments.conftest import by_hand, draw_and_publish, finish, swiss
from tournaments.models import Round, Table
from tournaments.services import entries, rounds
from tournaments.services.automatic import advance
from tournaments.tasks import record_result, sweep

pytestmark = pytest.mark.django_db


def states() -> list[str]:
    return [round_.state for round_ in Round.objects.all()]


def actions(league) -> list[str]:
    """What the service did by itself, in order."""
    return [line.action for line in league.log.filter(actor=None).exclude(action="result_recorded")][::-1]


def test_round_follows_round_to_the_end(league):
    made = league(8, automatic=True, stages=swiss(2))
    advance(made.slug)
    for number in (1, 2):
        assert states() == ["closed"] * (number - 1) + ["published"]
        for table in Table.objects.filter(round__number=number):
            record_result(finish(table))
    made.refresh_from_db()
    assert (made.state, states()) == ("finished", ["closed", "closed"])
    assert actions(made) == [*["round_drawn", "round_published", "round_closed"] * 2, "finished"]


def test_it_finishes_when_everyone_has_withdrawn(league, people):
    made = league(4, automatic=True)
    advance(made.slug)
    for player in people(4):
        entries.withdraw(slug=made.slug, actor=player)
    record_result(finish(Table.objects.get()))
    made.refresh_from_db()
    assert (made.state, states()) == ("finished", ["closed"])


def test_it_waits_while_everyone_has_withdrawn_before_the_first_round(league, people, organiser):
    made = league(4, automatic=True)
    for player in people(4):
        entries.withdraw(slug=made.slug, actor=player)
    advance(made.slug)
    made.refresh_from_db()
    assert (made.state, states()) == ("running", [])
    entries.enter(slug=made.slug, actor=organiser, name="amal")
    advance(made.slug)
    assert states() == ["published"]


def test_a_draw_that_seats_someone_who_withdrew_since_is_drawn_anew(league, people):
    made = league(8, automatic=True)
    rounds.draw_round(slug=made.slug, actor=None)
    entries.withdraw(slug=made.slug, actor=people(1)[0])
    advance(made.slug)
    assert states() == ["published"]
    assert actions(made) == ["round_drawn", "draw_dropped", "round_drawn", "round_published"]
    assert not Table.objects.filter(seats__entry__player=people(1)[0]).exists()


def test_a_step_that_fails_takes_none_before_it_back_and_is_tried_again(league, monkeypatch, caplog):
    made = league(4, automatic=True)
    by_hand(draw_and_publish(made).tables.get())
    with monkeypatch.context() as patched:
        patched.setattr(rounds, "create_matches", None)
        sweep()
        assert states() == ["closed", "drawn"]
    assert f"Tournament {made.slug} could not go on by itself" in caplog.text
    sweep()
    assert states() == ["closed", "published"]


def test_a_result_is_recorded_even_where_the_next_step_fails(league, monkeypatch, caplog):
    made = league(4, automatic=True)
    table = draw_and_publish(made).tables.get()
    monkeypatch.setattr(rounds, "create_matches", None)
    record_result(finish(table))
    assert table.results.count() == 1
    assert f"Tournament {made.slug} could not go on by itself" in caplog.text


@pytest.mark.parametrize("fill", ["byes", "short", "bots"])
def test_it_finishes_when_too_few_are_left_for_a_table(league, people, fill):
    made = league(4, automatic=True, fill=fill)
    advance(made.slug)
    record_result(finish(Table.objects.get()))
    for player in people(2):
        entries.withdraw(slug=made.slug, actor=player)
    by_hand(Table.objects.last())
    advance(made.slug)
    made.refresh_from_db()
    if fill == "byes":
        assert (made.state, states()) == ("finished", ["closed"] * 2)
    else:
        assert (made.state, states()) == ("running", ["closed", "closed", "published"])

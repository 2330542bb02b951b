"""What goes wrong in other tournament programs, each by its name."""

from collections import Counter
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from games.models import Match, Player
from games.services.moves import play_bot_move, submit_action
from ratings.services import rate_finished
from tests.tournaments.conftest import by_hand, draw_and_publish, finish, play_round, swiss
from tournaments import selectors
from tournaments.draws import draw_inputs
from tournaments.models import Entry, Round, Table, TableSeat
from tournaments.services import edits, entries, results, rounds, seats
from tournaments.tasks import sweep
from trix_site.common.errors import AgainstRules, Conflict, ProblemError

pytestmark = pytest.mark.django_db


def names(lines) -> list[str]:
    return [line.entry.player.username for line in lines]


def test_a_draw_that_fails_saves_nothing(league, organiser, monkeypatch):
    made = league(8)

    def broken(*args, **kwargs):
        raise RuntimeError("in the middle")

    monkeypatch.setattr(TableSeat.objects, "bulk_create", broken)
    with pytest.raises(RuntimeError), transaction.atomic():
        rounds.draw_round(slug=made.slug, actor=organiser)
    assert not Round.objects.exists() and not Table.objects.exists()


def test_a_round_is_published_whole_or_not_at_all(league, organiser, monkeypatch):
    made = league(12)
    rounds.draw_round(slug=made.slug, actor=organiser)
    create = rounds.create_matches

    def fails_at_the_end(**tables):
        create(**tables)
        raise Conflict("seat_taken", "in the middle")

    monkeypatch.setattr(rounds, "create_matches", fails_at_the_end)
    with pytest.raises(Conflict):
        rounds.publish_round(slug=made.slug, number=1, actor=organiser)
    assert Round.objects.get().state == "drawn"
    assert Table.objects.filter(match=None).count() == 3
    assert not Match.objects.exists()


@pytest.mark.parametrize("number", [2, 3, 5, 6, 7, 9, 13])
def test_an_odd_count_is_drawn_like_any_other(league, number):
    made = league(number)
    for _ in range(3):
        play_round(made)
    seats = Counter(TableSeat.objects.exclude(entry=None).values_list("round__number", flat=True))
    assert set(seats.values()) == {number}


def test_a_bot_table_is_given_twice_to_nobody_before_all_had_one(league):
    made = league(14, stages=swiss(7))
    for _ in range(7):
        play_round(made)
        had = Counter(
            TableSeat.objects.filter(table__seats__entry=None)
            .exclude(entry=None)
            .values_list("entry", flat=True)
        )
        counts = [had[entry.pk] for entry in made.entries.all()]
        assert max(counts) - min(counts) <= 1


def test_everyone_withdrew_and_no_round_is_drawn(league, organiser, people):
    made = league(4)
    for player in people(4):
        entries.withdraw(slug=made.slug, actor=player)
    with pytest.raises(AgainstRules) as refused:
        rounds.draw_round(slug=made.slug, actor=organiser)
    assert refused.value.code == "everyone_withdrew"
    assert not Round.objects.exists()


def test_a_withdrawn_player_is_ranked_by_his_results_and_not_first(league):
    made = league(8)
    play_round(made)
    before = names(selectors.standings_of(made))
    entries.withdraw(slug=made.slug, actor=None, name=before[-1])
    entries.withdraw(slug=made.slug, actor=None, name=before[0])
    play_round(made)
    after = selectors.standings_of(made)
    values = [line.standing.values for line in after]
    assert values == sorted(values, reverse=True)
    assert names(after)[-1] == before[-1]
    assert {line.entry.state for line in after} == {"active", "withdrawn"}


def test_tie_breaks_count_closed_rounds_only(league):
    made = league(8)
    play_round(made)
    before = [(line.entry.pk, line.standing) for line in selectors.standings_of(made)]
    inputs = draw_inputs(made.stages.get(), 1, 2, 1)
    for table in draw_and_publish(made).tables.all():
        by_hand(table, (500, -100, -200, -200))
    assert [(line.entry.pk, line.standing) for line in selectors.standings_of(made)] == before
    assert draw_inputs(made.stages.get(), 1, 2, 1) == inputs


def test_equal_players_share_a_rank_and_are_listed_by_name(league):
    made = league(8)
    for table in draw_and_publish(made).tables.all():
        by_hand(table, (0, 0, 0, 0))
    rounds.close_round(slug=made.slug, number=1, actor=None)
    lines = selectors.standings_of(made)
    assert {line.standing.rank for line in lines} == {1}
    assert names(lines) == sorted(names(lines))


def test_the_announced_seats_are_the_played_seats(league):
    made = league(14)
    play_round(made)
    draw_and_publish(made)
    for table in Table.objects.exclude(match=None):
        announced = [(s.index, s.entry and s.entry.player_id, s.bot) for s in table.seats.all()]
        played = [(s.index, s.player_id, s.bot) for s in table.match.seats.all()]
        assert announced == played


def test_leaving_and_returning_collects_no_points(league, organiser):
    made = league(8)
    play_round(made)
    last = selectors.standings_of(made)[-1]
    gone = last.entry.player.username
    entries.withdraw(slug=made.slug, actor=organiser, name=gone)
    play_round(made)
    entries.enter(slug=made.slug, actor=organiser, name=gone)
    back = next(line for line in selectors.standings_of(made) if line.entry == last.entry)
    assert back.standing.values[:2] == last.standing.values[:2]
    assert back.standing.played == 1
    play_round(made)
    assert Entry.objects.filter(player=last.entry.player).count() == 1


def test_a_player_cannot_return_by_himself_once_it_runs(league, people):
    made, amal = league(8), people(1)[0]
    entries.withdraw(slug=made.slug, actor=amal)
    with pytest.raises(ProblemError) as refused:
        entries.enter(slug=made.slug, actor=amal)
    assert (refused.value.status, refused.value.code) == (409, "wrong_state")


def test_an_abandoned_match_ends_when_its_result_is_entered(league, people):
    table = draw_and_publish(league(4)).tables.get()
    by_hand(table, (0, 0, 0, 0))
    with pytest.raises(Conflict) as refused:
        submit_action(
            match_code=table.match.code,
            player=people(1)[0],
            action_text="play KH",
            version=table.match.version,
        )
    assert refused.value.code == "match_cancelled"
    assert play_bot_move(table.match_id, limit=50).taken == 0
    assert results.record_match(table.match_id) is None
    assert rate_finished(since_ever=True) == 0
    assert [result.scores for result in table.results.all()] == [[0, 0, 0, 0]]


def test_a_result_by_hand_is_not_overwritten_by_the_match_that_ended_before(league):
    table = draw_and_publish(league(4)).tables.get()
    match = finish(table)
    by_hand(table, (0, 0, 0, 0))
    results.record_match(match)
    assert [result.scores for result in table.results.all()] == [[0, 0, 0, 0]]


def test_nothing_that_standings_follow_from_can_be_deleted(league):
    made = league(4)
    play_round(made)
    entry = made.entries.first()
    table = Table.objects.get()
    for one in (made, entry, entry.player, table, table.match, table.round):
        with pytest.raises((ProtectedError, IntegrityError)), transaction.atomic():
            one.delete()
    assert len(selectors.standings_of(made)) == 4


def test_corrections_change_standings_and_the_next_draw_alike(league):
    made = league(8)
    play_round(made)
    table = Table.objects.first()
    by_hand(table, (-300, -100, 100, 300), replaces=table.results.get().pk, reason="upside down")
    points = {line.entry.pk: line.standing.values[0] for line in selectors.standings_of(made)}
    drawn = draw_inputs(made.stages.get(), 1, 2, 1).entrants
    assert {entrant.id: entrant.points for entrant in drawn} == {e: 12 * p for e, p in points.items()}
    first, *_, last = table.seats.all()
    assert (points[first.entry_id], points[last.entry_id]) == (0, 4)


def test_times_are_stored_and_told_in_utc(league, api, organiser):
    made = league(4)
    told = api().get(f"/api/v1/tournaments/{made.slug}/").json()["started_at"]
    assert told == made.started_at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    assert made.started_at.utcoffset().total_seconds() == 0


def substitute(seat: TableSeat, name: str | None) -> TableSeat:
    return seats.substitute(
        slug=seat.round.tournament.slug,
        number=seat.round.number,
        table_number=seat.table.number,
        seat=seat.letter,
        actor=None,
        name=name,
    )


def test_a_substitutes_score_is_not_lost(league):
    made = league(4)
    Player.objects.create_user("زيد")
    table = draw_and_publish(made).tables.get()
    seat = table.seats.first()
    substitute(seat, "زيد")
    results.record_match(finish(table))
    rounds.close_round(slug=made.slug, number=1, actor=None)
    line = next(line for line in selectors.standings_of(made) if line.entry == seat.entry)
    assert (line.standing.values[1], line.standing.played) == (300, 1)
    assert "زيد" not in names(selectors.standings_of(made))


def test_todays_substitutes_are_not_applied_to_old_rounds(league):
    made = league(4)
    Player.objects.create_user("زيد")
    play_round(made)
    before = names(selectors.standings_of(made))
    old = list(TableSeat.objects.filter(round__number=1).values_list("pk", "player"))
    seat = draw_and_publish(made).seats.first()
    substitute(seat, "زيد")
    assert list(TableSeat.objects.filter(round__number=1).values_list("pk", "player")) == old
    assert names(selectors.standings_of(made)) == before
    by_hand(seat.table)
    rounds.close_round(slug=made.slug, number=2, actor=None)
    following = rounds.draw_round(slug=made.slug, actor=None)
    assert not following.seats.filter(player__username="زيد").exists()


def test_the_announced_seats_are_the_played_seats_after_every_change_by_hand(league):
    made = league(8)
    Player.objects.create_user("زيد")
    round_ = rounds.draw_round(slug=made.slug, actor=None)
    places = edits.Place(1, "S"), edits.Place(2, "W")
    edits.swap(slug=made.slug, number=1, actor=None, first=places[0], second=places[1], version=0)
    substitute(round_.seats.first(), "زيد")
    rounds.publish_round(slug=made.slug, number=1, actor=None)
    substitute(round_.seats.last(), "olga")
    for table in round_.tables.all():
        announced = [(s.index, s.player_id, s.bot) for s in table.seats.all()]
        assert announced == [(s.index, s.player_id, s.bot) for s in table.match.seats.all()]


def test_the_same_double_click_on_a_swap_does_not_undo_it(league):
    made = league(8)
    rounds.draw_round(slug=made.slug, actor=None)
    click = {"first": edits.Place(1, "S"), "second": edits.Place(2, "S"), "version": 0}
    edits.swap(slug=made.slug, number=1, actor=None, **click)
    after = list(TableSeat.objects.values_list("pk", "player"))
    with pytest.raises(Conflict) as refused:
        edits.swap(slug=made.slug, number=1, actor=None, **click)
    assert refused.value.code == "draw_changed"
    assert list(TableSeat.objects.values_list("pk", "player")) == after


def test_a_match_that_was_stopped_for_a_replay_leaves_no_result_and_no_rating(league, organiser):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    old = table.match_id
    results.replay_table(slug=made.slug, number=1, table_number=1, reason="wrong rules", actor=organiser)
    assert play_bot_move(old, limit=50).taken == 0
    assert results.record_match(old) is None
    assert rate_finished(since_ever=True) == 0


def test_an_annulled_table_counts_for_nobody_and_for_no_tie_break(league, organiser):
    made = league(8)
    play_round(made)
    before = [(line.entry.pk, line.standing.values) for line in selectors.standings_of(made)]
    played = play_round(made)
    for table in played.tables.all():
        counting = table.results.get()
        results.annul(
            slug=made.slug,
            number=2,
            table_number=table.number,
            reason="the hall was on fire",
            actor=organiser,
            replaces=counting.pk,
        )
    assert [(line.entry.pk, line.standing.values) for line in selectors.standings_of(made)] == before


def test_a_program_that_never_came_does_not_hold_up_a_round_without_clocks(league):
    made = league(4, grace=1)
    match = draw_and_publish(made).tables.get().match
    Match.objects.update(started_at=match.started_at - timedelta(seconds=2))
    sweep()
    while play_bot_move(match.pk, limit=100).taken:
        pass
    sweep()
    rounds.close_round(slug=made.slug, number=1, actor=None)

"""Who really sits at a table: substitutes, and players who did not come."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Match, Player, Seat
from games.selectors import current_view, seat_of, stored_match
from games.services.chat import say
from games.services.endings import resign
from games.services.matches import leave, stop
from games.services.moves import submit_action
from games.services.presence import has_come
from ratings.models import Rating
from ratings.services import rate_finished
from tests.games.play import act, play_out, state_of
from tests.tournaments.conftest import by_hand, draw_and_publish, finish
from tournaments import selectors
from tournaments.models import Table, TableSeat, Tournament
from tournaments.services import entries, results, rounds, seats
from tournaments.tasks import sweep
from trix_site.common.errors import ProblemError

pytestmark = pytest.mark.django_db


def place(seat: TableSeat) -> dict[str, object]:
    of = seat.round.tournament
    where = {"slug": of.slug, "number": seat.round.number, "table_number": seat.table.number}
    return {**where, "seat": seat.letter, "actor": of.organisers.first()}


def substitute(seat: TableSeat, name: str | None, **more) -> TableSeat:
    return seats.substitute(**{**place(seat), "name": name, **more})


def refused(call, *args, **more) -> str:
    with pytest.raises(ProblemError) as found:
        call(*args, **more)
    return found.value.code


@pytest.fixture
def zaid(db) -> Player:
    return Player.objects.create_user("زيد")


def seat_at(table: Table, index: int = 0) -> TableSeat:
    return TableSeat.objects.select_related("table", "round__tournament", "player", "entry__player").get(
        table=table, index=index
    )


# Substitutes


def test_a_substitute_sees_the_hand_and_plays_and_the_player_before_does_not(league, zaid):
    table = draw_and_publish(league(4)).tables.get()
    index = state_of(table.match).turn
    before = seat_at(table, index).player
    substitute(seat_at(table, index), "زيد")
    match = stored_match(table.match.code)
    assert (seat_of(match, zaid), seat_of(match, before)) == (index, None)
    assert current_view(match, zaid)[0].hand and not current_view(match, before)[0].hand
    action = {"match_code": match.code, "version": match.version, "action_text": "choose trix"}
    assert refused(submit_action, player=before, **action) == "not_your_seat"
    assert refused(say, match_code=match.code, player=before, text="hello") == "not_your_seat"
    assert submit_action(player=zaid, **action).seat == index


def test_the_standings_and_the_rating_go_to_whom_they_belong(league, zaid):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    seat = seat_at(table)
    before = seat.player
    substitute(seat, zaid.username)
    play_out(table.match)
    table.match.seats.update(away_since=None)  # As if they had played it themselves.
    result = results.record_match(table.match_id)
    rounds.close_round(slug=made.slug, number=1, actor=None)
    line = next(line for line in selectors.standings_of(made) if line.entry == seat.entry)
    assert (line.entry.player, int(line.standing.values[1])) == (before, result.scores[0])
    rate_finished(since_ever=True)
    assert Rating.objects.filter(player=zaid).exists() and not Rating.objects.filter(player=before).exists()


def test_null_gives_the_seat_back(league, zaid):
    table = draw_and_publish(league(4)).tables.get()
    seat = seat_at(table)
    before = seat.player
    assert substitute(seat, zaid.username).stands_in_for == before
    assert substitute(seat, None).stands_in_for is None
    assert Seat.objects.get(match=table.match, index=0).player == before
    assert substitute(seat, None).player == before
    assert seat.round.tournament.log.filter(action="seat_changed").count() == 2


def test_a_match_begins_with_the_substitute_of_a_drawn_round(league, zaid):
    made = league(4)
    rounds.draw_round(slug=made.slug, actor=None)
    table = Table.objects.get()
    before = seat_at(table).player
    substitute(seat_at(table), zaid.username)
    rounds.publish_round(slug=made.slug, number=1, actor=None)
    match = Match.objects.get()
    assert match.seats.get(index=0).player == zaid
    assert not match.seats.filter(player=before).exists()


def test_a_substitute_has_the_seat_back_from_the_bot(league, zaid):
    table = draw_and_publish(league(4)).tables.get()
    first, second = seat_at(table, 0), seat_at(table, 1)
    resign(match_code=table.match.code, player=first.player)
    leave(match_code=table.match.code, player=second.player)
    for seat, name in ((first, zaid.username), (second, "olga")):
        seats.mark_no_show(**place(seat))
        assert substitute(seat, name).no_show_at is None
    assert not Seat.objects.filter(away_since__isnull=False).exists()
    assert not Seat.objects.filter(resigned=True).exists()


def test_nobody_sits_twice_in_a_round(league, zaid):
    made = league(8)
    one, two = (seat_at(table) for table in draw_and_publish(made).tables.all())
    assert refused(substitute, one, two.player.username) == "sits_elsewhere"
    assert refused(substitute, one, seat_at(one.table, 1).player.username) == "sits_elsewhere"
    substitute(one, zaid.username)
    assert refused(substitute, two, zaid.username) == "sits_elsewhere"


@pytest.mark.parametrize(("same_cards", "code"), [(True, "has_seen_cards"), (False, None)])
def test_whoever_sat_at_another_table_has_seen_the_same_cards(league, zaid, same_cards, code):
    one, two = (seat_at(table) for table in draw_and_publish(league(8, same_cards=same_cards)).tables.all())
    own = one.player.username
    substitute(one, zaid.username)
    if code:
        assert refused(substitute, two, own) == code
        substitute(one, None)
        assert refused(substitute, two, zaid.username) == code
    else:
        assert substitute(two, own).player.username == own


def test_nobody_plays_on_with_one_hand_after_he_has_seen_another_of_the_table(league, zaid):
    table = draw_and_publish(league(4)).tables.get()
    first, second = seat_at(table, 0), seat_at(table, 1)
    substitute(first, zaid.username)
    substitute(first, None)
    assert refused(substitute, second, zaid.username) == "has_seen_cards"
    assert substitute(first, zaid.username).player == zaid


def test_a_replay_has_cards_that_nobody_has_seen(league, zaid):
    table = draw_and_publish(league(4)).tables.get()
    first, second = seat_at(table, 0), seat_at(table, 1)
    substitute(first, zaid.username)
    substitute(first, None)
    of = first.round.tournament
    results.replay_table(slug=of.slug, number=1, table_number=1, reason="again", actor=of.organisers.first())
    assert substitute(seat_at(table, 1), zaid.username).stands_in_for == second.player


def test_what_cannot_be_done_with_a_seat(league, zaid, people):
    made = league(7)
    published = draw_and_publish(made)
    bot = published.seats.filter(player=None).first()
    assert refused(substitute, bot, zaid.username) == "seat_of_bot"
    assert refused(seats.mark_no_show, **place(bot)) == "seat_of_bot"
    seat = published.seats.exclude(player=None).first()
    assert refused(substitute, seat, "nobody at all") == "no_such_player"
    assert refused(seats.mark_no_show, **{**place(seat), "seat": "X"}) == "no_such_seat"
    assert refused(substitute, seat, zaid.username, actor=zaid) == "not_organiser"
    made.assistants.add(zaid)
    assert refused(substitute, seat, zaid.username, actor=zaid) == "not_organiser"
    gone = Player.objects.create_user("gone", is_active=False)
    assert refused(substitute, seat, gone.username) == "account_closed"
    assert TableSeat.objects.get(pk=seat.pk).player == seat.player
    stop(seat.table.match_id)
    assert refused(substitute, seat, zaid.username) == "table_over"
    by_hand(seat.table)
    assert refused(substitute, seat, zaid.username) == "table_over"
    assert refused(seats.mark_no_show, **place(seat)) == "table_over"


def test_a_withdrawn_player_with_a_substitute_is_told_by_his_own_name(league, zaid):
    made = league(4)
    rounds.draw_round(slug=made.slug, actor=None)
    seat = seat_at(Table.objects.get())
    own = seat.player.username
    substitute(seat, zaid.username)
    entries.withdraw(slug=made.slug, actor=None, name=own)
    with pytest.raises(ProblemError) as found:
        rounds.publish_round(slug=made.slug, number=1, actor=None)
    assert (found.value.code, found.value.members["players"]) == ("drawn_player_withdrew", [own])


def test_a_withdrawal_leaves_the_substitute_at_the_table(league, zaid):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    seat = seat_at(table)
    own = seat.player.username
    substitute(seat, zaid.username)
    entries.withdraw(slug=made.slug, actor=None, name=own)
    assert Seat.objects.get(match=table.match, index=0).away_since is None


# No-shows


def test_a_bot_plays_for_a_no_show_until_he_acts(league):
    table = draw_and_publish(league(4)).tables.get()
    index = state_of(table.match).turn
    seat = seat_at(table, index)
    marked = seats.mark_no_show(**place(seat))
    assert marked.no_show_at and Seat.objects.get(match=table.match, index=index).away_since
    assert seats.mark_no_show(**place(seat)).no_show_at == marked.no_show_at
    assert seat.round.tournament.log.filter(action="no_show").count() == 1
    act(table.match)
    assert Seat.objects.get(match=table.match, index=index).away_since is None
    assert seats.mark_no_show(**place(seat)).no_show_at > marked.no_show_at


def test_nobody_is_a_no_show_before_the_round_is_published(league):
    rounds.draw_round(slug=league(4).slug, actor=None)
    assert refused(seats.mark_no_show, **place(seat_at(Table.objects.get()))) == "not_published"


def late(made: Tournament, seconds: float) -> None:
    """Let the tables have begun so long ago."""
    begun = timezone.now() - timedelta(seconds=seconds)
    Match.objects.filter(table__round__tournament=made).update(started_at=begun)


def absent(made: Tournament) -> set[str]:
    found = TableSeat.objects.filter(round__tournament=made, no_show_at__isnull=False)
    return {seat.player.username for seat in found.select_related("player")}


def test_after_the_grace_a_bot_plays_for_whoever_was_neither_seen_nor_acted(league, zaid):
    made = league(8, grace=60)
    one, two = draw_and_publish(made).tables.all()
    acted, seen = seat_at(one, state_of(one.match).turn).player, seat_at(two).player
    act(one.match)
    has_come(two.match.code, [seen.pk])
    substitute(seat_at(two, 1), zaid.username)
    late(made, 59)
    sweep()
    assert absent(made) == set()
    late(made, 61)
    sweep()
    sweep()
    there = {acted.username, seen.username, seat_at(two, 1).drawn.username}
    assert absent(made) == {entry.name for entry in made.entries.all()} - there
    assert Seat.objects.filter(away_since__isnull=False).count() == 5
    assert made.log.filter(action="no_show", actor=None).count() == 5


def test_a_no_show_who_comes_plays_on(league):
    made = league(4, grace=60)
    table = draw_and_publish(made).tables.get()
    late(made, 61)
    sweep()
    act(table.match)
    sweep()
    assert Seat.objects.filter(match=table.match, away_since=None).count() == 1
    assert made.log.filter(action="no_show").count() == 4


def test_whom_the_clock_sent_away_before_he_ever_acted_is_a_no_show_too(league):
    made = league(4, grace=60)
    table = draw_and_publish(made).tables.get()
    seat = seat_at(table)
    leave(match_code=table.match.code, player=seat.player)
    late(made, 61)
    sweep()
    assert seat.player.username in absent(made)


def test_without_a_grace_and_for_whoever_withdrew_there_are_no_no_shows(league):
    patient, strict = league(4, name="Patient"), league(4, name="Strict", grace=60)
    for made in (patient, strict):
        draw_and_publish(made)
        late(made, 10_000)
    entries.withdraw(slug=strict.slug, actor=None, name="amal")
    sweep()
    assert absent(patient) == set()
    assert absent(strict) == {"basil", "dana", "farid"}


def test_a_match_that_is_over_has_no_no_shows(league):
    made = league(4, grace=60)
    finish(draw_and_publish(made).tables.get())
    late(made, 61)
    sweep()
    assert absent(made) == set()

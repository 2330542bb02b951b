"""Two at once, over connections of their own: one wins, the other is told so, and nothing is half done."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from games.engine.cards import SEAT_NAMES
from games.models import Match, Player
from games.services.closing import close_account
from games.services.matches import leave
from games.services.moves import play_bot_move, submit_action
from tests.games.play import state_of
from tests.games.test_deletion import PASSWORD, in_the_middle_of
from tests.games.test_races import somebody_waits
from tests.tournaments.conftest import by_hand, draw_and_publish, finish, play_round, swiss
from tests.tournaments.test_corrections import record_of
from tournaments.models import Round, StageEntry, Table, TableResult, TableSeat, Tournament
from tournaments.services import (
    automatic,
    bulk,
    check_in,
    edits,
    entries,
    life,
    penalties,
    results,
    rounds,
    seats,
    stages,
)
from tournaments.services.cuts import start_stage
from tournaments.tasks import record_result, sweep
from trix_site.common.errors import ProblemError

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What each call returned, or the code of its refusal; all start together."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        barrier.wait()
        try:
            return call()
        except ProblemError as refused:
            return refused.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_two_tournaments_are_made_at_once_with_one_address(organiser, monkeypatch):
    checked, check = Barrier(2), life.check_settings

    def check_and_wait(tournament: Tournament) -> None:
        check(tournament)
        checked.wait(10)

    monkeypatch.setattr(life, "check_settings", check_and_wait)
    answers = at_once(*[lambda: life.create_tournament(actor=organiser, name="Friday", slug="friday")] * 2)
    assert answers.count("slug_taken") == 1
    assert Tournament.objects.count() == 1


def test_two_tournaments_of_one_name_are_made_at_once(organiser, monkeypatch):
    checked, check = Barrier(2), life.check_settings

    def check_and_wait(tournament: Tournament) -> None:
        check(tournament)
        checked.wait(10)

    monkeypatch.setattr(life, "check_settings", check_and_wait)
    answers = at_once(*[lambda: life.create_tournament(actor=organiser, name="Friday")] * 2)
    plain, other = sorted(made.slug for made in answers)
    assert plain == "friday" and other.startswith("friday-")


def test_two_organisers_draw_at_once(league, organiser):
    made = league(16)
    answers = at_once(*[lambda: rounds.draw_round(slug=made.slug, actor=organiser)] * 4)
    assert answers.count("round_open") == 3
    assert Round.objects.count() == 1
    assert TableSeat.objects.count() == 16
    made.refresh_from_db()
    assert made.draws_made == 1


def test_two_organisers_publish_at_once(league, organiser):
    made = league(8)
    rounds.draw_round(slug=made.slug, actor=organiser)
    answers = at_once(*[lambda: rounds.publish_round(slug=made.slug, number=1, actor=organiser)] * 4)
    assert answers.count("published") == 3
    assert Match.objects.count() == 2


def test_two_organisers_close_at_once(league, organiser):
    made = league(8)
    for table in draw_and_publish(made).tables.all():
        by_hand(table)
    answers = at_once(*[lambda: rounds.close_round(slug=made.slug, number=1, actor=organiser)] * 4)
    assert answers.count("not_published") == 3
    assert made.log.filter(action="round_closed").count() == 1


def test_publishing_and_dropping_at_once_leaves_one_of_them(league, organiser):
    made = league(8)
    rounds.draw_round(slug=made.slug, actor=organiser)
    call = {"slug": made.slug, "number": 1, "actor": organiser}
    at_once(lambda: rounds.publish_round(**call), lambda: rounds.drop_draw(**call))
    assert Match.objects.count() == 2 * Round.objects.count()


def test_a_result_is_recorded_once_over_a_flaky_network(league):
    made = league(8)
    table = draw_and_publish(made).tables.first()
    match = finish(table)
    recorded = at_once(*[lambda: results.record_match(match)] * 8)
    assert len({result.pk for result in recorded}) == 1
    assert TableResult.objects.count() == 1
    assert made.log.filter(action="result_recorded").count() == 1


def test_two_results_confirmed_at_once_for_one_table(league):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    answers = at_once(
        lambda: by_hand(table, (300, 100, -100, -300)),
        lambda: by_hand(table, (0, 0, 0, 0)),
        lambda: by_hand(table, (-300, -100, 100, 300)),
    )
    assert answers.count("result_changed") == 2
    assert TableResult.objects.count() == 1


def test_two_corrections_of_the_same_result_at_once(league):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    first = by_hand(table)
    answers = at_once(*[lambda n=n: by_hand(table, (n, -n, 0, 0), replaces=first.pk) for n in range(1, 5)])
    assert answers.count("result_changed") == 3
    assert TableResult.objects.filter(superseded_at=None).count() == 1
    assert TableResult.objects.count() == 2


def test_a_played_result_arrives_while_the_organiser_enters_another(league):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    match = finish(table)
    at_once(lambda: results.record_match(match), lambda: by_hand(table, (0, 0, 0, 0)))
    assert TableResult.objects.filter(superseded_at=None).count() == 1
    assert TableResult.objects.count() == 1


def test_the_organiser_enters_a_result_while_the_table_plays(league, people):
    table = draw_and_publish(league(4)).tables.get()
    for player in people(4):
        leave(match_code=table.match.code, player=player)

    def play() -> None:
        while play_bot_move(table.match_id).taken:
            pass

    at_once(play, lambda: by_hand(table, (0, 0, 0, 0)))
    assert Match.objects.get().status == "cancelled"
    assert [result.scores for result in table.results.all()] == [[0, 0, 0, 0]]


def test_a_result_arrives_while_the_round_closes(league, organiser):
    made = league(8)
    first, second = draw_and_publish(made).tables.all()
    by_hand(first)
    match = finish(second)
    _, closed = at_once(
        lambda: results.record_match(match),
        lambda: rounds.close_round(slug=made.slug, number=1, actor=organiser),
    )
    assert TableResult.objects.count() == 2
    assert (closed == "tables_unfinished") == (Round.objects.get().state == "published")


def test_entering_twice_at_once_is_one_entry(league, people):
    made, amal = league(0, "registration"), people(1)[0]
    answers = at_once(*[lambda: entries.enter(slug=made.slug, actor=amal)] * 4)
    assert answers.count("already_entered") == 3
    assert made.entries.count() == 1


def active(made: Tournament) -> int:
    return made.entries.filter(state="active").count()


def test_two_enter_for_the_last_place_at_once(league, people):
    made, last = league(3, "registration", cap=4), people(8)[3:]
    at_once(*[lambda player=player: entries.enter(slug=made.slug, actor=player) for player in last])
    assert active(made) == 4
    assert made.entries.filter(state="waiting").count() == 4


def test_a_place_becomes_free_while_the_cap_is_raised(league, people, organiser):
    made, amal = league(8, "registration", cap=4), people(1)[0]
    at_once(
        lambda: entries.withdraw(slug=made.slug, actor=amal),
        lambda: life.change_settings(made.slug, actor=organiser, cap=5),
        lambda: entries.admit(slug=made.slug, actor=organiser, name="jamal"),
    )
    moved = made.log.filter(action="moved_up").count()
    # Admitted over the cap or into one of its places: nobody is moved twice, and no place stays free.
    assert active(made) in (5, 6) and active(made) == 4 - 1 + moved + 1
    assert made.entries.get(player__username="jamal").state == "active"


def test_two_name_the_same_partner_at_once(league, people):
    made = league(0, "registration", rules="cardkings-complex-partners", pairs=True)
    amal, basil, _ = people(3)
    answers = at_once(
        lambda: entries.enter(slug=made.slug, actor=amal, partner="dana"),
        lambda: entries.enter(slug=made.slug, actor=basil, partner="dana"),
    )
    assert answers.count("already_entered") == 1
    assert made.entries.count() == 1


def test_a_player_enters_himself_while_another_names_him_as_partner(league, people):
    made = league(0, "registration", rules="cardkings-complex-partners", pairs=True)
    amal, basil, _ = people(3)
    answers = at_once(
        lambda: entries.enter(slug=made.slug, actor=amal, partner="basil"),
        lambda: entries.enter(slug=made.slug, actor=basil, partner="dana"),
    )
    assert answers.count("already_entered") == 1
    assert made.entries.count() == 1


def test_a_player_checks_in_while_it_starts(league, people, organiser):
    made, amal = league(4, "registration"), people(1)[0]
    check_in.open_check_in(slug=made.slug, actor=organiser)
    for player in people(4)[1:]:
        check_in.check_in(slug=made.slug, actor=player)
    checked, _ = at_once(
        lambda: check_in.check_in(slug=made.slug, actor=amal),
        lambda: life.start(slug=made.slug, actor=organiser),
    )
    in_time = checked not in ("wrong_state", "already_withdrawn")
    assert made.entries.get(player=amal).state == ("active" if in_time else "withdrawn")
    assert made.stages.get().entrants.count() == (4 if in_time else 3)


def test_a_penalty_is_revoked_twice_at_once(league, organiser):
    made = league(4)
    given = penalties.give(
        slug=made.slug, actor=organiser, name="amal", points=Decimal(-1), reason="came late"
    )
    revoke = {"slug": made.slug, "actor": organiser, "penalty": given.pk, "reason": "he was there"}
    answers = at_once(*[lambda: penalties.revoke(**revoke)] * 3)
    assert answers.count("already_revoked") == 2
    assert made.log.filter(action="penalty_revoked").count() == 1


def test_a_file_is_imported_twice_at_once(league, people, organiser):
    made, text = league(0, "registration"), "player\namal\nbasil\nأمينة"
    people(20)
    answers = at_once(*[lambda: bulk.enter_csv(slug=made.slug, actor=organiser, text=text)] * 2)
    assert answers.count("bad_lines") == 1
    assert made.entries.count() == 3


def test_withdrawing_while_the_round_is_drawn_never_seats_a_ghost(league, people, organiser):
    made, amal = league(8), people(1)[0]
    at_once(
        lambda: entries.withdraw(slug=made.slug, actor=amal),
        lambda: rounds.draw_round(slug=made.slug, actor=organiser),
    )
    seated = TableSeat.objects.filter(entry__player=amal).exists()
    published = at_once(lambda: rounds.publish_round(slug=made.slug, number=1, actor=organiser))
    assert (published == ["drawn_player_withdrew"]) == seated


def test_the_sweeper_records_what_a_lost_message_left_behind(league):
    made = league(8)
    first, second = draw_and_publish(made).tables.all()
    finish(first)
    sweep()
    sweep()
    assert [table.results.count() for table in (first, second)] == [1, 0]
    assert first.results.get().scores == [300, 100, -100, -300]


def test_two_organisers_start_the_next_stage_at_once(league, organiser):
    made = league(8, stages=[{"format": "swiss", "rounds": 1}, *[{"format": "swiss", "cut": 4}] * 2])
    play_round(made)
    answers = at_once(*[lambda: start_stage(slug=made.slug, actor=organiser)] * 4)
    assert answers.count("stage_not_played") == 3
    assert StageEntry.objects.filter(stage__number=2).count() == 4
    assert not StageEntry.objects.filter(stage__number=3).exists()


def test_the_sweep_publishes_while_the_organiser_does(league, organiser):
    made = league(8, automatic=True)
    rounds.draw_round(slug=made.slug, actor=organiser)
    call = {"slug": made.slug, "number": 1, "actor": organiser}
    at_once(sweep, lambda: rounds.publish_round(**call), sweep)
    assert Round.objects.get().state == "published"
    assert Match.objects.count() == 2


def test_two_sweeps_seat_one_wave_of_an_arena(league):
    made = league(12, stages=[{"format": "arena", "minutes": 60}])
    at_once(sweep, sweep, sweep)
    assert Round.objects.count() == 1
    assert TableSeat.objects.filter(entry__isnull=False).count() == 12
    first, second, _ = Table.objects.all()
    matches = [finish(first), finish(second)]
    at_once(*[lambda match=match: record_result(match) for match in matches], sweep)
    sitting = TableSeat.objects.filter(table__results=None, entry__isnull=False)
    assert sitting.values("entry").distinct().count() == sitting.count() == 12
    assert made.rounds.count() == 2


def test_leaving_an_arena_while_a_wave_is_seated_never_seats_a_ghost(league, people):
    made, amal = league(8, stages=[{"format": "arena", "minutes": 60}]), people(1)[0]
    at_once(sweep, lambda: entries.withdraw(slug=made.slug, actor=amal))
    sweep()
    for seat in TableSeat.objects.filter(player=amal):  # A bot plays on for him.
        assert seat.table.match.seats.get(player=amal).away_since is not None


def test_rounds_that_are_added_as_the_last_one_is_closed_are_played(league, organiser, monkeypatch):
    """It finishes, and the organiser is told so, or it goes on: never both."""
    made = league(4, automatic=True, stages=swiss(1))
    by_hand(draw_and_publish(made).tables.get())
    decide, pool, asked = automatic._next_step, ThreadPoolExecutor(1), []

    def decide_while_rounds_are_added(of: Tournament) -> Any:
        step = decide(of)
        if step is life.finish and not asked:
            asked.append(pool.submit(at_once, lambda: add_rounds(made.slug, organiser)))
            while not (asked[0].done() or somebody_waits()):
                pass
        return step

    monkeypatch.setattr(automatic, "_next_step", decide_while_rounds_are_added)
    automatic.advance(made.slug)
    ((answer,),) = [each.result() for each in asked]
    made.refresh_from_db()
    assert (made.state, answer) == ("finished", "wrong_state")


def add_rounds(slug: str, organiser: Player) -> Any:
    return stages.set_stages(slug=slug, actor=organiser, stages=swiss(2))


# Officials whose accounts are deleted


def test_of_two_organisers_who_delete_their_accounts_at_once_one_stays(league, organiser):
    for number in range(4):
        made = league(0, "draft", name=f"League {number}")
        pair = [Player.objects.create_user(f"{name}{number}", password=PASSWORD) for name in ("uma", "vida")]
        life.set_officials(slug=made.slug, actor=organiser, organisers=pair)
        answers = at_once(*[lambda who=who: close_account(player=who, password=PASSWORD) for who in pair])
        assert answers.count("organises_running") == 1
        assert made.organisers.get().is_active


def test_an_assistant_deletes_his_account_as_he_becomes_an_organiser(league, organiser, monkeypatch):
    """Once a deadlock: his roles were deleted under the lock of his account."""
    made = league(0, "draft")
    uma = Player.objects.create_user("uma", password=PASSWORD)
    life.set_officials(slug=made.slug, actor=organiser, assistants=[uma])
    give: Any = life.set_role

    def promote(waits: Callable[[], Any]) -> None:
        monkeypatch.setattr(life, "set_role", lambda *role: [give(*role), waits()][0])
        roles: dict[str, list[str]] = {"organisers": ["olga", "uma"], "assistants": []}
        life.name_officials(slug=made.slug, actor=organiser, **roles)

    in_the_middle_of(promote, uma)
    assert list(made.organisers.all()) == [organiser]


def test_nobody_becomes_an_official_whose_account_is_closed_at_that_moment(league, organiser):
    for number in range(4):
        made = league(0, "draft", name=f"League {number}")
        uma = Player.objects.create_user(f"uma{number}", password=PASSWORD)
        appoint = {"slug": made.slug, "actor": organiser, "referees": [uma.username]}
        at_once(
            lambda uma=uma: close_account(player=uma, password=PASSWORD),
            lambda appoint=appoint: life.name_officials(**appoint),
        )
        uma.refresh_from_db()
        assert uma.is_active == made.referees.filter(pk=uma.pk).exists()


# Draws edited by hand


def swap(made: Tournament, first: str, second: str) -> Any:
    places = [edits.Place(int(where[0]), where[1]) for where in (first, second)]
    return edits.swap(slug=made.slug, number=1, actor=None, first=places[0], second=places[1], version=0)


def test_two_edits_of_a_draw_at_once(league):
    made = league(8)
    rounds.draw_round(slug=made.slug, actor=None)
    answers = at_once(*[lambda other=other: swap(made, "1S", other) for other in ("2S", "2E", "2S")])
    assert answers.count("draw_changed") == 2
    assert Round.objects.get().version == 1 and made.log.filter(action="draw_edited").count() == 1
    assert TableSeat.objects.exclude(entry=None).values("entry").distinct().count() == 8


def test_an_edit_and_the_publication_at_once_play_what_is_announced(league):
    made = league(8)
    rounds.draw_round(slug=made.slug, actor=None)
    edited, published = at_once(
        lambda: swap(made, "1S", "2S"),
        lambda: rounds.publish_round(slug=made.slug, number=1, actor=None),
    )
    assert not isinstance(published, str)
    assert (edited == "published") == (Round.objects.get().version == 0)
    for seat in TableSeat.objects.select_related("table__match"):
        assert seat.table.match.seats.get(index=seat.index).player_id == seat.player_id


# Corrections


def corrected(service: Callable[..., Any], table: Table, **more: Any) -> Any:
    of = Tournament.objects.get()
    where = {"slug": of.slug, "number": 1, "table_number": table.number, "actor": of.organisers.first()}
    return service(**where, reason="a revoke", **more)


def test_two_annulments_at_once_are_one(league):
    table = draw_and_publish(league(4)).tables.get()
    first = by_hand(table)
    answers = at_once(*[lambda: corrected(results.annul, table, replaces=first.pk)] * 4)
    assert len({annulled.pk for annulled in answers}) == 1
    assert [result.source for result in table.results.all()] == ["entered", "annulled"]


def test_an_annulment_and_a_correction_of_the_same_result_at_once(league):
    table = draw_and_publish(league(4)).tables.get()
    first = by_hand(table)
    answers = at_once(
        lambda: corrected(results.annul, table, replaces=first.pk),
        lambda: by_hand(table, (0, 0, 0, 0), replaces=first.pk),
    )
    assert answers.count("result_changed") == 1
    assert table.results.count() == 2 and table.results.filter(superseded_at=None).count() == 1


def test_a_played_result_arrives_while_the_table_is_annulled(league):
    table = draw_and_publish(league(4)).tables.get()
    match = finish(table)
    recorded, annulled = at_once(lambda: results.record_match(match), lambda: corrected(results.annul, table))
    assert table.results.count() == 1
    assert (annulled == "result_changed") == (table.results.get().source == "played")
    assert recorded == table.results.get()


def test_a_played_result_arrives_while_the_table_is_replayed(league):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    old = finish(table)
    recorded, replayed = at_once(
        lambda: results.record_match(old), lambda: corrected(results.replay_table, table)
    )
    now = Table.objects.get()
    if replayed == "result_changed":
        assert now.match_id == old and table.results.get() == recorded
    else:
        assert now.match_id != old and recorded is None and not table.results.exists()


def test_the_same_replay_twice_at_once_is_one_match(league):
    table = draw_and_publish(league(4)).tables.get()
    answers = at_once(*[lambda: corrected(results.replay_table, table)] * 3)
    assert len({replayed.match_id for replayed in answers}) == 1
    assert Match.objects.filter(status="running").count() == 1 and Match.objects.count() == 2


def test_a_table_is_replayed_while_its_bots_play(league, people):
    table = draw_and_publish(league(4)).tables.get()
    for player in people(4):
        leave(match_code=table.match.code, player=player)

    def play() -> None:
        while play_bot_move(table.match_id).taken:
            pass

    at_once(play, lambda: corrected(results.replay_table, table))
    assert Match.objects.get(pk=table.match_id).status == "cancelled"
    assert Table.objects.get().match.status == "running"


def test_a_record_is_imported_twice_at_once(league):
    table = draw_and_publish(league(4)).tables.get()
    text = record_of(table)
    answers = at_once(*[lambda: corrected(results.import_record, table, record=text)] * 3)
    assert len({result.pk for result in answers}) == 1
    assert table.results.count() == 1


# Seats


def test_a_substitute_sits_down_while_the_replaced_player_moves(league):
    made = league(4)
    zaid = Player.objects.create_user("زيد")
    match = draw_and_publish(made).tables.get().match
    turn = state_of(match).turn
    before = match.seats.get(index=turn).player
    seat = {"slug": made.slug, "number": 1, "table_number": 1, "seat": SEAT_NAMES[turn], "actor": None}
    move = {"match_code": match.code, "version": match.version, "action_text": "choose trix"}
    moved, _ = at_once(
        lambda: submit_action(player=before, **move), lambda: seats.substitute(**seat, name=zaid.username)
    )
    assert match.seats.get(index=turn).player == zaid
    assert (moved == "not_your_seat") == (Match.objects.get().version == match.version)
    again = at_once(lambda: submit_action(player=before, **move))
    assert again == ["not_your_seat"]


def test_two_substitutes_for_one_seat_and_one_for_two_at_once(league):
    made = league(8)
    draw_and_publish(made)
    for name in ("زيد", "uma"):
        Player.objects.create_user(name)

    def sit(table: int, name: str) -> Any:
        return seats.substitute(slug=made.slug, number=1, table_number=table, seat="S", actor=None, name=name)

    answers = at_once(
        lambda: sit(1, "زيد"), lambda: sit(1, "uma"), lambda: sit(2, "زيد"), lambda: sit(2, "uma")
    )
    assert answers.count("sits_elsewhere") >= 1
    for seat in TableSeat.objects.select_related("table__match"):
        assert seat.table.match.seats.get(index=seat.index).player_id == seat.player_id


def test_two_sweeps_at_once_mark_a_no_show_once(league):
    made = league(4, grace=1)
    match = draw_and_publish(made).tables.get().match
    Match.objects.update(started_at=match.started_at - timedelta(seconds=2))
    at_once(sweep, sweep, sweep)
    assert made.log.filter(action="no_show").count() == 4
    assert match.seats.filter(away_since=None).count() == 0

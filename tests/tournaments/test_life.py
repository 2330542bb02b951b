"""From draft to final standings: each step is refused with a reason where it makes no sense."""

from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.models import Player
from tests.tournaments.conftest import by_hand, draw_and_publish, play_round, swiss
from tournaments import selectors
from tournaments.models import (
    AuditLog,
    Bye,
    Entry,
    League,
    Penalty,
    Round,
    RoundDate,
    Season,
    Stage,
    StageEntry,
    Table,
    TableResult,
    TableSeat,
    Tournament,
)
from tournaments.seating import DrawInput, draw
from tournaments.services import entries, life, penalties, results, rounds
from trix_site.common.errors import AgainstRules, BadRequest, Conflict, Forbidden, Missing

pytestmark = pytest.mark.django_db

# Ends of lines, controls, marks that turn what follows, half a pair; and nothing that could be read.
NO_LINES = ("a\nb", "a\tb", "a\0b", "a\u2028b", "\u202ea", "\ufeffa", "a\x1b[2J", "\ud800", "!?", "\u200d")


def refusal(call, *args, **kwargs):
    """The code of a refusal, and proof that it changed nothing."""
    before = everything()
    with pytest.raises((AgainstRules, BadRequest, Conflict, Forbidden, Missing)) as refused:
        call(*args, **kwargs)
    assert everything() == before
    return refused.value.code


def everything():
    models = (Tournament, Entry, Round, Table, TableSeat, TableResult, AuditLog)
    return [list(model.objects.order_by("pk").values()) for model in models]


# Creating


def test_a_tournament_starts_as_a_draft_of_its_organiser(organiser):
    made = life.create_tournament(actor=organiser, name=" Amman League ", rules="eram")
    assert (made.name, made.slug, made.state) == ("Amman League", "amman-league", "draft")
    assert list(made.organisers.all()) == [organiser]
    assert [(line.action, line.actor) for line in made.log.all()] == [("created", organiser)]


def test_a_name_in_arabic_gets_an_address_of_its_own(organiser):
    first, second = (life.create_tournament(actor=organiser, name="دوري عمّان") for _ in range(2))
    assert first.name == "دوري عمّان"
    assert first.slug.startswith("league-") and first.slug != second.slug


def test_two_leagues_may_have_the_same_name(organiser):
    first, second = (life.create_tournament(actor=organiser, name="Friday") for _ in range(2))
    assert first.slug == "friday"
    assert second.slug.startswith("friday-")


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"name": ""}, "invalid"),
        ({"name": "   "}, "invalid"),
        ({"rules": "whist"}, "unknown_rules"),
        ({"options": {"early_endd": False}}, "unknown_option"),
        ({"options": {"early_end": "maybe"}}, "bad_option_value"),
        ({"metrics": ["luck"]}, "unknown_metric"),
        ({"metrics": []}, "unknown_metric"),
        ({"metrics": ["wins", "table_points", "wins"]}, "unknown_metric"),
        ({"bot_level": "genius"}, "unknown_bot"),
        ({"stages": swiss(0)}, "bad_stages"),
        ({"stages": [*swiss(1), {"format": "swiss", "groups": 3, "cut": 5}]}, "bad_stages"),
        ({"bot_delay": -1}, "invalid"),
        ({"clock_play": 0}, "invalid"),
        ({"slug": "a b"}, "invalid"),
        ({"visibility": "secret"}, "invalid"),
        *(({"name": name}, "invalid") for name in NO_LINES),
    ],
)
def test_settings_that_make_no_sense_are_refused(organiser, settings, code):
    assert refusal(life.create_tournament, actor=organiser, **{"name": "A", **settings}) == code


@pytest.mark.parametrize("name", ["Friday, 8 pm", "دوري عمّان", "می\u200cخواهم", "👩\u200d👧", "♠♥", "7"])
def test_a_name_is_a_line_in_any_script(organiser, name):
    assert life.create_tournament(actor=organiser, name=name).name == name


def test_a_reason_is_a_line_too(league, organiser):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    for reason in NO_LINES:
        assert refusal(by_hand, table, reason=reason) == "invalid"
        assert refusal(life.cancel, slug=made.slug, actor=organiser, reason=reason) == "invalid"
    assert by_hand(table, reason="أُعيدت").reason == "أُعيدت"


def test_a_wrong_setting_is_named(organiser):
    with pytest.raises(BadRequest, match=r"^Stage 1: rounds: "):
        life.create_tournament(actor=organiser, name="A", stages=swiss(0))


def test_the_rules_can_change_until_players_can_enter(league, organiser):
    made = league(4, "draft")
    life.change_settings(made.slug, actor=organiser, rules="eram", bot_level="random")
    life.open_registration(slug=made.slug, actor=organiser)
    assert refusal(life.change_settings, made.slug, actor=organiser, rules="dananeer") == "too_late"
    life.change_settings(made.slug, actor=organiser, seed=5, cap=7)
    life.start(slug=made.slug, actor=organiser)
    assert refusal(life.change_settings, made.slug, actor=organiser, seed=6) == "too_late"


def test_the_address_of_another_tournament_cannot_be_taken(league, organiser):
    league(0, "draft")
    made = league(0, "draft", name="Irbid League")
    assert refusal(life.create_tournament, actor=organiser, name="A", slug="irbid-league") == "slug_taken"
    assert refusal(life.change_settings, made.slug, actor=organiser, slug="amman-league") == "slug_taken"
    assert life.change_settings(made.slug, actor=organiser, slug="irbid").slug == "irbid"


# States


def test_the_states_of_a_whole_league(league, organiser):
    made = league(8, "draft", stages=swiss(2))
    assert refusal(life.start, slug=made.slug, actor=organiser) == "wrong_state"
    assert refusal(rounds.draw_round, slug=made.slug, actor=organiser) == "wrong_state"
    life.open_registration(slug=made.slug, actor=organiser)
    assert refusal(life.open_registration, slug=made.slug, actor=organiser) == "wrong_state"
    life.start(slug=made.slug, actor=organiser)
    assert refusal(life.start, slug=made.slug, actor=organiser) == "wrong_state"
    assert refusal(life.finish, slug=made.slug, actor=organiser) == "no_rounds"
    play_round(made)
    drawn = rounds.draw_round(slug=made.slug, actor=organiser)
    assert refusal(life.finish, slug=made.slug, actor=organiser) == "round_open"
    rounds.drop_draw(slug=made.slug, number=drawn.number, actor=organiser)
    play_round(made)
    assert refusal(rounds.draw_round, slug=made.slug, actor=organiser) == "all_rounds_drawn"
    assert life.finish(slug=made.slug, actor=organiser).state == "finished"
    assert refusal(life.finish, slug=made.slug, actor=organiser) == "wrong_state"
    assert refusal(life.cancel, slug=made.slug, actor=organiser) == "wrong_state"
    assert refusal(entries.enter, slug=made.slug, actor=organiser, name="amal") == "wrong_state"


def test_groups_of_one_are_not_begun(league, organiser):
    made = league(5, "registration", stages=[{"format": "swiss", "groups": 3}])
    assert refusal(life.start, slug=made.slug, actor=organiser) == "too_few_entries"
    life.change(made.slug, actor=organiser, stages=[{"format": "swiss", "groups": 2}])
    assert life.start(slug=made.slug, actor=organiser).state == "running"


def test_one_player_is_too_few_to_start(league, organiser):
    made = league(1, "registration")
    assert refusal(life.start, slug=made.slug, actor=organiser) == "too_few_entries"


def test_a_cancelled_tournament_goes_no_further(league, organiser):
    made = league(4)
    match = draw_and_publish(made).tables.get().match
    life.cancel(slug=made.slug, actor=organiser, reason="rain")
    match.refresh_from_db()
    assert match.status == "cancelled"
    assert refusal(rounds.draw_round, slug=made.slug, actor=organiser) == "wrong_state"
    assert made.log.first().data == {"reason": "rain"}


def test_nobody_else_may_run_it(league, people):
    made, stranger = league(8), people(1)[0]
    assert refusal(rounds.draw_round, slug=made.slug, actor=stranger) == "not_organiser"
    published = draw_and_publish(made)
    table = published.tables.first()
    assert refusal(by_hand, table, actor=stranger) == "not_organiser"
    assert refusal(rounds.close_round, slug=made.slug, number=1, actor=stranger) == "not_organiser"
    assert refusal(life.finish, slug=made.slug, actor=stranger) == "not_organiser"
    assert refusal(life.cancel, slug=made.slug, actor=stranger) == "not_organiser"
    assert refusal(entries.enter_many, slug=made.slug, actor=stranger, names=["amal"]) == "not_organiser"


def test_unknown_tournaments_rounds_and_tables_are_missing(league, organiser):
    assert refusal(life.start, slug="nowhere", actor=organiser) == "no_such_tournament"
    made = league(4)
    draw_and_publish(made)
    assert refusal(rounds.close_round, slug=made.slug, number=2, actor=organiser) == "no_such_round"
    table = Table(round=made.rounds.get(), number=9)
    assert refusal(by_hand, table) == "no_such_table"


# Entries


def test_a_player_enters_once_and_only_while_registration_is_open(league, people, organiser):
    made, (amal, basil) = league(0, "draft"), people(2)
    assert refusal(entries.enter, slug=made.slug, actor=amal) == "wrong_state"
    life.open_registration(slug=made.slug, actor=organiser)
    entries.enter(slug=made.slug, actor=amal)
    assert refusal(entries.enter, slug=made.slug, actor=amal) == "already_entered"
    assert refusal(entries.enter, slug=made.slug, actor=amal, name="basil") == "not_organiser"
    entries.enter(slug=made.slug, actor=organiser, name="BASIL")
    life.start(slug=made.slug, actor=organiser)
    assert {entry.player for entry in made.entries.all()} == {amal, basil}


def test_many_are_entered_at_once_or_none(league, people, organiser):
    made = league(0, "registration")
    people(20)
    with pytest.raises(Missing) as refused:
        entries.enter_many(slug=made.slug, actor=organiser, names=["amal", "nobody", "basil", "noone"])
    assert refused.value.members == {"names": ["nobody", "noone"]}
    assert not made.entries.exists()
    entries.enter_many(slug=made.slug, actor=organiser, names=["amal", "أمينة", "Amal"])
    entries.enter_many(slug=made.slug, actor=organiser, names=["amal", "basil"])
    assert [entry.player.username for entry in made.entries.all()] == ["amal", "أمينة", "basil"]


def test_names_are_found_whose_letters_python_lowers_otherwise(league, organiser):
    made = league(0, "registration")
    for name in ("ΟΔΟΣ", "İzmir"):
        Player.objects.create(username=name)
    entries.enter_many(slug=made.slug, actor=organiser, names=["ΟΔΟΣ", "οδοσ", "İzmir"])
    assert [entry.player.username for entry in made.entries.all()] == ["ΟΔΟΣ", "İzmir"]
    assert entries.withdraw(slug=made.slug, actor=organiser, name="İzmir").state == "withdrawn"


def test_who_withdraws_before_the_start_is_not_drawn_and_not_listed(league, people, organiser):
    made = league(5, "registration")
    entries.withdraw(slug=made.slug, actor=people(1)[0])
    assert refusal(entries.withdraw, slug=made.slug, actor=people(1)[0]) == "already_withdrawn"
    life.start(slug=made.slug, actor=organiser)
    play_round(made)
    assert TableSeat.objects.filter(entry=None).count() == 0
    assert [line.entry.player.username for line in selectors.standings_of(made)].count("amal") == 0


def test_a_closed_account_cannot_enter_and_can_be_withdrawn(league, people, organiser):
    made, amal = league(4), people(1)[0]
    amal.is_active = False
    amal.save()
    entries.withdraw(slug=made.slug, actor=organiser, name="amal")
    assert refusal(entries.enter, slug=made.slug, actor=organiser, name="amal") == "account_closed"
    assert refusal(entries.enter_many, slug=made.slug, actor=organiser, names=["amal"]) == "account_closed"


def test_a_bot_plays_on_for_who_withdraws_from_a_running_table(league, people):
    made = league(4)
    match = draw_and_publish(made).tables.get().match
    amal = people(1)[0]
    assert refusal(entries.withdraw, slug=made.slug, actor=amal, name="basil") == "not_organiser"
    entries.withdraw(slug=made.slug, actor=amal)
    assert match.seats.get(player=amal).away_since is not None
    assert match.seats.exclude(player=amal).filter(away_since=None).count() == 3


# Rounds


def test_drawing_twice_is_refused(league, organiser):
    made = league(8)
    rounds.draw_round(slug=made.slug, actor=organiser)
    assert refusal(rounds.draw_round, slug=made.slug, actor=organiser) == "round_open"
    rounds.publish_round(slug=made.slug, number=1, actor=organiser)
    assert refusal(rounds.draw_round, slug=made.slug, actor=organiser) == "round_open"


def test_a_draw_is_stored_with_all_that_it_takes_to_replay_it(league):
    made = league(14)
    for _ in range(3):
        play_round(made)
    for stored in made.rounds.all():
        ((inputs, report),) = zip(stored.inputs, stored.report, strict=True)
        again = draw(DrawInput.from_dict(inputs))
        seats = [tuple(seat.entry_id for seat in table.seats.all()) for table in stored.tables.all()]
        assert again.tables == tuple(seats)
        assert {"group": 1, "from_plan": False, **again.report.as_dict()} == report | {
            name: tuple(map(tuple, report[name])) for name in ("repeats", "consecutive", "partner_repeats")
        } | {name: tuple(report[name]) for name in ("at_bot_tables", "byes", "second_bots", "table_costs")}


def test_a_dropped_draw_leaves_no_trace_but_the_log_and_is_drawn_anew(league, organiser):
    made = league(16)
    first = rounds.draw_round(slug=made.slug, actor=organiser)
    seats = list(TableSeat.objects.values_list("table__number", "index", "entry_id"))
    rounds.drop_draw(slug=made.slug, number=1, actor=organiser)
    assert not Round.objects.exists() and not Table.objects.exists() and not TableSeat.objects.exists()
    second = rounds.draw_round(slug=made.slug, actor=organiser)
    assert second.seed != first.seed
    assert list(TableSeat.objects.values_list("table__number", "index", "entry_id")) != seats
    assert [line.action for line in made.log.all()[:3]] == ["round_drawn", "draw_dropped", "round_drawn"]


def test_publishing_starts_a_match_at_every_table(league, organiser):
    clock = {"clock_play": 60, "clock_bank": 600, "on_timeout": "wait"}
    made = league(14, bot_delay=2.0, options={"early_end": False}, **clock)
    draw_and_publish(made)
    tables = list(selectors.tables_of(made.rounds.get()))
    assert len(tables) == 4
    for table in tables:
        match = table.match
        assert (match.status, match.clock_play, match.clock_bank) == ("running", 60, 600)
        assert (match.bot_delay, match.on_timeout) == (2, "wait")
        announced = [(seat.entry and seat.entry.player_id, seat.bot) for seat in table.seats.all()]
        assert [(seat.player_id, seat.bot) for seat in match.seats.all()] == announced
    assert len({bytes(table.match.secret) for table in tables}) == 4
    assert refusal(rounds.publish_round, slug=made.slug, number=1, actor=organiser) == "published"
    assert refusal(rounds.drop_draw, slug=made.slug, number=1, actor=organiser) == "published"


def test_all_tables_of_a_round_may_play_the_same_cards(league):
    made = league(8, same_cards=True)
    secrets = {bytes(table.match.secret) for table in draw_and_publish(made).tables.all()}
    assert len(secrets) == 1


def test_a_draw_that_seats_someone_who_withdrew_since_cannot_be_published(league, people, organiser):
    made = league(8)
    rounds.draw_round(slug=made.slug, actor=organiser)
    entries.withdraw(slug=made.slug, actor=people(1)[0])
    call = {"slug": made.slug, "number": 1, "actor": organiser}
    assert refusal(rounds.publish_round, **call) == "drawn_player_withdrew"
    rounds.drop_draw(**call)
    rounds.draw_round(slug=made.slug, actor=organiser)
    rounds.publish_round(**call)
    assert TableSeat.objects.filter(bot="greedy").count() == 1


def test_a_round_without_all_results_cannot_be_closed(league, organiser):
    made = league(12)
    first, *_ = draw_and_publish(made).tables.all()
    by_hand(first)
    with pytest.raises(Conflict) as refused:
        rounds.close_round(slug=made.slug, number=1, actor=organiser)
    assert refused.value.code == "tables_unfinished"
    assert refused.value.members == {"tables": [2, 3]}
    assert not made.rounds.filter(state="closed").exists()


# Results


def test_a_correction_keeps_the_old_result(league, organiser):
    made = league(4)
    play_round(made)
    table = Table.objects.get()
    first = table.results.get()
    assert refusal(by_hand, table, (0, 0, 0, 0)) == "result_changed"
    second = by_hand(table, (0, 0, 0, 0), replaces=first.pk, reason="misread")
    assert second.pk != first.pk
    history = [(result.scores, result.reason, result.superseded_at) for result in table.results.all()]
    assert history[0][:2] == ([300, 100, -100, -300], "played at home") and history[0][2] is not None
    assert history[1] == ([0, 0, 0, 0], "misread", None)
    assert {line.standing.rank for line in selectors.standings_of(made)} == {1}
    assert made.log.first().data["replaced"] == [300, 100, -100, -300]


def test_the_same_result_sent_twice_is_one_result(league):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    assert by_hand(table) == by_hand(table)
    assert table.results.count() == 1


@pytest.mark.parametrize("scores", [[1, 2, 3], [1, 2, 3, "4"], [1, 2, 3, True], [1, 2, 3, 10**9], []])
def test_scores_that_are_none_are_refused(league, scores):
    table = draw_and_publish(league(4)).tables.get()
    assert refusal(by_hand, table, scores) == "bad_scores"


def test_a_result_by_hand_needs_a_reason_and_a_published_round(league, organiser):
    made = league(4)
    drawn = rounds.draw_round(slug=made.slug, actor=organiser)
    assert refusal(by_hand, drawn.tables.get()) == "not_published"
    rounds.publish_round(slug=made.slug, number=1, actor=organiser)
    assert refusal(by_hand, drawn.tables.get(), reason=" ") == "no_reason"


def test_live_standings_count_the_open_round_and_the_others_do_not(league):
    made = league(8)
    first, _ = draw_and_publish(made).tables.all()
    by_hand(first)
    assert {line.standing.played for line in selectors.standings_of(made)} == {0}
    live = selectors.standings_of(made, live=True)
    assert [line.standing.values[0] for line in live] == [4, 2, 1, 0, 0, 0, 0, 0]


# The last guard


def test_the_database_refuses_what_the_services_never_do(league):
    made = league(8)
    draw_and_publish(made)
    first, second = Table.objects.all()
    by_hand(first)
    other = league(5, name="Irbid League")
    elsewhere = draw_and_publish(other)
    nothing = {"seed": 1, "inputs": [], "report": []}
    season = Season.objects.create(league=League.objects.create(name="Amman", slug="amman"), number=1)
    placed, bot = made.stages.get().entrants.first(), TableSeat.objects.filter(player=None).first()
    penalties.give(slug=made.slug, actor=None, name="amal", points=Decimal(-1), reason="came late")
    by_nobody = {"table": second, "scores": [1, 2, 3, 4], "source": "entered", "reason": "none"}
    for statement in (
        lambda: Round.objects.create(tournament=made, stage=made.stages.get(), number=2, **nothing),
        lambda: TableSeat.objects.filter(table=second, index=0).update(entry=first.seats.first().entry),
        lambda: TableResult.objects.create(table=first, scores=[1, 2, 3, 4], source="played"),
        lambda: TableResult.objects.update(scores=[1, 2, 3, 4]),
        lambda: TableResult.objects.all().delete(),
        lambda: TableResult.objects.create(**by_nobody),
        lambda: TableSeat.objects.filter(table=second).update(round=elsewhere),
        lambda: Tournament.objects.update(on_timeout="never"),
        lambda: AuditLog.objects.update(action="nothing"),
        lambda: AuditLog.objects.all().delete(),
        lambda: Table.objects.filter(pk=first.pk).update(match=second.match),
        lambda: Entry.objects.create(tournament=made, player=made.entries.first().player),
        lambda: Round.objects.filter(tournament=made).update(stage=other.stages.get()),
        lambda: Table.objects.update(group=0),
        lambda: TableSeat.objects.filter(pk=bot.pk).update(no_show_at=timezone.now()),
        lambda: StageEntry.objects.filter(pk=placed.pk).update(group=0),
        lambda: StageEntry.objects.filter(pk=placed.pk).update(seed=0),
        lambda: StageEntry.objects.filter(pk=placed.pk).update(seed=2),
        lambda: StageEntry.objects.create(stage=placed.stage, entry=placed.entry, seed=99),
        lambda: Stage.objects.filter(tournament=made).update(groups=0),
        lambda: Stage.objects.filter(tournament=made).update(cut=4),  # Nothing is before the first.
        lambda: Stage.objects.filter(tournament=made).update(minutes=5),
        lambda: Stage.objects.filter(tournament=made).update(rounds=None),
        lambda: Stage.objects.filter(tournament=made).update(format="arena", rounds=None),
        lambda: Tournament.objects.update(season=season),
        lambda: TableResult.objects.create(**by_nobody | {"scores": None, "entered_by": placed.entry.player}),
        lambda: TableResult.objects.create(table=second, source="played"),
        lambda: RoundDate.objects.create(tournament=made, number=0, starts_at=timezone.now()),
        lambda: Penalty.objects.update(points=0),
        lambda: Penalty.objects.update(reason=""),
        lambda: Penalty.objects.update(revoked_by=placed.entry.player),
        lambda: Bye.objects.bulk_create(Bye(round=elsewhere, entry=placed.entry) for _ in range(2)),
        lambda: Tournament.objects.update(visibility="code"),
        lambda: Tournament.objects.update(place_points=[3, 2, 1]),
        lambda: Tournament.objects.update(bye_points=-1),
        lambda: Tournament.objects.update(metrics=[]),
        lambda: Tournament.objects.update(cap=1),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            statement()


def test_standings_take_the_same_number_of_queries_for_any_size(league, django_assert_num_queries):
    made = league(8)
    for _ in range(2):
        play_round(made)
    with django_assert_num_queries(7):
        selectors.standings_of(made)


def test_a_match_at_no_table_is_nobodys_result(db):
    assert results.record_match(123456) is None

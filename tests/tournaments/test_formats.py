"""Every format runs from start to end, whatever the number of entries, the fill and the kind of entries."""

import random
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from django.utils import timezone

from games.services.matches import stop
from tests.tournaments.conftest import NAMES, by_hand, finish, play_round
from tournaments.draws import draw_inputs
from tournaments.models import Bye, Entry, Penalty, Round, Stage, Table, TableSeat, Tournament
from tournaments.plans import make_plan, planned
from tournaments.seating import POINT, DrawInput, Entrant
from tournaments.selectors import final_ranking, standings_of
from tournaments.services import entries, life, rounds, stages
from tournaments.services.arenas import whom_to_seat
from tournaments.services.automatic import advance
from tournaments.services.cuts import start_stage
from tournaments.services.results import replay_table
from tournaments.services.standings import ranked_over_stages
from tournaments.tasks import record_result
from trix_site.common.errors import ProblemError

pytestmark = pytest.mark.django_db

SWISS = {"format": "swiss", "rounds": 3}
ROBIN = {"format": "round_robin", "rounds": 3}
KNOCKOUT = {"format": "knockout"}
ARENA = {"format": "arena", "minutes": 60}
PARTNERS = "cardkings-complex-partners"


def refusal(call, **arguments) -> str:
    with pytest.raises(ProblemError) as refused:
        call(**arguments)
    return refused.value.code


@pytest.fixture
def pairs_league(organiser, people):
    """A running tournament of fixed pairs."""

    def make(number: int, **settings) -> Tournament:
        players = people(2 * number)
        made = life.create_tournament(
            actor=organiser, name="Pairs", rules=PARTNERS, pairs=True, seed=1, **settings
        )
        Entry.objects.bulk_create(
            Entry(tournament=made, player=one, partner=two)
            for one, two in zip(players[::2], players[1::2], strict=True)
        )
        life.open_registration(slug=made.slug, actor=organiser)
        life.start(slug=made.slug, actor=organiser)
        made.refresh_from_db()
        return made

    return make


def some_scores(table: Table, luck: random.Random) -> list[int | None]:
    """Of each seat; equal for partners, none for an empty one."""
    seats = list(table.seats.all())
    sides = [luck.randrange(-5, 6) * 50 for _ in range(2)]
    if table.round.tournament.pairs:
        return [None if s.entry is None and not s.bot else sides[s.index % 2] for s in seats]
    return [None if s.entry is None and not s.bot else luck.randrange(-5, 6) * 50 for s in seats]


def play_by_luck(league: Tournament, seed: int = 1) -> Round:
    """A whole round; its results follow from the seed."""
    luck = random.Random(f"{seed}:{league.rounds.count()}")
    drawn = rounds.draw_round(slug=league.slug, actor=None)
    rounds.publish_round(slug=league.slug, number=drawn.number, actor=None)
    for table in drawn.tables.all():
        by_hand(table, some_scores(table, luck))
    return rounds.close_round(slug=league.slug, number=drawn.number, actor=None)


def play_out(league: Tournament) -> None:
    """Stage after stage to the end."""
    while True:
        try:
            check_everyone_once(play_by_luck(league))
        except ProblemError as refused:
            assert refused.code == "all_rounds_drawn", refused
            if not league.stages.filter(started_at=None).exists():
                break
            start_stage(slug=league.slug, actor=None)
    life.finish(slug=league.slug, actor=None)


def check_everyone_once(round_: Round) -> None:
    """Everyone who is to play sits once, in each of his seats, or has the bye."""
    seats = Counter(seat.entry_id for seat in round_.seats.filter(entry__isnull=False))
    byes = Counter(round_.byes.values_list("entry_id", flat=True))
    each = 2 if round_.tournament.pairs else 1
    due = {entrant["id"] for inputs in round_.inputs for entrant in inputs["entrants"]}
    assert {entry: times // each for entry, times in seats.items()} | byes == dict.fromkeys(due, 1)
    assert not seats.keys() & byes.keys()
    for table in round_.tables.all():
        assert table.seats.count() == 4


# Every remainder; where a table's places divide the entries, fills are all the same.
SIZES = [
    *((number, fill, False) for number in (5, 7, 10) for fill in Tournament.Fill.values),
    *((5, fill, True) for fill in Tournament.Fill.values),
    (8, "bots", False),
    (8, "bots", True),
]


@pytest.mark.parametrize("stage", [SWISS, ROBIN, KNOCKOUT], ids=["swiss", "robin", "knockout"])
@pytest.mark.parametrize(("number", "fill", "pairs"), SIZES)
def test_a_format_runs_to_its_end(league, pairs_league, stage, fill, pairs, number):
    make = pairs_league if pairs else league
    made = make(number, stages=[stage], fill=fill)
    play_out(made)
    made.refresh_from_db()
    assert made.state == "finished"
    ranking = final_ranking(made)
    assert ranked_over_stages(made) == [(rank, entry.pk) for rank, entry in ranking]
    assert len(ranking) == number
    assert ranking[0][0] == 1
    if fill != "bots" and stage != KNOCKOUT:
        assert not TableSeat.objects.exclude(bot="").exists()


@pytest.mark.parametrize("stage", [SWISS, ROBIN, KNOCKOUT], ids=["swiss", "robin", "knockout"])
def test_a_fixed_pair_left_over_has_the_bye_and_not_a_table_without_opponents(pairs_league, stage):
    made = pairs_league(5, stages=[stage], fill="short")
    drawn = rounds.draw_round(slug=made.slug, actor=None)
    assert drawn.byes.count() == 1
    assert not drawn.seats.filter(entry=None).exists()


def test_rotating_partners_meet_as_in_whist(league):
    made = league(8, rules=PARTNERS, stages=[{**ROBIN, "rounds": 7}])
    for _ in range(7):
        play_by_luck(made)
    partners, opponents = Counter(), Counter()
    for table in Table.objects.all():
        s, e, n, w = table.seats.values_list("entry_id", flat=True)
        partners.update(frozenset(side) for side in ((s, n), (e, w)))
        opponents.update(frozenset(pair) for pair in ((s, e), (e, n), (n, w), (w, s)))
    everyone = {frozenset(pair) for pair in combinations(made.entries.values_list("pk", flat=True), 2)}
    assert partners == dict.fromkeys(everyone, 1)
    assert opponents == dict.fromkeys(everyone, 2)


# Draws follow from the facts of standings


def test_penalties_and_bonuses_move_the_next_draw(league):
    made = league(8)
    play_by_luck(made)
    entry = made.entries.first()
    before = points(made)
    for value, revoked in (("-3", None), ("1.5", None), ("-7", timezone.now())):
        Penalty.objects.create(
            stage=made.stages.get(), entry=entry, points=value, reason="late", revoked_at=revoked
        )
    assert points(made) == before | {entry.pk: before[entry.pk] - Fraction(3, 2)}


def test_byes_give_points_to_the_next_draw_and_are_not_given_twice(league):
    made = league(9, fill="byes", stages=[{**SWISS, "rounds": 9}])
    play_by_luck(made)
    bye = Bye.objects.get()
    assert points(made)[bye.entry_id] == Fraction(7, 4)
    for _ in range(8):
        play_by_luck(made)
    assert set(Counter(Bye.objects.values_list("entry_id", flat=True)).values()) == {1}


def test_a_first_metric_of_another_unit_is_scaled_to_table_points(league):
    made = league(8, metrics=["total_score", "firsts"])
    play_by_luck(made)
    lines = standings_of(made)
    reached = points(made)
    order = [line.entry.pk for line in lines]
    assert [reached[pk] for pk in order] == sorted(reached.values(), reverse=True)
    assert reached[order[0]] - reached[order[-1]] == 4


def points(league: Tournament) -> dict[int, Fraction]:
    entrants = draw_inputs(league.stages.get(), 1, league.rounds.count() + 1, 1).entrants
    return {entrant.id: Fraction(entrant.points, POINT) for entrant in entrants}


def test_weights_reach_the_draw(league):
    made = league(8, weights={"meeting": 9000})
    assert draw_inputs(made.stages.get(), 1, 1, 1).weights.meeting == 9000


@pytest.mark.parametrize("weights", [{"luck": 1}, {"meeting": -1}, {"meeting": "much"}, [1]])
def test_weights_that_there_are_not_are_refused(organiser, weights):
    assert refusal(life.create_tournament, actor=organiser, name="A", weights=weights) == "bad_weights"


def test_too_few_for_a_table_with_byes_are_told_so(league):
    made = league(3, fill="byes")
    assert refusal(rounds.draw_round, slug=made.slug, actor=None) == "too_few_for_byes"
    assert not Round.objects.exists()


def test_a_group_too_small_for_a_table_sits_out_while_others_play(league, people):
    made = league(8, fill="byes", stages=[{**SWISS, "groups": 2}])
    gone = made.stages.get().entrants.filter(group=2).first().entry.player
    entries.withdraw(slug=made.slug, actor=gone)
    played = play_by_luck(made)
    check_everyone_once(played)
    assert (played.tables.count(), played.byes.count()) == (1, 3)


# Round robins


def test_a_round_robin_follows_its_plan_and_everyone_meets_everyone(league):
    made = league(16, stages=[{**ROBIN, "rounds": 5}])
    for _ in range(5):
        assert play_by_luck(made).report[0]["from_plan"]
    met = Counter()
    for table in Table.objects.all():
        met.update(map(frozenset, combinations(table.seats.values_list("entry_id", flat=True), 2)))
    assert len(met) == 120 and set(met.values()) == {1}


def test_each_group_of_a_round_robin_has_a_plan_of_its_own(league):
    made = league(16, stages=[{**ROBIN, "groups": 2}])
    played = play_by_luck(made)
    assert [report["from_plan"] for report in played.report] == [True, True]
    plan = made.stages.get().plan
    assert not set(plan["1"]["entries"]) & set(plan["2"]["entries"])
    for seat in played.seats.all():
        assert seat.entry_id in plan[str(seat.table.group)]["entries"]


def test_without_the_planned_entries_a_round_robin_is_drawn_by_who_has_met(league, organiser):
    made = league(8, stages=[{**ROBIN, "rounds": 4}])
    play_by_luck(made)
    gone = made.entries.first()
    entries.withdraw(slug=made.slug, actor=gone.player)
    without = play_by_luck(made)
    assert not without.report[0]["from_plan"]
    check_everyone_once(without)
    entries.enter(slug=made.slug, actor=organiser, name=gone.player.username)
    assert play_by_luck(made).report[0]["from_plan"]


def test_a_dropped_first_draw_is_planned_anew(league, people):
    made = league(8, stages=[ROBIN])
    rounds.draw_round(slug=made.slug, actor=None)
    first = made.stages.get().plan
    rounds.drop_draw(slug=made.slug, number=1, actor=None)
    entries.withdraw(slug=made.slug, actor=people(1)[0])
    drawn = rounds.draw_round(slug=made.slug, actor=None)
    assert drawn.report[0]["from_plan"]
    assert made.stages.get().plan != first


def test_a_plan_is_for_exactly_its_entries_and_rounds():
    inputs = DrawInput(round=1, entrants=tuple(Entrant(i) for i in range(3, 11)), seed=5)
    plan = make_plan(inputs, 2)
    assert planned(plan, 1, inputs) is not None
    assert planned(plan, 2, inputs) is None
    assert planned(plan, 0, DrawInput(round=1, entrants=inputs.entrants[1:], seed=5)) is None
    assert planned(None, 0, inputs) is None


# Knockouts


def test_the_best_two_of_each_table_go_on_to_the_final(league):
    made = league(16, stages=[KNOCKOUT])
    through = set(made.entries.values_list("pk", flat=True))
    for tables in (4, 2, 1):
        played = play_round(made)
        assert played.tables.count() == tables
        seated = {seat.entry_id for seat in played.seats.all()}
        assert seated == through
        through = {seat.entry_id for seat in played.seats.filter(index__lte=1)}
    assert refusal(rounds.draw_round, slug=made.slug, actor=None) == "all_rounds_drawn"
    final = Table.objects.get(round__number=3)
    first = final.seats.get(index=0).entry
    ranks = [line.standing.rank for line in standings_of(made)]
    assert standings_of(made)[0].entry == first
    assert ranks[:4] == [1, 2, 3, 4]


def test_nobody_inherits_the_place_of_a_finalist_who_left(league):
    made = league(8, stages=[KNOCKOUT])
    played = play_round(made)
    winner = played.seats.filter(index=0).first().entry
    entries.withdraw(slug=made.slug, actor=winner.player)
    final = play_round(made)
    assert final.tables.count() == 1
    assert {seat.entry_id for seat in final.seats.filter(entry__isnull=False)} == {
        seat.entry_id for seat in played.seats.filter(index__lte=1).exclude(entry=winner)
    }


def test_a_disqualified_winner_of_a_knockout_is_its_last(league, organiser):
    made = league(8, stages=[KNOCKOUT])
    play_round(made)
    play_round(made)
    first, second, *_ = [line.entry for line in standings_of(made)]
    entries.disqualify(slug=made.slug, actor=organiser, name=first.name, reason="signals")
    ranks = {line.entry: line.standing.rank for line in standings_of(made)}
    assert (ranks[second], ranks[first]) == (1, 8)


@pytest.mark.parametrize("automatic", [False, True])
def test_the_next_round_of_a_knockout_waits_for_a_replay(league, organiser, automatic):
    made = league(8, stages=[KNOCKOUT], automatic=automatic)
    if automatic:
        advance(made.slug)
    else:
        rounds.publish_round(slug=made.slug, number=draw(made).number, actor=None)
    first, second = made.rounds.get().tables.all()
    by_hand(first)
    known = by_hand(second)
    rounds.close_round(slug=made.slug, number=1, actor=None)
    asked = {"slug": made.slug, "number": 1, "table_number": 2, "actor": organiser, "reason": "shown cards"}
    table = replay_table(**asked, replaces=known.pk)
    assert refusal(rounds.draw_round, slug=made.slug, actor=None) == "tables_unfinished"
    advance(made.slug)
    assert made.rounds.count() == 1
    record_result(finish(table))
    assert made.rounds.count() == (2 if automatic else 1)
    assert automatic or draw(made).number == 2


def draw(league: Tournament) -> Round:
    return rounds.draw_round(slug=league.slug, actor=None)


def test_a_bye_of_a_knockout_goes_to_the_best_seeds(league):
    made = league(6, fill="byes", stages=[KNOCKOUT])
    played = play_by_luck(made)
    seeds = dict(made.stages.get().entrants.values_list("entry", "seed"))
    assert {seeds[bye.entry_id] for bye in played.byes.all()} == {1, 2}


def test_a_final_of_two_has_bots_even_where_byes_are_wanted(league):
    made = league(8, fill="byes", stages=[{**KNOCKOUT, "advance": 1}])
    play_by_luck(made)
    final = play_by_luck(made)
    assert final.seats.exclude(bot="").count() == 2
    assert refusal(rounds.draw_round, slug=made.slug, actor=None) == "all_rounds_drawn"


def test_a_late_entry_cannot_join_a_knockout_that_is_played(league, organiser, people):
    made = league(8, stages=[KNOCKOUT])
    people(9)
    play_round(made)
    late = {"slug": made.slug, "actor": organiser, "name": NAMES[8]}
    assert refusal(entries.enter, **late) == "too_late_to_enter"
    assert made.entries.count() == 8


# Stages with a cut


def test_groups_are_cut_into_a_knockout(league):
    made = league(16, stages=[{**SWISS, "groups": 2, "rounds": 2}, {**KNOCKOUT, "cut": 8}])
    for _ in range(2):
        play_by_luck(made)
    began = start_stage(slug=made.slug, actor=None)
    of_group = dict(made.stages.first().entrants.values_list("entry", "group"))
    assert Counter(of_group[entry.pk] for entry in began.entries) == {1: 4, 2: 4}
    for group in (1, 2):
        best = [line.entry for line in standings_of(made, stage=made.stages.first(), group=group)]
        lines = standings_of(made, stage=made.stages.first(), group=group)
        least = max(line.standing.rank for line in lines if line.entry in began.entries)
        assert all(line.standing.rank >= least for line in lines if line.entry not in began.entries), best
    play_out(made)
    ranking = final_ranking(made)
    assert ranked_over_stages(made) == [(rank, entry.pk) for rank, entry in ranking]
    assert len(ranking) == 16
    assert {entry.pk for _, entry in ranking[:8]} == {entry.pk for entry in began.entries}
    assert [rank for rank, _ in ranking] == sorted(rank for rank, _ in ranking)
    assert min(rank for rank, _ in ranking[8:]) == 9


def test_who_left_is_passed_over_by_the_cut(league, people):
    made = league(8, stages=[{**SWISS, "rounds": 1}, {**SWISS, "cut": 4}])
    play_round(made)
    best = standings_of(made)[0].entry
    entries.withdraw(slug=made.slug, actor=best.player)
    began = start_stage(slug=made.slug, actor=None)
    assert len(began.entries) == 4
    assert best not in began.entries


def test_a_tie_at_the_cut_goes_to_the_seed_and_is_told(league):
    made = league(8, stages=[{**SWISS, "rounds": 1}, {**SWISS, "cut": 3}])
    play_round(made)  # Both tables end alike: places 3 and 4 are equal.
    began = start_stage(slug=made.slug, actor=None)
    seconds = [line.entry for line in standings_of(made, stage=made.stages.first())[2:4]]
    seeds = dict(made.stages.first().entrants.values_list("entry", "seed"))
    assert set(began.by_seed) == set(seconds)
    assert min(seconds, key=lambda entry: seeds[entry.pk]) == began.entries[2]
    assert made.log.first().data["by_seed"] == [entry.name for entry in began.by_seed]


def test_who_was_cut_and_comes_back_is_not_seated(league, organiser):
    made = league(8, stages=[{**SWISS, "rounds": 1}, {**SWISS, "cut": 4}])
    play_round(made)
    last = standings_of(made)[-1].entry
    start_stage(slug=made.slug, actor=None)
    entries.withdraw(slug=made.slug, actor=last.player)
    entries.enter(slug=made.slug, actor=organiser, name=last.player.username)
    assert play_by_luck(made).seats.filter(entry=last).count() == 0


def test_a_stage_is_not_started_before_something_was_played_nor_while_a_round_is_open(league):
    made = league(8, stages=[SWISS, {**KNOCKOUT, "cut": 4}])
    assert refusal(start_stage, slug=made.slug, actor=None) == "stage_not_played"
    rounds.draw_round(slug=made.slug, actor=None)
    assert refusal(start_stage, slug=made.slug, actor=None) == "round_open"
    rounds.drop_draw(slug=made.slug, number=1, actor=None)
    play_round(made)
    start_stage(slug=made.slug, actor=None)  # Cut short by the organiser's choice.
    assert refusal(start_stage, slug=made.slug, actor=None) == "no_next_stage"


def test_stages_count_their_own_rounds_alone(league):
    made = league(8, stages=[{**SWISS, "rounds": 2}, {**SWISS, "rounds": 1, "cut": 4}])
    for _ in range(2):
        play_round(made)
    start_stage(slug=made.slug, actor=None)
    assert {line.standing.values[0] for line in standings_of(made)} == {0}
    assert {entrant.points for entrant in draw_inputs(made.stages.last(), 1, 3, 1).entrants} == {0}


def test_an_automatic_tournament_goes_through_its_stages_by_itself(league):
    made = league(8, automatic=True, stages=[{**SWISS, "rounds": 1}, {**KNOCKOUT, "cut": 8}])
    advance(made.slug)
    while table := Table.objects.filter(results=None).first():
        record_result(finish(table))
    made.refresh_from_db()
    assert made.state == "finished"
    assert [round_.stage.number for round_ in made.rounds.all()] == [1, 2, 2]


# Arenas


@pytest.fixture
def later(monkeypatch):
    """Let time pass for tournaments."""

    def wait(**by: int) -> None:
        now = timezone.now()
        monkeypatch.setattr("django.utils.timezone.now", lambda: now + timedelta(**by))

    return wait


def test_an_arena_seats_again_whoever_is_free(league):
    made = league(12, stages=[ARENA])
    advance(made.slug)
    assert Table.objects.count() == 3
    first, second, _ = Table.objects.all()
    record_result(finish(first))
    assert Round.objects.count() == 1  # Those four have just played together.
    record_result(finish(second))
    wave = Round.objects.get(number=2)
    assert (wave.state, wave.overlaps, wave.tables.count()) == ("published", True, 2)
    before = [set(table.seats.values_list("entry", flat=True)) for table in (first, second)]
    for table in wave.tables.all():
        assert set(table.seats.values_list("entry", flat=True)) not in before
    assert refusal(rounds.draw_round, slug=made.slug, actor=None) == "arena_seats_itself"


def test_four_who_wait_alone_play_together_again_in_the_end(league, later):
    made = league(4, stages=[ARENA])
    advance(made.slug)
    record_result(finish(Table.objects.get()))
    assert Round.objects.count() == 1
    later(seconds=31)
    advance(made.slug)
    assert Round.objects.count() == 2


def test_bots_come_to_whom_nobody_joins(league, later):
    made = league(5, stages=[ARENA])
    advance(made.slug)
    assert TableSeat.objects.exclude(bot="").count() == 0
    later(seconds=31)
    advance(made.slug)
    assert TableSeat.objects.exclude(bot="").count() == 3
    assert not Bye.objects.exists()


@pytest.mark.parametrize("fill", ["byes", "short"])
def test_without_bots_an_arena_waits_for_four(league, later, fill):
    made = league(5, stages=[ARENA], fill=fill)
    advance(made.slug)
    later(seconds=600)
    advance(made.slug)
    assert Table.objects.count() == 1


def test_leaving_an_arena_is_a_pause(league, organiser, people):
    made = league(8, stages=[ARENA])
    amal = people(1)[0]
    entries.withdraw(slug=made.slug, actor=amal)
    advance(made.slug)
    assert not TableSeat.objects.filter(player=amal).exists()
    assert made.rounds.get().tables.count() == 1
    entries.enter(slug=made.slug, actor=organiser, name="amal")
    advance(made.slug)
    assert TableSeat.objects.filter(player=amal).count() == 1


def test_an_arena_ends_by_itself_when_time_is_up_and_nothing_is_open(league, later):
    made = league(8, stages=[ARENA])
    advance(made.slug)
    first, second = Table.objects.all()
    record_result(finish(first))
    later(minutes=61)
    advance(made.slug)
    made.refresh_from_db()
    assert (made.state, Round.objects.get().state) == ("running", "published")
    record_result(finish(second))
    made.refresh_from_db()
    assert (made.state, Round.objects.get().state) == ("finished", "closed")


def test_the_stage_after_an_arena_begins_by_itself(league, later):
    made = league(8, stages=[ARENA, {**KNOCKOUT, "cut": 4}])
    advance(made.slug)
    later(minutes=61)
    for table in Table.objects.all():
        record_result(finish(table))
    made.refresh_from_db()
    assert made.state == "running"
    assert made.stages.last().entrants.count() == 4
    assert Round.objects.count() == 1


def test_nobody_sits_at_two_tables_of_an_arena_at_once(league, later):
    made = league(10, stages=[ARENA])
    luck = random.Random(3)
    for second in range(0, 400, 20):
        later(seconds=second)
        advance(made.slug)
        open_ = Table.objects.filter(results=None)
        sitting = Counter(TableSeat.objects.filter(table__in=open_, entry__isnull=False).values_list("entry"))
        assert set(sitting.values()) <= {1}
        if open_:
            record_result(finish(luck.choice(list(open_))))
    numbers = list(made.rounds.values_list("number", flat=True))
    assert all(two == one + 1 for one, two in pairwise(numbers))
    assert len(numbers) > 5


def test_those_who_have_waited_longest_are_seated_first(league):
    made = league(6, stages=[ARENA])
    stage = Stage.objects.get()
    now = timezone.now()
    ids = list(made.entries.order_by("pk").values_list("pk", flat=True))
    stage.plan = {str(pk): (now - timedelta(seconds=at)).isoformat() for at, pk in enumerate(ids)}
    assert whom_to_seat(stage, now) == ids[:1:-1]


def test_a_table_of_an_arena_that_was_called_off_keeps_nobody_waiting(league):
    made = league(8, stages=[ARENA])
    advance(made.slug)
    for table in Table.objects.all():
        stop(table.match_id)
    advance(made.slug)
    assert TableSeat.objects.filter(round__number=2, entry__isnull=False).count() == 8


def test_the_draw_of_an_arena_knows_points_and_last_tables_of_those_who_wait(league):
    made = league(8, stages=[ARENA])
    advance(made.slug)
    for table in Table.objects.all():
        record_result(finish(table))
    inputs = Round.objects.get(number=2).inputs[0]
    assert sorted(entrant["points"] / POINT for entrant in inputs["entrants"]) == [0, 0, 1, 1, 2, 2, 4, 4]
    assert [past["round"] for past in inputs["history"]] == [1, 1]


# Comings and goings


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("fill", ["bots", "byes"])
@pytest.mark.parametrize("stage", [SWISS, ROBIN, KNOCKOUT], ids=["swiss", "robin", "knockout"])
def test_a_format_survives_comings_and_goings(league, organiser, stage, fill, seed):
    luck = random.Random(f"{stage} {fill} {seed}")
    made = league(luck.randint(9, 14), stages=[stage, {**KNOCKOUT, "cut": 4}], fill=fill)
    for _ in range(12):
        names = {entry.name: entry.state for entry in made.entries.all()}
        for name in luck.sample(sorted(names), 2):
            if names[name] == "active":
                entries.withdraw(slug=made.slug, actor=organiser, name=name)
            else:
                entries.enter(slug=made.slug, actor=organiser, name=name)
        try:
            check_everyone_once(play_by_luck(made, seed))
        except ProblemError as refused:
            assert refused.code in ("all_rounds_drawn", "too_few_for_byes"), refused
            with suppress(ProblemError):
                start_stage(slug=made.slug, actor=None)
    for round_ in made.rounds.all():
        assert round_.state == "closed"
    life.finish(slug=made.slug, actor=None)
    ranking = final_ranking(made)
    assert ranked_over_stages(made) == [(rank, entry.pk) for rank, entry in ranking]
    assert [rank for rank, _ in ranking] == sorted(rank for rank, _ in ranking)
    assert len({entry.pk for _, entry in ranking}) == len(ranking)


def test_an_arena_ends_with_the_last_number_that_a_wave_can_have(league, monkeypatch):
    made = league(8, stages=[ARENA])
    monkeypatch.setattr(stages, "MOST_WAVES", 1)
    advance(made.slug)
    for table in Table.objects.all():
        record_result(finish(table))
    made.refresh_from_db()
    assert (made.state, Round.objects.count()) == ("finished", 1)

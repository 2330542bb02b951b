"""Standings of stages: what they follow from, how they are kept, shown page by page, and explained."""

import ast
import threading
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.utils import timezone

import tournaments.services
from games.models import Deal, Player
from tests.tournaments.conftest import by_hand, draw_and_publish, finish, play_round, swiss
from tournaments.models import Bye, Entry, Penalty, Ranking, Table, TableResult
from tournaments.selectors import stage_standings
from tournaments.services import entries, results, rounds, stages
from tournaments.services import standings as service
from tournaments.services.audit import audit
from tournaments.standings import DEFAULT_METRICS
from trix_site.common.errors import Missing

pytestmark = pytest.mark.django_db
URL = "/api/v1/tournaments/"


def shown(league, **which) -> dict[str, tuple[int | Fraction, ...]]:
    """Rank and values by name, best first."""
    lines = service.lines_of(service.ranked(league, **which).rows)
    return {line.entry.name: (line.standing.rank, *line.standing.values) for line in lines}


def penalise(league, name: str, points: str) -> Penalty:
    given = Penalty.objects.create(
        stage=league.stages.first(),
        entry=league.entries.get(player__username=name),
        points=points,
        reason="late",
    )
    audit(league, None, "penalty_given", player=name)
    return given


def organiser_of(league) -> Player:
    return league.organisers.get()


# What they follow from


def test_a_penalty_counts_in_the_first_metric_until_it_is_revoked(league):
    made = league(4)
    play_round(made)
    before = shown(made)
    first = next(iter(before))
    given = penalise(made, first, "-3.5")
    assert shown(made)[first][:2] == (3, Fraction(1, 2))
    Penalty.objects.filter(pk=given.pk).update(revoked_at=timezone.now())
    audit(made, None, "penalty_revoked")
    assert shown(made) == before


def test_a_bye_is_worth_its_points_and_no_table(league, organiser, people):
    made = league(4, bye_points="2.25")
    played = play_round(made)
    late = entries.enter(slug=made.slug, actor=organiser, name=people(5)[4].username)
    Bye.objects.create(round=played, entry=late)
    line = next(each for each in service.lines_of(service.ranked(made).rows) if each.entry == late)
    assert line.standing.values[:2] == (Fraction(9, 4), 0)
    assert line.standing.played == 0


def test_the_points_of_places_are_the_tournaments_own(league):
    made = league(4, place_points=[10, 5, 1, 0])
    play_round(made)
    assert [values[1] for values in shown(made).values()] == [10, 5, 1, 0]


def test_an_annulled_table_does_not_count(league):
    made = league(8)
    play_round(made)
    table = Table.objects.order_by("number").first()
    TableResult.objects.filter(table=table).update(superseded_at=timezone.now())
    TableResult.objects.create(
        table=table, source="annulled", reason="wrong cards", entered_by=organiser_of(made)
    )
    audit(made, None, "table_annulled")
    lines = service.lines_of(service.ranked(made).rows)
    assert sorted(line.standing.played for line in lines) == [0] * 4 + [1] * 4


def test_an_empty_seat_takes_no_place(league):
    made = league(7)
    for table in draw_and_publish(made).tables.all():
        scores = [10 * seat.index if seat.entry else None for seat in table.seats.all()]
        TableResult.objects.create(
            table=table, scores=scores, source="entered", reason="at home", entered_by=organiser_of(made)
        )
    rounds.close_round(slug=made.slug, number=1, actor=None)
    points = sorted(values[1] for values in shown(made).values())
    assert points == sorted([4, 2, 1, 0, 4, 2, 1])


def test_the_best_deal_and_the_same_cards_count_where_they_are_known(league):
    made = league(8, metrics=["table_points", "duplicate", "best_deal"], same_cards=True)
    first, second = draw_and_publish(made).tables.all()
    for table, totals in ((first, (300, 100, -100, -300)), (second, (200, 200, -100, -300))):
        Deal.objects.filter(match=table.match_id).update(scores=[70, 60, 50, 40], contract=1)
        results.record_match(finish(table, totals))
    rounds.close_round(slug=made.slug, number=1, actor=None)
    seats = {seat.index: seat.entry.name for seat in first.seats.all()}
    values = shown(made)
    assert [values[seats[index]][2:] for index in range(4)] == [(100, 70), (-100, 60), (0, 50), (0, 40)]


def test_a_result_by_hand_is_compared_with_nobodys_cards(league):
    made = league(8, metrics=["duplicate"], same_cards=True)
    first, second = draw_and_publish(made).tables.all()
    results.record_match(finish(first))
    by_hand(second, (200, 200, -100, -300))
    rounds.close_round(slug=made.slug, number=1, actor=None)
    assert {values[1] for values in shown(made).values()} == {0}


def test_no_tie_break_counts_finals(league):
    """The second stage's tables are no tables of the first, nor the other way round."""
    made = league(8, stages=[*swiss(1), {"format": "swiss", "rounds": 1, "cut": 4}])
    play_round(made)
    before = shown(made)
    best = [line.entry for line in service.lines_of(service.ranked(made).rows)][:4]
    stages.begin(made.stages.get(number=2), best)
    audit(made, None, "stage_begun")
    play_round(made)
    assert shown(made, stage=1) == before
    assert set(shown(made)) == {entry.name for entry in best}
    assert {line.standing.played for line in service.lines_of(service.ranked(made).rows)} == {1}


def test_each_group_has_standings_and_all_together_too(league):
    made = league(8, stages=[{"format": "swiss", "rounds": 2, "groups": 2}])
    play_round(made)
    groups = [shown(made, group=group) for group in (1, 2)]
    assert [len(group) for group in groups] == [4, 4]
    assert set(groups[0]) | set(groups[1]) == set(shown(made))
    assert [next(iter(group.values()))[0] for group in groups] == [1, 1]


@pytest.mark.parametrize(
    ("which", "code"), [({"stage": 2}, "no_such_stage"), ({"group": 2}, "no_such_group")]
)
def test_standings_of_what_there_is_not_are_refused(league, which, code):
    with pytest.raises(Missing) as refused:
        service.ranked(league(4, stages=[*swiss(1), *swiss(1)]), **which)
    assert refused.value.code == code


def test_who_was_disqualified_is_below_everyone_with_all_that_he_reached(league):
    made = league(8)
    play_round(made)
    before = shown(made)
    first = next(iter(before))
    Entry.objects.filter(tournament=made, player__username=first).update(
        state=Entry.State.DISQUALIFIED, withdrawn_at=timezone.now()
    )
    audit(made, None, "disqualified", player=first)
    after = shown(made)
    assert list(after)[-1] == first
    assert after[first] == (8, *before[first][1:])
    both = service.compared(service.ranked(made), first, list(before)[1])
    assert both.below.entry.name == first
    assert both.why.sentence(both.names) == f"{first} was disqualified and ranks below everyone else."


# How they are kept


def test_kept_standings_are_read_and_not_computed_again(league, django_assert_num_queries, monkeypatch):
    made = league(8)
    play_round(made)
    first = service.ranked(made).rows
    monkeypatch.setattr(service, "stage_standings", None)
    with django_assert_num_queries(4):
        assert service.ranked(made).rows == first


def test_everything_that_standings_follow_from_makes_kept_ones_old(league, people, organiser):
    made = league(8)
    stage = made.stages.get()
    name, late = made.entries.first().name, people(9)[8].username

    def correct() -> None:
        table = Table.objects.get(round__number=1, number=1)
        known = table.results.get(superseded_at=None)
        by_hand(table, (1, 2, 3, -6), replaces=known.pk)

    steps = {
        "a round is played": lambda: play_round(made),
        "a result is corrected": correct,
        "someone withdraws": lambda: entries.withdraw(slug=made.slug, actor=None, name=name),
        "he comes back": lambda: entries.enter(slug=made.slug, actor=organiser, name=name),
        "someone comes late": lambda: entries.enter(slug=made.slug, actor=organiser, name=late),
        "a penalty": lambda: penalise(made, name, "-1"),
        "another round": lambda: play_round(made),
    }
    for step, take in steps.items():
        take()
        for live in (False, True):
            made.refresh_from_db()
            rows = service.ranking(stage, live=live)
            facts = [service._row(line) for line in stage_standings(stage, live=live)]
            assert rows == facts, step
    assert Ranking.objects.count() == 2


def test_results_of_an_open_round_make_live_standings_old_and_no_others(league, monkeypatch):
    made = league(8)
    play_round(made)
    service.ranked(made)
    one, two = draw_and_publish(made).tables.all()
    published = service.ranked(made).rows
    by_hand(one)
    results.record_match(finish(two))
    assert sum(row[2] for row in service.ranked(made, live=True).rows) == 16
    monkeypatch.setattr(service, "stage_standings", None)
    assert service.ranked(made).rows == published
    monkeypatch.undo()
    rounds.close_round(slug=made.slug, number=2, actor=None)
    assert sum(row[2] for row in service.ranked(made).rows) == 16


def test_live_standings_of_many_may_be_some_seconds_old(league, monkeypatch):
    made = league(8)
    table = draw_and_publish(made).tables.first()
    monkeypatch.setattr(service, "BIG", 8)
    before = service.ranked(made, live=True).rows
    by_hand(table)
    assert service.ranked(made, live=True).rows == before
    Ranking.objects.update(made_at=timezone.now() - service.STALE)
    assert service.ranked(made, live=True).rows != before


def test_older_standings_never_replace_newer_ones(league):
    made = league(4)
    stage = made.stages.get()
    new = service.ranking(stage)
    service._keep(stage, None, False, 1, [])
    assert Ranking.objects.get().lines == new


def test_kept_standings_hold_no_names(league):
    made = league(4)
    play_round(made)
    service.ranked(made)
    made.entries.first().player.__class__.objects.filter(username="amal").update(username="أمل")
    assert "أمل" in shown(made)


@pytest.mark.django_db(transaction=True)
def test_of_many_who_ask_at_once_one_computes(league, monkeypatch):
    made = league(8)
    play_round(made)
    computed, asked, answers = [], threading.Barrier(4), []
    compute = service._computed

    def counted(*which):
        computed.append(which)
        return compute(*which)

    def ask() -> None:
        asked.wait()
        answers.append(service.ranked(made).rows)
        connection.close()

    monkeypatch.setattr(service, "_computed", counted)
    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(computed) == 1
    assert len(answers) == 4 and all(rows == answers[0] for rows in answers)


@pytest.mark.django_db(transaction=True)
def test_who_asks_for_live_standings_while_another_computes_gets_the_last_ones(league):
    made = league(8)
    tables = draw_and_publish(made).tables.all()
    before = service.ranked(made, live=True).rows
    by_hand(tables[0])
    ready, over = threading.Event(), threading.Event()

    def compute() -> None:
        with service.transaction.atomic():
            service._only_one(f"standings {made.stages.get().pk} None True", wait=True)
            ready.set()
            over.wait(timeout=30)
        connection.close()

    thread = threading.Thread(target=compute)
    thread.start()
    assert ready.wait(timeout=30)
    assert service.ranked(made, live=True).rows == before
    over.set()
    thread.join()
    assert service.ranked(made, live=True).rows != before


def test_every_service_that_changes_a_tournament_writes_to_its_log():
    """The newest line of the log names the version of the facts: without one old standings stay."""
    calls = _calls()
    public = {name for name in calls if not name.startswith("_")} - ONLY_LOOK
    changing = {name for name in public if _reaches(calls, name, LOCKS)}
    assert {name for name in changing if not _reaches(calls, name, {"audit"})} == set()
    assert {"enter_result", "record_match", "withdraw", "draw_round", "close_round", "finish"} <= changing


LOCKS = {"lock_as", "lock_tournament"}
ONLY_LOOK = LOCKS | {"preview", "export", "download"}


def _calls() -> dict[str, set[str]]:
    """What each function of the services names."""
    calls: dict[str, set[str]] = defaultdict(set)
    for path in Path(tournaments.services.__file__).parent.glob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                calls[node.name] |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return calls


def _reaches(calls: dict[str, set[str]], name: str, wanted: set[str]) -> bool:
    seen, left = set(), {name}
    while left:
        seen |= left
        left = set().union(*(calls[each] for each in left if each in calls)) - seen
    return bool(seen & wanted)


# Pages


def test_standings_come_in_pages(api, league):
    made = league(12)
    play_round(made)
    at = f"{URL}{made.slug}/standings/"
    whole = api().get(at).json()
    assert (whole["count"], whole["next"], whole["previous"]) == (12, None, None)
    assert (whole["stage"], whole["group"], whole["tournament"]) == (1, None, made.slug)
    first = api().get(at, {"page_size": 5}).json()
    third = api().get(at, {"page_size": 5, "page": 3}).json()
    assert first["standings"] == whole["standings"][:5] and "page=2" in first["next"]
    assert third["standings"] == whole["standings"][10:] and third["next"] is None
    assert api().get(at, {"page_size": 5, "page": 4}).status_code == 404
    assert api().get(at, {"page_size": 10_001}).status_code == 400
    assert len(api().get(at, {"format": "csv", "page_size": 5}).content.splitlines()) == 13


def test_pages_of_stages_and_groups_that_there_are_not_are_refused(api, league):
    at = f"{URL}{league(4).slug}/standings/"
    assert api().get(at, {"stage": 2}).json()["code"] == "no_such_stage"
    assert api().get(at, {"group": 2}).json()["code"] == "no_such_group"
    assert api().get(at, {"stage": 0}).status_code == 400


def test_a_page_of_many_takes_as_many_queries_as_one_of_few(api, league, django_assert_num_queries):
    counts = []
    for number in (4, 20):
        made = league(number, name=f"Of {number}")
        play_round(made)
        for state in ("computed", "kept"):
            with django_assert_num_queries(20 if state == "computed" else 8, exact=False) as asked:
                assert api().get(f"{URL}{made.slug}/standings/").json()["count"] == number
            counts.append((state, len(asked)))
    assert counts[:2] == counts[2:]


# Why one is above another


def test_two_entries_are_compared(api, league):
    made = league(8)
    play_round(made)
    names = list(shown(made))
    at = f"{URL}{made.slug}/standings/compare/"
    body = api().get(at, {"first": names[-1].upper(), "second": names[0]}).json()
    assert (body["above"]["player"]["name"], body["below"]["player"]["name"]) == (names[0], names[-1])
    assert body["metric"] == "table_points" and body["equal"] == []
    assert body["sentence"] == f"{names[0]} has 4 points against 0."
    (table,) = body["above"]["tables"]
    assert (table["round"], table["score"], table["place"], table["points"]) == (1, 300, 1, 4)
    assert len(table["opponents"]) == 3 and set(table["opponents"]) < set(names)


def test_equal_metrics_and_penalties_are_named(api, league):
    made = league(8)
    play_round(made)
    names = list(shown(made))
    penalise(made, names[0], "-0.5")
    body = api().get(f"{URL}{made.slug}/standings/compare/", {"first": names[0], "second": names[2]}).json()
    assert body["above"]["adjustment"] == -0.5
    assert f"a penalty of 0.5 for {names[0]}" in body["sentence"]
    equal = (
        api().get(f"{URL}{made.slug}/standings/compare/", {"first": names[-1], "second": names[-2]}).json()
    )
    assert equal["metric"] is None and equal["equal"] == list(DEFAULT_METRICS)


def test_in_a_knockout_who_went_further_is_above(league):
    made = league(8, stages=[{"format": "knockout", "advance": 2}])
    play_round(made)
    of = service.ranked(made)
    names = [line.entry.name for line in service.lines_of(of.rows)]
    both = service.compared(of, names[0], names[-1])
    assert both.why.metric is None
    places = f"{names[0]} had place 1 and {names[-1]} place 4"
    assert both.why.sentence(both.names) == f"Both came as far as round 1, where {places}."
    play_round(made)
    of = service.ranked(made)
    names = [line.entry.name for line in service.lines_of(of.rows)]
    both = service.compared(of, names[-1], names[0])
    assert both.why.sentence(both.names) == f"{names[0]} went further: to round 2, {names[-1]} to round 1."


@pytest.mark.parametrize(
    ("names", "status", "code"),
    [
        (("amal", "amal"), 400, "same_entry"),
        (("amal", "nobody at all"), 404, "no_such_player"),
        (("amal", "olga"), 404, "not_ranked"),
        (("amal", ""), 400, "invalid"),
    ],
)
def test_a_comparison_that_makes_no_sense_is_refused(api, league, names, status, code):
    answer = api().get(
        f"{URL}{league(4).slug}/standings/compare/", dict(zip(("first", "second"), names, strict=True))
    )
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_before_the_start_all_are_equal(api, league):
    made = league(4, "registration")
    body = api().get(f"{URL}{made.slug}/standings/").json()
    assert body["stage"] is None and {line["rank"] for line in body["standings"]} == {1}
    why = api().get(f"{URL}{made.slug}/standings/compare/", {"first": "amal", "second": "basil"}).json()
    assert why["metric"] is None


def test_a_comparison_tells_no_more_of_the_same_cards_than_standings(api, league, organiser):
    """Nor does a live computation that an organiser has left."""
    made = league(8, same_cards=True)
    one, _ = draw_and_publish(made).tables.all()
    results.record_match(finish(one))
    names = [seat.entry.name for seat in one.seats.all()][:2]
    at, query = f"{URL}{made.slug}/standings/", {"live": "true"}
    pair = query | dict(zip(("first", "second"), names, strict=True))
    seen = api(organiser).get(f"{at}compare/", pair).json()
    assert seen["live"] is True and len(seen["above"]["tables"]) == 1
    assert api(organiser).get(at, query).json()["live"] is True
    hidden = api().get(f"{at}compare/", pair).json()
    assert hidden["live"] is False and hidden["above"]["tables"] == [] and hidden["metric"] is None
    rows = api().get(at, query).json()
    assert rows["live"] is False and {line["played"] for line in rows["standings"]} == {0}


def test_a_draft_is_compared_for_nobody_else(api, league):
    at = f"{URL}{league(4, 'draft').slug}/standings/compare/"
    assert api().get(at, {"first": "amal", "second": "basil"}).json()["code"] == "no_such_tournament"


# On the desk


@pytest.fixture
def staff(client, organiser):
    organiser.is_staff = True
    organiser.save()
    organiser.groups.add(Group.objects.get(name="Organisers"))
    client.force_login(organiser)
    return client


def test_the_desk_shows_groups_pages_and_why(staff, league, monkeypatch):
    monkeypatch.setattr("tournaments.desk.standings.PAGE", 3)
    made = league(8, stages=[{"format": "swiss", "rounds": 2, "groups": 2}])
    play_round(made)
    desk = f"/admin/tournaments/tournament/{made.pk}/desk/standings/"
    page = staff.get(f"{desk}?group=2&page=2").content.decode()
    last = list(shown(made, group=2))[3]
    assert f'<bdi class="strong">{last}</bdi>' in page and "Page 2 of 2" in page
    first, second = list(shown(made))[:2]
    why = staff.get(f"{desk}compare/", {"first": second, "second": first}).content.decode()
    assert "an equal rank" in why and first in why


def test_a_comparison_that_makes_no_sense_comes_back_to_the_desk_with_a_message(staff, league):
    made = league(4)
    desk = f"/admin/tournaments/tournament/{made.pk}/desk/standings/"
    answer = staff.get(f"{desk}compare/", {"first": "amal", "second": "nobody"}, follow=True)
    assert "There is no player" in answer.content.decode()

"""Results annulled, replayed, entered for a table of three, and imported from a record."""

import pytest

from games.engine.notation import write_record
from games.engine.reading import read_text
from games.models import Match, Player
from games.selectors import match_record, stored_match
from games.services.matches import create_match
from ratings.services import rate_finished
from tests.games.play import play_out
from tests.tournaments.conftest import by_hand, draw_and_publish, finish, play_round
from tournaments import selectors
from tournaments.models import Table, TableResult, Tournament
from tournaments.services import entries, life, results, rounds
from tournaments.tasks import sweep
from trix_site.common.errors import ProblemError

pytestmark = pytest.mark.django_db


def correct(service, table: Table, **more):
    """Call a service of corrections, by the first organiser."""
    of = table.round.tournament
    where = {"slug": of.slug, "number": table.round.number, "table_number": table.number}
    return service(**{**where, "reason": "a wrong deal", "actor": of.organisers.first(), **more})


def refused(call, *args, **more) -> str:
    with pytest.raises(ProblemError) as found:
        call(*args, **more)
    return found.value.code


def values(league: Tournament) -> dict[str, list[float]]:
    return {
        line.entry.name: list(map(float, line.standing.values)) for line in selectors.standings_of(league)
    }


def record_of(table: Table, **changes: str) -> str:
    """The record of a match of the table's players that was played to its end, with other tags."""
    of = table.round.tournament
    seats = [seat.player or seat.bot for seat in table.seats.all()]
    match = create_match(rules=of.rules, options=of.options, seats=seats)
    play_out(match)
    text = match_record(stored_match(match.code), None)
    for old, new in changes.items():
        text = text.replace(old, new)
    return text


# Annulled


def test_an_annulled_table_gives_nobody_anything_and_lets_the_round_be_closed(league):
    made = league(8)
    first, second = draw_and_publish(made).tables.all()
    by_hand(first)
    annulled = correct(results.annul, second)
    rounds.close_round(slug=made.slug, number=1, actor=None)
    sat = {seat.entry.name for seat in second.seats.all()}
    assert annulled.scores is None and str(annulled) == "annulled"
    assert {name: v for name, v in values(made).items() if name in sat} == {n: [0, 0, 0, 0] for n in sat}
    assert Match.objects.get(pk=second.match_id).status == "cancelled"
    assert made.log.filter(action="result_annulled").get().data["table"] == second.number


def test_an_annulled_result_stays_in_the_history_and_can_be_corrected_again(league):
    table = draw_and_publish(league(4)).tables.get()
    first = by_hand(table)
    annulled = correct(results.annul, table, replaces=first.pk)
    by_hand(table, (1, 0, 0, -1), replaces=annulled.pk)
    assert [r.source for r in table.results.all()] == ["entered", "annulled", "entered"]
    assert table.results.filter(superseded_at=None).get().scores == [1, 0, 0, -1]


def test_annulling_twice_is_one_annulment_and_of_two_corrections_the_later_is_refused(league):
    table = draw_and_publish(league(4)).tables.get()
    first = by_hand(table)
    annulled = correct(results.annul, table, replaces=first.pk)
    assert correct(results.annul, table, replaces=first.pk) == annulled
    assert refused(by_hand, table, (1, 2, 3, 4), replaces=first.pk) == "result_changed"
    assert table.results.count() == 2


def test_a_match_that_was_over_does_not_undo_its_annulment(league):
    table = draw_and_publish(league(4)).tables.get()
    match = finish(table)
    correct(results.annul, table)
    assert results.record_match(match).source == "annulled"
    assert table.results.count() == 1


def test_a_correction_needs_a_reason_a_published_round_and_a_referee(league, people, organiser):
    made = league(4)
    rounds.draw_round(slug=made.slug, actor=None)
    table = Table.objects.get()
    calls = [
        lambda **more: correct(results.annul, table, **more),
        lambda **more: correct(results.replay_table, table, **more),
        lambda **more: correct(results.import_record, table, record=record_of(table), **more),
    ]
    assert [refused(call) for call in calls] == ["not_published"] * 3
    rounds.publish_round(slug=made.slug, number=1, actor=None)
    made.assistants.add(people(1)[0])
    assert [refused(call, actor=people(1)[0]) for call in calls] == ["not_organiser"] * 3
    assert [refused(call, reason=" ") for call in calls] == ["no_reason"] * 3
    assert [refused(call, reason="a\u202eb") for call in calls] == ["invalid"] * 3
    made.referees.add(people(1)[0])
    assert correct(results.annul, table, actor=people(1)[0])


# Replayed


def test_a_replayed_table_plays_a_new_match_and_its_result_counts(league):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    old = finish(table)
    recorded = results.record_match(old)
    again = correct(results.replay_table, table, replaces=recorded.pk)
    assert again.match_id != old and again.match.status == "running"
    assert bytes(again.match.secret) != bytes(Match.objects.get(pk=old).secret)
    assert [s.player_id for s in again.match.seats.all()] == [s.player_id for s in table.seats.all()]
    assert selectors.unfinished_tables(again.round) == [1]
    play_out(again.match)
    assert results.record_match(again.match_id).scores == again.match.totals
    assert [(r.match_id, r.superseded_at is None) for r in table.results.all()] == [
        (old, False),
        (again.match_id, True),
    ]


def test_replaying_a_running_table_stops_its_match_and_the_old_one_counts_nothing(league):
    table = draw_and_publish(league(4)).tables.get()
    old = table.match
    again = correct(results.replay_table, table)
    assert Match.objects.get(pk=old.pk).status == "cancelled"
    assert results.record_match(old.pk) is None
    assert again.round.tournament.log.first().data["instead_of"] == old.code


def test_the_same_replay_twice_is_one(league):
    table = draw_and_publish(league(4)).tables.get()
    again = correct(results.replay_table, table)
    assert correct(results.replay_table, table).match_id == again.match_id
    assert correct(results.replay_table, table, reason="once more").match_id != again.match_id
    by_hand(table)
    counting = table.results.get()
    first = correct(results.replay_table, table, replaces=counting.pk)
    assert correct(results.replay_table, table, replaces=counting.pk).match_id == first.match_id
    assert refused(correct, results.replay_table, table, replaces=9**9) == "result_changed"


def test_a_result_that_was_lost_of_a_replayed_match_is_found_by_the_sweeper(league):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    first = results.record_match(finish(table))
    again = correct(results.replay_table, table, replaces=first.pk)
    finish(again, (0, 0, 0, 0))
    sweep()
    assert table.results.filter(superseded_at=None).get().scores == [0, 0, 0, 0]


def test_a_table_of_a_closed_round_counts_nothing_while_it_is_replayed(league):
    made = league(4)
    play_round(made)
    table = Table.objects.get()
    before = values(made)
    again = correct(results.replay_table, table, replaces=table.results.get().pk)
    assert before["amal"] != [0, 0, 0, 0] and set(map(tuple, values(made).values())) == {(0, 0, 0, 0)}
    assert made.rounds.get().state == "closed"
    assert refused(life.finish, slug=made.slug, actor=None) == "tables_unfinished"
    results.record_match(finish(again))
    assert values(made) == before
    life.finish(slug=made.slug, actor=None)


def test_an_automatic_tournament_waits_for_a_replay_of_its_last_round(league):
    made = league(4, automatic=True, stages=[{"format": "swiss", "rounds": 1}])
    play_round(made)
    table = Table.objects.get()
    again = correct(results.replay_table, table, replaces=table.results.get().pk)
    sweep()
    assert Tournament.objects.get().state == "running"
    finish(again)
    sweep()
    assert Tournament.objects.get().state == "finished"


def test_a_replay_with_the_same_cards_has_cards_of_its_own(league):
    made = league(8, same_cards=True)
    first, second = draw_and_publish(made).tables.all()
    again = correct(results.replay_table, first)
    assert bytes(again.match.secret) != bytes(second.match.secret)


def test_bots_play_a_replay_for_whoever_has_left_the_tournament(league):
    made = league(4)
    table = draw_and_publish(made).tables.get()
    by_hand(table)
    entries.withdraw(slug=made.slug, actor=None, name="amal")
    again = correct(results.replay_table, table, replaces=table.results.get().pk)
    away = again.match.seats.filter(away_since__isnull=False)
    assert [seat.name for seat in away] == ["amal"]


def test_no_table_is_replayed_once_the_tournament_is_over(league):
    made = league(4)
    play_round(made)
    life.finish(slug=made.slug, actor=None)
    assert refused(correct, results.replay_table, Table.objects.get()) == "wrong_state"


def test_what_was_played_before_a_replay_stays_rated(league):
    table = draw_and_publish(league(4)).tables.get()
    play_out(table.match)
    first = results.record_match(table.match_id)
    again = correct(results.replay_table, table, replaces=first.pk)
    play_out(again.match)
    assert rate_finished(since_ever=True) == 2


# A table of three


@pytest.fixture
def three(league) -> Table:
    """A table of three, in a tournament that leaves tables short."""
    table = draw_and_publish(league(7)).tables.filter(seats__player=None).first()
    table.seats.filter(player=None).update(bot="")
    Table.objects.filter(pk=table.pk).update(match=None)
    return Table.objects.get(pk=table.pk)


def test_an_empty_seat_and_no_other_has_no_score(three):
    empty = three.seats.get(player=None).index
    right = [None if index == empty else 10 * index for index in range(4)]
    wrong = [1, 2, 3, 4], [None] * 4, [None if index == (empty + 1) % 4 else 1 for index in range(4)]
    assert [refused(by_hand, three, scores) for scores in wrong] == ["bad_scores"] * 3
    assert by_hand(three, right).scores == right


def test_a_table_of_four_has_four_scores(league):
    table = draw_and_publish(league(4)).tables.get()
    assert refused(by_hand, table, (None, 1, 2, 3)) == "bad_scores"


def test_a_table_of_three_is_not_replayed_here_and_has_no_record(three):
    assert refused(correct, results.replay_table, three) == "played_elsewhere"
    full = [seat.player or "greedy" for seat in three.seats.all()]
    match = create_match(rules="cardkings-complex", options={}, seats=full)
    play_out(match)
    text = match_record(stored_match(match.code), None)
    assert refused(correct, results.import_record, three, record=text) == "other_players"


# From a record


def test_a_record_is_played_through_and_counts(league):
    made = league(3)
    table = draw_and_publish(made).tables.get()
    text = record_of(table)
    replay = next(read_text(text))
    found = correct(results.import_record, table, record="# by hand\n" + text)
    deals = [deal.scores for deal in replay.results]
    assert found.scores == [sum(column) for column in zip(*deals, strict=True)]
    assert found.best_deals == [max(column) for column in zip(*deals, strict=True)]
    assert (found.source, found.record) == ("imported", write_record(replay.record))
    assert Match.objects.get(pk=table.match_id).status == "cancelled"


def test_the_same_record_twice_is_one_result(league):
    table = draw_and_publish(league(4)).tables.get()
    text = record_of(table)
    found = correct(results.import_record, table, record=text)
    assert correct(results.import_record, table, record=text) == found
    assert by_hand(table, found.scores) == found
    assert TableResult.objects.count() == 1


def test_names_are_compared_in_any_case(league, people):
    Player.objects.create_user("ΟΔΟΣ")
    made = league(3)
    entries.enter_many(slug=made.slug, actor=None, names=["ΟΔΟΣ"])
    table = draw_and_publish(made).tables.get()
    assert correct(results.import_record, table, record=record_of(table, amal="AMAL", ΟΔΟΣ="οδοσ"))


def test_a_record_of_others_or_of_other_rules_is_refused_and_changes_nothing(league):
    made = league(3)
    table = draw_and_publish(made).tables.get()
    text = record_of(table)
    title = next(line for line in text.splitlines() if "amal" in line)
    line = text.splitlines().index(title) + 1
    with pytest.raises(ProblemError) as found:
        correct(results.import_record, table, record=text.replace('"amal"', '"basil"', 1))
    assert (found.value.code, found.value.members["line"]) == ("other_players", line)
    wrong = {
        "other_players": (text.replace(title + "\n", ""), text.replace("greedy bot", "uniform bot")),
        "other_rules": (text.replace("cardkings-complex", 'cardkings-complex"]\n[Options "tie=draw'),),
    }
    for code, texts in wrong.items():
        for each in texts:
            assert refused(correct, results.import_record, table, record=each) == code
    assert Match.objects.get(pk=table.match_id).status == "running"
    assert not table.results.exists()


def test_a_broken_record_is_refused_with_its_line(league):
    table = draw_and_publish(league(4)).tables.get()
    text = record_of(table)
    lines = text.splitlines()
    score = max(number for number, line in enumerate(lines) if line.startswith("score"))
    broken = {
        "no_match": "",
        "one_match_wanted": f"{text}\n{text}",
        "unfinished_match": "\n".join(lines[: score - 1]),
        "record_too_long": text + "#" * 100_000,
    }
    for code, each in broken.items():
        assert refused(correct, results.import_record, table, record=each) == code
    with pytest.raises(ProblemError) as found:
        lines[score] = lines[score].replace("S:", "S:1")
        correct(results.import_record, table, record="\n".join(lines))
    assert found.value.members["line"] == score + 1 and found.value.members["deal"]
    assert f"Line {score + 1}: " in found.value.detail


@pytest.mark.parametrize("junk", ["\0", "\ud800", "[Rules \0", "\ufeff", '[Rules "x"]\ud800', "\r" * 9])
def test_any_text_is_refused_with_a_code(league, junk):
    table = draw_and_publish(league(4)).tables.get()
    text = record_of(table)
    for each in (junk, text + junk, text.replace("\n", f"\n{junk}", 1)):
        try:
            found = correct(results.import_record, table, record=each)
        except ProblemError as error:
            assert error.status == 400 and error.code
        else:
            assert junk not in found.record

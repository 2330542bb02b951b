"""Who takes part: the waiting list, codes, pairs, check-in, late entries, leaving and coming back."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Player
from games.services.closing import close_account
from tests.tournaments.conftest import draw_and_publish, play_round, swiss
from tests.tournaments.test_life import refusal
from tournaments import selectors
from tournaments.models import AuditLog, Entry, Tournament
from tournaments.services import check_in, entries, life, rounds
from tournaments.tasks import sweep
from trix_site.common.errors import ProblemError

pytestmark = pytest.mark.django_db
PAIRS = {"rules": "cardkings-complex-partners", "pairs": True}


def states(made: Tournament) -> dict[str, str]:
    return {entry.name: entry.state for entry in selectors.entries_by_name(made)}


def logged(made: Tournament, action: str) -> list[dict]:
    return list(made.log.filter(action=action).order_by("id").values_list("data", flat=True))


# The cap


def test_beyond_the_cap_players_wait_in_the_order_in_which_they_came(league, people, organiser):
    made = league(0, "registration", cap=2)
    for player in people(5):
        entries.enter(slug=made.slug, actor=player)
    assert list(states(made).values()) == ["active", "active", "waiting", "waiting", "waiting"]
    assert logged(made, "put_on_the_waiting_list")[0] == {"player": "dana"}
    entries.withdraw(slug=made.slug, actor=people(1)[0])
    assert states(made)["dana"] == "active" and states(made)["farid"] == "waiting"
    assert logged(made, "moved_up") == [{"player": "dana"}]


def test_many_names_fill_the_places_in_their_order(league, people, organiser):
    people(4)
    made = league(0, "registration", cap=3)
    entries.enter_many(slug=made.slug, actor=organiser, names=["farid", "dana", "basil", "amal"])
    assert states(made) == {"amal": "waiting", "basil": "active", "dana": "active", "farid": "active"}


def test_who_withdraws_from_the_waiting_list_and_comes_back_is_its_last(league, people, organiser):
    made = league(4, "registration", cap=2)
    entries.withdraw(slug=made.slug, actor=organiser, name="dana")
    entries.enter(slug=made.slug, actor=organiser, name="dana")
    life.change_settings(made.slug, actor=organiser, cap=3)
    assert states(made) == {"amal": "active", "basil": "active", "dana": "waiting", "farid": "active"}


@pytest.mark.parametrize(("cap", "waiting"), [(3, 2), (5, 0), (None, 0), (2, 3)])
def test_a_raised_cap_lets_the_first_in(league, organiser, cap, waiting):
    made = league(5, "registration", cap=2)
    life.change_settings(made.slug, actor=organiser, cap=cap)
    assert list(states(made).values()).count("waiting") == waiting
    assert len(logged(made, "moved_up")) == 3 - waiting


def test_a_lowered_cap_takes_no_place_away(league, organiser):
    made = league(4, "registration")
    life.change_settings(made.slug, actor=organiser, cap=2)
    assert set(states(made).values()) == {"active"}
    entries.withdraw(slug=made.slug, actor=organiser, name="amal")
    entries.enter(slug=made.slug, actor=organiser, name="amal")
    assert states(made)["amal"] == "waiting"


def test_officials_admit_whom_they_like_over_the_cap_too(league, people, organiser):
    made = league(4, "registration", cap=2)
    entries.admit(slug=made.slug, actor=organiser, name="farid")
    assert states(made)["farid"] == "active"
    assert refusal(entries.admit, slug=made.slug, actor=organiser, name="farid") == "not_waiting"
    assert refusal(entries.admit, slug=made.slug, actor=people(1)[0], name="dana") == "not_organiser"
    entries.withdraw(slug=made.slug, actor=organiser, name="amal")
    assert states(made)["dana"] == "waiting"  # Two of two places are still taken.


def test_who_waits_at_the_start_does_not_play_until_he_is_admitted(league, organiser):
    made = league(6, cap=4)
    play_round(made)
    assert [line.entry.name for line in selectors.standings_of(made)].count("ghada") == 0
    entries.admit(slug=made.slug, actor=organiser, name="ghada")
    entries.withdraw(slug=made.slug, actor=organiser, name="amal")
    assert states(made)["hadi"] == "waiting"
    drawn = rounds.draw_round(slug=made.slug, actor=organiser)
    assert drawn.seats.filter(entry__player__username="ghada").exists()


# By code, and seed ratings


def test_entering_by_code_takes_the_code(league, people, organiser):
    made, (amal, _, dana) = league(0, "registration", visibility="code"), people(3)
    for code in ("", "guess", "ف"):
        assert refusal(entries.enter, slug=made.slug, actor=amal, code=code) == "wrong_join_code"
    entries.enter(slug=made.slug, actor=amal, code=made.join_code)
    entries.enter(slug=made.slug, actor=organiser, name="basil")
    life.renew_code(slug=made.slug, actor=organiser)
    assert refusal(entries.enter, slug=made.slug, actor=dana, code=made.join_code) == "wrong_join_code"
    made.refresh_from_db()
    entries.enter(slug=made.slug, actor=dana, code=made.join_code)
    assert refusal(life.renew_code, slug=made.slug, actor=dana) == "not_organiser"
    assert made.join_code not in str(list(AuditLog.objects.values()))


def test_only_a_tournament_by_code_has_one(league, organiser):
    made = league(0, "registration")
    assert refusal(life.renew_code, slug=made.slug, actor=organiser) == "no_join_code"
    assert made.join_code == ""
    assert life.change_settings(made.slug, actor=organiser, visibility="code").join_code != ""


def test_seed_ratings_order_the_start_and_are_given_by_officials(league, people, organiser):
    made, (amal, basil, dana) = league(0, "registration"), people(3)
    assert refusal(entries.enter, slug=made.slug, actor=amal, seed_rating=3000.0) == "not_organiser"
    entries.enter(slug=made.slug, actor=organiser, name="amal", seed_rating=1400.0)
    entries.enter(slug=made.slug, actor=basil)
    entries.enter(slug=made.slug, actor=dana)
    entries.change_entry(slug=made.slug, actor=organiser, name="dana", seed_rating=1900.5)
    life.start(slug=made.slug, actor=organiser)
    order = made.stages.get().entrants.order_by("seed").values_list("entry__player__username", flat=True)
    assert list(order) == ["dana", "basil", "amal"]
    late = {"slug": made.slug, "actor": organiser, "name": "amal", "seed_rating": 1.0}
    assert refusal(entries.change_entry, **late) == "too_late"


def test_changing_nothing_of_an_entry_leaves_no_line_in_the_log(league, organiser):
    made = league(2, "registration")
    before = AuditLog.objects.count()
    entries.change_entry(slug=made.slug, actor=organiser, name="amal")
    assert AuditLog.objects.count() == before


@pytest.mark.parametrize("rating", [-1.0, 10_001.0, float("nan"), float("inf")])
def test_a_seed_rating_is_a_sensible_number(league, people, organiser, rating):
    people(1)
    made = league(0, "registration")
    entering = {"slug": made.slug, "actor": organiser, "name": "amal", "seed_rating": rating}
    assert refusal(entries.enter, **entering) == "bad_seed_rating"


# Pairs


def test_a_pair_is_one_entry_that_either_may_take_back(league, people):
    made, (amal, basil) = league(0, "registration", **PAIRS), people(2)
    assert refusal(entries.enter, slug=made.slug, actor=amal) == "partner_missing"
    assert refusal(entries.enter, slug=made.slug, actor=amal, partner="AMAL") == "partner_is_player"
    assert refusal(entries.enter, slug=made.slug, actor=amal, partner="nobody") == "no_such_player"
    entries.enter(slug=made.slug, actor=amal, partner="basil")
    assert states(made) == {"amal & basil": "active"}
    entries.withdraw(slug=made.slug, actor=basil)
    assert states(made) == {"amal & basil": "withdrawn"}


def test_nobody_is_in_two_entries_as_player_or_partner(league, people):
    made, (amal, basil, dana, _) = league(0, "registration", **PAIRS), people(4)
    entries.enter(slug=made.slug, actor=amal, partner="basil")
    for actor, partner in ((amal, "dana"), (basil, "dana"), (dana, "amal"), (dana, "basil")):
        assert refusal(entries.enter, slug=made.slug, actor=actor, partner=partner) == "already_entered"
    entries.withdraw(slug=made.slug, actor=amal)
    entries.enter(slug=made.slug, actor=dana, partner="basil")
    entries.enter(slug=made.slug, actor=amal, partner="farid")
    assert states(made) == {"amal & farid": "active", "dana & basil": "active"}


def test_a_pair_that_comes_back_the_other_way_round_is_the_same_entry(league, people):
    made, (amal, basil) = league(0, "registration", **PAIRS), people(2)
    entries.enter(slug=made.slug, actor=amal, partner="basil")
    entries.withdraw(slug=made.slug, actor=amal)
    entries.enter(slug=made.slug, actor=basil, partner="amal")
    assert states(made) == {"amal & basil": "active"}


def test_once_it_runs_a_pair_comes_back_as_it_was(league, people, organiser):
    people(8)
    made = league(0, "registration", **PAIRS)
    for one, two in (("amal", "basil"), ("dana", "farid"), ("ghada", "hadi")):
        entries.enter(slug=made.slug, actor=organiser, name=one, partner=two)
    life.start(slug=made.slug, actor=organiser)
    entries.withdraw(slug=made.slug, actor=organiser, name="basil")
    entering = {"slug": made.slug, "actor": organiser}
    for one, two in (("amal", "iman"), ("basil", "iman"), ("iman", "amal")):
        assert refusal(entries.enter, **entering, name=one, partner=two) == "pair_fixed"
    entries.enter(**entering, name="basil", partner="amal")
    entries.enter(**entering, name="iman", partner="jamal")
    assert made.stages.get().entrants.count() == 4


def test_partners_are_for_pairs_alone(league, people):
    made, amal = league(0, "registration"), people(2)[0]
    assert refusal(entries.enter, slug=made.slug, actor=amal, partner="basil") == "partner_not_wanted"


def test_a_partner_is_changed_before_the_start(league, people, organiser):
    people(5)
    made = league(0, "registration", **PAIRS)
    entries.enter(slug=made.slug, actor=organiser, name="amal", partner="basil")
    entries.enter(slug=made.slug, actor=organiser, name="dana", partner="farid")
    change = {"slug": made.slug, "actor": organiser, "name": "amal"}
    assert refusal(entries.change_entry, **change, partner="farid") == "already_entered"
    assert refusal(entries.change_entry, **change, partner=None) == "partner_missing"
    entries.change_entry(**change, partner="ghada")
    assert set(states(made)) == {"amal & ghada", "dana & farid"}


def test_fixed_pairs_are_not_switched_under_entries(league, organiser):
    made = league(2, "draft", rules="cardkings-complex-partners")
    assert refusal(life.change_settings, made.slug, actor=organiser, pairs=True) == "too_late"
    for name in ("amal", "basil"):
        entries.withdraw(slug=made.slug, actor=organiser, name=name)
    life.change_settings(made.slug, actor=organiser, pairs=True)
    entries.enter(slug=made.slug, actor=organiser, name="amal", partner="basil")
    assert states(made)["amal & basil"] == "active"


# Check-in


def test_who_does_not_check_in_does_not_play_and_who_waits_takes_his_place(league, people, organiser):
    made = league(7, "registration", cap=4)
    assert refusal(check_in.check_in, slug=made.slug, actor=people(1)[0]) == "check_in_not_open"
    check_in.open_check_in(slug=made.slug, actor=organiser)
    assert refusal(check_in.open_check_in, slug=made.slug, actor=organiser) == "check_in_open"
    for name in ("amal", "basil"):
        check_in.check_in(slug=made.slug, actor=Player.objects.get(username=name))
    for name in ("hadi", "iman"):
        check_in.check_in(slug=made.slug, actor=organiser, name=name)
    assert refusal(check_in.check_in, slug=made.slug, actor=people(1)[0]) == "already_checked_in"
    assert refusal(check_in.check_in, slug=made.slug, actor=people(1)[0], name="dana") == "not_organiser"
    life.start(slug=made.slug, actor=organiser)
    assert states(made) == {
        "amal": "active", "basil": "active", "dana": "withdrawn", "farid": "withdrawn",
        "ghada": "waiting", "hadi": "active", "iman": "active",
    }  # fmt: skip
    assert logged(made, "withdrawn") == [
        {"player": "dana", "reason": "no check-in"},
        {"player": "farid", "reason": "no check-in"},
    ]
    assert made.stages.get().entrants.count() == 4


def test_a_start_for_which_too_few_checked_in_withdraws_nobody(league, people, organiser):
    made = league(4, "registration")
    check_in.open_check_in(slug=made.slug, actor=organiser)
    check_in.check_in(slug=made.slug, actor=people(1)[0])
    assert refusal(life.start, slug=made.slug, actor=organiser) == "too_few_entries"
    assert set(states(made).values()) == {"active"}


def test_who_checked_in_and_left_checks_in_again(league, people, organiser):
    made, amal = league(4, "registration"), people(1)[0]
    check_in.open_check_in(slug=made.slug, actor=organiser)
    check_in.check_in(slug=made.slug, actor=amal)
    entries.withdraw(slug=made.slug, actor=amal)
    assert refusal(check_in.check_in, slug=made.slug, actor=amal) == "already_withdrawn"
    entries.enter(slug=made.slug, actor=amal)
    assert made.entries.get(player=amal).checked_in_at is None


def test_a_start_without_check_in_asks_nobody(league):
    assert set(states(league(4)).values()) == {"active"}


# Late, out and back


def test_a_stage_that_took_the_best_takes_nobody_else(league, people, organiser):
    made = league(8, stages=[*swiss(1), {"format": "swiss", "rounds": 3, "cut": 4}])
    entries.withdraw(slug=made.slug, actor=organiser, name="amal")
    made.stages.filter(number=2).update(started_at=timezone.now())
    people(9)
    assert refusal(entries.enter, slug=made.slug, actor=organiser, name="kamal") == "too_late_to_enter"
    entries.enter(slug=made.slug, actor=organiser, name="amal")  # Back, and out of this stage all the same.
    assert made.stages.get(number=2).entrants.count() == 0


def test_a_knockout_takes_late_entries_until_it_is_played(league, people, organiser):
    made = league(8, stages=[{"format": "knockout"}])
    people(10)
    entries.enter(slug=made.slug, actor=organiser, name="kamal")
    play_round(made)
    late = {"slug": made.slug, "actor": organiser, "names": ["layla"]}
    assert refusal(entries.enter_many, **late) == "too_late_to_enter"


def test_late_entries_join_the_smallest_group(league, people, organiser):
    people(12)
    made = league(8, stages=[{"format": "swiss", "rounds": 3, "groups": 3}])
    entries.enter_many(slug=made.slug, actor=organiser, names=["kamal", "layla", "maha", "nabil"])
    groups = list(made.stages.get().entrants.values_list("group", flat=True))
    assert [groups.count(group) for group in (1, 2, 3)] == [4, 4, 4]


def test_a_disqualified_player_is_last_and_only_officials_bring_him_back(league, people, organiser):
    made = league(8)
    played = play_round(made)
    best = selectors.standings_of(made)[0].entry
    name = best.name
    disqualify = {"slug": made.slug, "actor": organiser, "name": name}
    assert refusal(entries.disqualify, **disqualify, reason=" ") == "no_reason"
    assert refusal(entries.disqualify, **disqualify | {"actor": best.player}, reason="x") == "not_organiser"
    entries.disqualify(**disqualify, reason="looked into another's hand")
    assert logged(made, "disqualified") == [{"player": name, "reason": "looked into another's hand"}]
    assert refusal(entries.disqualify, **disqualify, reason="again") == "already_disqualified"
    assert refusal(entries.withdraw, slug=made.slug, actor=best.player) == "already_withdrawn"
    lines = selectors.standings_of(made)
    assert (lines[-1].entry, lines[0].standing.rank) == (best, 1)
    drawn = rounds.draw_round(slug=made.slug, actor=organiser)
    assert not drawn.seats.filter(entry=best).exists() and played.seats.filter(entry=best).exists()
    assert refusal(entries.enter_many, slug=made.slug, actor=organiser, names=[name]) == "disqualified"
    entries.enter(slug=made.slug, actor=organiser, name=name)
    assert selectors.standings_of(made)[0].entry == best


def test_a_disqualified_player_does_not_enter_again(league, people, organiser):
    made, (amal, _, dana) = league(0, "registration", **PAIRS), people(3)
    entries.enter(slug=made.slug, actor=amal, partner="basil")
    entries.disqualify(slug=made.slug, actor=organiser, name="basil", reason="insults")
    assert refusal(entries.enter, slug=made.slug, actor=amal, partner="basil") == "disqualified"
    assert refusal(entries.enter, slug=made.slug, actor=dana, partner="amal") == "disqualified"
    entering = {"slug": made.slug, "actor": organiser, "name": "amal"}
    assert refusal(entries.enter, **entering, partner="dana") == "disqualified"
    entries.enter(**entering, partner="basil")
    assert states(made) == {"amal & basil": "active"}


def test_a_disqualification_frees_a_place_before_the_start(league, organiser):
    made = league(3, "registration", cap=2)
    entries.disqualify(slug=made.slug, actor=organiser, name="amal", reason="insults")
    assert states(made) == {"amal": "disqualified", "basil": "active", "dana": "active"}


def test_a_referee_disqualifies_and_an_assistant_enters(league, people, organiser):
    made, (amal, basil) = league(2, "registration"), people(2)
    life.name_officials(slug=made.slug, actor=organiser, assistants=["amal"], referees=["basil"])
    out = {"slug": made.slug, "name": "amal", "reason": "insults"}
    assert refusal(entries.disqualify, **out, actor=amal) == "not_organiser"
    entries.disqualify(**out, actor=basil)
    assert refusal(entries.enter, slug=made.slug, actor=basil, name="amal") == "not_organiser"
    entries.enter(slug=made.slug, actor=amal, name="amal")


def test_a_bot_plays_on_for_who_is_disqualified_at_a_running_table(league, people, organiser):
    made = league(4)
    match = draw_and_publish(made).tables.get().match
    entries.disqualify(slug=made.slug, actor=organiser, name="amal", reason="insults")
    assert match.seats.get(player=people(1)[0]).away_since is not None


@pytest.mark.parametrize("role", [0, 1])
def test_the_pair_of_a_closed_account_is_withdrawn_whoever_of_the_two_closed_it(
    league, people, role, django_capture_on_commit_callbacks
):
    made, pair = league(0, "registration", **PAIRS), people(2)
    entries.enter(slug=made.slug, actor=pair[0], partner="basil")
    pair[role].set_password("seven of hearts")
    pair[role].save()
    with django_capture_on_commit_callbacks(execute=True):
        close_account(player=pair[role], password="seven of hearts")
    assert made.entries.get().state == "withdrawn"


@pytest.mark.parametrize("role", [0, 1])
def test_the_sweeper_withdraws_the_pair_of_an_account_whose_message_was_lost(league, people, role):
    made, pair = league(0, "registration", **PAIRS), people(2)
    entries.enter(slug=made.slug, actor=pair[0], partner="basil")
    Player.objects.filter(pk=pair[role].pk).update(closed_at=timezone.now(), is_active=False)
    sweep()
    assert made.entries.get().state == "withdrawn"


# Who runs it


def test_officials_are_named_and_somebody_must_be_left(league, people, organiser):
    made, (amal, basil) = league(0, "draft"), people(2)
    name = {"slug": made.slug, "actor": organiser}
    assert refusal(life.name_officials, **name, referees=["nobody"]) == "no_such_player"
    assert refusal(life.name_officials, **name, organisers=[]) == "no_organiser"
    assert refusal(life.name_officials, **name | {"actor": amal}, organisers=["amal"]) == "not_organiser"
    basil.is_active = False
    basil.save()
    assert refusal(life.name_officials, **name, assistants=["basil"]) == "account_closed"
    life.name_officials(**name, organisers=["amal"], assistants=["AMAL", "olga"])
    assert [player.username for player in made.organisers.all()] == ["amal"]
    assert made.assistants.count() == 2 and made.referees.count() == 0
    assert refusal(life.name_officials, **name, organisers=["olga"]) == "not_organiser"


# Many


def test_ten_thousand_names_take_as_many_queries_as_ten(league, organiser):
    made = league(0, "registration", cap=2)
    Player.objects.bulk_create(Player(username=f"p{number}") for number in range(2010))

    def queries(names: list[str]) -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            entries.enter_many(slug=made.slug, actor=organiser, names=names)
        return sum(not query["sql"].startswith("INSERT") for query in asked)

    few = queries([f"p{number}" for number in range(10)])
    assert queries([f"p{number}" for number in range(10, 2010)]) == few
    data = made.log.first().data
    assert (data["entries"], data["waiting"], len(data["players"])) == (2000, 2000, 100)
    assert entries.MOST_NAMES == 10_000


def test_more_names_than_that_are_refused(league, organiser):
    made = league(0, "registration")
    with pytest.raises(ProblemError, match="At most 10000 names"):
        entries.enter_many(slug=made.slug, actor=organiser, names=["x"] * 10_001)
    assert not Entry.objects.exists()


def test_the_waiting_list_is_in_order_of_coming_and_not_of_names(league, people, organiser):
    made = league(0, "registration", cap=2)
    people(4)
    for name in ("farid", "dana", "basil", "amal"):
        entries.enter(slug=made.slug, actor=organiser, name=name)
    made.entries.filter(player__username="amal").update(created_at=timezone.now() - timedelta(days=1))
    entries.withdraw(slug=made.slug, actor=organiser, name="dana")
    assert states(made) == {"amal": "active", "basil": "waiting", "dana": "withdrawn", "farid": "active"}

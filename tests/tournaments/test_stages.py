"""Stages at the doors: the API and the organiser's desk."""

import pytest

from tests.tournaments.conftest import play_round
from tests.tournaments.test_admin import confirmed, desk, words
from tournaments.services.automatic import advance

pytestmark = pytest.mark.django_db

CUP = [{"format": "swiss", "rounds": 1, "groups": 2}, {"format": "knockout", "cut": 4}]


def test_the_api_starts_a_stage_and_tells_who_is_in_by_seed_alone(league, organiser, api):
    made = league(16, stages=CUP)
    play_round(made)
    olga, at = api(organiser), f"/api/v1/tournaments/{made.slug}"
    told = olga.post(f"{at}/stages/start/", {}, format="json")
    assert told.status_code == 200
    body = told.json()
    assert (body["stage"]["number"], body["stage"]["format"]) == (2, "knockout")
    assert body["stage"]["started_at"].endswith("Z")
    assert len(body["entries"]) == 4
    assert body["by_seed"] == []  # Two winners of each group.
    again = olga.post(f"{at}/stages/start/", {}, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "no_next_stage")


def test_finishing_answers_with_the_ranking_over_all_stages(league, organiser, api):
    made = league(16, stages=CUP)
    play_round(made)
    olga, at = api(organiser), f"/api/v1/tournaments/{made.slug}"
    olga.post(f"{at}/stages/start/", {}, format="json")
    play_round(made)
    ranking = olga.post(f"{at}/finish/", {}, format="json").json()["ranking"]
    assert [line["rank"] for line in ranking[:4]] == [1, 2, 3, 4]
    assert [line["rank"] for line in ranking[4:8]] == [5] * 4
    assert len(ranking) == 16


def test_others_do_not_start_stages(league, api, people):
    made = league(8, stages=CUP)
    amal = api(people(1)[0])
    assert amal.post(f"/api/v1/tournaments/{made.slug}/stages/start/", {}, format="json").status_code == 403


def test_the_desk_leads_from_stage_to_stage(league, staff):
    made = league(16, stages=CUP)
    assert "Start the next stage" not in words(staff, desk(made))
    play_round(made)
    overview = words(staff, desk(made))
    assert "Stage 1 is played. Start stage 2, knockout, with the best 4." in overview
    assert "Start the next stage" in overview and "Draw the next round" not in overview
    assert "group=2" in overview and "Group 2" in overview
    assert "The best go on" in words(staff, desk(made, "step/stage/"), number="1")
    assert "The next stage has begun" in confirmed(staff, made, "stage")
    assert "Draw the first round of stage 2." in words(staff, desk(made))
    play_round(made)
    assert "All rounds are played: finish." in words(staff, desk(made))


def test_the_desk_names_whom_the_seeds_decided_about(league, staff):
    made = league(8, stages=[{"format": "swiss", "rounds": 1}, {"format": "swiss", "cut": 3}])
    play_round(made)
    assert "Equal at the cut, so that their seeds decided:" in confirmed(staff, made, "stage")


def test_a_swiss_may_be_cut_short_on_the_desk(league, staff):
    made = league(8, stages=[{"format": "swiss", "rounds": 5}, {"format": "knockout", "cut": 4}])
    play_round(made)
    overview = words(staff, desk(made))
    assert overview.index("Draw the next round") < overview.index("Start the next stage")


def test_the_desk_tells_until_when_an_arena_runs(league, staff):
    made = league(8, stages=[{"format": "arena", "minutes": 30}], time_zone="Asia/Beirut")
    advance(made.slug)
    overview = words(staff, desk(made))
    assert "The arena runs by itself until" in overview and "(Asia/Beirut)" in overview
    assert "2 tables play now." in overview
    assert "of None" not in overview

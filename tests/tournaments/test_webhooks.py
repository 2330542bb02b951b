"""What a tournament tells: its webhooks, and the webhooks and streams of those who play in it."""

import json

import pytest
from django.db import connection, transaction

from games.models import Delivery, Match, Player, Scope, Webhook
from games.services.webhooks import account_topic, create_webhook
from tests.tournaments.conftest import by_hand, draw_and_publish, finish
from tournaments.services import entries, life, results, rounds
from tournaments.services.webhooks import EVENTS, add_webhook

URL = "https://example.org/trix"


@pytest.fixture
def doors(api, organiser):
    """The doors of the organiser, and the path to the webhooks of a league."""
    return api(organiser)


def path_of(league, *more: str) -> str:
    return "/".join([f"/api/v1/tournaments/{league.slug}/webhooks", *more, ""])


def told(**which) -> list[tuple[str, dict]]:
    return list(Delivery.objects.filter(**which).order_by("pk").values_list("event", "body"))


def test_an_organiser_makes_webhooks_and_every_organiser_sees_them(league, doors, api, people, organiser):
    made = league(8)
    other = people(8)[0]
    made.organisers.add(other)
    hook = doors.post(path_of(made), {"url": URL}, format="json")
    assert hook.status_code == 201 and hook.json()["key"].startswith("whsec_")
    seen = api(other).get(path_of(made)).json()
    assert [each["code"] for each in seen] == [hook.json()["code"]] and "key" not in seen[0]
    assert seen[0]["created_by"] == "olga"
    assert doors.post(path_of(made, hook.json()["code"], "test"), {}, format="json").status_code == 202
    pages = api(other).get(path_of(made, hook.json()["code"], "deliveries")).json()
    assert [each["event"] for each in pages["results"]] == ["ping"]
    assert api(other).delete(path_of(made, hook.json()["code"])).status_code == 204
    log = list(made.log.values_list("action", flat=True))[:2]
    assert log == ["webhook_removed", "webhook_added"]


def test_nobody_else_comes_near(league, doors, api, people):
    made = league(8)
    code = doors.post(path_of(made), {"url": URL}, format="json").json()["code"]
    for viewer, status in ((api(people(8)[0]), 403), (api(None), 401)):
        for path in (path_of(made), path_of(made, code), path_of(made, code, "deliveries")):
            assert viewer.get(path).status_code == status
        assert viewer.post(path_of(made), {"url": URL}, format="json").status_code == status
        assert viewer.post(path_of(made, code, "test"), {}, format="json").status_code == status
        assert viewer.delete(path_of(made, code)).status_code == status
    assert doors.get("/api/v1/tournaments/none/webhooks/").json()["code"] == "no_such_tournament"
    assert doors.get(path_of(league(0, "draft", name="Other"), code)).json()["code"] == "no_such_webhook"


def test_a_token_needs_the_scope_to_organise(league, doors, organiser):
    made = league(8)
    organiser.auth_token_set.update(scopes=[Scope.READ, Scope.PLAY])
    refused = doors.post(path_of(made), {"url": URL}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")


def test_events_of_accounts_are_none_of_tournaments(league, doors):
    refused = doors.post(path_of(league(8)), {"url": URL, "events": ["match_started"]}, format="json")
    assert refused.json()["code"] == "unknown_event"
    assert all(event in refused.json()["detail"] for event in EVENTS)


def test_ten_a_tournament_whoever_makes_them(league, doors, api, people):
    made = league(8)
    other = people(8)[0]
    made.organisers.add(other)
    for who in [doors, api(other)] * 5:
        assert who.post(path_of(made), {"url": URL}, format="json").status_code == 201
    assert doors.post(path_of(made), {"url": URL}, format="json").json()["code"] == "too_many_webhooks"


def test_the_whole_life_of_a_tournament_is_told(league, organiser):
    made = league(8, state="draft")
    add_webhook(slug=made.slug, actor=organiser, url=URL)
    life.open_registration(slug=made.slug, actor=organiser)
    life.start(slug=made.slug, actor=organiser)
    round_ = draw_and_publish(made)
    first, second = round_.tables.order_by("number")
    results.record_match(finish(first))
    by_hand(second)
    rounds.close_round(slug=made.slug, number=1, actor=organiser)
    fixed = first.results.get(superseded_at=None)
    by_hand(first, (400, 0, -100, -300), replaces=fixed.pk)
    life.finish(slug=made.slug, actor=organiser)
    base = {"tournament": made.slug}
    entered = {"round": 1, **base}
    match, other = (table.match.code for table in (first, second))
    assert told() == [
        ("tournament_opened", base),
        ("tournament_started", base),
        ("round_published", {**entered, "tables": 2}),
        ("result_entered", {**entered, "table": 1, "match": match, "result": scores(300, source="played")}),
        ("result_entered", {**entered, "table": 2, "match": other, "result": scores(300)}),
        ("round_closed", entered),
        ("result_entered", {**entered, "table": 1, "match": match, "result": scores(400, east=0)}),
        ("tournament_finished", base),
    ]


def scores(south: int, east: int = 100, source: str = "entered") -> dict:
    reason = "played at home" if source == "entered" else ""
    points = {"S": south, "E": east, "N": -100, "W": -300}
    return {"scores": points, "source": source, "reason": reason}


def test_a_cancelled_tournament_is_told(league, organiser):
    made = league(8)
    add_webhook(slug=made.slug, actor=organiser, url=URL)
    life.cancel(slug=made.slug, actor=organiser, reason="nobody came")
    assert told() == [("tournament_cancelled", {"tournament": made.slug})]


def test_another_address_of_a_tournament_changes_nothing(league, organiser):
    made = league(8, state="registration")
    add_webhook(slug=made.slug, actor=organiser, url=URL)
    life.change_settings(made.slug, actor=organiser, slug="another")
    life.start(slug="another", actor=organiser)
    assert told() == [("tournament_started", {"tournament": "another"})]


def test_results_stay_hidden_while_others_still_play_the_same_cards(league, organiser):
    made = league(8, same_cards=True)
    add_webhook(slug=made.slug, actor=organiser, url=URL, events=["result_entered"])
    round_ = draw_and_publish(made)
    # Whoever turns it off later does not uncover the cards of this round.
    life.change_settings(made.slug, actor=organiser, same_cards=False)
    first, second = round_.tables.order_by("number")
    results.record_match(finish(first))
    results.record_match(finish(second))
    assert [body["result"] and body["result"]["source"] for _, body in told()] == [None, "played"]


def test_players_are_told_which_match_is_theirs(league, people, organiser):
    made = league(8, state="registration")
    player, gone = people(8)[:2]
    for each in (player, gone):
        create_webhook(topic=account_topic(each), owner=each, url=URL)
    entries.withdraw(slug=made.slug, actor=gone)
    life.start(slug=made.slug, actor=organiser)
    round_ = draw_and_publish(made)
    for table in round_.tables.all():
        by_hand(table)
    rounds.close_round(slug=made.slug, number=1, actor=None)
    life.finish(slug=made.slug, actor=None)
    match = Match.objects.get(seats__player=player)
    base = {"tournament": made.slug}
    of_tournament = [each for each in told(webhook__owner=player) if not each[0].startswith("match")]
    assert of_tournament == [
        ("tournament_started", base),
        ("round_published", {**base, "round": 1, "match": match.code}),
        ("round_closed", {**base, "round": 1}),
        ("tournament_finished", base),
    ]
    assert told(webhook__owner=gone) == []


@pytest.mark.django_db(transaction=True)
def test_the_streams_of_players_are_told_the_same(transactional_db, league, people, organiser):
    made = league(8, state="registration")
    player = people(8)[0]
    with listening() as heard:
        life.start(slug=made.slug, actor=organiser)
        round_ = draw_and_publish(made)
        for table in round_.tables.all():
            by_hand(table)
        rounds.close_round(slug=made.slug, number=1, actor=None)
        life.finish(slug=made.slug, actor=None)
    match = Match.objects.get(seats__player=player)
    base = {"tournament": made.slug}
    assert [(news["type"], news["data"]) for news in heard if player.pk in news["players"]] == [
        ("tournament_started", base),
        ("round_published", {**base, "round": 1, "match": match.code}),
        ("round_closed", {**base, "round": 1}),
        ("tournament_finished", base),
    ]


def test_nothing_is_told_of_a_step_that_fails(league, organiser, people):
    made = league(8)
    add_webhook(slug=made.slug, actor=organiser, url=URL)
    with pytest.raises(RuntimeError), transaction.atomic():
        draw_and_publish(made)
        raise RuntimeError
    assert told() == []


def test_an_organiser_whose_account_is_closed_is_told_no_more(league, organiser):
    made = league(8)
    add_webhook(slug=made.slug, actor=organiser, url=URL)
    Player.objects.filter(pk=organiser.pk).update(is_active=False)
    draw_and_publish(made)
    assert told() == [] and Webhook.objects.exists()


def listening():
    """The news that are sent on the channel of the streams meanwhile."""
    from contextlib import contextmanager

    import psycopg

    @contextmanager
    def opened():
        heard: list[dict] = []
        parameters = {
            name: value
            for name, value in connection.get_connection_params().items()
            if name in ("host", "port", "dbname", "user", "password")
        }
        with psycopg.connect(**parameters, autocommit=True) as listener:
            listener.execute("LISTEN trix")
            yield heard
            for note in listener.notifies(timeout=5, stop_after=None):
                word, _, rest = note.payload.partition(" ")
                if word == "news":
                    heard.append(json.loads(rest))
                    if heard[-1]["type"] == "tournament_finished":
                        break

    return opened()

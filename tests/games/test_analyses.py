"""Analyses of matches that are over: who gets them and when, and that each is made once whatever is lost."""

from collections import Counter
from datetime import timedelta
from functools import partial
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from games.bots.analysis import decision
from games.bots.decisions import pack
from games.bots.strong import USUAL
from games.engine import Contract, action_text, legal_actions, view
from games.engine.cards import SEAT_NAMES
from games.models import Analysis, Match, Player
from games.services import analyses, matches
from games.tasks import analyse, sweep
from tests.games.play import act, act_until, at_once, bots_play_deals, in_play, secret_where
from tests.games.test_races import Caller
from tests.games.test_record import read
from tests.games.test_tasks import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
RULES = "cardkings-complex"


@pytest.fixture
def messages(monkeypatch):
    """What would be sent to workers."""
    sent = []
    monkeypatch.setattr(analyse, "apply_async", lambda args, countdown: sent.append(args))
    return sent


@pytest.fixture
def quick(monkeypatch):
    """Analyses without decisions. What was analysed: match and deal."""
    made = []

    def analysed(match: Match, done: int) -> bytes:
        made.append((match.pk, done + 1))
        return pack([])

    monkeypatch.setattr(analyses, "_analysed", analysed)
    return made


def begun(cast, **options) -> Match:
    secret = options.pop("secret", secret_where(0, RULES))
    return matches.create_match(rules=RULES, options={}, seats=cast, secret=secret, **options)


def over(cast, **options) -> Match:
    match = begun(cast, **options)
    bots_play_deals(match)
    return match


def work(messages) -> None:
    """Do what was sent, as a worker would."""
    while messages:
        analyse(*messages.pop(0))


def time_passes() -> None:
    """As if what is due later were overdue."""
    Analysis.objects.filter(due_at__isnull=False).update(due_at=timezone.now() - timedelta(seconds=1))


def path(match: Match) -> str:
    return f"matches/{match.code}/analysis/"


def blunder(match: Match) -> tuple[int, int, str]:
    """Play the worst card at the next decision where that costs a lot; its deal, play and text."""
    while True:
        state = act_until(match, in_play)
        legal = legal_actions(state, state.turn)
        for card in legal if len(legal) > 1 and state.contract is not Contract.TRIX else ():
            thought = decision(view(state, state.turn), legal, card, Random(1), USUAL)
            if thought.lost > 20:
                act(match, action_text(card))
                return state.number, len(state.plays) + 1, action_text(card)
        act(match)


def test_a_planted_blunder_is_found_and_the_annotated_record_replays_to_the_same(apis, api, cast, messages):
    match = begun(cast)
    deal, play, card = blunder(match)
    bots_play_deals(match)
    assert apis[0].post(path(match)).status_code == 202
    assert api().get(f"matches/{match.code}/record/?analysis=true").json()["code"] == "analysis_not_ready"
    work(messages)
    found = api().get(path(match)).json()
    assert (found["state"], found["deals"]) == ("ready", 8)
    (planted,) = [one for one in found["decisions"] if (one["deal"], one["play"]) == (deal, play)]
    assert (planted["played"], planted["mistake"]) == (card, True)
    assert planted["best"] != card and planted["lost"] - 1.96 * planted["error"] > 10
    assert found["seats"][planted["seat"]]["mistakes"] >= 1
    record, annotated = (
        api().get(f"matches/{match.code}/record/{query}").content.decode() for query in ("", "?analysis=true")
    )
    assert f"# play {play}, {planted['seat']} {card.removeprefix('play ')}: better " in annotated
    assert read(annotated).results == read(record).results and len(read(record).results) == 8
    assert [line for line in annotated.splitlines() if not line.startswith("#")] == record.splitlines()


def test_decisions_are_narrowed_by_deal_seat_and_mistakes(apis, api, cast, messages):
    match = matches.create_match(rules=RULES, options={}, seats=[cast[0], *["random"] * 3])
    bots_play_deals(match)
    apis[0].post(path(match))
    work(messages)
    found = api().get(path(match)).json()
    wanted = {"deal": lambda one: one["deal"] == 2, "seat": lambda one: one["seat"] == "E"}
    for name, value in (("deal", 2), ("seat", "E")):
        shown = api().get(path(match), **{name: value}).json()
        assert shown["decisions"] == list(filter(wanted[name], found["decisions"]))
        assert shown["seats"] == found["seats"]
    mistakes = api().get(path(match), mistakes=True).json()["decisions"]
    assert mistakes == [one for one in found["decisions"] if one["mistake"]] != []
    for seat in SEAT_NAMES:
        lost = sum(one["lost"] for one in mistakes if one["seat"] == seat)
        assert found["seats"][seat]["lost"] == pytest.approx(lost)
    assert api().get(path(match), seat="X").status_code == 400


def test_it_is_made_once_and_stays_the_same(apis, api, cast, messages, quick):
    match = over(cast)
    assert api().get(path(match)).json()["code"] == "no_analysis"
    assert [apis[seat].post(path(match)).status_code for seat in (0, 1)] == [202, 202]
    assert messages == [(match.pk, 0, 0)]
    work(messages)
    again = apis[2].post(path(match))
    assert (again.status_code, again.json()["state"], messages) == (200, "ready", [])
    assert quick == [(match.pk, deal) for deal in range(1, 9)]


def test_of_eight_who_ask_at_once_over_real_connections_one_starts_it(live_api, cast, celery_worker_process):
    match = matches.create_match(rules=RULES, options={}, seats=cast)
    bots_play_deals(match)
    callers = [Caller(live_api, player) for player in cast for _ in range(2)]
    answers = at_once([partial(post, path(match)) for post in callers])
    for caller in callers:
        caller.connection.close()
    assert Counter(status for status, _ in answers) == {202: 8}
    assert Analysis.objects.count() == 1
    wait_until(lambda: Analysis.objects.get().state == "ready")
    done = [line for line in celery_worker_process.output.splitlines() if "games.tasks.analyse[" in line]
    assert sum(" received" in line for line in done) == 8  # A deal each.


def test_a_lost_message_is_found_again_by_the_sweep(apis, cast, messages, quick):
    match = over(cast)
    apis[0].post(path(match))
    sweep()
    assert [messages.pop()] == [(match.pk, 0, 0)]
    time_passes()
    sweep()
    sweep()
    work(messages[:1])
    assert quick == [(match.pk, 1)]


def test_a_message_that_comes_twice_is_done_once(apis, cast, messages, quick):
    match = over(cast)
    apis[0].post(path(match))
    analyse(*messages[0])
    analyse(*messages[0])
    assert quick == [(match.pk, 1)] and len(messages) == 2


def test_a_worker_that_dies_is_followed_by_another_but_not_for_ever(apis, api, cast, messages, monkeypatch):
    def killed(*_):
        raise SystemExit

    monkeypatch.setattr(analyses, "_analysed", killed)
    match = over(cast)
    apis[0].post(path(match))
    for tries in range(3):
        assert [messages[-1]] == messages[tries:] == [(match.pk, 0, tries)]
        with pytest.raises(SystemExit):
            analyse(*messages[-1])
        time_passes()
        sweep()
    assert len(messages) == 3
    assert api().get(path(match)).json()["state"] == "failed"
    assert apis[0].post(path(match)).json()["state"] == "asked"
    assert messages[3:] == [(match.pk, 0, 0)]


def test_what_fails_is_logged_and_the_next_in_line_is_called(apis, api, cast, messages, monkeypatch, caplog):
    def broken(*_):
        raise RuntimeError("no analysis today")

    monkeypatch.setattr(analyses, "_analysed", broken)
    first, second = over(cast), over(cast)
    for match in (first, second):
        apis[0].post(path(match))
    analyse(*messages.pop())
    assert "no analysis today" in caplog.text
    assert api().get(path(first)).json()["state"] == "failed"
    assert messages == [(second.pk, 0, 0)]


def test_one_match_is_analysed_at_a_time(apis, cast, messages, quick):
    first, second = over(cast), over(cast)
    for match in (first, second):
        apis[0].post(path(match))
    assert messages == [(first.pk, 0, 0)]
    work(messages)
    assert [pk for pk, _ in quick] == [first.pk] * 8 + [second.pk] * 8


def test_a_match_that_is_not_over_is_not_analysed(apis, cast, messages):
    running = begun(cast)
    bots_play_deals(running, 3)
    opened = matches.open_match(player=cast[0], rules=RULES, options={})
    for match, code in ((running, "match_running"), (opened, "match_open")):
        refused = apis[0].post(path(match))
        assert (refused.status_code, refused.json()["code"]) == (409, code)
        assert apis[0].get(path(match)).json()["code"] == "no_analysis"
    assert not Analysis.objects.exists()


def test_what_was_played_of_a_match_that_was_called_off_is_analysed(apis, api, cast, messages, quick):
    match = begun(cast)
    bots_play_deals(match, 2)
    Match.objects.update(status="cancelled", deadline=None, bots_due=None)
    apis[0].post(path(match))
    work(messages)
    assert api().get(path(match)).json()["deals"] == 3
    never = matches.open_match(player=cast[0], rules=RULES, options={})
    matches.leave(match_code=never.code, player=cast[0])
    assert apis[0].post(path(never)).json()["code"] == "match_cancelled"


def test_nothing_is_told_while_the_same_cards_are_played_elsewhere(apis, api, cast, messages, quick):
    """Not before the last table is done, and not again while a table plays them once more."""
    match, other = over(cast), begun(cast)
    assert apis[0].post(path(match)).json()["code"] == "cards_in_play"
    bots_play_deals(other)
    assert apis[0].post(path(match)).status_code == 202
    work(messages)
    assert api().get(path(match)).json()["state"] == "ready"
    begun(cast)
    for viewer in (apis[0], api()):
        assert viewer.get(path(match)).json()["code"] == "no_analysis"
        refused = viewer.get(f"matches/{match.code}/record/?analysis=true")
        assert (refused.status_code, refused.json()["code"]) == (404, "no_analysis")


def test_a_private_match_is_analysed_for_its_players_alone(apis, api, cast, stranger, messages, quick):
    match = over(cast)
    Match.objects.update(visibility="private")
    assert api(stranger).post(path(match)).json()["code"] == "no_such_match"
    assert apis[0].post(path(match)).status_code == 202
    work(messages)
    assert [viewer.get(path(match)).status_code for viewer in (apis[1], api(stranger), api())] == [
        200,
        404,
        404,
    ]


def test_without_numba_it_says_so(apis, cast, messages, monkeypatch):
    match = over(cast)
    monkeypatch.setattr(analyses, "find_spec", lambda name: None)
    refused = apis[0].post(path(match))
    assert (refused.status_code, refused.json()["code"]) == (409, "analysis_unavailable")


def test_nobody_asks_without_an_account_or_too_often(apis, api, cast, messages, quick):
    match = over(cast)
    assert api().post(path(match)).status_code == 401
    assert Counter(apis[0].post(path(match)).status_code for _ in range(61)) == {202: 60, 429: 1}
    assert apis[0].get(path(match)).status_code == 200


# The page of the admin


@pytest.fixture
def staff(transactional_db) -> Client:
    client = Client()
    client.force_login(Player.objects.create_superuser("root"))
    return client


def page_of(match: Match) -> str:
    return f"/admin/games/match/{match.pk}/analysis/"


def test_staff_ask_in_the_admin_and_read_who_lost_what(staff, cast, messages):
    match = matches.create_match(rules=RULES, options={}, seats=[cast[2], *["random"] * 3])
    bots_play_deals(match)
    detail = staff.get(f"/admin/games/match/{match.pk}/change/").content.decode()
    assert f"/admin/games/match/{match.pk}/to-analysis" in detail
    assert "There is none yet." in staff.get(page_of(match)).content.decode()
    asked = staff.post(page_of(match), follow=True).content.decode()
    assert "0 of 8 deals" in asked
    work(messages)
    shown = staff.get(page_of(match))
    first = shown.context["mistakes"]["rows"][0]
    text = shown.content.decode()
    assert "<bdi>كارلا</bdi>" in text and str(first[-1]) in text and "Analyse</" not in text


def test_what_is_refused_in_the_admin_is_a_message(staff, cast, messages):
    match = begun(cast)
    assert "The match is running, not finished." in staff.post(page_of(match), follow=True).content.decode()
    assert staff.get("/admin/games/match/999999/analysis/").status_code == 404


def test_the_page_is_for_those_who_may_see_matches(cast, messages):
    match = over(cast)
    client = Client()
    client.force_login(Player.objects.create_user("clerk", is_staff=True))
    assert client.post(page_of(match)).status_code in (403, 404)
    assert not Analysis.objects.exists()

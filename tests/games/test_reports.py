"""Reports of messages: POST matches/{code}/chat/{id}/report/, and what staff do about them."""

import pytest
from django.test import Client
from django.urls import reverse

from games.models import ChatMessage, ChatReport, Player
from games.services import chat
from tests.games.answers import refusal, texts
from tests.games.play import play_out


@pytest.fixture
def path(match) -> str:
    return f"matches/{match.code}/chat/"


@pytest.fixture
def bad(apis, path) -> int:
    return apis[1].post(path, text="a bad word").json()["id"]


def test_a_player_reports_a_message_once(apis, path, bad):
    answer = apis[0].post(f"{path}{bad}/report/", reason="insult")
    assert (answer.status_code, answer.content) == (204, b"")
    assert refusal(apis[0].post(f"{path}{bad}/report/")) == (409, "already_reported")
    assert apis[2].post(f"{path}{bad}/report/").status_code == 204
    reports = ChatReport.objects.order_by("pk").values_list("reporter__username", "reason")
    assert list(reports) == [("amal", "insult"), ("كارلا", "")]


def test_reporting_changes_nothing_for_the_table(apis, path, bad):
    before = apis[1].get(path).content
    apis[0].post(f"{path}{bad}/report/")
    assert apis[1].get(path).content == before


def test_what_cannot_be_reported(apis, api, path, bad, stranger, match):
    assert refusal(apis[1].post(f"{path}{bad}/report/")) == (409, "own_message")
    assert refusal(apis[0].post(f"{path}{bad + 1000}/report/")) == (404, "no_such_message")
    assert refusal(apis[0].post(f"{path}{10**30}/report/")) == (404, "no_such_message")
    assert refusal(apis[0].post(f"{path}x/report/")) == (404, "not_found")
    assert refusal(api(stranger).post(f"{path}{bad}/report/")) == (403, "not_your_seat")
    assert refusal(api().post(f"{path}{bad}/report/")) == (401, "not_authenticated")
    other = apis[0].post("matches/", rules="eram").json()["code"]
    assert refusal(apis[0].post(f"matches/{other}/chat/{bad}/report/")) == (404, "no_such_message")
    assert refusal(apis[0].post(f"matches/nothing/chat/{bad}/report/")) == (404, "no_such_match")
    assert not ChatReport.objects.exists()


@pytest.mark.parametrize("reason", ["two\nlines", "x" * 301, 5, "\u200d"], ids=repr)
def test_a_reason_is_one_line(apis, path, bad, reason):
    assert refusal(apis[0].post(f"{path}{bad}/report/", reason=reason)) == (400, "invalid")
    assert not ChatReport.objects.exists()


def test_a_hidden_message_is_read_and_reported_no_more(apis, path, bad):
    apis[0].post(f"{path}{bad}/report/")
    apis[1].post(path, text="sorry")
    assert chat.hide(ChatReport.objects.all()) == 1
    for player in apis:
        assert texts(player.get(path)) == ["sorry"]
    assert refusal(apis[2].post(f"{path}{bad}/report/")) == (404, "no_such_message")


def test_what_was_said_can_be_reported_after_the_match(apis, match, path, bad):
    play_out(match)
    assert apis[0].post(f"{path}{bad}/report/").status_code == 204


@pytest.fixture
def desk(db) -> Client:
    client = Client()
    client.force_login(Player.objects.create_superuser("staff", password="a long enough one"))
    return client


LIST = "admin:games_chatreport_changelist"


def choose(desk, action, *reports):
    return desk.post(
        reverse(LIST), {"action": action, "_selected_action": [report.pk for report in reports]}, follow=True
    )


def test_staff_see_a_report_with_what_was_said_before(apis, desk, match, path):
    for number in range(8):
        apis[number % 4].post(path, text=f"word {number}")
    bad = apis[1].post(path, text="<b>a bad word</b>").json()["id"]
    apis[2].post(path, text="said after it")
    apis[0].post(f"{path}{bad}/report/", reason="insult")
    page = desk.get(reverse(LIST)).content.decode()
    for shown in (match.code, "basil", "amal", "insult", "&lt;b&gt;a bad word&lt;/b&gt;"):
        assert shown in page
    report = ChatReport.objects.get()
    page = desk.get(reverse("admin:games_chatreport_change", args=[report.pk])).content.decode()
    assert "word 7" in page and "word 3" in page
    assert "word 2" not in page and "said after it" not in page


def test_staff_hide_a_message_which_settles_all_its_reports(apis, desk, path, bad):
    for player in (apis[0], apis[2]):
        player.post(f"{path}{bad}/report/")
    first, _ = ChatReport.objects.order_by("pk")
    choose(desk, "hide_messages", first)
    assert ChatMessage.objects.get().hidden_at is not None
    assert not ChatReport.objects.filter(settled_at=None).exists()


def test_staff_settle_a_report_and_the_message_stays(apis, desk, path, bad):
    apis[0].post(f"{path}{bad}/report/")
    choose(desk, "settle_reports", ChatReport.objects.get())
    assert ChatReport.objects.get().settled_at is not None
    assert texts(apis[0].get(path)) == ["a bad word"]
    assert "a bad word" not in desk.get(reverse(LIST), {"state": "open"}).content.decode()
    assert "a bad word" in desk.get(reverse(LIST), {"state": "settled"}).content.decode()


def test_without_the_permission_staff_neither_see_nor_hide(apis, path, bad, db):
    apis[0].post(f"{path}{bad}/report/")
    client = Client()
    client.force_login(Player.objects.create_user("clerk", password="a long enough one", is_staff=True))
    assert client.get(reverse(LIST)).status_code == 403
    assert choose(client, "hide_messages", ChatReport.objects.get()).status_code == 403
    assert ChatMessage.objects.get().hidden_at is None


def test_nothing_of_a_report_is_changed_by_hand(apis, desk, path, bad):
    apis[0].post(f"{path}{bad}/report/")
    report = ChatReport.objects.get()
    desk.post(reverse("admin:games_chatreport_change", args=[report.pk]), {"reason": "other"})
    report.refresh_from_db()
    assert report.reason == ""
    assert desk.post(reverse("admin:games_chatreport_add"), {"reason": "x"}).status_code == 403
    assert desk.post(reverse("admin:games_chatreport_delete", args=[report.pk])).status_code == 403

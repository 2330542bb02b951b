"""Passwords: changed with the old one, or through a link that goes to the account's e-mail address alone."""

import json
import logging
import re
import urllib.request
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.core import mail
from django.test import Client

from games import tasks
from games.models import ApiToken, Player
from games.services import passwords
from tests.games.test_races import at_once
from trix_site.common.errors import BadRequest

PASSWORD, NEW = "seven of hearts", "king of clubs"


@pytest.fixture
def amal(db, messages):
    return Player.objects.create_user("amal", "amal@trix.example", PASSWORD)


@pytest.fixture
def messages(monkeypatch):
    """What is sent to workers, and done at once."""
    sent = []
    for task in (tasks.mail_resets, tasks.mail_reset):

        def delay(*arguments, task=task):
            sent.append((task.name, json.loads(json.dumps(arguments))))
            task(*arguments)

        monkeypatch.setattr(task, "delay", delay)
    monkeypatch.setattr("django.db.transaction.on_commit", lambda call, robust: call())
    return sent


def login(api, password):
    return api().post("auth/tokens/", username="amal", password=password).status_code


# With the old one


def test_a_changed_password_ends_the_tokens_of_the_old_one(api, amal):
    client, other = api(amal), api(amal)
    answer = client.post("account/password/", password=PASSWORD, new_password=NEW)
    assert (answer.status_code, answer.content) == (204, b"")
    assert client.get("account/").status_code == other.get("account/").status_code == 401
    assert (login(api, PASSWORD), login(api, NEW)) == (401, 201)


def test_without_the_old_password_there_is_no_new_one(api, amal):
    client = api(amal)
    answer = client.post("account/password/", password="?", new_password=NEW)
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_password")
    assert client.get("account/").status_code == 200
    assert login(api, PASSWORD) == 201


def test_a_weak_new_password_is_refused_and_nothing_ends(api, amal):
    client = api(amal)
    answer = client.post("account/password/", password=PASSWORD, new_password="amal1")
    assert (answer.status_code, answer.json()["code"]) == (400, "weak_password")
    assert client.get("account/").status_code == 200


def test_guesses_are_limited_with_a_token_too_and_count_with_those_without(api, amal):
    client = api(amal)
    calls = [
        lambda: client.post("account/password/", password="?", new_password=NEW),
        lambda: client.patch("account/", password="?", email=""),
        lambda: client.delete("account/", password="?"),
        lambda: api().post("auth/tokens/", username="AMAL", password="?"),
    ]
    assert {call().status_code for call in calls * 5} == {401, 403}
    assert {call().status_code for call in calls} == {429}
    assert client.get("account/").status_code == 200


def test_the_email_address_changes_with_the_password(api, amal):
    client = api(amal)
    assert client.patch("account/", password="?", email="other@trix.example").status_code == 403
    answer = client.patch("account/", password=PASSWORD, email="other@trix.example")
    assert answer.json() == {"name": "amal", "is_bot": False, "email": "other@trix.example"}
    assert client.patch("account/", password=PASSWORD, email="").json()["email"] == ""
    assert client.patch("account/", password=PASSWORD, email="nowhere").status_code == 400
    amal.refresh_from_db()
    assert amal.email == ""


# With a link


def ask(api, email="amal@trix.example"):
    return api().post("auth/password/reset/", email=email)


def link_in(message):
    """The page, and what a program sends."""
    page = re.search(r"http://localhost:8000(/\S+)", message.body.split("open this")[1])
    said = re.search(r"\{.*\}", message.body)
    return page[1], json.loads(said[0]) | {"password": NEW}


def test_a_link_sets_a_new_password_once(api, amal):
    client = api(amal)
    assert (ask(api).status_code, ask(api, "AMAL@Trix.example").status_code) == (202, 202)
    first, second = mail.outbox
    assert first.to == ["amal@trix.example"]
    assert first.subject == "A new password for amal"
    _, body = link_in(first)
    assert api().post("auth/password/reset/confirm/", **body).status_code == 204
    assert client.get("account/").status_code == 401
    assert (login(api, PASSWORD), login(api, NEW)) == (401, 201)
    for message in (first, second):
        answer = api().post("auth/password/reset/confirm/", **link_in(message)[1])
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_reset_link")


def test_an_address_that_nobody_has_gets_the_same_answer_and_no_mail(api, amal, messages):
    known, unknown = ask(api), ask(api, "nobody@trix.example")
    assert (known.status_code, known.content) == (unknown.status_code, unknown.content) == (202, b"")
    assert len(mail.outbox) == 1
    assert messages == [
        ("games.tasks.mail_resets", [[amal.pk]]),
        ("games.tasks.mail_reset", [amal.pk]),
        ("games.tasks.mail_resets", [[]]),
    ]


def test_every_account_of_an_address_gets_a_mail_that_names_it(api, amal):
    Player.objects.create_user("كارلا", "amal@trix.example", PASSWORD)
    ask(api)
    assert [message.subject for message in mail.outbox] == [
        "A new password for amal",
        "A new password for كارلا",
    ]
    for message in mail.outbox:
        api().post("auth/password/reset/confirm/", **link_in(message)[1])
    assert all(player.check_password(NEW) for player in Player.objects.all())


@pytest.mark.parametrize("change", [{"is_active": False}, {"email": ""}, {"password": "!"}], ids=str)
def test_who_may_not_have_a_password_gets_no_link(api, amal, change):
    Player.objects.update(**change)
    assert ask(api).status_code == 202
    assert mail.outbox == []


def test_a_link_ends_with_its_time_and_with_the_address_it_went_to(api, amal, monkeypatch, settings):
    ask(api)
    _, body = link_in(mail.outbox[0])
    now = default_token_generator._now()
    late = now + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT + 1)
    monkeypatch.setattr(default_token_generator, "_now", lambda: late)
    assert api().post("auth/password/reset/confirm/", **body).json()["code"] == "invalid_reset_link"
    monkeypatch.setattr(default_token_generator, "_now", lambda: now)
    api(amal).patch("account/", password=PASSWORD, email="other@trix.example")
    assert api().post("auth/password/reset/confirm/", **body).json()["code"] == "invalid_reset_link"


@pytest.mark.parametrize("uid", ["", "x", "MQ", "====", "٣", "LTE", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk"])
def test_a_link_that_never_was_one_is_refused(api, amal, uid):
    answer = api().post("auth/password/reset/confirm/", uid=uid or " ", token="x-y", password=NEW)
    assert answer.status_code == 400
    assert login(api, PASSWORD) == 201


def test_a_weak_password_leaves_the_link_as_it_is(api, amal):
    ask(api)
    _, body = link_in(mail.outbox[0])
    answer = api().post("auth/password/reset/confirm/", **body | {"password": "amal1"})
    assert answer.json()["code"] == "weak_password"
    assert api().post("auth/password/reset/confirm/", **body).status_code == 204


def test_links_are_limited_by_the_address_they_go_to_whether_anyone_has_it_or_not(api, amal):
    for email in ("amal@trix.example", "nobody@trix.example"):
        found = [ask(api, email if n % 2 else email.upper()).status_code for n in range(6)]
        assert found == [202] * 5 + [429], email
    assert len(mail.outbox) == 5


def test_links_are_limited_by_the_address_that_asks(api, db, messages):
    assert [ask(api, f"no{n}@trix.example").status_code for n in range(21)] == [202] * 20 + [429]


def test_no_link_is_in_a_log_or_a_message(api, amal, messages, caplog):
    caplog.set_level(logging.DEBUG)
    ask(api)
    page, body = link_in(mail.outbox[0])
    api().post("auth/password/reset/confirm/", **body)
    Client().get(page)
    assert body["token"] not in caplog.text + str(messages)
    assert NEW not in caplog.text + str(messages)


# The pages


def test_the_page_of_a_link_sets_the_password(api, amal):
    client = api(amal)
    ask(api)
    page, body = link_in(mail.outbox[0])
    browser = Client()
    assert body["token"] not in browser.get(page).headers["Location"]
    shown = browser.get(page, follow=True)
    assert "For the account" in shown.content.decode() and "amal" in shown.content.decode()
    form = shown.request["PATH_INFO"]
    weak = browser.post(form, {"new_password1": "amal1", "new_password2": "amal1"})
    assert "too short" in weak.content.decode()
    long = browser.post(form, {"new_password1": NEW * 20, "new_password2": NEW * 20})
    assert "at most 200 characters" in long.content.decode()  # With more no token could be made.
    done = browser.post(form, {"new_password1": NEW, "new_password2": NEW}, follow=True)
    assert "Your new password is set" in done.content.decode()
    assert client.get("account/").status_code == 401
    assert login(api, NEW) == 201
    assert "has been used" in Client().get(page, follow=True).content.decode()


def test_whoever_has_forgotten_it_asks_on_a_page(api, amal):
    assert 'href="/account/password/"' in Client().get("/admin/login/").content.decode()
    for email in ("amal@trix.example", "nobody@trix.example"):
        asked = Client().post("/account/password/", {"email": email}, follow=True)
        assert "If an account here has this e-mail address" in asked.content.decode()
    assert [message.to for message in mail.outbox] == [["amal@trix.example"]]


def test_the_page_is_limited_like_the_call(api, amal):
    for _ in range(5):
        ask(api)
    asked = Client().post("/account/password/", {"email": "Amal@trix.example"})
    assert "too often" in asked.content.decode()
    assert len(mail.outbox) == 5


# In the admin


def test_a_password_that_the_admin_disables_ends_the_tokens(api, amal):
    client = api(amal)
    root = Player.objects.create_superuser("root", password=PASSWORD)
    browser = Client()
    browser.force_login(root)
    answer = browser.post(
        f"/admin/games/player/{amal.pk}/password/", {"unset-password": "1", "usable_password": "false"}
    )
    assert answer.status_code == 302
    assert not Player.objects.get(pk=amal.pk).has_usable_password()
    assert client.get("account/").status_code == 401
    assert not ApiToken.objects.exists()


# For real


@pytest.mark.django_db(transaction=True)
def test_a_link_that_two_use_at_once_works_for_one():
    amal = Player.objects.create_user("amal", "amal@trix.example", PASSWORD)
    context = passwords._reset_context(amal)

    def use(password):
        try:
            passwords.reset(uid=context["uid"], token=context["token"], password=password)
        except BadRequest as error:
            return error.code
        return password

    tried = [f"king of clubs {n}" for n in range(4)]
    found = at_once([partial(use, password) for password in tried])
    (winner,) = set(found) - {"invalid_reset_link"}
    amal.refresh_from_db()
    assert amal.check_password(winner)


def test_a_worker_makes_the_link_and_sends_the_mail(live_api, celery_worker_process):
    """The trial's way: the mail is printed. The message that the worker got, and its log, hold no link."""
    Player.objects.create_user("أمينة", "amina@trix.example", PASSWORD)
    body = json.dumps({"email": "amina@trix.example"}).encode()
    address = f"{live_api}/api/v1/auth/password/reset/"
    asked = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked) as answer:
        assert answer.status == 202
    celery_worker_process.wait_for("the password stays as it is")
    said = celery_worker_process.output
    assert "account أمينة at http://localhost" in said
    link = re.search(r"http://localhost:\d+(/account/password/\S+/(\S+)/)", said)
    assert "For the account" in Client().get(link[1], follow=True).content.decode()
    printed = said[said.index("Subject:") : said.index("the password stays as it is")]
    assert link[2] not in said.replace(printed, "")

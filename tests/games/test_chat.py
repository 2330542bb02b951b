"""Chat: GET and POST matches/{code}/chat/. What is said at a table is for its players."""

import pytest

from games import selectors
from games.models import ChatMessage
from games.services import matches
from tests.games.answers import refusal, texts
from tests.games.play import play_out


@pytest.fixture
def path(match) -> str:
    return f"matches/{match.code}/chat/"


def test_players_read_what_players_say(apis, path):
    said = apis[0].post(path, text="مرحبا\nهلا 👋")
    assert said.status_code == 201
    message = said.json()
    assert message["player"] == {"name": "amal", "is_bot": False}
    assert message["text"] == "مرحبا\nهلا 👋" and message["at"].endswith("Z")
    apis[3].post(path, text="hello?")
    for player in apis:
        assert texts(player.get(path)) == ["مرحبا\nهلا 👋", "hello?"]
    assert apis[1].get(path).json()["messages"][0] == message


def test_reading_goes_on_after_the_last_message(apis, path, monkeypatch):
    ids = [apis[0].post(path, text=f"number {number}").json()["id"] for number in range(5)]
    assert ids == sorted(ids)
    assert texts(apis[1].get(path, after=ids[2])) == ["number 3", "number 4"]
    assert texts(apis[1].get(path, after=ids[4])) == []
    monkeypatch.setattr(selectors, "MESSAGES", 2)
    assert texts(apis[1].get(path, after=ids[0])) == ["number 1", "number 2"]


def test_nobody_else_reads_or_writes(apis, api, path, stranger):
    apis[0].post(path, text="hello")
    other = api(stranger)
    assert refusal(other.get(path)) == (403, "not_your_seat")
    assert refusal(other.post(path, text="hello")) == (403, "not_your_seat")
    assert refusal(api().get(path)) == (401, "not_authenticated")
    assert refusal(api().post(path, text="hello")) == (401, "not_authenticated")


def test_a_private_table_is_not_there_for_others(apis):
    table = apis[0].post("matches/", rules="eram", visibility="private").json()
    path = f"matches/{table['code']}/chat/"
    assert refusal(apis[1].get(path)) == refusal(apis[1].post(path, text="hello")) == (404, "no_such_match")
    apis[0].post(f"matches/{table['code']}/invitations/", player="basil")
    assert refusal(apis[1].get(path)) == (403, "not_your_seat")
    apis[1].post(f"matches/{table['code']}/join/")
    assert apis[1].post(path, text="hello").status_code == 201


def test_players_of_another_table_with_the_same_cards_read_nothing(apis, cast, match, path, api, stranger):
    matches.create_match(
        rules="dananeer", options={}, seats=[stranger, *["random"] * 3], secret=bytes(match.secret)
    )
    apis[0].post(path, text="I hold the king of hearts")
    assert refusal(api(stranger).get(path)) == (403, "not_your_seat")


def test_who_is_away_or_has_resigned_still_talks(apis, match, path):
    apis[0].post(f"matches/{match.code}/leave/")
    apis[1].post(f"matches/{match.code}/resign/")
    assert apis[0].post(path, text="back soon").status_code == 201
    assert apis[1].post(path, text="sorry").status_code == 201
    assert texts(apis[1].get(path)) == ["back soon", "sorry"]


def test_talk_goes_on_before_and_after_the_match(apis, cast, match, path):
    table = apis[0].post("matches/", rules="eram").json()["code"]
    assert apis[0].post(f"matches/{table}/chat/", text="anyone?").status_code == 201
    play_out(match)
    assert apis[0].post(path, text="well played").status_code == 201
    stopped = matches.create_match(rules="eram", options={}, seats=cast)
    matches.stop(stopped.pk)
    assert apis[0].post(f"matches/{stopped.code}/chat/", text="what a pity").status_code == 201


def test_a_table_that_closed_before_it_started_is_only_read(apis):
    table = apis[0].post("matches/", rules="eram").json()["code"]
    apis[1].post(f"matches/{table}/join/")
    apis[0].post(f"matches/{table}/chat/", text="go away")
    apis[0].post(f"matches/{table}/leave/")
    answer = apis[1].post(f"matches/{table}/chat/", text="why?")
    assert refusal(answer) == (409, "match_cancelled")
    assert texts(apis[1].get(f"matches/{table}/chat/")) == ["go away"]


@pytest.mark.parametrize(
    "text",
    ["", " ", "\n", "a\tb", "a\x07", "turned \u202eround", "\u200d", "x" * 501, 5, None],
    ids=repr,
)
def test_what_shows_nothing_hides_something_or_is_too_long_is_refused(apis, path, text):
    assert refusal(apis[0].post(path, text=text)) == (400, "invalid")
    assert not ChatMessage.objects.exists()


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=repr)
def test_a_message_is_at_most_ten_lines(apis, path, end):
    assert apis[0].post(path, text=end.join("0123456789")).status_code == 201
    answer = apis[0].post(path, text=end.join("0123456789a"))
    assert refusal(answer) == (400, "invalid")
    assert answer.json()["detail"] == "text: This must be at most 10 lines, not 11."
    assert ChatMessage.objects.count() == 1


@pytest.mark.parametrize("text", ["?", "…", "x" * 500, "👩‍👩‍👧", "می‌خواهم", "a\r\nb"], ids=repr)
def test_whatever_shows_something_is_taken(apis, path, text):
    assert apis[0].post(path, text=text).json()["text"] == text.replace("\r\n", "\n")


@pytest.mark.parametrize("query", [{"after": -1}, {"after": "x"}, {"after": 10**30}], ids=str)
def test_after_is_the_id_of_a_message(apis, path, query):
    assert refusal(apis[0].get(path, **query)) == (400, "invalid")


def test_there_is_a_limit_to_talk_and_none_to_reading(apis, path):
    for number in range(30):
        assert apis[0].post(path, text=str(number)).status_code == 201
    answer = apis[0].post(path, text="one too many")
    assert refusal(answer) == (429, "throttled") and int(answer.headers["Retry-After"]) > 0
    assert apis[0].get(path).status_code == 200
    assert apis[1].post(path, text="and I").status_code == 201


def test_reading_costs_the_same_queries_however_much_was_said(apis, path, django_assert_max_num_queries):
    for number in range(10):
        apis[number % 4].post(path, text="hello")
    with django_assert_max_num_queries(10):
        assert len(texts(apis[0].get(path))) == 10


def test_a_message_sent_twice_under_one_key_is_said_once(apis, path):
    headers = {**apis[0].headers, "Idempotency-Key": "hello"}
    for _ in range(2):
        answer = apis[0].client.post(
            f"/api/v1/{path}", {"text": "hello"}, content_type="application/json", headers=headers
        )
        assert answer.status_code == 201
    assert texts(apis[1].get(path)) == ["hello"]

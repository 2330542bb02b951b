"""What counts as one caller, who counts, and that all processes count together."""

import subprocess
import sys
import time
from collections import Counter
from functools import partial

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from games.models import ApiToken, Player
from tests.conftest import LONG_WINDOW as LONG
from tests.games.test_races import at_once
from tests.processes import ROOT
from trix_site.common import throttling
from trix_site.settings import base


def register(api, forwarded: str, times: int = 1) -> Counter:
    """The statuses of requests that are no accounts, behind this X-Forwarded-For."""
    client = api()
    client.headers = {"X-Forwarded-For": forwarded}
    return Counter(client.post("auth/register/").status_code for _ in range(times))


def behind(proxies: int):
    return override_settings(REST_FRAMEWORK=base.REST_FRAMEWORK | {"NUM_PROXIES": proxies})


def statuses(client, path: str, times: int) -> list[int]:
    return [client.get(path).status_code for _ in range(times)]


def test_a_header_of_the_callers_own_makes_him_no_other_caller(api, db):
    found = sum((register(api, f"9.9.{number}.9") for number in range(121)), Counter())
    assert found == {400: 120, 429: 1}


def test_behind_a_proxy_callers_are_those_that_the_proxy_saw(api, db):
    with behind(1):
        assert register(api, "1.1.1.1, 9.9.9.9", 120) == {400: 120}
        assert register(api, "2.2.2.2, 9.9.9.9") == {429: 1}
        assert register(api, "1.1.1.1, 8.8.8.8") == {400: 1}


@pytest.mark.parametrize("forwarded", ["9" * 3000, "a b\tc", "\xe9\xff", ""], ids=len)
def test_a_header_that_is_no_address_is_counted_like_any(api, db, forwarded):
    with behind(1):
        assert register(api, forwarded, 121) == {400: 120, 429: 1}


@pytest.mark.parametrize("names", [["amal", "AMAL", "ａｍａｌ", "Amal"], ["كارلا", "كارلا"]], ids=len)
def test_guesses_count_by_account_however_its_name_is_written(api, db, names):
    found = [
        api().post("auth/tokens/", username=names[guess % len(names)], password="?").status_code
        for guess in range(21)
    ]
    assert found == [401] * 20 + [429]


def test_guesses_count_by_the_account_that_they_are_about_whoever_makes_them(api, cast):
    """Else each account of one's own would bring as many guesses again."""
    guessers = [api(player) for player in cast[1:]]
    found = [
        guessers[guess % 3].post("auth/tokens/", username="amal", password="?").status_code
        for guess in range(21)
    ]
    assert found == [401] * 20 + [429]


def test_guesses_on_the_page_of_the_admin_count_with_those_through_the_api(api, db):
    Player.objects.create_superuser("root", password="seven of hearts")
    page = partial(api().client.post, "/admin/login/")
    for guess in range(20):
        answer = page({"username": "Root", "password": f"{guess}"})
        assert "correct username and password" in answer.content.decode()
    assert "tried too often" in page({"username": "root", "password": "seven of hearts"}).content.decode()
    assert api().post("auth/tokens/", username="root", password="?").status_code == 429


def test_naming_somebody_else_brings_no_more_guesses_of_ones_own_password(api, cast):
    client = api(cast[0])
    assert client.patch("account/", password="?", email="", username="basil").status_code == 400
    found = [client.patch("account/", password="?", email="").status_code for _ in range(21)]
    assert found == [403] * 20 + [429]


def test_mail_counts_by_address_in_any_letters_that_the_database_takes_for_the_same(api, db):
    Player.objects.create_user("zaid", email="said@example.com")
    letters = ["said", "SAID", "sa\N{LATIN SMALL LETTER DOTLESS I}d", "\N{LATIN SMALL LETTER LONG S}aid"]
    found = Player.objects.filter(email__iexact=f"{letters[2]}@example.com")
    assert [player.username for player in found] == ["zaid"]
    answers = [
        api().post("auth/password/reset/", email=f"{letters[n % 4]}@example.com").status_code
        for n in range(6)
    ]
    assert answers == [202] * 5 + [429]


def test_spaces_around_an_address_bring_no_more_mail(api, db):
    spaced = ["{}", " {}", "{}\n", "\t{} ", "\N{EM SPACE}{}", "{}\N{NO-BREAK SPACE}"]
    addresses = [form.format("amal@example.com") for form in spaced]
    answers = [api().post("auth/password/reset/", email=address).status_code for address in addresses]
    assert answers == [202] * 5 + [429]


@pytest.mark.parametrize(("path", "field"), [("auth/tokens/", "username"), ("auth/password/reset/", "email")])
@pytest.mark.parametrize("value", [None, 5, ["amal"], {}], ids=str)
def test_those_who_forget_whom_they_mean_are_told_so_and_not_counted_together(api, db, path, field, value):
    body = {} if value is None else {field: value}
    answers = [api().post(path, **body) for _ in range(7 if field == "email" else 21)]
    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(400, "invalid")}


@pytest.mark.parametrize("name", ["x" * 150, "x" * 5000, "\n", 5, None, ["amal"], {"a": 1}], ids=str)
def test_a_name_that_is_none_is_no_error(api, db, name):
    assert api().post("auth/tokens/", username=name, password="?").status_code in (400, 401)


# The general limits


@pytest.fixture
def limits(settings):
    settings.THROTTLE_TOKEN, settings.THROTTLE_ADDRESS = 5, 3


def test_each_token_has_its_own_count_and_no_address(api, cast, limits):
    phone, laptop = api(cast[0]), api(cast[0])
    assert statuses(phone, "account/", 6) == [200] * 5 + [429]
    assert statuses(laptop, "account/", 6) == [200] * 5 + [429]
    assert statuses(api(), "matches/", 4) == [200] * 3 + [429]


def test_tokens_that_are_none_count_by_address(api, db, limits):
    client = api()
    client.headers = {"Authorization": "Bearer " + "f" * 64}
    assert statuses(client, "matches/", 4) == [401] * 3 + [429]
    client.headers = {"Authorization": "Bearer é"}
    assert statuses(client, "matches/", 1) == [429]


def test_stricter_limits_come_on_top_of_the_general_ones(api, db, limits):
    found = [api().post("auth/tokens/", username=f"no{n}", password="?").status_code for n in range(4)]
    assert found == [401] * 3 + [429]


def test_who_has_had_enough_is_told_when_there_is_more(api, cast, limits):
    client = api(cast[0])
    statuses(client, "account/", 5)
    answer = client.get("account/")
    assert answer.json()["code"] == "throttled"
    until = time.time() + int(answer.headers["Retry-After"])
    assert until == pytest.approx((time.time() // LONG + 1) * LONG, abs=2)


def test_in_the_next_window_he_begins_anew(api, cast, limits):
    client = api(cast[0])
    statuses(client, "account/", 6)
    throttling.forget()
    assert client.get("account/").status_code == 429
    with connection.cursor() as cursor:
        cursor.execute("UPDATE site_throttle SET ends = ends - %s", [LONG])
    throttling.forget()
    assert statuses(client, "account/", 6) == [200] * 5 + [429]


def throttle_statements(queries) -> int:
    return sum("site_throttle" in query["sql"] for query in queries)


def test_most_calls_cost_no_statement(api, cast, settings):
    """A process takes a fiftieth of the limit at once, and asks no more once it is told that it is all."""
    settings.THROTTLE_TOKEN = 100
    client = api(cast[0])
    with CaptureQueriesContext(connection) as queries:
        assert set(statuses(client, "auth/tokens/current/", 20)) == {200}
    assert throttle_statements(queries) == 10
    statuses(client, "auth/tokens/current/", 80)
    with CaptureQueriesContext(connection) as queries:
        assert set(statuses(client, "auth/tokens/current/", 20)) == {429}
    assert throttle_statements(queries) == 1


def test_without_limits_nothing_is_counted(api, cast, settings):
    settings.THROTTLE_TOKEN = settings.THROTTLE_ADDRESS = 0
    with CaptureQueriesContext(connection) as queries:
        statuses(api(cast[0]), "account/", 3)
        statuses(api(), "matches/", 3)
    assert throttle_statements(queries) == 0


def test_nobody_reads_in_the_table_who_it_was(api, cast, limits):
    statuses(api(cast[0]), "account/", 1)
    api().post("auth/tokens/", username="amal", password="?")
    with connection.cursor() as cursor:
        cursor.execute("SELECT key FROM site_throttle")
        keys = [bytes(key) for (key,) in cursor.fetchall()]
    assert {len(key) for key in keys} == {32}
    said = b" ".join(keys)
    assert not any(text in said for text in (b"amal", b"127.0.0.1", ApiToken.objects.get().code.encode()))


def test_counts_of_windows_that_are_over_are_swept(db):
    throttling.use(b"old", 5, LONG, 1)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE site_throttle SET ends = 1")
        throttling.use(b"new", 5, LONG, 1)
        throttling.sweep()
        cursor.execute("SELECT key FROM site_throttle")
        assert [bytes(key) for (key,) in cursor.fetchall()] == [b"new"]


# All together

DRAIN = """
import django, sys
django.setup()
from trix_site.common.throttling import use
print(sum(not use(bytes.fromhex(sys.argv[1]), 100, 10**9, 7) for _ in range(150)))
"""


@pytest.mark.django_db(transaction=True)
def test_processes_together_let_through_the_limit_to_the_last_one(database_environment):
    key = time.time_ns().to_bytes(8).hex()
    started = [
        subprocess.Popen(
            [sys.executable, "-c", DRAIN, key], cwd=ROOT, env=database_environment, stdout=subprocess.PIPE
        )
        for _ in range(3)
    ]
    through = [int(process.communicate(timeout=60)[0]) for process in started]
    assert sum(through) == 100, through


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("lease", [1, 7, 100])
def test_threads_of_a_process_let_through_the_limit_to_the_last_one(lease):
    key = time.time_ns().to_bytes(8)
    through = at_once([lambda: sum(not throttling.use(key, 100, LONG, lease) for _ in range(40))] * 5)
    assert sum(through) == 100, through

"""What counts as one caller, and what keeps its count."""

import secrets
from collections import Counter

import pytest
from django.core.cache import cache
from django.test import override_settings

from games.api.throttles import GuessThrottle
from trix_site.settings import base


def register(api, forwarded: str, times: int = 1) -> Counter:
    """The statuses of requests that are no accounts, behind this X-Forwarded-For."""
    client = api()
    client.headers = {"X-Forwarded-For": forwarded}
    return Counter(client.post("auth/register/").status_code for _ in range(times))


def behind(proxies: int):
    return override_settings(REST_FRAMEWORK=base.REST_FRAMEWORK | {"NUM_PROXIES": proxies})


def test_a_header_of_the_callers_own_makes_him_no_other_caller(api, db):
    statuses = sum((register(api, f"9.9.{number}.9") for number in range(121)), Counter())
    assert statuses == {400: 120, 429: 1}


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
    statuses = [
        api().post("auth/tokens/", username=names[guess % len(names)], password="?").status_code
        for guess in range(21)
    ]
    assert statuses == [401] * 20 + [429]


@pytest.mark.parametrize("name", ["x" * 150, "x" * 5000, "\n", 5, None, ["amal"], {"a": 1}], ids=str)
def test_a_name_that_is_none_is_no_error(api, db, name):
    assert api().post("auth/tokens/", username=name, password="?").status_code in (400, 401)


@override_settings(CACHES=base.CACHES)
def test_a_flood_of_other_counts_makes_none_be_forgotten(api, db):
    """Past its largest number of entries the cache drops the first third, in the order of their keys."""
    for guess in range(20):
        assert api().post("auth/tokens/", username="amal", password="?").status_code == 401, guess
    for _ in range(400):
        cache.set(f"throttle-{GuessThrottle.scope}-z{secrets.token_hex(32)}", [1], 60)
    assert api().post("auth/tokens/", username="amal", password="?").status_code == 429

import os

from django.db import connection
from django.test import override_settings

from trix_site.settings import base


def test_tests_run_on_postgresql_in_a_database_of_their_own(db):
    assert connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        assert cursor.fetchone() == (f"test_trix_{os.getpid()}",)


def test_the_broker_is_installed_in_the_database(db):
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pgmq.list_queues()")
        assert cursor.fetchone()[0] >= 0


@override_settings(CACHES=base.CACHES)
def test_throttles_count_in_the_database(client, db):
    """A limit that each process counts by itself is no limit."""
    client.post(
        "/api/v1/auth/tokens/", {"username": "amal", "password": "?"}, content_type="application/json"
    )

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM site_cache WHERE cache_key LIKE '%throttle%'")
        assert cursor.fetchone()[0] > 0

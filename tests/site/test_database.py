from django.db import connection


def test_tests_run_on_postgresql_in_a_database_of_their_own(db):
    assert connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        assert cursor.fetchone()[0].startswith("test_trix_")


def test_the_broker_is_installed_in_the_database(db):
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pgmq.list_queues()")
        assert cursor.fetchone()[0] >= 0

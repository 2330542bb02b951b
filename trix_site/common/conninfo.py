"""For what connects to the database beside Django: the broker, and whoever listens for notifications."""

from typing import Any

from django.db import connection

NAMES = ("host", "port", "dbname", "user", "password", "sslmode", "sslrootcert", "sslcert", "sslkey")


def conninfo(**more: Any) -> str:
    """Where Django's database is, in libpq's words. ``more``: further parameters of libpq."""
    from psycopg.conninfo import make_conninfo

    parameters = connection.get_connection_params()
    known: dict[str, Any] = {name: parameters[name] for name in NAMES if name in parameters}
    return make_conninfo(**known, **more)

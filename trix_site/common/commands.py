"""What management commands share."""

from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def require_tables() -> None:
    """Raise CommandError with one sentence where the database lacks migrations of this version."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError("The database is not up to date; first run: manage.py migrate")

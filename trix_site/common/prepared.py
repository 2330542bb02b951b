"""Statements that are made once: for the few that every move takes, where making one costs more than the
database needs to answer it.

Rows and values go through the models' own fields, so that what comes out is what the ORM would give.
"""

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=Model)


class Prepared(Generic[M]):
    """A queryset with one value to fill in: ``make(value)`` builds it, once, with ``sample`` for the value.

    The sample must be a value that occurs nowhere else in the statement.
    """

    def __init__(self, make: Callable[[Any], QuerySet[M]], sample: object) -> None:
        self.make, self.sample = make, sample

    def all(self, value: Any) -> list[M]:
        """The rows for this value."""
        made = self._made
        with connection.cursor() as cursor:
            cursor.execute(made.sql, [value if each == self.sample else each for each in made.params])
            rows = cursor.fetchall()
        return made.objects(rows)

    @cached_property
    def _made(self) -> "Made[M]":
        return Made(self.make(self.sample))


class Made(Generic[M]):
    """A compiled queryset of whole objects."""

    def __init__(self, queryset: QuerySet[M]) -> None:
        self.compiler: Any = queryset.query.get_compiler(connection=connection)
        self.sql, self.params = self.compiler.as_sql()
        kind = self.compiler.klass_info
        fields = kind["select_fields"]
        self.model, self.slice = kind["model"], slice(fields[0], fields[-1] + 1)
        self.names = [each[0].target.attname for each in self.compiler.select[self.slice]]
        self.converters = self.compiler.get_converters(each[0] for each in self.compiler.select)
        populators: Any = get_related_populators  # Its stub is that of a later Django.
        self.related = populators(kind, self.compiler.select, connection.alias)

    def objects(self, rows: Sequence[Sequence[Any]]) -> list[M]:
        if self.converters:
            rows = self.compiler.apply_converters(rows, self.converters)
        return [self._object(row) for row in rows]

    def _object(self, row: Sequence[Any]) -> M:
        found: M = self.model.from_db(connection.alias, self.names, row[self.slice])
        for populator in self.related:
            populator.populate(row, found)
        return found


def update(row: Model, names: tuple[str, ...]) -> None:
    """Write these fields of a stored row, without signals."""
    keys = tuple(field.name for field in row._meta.pk_fields)
    values = [_value(row, _field(type(row), name)) for name in names + keys]
    with connection.cursor() as cursor:
        cursor.execute(_update_sql(type(row), names, keys), values)


@cache
def _update_sql(model: type[Model], names: tuple[str, ...], keys: tuple[str, ...]) -> str:
    table = connection.ops.quote_name(str(model._meta.db_table))
    sets = ", ".join(_assignment(_field(model, name)) for name in names)
    where = " AND ".join(f"{connection.ops.quote_name(_field(model, name).column)} = %s" for name in keys)
    return f"UPDATE {table} SET {sets} WHERE {where}"


def _field(model: type[Model], name: str) -> Any:
    return model._meta.get_field(name)


def _value(row: Model, field: Any) -> Any:
    return field.get_db_prep_save(getattr(row, field.attname), connection)


def _assignment(field: Any) -> str:
    """The column and the place of its value; lists have one with a type."""
    place = getattr(field, "get_placeholder", None)
    return f"{connection.ops.quote_name(field.column)} = {place(None, None, connection) if place else '%s'}"

"""What JSON must look like, as data. A shape yields, for a value, where it does not fit and what would.

Pure. `record` makes a shape of an object out of shapes of its fields, `many` one of a list; the smaller ones
are below them. Every place is named by its path, such as `rounds[2].tables[0].seats`.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import islice

Wrong = tuple[str, str]
"""A path, and what would be right there."""
Shape = Callable[[object, str], Iterator[Wrong]]


def misfits(shape: Shape, value: object, most: int = 5) -> list[Wrong]:
    """The first places at which a value does not fit."""
    return list(islice(shape(value, ""), most))


def record(fields: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None) -> Shape:
    """An object with all of these fields, perhaps the optional ones, and no others."""
    known = {**fields, **(optional or {})}

    def check(value: object, path: str) -> Iterator[Wrong]:
        if not isinstance(value, dict):
            yield path, "must be an object"
            return
        at = f"{path}." if path else ""
        for name in fields.keys() - value.keys():
            yield f"{at}{name}", "is missing"
        for name, each in value.items():
            if shape := known.get(name):
                yield from shape(each, f"{at}{name}")
            else:
                yield f"{at}{name[:40]}", f"is unknown; there are {', '.join(known)}"

    return check


def loose(fields: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None) -> Shape:
    """An object with all of these fields, perhaps the optional ones, and whatever else."""
    strict = record(fields, optional)
    known = {**fields, **(optional or {})}.keys()

    def check(value: object, path: str) -> Iterator[Wrong]:
        if isinstance(value, dict):
            value = {name: each for name, each in value.items() if name in known}
        return strict(value, path)

    return check


def by_name(shape: Shape) -> Shape:
    """An object with any names, whose values have one shape."""

    def check(value: object, path: str) -> Iterator[Wrong]:
        if not isinstance(value, dict):
            yield path, "must be an object"
            return
        for name, each in value.items():
            yield from shape(each, f"{path}.{name[:40]}")

    return check


def many(shape: Shape, most: int, least: int = 0) -> Shape:
    """A list of values of one shape."""

    def check(value: object, path: str) -> Iterator[Wrong]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            yield path, f"must be a list of {wanted} items"
            return
        for place, item in enumerate(value):
            yield from shape(item, f"{path}[{place}]")

    return check


def maybe(shape: Shape) -> Shape:
    """Such a value, or null."""

    def check(value: object, path: str) -> Iterator[Wrong]:
        if value is not None:
            yield from shape(value, path)

    return check


def is_one_of(*shapes: Shape) -> Shape:
    """A value of any of these shapes; where it has none, what the first one misses."""

    def check(value: object, path: str) -> Iterator[Wrong]:
        if not any(next(shape(value, path), None) is None for shape in shapes):
            yield from shapes[0](value, path)

    return check


def that(wanted: str, fits: Callable[[object], bool]) -> Shape:
    """A value for which `fits` holds; `wanted` says what that is."""

    def check(value: object, path: str) -> Iterator[Wrong]:
        if not fits(value):
            yield path, f"must be {wanted}"

    return check


def whole(least: int, most: int) -> Shape:
    return that(
        f"a whole number from {least} to {most}", lambda value: type(value) is int and least <= value <= most
    )


def number(least: float, most: float) -> Shape:
    return that(f"a number from {least} to {most}", lambda value: _is_number(value, least, most))


def text(most: int, least: int = 0) -> Shape:
    return that(
        f"text of {least} to {most} characters",
        lambda value: isinstance(value, str) and least <= len(value) <= most and "\0" not in value,
    )


def one_of(*choices: object) -> Shape:
    return that(
        f"one of {', '.join(map(str, choices))}", lambda value: isinstance(value, str) and value in choices
    )


def _is_number(value: object, least: float, most: float) -> bool:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return plain and math.isfinite(value) and least <= value <= most  # type: ignore[arg-type, operator]


def _is_instant(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return False
    # Beyond these years a time zone may lead out of what Python and PostgreSQL hold.
    return found.tzinfo is not None and 1900 <= found.year <= 9000


flag = that("true or false", lambda value: isinstance(value, bool))
an_object = that("an object", lambda value: isinstance(value, dict))
instant = that("a time with its zone, such as 2026-03-01T18:00:00Z", _is_instant)

"""Payload types of the client checked to the letter: no key missing, none too many, every type as it says.

The client has TypedDicts, which check nothing. Pydantic takes those of the standard library from Python 3.12
on only, so they are made into models here, and strict ones.
"""

from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

from pydantic import ConfigDict, TypeAdapter, create_model

STRICT = ConfigDict(extra="forbid", strict=True)


def check(kind: Any, value: object) -> Any:
    """Raise ValidationError unless the value is of this type, which may be a TypedDict; return the value."""
    _adapter(kind).validate_python(value)
    return value


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    plain = _strict(kind)
    return TypeAdapter(plain, config=None if hasattr(plain, "model_fields") else ConfigDict(strict=True))


@cache
def _strict(kind: Any) -> Any:
    """The type with every TypedDict in it made a strict model."""
    if is_typeddict(kind):
        return _model(kind)
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (list, dict):
        return origin[tuple(map(_strict, inner))]
    if origin in (Union, UnionType):
        return Union[tuple(map(_strict, inner))]  # noqa: UP007  # As many as there are.
    return kind


def _model(kind: Any) -> Any:
    fields: dict[str, Any] = {}
    for name, hint in get_type_hints(kind).items():
        fields[name] = (_strict(hint), ... if name in kind.__required_keys__ else None)
    return create_model(kind.__name__, __config__=STRICT, **fields)

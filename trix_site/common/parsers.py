"""The one way a body enters the API: a JSON object, of text that PostgreSQL can store."""

import json
from collections.abc import Iterator, Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

MOST_DIGITS = 100


class StrictJSONParser(BaseParser):
    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The object in `stream`, whose size the middleware has checked. Raises ParseError, with a code."""
        data = _decode(stream.read())
        if not isinstance(data, dict):
            raise ParseError(f"The body must be a JSON object, not {_kind(data)}.", "not_an_object")
        for text in _texts(data):
            _check_text(text)
        return data


def _decode(body: bytes) -> object:
    try:
        text = body.decode()
        if text.startswith("\ufeff"):
            raise ValueError("it starts with a byte order mark")
        return json.loads(text, parse_int=_int, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise ParseError(f"The body is not UTF-8: byte {error.start} is wrong.", "not_utf8") from error
    except RecursionError as error:
        raise ParseError("The body is nested too deeply.", "malformed_json") from error
    except ValueError as error:
        raise ParseError(f"The body is not JSON: {error}.", "malformed_json") from error


def _int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number has more than {MOST_DIGITS} digits")
    return int(digits)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A name that comes twice has no one meaning (RFC 8259, 4), so it is refused."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has the same name twice")
    return found


def _texts(data: object) -> Iterator[str]:
    """Every string in `data`, names included. No recursion: the data may be deep."""
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value


def _check_text(text: str) -> None:
    if "\0" in text:
        raise ParseError("Text must not hold a null character.", "null_character")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ParseError("Text must not hold half of a surrogate pair.", "malformed_text") from error


def _kind(value: object) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value), "null")

"""The tags of a record: their names, the forms of their values, and the line that writes one.

Below `notation`, which writes tags, and `words`, which reads them, so that both keep to the same rules.
"""

import re
from collections.abc import Callable
from datetime import datetime

from .errors import shown

LONGEST_LINE = 10_000  # bytes; a whole deal on one play line takes under 500

# In the order in which they are written, after Rules and Options.
KNOWN_TAGS = (
    *("Event", "Site", "Date", "Round", "Table", "Match"),
    *("South", "East", "North", "West", "Commitment", "Seed"),
)
TAG_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
CONTROL = re.compile("[\0-\x1f\x7f-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?)?", re.ASCII)
_HEX64 = re.compile(r"[0-9a-f]{64}")


def tag_line(name: str, value: str) -> str:
    """The line of a tag, a space for each control character of its value.

    Raises ValueError for a name, a form or a length that no record may have.
    """
    if not TAG_NAME.fullmatch(name):
        raise ValueError(f"{shown(name)} is no name of a tag: a letter, then letters, digits and _.")
    value = _SURROGATE.sub("\ufffd", CONTROL.sub(" ", value))
    wrong = wrong_form(name, value)
    if wrong:
        raise ValueError(wrong)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    line = f'[{name} "{escaped}"]'
    if len(line.encode()) > LONGEST_LINE:
        raise ValueError(f"The line of the tag {name} would have more than {LONGEST_LINE} bytes.")
    return line


def wrong_form(name: str, value: str) -> str | None:
    """What is wrong with the value of a Date, a Commitment or a Seed; other tags hold any text."""
    if name not in _FORMS:
        return None
    has_form, form = _FORMS[name]
    return None if has_form(value) else f"{name} is {form}, not {shown(value)}."


def _is_date(value: str) -> bool:
    if not _DATE.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _is_hex64(value: str) -> bool:
    return _HEX64.fullmatch(value) is not None


_FORMS: dict[str, tuple[Callable[[str], bool], str]] = {
    "Date": (_is_date, "an ISO 8601 date, alone or with a time, as in 2026-11-30 or 2026-11-30T18:05:00Z"),
    "Commitment": (_is_hex64, "a SHA-256 as 64 digits 0-9a-f"),
    "Seed": (_is_hex64, "32 bytes as 64 digits 0-9a-f"),
}

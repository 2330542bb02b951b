"""What people write for others to read: names, reasons, messages. It shows something and hides nothing."""

import unicodedata

from trix_site.common.errors import BadRequest

# Controls, marks that turn or hide what stands beside them, ends of lines, half surrogates.
NEVER = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs"})
# Arabic, Persian and Indic spelling, and emoji, need these two of Cf.
JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"

MOST_LINES = 10  # of a message, which would push all others off the screen


def check_line(field: str, text: str) -> None:
    """Raise BadRequest `invalid` unless the text is one line with a letter, digit or symbol in it.

    Names and reasons stand in lists, logs and the middle of sentences.
    """
    if not _plain(text) or not _shows(text, "LNS"):
        raise _misfit(
            field, "This must be one line with a letter, digit or symbol, and without control characters."
        )


def check_message(field: str, text: str) -> None:
    """Raise BadRequest `invalid` unless the text, of at most `MOST_LINES` lines, shows anything at all."""
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        raise _misfit(field, f"This must be at most {MOST_LINES} lines, not {len(lines)}.")
    if not all(map(_plain, lines)) or not _shows(text, "LNSP"):
        raise _misfit(field, "This must be lines that show something, without control characters.")


def _plain(text: str) -> bool:
    return all(char in JOINERS or unicodedata.category(char) not in NEVER for char in text)


def _shows(text: str, kinds: str) -> bool:
    return any(unicodedata.category(char)[0] in kinds for char in text)


def _misfit(field: str, detail: str) -> BadRequest:
    return BadRequest("invalid", f"{field}: {detail}", errors={field: [detail]})

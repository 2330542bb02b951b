"""What people write for others to read: names, reasons, messages. It shows something and hides nothing."""

import unicodedata

from trix_site.common.errors import BadRequest

# Controls, marks that turn or hide what stands beside them, ends of lines, half surrogates.
NEVER = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs"})
# Arabic, Persian and Indic spelling, and emoji, need these two of Cf.
JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"


def check_line(field: str, text: str) -> None:
    """Raise BadRequest `invalid` unless the text is one line with a letter, digit or symbol in it.

    Names and reasons stand in lists, logs and the middle of sentences.
    """
    if not _plain(text) or not _shows(text, "LNS"):
        raise _misfit(
            field, "This must be one line with a letter, digit or symbol, and without control characters."
        )


def check_message(field: str, text: str) -> None:
    """Raise BadRequest `invalid` unless the text, of one or more lines, shows anything at all."""
    if not all(map(_plain, text.split("\n"))) or not _shows(text, "LNSP"):
        raise _misfit(field, "This must be lines that show something, without control characters.")


def _plain(text: str) -> bool:
    return all(char in JOINERS or unicodedata.category(char) not in NEVER for char in text)


def _shows(text: str, kinds: str) -> bool:
    return any(unicodedata.category(char)[0] in kinds for char in text)


def _misfit(field: str, detail: str) -> BadRequest:
    return BadRequest("invalid", f"{field}: {detail}", errors={field: [detail]})

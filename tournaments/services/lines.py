"""Names and reasons stand in lists, logs and the middle of sentences: one line that shows something."""

import unicodedata

from trix_site.common.errors import BadRequest

# Controls, marks that turn or hide what stands beside them, ends of lines, half surrogates.
NEVER = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs"})
# Arabic, Persian and Indic spelling, and emoji, need these two of Cf.
JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"


def check_line(field: str, text: str) -> None:
    """Raise BadRequest `invalid` unless the text is one line with a letter, digit or symbol in it."""
    plain = all(char in JOINERS or unicodedata.category(char) not in NEVER for char in text)
    if not plain or not any(unicodedata.category(char)[0] in "LNS" for char in text):
        detail = "This must be one line with a letter, digit or symbol, and without control characters."
        raise BadRequest("invalid", f"{field}: {detail}", errors={field: [detail]})

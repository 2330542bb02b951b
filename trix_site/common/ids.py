"""Short ids for URLs that cannot be guessed."""

import secrets

# No vowels and nothing that looks like something else: codes are read aloud and never spell words.
ALPHABET = "23456789bcdfghjkmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ"


def new_code() -> str:
    """10 of 47 characters: 55 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))

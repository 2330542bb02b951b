"""What answers of all apps are made of."""

from datetime import datetime

Json = dict[str, object]


def time(at: datetime | None) -> str | None:
    """UTC, ISO 8601, always with the same number of digits."""
    return None if at is None else at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")

"""Settings of a tournament in JSON: what leagues keep for their divisions, and what exports hold."""

from collections.abc import Mapping
from typing import Any

from games.models import CLOCK_PARTS, LONGEST_CLOCK, Match
from tournaments.models import LONGEST_ARENA, MOST_ENTRIES, MOST_ROUNDS, MOST_STAGES, Stage, Tournament
from tournaments.seating import DrawError, weights_from
from tournaments.shapes import (
    Shape,
    an_object,
    flag,
    many,
    maybe,
    misfits,
    number,
    one_of,
    record,
    text,
    whole,
)
from tournaments.standings import METRICS
from trix_site.common.errors import BadRequest

CLOCK = maybe(whole(1, LONGEST_CLOCK))

STAGE: dict[str, Shape] = {
    "format": one_of(*Stage.Format.values),
    "rounds": maybe(whole(1, MOST_ROUNDS)),
    "groups": whole(1, 1000),
    "cut": maybe(whole(2, MOST_ENTRIES)),
    "advance": whole(1, 3),
    "minutes": maybe(whole(1, LONGEST_ARENA)),
}

SETTINGS: dict[str, Shape] = {
    "visibility": one_of(*Tournament.Visibility.values),
    "rules": text(40),
    "options": an_object,
    "pairs": flag,
    "fill": one_of(*Tournament.Fill.values),
    "metrics": many(text(20), len(METRICS), 1),
    "place_points": many(whole(0, 100), 4, 4),
    "bye_points": number(0, 100),
    "weights": an_object,
    "clock": record({}, dict.fromkeys(CLOCK_PARTS, CLOCK)),
    "on_timeout": one_of(*Match.OnTimeout.values),
    "grace": CLOCK,
    "bot_level": text(20),
    "bot_delay": number(0, 60),
    "rated": flag,
    "same_cards": flag,
    "automatic": flag,
    "time_zone": text(40),
}
"""What a tournament is created with, but for its names, its places and its seed, and its stages."""

DIVISION = record({}, {**SETTINGS, "stages": many(record({}, STAGE), MOST_STAGES, 1)})


def check_division_settings(settings: object) -> None:
    """Raise BadRequest `bad_settings` unless each field is known and of its type."""
    if wrong := misfits(DIVISION, settings):
        path, wanted = wrong[0]
        raise BadRequest("bad_settings", f"settings{path and '.'}{path} {wanted}.")
    assert isinstance(settings, dict)
    check_weights(settings.get("weights", {}))


def check_weights(weights: object) -> None:
    """Raise BadRequest `bad_weights` for what draws could not weigh with."""
    try:
        weights_from(weights)
    except DrawError as error:
        raise BadRequest("bad_weights", str(error)) from error


def fields_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The same under the names of the model's fields."""
    fields = dict(settings)
    clock = fields.pop("clock", {})
    return fields | {f"clock_{part}": seconds for part, seconds in clock.items()}


def settings_of_tournament(tournament: Tournament) -> dict[str, Any]:
    """The settings as they stand in JSON."""
    plain = {name: getattr(tournament, name) for name in SETTINGS if name != "clock"}
    clock = {part: getattr(tournament, f"clock_{part}") for part in CLOCK_PARTS}
    return plain | {"bye_points": float(tournament.bye_points), "clock": clock}

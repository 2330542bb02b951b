"""What to expect of a table before it is played: the ratings that its players bring, and what follows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.models import Player
from ratings.maths import START
from ratings.models import Pool, Rating
from ratings.odds import expected_places, place_chances, win_chances
from trix_site.common.errors import BadRequest


@dataclass(frozen=True, slots=True)
class Forecast:
    """Of one player. The rest is None where nobody whom it could be measured by sits on another side.

    `place`: the mean one, from 1. `win`: the chance, 0 to 1, of the first place; `places`: of each.
    """

    player: Player
    pool: Pool
    rating: float
    provisional: bool
    place: float | None
    win: float | None
    places: list[float] | None


def forecasts(pool: Pool, seats: Sequence[Player | None]) -> list[Forecast | None]:
    """By seat, for up to four players of a pool. None is a seat that takes no part, as a house bot's.

    In partnerships the first and the third sit on one side. Who has no rating yet counts as `START`.
    """
    present = [player for player in seats if player]
    stored = {row.player_id: row for row in Rating.objects.filter(pool=pool, player__in=present)}
    values = [_value(stored, player) if player else None for player in seats]
    values += [None] * (4 - len(values))
    meet = len({seat % pool.sides for seat, value in enumerate(values) if value is not None}) > 1
    found = zip(
        expected_places(values, pool.sides),
        win_chances(values, pool.sides),
        place_chances(values, pool.sides),
        strict=True,
    )
    odds = [each if meet else (None, None, None) for each in found]
    return [
        None if player is None else _forecast(pool, player, stored.get(player.pk), *chances)
        for player, chances in zip(seats, odds, strict=False)
    ]


def require_players_of(pool: Pool, players: Sequence[Player]) -> None:
    """Raises BadRequest for one who is named twice, or who can have no rating in this pool."""
    for at, player in enumerate(players):
        if player in players[:at]:
            raise BadRequest("player_twice", f"{player.username} is named twice.")
        if player.is_bot != pool.programs:
            other, kind = ("", "a program's") if player.is_bot else ("out", "a person's")
            raise BadRequest(
                "other_pool", f"{player.username} is {kind} account: take a pool with{other} -bots for it."
            )


def _value(stored: Mapping[int, Rating], player: Player) -> float:
    return stored[player.pk].value if player.pk in stored else START


def _forecast(
    pool: Pool,
    player: Player,
    stored: Rating | None,
    place: float | None,
    win: float | None,
    places: list[float] | None,
) -> Forecast:
    matches = stored.matches if stored else 0
    provisional = matches < pool.established_after
    return Forecast(player, pool, stored.value if stored else START, provisional, place, win, places)

"""How the ratings of a leaderboard spread, and where one of them stands among them."""

from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db.models import Aggregate, Avg, Count, F, FloatField, Q
from django.db.models.functions import Floor

from games.models import Player
from ratings.models import Pool, Rating
from ratings.plots import BIN
from ratings.selectors import listed_ratings
from trix_site.common.errors import Missing


class Quartiles(Aggregate):
    """The three quartiles, between two ratings in proportion (R. J. Hyndman and Y. Fan's type 7)."""

    function = "percentile_cont"
    template = "%(function)s(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = ArrayField(FloatField())


@dataclass(frozen=True, slots=True)
class Distribution:
    """Of the listed ratings of a pool. Without any there are no bins, and no mean and quartiles.

    `bins`: the lower bound of each, BIN points wide, and how many ratings it has: all from the lowest rating
    to the highest, the empty ones included.
    """

    bins: list[tuple[int, int]]
    count: int
    mean: float | None
    quartiles: list[float] | None


def distribution(pool: Pool) -> Distribution:
    """How the ratings of the leaderboard spread now."""
    listed = listed_ratings(pool)
    of_all: dict[str, Any] = listed.aggregate(
        count=Count("pk"), mean=Avg("value"), quartiles=Quartiles("value")
    )
    counted = listed.annotate(bin=Floor(F("value") / BIN)).values_list("bin")
    return Distribution(_filled({int(at) * BIN: n for at, n in counted.annotate(n=Count("pk"))}), **of_all)


def percentile(pool: Pool, value: float) -> float | None:
    """The share, 0 to 100, of the listed ratings that are below `value`; half of those equal to it count.

    So the middle of a board is at 50, and the best of n at 100 (1 - 1/2n). None without listed ratings.
    """
    found = listed_ratings(pool).aggregate(
        count=Count("pk"),
        below=Count("pk", filter=Q(value__lt=value)),
        ties=Count("pk", filter=Q(value=value)),
    )
    if not found["count"]:
        return None
    return 100 * (found["below"] + found["ties"] / 2) / found["count"]


def rating_in(pool: Pool, player: Player) -> Rating:
    """Raises Missing, where the player has none in the pool."""
    found = Rating.objects.filter(pool=pool, player=player).select_related("player", "pool").first()
    if found is None:
        raise Missing("no_such_rating", f"{player.username} has no rated match in {pool.slug}.")
    return found


def _filled(counts: dict[int, int]) -> list[tuple[int, int]]:
    if not counts:
        return []
    return [(at, counts.get(at, 0)) for at in range(min(counts), max(counts) + BIN, BIN)]

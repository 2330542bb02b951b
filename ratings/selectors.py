"""Reading ratings: leaderboards, what one player has, and how it came about."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Case, Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery, When, Window
from django.db.models.functions import Rank
from django.utils import timezone

from games.models import Match, Player, Seat
from ratings.maths import PARTNERS, SINGLES
from ratings.models import Pool, Rating, RatingChange
from ratings.systems import Result
from trix_site.common.errors import Missing


def pools() -> QuerySet[Any]:
    """All pools, with `players`: how many their leaderboards have."""
    listed = Q()
    for pool in Pool.objects.all():
        listed |= Q(pk=pool.pk) & _listed(pool, "ratings__")
    active = Q(ratings__player__is_active=True)
    return Pool.objects.annotate(players=Count("ratings", filter=listed & active)).order_by("id")


def _listed(pool: Pool, path: str = "") -> Q:
    """The condition for a rating to stand on the leaderboard: enough matches, and one not long ago."""
    since = timezone.now() - pool.active_within
    return Q(**{f"{path}matches__gte": pool.established_after, f"{path}last_match_at__gte": since})


def pool_called(slug: str) -> Pool:
    """Raises Missing, which lists the pools that there are."""
    found = {pool.slug: pool for pool in Pool.objects.all()}
    if slug not in found:
        raise Missing("no_such_pool", f"There is no pool {slug!r}; there are {', '.join(found)}.")
    return found[slug]


def leaderboard(pool: Pool, everyone: bool = False) -> QuerySet[Any]:
    """Ratings from the best down, with `rank`, equal for equal ratings.

    Listed are players with enough rated matches and one not long ago (20 and 90 days, unless the pool says
    otherwise); with `everyone`, all who have a rating in the pool. Closed accounts are never listed.
    """
    ratings = Rating.objects.filter(pool=pool, player__is_active=True).select_related("player", "pool")
    if not everyone:
        ratings = ratings.filter(_listed(pool))
    ranked = ratings.annotate(rank=Window(Rank(), order_by=F("value").desc()))
    return ranked.order_by("-value", "player__username")


def ratings_of(player: Player) -> QuerySet[Rating]:
    """The player's rating in each pool where he has one."""
    return Rating.objects.filter(player=player).select_related("pool").order_by("pool")


def with_codes(rows: QuerySet[Any], viewer: Player | AnonymousUser) -> QuerySet[Any]:
    """Rows about a `match`, with `code`: its code, or None for a private match that is not the viewer's.

    A private match is shown to its players alone, so others, superusers excepted, get no address of it.
    """
    if viewer.is_superuser:
        return rows.annotate(code=F("match__code"))
    seats = Seat.objects.filter(match=OuterRef("match"), player=viewer.pk).exclude(player=None)
    known = ~Q(match__visibility=Match.Visibility.PRIVATE) | Exists(seats)
    return rows.annotate(code=Case(When(known, then="match__code")))


def history(player: Player, pool: Pool, viewer: Player | AnonymousUser) -> QuerySet[Any]:
    """The player's part of the ledger, newest first, with each match's changes of everyone in the pool.

    With `code`, as the viewer may know it.
    """
    everyone = (
        RatingChange.objects.filter(pool=pool).select_related("player", "pool").order_by("place", "player")
    )
    rows = RatingChange.objects.filter(player=player, pool=pool)
    return (
        with_codes(rows, viewer)
        .select_related("match", "pool")
        .prefetch_related(Prefetch("match__rating_changes", queryset=everyone))
        .order_by("-n")
    )


def recorded_results(pool: Pool) -> Iterator[Result]:
    """The pool's rated matches in the order in which they were rated, read as they are asked for."""
    sides = PARTNERS if pool.kind.endswith("partners") else SINGLES
    seats = Seat.objects.filter(match=OuterRef("match"), player=OuterRef("player"))
    rows = RatingChange.objects.filter(pool=pool).annotate(seat=Subquery(seats.values("index")[:1]))
    told = rows.order_by("sequence", "seat").values_list("sequence", "player", "seat", "place", "left")
    for _, people in groupby(told.iterator(), key=lambda row: row[0]):
        _, players, indices, places, left = zip(*people, strict=True)
        yield Result(players, tuple(index % sides for index in indices), places, left, sides)

"""Reading ratings: leaderboards, what one player has, and how it came about."""

from datetime import timedelta

from django.db.models import Count, F, Prefetch, Q, QuerySet, Window
from django.db.models.functions import Rank
from django.utils import timezone

from games.models import Player
from ratings.models import ESTABLISHED_AFTER, Pool, Rating, RatingChange

ACTIVE_WITHIN = timedelta(days=90)


def pools() -> QuerySet[Pool]:
    """All pools, with `players`: how many their leaderboards have."""
    listed = Q(
        ratings__matches__gte=ESTABLISHED_AFTER,
        ratings__last_match_at__gte=timezone.now() - ACTIVE_WITHIN,
        ratings__player__is_active=True,
    )
    return Pool.objects.annotate(players=Count("ratings", filter=listed))


def leaderboard(pool: Pool, everyone: bool = False) -> QuerySet[Rating]:
    """Ratings from the best down, with `rank`, equal for equal ratings.

    Listed are players with 20 rated matches and one in the last 90 days; with `everyone`, all who have a
    rating in the pool. Closed accounts are never listed.
    """
    ratings = Rating.objects.filter(pool=pool, player__is_active=True).select_related("player", "pool")
    if not everyone:
        since = timezone.now() - ACTIVE_WITHIN
        ratings = ratings.filter(matches__gte=ESTABLISHED_AFTER, last_match_at__gte=since)
    ranked = ratings.annotate(rank=Window(Rank(), order_by=F("value").desc()))
    return ranked.order_by("-value", "player__username")


def ratings_of(player: Player) -> QuerySet[Rating]:
    """The player's rating in each pool where he has one."""
    return Rating.objects.filter(player=player).select_related("pool").order_by("pool")


def history(player: Player, pool: Pool) -> QuerySet[RatingChange]:
    """The player's part of the ledger, newest first; `match.rated_players`: everyone's rows of a match."""
    everyone = RatingChange.objects.filter(pool=pool).select_related("player").order_by("place", "player")
    return (
        RatingChange.objects.filter(player=player, pool=pool)
        .select_related("match")
        .prefetch_related(Prefetch("match__rating_changes", queryset=everyone, to_attr="rated_players"))
        .order_by("-n")
    )

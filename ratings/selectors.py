"""Reading ratings: leaderboards, what one player has, and how it came about."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Case, Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery, When, Window
from django.db.models.functions import Coalesce, Rank
from django.utils import timezone

from games.models import Match, Player, Seat
from ratings.maths import Entrant
from ratings.models import LedgerMatch, Pool, Rating, RatingChange, Recalculation, Revision
from ratings.pairs import Pair, pairs_of
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
    ranked = _board(pool, everyone).annotate(rank=Window(Rank(), order_by=F("value").desc()))
    return ranked.order_by("-value", "player__username")


def listed_ratings(pool: Pool) -> QuerySet[Rating]:
    """The ratings on a pool's leaderboard, in no order."""
    return _board(pool, everyone=False)


def _board(pool: Pool, everyone: bool) -> QuerySet[Rating]:
    ratings = Rating.objects.filter(pool=pool, player__is_active=True).select_related("player", "pool")
    return ratings if everyone else ratings.filter(_listed(pool))


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
    everyone = with_seats(RatingChange.objects.filter(pool=pool)).select_related("player", "pool")
    return (
        with_codes(changes_of(player, pool), viewer)
        .select_related("match", "pool")
        .prefetch_related(Prefetch("match__rating_changes", queryset=everyone.order_by("place", "player")))
    )


def changes_of(player: Player, pool: Pool) -> QuerySet[Any]:
    """The player's part of the ledger, newest first."""
    return RatingChange.objects.filter(player=player, pool=pool).select_related("pool").order_by("-n")


def with_seats(changes: QuerySet[Any]) -> QuerySet[Any]:
    """Rows of the ledger with `seat`, the index of the player's."""
    seat = Seat.objects.filter(match=OuterRef("match"), player=OuterRef("player")).values("index")
    return changes.annotate(seat=Subquery(seat[:1]))


def pairs_in(changes: Sequence[Any], player: int, sides: int) -> list[tuple[Any, Pair]]:
    """A player's pairs in one match, each with the opponent's row.

    `changes` are all of the match in one pool, read `with_seats`; `sides` is the pool's.
    """
    entrants = [Entrant(row.before, row.n, row.seat % sides, row.place, row.left) for row in changes]
    (at,) = (index for index, row in enumerate(changes) if row.player_id == player)
    return [(changes[pair.other], pair) for pair in pairs_of(entrants, at)]


def recalculations(
    pool: Pool, viewer: Player | AnonymousUser, player: Player | None = None
) -> QuerySet[Recalculation]:
    """Those that were done in a pool, or there to one player's rating, the newest first.

    Each has `moved_here`, how many ratings of the pool it moved; its `matches` with `code` as the viewer may
    know it; and as `revised` the player's revision, in a list.
    """
    here = Revision.objects.filter(recalculation=OuterRef("pk"), pool=pool)
    done = Recalculation.objects.filter(state=Recalculation.State.DONE)
    if player is None:
        done = done.filter(Q(pool=pool) | Exists(here))
    else:
        done = done.filter(Exists(here.filter(player=player)))
    matches = with_codes(LedgerMatch.objects.all(), viewer)
    revised = Revision.objects.filter(pool=pool, player=player)
    return (
        done.annotate(moved_here=Count("revisions", filter=Q(revisions__pool=pool)))
        .prefetch_related(Prefetch("matches", matches), Prefetch("revisions", revised, to_attr="revised"))
        .order_by("-done_at", "-pk")
    )


def recorded_results(pool: Pool) -> Iterator[Result]:
    """The pool's rated matches in the order in which they were rated, read as they are asked for."""
    sides = pool.sides
    told = (
        with_seats(RatingChange.objects.filter(pool=pool))
        .order_by("sequence", "seat")
        .values_list("sequence", "player", "seat", "place", "left")
    )
    for _, people in groupby(told.iterator(), key=lambda row: row[0]):
        _, players, indices, places, left = zip(*people, strict=True)
        yield Result(players, tuple(index % sides for index in indices), places, left, sides)


class Standing(NamedTuple):
    """How a listed rating compares with all `players` on its leaderboard, of whom `lower` have less."""

    rank: int
    lower: int
    players: int


def standing(rating: Rating) -> Standing | None:
    """None for a rating that is not on the leaderboard."""
    listed = _board(rating.pool, everyone=False)
    if not listed.filter(pk=rating.pk).exists():
        return None
    higher, lower = Q(value__gt=rating.value), Q(value__lt=rating.value)
    counts = listed.aggregate(
        higher=Count("pk", filter=higher), lower=Count("pk", filter=lower), players=Count("pk")
    )
    return Standing(1 + counts["higher"], counts["lower"], counts["players"])


def found_on(pool: Pool, everyone: bool, name: str) -> QuerySet[Any]:
    """The rows of a `leaderboard` whose players' names contain this one, in any case, with the ranks they
    have there.
    """
    board = _board(pool, everyone)
    above = board.filter(value__gt=OuterRef("value")).order_by().values("pool").annotate(of=Count("pk"))
    found = board.filter(player__username__icontains=Player.normalize_username(name))
    ranked = found.annotate(rank=Coalesce(Subquery(above.values("of")), 0) + 1)
    return ranked.order_by("-value", "player__username")


def course(player: Player, pool: Pool) -> QuerySet[RatingChange]:
    """What a plot takes of a player's ledger, the oldest first."""
    rows = RatingChange.objects.filter(player=player, pool=pool).select_related("match", "pool")
    return rows.only("n", "before", "after", "place", "left", "match__finished_at", "pool").order_by("n")


def revisions(player: Player, pool: Pool) -> QuerySet[Revision]:
    """The recalculations that altered a player's rating, the oldest first."""
    done = Revision.objects.filter(
        player=player, pool=pool, recalculation__state=Recalculation.State.DONE
    ).select_related("recalculation")
    return done.order_by("recalculation__done_at", "recalculation")

"""What the API answers, as JSON-able dicts. Ratings are exact; rounding is for whoever shows them."""

from django.contrib.auth.models import AnonymousUser

from games.api.answers import player
from games.models import Match, Player
from ratings.models import Pool, Rating, RatingChange
from trix_site.common.answers import Json, time


def pool(found: Pool, players: int) -> Json:
    return {"pool": found.slug, "name": found.name, "programs": found.programs, "players": players}


def ranked(rating: Rating, rank: int) -> Json:
    return {"rank": rank, "player": player(rating.player)} | _rating(rating)


def profile(account: Player, ratings: list[Rating]) -> Json:
    return player(account) | {"ratings": [{"pool": row.pool.slug} | _rating(row) for row in ratings]}


def change(row: RatingChange, viewer: Player | AnonymousUser) -> Json:
    """One match of a history."""
    everyone = list(row.match.rating_changes.all())
    return {
        "match": _code(row.match, everyone, viewer),
        "finished_at": time(row.match.finished_at),
        "place": row.place,
        "left": row.left,
        "before": row.before,
        "after": row.after,
        "change": row.change,
        "provisional": row.provisional,
        "n": row.n,
        "k": row.k,
        "players": [_rated(other) for other in everyone],
    }


def _rating(row: Rating) -> Json:
    return {
        "rating": row.value,
        "provisional": row.provisional,
        "matches": row.matches,
        "last_match_at": time(row.last_match_at),
    }


def _rated(row: RatingChange) -> Json:
    return {"player": player(row.player), "before": row.before, "place": row.place, "left": row.left}


def _code(match: Match, everyone: list[RatingChange], viewer: Player | AnonymousUser) -> str | None:
    """A private match is shown to its players alone, so others get no address of it."""
    hidden = match.visibility == Match.Visibility.PRIVATE
    return None if hidden and all(row.player_id != viewer.pk for row in everyone) else match.code

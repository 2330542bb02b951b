"""What the API answers, as JSON-able dicts. Ratings are exact; rounding is for whoever shows them."""

from typing import Any

from games.api.answers import player
from games.models import Player
from ratings.models import Pool, Rating, RatingChange
from trix_site.common.answers import Json, time


def pool(found: Pool, players: int) -> Json:
    return {"pool": found.slug, "name": found.name, "programs": found.programs, "players": players}


def ranked(rating: Rating, rank: int) -> Json:
    return {"rank": rank, "player": player(rating.player)} | _rating(rating)


def profile(account: Player, ratings: list[Rating]) -> Json:
    return player(account) | {"ratings": [{"pool": row.pool.slug} | _rating(row) for row in ratings]}


def change(row: Any) -> Json:
    """One match of a history: a RatingChange of `selectors.history`."""
    return {
        "match": row.code,
        "finished_at": time(row.match.finished_at),
        "place": row.place,
        "left": row.left,
        "before": row.before,
        "after": row.after,
        "change": row.change,
        "provisional": row.provisional,
        "n": row.n,
        "k": row.k,
        "players": [_rated(other) for other in row.match.rating_changes.all()],
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

"""What the API answers, as JSON-able dicts. Ratings are exact; rounding is for whoever shows them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from games.api.answers import player
from games.engine.cards import SEAT_NAMES
from games.models import Match, Player, Seat
from ratings.against import Record
from ratings.distribution import Distribution
from ratings.explained import Explained
from ratings.forecasts import Forecast
from ratings.models import Pool, Rating, RatingChange
from ratings.pairs import sums
from ratings.plots import BIN
from ratings.selectors import pairs_in
from trix_site.common.answers import Json, time

CSV_COLUMNS = ("rank", "player", "rating", "provisional", "matches", "last_match_at")


def pool(found: Pool, players: int) -> Json:
    return {"pool": found.slug, "name": found.name, "programs": found.programs, "players": players}


def ranked(rating: Rating, rank: int) -> Json:
    return {"rank": rank, "player": player(rating.player)} | _rating(rating)


def leaderboard_rows(ratings: Any) -> Iterator[Sequence[object]]:
    """A leaderboard as a table: of `selectors.leaderboard`, read as they are sent."""
    yield CSV_COLUMNS
    for row in ratings.iterator():
        values = _rating(row)
        yield row.rank, row.player.username, *(values[name] for name in CSV_COLUMNS[2:])


def profile(account: Player, ratings: list[Rating]) -> Json:
    return player(account) | {"ratings": [{"pool": row.pool.slug} | _rating(row) for row in ratings]}


def change(row: Any) -> Json:
    """One match of a history: a RatingChange of `selectors.history`."""
    everyone = row.match.rating_changes.all()
    of_pairs = sums(pair for _, pair in pairs_in(everyone, row.player_id, row.pool.sides))
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
        "pairs": of_pairs.pairs,
        "expected": of_pairs.expected,
        "score": of_pairs.score,
        "players": [_rated(other) for other in everyone],
    }


def distribution(of: Distribution, rating: Rating | None, percentile: float | None) -> Json:
    """The spread of a leaderboard, and where a player's rating in the pool stands among those listed."""
    bins = [{"from": at, "to": at + BIN, "players": count} for at, count in of.bins]
    its = None if rating is None else {"player": player(rating.player)} | _rating(rating)
    return {
        "players": of.count,
        "mean": of.mean,
        "quartiles": of.quartiles,
        "bins": bins,
        "player": None if its is None else its | {"percentile": percentile},
    }


def expected(pool: Pool, seats: Iterable[Forecast | None]) -> Json:
    return {"pool": pool.slug, "players": [_forecast(seat) for seat in seats if seat]}


def match_rating(match: Match, of: Explained) -> Json:
    """What a match is to ratings, by seat."""
    seats = {seat.letter: seat for seat in match.seats.all()}
    return {
        "match": match.code,
        "state": of.state,
        "reason": of.reason,
        "detail": of.sentence,
        "seats": [_seat(letter, seats.get(letter), of) for letter in SEAT_NAMES],
    }


def recalculation(row: Any) -> Json:
    """One of `selectors.recalculations`."""
    revised = [{"before": revision.before, "after": revision.after} for revision in row.revised]
    return {
        "done_at": time(row.done_at),
        "cause": row.cause,
        "note": row.note,
        "matches": [entry.code for entry in row.matches.all()],
        "parameters": {name: {"was": row.was[name], "now": value} for name, value in row.parameters.items()},
        "computed": row.computed,
        "moved": row.moved_here,
        "player": revised[0] if revised else None,
    }


def against(one: Player, two: Player, records: Iterable[Record]) -> Json:
    return {
        "player": player(one),
        "other": player(two),
        "pools": [
            {
                "pool": record.pool.slug,
                "matches": record.matches,
                "partners": record.partners,
                "above": record.above,
                "level": record.level,
                "below": record.below,
                "expected": record.expected,
                "score": record.score,
            }
            for record in records
        ],
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


def _seat(letter: str, seat: Seat | None, of: Explained) -> Json:
    return {
        "seat": letter,
        "player": player(seat.player) if seat and seat.player else None,
        "bot": seat.bot or None if seat else None,
        "before": _before(of.forecasts[letter]) if letter in of.forecasts else None,
        "change": _changed(of.changes[letter]) if letter in of.changes else None,
    }


def _forecast(of: Forecast) -> Json:
    return {"player": player(of.player)} | _before(of)


def _before(of: Forecast) -> Json:
    return {
        "pool": of.pool.slug,
        "rating": of.rating,
        "provisional": of.provisional,
        "expected_place": of.place,
        "win_chance": of.win,
        "place_chances": of.places,
    }


def _changed(row: RatingChange) -> Json:
    return {
        "pool": row.pool.slug,
        "place": row.place,
        "left": row.left,
        "before": row.before,
        "after": row.after,
        "change": row.change,
    }

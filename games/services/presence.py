"""Who is there: a player is at the table while a stream of his shows it. And which matches are followed.

Who is gone is read by `games.selectors`.
"""

from collections.abc import Collection

from django.db import connection
from django.utils import timezone

# Rows that somebody holds are left out: neither a move nor this ever waits for the other.
SEE = """
UPDATE games_seat SET seen_at = %s WHERE id IN (
    SELECT seat.id FROM games_seat AS seat JOIN games_match AS match ON match.id = seat.match_id
    WHERE {} AND match.status = 'running'
    FOR NO KEY UPDATE OF seat SKIP LOCKED
)
"""

# NOTIFY makes commits wait for each other, so the triggers tell only of matches that somebody follows.
WATCH = """
WITH due AS (
    SELECT id FROM games_match
    WHERE code = %s AND (watched_until < now() + interval '60 seconds') IS NOT FALSE
), free AS (
    SELECT id FROM games_match WHERE id IN (SELECT id FROM due) FOR NO KEY UPDATE SKIP LOCKED
), said AS (
    UPDATE games_match SET watched_until = now() + interval '90 seconds' FROM free
    WHERE games_match.id = free.id RETURNING games_match.id
)
SELECT (SELECT count(*) FROM due) = (SELECT count(*) FROM said)
"""
WATCH_ON = """
WITH due AS (
    SELECT id, code, (watched_until < now()) IS NOT FALSE AS late FROM games_match
    WHERE code = ANY(%s) AND (watched_until < now() + interval '60 seconds') IS NOT FALSE
    FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE games_match SET watched_until = now() + interval '90 seconds' FROM due WHERE games_match.id = due.id
RETURNING due.code, due.late
"""


def has_come(match_code: str, player_ids: Collection[int]) -> None:
    """Players have opened a stream of a match; harmless for those who have no seat there."""
    _see("match.code = %s AND seat.player_id = ANY(%s)", match_code, list(player_ids))


def still_there(seat_ids: Collection[int]) -> None:
    """The players of these seats still have a stream of their match open."""
    _see("seat.id = ANY(%s)", list(seat_ids))


def watch(match_code: str) -> bool:
    """Have the database tell of this match's changes, from now on and for a while; whether it will.

    It will not while somebody holds the match, and what he does would be missed: ask again, and then read the
    match. Waiting for him would keep others' streams, which are read by the same few threads.
    """
    with connection.cursor() as cursor:
        cursor.execute(WATCH, [match_code])
        return bool(cursor.fetchone()[0])


def watch_on(match_codes: Collection[str]) -> set[str]:
    """The same for matches that are followed already; those that the database has not told of meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute(WATCH_ON, [list(match_codes)])
        return {code for code, late in cursor.fetchall() if late}


def _see(which: str, *arguments: str | list[int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(SEE.format(which), [timezone.now(), *arguments])

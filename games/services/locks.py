"""The one order in which rows are locked: tournament, round, table, match, deal or seat, rating pool,
rating. Whoever locks several goes down this list and never back up.
"""

from games.models import Match
from trix_site.common.errors import Missing


def lock_match(**which: object) -> Match:
    """The match, locked until the transaction ends; its seats and deals change under this lock only.

    FOR NO KEY UPDATE: rows that merely point at the match may be inserted meanwhile. Raises Missing.
    """
    try:
        return Match.objects.select_for_update(no_key=True).get(**which)
    except Match.DoesNotExist:
        raise Missing("no_such_match", "There is no such match.") from None

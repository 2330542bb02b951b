"""The one order in which rows are locked: tournament, round, table, match, deal or seat, rating pool,
rating. Whoever locks several goes down this list and never back up.
"""

from games.models import Match, Player
from trix_site.common.errors import Missing


def lock_visible_match(code: str, player: Player) -> Match:
    """The match, locked as by `lock_match`. Raises Missing, for a private one to all but its players too."""
    match = lock_match(code=code)
    if match.visibility == Match.Visibility.PRIVATE and not match.seats.filter(player=player).exists():
        raise no_such_match()
    return match


def no_such_match() -> Missing:
    return Missing("no_such_match", "There is no such match.")


def lock_match(**which: object) -> Match:
    """The match, locked until the transaction ends; its seats and deals change under this lock only.

    FOR NO KEY UPDATE: rows that merely point at the match may be inserted meanwhile. Raises Missing.
    """
    try:
        return Match.objects.select_for_update(no_key=True).get(**which)
    except Match.DoesNotExist:
        raise no_such_match() from None

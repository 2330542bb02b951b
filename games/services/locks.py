"""The one order in which rows are locked: league, tournament, round, table, match, deal or seat,
recalculation, rating pool, rating, webhook, account. Whoever locks several goes down this list and never
back up; of two matches, the older first.
"""

from collections.abc import Iterable

from games.models import Match, Player
from games.selectors import may_see, no_such_match
from trix_site.common.errors import Conflict
from trix_site.common.prepared import Prepared

LOCKED = {
    "code": Prepared(lambda code: Match.objects.select_for_update(no_key=True).filter(code=code), "?"),
    "pk": Prepared(lambda pk: Match.objects.select_for_update(no_key=True).filter(pk=pk), -1),
}


def lock_visible_match(code: str, player: Player) -> Match:
    """The match, locked as by `lock_match`. Raises Missing, for a private one to all but its people too."""
    match = lock_match(code=code)
    if not may_see(match, player):
        raise no_such_match()
    return match


def lock_account(**which: object) -> Player | None:
    """The account, locked until the transaction ends, if there is one. Nothing is locked after it.

    FOR NO KEY UPDATE: rows that merely point at it may be inserted meanwhile, as in the middle of a move.
    """
    return Player.objects.select_for_update(no_key=True).filter(**which).first()


def lock_open_account(player: Player) -> None:
    """Lock the account of a player who gets a row that his deletion takes along. Raises Conflict."""
    if lock_account(pk=player.pk, is_active=True) is None:
        raise Conflict("account_closed", "The account was closed a moment ago.")


def lock_open_accounts(players: Iterable[Player]) -> None:
    """The same of several, the older first."""
    for player in sorted(players, key=lambda player: player.pk):
        lock_open_account(player)


def lock_match(**which: object) -> Match:
    """The match, locked until the transaction ends; its seats and deals change under this lock only.

    FOR NO KEY UPDATE: rows that merely point at the match may be inserted meanwhile. Raises Missing.
    """
    ((name, value),) = which.items()
    found = LOCKED[name].all(value)
    if not found:
        raise no_such_match()
    return found[0]

"""The engine's refusals as answers of the API: the same code and words, and a status."""

from games.engine import EngineError, MalformedAction, RuleError, action_text
from games.models import Match, Player, Seat
from trix_site.common.errors import AgainstRules, BadRequest, Conflict, Forbidden, ProblemError


def refused(error: EngineError, version: int) -> ProblemError:
    """What to raise for a refused action at this version."""
    if isinstance(error, RuleError):
        legal = [action_text(action) for action in error.legal]
        return AgainstRules(error.code, error.message, legal=legal, version=version)
    assert isinstance(error, MalformedAction)
    return BadRequest(error.code, error.message)


def wrong_status(match: Match, wanted: str) -> Conflict:
    """What to raise where the match would have to be in the state ``wanted``."""
    code = "match_over" if match.status == Match.Status.FINISHED else f"match_{match.status}"
    return Conflict(code, f"The match is {match.status}, not {wanted}.", version=match.version)


def check_open(match: Match) -> None:
    """Raise Conflict unless players may still sit down."""
    if match.status != Match.Status.OPEN:
        raise wrong_status(match, "open")


def check_opener(match: Match, player: Player, what: str) -> None:
    """Raise Forbidden for all but whoever opened the table; ``what`` is what only he does."""
    if match.created_by_id != player.pk:
        raise Forbidden("not_your_table", f"Only the player who opened the table {what}.")


def check_not_resigned(seat: Seat) -> None:
    """Raise Conflict for a player who has given his seat to a bot for good."""
    if seat.resigned:
        raise Conflict("resigned", "You have resigned: a bot plays for you to the end.")


def stale(version: int, current: int) -> Conflict:
    return Conflict("stale_version", f"The match is at version {current}, not at {version}.", version=current)

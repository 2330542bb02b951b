"""The engine's refusals as answers of the API: the same code and words, and a status."""

from games.engine import EngineError, MalformedAction, RuleError, action_text
from games.models import Match
from trix_site.common.errors import AgainstRules, BadRequest, Conflict, ProblemError


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


def stale(version: int, current: int) -> Conflict:
    return Conflict("stale_version", f"The match is at version {current}, not at {version}.", version=current)

"""A tournament's rows. They are changed by `tournaments.services` alone; constraints are the last guard.

Nothing that standings follow from is ever deleted: entries are withdrawn, results superseded, penalties
revoked, tournaments cancelled. Only a draw that was never published can be dropped.
"""

from tournaments.models.audit import AuditLog
from tournaments.models.entries import Entry, Penalty, StageEntry
from tournaments.models.leagues import LARGEST_DIVISION, MOST_DIVISIONS, League, Season
from tournaments.models.rankings import Ranking
from tournaments.models.rounds import Bye, Round, Table, TableResult, TableSeat
from tournaments.models.tournaments import (
    LONGEST_ARENA,
    MOST_ENTRIES,
    MOST_ROUNDS,
    MOST_STAGES,
    MOST_WAVES,
    RoundDate,
    Stage,
    Tournament,
    default_metrics,
    new_seed,
)

__all__ = [
    "LARGEST_DIVISION",
    "LONGEST_ARENA",
    "MOST_DIVISIONS",
    "MOST_ENTRIES",
    "MOST_ROUNDS",
    "MOST_STAGES",
    "MOST_WAVES",
    "AuditLog",
    "Bye",
    "Entry",
    "League",
    "Penalty",
    "Ranking",
    "Round",
    "RoundDate",
    "Season",
    "Stage",
    "StageEntry",
    "Table",
    "TableResult",
    "TableSeat",
    "Tournament",
    "default_metrics",
    "new_seed",
]

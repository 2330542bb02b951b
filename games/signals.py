"""News of matches and accounts for the apps above, which these know nothing about.

Those of matches are sent after commit with ``match_id``. A process may die between the commit and the signal:
whoever must not miss a finished match looks for them again with a beat task of its own.
"""

from django.dispatch import Signal

match_started = Signal()
match_finished = Signal()

# Of a ``player`` who deletes his account. The first two are sent in that transaction: before the account is
# locked, for receivers to lock what comes before it, and then, when a receiver may refuse by raising a
# ProblemError. The third is sent after its commit: a sweeper finds whom it did not reach.
account_locking = Signal()
account_closing = Signal()
account_closed = Signal()

"""News of matches and accounts for the apps above, which these know nothing about.

Those of matches are sent after commit with ``match_id``. A process may die between the commit and the signal:
whoever must not miss a finished match looks for them again with a beat task of its own.
"""

from django.dispatch import Signal

match_started = Signal()
match_finished = Signal()

# Of a ``player`` who deletes his account. The first is sent in that transaction, and a receiver may refuse by
# raising a ProblemError; the second after its commit: a sweeper finds whom it did not reach.
account_closing = Signal()
account_closed = Signal()

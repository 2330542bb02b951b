"""News of matches for the apps above, which a match knows nothing about.

Both are sent after commit with ``match_id``. A process may die between the commit and the signal:
whoever must not miss a finished match looks for them again with a beat task of its own.
"""

from django.dispatch import Signal

match_started = Signal()
match_finished = Signal()

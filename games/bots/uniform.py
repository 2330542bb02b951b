"""The level that everything else is measured against."""

import random
from collections.abc import Sequence

from games.engine import View


def choose(view: View, legal: Sequence[int], rng: random.Random) -> int:
    """Any legal action, each as likely as the next."""
    return rng.choice(legal)

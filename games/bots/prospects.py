"""What the contracts that are left in a kingdom promise their owner, who has not seen his cards for them.

Who chooses a contract gives up choosing it with a better hand. So a choice is worth this deal's points, and
what the rest of the kingdom promises, which its owner will again choose by his cards.
"""

import random
from collections.abc import Callable
from functools import cache, lru_cache
from statistics import fmean

from games.engine import Contract, Options

from .contracts import at_stake

Left = frozenset[Contract]

# The standard deviation, over random hands, of what a hand is worth to the owner of a contract in the points
# of the rule pages, played by greedy in 40 worlds a hand; the mean is 0 within two points. Partners change
# it by less than a tenth, and so does who is paid for doubling.
SPREAD = {
    Contract.KING: 24.0,
    Contract.QUEENS: 21.0,
    Contract.DIAMONDS: 34.0,
    Contract.LTOOSH: 33.0,
    Contract.TRIX: 44.0,
    Contract.COMPLEX: 97.0,
}
SPREAD_DOUBLED = SPREAD | {Contract.KING: 39.0, Contract.QUEENS: 36.0, Contract.COMPLEX: 115.0}
HANDS = 1000
_STANDARD = Options()


@lru_cache(maxsize=64)
def of(options: Options) -> Callable[[Left], float]:
    """A function that tells what contracts left are worth to their owner before he sees his cards.

    What a hand is worth is taken to be normal, and of one contract independent of another.
    """
    spread = SPREAD_DOUBLED if options.doubling else SPREAD
    rng = random.Random(0)
    hands = [
        {
            contract: rng.gauss(0, spread[contract] * _scale(contract, options))
            for contract in options.contracts
        }
        for _ in range(HANDS)
    ]

    @cache
    def worth(left: Left) -> float:
        after = {contract: worth(left - {contract}) for contract in left}
        return (
            fmean(max(hand[contract] + after[contract] for contract in left) for hand in hands)
            if left
            else 0.0
        )

    return worth


def _scale(contract: Contract, options: Options) -> float:
    return at_stake(contract, options) / at_stake(contract, _STANDARD)

"""Sets of cards as 64-bit integers, and luck, in compiled code."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from .compiling import inlined

Luck = NDArray[np.uint64]  # one number, the state of a generator


@intrinsic
def count(_typing: Any, cards: Any) -> Any:
    """The number of cards of a set."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), code


@intrinsic
def lowest(_typing: Any, cards: Any) -> Any:
    """The lowest card of a set that is not empty."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


@intrinsic
def leading_zeros(_typing: Any, cards: Any) -> Any:
    """The zeros before the highest card of a set that is not empty."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


@inlined
def highest(cards: int) -> int:
    """The highest card of a set that is not empty."""
    return 63 - leading_zeros(cards)


def _places() -> NDArray[np.int8]:
    """By set of thirteen and number, the element that has so many below it."""
    table = np.zeros((1 << 13, 13), np.int8)
    for cards in range(1 << 13):
        ranks = [rank for rank in range(13) if cards >> rank & 1]
        table[cards, : len(ranks)] = ranks
    return table


PLACES = _places()


@inlined
def nth(cards: int, number: int) -> int:
    """The card of a set that has so many below it. Written without branches, which would be guessed wrong."""
    first = count(cards & 0x1FFF)
    second = first + count(cards >> 13 & 0x1FFF)
    third = second + count(cards >> 26 & 0x1FFF)
    past = number >= first, number >= second, number >= third
    suit = int(past[0]) + int(past[1]) + int(past[2])
    before = past[0] * first + past[1] * (second - first) + past[2] * (third - second)
    return 13 * suit + PLACES[cards >> 13 * suit & 0x1FFF, number - before]


@inlined
def _next(luck: Luck) -> np.uint64:
    """64 random bits, and the next state: splitmix64, by Steele, Lea and Flood."""
    luck[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = luck[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@inlined
def draw(luck: Luck) -> float:
    """A number from 0 up to 1."""
    return (_next(luck) >> np.uint64(11)) * 2.0**-53


@inlined
def below(luck: Luck, limit: int) -> int:
    """A whole number from 0 up to ``limit``, at most 2**31, each as likely."""
    return int(np.int64(_next(luck) >> np.uint64(33)) * limit >> 31)


@inlined
def any_of(luck: Luck, cards: int) -> int:
    """A card of a set, each as likely."""
    return nth(cards, below(luck, count(cards)))

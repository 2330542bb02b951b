"""The position of a match: the deal being played, and the results of the deals before it.

A `State` is mutable and `apply` changes it in place: measured, that is what keeps a random deal as
fast as the same loop over a compiled engine. `State.copy` is there for searches, and `resume`
rebuilds any position of a deal from its log in well under a millisecond.

The state knows every hand. What a player may know leaves through `view` alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from .cards import FULL_DECK, JACKS
from .options import Contract, Options

Hands = Sequence[int]
NOBODY = -1


class Phase(IntEnum):
    """Where a deal stands. A deal with one contract left, or no doubling, skips those phases."""

    CHOOSE = 0
    DOUBLE = 1
    PLAY = 2
    OVER = 3


@dataclass(frozen=True, slots=True)
class DealResult:
    """What a finished deal leaves behind; ``scores`` are points by seat."""

    number: int
    owner: int
    contract: Contract
    scores: tuple[int, int, int, int]


class State:
    """A position; see the module. Plain data, changed by `apply` only.

    number: of the deal, from 1. owner: seat of the kingdom's owner.
    results: of the deals before this one. remaining: contracts of the kingdom not played before.
    hands: four sets; redealt_hands: the four used if the ``redeal`` option throws these in.
    turn: the seat to act, NOBODY while doubling (`to_act` knows) and when the deal is over.
    asked, answers: seats asked to double, and the set each has answered (None: not yet). Secret.
    doubled: card to seat, filled by the reveal. forced: doubled cards played as the only legal one.
    plays: (seat, card or PASS), all of the deal. trick: the cards on the table, leader first.
    taken: the cards each seat took. gone: all of them. tricks: how many each took.
    ends_with: the cards with which a trick contract is over once they are all gone.
    layout: cards down in trix. open: cards that fit it. out: seats in order of going out.
    scores: points of this deal so far. log: every action of this deal, secret answers included.
    first_version: `version` when the deal began. secret: how many actions of the log moved none.
    """

    __slots__ = (
        "answers",
        "asked",
        "contract",
        "doubled",
        "ends_with",
        "first_version",
        "forced",
        "gone",
        "hands",
        "layout",
        "leader",
        "log",
        "number",
        "open",
        "options",
        "out",
        "owner",
        "phase",
        "plays",
        "redealt",
        "redealt_hands",
        "remaining",
        "results",
        "scores",
        "secret",
        "taken",
        "trick",
        "tricks",
        "turn",
    )

    def __init__(
        self,
        options: Options,
        number: int,
        owner: int,
        results: tuple[DealResult, ...],
        remaining: tuple[Contract, ...],
        first_version: int,
        hands: Hands,
        redealt_hands: Hands | None,
    ) -> None:
        self.options = options
        self.number = number
        self.owner = owner
        self.results = results
        self.first_version = first_version
        self.remaining = remaining
        self.hands = list(hands)
        self.redealt_hands = redealt_hands
        self.redealt = False
        self.phase = Phase.CHOOSE
        self.contract: Contract | None = None
        self.turn = self.leader = owner
        self.asked: tuple[int, ...] = ()
        self.answers: list[int | None] = [None, None, None, None]
        self.doubled: dict[int, int] = {}
        self.forced = 0
        self.plays: list[tuple[int, int]] = []
        self.trick: list[int] = []
        self.taken = [0, 0, 0, 0]
        self.gone = 0
        self.ends_with = FULL_DECK
        self.tricks = [0, 0, 0, 0]
        self.layout = 0
        self.open = JACKS
        self.out: list[int] = []
        self.scores = [0, 0, 0, 0]
        self.log = bytearray()
        self.secret = 0

    def copy(self) -> Self:
        """An independent position equal to this one."""
        twin = object.__new__(type(self))
        for name in self.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value.copy() if isinstance(value, list | dict | bytearray) else value)
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    @property
    def version(self) -> int:
        """Public actions of the match so far; a deal's double answers count once, at their reveal."""
        return self.first_version + len(self.log) - self.secret

    @property
    def result(self) -> DealResult:
        """The result of this deal, once it is over."""
        assert self.phase is Phase.OVER and self.contract is not None
        south, east, north, west = self.scores
        return DealResult(self.number, self.owner, self.contract, (south, east, north, west))

    @property
    def finished(self) -> tuple[DealResult, ...]:
        """The results of all finished deals, this one included once it is over."""
        return (*self.results, self.result) if self.phase is Phase.OVER else self.results

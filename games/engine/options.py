"""House rules as named options, and the presets that are nothing but named sets of them.

The defaults of `Options` are the preset ``dananeer`` (rule page D) without its doubling. Presets
follow the table of the design's rules page; ``cardkings*`` is rule page C, ``eram`` is E.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from functools import cached_property

from .errors import BadOptionValue, UnknownOption, UnknownRules, shown


class Contract(IntEnum):
    """The contracts of all kingdoms, in the order in which a choosing time-out takes them."""

    KING = 0
    QUEENS = 1
    DIAMONDS = 2
    LTOOSH = 3
    TRIX = 4
    COMPLEX = 5

    @property
    def text(self) -> str:
        return self.name.lower()


# Rule page D calls ltoosh "collections"; input takes both.
CONTRACT_OF_TEXT = {contract.text: contract for contract in Contract} | {"collections": Contract.LTOOSH}

KINGDOMS = {
    "classic": (Contract.KING, Contract.QUEENS, Contract.DIAMONDS, Contract.LTOOSH, Contract.TRIX),
    "complex": (Contract.COMPLEX, Contract.TRIX),
}

# The words that a named option may take; options not listed are switches, points or trix_values.
CHOICES = {
    "kingdom": ("classic", "complex"),
    "self_take": ("plain", "leader", "leader_or_self"),
    "trix_end": ("all", "third"),
    "tie": ("shared", "draw"),
    "lead_restriction": ("none", "king_first_trick", "hearts_in_king"),
    "redeal": ("none", "four_twos", "bare_heart", "first_owner"),
    "equal_count": ("next", "split"),
}
SWITCHES = frozenset(
    {"partners", "doubling", "forced_strict", "early_end", "must_dump", "exposed_twos", "capot"}
)
POINTS = frozenset({"king_value", "queen_value", "diamond_value", "trick_value"})
LARGEST_POINTS = 1000
_WORDS = re.compile(r"[^ \t]+")


@dataclass(frozen=True)
class Options:
    """One set of house rules. Point values are positive numbers of points.

    kingdom: the contracts of a kingdom, the classic five or complex and trix.
    partners: South and North against East and West, one score a side (C).
    doubling: KH and queens may be doubled in king, queens and complex (D, E).
    self_take: what a doubler pays who takes his own card (``leader`` is D, ``plain`` E).
    forced_strict: the leader's bonus wants the doubled card to have been the only legal one.
    trix_end: a trix deal ends with all 52 cards down, or when the third player is out
        (with partners also when both of a side are out first and second, C).
    early_end: king, queens and diamonds end with the trick that takes their last penalty card.
    tie: what equal totals at the top are called.
    lead_restriction: KH not led in the first trick where it counts; hearts not led in the king
        contract while another suit is held.
    must_dump: who cannot follow must throw a penalty card of the contract if he holds one.
    exposed_twos: the holders of the twos are public in trix deals.
    redeal: who may or must have a deal dealt once more.
    capot: a seat that takes all 13 tricks of ltoosh or complex wins what it would have lost.
    equal_count: partners, equal hands for the third place: 100 to the next to act, or halves.
    """

    kingdom: str = "classic"
    partners: bool = False
    doubling: bool = False
    self_take: str = "leader"
    forced_strict: bool = False
    trix_end: str = "all"
    early_end: bool = True
    tie: str = "shared"
    lead_restriction: str = "none"
    must_dump: bool = False
    exposed_twos: bool = False
    redeal: str = "none"
    capot: bool = False
    equal_count: str = "next"
    king_value: int = 75
    queen_value: int = 25
    diamond_value: int = 10
    trick_value: int = 15
    trix_values: tuple[int, int, int, int] = (200, 150, 100, 50)

    # cached: `legal` and `apply` read these all the time.
    @cached_property
    def contracts(self) -> tuple[Contract, ...]:
        """The contracts of one kingdom, in the order of a choosing time-out (E)."""
        return KINGDOMS[self.kingdom]

    @cached_property
    def deals(self) -> int:
        """How many deals a match has: four kingdoms of each contract once, 20 or 8."""
        return 4 * len(self.contracts)

    @cached_property
    def prices(self) -> dict[Contract, tuple[int, int, int, int]]:
        """What a trick contract charges: for the trick, for KH, a queen and a diamond."""
        trick, king, queen, diamond = self.trick_value, self.king_value, self.queen_value, self.diamond_value
        return {
            Contract.KING: (0, king, 0, 0),
            Contract.QUEENS: (0, 0, queen, 0),
            Contract.DIAMONDS: (0, 0, 0, diamond),
            Contract.LTOOSH: (trick, 0, 0, 0),
            Contract.COMPLEX: (trick, king, queen, diamond),
        }


OPTION_NAMES = tuple(field.name for field in fields(Options))

_CARDKINGS = Options(trix_end="third")
PRESETS: dict[str, Options] = {
    "dananeer": Options(doubling=True),
    "dananeer-complex": Options(kingdom="complex"),
    "eram": Options(doubling=True, self_take="plain", trix_end="third", tie="draw"),
    "cardkings": _CARDKINGS,
    "cardkings-complex": replace(_CARDKINGS, kingdom="complex"),
    "cardkings-partners": replace(_CARDKINGS, partners=True),
    "cardkings-complex-partners": replace(_CARDKINGS, kingdom="complex", partners=True),
}


def options_for(preset: str, overrides: Mapping[str, object] | None = None) -> Options:
    """The options of a preset with some of them replaced.

    ``overrides`` maps option names to values: texts as in a record's Options tag (``"off"``,
    ``"200/150/100/50"``), or JSON values (booleans, numbers, lists).
    Raises UnknownRules, UnknownOption or BadOptionValue.
    """
    if not isinstance(preset, str) or preset not in PRESETS:
        raise UnknownRules(f"There are no rules {shown(preset)}; there are {', '.join(PRESETS)}.")
    values = {name: _read_value(name, value) for name, value in (overrides or {}).items()}
    options = replace(PRESETS[preset], **values)  # type: ignore[arg-type]
    _check_split(options)
    return options


def parse_options(text: str) -> dict[str, str]:
    """Overrides from the text of an Options tag: ``early_end=off trix_end=all``.

    Raises UnknownOption for a word without ``=`` or an option named twice; values are read by
    `options_for`.
    """
    overrides: dict[str, str] = {}
    for word in _WORDS.findall(text):
        name, equals, value = word.partition("=")
        if not equals or name in overrides:
            raise UnknownOption(f"{shown(word)} should be one option=value, each option once.")
        overrides[name] = value
    return overrides


def overrides_of(preset: str, options: Options) -> dict[str, str]:
    """What distinguishes ``options`` from a preset, as texts, in the order of `Options`."""
    base = PRESETS[preset]
    return {
        name: _value_text(getattr(options, name))
        for name in OPTION_NAMES
        if getattr(options, name) != getattr(base, name)
    }


def format_overrides(preset: str, options: Options) -> str:
    """The canonical text of an Options tag; empty for the preset itself."""
    return " ".join(f"{name}={value}" for name, value in overrides_of(preset, options).items())


def _read_value(name: str, value: object) -> object:
    if name in CHOICES:
        return _read_choice(name, value)
    if name in SWITCHES:
        return _read_switch(name, value)
    if name in POINTS:
        return _read_points(name, value)
    if name == "trix_values":
        return _read_trix_values(value)
    raise UnknownOption(f"There is no option {shown(name)}; there are {', '.join(OPTION_NAMES)}.")


def _read_choice(name: str, value: object) -> str:
    if not isinstance(value, str) or value not in CHOICES[name]:
        raise BadOptionValue(f"{name} is one of {', '.join(CHOICES[name])}, not {shown(value)}.")
    return value


def _read_switch(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    if value not in ("on", "off"):
        raise BadOptionValue(f"{name} is on or off, not {shown(value)}.")
    return value == "on"


def _read_points(name: str, value: object) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 4:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= LARGEST_POINTS:
        raise BadOptionValue(f"{name} is a number of points from 0 to {LARGEST_POINTS}, not {shown(value)}.")
    return value


def _read_trix_values(value: object) -> tuple[int, ...]:
    parts = value.split("/") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or len(parts) != 4:
        raise BadOptionValue(
            f"trix_values is four numbers of points as in 200/150/100/50, not {shown(value)}."
        )
    return tuple(_read_points("each of trix_values", part) for part in parts)


def _check_split(options: Options) -> None:
    if options.equal_count == "split" and sum(options.trix_values[2:]) % 2:
        raise BadOptionValue("equal_count=split wants the third and fourth trix_values to have an even sum.")


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "/".join(str(part) for part in value)
    return str(value)

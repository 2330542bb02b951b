"""Who goes on from a round of a knockout, and in which order all end. Pure.

At each table the best `advance` people go on, by the score that places them (their side's, with partners);
bots neither go on nor hold a place. At least one goes out at any table with two people or more, so that the
rounds end with one table, the final; who sat with bots alone goes on. Of two pairs at a table one goes on.
A tie at the cut goes to the better seed, the lower number. An annulled table (its scores all None) is a tie
of all who sat at it, and so a bye is an annulled table of one. The final has one winner, by the same rule.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tournaments.standings import PlayedTable, sides

NOT_SEATED = 5  # the place of who qualified for a round and did not sit in it: below all four of its tables


@dataclass(frozen=True)
class Ranked:
    """One entry's end: `rank` from 1, the last `round` reached (0: never played) and its `place` in it.

    `place` is that among people at the table, NOT_SEATED for who did not sit in that round.
    """

    rank: int
    entry: int
    round: int
    place: int


def survivors(tables: Sequence[PlayedTable], advance: int, seeds: Mapping[int, int]) -> list[int]:
    """Who goes on from a round, in the order of their seeds. Who withdrew is the caller's to leave out.

    Raises ValueError for an `advance` that is not 1 to 3.
    """
    if advance not in (1, 2, 3):
        raise ValueError(f"1 to 3 go on from a table, not {advance}")
    through: list[int] = []
    for table in tables:
        people = _best_first(table, seeds)
        through += [entry for _, entry in people[: _cut(people, advance)]]
    return sorted(through, key=lambda entry: seeds[entry])


def ranking(
    rounds: Sequence[Sequence[PlayedTable]],
    entries: Iterable[int],
    seeds: Mapping[int, int],
    advance: int,
    last: Collection[int] = (),
) -> list[Ranked]:
    """The order of a knockout, best first and equals by seed, from its whole rounds so far.

    The later round is better, then the better place at its table; the same of both is an equal rank. A round
    of one table is the final. Before it, all who go on share the first rank. Who qualified for a round and
    did not sit in it is below all who did. `last`: entries that rank below all others, whatever they reached.
    """
    reached = dict.fromkeys(entries, (0, NOT_SEATED))
    for number, tables in enumerate(rounds, start=1):
        for table in tables:
            people = _best_first(table, seeds)
            for entry, end in _ends(people, number, advance, final=len(tables) == 1).items():
                if entry in reached:
                    reached[entry] = end
    return _ranked(reached, seeds, last)


Person = tuple[int, int]
"""The score that places someone, and his entry."""


def _best_first(table: PlayedTable, seeds: Mapping[int, int]) -> list[Person]:
    if all(score is None for score in table.scores):
        people = {(0, entry) for entry in table.seats if entry is not None}
    else:
        people = {(side.score, e) for side in sides(table) for e in side.entries if e is not None}
    return sorted(people, key=lambda person: (-person[0], seeds[person[1]]))


def _cut(people: Sequence[Person], advance: int) -> int:
    """How many go on."""
    return min(advance, max(1, len(people) - 1))


def _ends(people: Sequence[Person], number: int, advance: int, final: bool) -> dict[int, tuple[int, int]]:
    """Round and place of each person after a table of that round."""
    cut = _cut(people, 1 if final else advance)
    through = (number, 1) if final else (number + 1, NOT_SEATED)
    ends = dict.fromkeys((entry for _, entry in people[:cut]), through)
    for score, entry in people[cut:]:
        ends[entry] = (number, 1 + max(cut, sum(other > score for other, _ in people)))
    return ends


def _ranked(
    reached: Mapping[int, tuple[int, int]], seeds: Mapping[int, int], last: Collection[int]
) -> list[Ranked]:
    ends = {entry: (entry in last, -number, place) for entry, (number, place) in reached.items()}
    ordered = sorted(ends, key=lambda entry: (ends[entry], seeds[entry]))
    first: dict[tuple[bool, int, int], int] = {}
    for rank, entry in enumerate(ordered, start=1):
        first.setdefault(ends[entry], rank)
    return [Ranked(first[ends[entry]], entry, *reached[entry]) for entry in ordered]

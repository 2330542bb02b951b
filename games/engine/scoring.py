"""Points, as pure functions. Scores are lists of four, by seat; penalties are negative."""

from collections.abc import Mapping, Sequence

from .cards import BIT, DIAMONDS, KH, QUEENS
from .options import Contract, Options


def trick_penalty(options: Options, contract: Contract, cards: int) -> int:
    """What the set of a trick's cards costs its taker, undoubled: the score, so at most 0.

    Each contract scores only what it names, complex all of it at once: there the queen of diamonds
    is a queen and a diamond (C).
    """
    trick, king, queen, diamond = options.prices[contract]
    penalty = trick
    if king:
        penalty += king * (cards >> KH & 1)
    if queen:
        penalty += queen * (cards & QUEENS).bit_count()
    if diamond:
        penalty += diamond * (cards & DIAMONDS).bit_count()
    return -penalty


def doubling_extra(
    options: Options, doubled: Mapping[int, int], forced: int, leader: int, taker: int, cards: int
) -> list[int]:
    """What the doubled cards of one trick change beside `trick_penalty`, by seat (D, E).

    doubled: card to the seat that doubled it. forced: the doubled cards that were their player's
    only legal one. ``cards`` is the set of the trick's cards.

    A doubled card of value v that another takes costs the taker v more and gives its doubler v.
    One that its doubler takes: `_self_taken`. Nobody plays two cards to a trick, so the leader's
    bonus of rule page D is paid at most once.
    """
    extra = [0, 0, 0, 0]
    for card, doubler in doubled.items():
        if not cards & BIT[card]:
            continue
        value = options.king_value if card == KH else options.queen_value
        if doubler != taker:
            extra[taker] -= value
            extra[doubler] += value
        elif options.self_take != "plain":
            _self_taken(options, extra, value, leader, taker, bool(forced & BIT[card]))
    return extra


def _self_taken(
    options: Options, extra: list[int], value: int, leader: int, taker: int, forced: bool
) -> None:
    """The doubler pays double; who led him to it gains v, himself only under `leader_or_self`."""
    extra[taker] -= value
    if options.forced_strict and not forced:
        return
    if leader != taker or options.self_take == "leader_or_self":
        extra[leader] += value


def trix_scores(options: Options, out: Sequence[int], counts: Sequence[int], next_to_act: int) -> list[int]:
    """Scores of a finished trix deal: by the order of going out.

    out: at least three seats, or both partners of one side (C: the deal ended at once; of the other
    side the one with fewer cards is third). counts: cards left by seat. next_to_act: the seat that
    takes the third place when those counts are equal and `equal_count` is ``next``.
    """
    rest = [seat for seat in range(4) if seat not in out]
    rest.sort(key=lambda seat: (counts[seat], seat != next_to_act))
    values = list(options.trix_values)
    if len(rest) == 2 and counts[rest[0]] == counts[rest[1]] and options.equal_count == "split":
        values[2] = values[3] = sum(values[2:]) // 2
    scores = [0, 0, 0, 0]
    for seat, value in zip([*out, *rest], values, strict=True):
        scores[seat] = value
    return scores

"""From what a seat sees to the kernel's rows, and back to nothing: the kernel knows no more than the view."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.bots.doubling import WANTED
from games.bots.knowledge import shown
from games.bots.stakes import stakes
from games.engine import Contract, Options, View
from games.engine.actions import PASS
from games.engine.apply import CAPOT, ENDS_EARLY
from games.engine.cards import FULL_DECK, JACKS, OUTWARD, SUIT_MASK, TWOS, cards_of, mask_of
from games.engine.legal import DOUBLED as MAY_BE_DOUBLED
from games.engine.legal import PENALTIES
from games.engine.scoring import trick_penalty

from . import tricks, trix
from .tricks import Row, Terms

SELF_TAKE = {
    "plain": tricks.PLAIN,
    "leader": tricks.PAYS_LEADER,
    "leader_or_self": tricks.PAYS_LEADER_OR_SELF,
}


def terms_of(contract: Contract, options: Options, doubled: tuple[tuple[int, int], ...] = ()) -> Terms:
    """What a trick contract costs, with the cards that were doubled and by whom."""
    terms = np.zeros(tricks.TERMS, np.int64)
    terms[tricks.DOUBLERS : tricks.DOUBLERS + 52] = -1
    plain = options.prices[contract][0]
    for card in range(52):
        terms[tricks.COSTS + card] = -trick_penalty(options, contract, 1 << card) - plain
    for card, seat in doubled:
        terms[tricks.DOUBLERS + card] = seat
    for seat in range(4):
        of_seat = stakes(contract, options, doubled, seat)
        place = tricks.STAKES + 52 * seat
        terms[place : place + 52] = of_seat.costs
        terms[tricks.HOT] = of_seat.hot
    terms[tricks.CONTRACT] = contract
    terms[tricks.TRICK] = plain
    early = contract in ENDS_EARLY and options.early_end
    terms[tricks.ENDS] = PENALTIES[contract] if early else FULL_DECK
    terms[tricks.CAPOT] = options.capot and contract in CAPOT
    terms[tricks.DUMP] = PENALTIES[contract] if options.must_dump else 0
    terms[tricks.RESTRICTED] = _restricted(contract, options)
    terms[tricks.SELF_TAKE] = SELF_TAKE[options.self_take]
    terms[tricks.STRICT] = options.forced_strict
    terms[tricks.PARTNERS] = options.partners
    terms[tricks.DOUBLED] = mask_of(card for card, _ in doubled)
    terms[tricks.KING], terms[tricks.QUEEN] = options.king_value, options.queen_value
    terms[tricks.ASKED] = MAY_BE_DOUBLED.get(contract, 0) if options.doubling else 0
    terms[tricks.KING_WANTS], terms[tricks.QUEEN_WANTS] = WANTED[options.self_take]
    return terms


def _restricted(contract: Contract, options: Options) -> int:
    if options.lead_restriction == "king_first_trick" and contract in (Contract.KING, Contract.COMPLEX):
        return tricks.KING_NOT_FIRST
    if options.lead_restriction == "hearts_in_king" and contract is Contract.KING:
        return tricks.HEARTS_LAST
    return tricks.FREE


class Hidden(NamedTuple):
    """What is not seen, for `worlds`: seats are counted from the one after me.

    cards: the unseen cards, kind after kind. sizes: how many of each kind. rooms: how many of them each seat
    holds. fixed: the cards known to lie with each seat; denied: those known not to.
    """

    cards: Row
    sizes: Row
    rooms: Row
    fixed: Row
    denied: Row


def hidden_of(view: View) -> Hidden:
    """What a seat knows of the others' hands in a trick contract."""
    assert view.seat is not None and view.hand is not None and view.contract is not None
    gone = mask_of(card for _, card in view.plays)
    pinned = [0, 0, 0, 0]
    for card, seat in view.doubled:
        if not gone >> card & 1:
            pinned[seat] |= 1 << card
    void, clean = shown(view)
    denied = [sum(SUIT_MASK[suit] for suit in range(4) if void[seat] >> suit & 1) for seat in range(4)]
    for seat in clean:
        denied[seat] |= PENALTIES[view.contract]
    return hidden(view, gone, pinned, denied)


def unseen_of(view: View) -> Hidden:
    """What a seat knows of the others' hands before the first card: nothing but its own."""
    return hidden(view, 0, [0, 0, 0, 0], [0, 0, 0, 0])


def hidden(view: View, gone: int, pinned: list[int], denied: list[int]) -> Hidden:
    """What is hidden from a seat: gone are cards played; by seat, cards pinned to it and denied to it."""
    assert view.seat is not None and view.hand is not None
    others = [(view.seat + step) % 4 for step in (1, 2, 3)]
    unseen = FULL_DECK & ~(view.hand | gone | pinned[others[0]] | pinned[others[1]] | pinned[others[2]])
    kinds: list[list[int]] = [[] for _ in range(8)]
    for card in cards_of(unseen):
        kinds[sum(1 << place for place, seat in enumerate(others) if not denied[seat] >> card & 1)].append(
            card
        )
    return Hidden(
        np.array([card for kind in kinds for card in kind], np.int64),
        np.array([len(kind) for kind in kinds], np.int64),
        np.array([view.counts[seat] - pinned[seat].bit_count() for seat in others], np.int64),
        np.array([pinned[seat] for seat in others], np.int64),
        np.array([denied[seat] for seat in others], np.int64),
    )


def start_of(view: View) -> tuple[Row, Row]:
    """The row before the first lead with all cards that are known, and the cards played since."""
    assert view.seat is not None and view.hand is not None
    row = np.zeros(tricks.ROW, np.int64)
    row[tricks.HANDS + view.seat] = view.hand
    for seat, card in view.plays:
        row[tricks.HANDS + seat] |= 1 << card
    row[tricks.TURN] = row[tricks.LEADER] = view.owner
    return row, np.array([card for _, card in view.plays], np.int64)


def trix_terms_of(options: Options) -> Terms:
    """What the places of trix are worth, and when a deal ends."""
    terms = np.zeros(trix.TERMS, np.int64)
    terms[trix.VALUES : trix.VALUES + 4] = options.trix_values
    terms[trix.THIRD] = options.trix_end == "third"
    terms[trix.PARTNERS] = options.partners
    terms[trix.SPLIT] = options.equal_count == "split"
    terms[trix.EXPOSED] = options.exposed_twos
    return terms


def trix_history(view: View) -> tuple[NDArray[np.int64], Row]:
    """The position before each card and now, with no hands but exposed twos; and the cards played."""
    cards = [(seat, card) for seat, card in view.plays if card != PASS]
    history = np.zeros((len(cards) + 1, tricks.ROW), np.int64)
    layout = 0
    for number, (seat, card) in enumerate(cards):
        history[number, trix.OPEN], history[number, trix.TURN] = open_in(layout), seat
        layout |= 1 << card
    if view.exposed is not None:
        twos = list(view.exposed)
        for number in reversed(range(len(cards))):
            seat, card = cards[number]
            twos[seat] |= 1 << card & TWOS
            history[number, trix.HANDS : trix.HANDS + 4] = twos
    history[-1, : trix.ROW] = trix_row_of(view)
    return history, np.array([card for _, card in cards], np.int64)


def trix_row_of(view: View) -> Row:
    """The position that a seat sees, without the hands of the others."""
    assert view.seat is not None and view.hand is not None
    row = np.zeros(trix.ROW, np.int64)
    row[trix.HANDS + view.seat] = view.hand
    row[trix.OUT : trix.OUT + len(view.out)] = view.out
    row[trix.OUTS] = len(view.out)
    row[trix.OPEN] = open_in(view.layout)
    row[trix.TURN] = view.turn
    return row


def open_in(layout: int) -> int:
    """The cards that fit a layout: jacks, and what lies beside the ends of a row."""
    fits = JACKS
    for card in cards_of(layout):
        fits |= OUTWARD[card]
    return fits & ~layout


def trix_hidden_of(view: View) -> Hidden:
    """What a seat knows of the others' hands in trix: a pass denies every card that was playable then."""
    assert view.seat is not None and view.hand is not None
    layout, denied = 0, [0, 0, 0, 0]
    for seat, action in view.plays:
        if action == PASS:
            denied[seat] |= open_in(layout)
        else:
            layout |= 1 << action
    pinned = list(view.exposed) if view.exposed is not None else [0, 0, 0, 0]
    pinned[view.seat] = 0
    return hidden(view, layout, pinned, denied)

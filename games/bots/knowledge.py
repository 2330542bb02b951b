"""What a player who counts cards knows of the hidden hands in a trick contract.

It all follows from the view: the cards not seen yet, the suits that somebody has shown to lack, and
how likely that makes it that a seat holds something.
"""

from games.engine import Contract, View
from games.engine.cards import FULL_DECK, HEARTS, SUIT_MASK, SUIT_OF, cards_of, mask_of
from games.engine.legal import PENALTIES

from .stakes import Stakes, total

ALL_SUITS = 0b1111


class Knowledge:
    """What seat ``me`` knows. Suits of cards are 13-bit sets, sets of suits 4-bit sets.

    unseen: the cards in the other hands, by suit; left: how many those are.
    share: by seat and suit, the chance that one unseen card of the suit lies there.
    lacks: by seat and suit, the chance that the seat has none of it.
    throws: by seat and suit, the penalty points to expect from the seat if it cannot follow suit:
    none of the partner, nor of who has shown to hold no penalty card.
    """

    __slots__ = ("hand", "lacks", "left", "me", "partner", "share", "stakes", "throws", "unseen")

    def __init__(self, view: View, stakes: Stakes) -> None:
        assert view.seat is not None and view.hand is not None
        self.me = view.seat
        self.partner = (view.seat + 2) % 4 if view.options.partners else None
        self.hand = view.hand
        self.stakes = stakes
        hidden = FULL_DECK & ~(view.hand | sum(view.taken) | mask_of(view.trick))
        self.unseen = [hidden >> 13 * suit & 0x1FFF for suit in range(4)]
        self.left = [cards.bit_count() for cards in self.unseen]
        void, clean = shown(view)
        room = [0 if seat == self.me else count for seat, count in enumerate(view.counts)]
        by_suit = [_shares(room, void, suit) for suit in range(4)]
        self.share = list(zip(*by_suit, strict=True))
        self.lacks = [
            [(1 - share) ** left for share, left in zip(shares, self.left, strict=True)]
            for shares in self.share
        ]
        held = self._penalties_held(view, hidden)
        dearest = max((stakes.costs[card] for card in cards_of(stakes.hot & hidden)), default=0)
        silent = clean | {self.me, self.partner}
        self.throws = [
            [0.0 if seat in silent else min(dearest, sum(points) - there) for there in points]
            for seat, points in enumerate(held)
        ]

    def _penalties_held(self, view: View, hidden: int) -> list[list[float]]:
        """By seat and suit the penalty points to expect in its hand; a double shows where a card lies."""
        costs, hot = self.stakes.costs, self.stakes.hot & hidden
        known = {card: seat for card, seat in view.doubled if hot >> card & 1}
        secret = hot & ~mask_of(known)
        points = [total(costs, secret & suit) for suit in SUIT_MASK]
        held = [[share * worth for share, worth in zip(row, points, strict=True)] for row in self.share]
        for card, seat in known.items():
            held[seat][SUIT_OF[card]] += costs[card]
        return held


def shown(view: View) -> tuple[list[int], set[int]]:
    """What the play has shown: by seat the suits it lacks, and the seats that hold no penalty card.

    Under ``must_dump`` whoever cannot follow and throws no penalty card has none.
    """
    void = [0, 0, 0, 0]
    clean: set[int] = set()
    penalties = PENALTIES[view.contract] if view.options.must_dump else 0  # type: ignore[index]
    hearts_last = view.options.lead_restriction == "hearts_in_king" and view.contract is Contract.KING
    plays = view.plays
    for start in range(0, len(plays), 4):
        leader, lead = plays[start]
        suit = SUIT_OF[lead]
        if hearts_last and suit == HEARTS:
            void[leader] |= ALL_SUITS ^ 1 << HEARTS
        for seat, card in plays[start + 1 : start + 4]:
            if SUIT_OF[card] != suit:
                void[seat] |= 1 << suit
                if penalties and not penalties >> card & 1:
                    clean.add(seat)
    return void, clean


def _shares(room: list[int], void: list[int], suit: int) -> list[float]:
    """An unseen card lies with whoever may hold it, in proportion to the cards in hand."""
    open_room = [0 if void[seat] >> suit & 1 else room[seat] for seat in range(4)]
    everything = sum(open_room) or 1
    return [cards / everything for cards in open_room]

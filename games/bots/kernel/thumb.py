"""The level ``greedy`` in a trick contract, compiled: what playouts play, and what others are taken to play.

This is `games.bots.tricks` with `knowledge` and `capot`, number for number; a test holds their prices equal.
Change one and the other must follow.
"""

import numpy as np
from numpy.typing import NDArray

from games.bots.capot import SHARPNESS
from games.bots.tricks import BOUNTY, DUCKING, FALLS, LATER_THROWS, LEAD, REST, RISK
from games.engine.cards import DIAMONDS_SUIT, KH
from games.engine.options import Contract

from .bits import Luck, any_of, count, draw, highest, lowest
from .compiling import inlined, lean
from .tricks import (
    BEST,
    CAPOT,
    CARDS,
    CLEAN,
    CONTRACT,
    COUNT,
    DOUBLED,
    DOUBLERS,
    FULL,
    HANDS,
    HOLDER,
    HOT,
    KING,
    OVER,
    PARTNERS,
    PLAIN,
    QUEEN,
    SEEN,
    SELF_TAKE,
    STAKES,
    SUIT,
    TRICK,
    TRICKS,
    TURN,
    VOID,
    Row,
    Terms,
    legal,
    play,
)

Numbers = NDArray[np.float64]

RISKS = np.array(RISK)
RESTS = np.array([REST.get(contract, 0.0) for contract in Contract])
LEADS = np.array([LEAD.get(contract, 0.0) for contract in Contract])

# What a seat knows, as `Knowledge` has it: by seat and suit the share of the unseen cards, the chance to have
# none, the points to expect from a throw, the penalty points to expect in the hand; and by suit the unseen
# cards as a 13-bit set. PRICES: by card; NOW: what of it is for the trick on the table.
SHARE, LACKS, THROWS, HELD, UNSEEN, PRICES, RELIEF, NOW = 0, 16, 32, 48, 64, 68, 120, 133
MIND = 185
NOBODY = -1


@lean
def price(row: Row, terms: Terms, mind: Numbers, allowed: int) -> int:
    """Price the legal cards of the seat to act into ``mind``; the cheapest of them, of equals the first."""
    me = row[TURN]
    hand = row[HANDS + me]
    _know(row, terms, mind, me, allowed)
    if sweeps(row, terms, mind):
        return _sweep(mind, allowed)
    lead = worth_of_lead(row, terms, me)
    weight = RESTS[terms[CONTRACT]]
    cheapest, least = NOBODY, np.inf
    for suit in range(4):
        cards = allowed >> 13 * suit & 0x1FFF
        if not cards:
            continue
        _dangers(terms, mind, me, suit, hand >> 13 * suit & 0x1FFF)
        while cards:
            rank = lowest(cards)
            cards &= cards - 1
            card = 13 * suit + rank
            now = _this_trick(row, terms, mind, me, card, lead)
            if row[COUNT] == 0 and terms[DOUBLED] and terms[SELF_TAKE] != PLAIN:
                now -= _bounties(terms, mind, me, card)
            cost = now + weight * mind[RELIEF + rank]
            mind[NOW + card], mind[PRICES + card] = now, cost
            if cost < least:
                cheapest, least = card, cost
    return cheapest


@inlined
def choose(row: Row, terms: Terms, mind: Numbers, luck: Luck, erring: float) -> int:
    """What greedy plays, or with the chance ``erring`` any legal card."""
    allowed = legal(row, terms)
    if not allowed & (allowed - 1):
        return lowest(allowed)
    if erring > 0 and draw(luck) < erring:
        return any_of(luck, allowed)
    return price(row, terms, mind, allowed)


@lean
def play_out(row: Row, terms: Terms, mind: Numbers, luck: Luck, erring: float) -> None:
    """Play a position to its end, all four seats with `choose`."""
    while not row[OVER]:
        play(row, terms, choose(row, terms, mind, luck, erring))


@inlined
def worth_of_lead(row: Row, terms: Terms, me: int) -> float:
    """What it is worth to take the trick on the table, its points apart."""
    return LEADS[terms[CONTRACT]] + _threat(row, terms, me)


@inlined
def sweeps(row: Row, terms: Terms, mind: Numbers) -> bool:
    """Whether the seat to act is to lead and sure to take every trick of the deal; see `capot`."""
    return terms[CAPOT] and row[COUNT] == 0 and _sure_sweep(row, mind, row[TURN])


@inlined
def partner_of(terms: Terms, me: int) -> int:
    return me ^ 2 if terms[PARTNERS] else NOBODY


@inlined
def _know(row: Row, terms: Terms, mind: Numbers, me: int, allowed: int) -> None:
    """Fill the mind, of suits only where it may come to matter."""
    hidden = FULL & ~(row[HANDS + me] | row[SEEN])
    hot = terms[HOT] & hidden
    wanted = allowed | hot
    if row[COUNT]:
        wanted |= 1 << 13 * row[SUIT]
    for suit in range(4):
        unseen = hidden >> 13 * suit & 0x1FFF
        mind[UNSEEN + suit] = unseen
        if wanted >> 13 * suit & 0x1FFF:
            _shares(row, mind, me, suit, count(unseen))
    if hot:
        _expect_throws(row, terms, mind, me, hot)
    else:
        for place in range(THROWS, THROWS + 16):
            mind[place] = 0.0


@inlined
def _shares(row: Row, mind: Numbers, me: int, suit: int, left: int) -> None:
    """An unseen card lies with whoever may hold it, in proportion to the cards in hand."""
    everything = 0
    for seat in range(4):
        if seat != me and not row[VOID + seat] >> suit & 1:
            everything += count(row[HANDS + seat])
    for seat in range(4):
        share = 0.0
        if everything and seat != me and not row[VOID + seat] >> suit & 1:
            share = count(row[HANDS + seat]) / everything
        mind[SHARE + 4 * seat + suit] = share
        mind[LACKS + 4 * seat + suit] = power(1 - share, left)


@inlined
def _expect_throws(row: Row, terms: Terms, mind: Numbers, me: int, hot: int) -> None:
    """What each seat will throw on a trick that it cannot follow. ``hot``: the hidden cards that cost."""
    _expect_held(terms, mind, me, hot)
    dearest = 0.0
    while hot:
        dearest = max(dearest, float(terms[STAKES + 52 * me + lowest(hot)]))
        hot &= hot - 1
    for seat in range(4):
        silent = seat == me or seat == partner_of(terms, me) or row[CLEAN] >> seat & 1
        points = 0.0
        for suit in range(4):
            points += mind[HELD + 4 * seat + suit]
        for suit in range(4):
            there = mind[HELD + 4 * seat + suit]
            mind[THROWS + 4 * seat + suit] = 0.0 if silent else min(dearest, points - there)


@inlined
def _expect_held(terms: Terms, mind: Numbers, me: int, hot: int) -> None:
    """The penalty points in each hand by suit; a double shows where a card lies."""
    for place in range(HELD, HELD + 16):
        mind[place] = 0.0
    while hot:
        card = lowest(hot)
        hot &= hot - 1
        suit, points = card // 13, float(terms[STAKES + 52 * me + card])
        if terms[DOUBLED] >> card & 1:
            mind[HELD + 4 * terms[DOUBLERS + card] + suit] += points
        else:
            for seat in range(4):
                mind[HELD + 4 * seat + suit] += mind[SHARE + 4 * seat + suit] * points


@inlined
def _this_trick(row: Row, terms: Terms, mind: Numbers, me: int, card: int, lead: float) -> float:
    """What the trick will cost my side if I play this card to it."""
    suit = row[SUIT] if row[COUNT] else card // 13
    mine = card // 13 == suit and (row[COUNT] == 0 or card > row[BEST])
    partner = partner_of(terms, me)
    if not mine and partner == NOBODY:
        return 0.0
    holder, best = (me, card) if mine else (row[HOLDER], row[BEST])
    later = 3 - row[COUNT]
    stays = _chance_to_stay(mind, me, later, suit, best - 13 * suit)
    points = _points_so_far(row, terms, me) + terms[STAKES + 52 * me + card]
    points += _still_to_come(terms, mind, me, later, suit, best - 13 * suit)
    ours = stays if holder in (me, partner) else 0.0
    if partner != NOBODY and later >= 2:
        ours += (1 - stays) / later
    return ours * points - (lead * stays if mine else 0.0)


@inlined
def _points_so_far(row: Row, terms: Terms, me: int) -> float:
    points = float(terms[TRICK])
    for place in range(row[COUNT]):
        points += terms[STAKES + 52 * me + row[CARDS + place]]
    return points


@inlined
def _chance_to_stay(mind: Numbers, me: int, later: int, suit: int, rank: int) -> float:
    """The chance that none of the seats still to play beats a card of the suit led."""
    unseen = int(mind[UNSEEN + suit])
    left = count(unseen)
    if not left:
        return 1.0
    above = count(unseen >> rank + 1)
    under = left - above
    stays = 1.0
    for step in range(1, later + 1):
        seat = (me + step) & 3
        share = mind[SHARE + 4 * seat + suit]
        careless = (1 - mind[LACKS + 4 * seat + suit]) * above / left
        forced = power(1 - share, under) * (1 - power(1 - share, above))
        stays *= 1 - careless - DUCKING * (forced - careless)
    return stays


@inlined
def _still_to_come(terms: Terms, mind: Numbers, me: int, later: int, suit: int, rank: int) -> float:
    """The penalty points that the seats still to play will add to a trick that they do not take."""
    thrown, present = 0.0, 0.0
    for step in range(1, later + 1):
        seat = (me + step) & 3
        thrown += mind[LACKS + 4 * seat + suit] * mind[THROWS + 4 * seat + suit]
        present += mind[SHARE + 4 * seat + suit]
    return thrown + _falling(terms, mind, me, suit, rank, present)


@inlined
def _falling(terms: Terms, mind: Numbers, me: int, suit: int, rank: int, present: float) -> float:
    """The points of lower cards of the suit that fall on a card; ``present``: the share of them in play."""
    cards = (int(mind[UNSEEN + suit]) & (1 << rank) - 1) << 13 * suit & terms[HOT]
    if not cards:
        return 0.0
    number, points = count(cards), 0.0
    while cards:
        points += terms[STAKES + 52 * me + lowest(cards)]
        cards &= cards - 1
    if suit == DIAMONDS_SUIT and number > 3:
        return points / number * 3 * present
    return points * FALLS * present


@inlined
def _dangers(terms: Terms, mind: Numbers, me: int, suit: int, held: int) -> None:
    """By rank that I hold in a suit, how much less dangerous the suit is without it: `suit_danger` twice.

    A card that goes takes its own danger along, and leaves each higher card with one guard less.
    """
    unseen = int(mind[UNSEEN + suit])
    left = count(unseen)
    thrown = 0.0
    for seat in range(4):
        thrown += mind[THROWS + 4 * seat + suit]
    thrown = terms[TRICK] + LATER_THROWS * thrown
    lower = count(held) - 1
    bared = 0.0
    while held:
        rank = highest(held)
        held ^= 1 << rank
        under = count(unseen & (1 << rank) - 1)
        points = thrown + terms[STAKES + 52 * me + 13 * suit + rank]
        points += _falling(terms, mind, me, suit, rank, 1.0)
        danger = RISKS[lower, under, left - under] * points
        mind[RELIEF + rank] = bared - danger
        if lower:
            bared += RISKS[lower - 1, under, left - under] * points - danger
        lower -= 1


@inlined
def _bounties(terms: Terms, mind: Numbers, me: int, card: int) -> float:
    """What a lead may earn by making the doubler of a higher card of its suit take it himself."""
    earned, suit = 0.0, card // 13
    unseen = int(mind[UNSEEN + suit])
    higher = terms[DOUBLED] & (unseen & ~((1 << card - 13 * suit + 1) - 1)) << 13 * suit
    while higher:
        doubled = lowest(higher)
        higher &= higher - 1
        seat = terms[DOUBLERS + doubled]
        forced = power(1 - mind[SHARE + 4 * seat + suit], count(unseen) - 1)
        points = BOUNTY * (terms[KING] if doubled == KH else terms[QUEEN]) * forced
        earned += -points if seat == partner_of(terms, me) else points
    return earned


@lean
def _threat(row: Row, terms: Terms, me: int) -> float:
    """The points that it is worth to take a trick from a seat, not my partner, that has taken them all."""
    if not terms[CAPOT]:
        return 0.0
    played = 0
    for seat in range(4):
        played += row[TRICKS + seat]
    for seat in range(4):
        if played and row[TRICKS + seat] == played and seat != me and seat != partner_of(terms, me):
            everything = 13.0 * terms[TRICK]
            for card in range(52):
                everything += terms[STAKES + 52 * me + card]
            return 2 * everything / 3 * (played / 13) ** SHARPNESS
    return 0.0


@lean
def _sure_sweep(row: Row, mind: Numbers, me: int) -> bool:
    """Whether I have taken all tricks, am on lead, and nobody can take one of the rest."""
    for seat in range(4):
        if seat != me and row[TRICKS + seat]:
            return False
    for suit in range(4):
        held, unseen = row[HANDS + me] >> 13 * suit & 0x1FFF, int(mind[UNSEEN + suit])
        top = highest(unseen) + 1 if unseen else 0
        winners = count(held >> top)
        if held and winners != count(held) and count(unseen) > winners:
            return False
    return True


@lean
def _sweep(mind: Numbers, allowed: int) -> int:
    """The card of the highest rank, of equals the first; all prices say just that."""
    best, most = NOBODY, -1
    while allowed:
        card = lowest(allowed)
        allowed &= allowed - 1
        mind[PRICES + card] = -float(card % 13)
        if card % 13 > most:
            best, most = card, card % 13
    return best


@inlined
def power(base: float, exponent: int) -> float:
    result = 1.0
    while exponent:
        if exponent & 1:
            result *= base
        base *= base
        exponent >>= 1
    return result

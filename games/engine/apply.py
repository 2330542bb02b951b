"""Taking an action: one function a phase, the mirror of `legal`.

`apply` trusts its caller (replays and searches, whose actions are known to be legal); `submit`
checks, and `refusals` explains. Both change the state in place.
"""

from .actions import CHOOSE, PASS, REDEAL, double_cards, double_seat
from .cards import BIT, HEARTS, NEXT_SEAT, OUTWARD, SUIT_MASK, SUIT_OF, cards_of
from .legal import DOUBLED, PENALTIES, doublable, legal_actions, to_act
from .options import Contract
from .refusals import refusal
from .scoring import doubling_extra, trick_penalty, trix_scores
from .state import NOBODY, Hands, Phase, State

_TRIX, _PLAY, _CHOOSE = Contract.TRIX, Phase.PLAY, Phase.CHOOSE
ENDS_EARLY = (Contract.KING, Contract.QUEENS, Contract.DIAMONDS)
CAPOT = (Contract.LTOOSH, Contract.COMPLEX)


def begin(state: State) -> None:
    """Open a fresh deal: the last contract left in a kingdom starts by itself (E)."""
    if len(state.remaining) == 1:
        _start_contract(state, state.remaining[0])


def apply(state: State, action: int) -> None:
    """Take a legal action. Legality is not checked: an illegal one leaves a broken state."""
    state.log.append(action)
    if state.phase is _PLAY:
        if state.contract is _TRIX:
            _play_trix(state, action)
        else:
            _play_trick(state, action)
    elif state.phase is _CHOOSE:
        _choose(state, action)
    else:
        _double(state, action)


def submit(state: State, seat: int, action: int) -> None:
    """Take an action for ``seat`` if it is legal; else raise the RuleError that says why not.

    A refused action changes nothing. Raises MalformedAction for a number that is no action.
    """
    if action not in legal_actions(state, seat):
        raise refusal(state, seat, action)
    apply(state, action)


# -- choose ------------------------------------------------------------------------------------


def _choose(state: State, action: int) -> None:
    if action == REDEAL:
        _redeal(state)
    else:
        _start_contract(state, Contract(action - CHOOSE))


def _redeal(state: State) -> None:
    assert state.redealt_hands is not None
    state.hands = list(state.redealt_hands)
    state.redealt = True


def _start_contract(state: State, contract: Contract) -> None:
    state.contract = contract
    if contract is Contract.KING and state.options.redeal == "bare_heart" and has_bare_heart(state.hands):
        _redeal(state)
    if contract in ENDS_EARLY and state.options.early_end:
        state.ends_with = PENALTIES[contract]
    if state.options.doubling and contract in DOUBLED:
        state.asked = tuple(seat for seat in range(4) if doublable(state, seat))
    if state.asked:
        state.phase, state.turn = Phase.DOUBLE, NOBODY
    else:
        state.phase, state.turn = Phase.PLAY, state.owner


def has_bare_heart(hands: Hands) -> bool:
    """Whether the king or the ace of hearts is somebody's only heart (option `redeal`)."""
    high = 0b11 << 13 * HEARTS + 11
    hearts = (hand & SUIT_MASK[HEARTS] for hand in hands)
    return any(held.bit_count() == 1 and held & high for held in hearts)


# -- double ------------------------------------------------------------------------------------


def _double(state: State, action: int) -> None:
    """Keep the answer secret; the last one reveals them all together, in seat order (D)."""
    state.answers[double_seat(action)] = double_cards(action)
    state.secret += 1
    if to_act(state):
        return
    for seat in state.asked:
        for card in cards_of(state.answers[seat] or 0):
            state.doubled[card] = seat
    state.secret -= 1
    state.phase, state.turn = Phase.PLAY, state.owner


# -- play: the trick contracts -----------------------------------------------------------------


def _play_trick(state: State, card: int) -> None:
    seat = state.turn
    if card in state.doubled and len(legal_actions(state, seat)) == 1:
        state.forced |= BIT[card]
    state.hands[seat] ^= BIT[card]
    state.plays.append((seat, card))
    state.trick.append(card)
    if len(state.trick) < 4:
        state.turn = NEXT_SEAT[seat]
    else:
        _take_trick(state)


def _take_trick(state: State) -> None:
    """The highest card of the led suit takes the trick, pays for it and leads the next (D, E, C)."""
    first, second, third, fourth = trick = state.trick
    cards = BIT[first] | BIT[second] | BIT[third] | BIT[fourth]
    best = (cards & SUIT_MASK[SUIT_OF[first]]).bit_length() - 1
    leader = state.leader
    taker = (leader + trick.index(best)) % 4
    state.taken[taker] |= cards
    state.gone |= cards
    state.tricks[taker] += 1
    state.scores[taker] += trick_penalty(state.options, state.contract, cards)  # type: ignore[arg-type]
    if state.doubled:
        extra = doubling_extra(state.options, state.doubled, state.forced, leader, taker, cards)
        state.scores = [score + more for score, more in zip(state.scores, extra, strict=True)]
    state.trick = []
    state.leader = state.turn = taker
    if not state.ends_with & ~state.gone:
        _end_tricks(state)


def _end_tricks(state: State) -> None:
    if state.options.capot and state.contract in CAPOT and 13 in state.tricks:
        taker = state.tricks.index(13)
        state.scores[taker] = -state.scores[taker]
    _end_deal(state)


def _end_deal(state: State) -> None:
    state.phase, state.turn = Phase.OVER, NOBODY


# -- play: trix --------------------------------------------------------------------------------


def _play_trix(state: State, action: int) -> None:
    seat = state.turn
    state.plays.append((seat, action))
    if action != PASS:
        state.hands[seat] ^= BIT[action]
        state.layout |= BIT[action]
        state.open = state.open ^ BIT[action] | OUTWARD[action]
        if not state.hands[seat]:
            state.out.append(seat)
            if _trix_is_done(state):
                _end_trix(state)
                return
    state.turn = _next_in(state, seat)


def _next_in(state: State, seat: int) -> int:
    """The next seat that still holds cards: who has gone out is skipped."""
    seat = NEXT_SEAT[seat]
    while not state.hands[seat]:
        seat = NEXT_SEAT[seat]
    return seat


def _trix_is_done(state: State) -> bool:
    if state.options.trix_end == "all":
        return len(state.out) == 4
    return len(state.out) == 3 or (state.options.partners and _side_is_out(state))


def _side_is_out(state: State) -> bool:
    """Whether partners went out first and second (C); first and third are nothing special."""
    return len(state.out) == 2 and (state.out[0] - state.out[1]) % 4 == 2


def _end_trix(state: State) -> None:
    counts = [hand.bit_count() for hand in state.hands]
    # With all four out nobody is next, and nothing hangs on it.
    next_to_act = _next_in(state, state.out[-1]) if any(counts) else NOBODY
    state.scores = trix_scores(state.options, state.out, counts, next_to_act)
    _end_deal(state)

"""What a seat may do: one function a phase, the mirror of `apply`."""

from collections.abc import Sequence

from .actions import CHOOSE, PASS, REDEAL, double_action
from .cards import BIT, DIAMONDS, HEARTS, KH, QUEENS, SUIT_CARDS, SUIT_MASK, SUIT_OF, cards_of
from .options import Contract
from .state import Phase, State

# The cards that a contract names: what `must_dump` throws, and what ends a deal early.
PENALTIES = {
    Contract.KING: BIT[KH],
    Contract.QUEENS: QUEENS,
    Contract.DIAMONDS: DIAMONDS,
    Contract.LTOOSH: 0,
    Contract.COMPLEX: BIT[KH] | QUEENS | DIAMONDS,
}
# The cards that may be doubled (D, E); in no other contract are any.
DOUBLED = {Contract.KING: BIT[KH], Contract.QUEENS: QUEENS, Contract.COMPLEX: BIT[KH] | QUEENS}
_TRIX, _PLAY, _CHOOSE, _DOUBLE = Contract.TRIX, Phase.PLAY, Phase.CHOOSE, Phase.DOUBLE
_ONLY_PASS = (PASS,)


def to_act(state: State) -> tuple[int, ...]:
    """The seats that owe an action. While doubling this is secret: it tells who holds the cards."""
    if state.phase is _DOUBLE:
        return tuple(seat for seat in state.asked if state.answers[seat] is None)
    return (state.turn,) if state.turn >= 0 else ()


def legal_actions(state: State, seat: int) -> Sequence[int]:
    """Every action that ``seat`` may take now; empty when it owes none.

    Ascending, but contracts come in the order of a choosing time-out: complex before trix.

    ``action in legal_actions(state, seat)`` is the test of legality. Under any options a seat that
    owes an action has at least one.
    """
    if state.phase is _PLAY:
        if seat != state.turn:
            return ()
        hand = state.hands[seat]
        if state.contract is _TRIX:
            return cards_of(hand & state.open) or _ONLY_PASS
        if not state.trick:
            return cards_of(_leads(state, hand))
        suit = SUIT_OF[state.trick[0]]
        following = hand >> 13 * suit & 0x1FFF
        return SUIT_CARDS[suit][following] if following else cards_of(_discards(state, hand))
    if state.phase is _CHOOSE:
        return _legal_choices(state) if seat == state.turn else ()
    if state.phase is _DOUBLE:
        return _legal_doubles(state, seat)
    return ()


def doublable(state: State, seat: int) -> int:
    """The cards that this seat may double in this contract: KH, queens, or both in complex (D, E)."""
    return state.hands[seat] & DOUBLED.get(state.contract, 0) if state.contract is not None else 0


def _leads(state: State, hand: int) -> int:
    """The cards that may be led: any (C), unless `lead_restriction` holds some back."""
    restriction = state.options.lead_restriction
    if restriction == "none":
        return hand
    if restriction == "king_first_trick":
        applies = state.contract in (Contract.KING, Contract.COMPLEX) and len(state.plays) == 0
        return hand & ~BIT[KH] if applies else hand
    if state.contract is Contract.KING:
        return hand & ~SUIT_MASK[HEARTS] or hand
    return hand


def _discards(state: State, hand: int) -> int:
    """The cards that may be thrown by who cannot follow: any, unless `must_dump` holds."""
    if state.options.must_dump:
        return hand & PENALTIES[state.contract] or hand  # type: ignore[index]
    return hand


def _legal_choices(state: State) -> Sequence[int]:
    choices = [CHOOSE + contract for contract in state.remaining]
    may_redeal = state.options.redeal == "first_owner" and state.number == 1 and not state.redealt
    return [REDEAL, *choices] if may_redeal else choices


def _legal_doubles(state: State, seat: int) -> Sequence[int]:
    """Any subset of the seat's doublable cards; its first answer is final."""
    if seat not in state.asked or state.answers[seat] is not None:
        return ()
    subsets = [0]
    for card in cards_of(doublable(state, seat)):
        subsets += [cards | BIT[card] for cards in subsets]
    return sorted(double_action(seat, cards) for cards in subsets)

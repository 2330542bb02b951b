"""What a seat may know: the one door through which a position leaves the server.

A seat sees its own hand and answer, everyone's card counts and the public play. A spectator sees no
hand. Nobody sees who is asked to double before the reveal (rule page D: answers stay secret until
everyone has decided; who is asked would tell who holds the cards).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from .actions import action_text
from .cards import CARD_TEXTS, JACKS, SEAT_NAMES, SUIT_MASK, SUITS, TWOS, Four, cards_of, cards_text, four
from .legal import legal_actions
from .match import match_over, match_result
from .options import Contract, Options
from .state import NOBODY, DealResult, Phase, State


@dataclass(frozen=True, slots=True)
class View:
    """One seat's knowledge, or a spectator's (``seat`` is None). Sets of cards are bit masks.

    hand: own cards, None for a spectator. legal: own legal actions. turn: the public seat to act,
    NOBODY while doubling or when the deal is over. answer: the set this seat has doubled, before
    the reveal. plays: (seat, card or PASS) of the whole deal. exposed: twos by seat where the
    option `exposed_twos` shows them. The rest is as in `State`, with totals of finished deals.
    """

    seat: int | None
    options: Options
    version: int
    number: int
    owner: int
    phase: Phase
    contract: Contract | None
    remaining: tuple[Contract, ...]
    redealt: bool
    hand: int | None
    legal: tuple[int, ...]
    answer: int | None
    turn: int
    counts: Four
    plays: tuple[tuple[int, int], ...]
    trick: tuple[int, ...]
    leader: int
    doubled: tuple[tuple[int, int], ...]
    taken: Four
    tricks: Four
    layout: int
    out: tuple[int, ...]
    exposed: Four | None
    scores: Four
    results: tuple[DealResult, ...]
    totals: Four
    teams: tuple[int, int] | None
    winners: tuple[int, ...]
    tie: str | None
    match_over: bool


def view(state: State, seat: int | None) -> View:
    """The knowledge of ``seat``, or with None that of a spectator."""
    results = state.finished
    outcome = match_result(state.options, results)
    return View(
        seat=seat,
        options=state.options,
        version=state.version,
        number=state.number,
        owner=state.owner,
        phase=state.phase,
        contract=state.contract,
        remaining=state.remaining,
        redealt=state.redealt,
        hand=None if seat is None else state.hands[seat],
        legal=() if seat is None else tuple(legal_actions(state, seat)),
        answer=None if seat is None else state.answers[seat],
        turn=state.turn,
        counts=four(hand.bit_count() for hand in state.hands),
        plays=tuple(state.plays),
        trick=tuple(state.trick),
        leader=state.leader,
        doubled=tuple(state.doubled.items()),
        taken=four(state.taken),
        tricks=four(state.tricks),
        layout=state.layout,
        out=tuple(state.out),
        exposed=_exposed(state),
        scores=four(state.scores),
        results=results,
        totals=outcome.totals,
        teams=outcome.teams,
        winners=outcome.winners,
        tie=outcome.tie,
        match_over=match_over(state),
    )


def view_as_dict(seen: View) -> dict[str, object]:
    """A view in words and card texts, ready for JSON: the body of the API's answers."""
    return {
        "version": seen.version,
        "seat": _name(seen.seat),
        "phase": seen.phase.name.lower(),
        "to_act": _name(seen.turn),
        "hand": None if seen.hand is None else cards_text(seen.hand),
        "legal": [action_text(action) for action in seen.legal],
        "my_double": None if seen.answer is None else cards_text(seen.answer),
        "deal": _deal_as_dict(seen),
        "results": [result_as_dict(result) for result in seen.results],
        "totals": by_seat(seen.totals),
        "teams": None if seen.teams is None else dict(zip(("SN", "EW"), seen.teams, strict=True)),
        "over": seen.match_over,
        "winners": [SEAT_NAMES[seat] for seat in seen.winners],
        "tie": seen.tie,
    }


def result_as_dict(result: DealResult) -> dict[str, object]:
    """A finished deal in words."""
    return {
        "number": result.number,
        "owner": SEAT_NAMES[result.owner],
        "contract": result.contract.text,
        "scores": by_seat(result.scores),
    }


def by_seat(values: Iterable[object]) -> dict[str, object]:
    """Four values under the names of their seats."""
    return dict(zip(SEAT_NAMES, values, strict=True))


def _deal_as_dict(seen: View) -> dict[str, object]:
    trix = seen.contract is Contract.TRIX
    return {
        "number": seen.number,
        "of": seen.options.deals,
        "owner": SEAT_NAMES[seen.owner],
        "contract": None if seen.contract is None else seen.contract.text,
        "remaining": [contract.text for contract in seen.remaining],
        "redealt": seen.redealt,
        "doubled": {CARD_TEXTS[card]: SEAT_NAMES[seat] for card, seat in seen.doubled},
        "plays": [{"seat": SEAT_NAMES[seat], "action": action_text(action)} for seat, action in seen.plays],
        "counts": by_seat(seen.counts),
        "trick": None if trix or not seen.trick else _trick_as_dict(seen),
        "tricks": None if trix else by_seat(seen.tricks),
        "taken": None if trix else by_seat(cards_text(cards) for cards in seen.taken),
        "layout": _layout_as_dict(seen.layout) if trix else None,
        "out": [SEAT_NAMES[seat] for seat in seen.out] if trix else None,
        "exposed": None if seen.exposed is None else by_seat(map(cards_text, seen.exposed)),
        "scores": by_seat(seen.scores),
    }


def _trick_as_dict(seen: View) -> dict[str, object]:
    return {"leader": SEAT_NAMES[seen.leader], "cards": [CARD_TEXTS[card] for card in seen.trick]}


def _layout_as_dict(layout: int) -> dict[str, list[str] | None]:
    """Each suit's row as its lowest and highest card; None until its jack is down."""
    rows: dict[str, list[str] | None] = {}
    for suit, name in enumerate(SUITS):
        row = cards_of(layout & SUIT_MASK[suit]) if layout & SUIT_MASK[suit] & JACKS else ()
        rows[name] = [CARD_TEXTS[row[0]], CARD_TEXTS[row[-1]]] if row else None
    return rows


def _exposed(state: State) -> Four | None:
    if not state.options.exposed_twos or state.contract is not Contract.TRIX:
        return None
    return four(hand & TWOS for hand in state.hands)


def _name(seat: int | None) -> str | None:
    return None if seat is None or seat == NOBODY else SEAT_NAMES[seat]

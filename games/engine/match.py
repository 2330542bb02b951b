"""From deal to deal: starting a match and its deals, resuming one, and the result at the end."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .apply import apply, begin, has_bare_heart
from .cards import FULL_DECK, SEVEN_OF_HEARTS, TWOS
from .errors import DealError, MatchOver
from .options import Contract, Options
from .state import DealResult, Hands, Phase, State


@dataclass(frozen=True, slots=True)
class MatchResult:
    """Totals by seat; ``teams`` are S+N and E+W under partnership rules.

    ``winners`` (seats) is empty until the match is over; ``tie`` is the option's word when more
    than one player, or both teams, share the highest total.
    """

    totals: tuple[int, int, int, int]
    teams: tuple[int, int] | None
    winners: tuple[int, ...]
    tie: str | None


def new_match(options: Options, hands: Hands, redealt_hands: Hands | None = None) -> State:
    """The first deal of a match; whoever holds 7H owns the first kingdom (D, E, C).

    ``hands`` are four sets of thirteen cards, South first. ``redealt_hands`` are those that replace
    them where the ``redeal`` option is ``bare_heart`` or ``first_owner``, and wanted only then.
    Raises DealError.
    """
    check_hands(options, hands, redealt_hands)
    owner = next(seat for seat in range(4) if hands[seat] >> SEVEN_OF_HEARTS & 1)
    return _start_deal(options, 1, owner, (), 0, hands, redealt_hands)


def next_deal(state: State, hands: Hands, redealt_hands: Hands | None = None) -> State:
    """The deal after a finished one: kingdoms pass to the right, S → E → N → W (E, C).

    Raises DealError while the deal goes on or for impossible hands, MatchOver after the last deal.
    """
    if state.phase is not Phase.OVER:
        raise DealError(f"Deal {state.number} is not over, so deal {state.number + 1} cannot start.")
    if match_over(state):
        raise MatchOver(f"The match ended with deal {state.number}.")
    check_hands(state.options, hands, redealt_hands)
    owner = owner_after(state.options, state.number, state.owner)
    return _start_deal(
        state.options, state.number + 1, owner, state.finished, state.version, hands, redealt_hands
    )


def resume(
    options: Options,
    number: int,
    owner: int,
    results: tuple[DealResult, ...],
    first_version: int,
    hands: Hands,
    redealt_hands: Hands | None,
    log: Iterable[int],
) -> State:
    """The position of a deal after the actions of its log.

    ``first_version`` is that of the match when the deal started. The arguments are trusted: they are what
    a state held when it was stored.
    """
    state = _start_deal(options, number, owner, results, first_version, hands, redealt_hands)
    for action in log:
        apply(state, action)
    return state


def owner_after(options: Options, number: int, owner: int) -> int:
    """The owner of the deal after deal ``number`` of ``owner``: kingdoms pass to the right (E, C)."""
    return (owner + 1) % 4 if number % len(options.contracts) == 0 else owner


def remaining_contracts(options: Options, number: int, results: Iterable[DealResult]) -> tuple[Contract, ...]:
    """The contracts from which deal ``number`` takes one: those its kingdom's earlier deals left."""
    kingdom = (number - 1) // len(options.contracts)
    first = kingdom * len(options.contracts) + 1
    played = {result.contract for result in results if result.number >= first}
    return tuple(contract for contract in options.contracts if contract not in played)


def match_over(state: State) -> bool:
    """Whether the last deal of the match is over: 20 deals, or 8 of complex and trix."""
    return state.phase is Phase.OVER and state.number == state.options.deals


def match_result(options: Options, results: Sequence[DealResult]) -> MatchResult:
    """Totals, teams and winners after these finished deals."""
    south, east, north, west = (sum(result.scores[seat] for result in results) for seat in range(4))
    totals = (south, east, north, west)
    teams = (south + north, east + west) if options.partners else None
    if len(results) < options.deals:
        return MatchResult(totals, teams, (), None)
    sides = [teams[seat % 2] for seat in range(4)] if teams else totals
    winners = tuple(seat for seat in range(4) if sides[seat] == max(sides))
    tied = len(winners) > (2 if teams else 1)
    return MatchResult(totals, teams, winners, options.tie if tied else None)


def check_hands(options: Options, hands: Hands, redealt_hands: Hands | None) -> None:
    """Raise DealError unless these hands may be dealt under these options."""
    wants_second = options.redeal in ("bare_heart", "first_owner")
    if wants_second != (redealt_hands is not None):
        raise DealError(
            f"redeal={options.redeal} goes {'with' if wants_second else 'without'} a second set of hands."
        )
    for dealt in (hands, redealt_hands) if redealt_hands is not None else (hands,):
        _check_full_deal(dealt)
    if options.redeal == "four_twos" and any(hand & TWOS == TWOS for hand in hands):
        raise DealError("Under redeal=four_twos a hand with all four twos is dealt again.")
    if options.redeal == "bare_heart" and redealt_hands is not None and has_bare_heart(redealt_hands):
        raise DealError("Under redeal=bare_heart the second hands hold no bare king or ace of hearts.")


def _check_full_deal(hands: Hands) -> None:
    if len(hands) != 4 or any(hand.bit_count() != 13 for hand in hands):
        raise DealError("A deal is four hands of thirteen cards.")
    if hands[0] | hands[1] | hands[2] | hands[3] != FULL_DECK:
        raise DealError("A deal holds each of the 52 cards once.")


def _start_deal(
    options: Options,
    number: int,
    owner: int,
    results: tuple[DealResult, ...],
    first_version: int,
    hands: Hands,
    redealt_hands: Hands | None,
) -> State:
    remaining = remaining_contracts(options, number, results)
    state = State(options, number, owner, results, remaining, first_version, hands, redealt_hands)
    begin(state)
    return state

"""What `manage.py replay` and `manage.py verify` say of records, as JSON-able objects.

Pure but for opening the named files; docs/notation.md describes the objects.
"""

import errno
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from .actions import REDEAL, action_text, choose_action
from .cards import SEAT_NAMES
from .legal import DOUBLED, legal_actions, to_act
from .match import match_result, owner_after, remaining_contracts
from .notation import RecordDeal, RecordError, hands_text
from .options import Contract, Options
from .reading import Replay, read_records
from .shuffle import Dealt, commitment, deal_hands
from .state import Phase, State
from .view import by_seat, result_as_dict

Report = dict[str, Any]


def read_files(names: Iterable[str]) -> Iterator[Replay | RecordError]:
    """The matches of files, ``-`` being standard input. A file that cannot be read is an error."""
    for name in names:
        try:
            with _open(name) as stream:
                yield from read_records(stream, name)
        except OSError as error:
            message = f"It cannot be read: {error.strerror or error}."
            yield RecordError("unreadable_file", message, file=name)


def _open(name: str) -> BinaryIO:
    if name != "-":
        return Path(name).open("rb")
    if sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed")
    if sys.stdin.buffer.closed:
        raise OSError(errno.EBADF, "standard input was already read")
    return sys.stdin.buffer


def report(item: Replay | RecordError, check: Callable[[Replay], Report]) -> Report:
    """What ``check`` says of a match, or the error of the match or of the check."""
    if isinstance(item, RecordError):
        return error_report(item)
    try:
        return {"file": item.file, "match": item.match, "rules": item.record.rules} | check(item)
    except RecordError as error:
        error.file, error.match = item.file, item.match
        return error_report(error)


def error_report(error: RecordError) -> Report:
    """The object of a record that fails."""
    named = {"code": error.code, "message": error.message}
    place = {"line": error.line, "deal": error.deal, "play": error.play}
    return {"file": error.file, "match": error.match, "error": named | place}


# -- replay --------------------------------------------------------------------------------------


def replay_report(replay: Replay) -> Report:
    """Status, finished deals, totals and winners of a match that was read; what comes next."""
    outcome = match_result(replay.record.options, replay.results)
    teams = dict(zip(("SN", "EW"), outcome.teams, strict=True)) if outcome.teams else None
    done = {
        "status": "finished" if outcome.winners else "unfinished",
        "deals": [result_as_dict(result) for result in replay.results],
        "totals": by_seat(outcome.totals),
        "teams": teams,
        "winners": [SEAT_NAMES[seat] for seat in outcome.winners],
        "tie": outcome.tie,
    }
    return done if outcome.winners else done | {"next": next_step(replay)}


def next_step(replay: Replay) -> Report:
    """Phase, seats to act and their legal actions where an unfinished record stops.

    Seats or actions are empty where they hang on cards that are not on the record.
    """
    if replay.state and replay.state.phase is not Phase.OVER:
        return _step_of(replay.state)
    deals, options = replay.record.deals, replay.record.options
    if not deals:
        return _choice(options, 1, options.contracts, None)
    last = deals[-1]
    if replay.state is None:
        return _step_without_cards(options, last)
    remaining = remaining_contracts(options, last.number + 1, replay.results)
    return _choice(options, last.number + 1, remaining, owner_after(options, last.number, last.owner))


def _step_of(state: State) -> Report:
    seats = to_act(state)
    legal = dict.fromkeys(action_text(action) for seat in seats for action in legal_actions(state, seat))
    return _step(state.phase, seats, legal)


def _choice(options: Options, number: int, remaining: Iterable[Contract], owner: int | None) -> Report:
    redeal = [REDEAL] if options.redeal == "first_owner" and number == 1 else []
    actions = redeal + [choose_action(contract) for contract in remaining]
    return _step(Phase.CHOOSE, () if owner is None else (owner,), map(action_text, actions))


def _step_without_cards(options: Options, deal: RecordDeal) -> Report:
    doubles = options.doubling and deal.contract in DOUBLED
    return _step(Phase.DOUBLE, (), ()) if doubles else _step(Phase.PLAY, (deal.owner,), ())


def _step(phase: Phase, seats: Iterable[int], legal: Iterable[str]) -> Report:
    return {
        "phase": phase.name.lower(),
        "to_act": [SEAT_NAMES[seat] for seat in seats],
        "legal": list(legal),
    }


# -- verify --------------------------------------------------------------------------------------


def verify_report(replay: Replay) -> Report:
    """That the seed is the one committed to, and that every deal of the record follows from it.

    Raises RecordError: seed_missing, commitment_missing, wrong_commitment, wrong_hands, and
    nothing_to_verify where no deal has hands.
    """
    tags = replay.record.tags
    for name in ("Commitment", "Seed"):
        if name not in tags:
            raise RecordError(f"{name.lower()}_missing", f"There is no tag {name} to verify the deals with.")
    secret = bytes.fromhex(tags["Seed"])
    if commitment(secret) != tags["Commitment"]:
        message = f"Seed has the SHA-256 {commitment(secret)}; Commitment says {tags['Commitment']}."
        raise RecordError("wrong_commitment", message, line=replay.lines["Commitment"])
    dealt = [deal for deal in replay.record.deals if deal.hands]
    if not dealt:
        raise RecordError(
            "nothing_to_verify", "No deal has hands: there is nothing to compare with the seed."
        )
    for deal in dealt:
        _compare(deal, deal_hands(secret, deal.number, replay.record.options), replay.lines)
    return {"status": "verified", "deals": len(dealt)}


def _compare(deal: RecordDeal, dealt: Dealt, lines: Mapping[str | tuple[int, str], int]) -> None:
    pairs = (("hands", deal.hands, dealt.hands), ("redeal", deal.redealt, dealt.redealt))
    for keyword, written, derived in pairs:
        if written and derived and written != derived:
            message = f"The seed deals {hands_text(derived)}, not these hands."
            raise RecordError("wrong_hands", message, deal=deal.number, line=lines[deal.number, keyword])

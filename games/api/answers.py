"""What the API answers, as JSON-able dicts. `schemas` describes the same to readers of the docs."""

from collections.abc import Iterable

from games.bots.decisions import Decision, sums
from games.engine import Phase, State, action_text, to_act, view, view_as_dict
from games.engine.cards import SEAT_NAMES, card_text
from games.engine.view import by_seat, result_as_dict
from games.models import (
    CLOCK_PARTS,
    Analysis,
    ApiToken,
    ChatMessage,
    Delivery,
    Invitation,
    Match,
    Mute,
    Player,
    Seat,
    Webhook,
)
from games.positions import position
from games.selectors import (
    Event,
    Viewer,
    current_view,
    decisions_of,
    invited_names,
    is_gone,
    published_secret,
    score_for,
    seat_of,
)
from games.services.moves import MoveResult
from games.times import TICKS_A_SECOND
from trix_site.common.answers import Json, time

MOST_LISTED = 100  # matches, and invitations, that an account shows


def player(account: Player) -> Json:
    return {"name": account.username, "is_bot": account.is_bot}


def token(stored: ApiToken) -> Json:
    """A token without its text."""
    return {
        "code": stored.code,
        "name": stored.name,
        "scopes": stored.scopes,
        "created": time(stored.created),
        "expiry": time(stored.expiry),
    }


def listed(match: Match, viewer: Viewer) -> Json:
    """A match as lists show it: who sits where, by which rules."""
    you, score = seat_of(match, viewer), score_for(match, viewer)
    return {
        "code": match.code,
        "status": match.status,
        "rules": match.rules,
        "options": match.options,
        "visibility": match.visibility,
        "rated": match.rated,
        "opened_by": match.created_by.username if match.created_by else None,
        "clock": {part: match.clock(part) for part in CLOCK_PARTS},
        "on_timeout": match.on_timeout,
        "bot_delay": match.bot_delay,
        "hands_delay": match.hands_delay,
        "created_at": time(match.created_at),
        "started_at": time(match.started_at),
        "finished_at": time(match.finished_at),
        "seats": _seats(match),
        "you": None if you is None else SEAT_NAMES[you],
        "version": score.version,
        "totals": by_seat(score.totals),
        "winners": score.winners,
        "rematch": match.rematch_code,
    }


def table(match: Match, viewer: Viewer) -> Json:
    """A match with all that the viewer may know of it."""
    seen, until, banks = current_view(match, viewer)
    secret = published_secret(match)
    return listed(match, viewer) | {
        "join_code": None if seat_of(match, viewer) is None else match.join_code or None,
        "invited": invited_names(match, viewer),
        "commitment": match.commitment,
        "secret": secret.hex() if secret else None,
        "deadline": time(until),
        "banks": None if banks is None else by_seat(tenths / TICKS_A_SECOND for tenths in banks),
        "view": None if seen is None else view_as_dict(seen),
    }


def move(done: MoveResult) -> Json:
    """The answer to an action. Only what is stored with the actions goes in, so that it can be repeated."""
    return {
        "match": done.match.code,
        "version": done.version,
        "deadline": time(done.deadline),
        "view": view_as_dict(view(done.position.state, done.seat)),
    }


def event(happened: Event) -> Json:
    """A public action, the same in lists and streams."""
    step, state = happened.step, happened.state
    seat, started = happened.seat, happened.started
    return {
        "version": state.version,
        "deal": state.number,
        "seat": None if seat is None else SEAT_NAMES[seat],
        "action": None if seat is None else action_text(step.action),
        "doubled": _doubled(state) if seat is None else None,
        "at": time(step.at),
        "result": result_as_dict(state.result) if state.phase is Phase.OVER else None,
        "next_deal": {"number": started.number, "owner": SEAT_NAMES[started.owner]} if started else None,
    }


def waiting(match: Match, viewer: Player) -> Json:
    """A match of the viewer's as his account shows it. Whose turn it is stays open while doubling."""
    deals = list(match.deals.all())
    seat = seat_of(match, viewer)
    state = position(match, deals)[0].state if deals else None
    return listed(match, viewer) | {
        "to_act": SEAT_NAMES[state.turn] if state and state.turn >= 0 else None,
        "your_turn": state is not None and seat in to_act(state) and not match.seats.all()[seat].resigned,
    }


def me(account: Player, matches: Iterable[Match], invitations: Iterable[Invitation]) -> Json:
    """A player, his unfinished matches and the invitations that wait for him."""
    return player(account) | {
        "matches": [waiting(match, account) for match in matches],
        "invitations": [invitation(each, account) for each in invitations],
    }


def invitation(asked: Invitation, viewer: Player) -> Json:
    """An invitation as the account of the invited player shows it."""
    return {
        "match": listed(asked.match, viewer),
        "by": asked.invited_by.username if asked.invited_by else None,
        "at": time(asked.created_at),
    }


def message(said: ChatMessage) -> Json:
    """A message of a table's chat; without a player where the account is gone."""
    return {
        "id": said.pk,
        "player": player(said.author) if said.author else None,
        "text": said.text,
        "at": time(said.created_at),
    }


def muted(mute: Mute) -> Json:
    return {"player": player(mute.muted), "at": time(mute.created_at)}


def webhook(hook: Webhook) -> Json:
    """A webhook without its key."""
    return {
        "code": hook.code,
        "url": hook.url,
        "events": hook.events,
        "active": hook.active,
        "created_by": hook.owner.username,
        "created_at": time(hook.created_at),
    }


def delivery(of: Delivery) -> Json:
    """An event for a webhook, and what came of the last attempt to send it."""
    return {
        "id": of.code,
        "event": of.event,
        "data": of.body,
        "status": of.status,
        "attempts": of.attempts,
        "created_at": time(of.created_at),
        "sent_at": time(of.sent_at),
        "due_at": time(of.due_at),
        "response_status": of.response_status,
        "response": of.response,
    }


def analysis_state(of: Analysis) -> Json:
    return {
        "match": of.match.code,
        "state": of.state,
        "asked_at": time(of.asked_at),
        "done_at": time(of.done_at),
        "deals": len(of.deals),
    }


def analysis(of: Analysis, deal: int | None = None, seat: str | None = None, mistakes: bool = False) -> Json:
    """An analysis as far as it is: the sums of all seats, and the decisions of a deal, a seat, or all."""
    ready = of.state == Analysis.State.READY
    deals = decisions_of(of) if ready else []
    wanted = [
        _decision(number, decision)
        for number, decisions in enumerate(deals, 1)
        for decision in decisions
        if deal in (None, number)
        and seat in (None, SEAT_NAMES[decision.seat])
        and (decision.is_mistake or not mistakes)
    ]
    return analysis_state(of) | {
        "seats": by_seat(sums(deals, seat)._asdict() for seat in range(4)) if ready else None,
        "decisions": wanted if ready else None,
    }


def _decision(deal: int, of: Decision) -> Json:
    return {
        "deal": deal,
        "version": of.version,
        "play": of.play or None,
        "seat": SEAT_NAMES[of.seat],
        "played": action_text(of.played),
        "best": action_text(of.best),
        "lost": of.lost,
        "error": of.error,
        "mistake": of.is_mistake,
        "candidates": [
            candidate._asdict() | {"action": action_text(candidate.action)} for candidate in of.candidates
        ],
    }


def _doubled(state: State) -> Json:
    return {card_text(card): SEAT_NAMES[seat] for card, seat in state.doubled.items()}


def _seats(match: Match) -> list[Json]:
    taken = {seat.index: seat for seat in match.seats.all()}
    return [{"seat": name} | _sitter(match, taken.get(index)) for index, name in enumerate(SEAT_NAMES)]


def _sitter(match: Match, seat: Seat | None) -> Json:
    return {
        "player": player(seat.player) if seat and seat.player else None,
        "bot": seat.bot or None if seat else None,
        "away": seat is not None and seat.away_since is not None,
        "gone": seat is not None and is_gone(match, seat),
        "resigned": seat is not None and seat.resigned,
        "agrees_to_abort": seat is not None and seat.agrees_to_abort,
    }

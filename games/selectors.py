"""What may be read of matches, and by whom. Nothing here writes.

A viewer is a player, or None or an anonymous user for anyone. Hidden cards leave through the
engine's `view` alone. Matches may share a secret (all tables of a round play the same cards): what
would tell players of one table the cards that they are still to get from another one stays hidden
until every such match is past that deal.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Min, Prefetch, QuerySet

from games.engine import Contract, Phase, State, View, view
from games.engine.actions import DOUBLE
from games.engine.cards import SEAT_TITLES
from games.engine.notation import Record, RecordDeal, record_deal, write_record
from games.engine.shuffle import deal_hands
from games.models import Deal, Match, Player, Seat
from games.positions import Step, deadline, open_position, position, steps
from trix_site.common.errors import Missing

Viewer = Player | AnonymousUser | None
ALL_DEALS = 20

# Both sides lowered by the database, as its unique index does: Python lowers ΟΔΟΣ and İzmir otherwise.
CALLED = """
SELECT player.*, asked.name AS asked
FROM unnest(%s::text[], %s::text[]) AS asked (name, normal)
JOIN games_player AS player ON lower(player.username) = lower(asked.normal)
"""


class Event(NamedTuple):
    """One public action, and the position after it: ``seat`` is None for the reveal of all doubles.

    ``started`` is the next deal, where this action ended one and not the match. ``state`` goes on
    to change: look at it before asking for the next event.
    """

    step: Step
    seat: int | None
    state: State
    started: Deal | None


def players_called(names: Iterable[str]) -> dict[str, Player]:
    """The accounts of these names in any case, each under the name asked for; unknown names are left out."""
    asked = list(names)
    rows = Player.objects.raw(CALLED, [asked, [Player.normalize_username(name) for name in asked]])
    return {row.asked: row for row in rows}  # type: ignore[attr-defined]


def with_seats(matches: QuerySet[Match]) -> QuerySet[Match]:
    seats = Prefetch("seats", Seat.objects.select_related("player"))
    return matches.select_related("created_by").prefetch_related(seats)


def visible_match(code: str, viewer: Viewer) -> Match:
    """The match, with its seats. Raises Missing, for a private one to all but its players too."""
    match = with_seats(Match.objects.filter(code=code)).first()
    if match is None or (match.visibility == Match.Visibility.PRIVATE and seat_of(match, viewer) is None):
        raise Missing("no_such_match", "There is no such match.")
    return match


def seat_of(match: Match, viewer: Viewer) -> int | None:
    """The viewer's seat in a match, if he has one. Without an account he has none: bots' have none either."""
    if viewer is None or viewer.pk is None:
        return None
    return next((seat.index for seat in match.seats.all() if seat.player_id == viewer.pk), None)


def lobby() -> QuerySet[Match]:
    """Open tables that anyone may find, the newest first."""
    tables = Match.objects.filter(status=Match.Status.OPEN).exclude(visibility=Match.Visibility.PRIVATE)
    return with_seats(tables).order_by("-created_at", "-id")


def matches_of(player: Player) -> QuerySet[Match]:
    """The matches that a player sits or sat in, the newest first."""
    return with_seats(Match.objects.filter(seats__player=player)).order_by("-created_at", "-id")


def unfinished_matches_of(player: Player) -> QuerySet[Match]:
    """Those that wait for somebody, with their deals."""
    return matches_of(player).filter(status__in=Match.UNFINISHED).prefetch_related("deals")


def current_view(match: Match, viewer: Viewer) -> tuple[View | None, datetime | None]:
    """What the viewer sees of the deal being played, and until when the seat to act has time.

    None where no deal was dealt yet, or the cards of this table are still hidden from the viewer.
    """
    deals = list(match.deals.all())
    if not deals or not _may_watch(match, viewer):
        return None, None
    seats = list(match.seats.all())
    now = position(match, deals)[0]
    until = match.deadline or deadline(match, seats, now) if match.status == Match.Status.RUNNING else None
    return view(now.state, seat_of(match, viewer)), until


def events_after(match: Match, viewer: Viewer, version: int) -> Iterator[Event]:
    """Every public action after a version, as far as the viewer may know them."""
    deals = list(match.deals.all())
    if not _may_watch(match, viewer):
        deals = deals[: open_deals(match)]
    for count in range(1, len(deals) + 1):
        following = deals[count] if count < len(deals) else None
        if following is None or following.first_version > version:
            yield from _events(match, deals[:count], following, version)


def published_secret(match: Match) -> bytes | None:
    """The secret, once nothing that is still played follows from it."""
    over = match.status not in Match.UNFINISHED
    return match.secret if over and open_deals(match) == ALL_DEALS else None


def open_deals(match: Match) -> int:
    """How many deals, from the first, are over at every match that plays these cards."""
    unfinished = Match.objects.filter(secret=match.secret, status__in=Match.UNFINISHED)
    lowest = unfinished.aggregate(lowest=Min("deal_number"))["lowest"]
    return ALL_DEALS if lowest is None else max(0, lowest - 1)


def match_record(match: Match) -> str:
    """The `.trix` record: whole once nothing that is still played follows from the secret.

    Before, the deals that are over everywhere; the deal after them is named without its hands.
    """
    deals = list(match.deals.all())
    shown = open_deals(match)
    record_deals = [
        _record_deal(match, deals[: deal.number]) for deal in deals[:shown] if deal.contract is not None
    ]
    record_deals += [
        RecordDeal(deal.number, deal.owner, Contract(deal.contract))
        for deal in deals[shown : shown + 1]
        if deal.contract is not None and not deal.scores
    ]
    return write_record(Record(match.rules, match.engine_options, _tags(match), record_deals))


def _may_watch(match: Match, viewer: Viewer) -> bool:
    """Players may see their own table, everyone else a table whose cards are dealt nowhere else."""
    if seat_of(match, viewer) is not None:
        return True
    same_cards = Match.objects.filter(secret=match.secret, status__in=Match.UNFINISHED)
    return not same_cards.exclude(pk=match.pk).exists()


def _events(match: Match, deals: Sequence[Deal], following: Deal | None, version: int) -> Iterator[Event]:
    state = open_position(match, deals)
    for step in steps(state, deals[-1]):
        if state.version == step.version or state.version <= version:
            continue
        doubling = step.action >= DOUBLE
        started = following if state.phase is Phase.OVER else None
        yield Event(step, None if doubling else step.seat, state, started)


def _record_deal(match: Match, deals: Sequence[Deal]) -> RecordDeal:
    state = position(match, deals)[0].state
    deal = record_deal(state, deal_hands(match.secret, state.number, state.options).hands)
    assert deal is not None
    return deal


def _tags(match: Match) -> dict[str, str]:
    tags = {"Match": match.code, "Commitment": match.commitment}
    if match.started_at:
        tags["Date"] = match.started_at.date().isoformat()
    tags |= {SEAT_TITLES[seat.index]: seat.name for seat in match.seats.all()}
    secret = published_secret(match)
    return tags | ({"Seed": secret.hex()} if secret else {})

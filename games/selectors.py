"""What may be read of matches, and by whom. Nothing here writes.

A viewer is a player, or None or an anonymous user for anyone; a match is one that was read here. Hidden
cards leave through the engine's `view` alone. Matches may share a secret (all tables of a round play
the same cards): what would tell players of one table the cards that they are still to get from another
one stays hidden until every such match is past that deal.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.utils import timezone

from games.bots.decisions import Decision, comments, unpack
from games.engine import Contract, Phase, State, View, view, with_comments
from games.engine.actions import DOUBLE
from games.engine.cards import SEAT_TITLES
from games.engine.notation import Record, RecordDeal, record_deal, write_record
from games.engine.shuffle import deal_hands
from games.models import Analysis, ChatMessage, Deal, Invitation, Match, Mute, Player, Seat, no_points
from games.positions import Banks, Step, open_position, position, steps, until
from trix_site.common.errors import Conflict, Forbidden, Missing

Viewer = Player | AnonymousUser | None
ALL_DEALS = 20
MESSAGES = 200  # at once

# A player whose last stream ended so long ago is gone. The triggers of 0007_wake_ups know it too.
GONE_AFTER = timedelta(seconds=45)

# Both sides lowered by the database, as its unique index does: Python lowers ΟΔΟΣ and İzmir otherwise.
CALLED = """
SELECT player.*, asked.name AS asked
FROM unnest(%s::text[], %s::text[]) AS asked (name, normal)
JOIN games_player AS player ON lower(player.username) = lower(asked.normal)
"""


DEALS = Prefetch("deals", Deal.objects.select_related("match"))
SCORES = Prefetch("deals", Deal.objects.only("match", "number", "first_version", "scores"))
SEATS = Prefetch("seats", Seat.objects.select_related("player"))


class Score(NamedTuple):
    """How a match stands."""

    version: int
    totals: list[int]
    winners: list[str]


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
    asked = [name for name in names if "\0" not in name]  # PostgreSQL cannot compare it.
    rows = Player.objects.raw(CALLED, [asked, [Player.normalize_username(name) for name in asked]])
    return {row.asked: row for row in rows}  # type: ignore[attr-defined]


def player_called(name: str) -> Player:
    """The player of this name in any case. Raises Missing."""
    found = players_called([name]).get(name)
    if found is None:
        raise Missing("no_such_player", f"There is no player {name!r}.")
    return found


def with_seats(matches: QuerySet[Match]) -> QuerySet[Match]:
    return _with_behind(matches).prefetch_related(SEATS)


def visible_match(code: str, viewer: Viewer) -> Match:
    """The match, with its deals and seats. Raises Missing, for a private one to all but its people too."""
    match = stored_match(code)
    if not may_see(match, viewer):
        raise no_such_match()
    return match


def no_such_match() -> Missing:
    """What to raise for a match that is not there, or that the caller may not know of."""
    return Missing("no_such_match", "There is no such match.")


def may_see(match: Match, viewer: Viewer) -> bool:
    """Whether the viewer may know of a match at all: a private one is its people's."""
    private = match.visibility == Match.Visibility.PRIVATE
    return not private or seat_of(match, viewer) is not None or is_invited(match, viewer)


def pending_invitations(match: Match) -> QuerySet[Invitation]:
    """Who is invited and has not declined, in the order of their names."""
    pending = match.invitations.filter(declined_at=None)
    return pending.select_related("player").order_by("player__username")


def is_invited(match: Match, viewer: Viewer) -> bool:
    if viewer is None or viewer.pk is None or match.status != Match.Status.OPEN:
        return False
    return pending_invitations(match).filter(player=viewer.pk).exists()


def invited_names(match: Match, viewer: Viewer) -> list[str] | None:
    """Who is invited to the table and has not answered; None for all but its players."""
    if seat_of(match, viewer) is None:
        return None
    if match.status != Match.Status.OPEN:
        return []
    return list(pending_invitations(match).values_list("player__username", flat=True))


def invitations_of(player: Player, limit: int) -> list[Invitation]:
    """The invitations that wait for a player's answer, the newest first, without those of muted people."""
    shown = with_seats(Match.objects.all()).prefetch_related(SCORES)
    return list(
        _heard_of(player)
        .select_related("invited_by")
        .prefetch_related(Prefetch("match", shown))
        .order_by("-id")[:limit]
    )


def match_to_talk(code: str, player: Player) -> Match:
    """The match, for one of its players to read and report its chat. Raises Missing, Forbidden."""
    match = visible_match(code, player)
    require_seat(match.seats.all(), player)
    return match


def chat_after(match: Match, reader: Player, after: int) -> QuerySet[ChatMessage]:
    """What was said at a table after a message, the oldest first, without what the reader need not read."""
    shown = match.chat.filter(pk__gt=after, hidden_at=None).exclude(author__in=muted_by(reader))
    return shown.select_related("author").order_by("pk")[:MESSAGES]


def said_before(message: ChatMessage, count: int) -> list[ChatMessage]:
    """The last messages at the table before this one, in their order: what staff read it by."""
    before = ChatMessage.objects.filter(match=message.match_id, pk__lt=message.pk).select_related("author")
    return list(before.order_by("-pk")[:count])[::-1]


def mutes_of(player: Player) -> QuerySet[Mute]:
    """Whom a player has muted, the latest first."""
    return player.mutes.select_related("muted").order_by("-pk")


def muted_by(player: Player) -> QuerySet[Any]:
    return player.mutes.values("muted")


def stored_match(code: str) -> Match:
    """The match, with its deals and seats. Raises Missing."""
    found = _of_one_moment(Match.objects.filter(code=code))
    if not found:
        raise no_such_match()
    return found[0]


def seat_of(match: Match, viewer: Viewer) -> int | None:
    """The viewer's seat in a match, if he has one. Without an account he has none: bots' have none either."""
    if viewer is None or viewer.pk is None:
        return None
    return next((seat.index for seat in match.seats.all() if seat.player_id == viewer.pk), None)


def require_seat(seats: Iterable[Seat], player: Player) -> Seat:
    """The player's among the seats of a match. Raises Forbidden if he has none."""
    for seat in seats:
        if seat.player_id == player.pk:
            return seat
    raise Forbidden("not_your_seat", "You have no seat in this match.")


def is_gone(match: Match, seat: Seat) -> bool:
    """Whether a player who followed this running match by a stream has had none for a while."""
    if match.status != Match.Status.RUNNING or seat.player_id is None or seat.away_since is not None:
        return False
    return seat.seen_at is not None and seat.seen_at < timezone.now() - GONE_AFTER


def gone_seats(match_codes: Collection[str]) -> set[tuple[str, int]]:
    """The seats (match code, index) of these matches whose players are gone."""
    silent = Seat.objects.filter(
        match__code__in=match_codes,
        match__status=Match.Status.RUNNING,
        player__isnull=False,
        away_since=None,
        seen_at__lt=timezone.now() - GONE_AFTER,
    )
    return set(silent.values_list("match__code", "index"))


def lobby(viewer: Viewer, status: str = Match.Status.OPEN) -> QuerySet[Match]:
    """The matches in this state that the viewer may find, the newest first: all but private ones to which
    he is not invited.
    """
    shown = ~Q(visibility=Match.Visibility.PRIVATE)
    if isinstance(viewer, Player):
        shown |= Q(pk__in=_heard_of(viewer).values("match"))
    return with_seats(Match.objects.filter(shown, status=status)).prefetch_related(SCORES).order_by("-id")


def matches_of(player: Player) -> QuerySet[Match]:
    """The matches that a player sits or sat in, the newest first."""
    return with_seats(Match.objects.filter(seats__player=player)).order_by("-id")


def unfinished_matches_of(player: Player, limit: int) -> list[Match]:
    """Those that wait for somebody, the newest first, with their deals."""
    mine = Match.objects.filter(seats__player=player, status__in=Match.UNFINISHED)
    return _of_one_moment(mine.order_by("-id")[:limit])


def score_for(match: Match, viewer: Viewer) -> Score:
    """How the match stands, as far as the viewer may know: nothing of cards yet to be played elsewhere."""
    if _may_watch(match, viewer):
        return Score(match.version, match.totals, match.winners)
    deals, shown = list(match.deals.all()), open_deals(match)
    version = deals[shown].first_version if shown < len(deals) else match.version
    scores = [deal.scores for deal in deals[:shown] if deal.scores]
    return Score(version, [sum(column) for column in zip(no_points(), *scores, strict=True)], [])


def current_view(match: Match, viewer: Viewer) -> tuple[View | None, datetime | None, Banks]:
    """What the viewer sees of the deal being played, until when the seat to act has time, and what each
    seat had left of its time bank at the last public action, in tenths of a second.

    None where no deal was dealt yet, or the cards of this table are still hidden from the viewer.
    """
    deals = list(match.deals.all())
    if not deals or not _may_watch(match, viewer):
        return None, None, None
    now = position(match, deals)[0]
    return view(now.state, seat_of(match, viewer)), until(match, list(match.seats.all()), now), now.banks


def events_after(match: Match, viewer: Viewer, version: int) -> Iterator[Event]:
    """Every public action after a version, as far as the viewer may know them."""
    deals = list(match.deals.all())
    shown = len(deals) if _may_watch(match, viewer) else open_deals(match)
    for count in range(1, min(shown, len(deals)) + 1):
        following = deals[count] if count < len(deals) else None
        if following is None or following.first_version > version:
            yield from _events(match, deals[:count], following, version)


def published_secret(match: Match) -> bytes | None:
    """The secret, once nothing that is still played follows from it."""
    over = match.status not in Match.UNFINISHED
    return match.secret if over and open_deals(match) == ALL_DEALS else None


def open_deals(match: Match) -> int:
    """How many deals, from the first, are over at every match that plays these cards."""
    playing = [] if match.behind is None else [match.behind]
    if match.status in Match.UNFINISHED:
        playing.append(match.deal_number)
    return max(0, min(playing) - 1) if playing else ALL_DEALS


def played_elsewhere() -> Exists:
    """A condition for matches: whether others with the same cards are still to be played, or being it."""
    return Exists(_others_with_its_cards())


def match_record(match: Match, viewer: Viewer) -> str:
    """The `.trix` record: whole once nothing that is still played follows from the secret.

    Before, the deals that are over everywhere, for others than the players only those that have been for
    ``hands_delay`` or until the match is; the deal after them is named without its hands. What was chosen in
    it would tell of the hand that others with the same cards still choose by: only who may watch sees it.
    """
    deals = list(match.deals.all())
    shown = open_deals(match)
    if match.status in Match.UNFINISHED and seat_of(match, viewer) is None:
        shown = min(shown, _deals_out(match, deals))
    record_deals = [
        _record_deal(match, deals[: deal.number]) for deal in deals[:shown] if deal.contract is not None
    ]
    record_deals += [
        RecordDeal(deal.number, deal.owner, Contract(deal.contract))
        for deal in deals[shown : shown + 1]
        if deal.contract is not None and not deal.scores and _may_watch(match, viewer)
    ]
    return write_record(Record(match.rules, match.engine_options, _tags(match), record_deals))


def analysis_of(match: Match) -> Analysis:
    """The analysis of a match, which tells of all hands: only while the secret is out. Raises Missing."""
    if published_secret(match) is None:
        raise Missing(
            "no_analysis", "There is none before the match is over, and nobody else plays its cards."
        )
    found = Analysis.objects.filter(match=match).first()
    if found is None:
        raise Missing("no_analysis", "Nobody has asked for an analysis of this match: POST asks for it.")
    return found


def decisions_of(analysis: Analysis) -> list[list[Decision]]:
    """The decisions of each deal, once all are analysed. Raises Conflict."""
    if analysis.state != Analysis.State.READY:
        detail = "It could not be made: POST asks again."
        if analysis.state == Analysis.State.ASKED:
            detail = "It is being made, or waits until others are: ask again in some seconds."
        raise Conflict("analysis_not_ready", detail)
    return [unpack(packed) for packed in analysis.deals]


def annotated_record(match: Match, viewer: Viewer) -> str:
    """The record with what the analysis says of mistakes, as comments. Raises Missing, Conflict."""
    return with_comments(match_record(match, viewer), comments(decisions_of(analysis_of(match))))


def _heard_of(player: Player) -> QuerySet[Invitation]:
    """The invitations that wait for a player's answer, without those of people whom he has muted."""
    return player.invitations.filter(declined_at=None).exclude(invited_by__in=muted_by(player))


def _deals_out(match: Match, deals: Sequence[Deal]) -> int:
    """How many deals of a running match have been over for long enough to show their hands to anyone."""
    if match.hands_delay is None:
        return 0
    before = timezone.now() - timedelta(seconds=match.hands_delay)
    return sum(following.started_at <= before for following in deals[1:])


def _may_watch(match: Match, viewer: Viewer) -> bool:
    """Players may see their own table, everyone else a table whose cards are dealt nowhere else."""
    return match.behind is None or seat_of(match, viewer) is not None


def _with_behind(matches: QuerySet[Match]) -> QuerySet[Match]:
    """These matches with ``behind``: the lowest deal that is being played elsewhere with the same cards;
    and with ``rematch_code``, of the one that was opened after it.
    """
    behind = Subquery(_others_with_its_cards().order_by("deal_number").values("deal_number")[:1])
    rematch_code = Subquery(Match.objects.filter(rematch_of=OuterRef("pk")).values("code")[:1])
    found = matches.select_related("created_by")
    return found.annotate(behind=behind, rematch_code=rematch_code)  # type: ignore[no-redef]


def _others_with_its_cards() -> QuerySet[Match]:
    """For a subquery: the other matches that play an outer one's cards, or are still to."""
    same_cards = Match.objects.filter(secret=OuterRef("secret"), status__in=Match.UNFINISHED)
    return same_cards.exclude(pk=OuterRef("pk"))


def _of_one_moment(matches: QuerySet[Match]) -> list[Match]:
    """These matches with deals and seats, where a match is as it was when its deals were read.

    Without that, a move or a start between two statements would show a version and another position.
    Seats come last: they are all taken once there are deals.
    """
    found = list(_with_behind(matches).prefetch_related(DEALS, SEATS))
    for match in found:
        for deal in match.deals.all()[:1]:
            for field in Match._meta.concrete_fields:
                setattr(match, field.attname, getattr(deal.match, field.attname))
    return found


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

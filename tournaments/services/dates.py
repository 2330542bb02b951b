"""Dates of rounds: when they begin, and by when their tables must be over."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.models import Match, Player, Seat
from games.services.matches import leave
from tournaments.models import MOST_ROUNDS, Round, RoundDate, Tournament
from tournaments.organisers import Right
from tournaments.services.audit import audit
from tournaments.services.locks import lock_as, require_state
from trix_site.common.errors import BadRequest, Conflict

State = Tournament.State
DRAW_AHEAD = timedelta(minutes=2)  # how long before its start a round is drawn, which may take a minute


def set_dates(*, slug: str, actor: Player | None, dates: Sequence[Mapping[str, Any]]) -> list[RoundDate]:
    """Say when rounds begin and end, instead of what was said before.

    Each is `{"number", "starts_at", "ends_at"}`, the times aware, `ends_at` optional. A round ends before the
    next one begins. Raises BadRequest `bad_dates`; Conflict `too_late` for the start of a round that is
    published, `wrong_state`; Forbidden.
    """
    with transaction.atomic():
        tournament = lock_as(Right.ORGANISE, slug, actor)
        require_state(tournament, *Tournament.NOT_OVER)
        wanted = sorted(
            (RoundDate(tournament=tournament, **date) for date in dates), key=lambda date: date.number
        )
        _check(wanted)
        _check_published(tournament, wanted)
        tournament.dates.all().delete()
        RoundDate.objects.bulk_create(wanted)
        audit(tournament, actor, "dates_changed", dates=[_told(date) for date in wanted])
        return wanted


def _check(dates: Sequence[RoundDate]) -> None:
    for date in dates:
        for at in filter(None, (date.starts_at, date.ends_at)):
            check_year(at)
        if not 1 <= date.number <= MOST_ROUNDS:
            raise BadRequest("bad_dates", f"Rounds are numbered 1 to {MOST_ROUNDS}, not {date.number}.")
        if date.ends_at and date.ends_at <= date.starts_at:
            raise BadRequest("bad_dates", f"Round {date.number} must end after it begins.")
    for one, two in pairwise(dates):
        if one.number == two.number:
            raise BadRequest("bad_dates", f"Round {one.number} has two dates; give it one.")
        if two.starts_at < (one.ends_at or one.starts_at):
            detail = f"Round {two.number} begins before round {one.number} does, or ends."
            raise BadRequest("bad_dates", detail)


def _check_published(tournament: Tournament, wanted: Sequence[RoundDate]) -> None:
    published = set(
        tournament.rounds.exclude(state=Round.State.DRAWN)
        .filter(overlaps=False)
        .values_list("number", flat=True)
    )
    starts = {date.number: date.starts_at for date in wanted}
    known = {date.number: date.starts_at for date in tournament.dates.all()}
    late = sorted(number for number in published if starts.get(number) != known.get(number))
    if late:
        named = ", ".join(map(str, late))
        raise Conflict("too_late", f"Round {named} has begun; its start stays.", fields=["starts_at"])


def _told(date: RoundDate) -> str:
    times = [at.strftime("%Y-%m-%dT%H:%MZ") for at in (date.starts_at, date.ends_at) if at]
    return f"{date.number}: {' to '.join(times)}"


def date_of(tournament: Tournament, number: int) -> RoundDate | None:
    return tournament.dates.filter(number=number).first()


def may_draw(tournament: Tournament, number: int) -> bool:
    """Whether it is time to draw a round that begins by itself."""
    date = date_of(tournament, number)
    return date is None or timezone.now() >= date.starts_at - DRAW_AHEAD


def may_publish(tournament: Tournament, number: int) -> bool:
    """Whether it is time to begin a round that begins by itself."""
    date = date_of(tournament, number)
    return date is None or timezone.now() >= date.starts_at


def overdue_seats() -> list[tuple[str, Player]]:
    """Match and player of each seat at a table that should be over, whose player is still there."""
    passed = RoundDate.objects.filter(
        tournament=OuterRef("match__table__round__tournament"),
        number=OuterRef("match__table__round__number"),
        ends_at__lte=timezone.now(),
    )
    seats = Seat.objects.filter(
        Exists(passed),
        match__table__round__tournament__automatic=True,
        match__table__round__tournament__state=State.RUNNING,
        match__status=Match.Status.RUNNING,
        player__isnull=False,
        away_since=None,
    )
    found = seats.select_related("match", "player").order_by("pk")
    return [(seat.match.code, seat.player) for seat in found if seat.player]


def end_for(match_code: str, player: Player) -> None:
    """Let a bot play on for a player whose round should be over, so that it ends."""
    with suppress(Conflict):  # It has just ended.
        leave(match_code=match_code, player=player)


def check_year(at: datetime) -> None:
    """Raise BadRequest `bad_dates` for a slip of the pen, which clocks of other zones might not reach."""
    if not 2000 <= at.year < 3000:
        raise BadRequest("bad_dates", f"A date is from the years 2000 to 2999, not {at.year}.")


def in_zone(local: datetime, zone: ZoneInfo) -> datetime:
    """The moment at which clocks in the zone show this time.

    Raises BadRequest `no_such_time` for a time that clocks skip when they are put forward, `ambiguous_time`
    for one that they show twice when they are put back, `bad_dates`.
    """
    check_year(local)
    first, second = (local.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first.astimezone(UTC)
    shown = f"{local:%Y-%m-%d %H:%M} in {zone.key}"
    if first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != local:
        raise BadRequest("no_such_time", f"There is no {shown}: clocks are put forward. Take another time.")
    raise BadRequest("ambiguous_time", f"{shown} comes twice: clocks are put back. Take another time.")

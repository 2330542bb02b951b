"""The dates of rounds, on the clocks of the tournament's time zone."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.dateparse import parse_datetime

from games.admin import actor
from tournaments.desk.shared import Page, page, to
from tournaments.models import MOST_ROUNDS, Tournament
from tournaments.services.dates import in_zone, set_dates
from trix_site.common.errors import BadRequest, ProblemError

MORE = 3  # rounds that a date can be set for where their number is not planned


def dates(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    rows = _rows(tournament)
    if request.method == "POST":
        rows = [_typed(request, row["number"]) for row in rows]
        try:
            set_dates(slug=tournament.slug, actor=actor(request), dates=_wanted(rows, tournament))
        except ProblemError as refused:
            messages.error(request, refused.detail)
        else:
            messages.success(request, "The dates are set.")
            return to(tournament, "dates")
    return page(request, tournament, "dates", rows=rows)


def _rows(tournament: Tournament) -> list[dict[str, Any]]:
    """A line for each round that can have a date, with those that it has."""
    known = {date.number: date for date in tournament.dates.all()}
    last = tournament.rounds.filter(overlaps=False).last()
    number = tournament.rounds_planned or (last.number if last else 0) + MORE
    rows = []
    for each in range(1, min(MOST_ROUNDS, max([number, *known])) + 1):
        date = known.get(each)
        times = (date.starts_at, date.ends_at) if date else (None, None)
        starts, ends = (_local(at, tournament) for at in times)
        rows.append({"number": each, "starts": starts, "ends": ends})
    return rows


def _local(at: datetime | None, tournament: Tournament) -> str:
    """As an input of the browser takes it."""
    return f"{at.astimezone(tournament.zone):%Y-%m-%dT%H:%M}" if at else ""


def _typed(request: HttpRequest, number: int) -> dict[str, Any]:
    starts, ends = (request.POST.get(f"{name}_{number}", "").strip() for name in ("starts", "ends"))
    return {"number": number, "starts": starts, "ends": ends}


def _wanted(rows: list[dict[str, Any]], tournament: Tournament) -> list[dict[str, Any]]:
    """The dates that were typed. Raises BadRequest."""
    found = []
    for row in rows:
        starts, ends = (_moment(row[name], tournament) for name in ("starts", "ends"))
        if ends and not starts:
            raise BadRequest("bad_dates", f"Round {row['number']} ends, so say when it begins.")
        if starts:
            found.append({"number": row["number"], "starts_at": starts, "ends_at": ends})
    return found


def _moment(text: str, tournament: Tournament) -> datetime | None:
    try:
        local = parse_datetime(text) if text else None
    except ValueError:
        local = None
    if local is None and not text:
        return None
    if local is None or local.tzinfo:
        raise BadRequest("bad_dates", f"{text[:30]!r} is no time on a clock, such as 2027-01-30 19:00.")
    return in_zone(local, tournament.zone)


PAGES: dict[str, Page] = {"dates/": dates}

"""The overview of a tournament, and its log."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse

from tournaments import selectors
from tournaments.desk.shared import REFRESH_SECONDS, Page, page
from tournaments.desk.shown import show, standings_shown
from tournaments.desk.steps import advice, next_steps
from tournaments.models import Round, Stage, Tournament
from tournaments.organisers import RIGHTS
from tournaments.services.life import officials
from tournaments.services.standings import lines_of, ranked
from tournaments.standings import METRIC_TITLES

LOG_PAGE = 50
TOP = 8
MOST_TABLES = 40
MOST_GROUPS = 26  # that have a link


def overview(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    last = tournament.rounds.last()
    playing = last is not None and last.state == Round.State.PUBLISHED
    waiting = selectors.unfinished_tables(last) if last and playing else []
    return page(
        request,
        tournament,
        "overview",
        advice=advice(tournament, last, waiting),
        steps=next_steps(tournament, last, waiting),
        tables=_tables(last, waiting) if last else [],
        more=max(0, last.tables.count() - MOST_TABLES) if last else 0,
        top=standings_shown(tournament, lines_of(ranked(tournament, live=True).rows[:TOP])),
        metrics=[METRIC_TITLES[name] for name in tournament.metrics],
        stages=[_stage(stage) for stage in tournament.stages.all()],
        officials=officials(tournament, RIGHTS),
        refresh=REFRESH_SECONDS if waiting else None,
    )


def _tables(round_: Round, waiting: list[int]) -> list[dict[str, Any]]:
    """The first tables; of many those that have no result yet."""
    tables = selectors.tables_of(round_)
    if waiting and round_.tables.count() > MOST_TABLES:
        tables = tables.filter(number__in=waiting[:MOST_TABLES])
    return [show(table) for table in tables[:MOST_TABLES]]


def _stage(stage: Stage) -> dict[str, Any]:
    """What it is, and the groups that have standings of their own."""
    sizes = {
        "rounds": stage.rounds,
        "groups": stage.groups if stage.groups > 1 else None,
        "minutes": stage.minutes,
    }
    parts = [stage.get_format_display(), *(f"{number} {name}" for name, number in sizes.items() if number)]
    if stage.cut:
        parts.append(f"the best {stage.cut}")
    if stage.format == Stage.Format.KNOCKOUT:
        parts.append(f"{stage.advance} of a table go on")
    groups = range(1, stage.groups + 1) if 1 < stage.groups <= MOST_GROUPS else ()
    return {"stage": stage, "text": ", ".join(parts), "groups": groups}


def log(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    pages = Paginator(tournament.log.select_related("actor"), LOG_PAGE)
    return page(request, tournament, "log", lines=pages.get_page(request.GET.get("page")))


PAGES: dict[str, Page] = {"": overview, "log/": log}

"""Standings, and why one entry stands above another."""

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from tournaments.desk.shared import REFRESH_SECONDS, Page, page
from tournaments.desk.shown import number, standings_shown
from tournaments.models import MOST_ENTRIES, Entry, Tournament
from tournaments.performances import performances
from tournaments.selectors import Line
from tournaments.services.standings import (
    Compared,
    Ranked,
    compared,
    lines_of,
    placed_entries,
    ranked,
    ranked_over_stages,
)
from tournaments.standings import METRIC_TITLES, Appearance, as_number

PAGE = 100


def standings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    of = _asked_for(request, tournament)
    shown = Paginator(of.rows, PAGE).get_page(request.GET.get("page"))
    asked = _query(of)
    stages = list(tournament.stages.filter(started_at__isnull=False))
    return page(
        request,
        tournament,
        "standings",
        pages=shown,
        lines=_with_the_one_above(_performed(tournament, lines_of(list(shown)))),
        metrics=[METRIC_TITLES[name] for name in tournament.metrics],
        of=of,
        stages=stages,
        overall=_overall(tournament) if len(stages) > 1 else [],
        query=urlencode(asked),
        other=urlencode({key: value for key, value in asked.items() if key != "live"}),
        downloads=_downloads(of),
        refresh=REFRESH_SECONDS if of.live else None,
    )


def _performed(tournament: Tournament, lines: list[Line]) -> list[dict[str, Any]]:
    """With the rating that each player played like."""
    found = performances(tournament, {line.entry.player_id for line in lines})
    told = {player: f"{one.rating:.0f}" for player, one in found.items()}
    shown = standings_shown(tournament, lines)
    return [line | {"performance": told.get(line["entry"].player_id, "–")} for line in shown]


def _overall(tournament: Tournament) -> list[tuple[int, Entry]]:
    """The first of all stages together."""
    return placed_entries(ranked_over_stages(tournament)[:PAGE])


def compare(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Why one of two players stands above the other. Raises as `compared`."""
    of = _asked_for(request, tournament)
    both = compared(of, *(request.GET.get(name, "").strip() for name in ("first", "second")))
    lines = standings_shown(tournament, [both.above, both.below])
    return page(
        request,
        tournament,
        "compare",
        sentence=both.why.sentence(both.names),
        metrics=[METRIC_TITLES[name] for name in tournament.metrics],
        lines=[line | {"tables": _tables(both, line["entry"].pk)} for line in lines],
        query=urlencode(_query(of)),
    )


def _asked_for(request: HttpRequest, tournament: Tournament) -> Ranked:
    """Raises as `ranked`."""
    stage, group = (_whole(request.GET.get(name)) for name in ("stage", "group"))
    return ranked(tournament, live=request.GET.get("live") == "1", stage=stage, group=group)


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 6 else None


def _query(of: Ranked) -> dict[str, int]:
    """What of the address says which standings are shown."""
    asked = {"stage": of.stage and of.stage.number, "group": of.group, "live": int(of.live)}
    return {name: value for name, value in asked.items() if value}


def _downloads(of: Ranked) -> dict[str, str]:
    """The addresses of the whole, as files for programs."""
    at = reverse("tournament-standings", args=[of.tournament.slug])
    asked = _query(of) | ({"live": "true"} if of.live else {})
    as_csv, as_json = {"format": "csv"}, {"format": "json", "page_size": MOST_ENTRIES}
    return {"CSV": f"{at}?{urlencode(asked | as_csv)}", "JSON": f"{at}?{urlencode(asked | as_json)}"}


def _with_the_one_above(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """With the name to compare each line with."""
    names = ["", *(line["entry"].player.username for line in lines)]
    return [line | {"above": above} for line, above in zip(lines, names, strict=False)]


def _tables(both: Compared, entry: int) -> list[dict[str, Any]]:
    return [_table(each, both) for each in both.why.tables[entry]]


def _table(of: Appearance, both: Compared) -> dict[str, Any]:
    return {
        "round": of.round,
        "opponents": ["a bot" if entry is None else both.names[entry] for entry in of.opponents],
        "score": number(of.score),
        "place": of.place,
        "points": number(as_number(of.points)),
    }


PAGES: dict[str, Page] = {"standings/": standings, "standings/compare/": compare}

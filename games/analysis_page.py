"""The page of the admin with the analysis of a match: how each seat played, the mistakes, a button to ask."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.html import format_html

from games.bots.decisions import SURE, Decision, Sums, sums
from games.engine import action_text
from games.engine.cards import SEAT_NAMES
from games.models import Analysis, Match
from games.selectors import analysis_of, decisions_of
from games.services import analyses
from trix_site.common.errors import Missing, ProblemError

Table = dict[str, Any]


def urls(model_admin: "admin.ModelAdmin[Match]") -> list[URLPattern]:
    """The page of a ModelAdmin's matches, with its permissions and its queryset."""

    def view(request: HttpRequest, pk: int) -> HttpResponse:
        match = model_admin.get_queryset(request).filter(pk=pk).first()
        if match is None:
            raise Http404("There is no such match, or it is not yours.")
        if not model_admin.has_view_permission(request, match):
            raise PermissionDenied
        return _ask(request, match) if request.method == "POST" else _page(request, match)

    return [path("<int:pk>/analysis/", model_admin.admin_site.admin_view(view), name="match-analysis")]


def _ask(request: HttpRequest, match: Match) -> HttpResponse:
    try:
        analyses.ask_for(match)
    except ProblemError as refused:
        messages.error(request, refused.detail)
    return redirect(request.path)


def _page(request: HttpRequest, match: Match) -> HttpResponse:
    try:
        analysis = analysis_of(match)
    except Missing:
        analysis = None
    context = {
        **admin.site.each_context(request),
        "title": f"Analysis of {match.code}",
        "match": match,
        "analysis": analysis,
        "over": match.status not in Match.UNFINISHED,
        **(_tables(match, analysis) if analysis and analysis.state == Analysis.State.READY else {}),
    }
    return render(request, "games/analysis.html", context)


def _tables(match: Match, analysis: Analysis) -> dict[str, Table]:
    deals = decisions_of(analysis)
    players = [
        [
            format_html("<span>{} <bdi>{}</bdi></span>", seat.letter, seat.name),
            *_figures(sums(deals, seat.index)),
        ]
        for seat in match.seats.all()
    ]
    mistakes = [
        [number, *_cells(decision)] for number, deal in enumerate(deals, 1) for decision in _mistakes(deal)
    ]
    return {
        "players": {
            "headers": ["Seat", "Decisions", "Mistakes", "Points lost", "Lost a deal"],
            "rows": players,
        },
        "mistakes": {
            "headers": ["Deal", "Play", "Seat", "Played", "Better", "Points lost"],
            "rows": mistakes,
        },
    }


def _figures(of: Sums) -> list[object]:
    return [of.decisions, of.mistakes, f"{of.lost:.1f}", f"{of.lost_per_deal:.2f}"]


def _mistakes(deal: Iterable[Decision]) -> list[Decision]:
    return [decision for decision in deal if decision.is_mistake]


def _cells(of: Decision) -> list[object]:
    played, best = (action_text(action).removeprefix("play ") for action in (of.played, of.best))
    lost = f"{of.lost} ± {SURE * of.error:.1f}"
    return [of.play or "", SEAT_NAMES[of.seat], played, best, lost]

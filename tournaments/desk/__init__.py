"""The organiser's desk: the pages of the admin on which a tournament is run, from registration to the end.

Every change is a POST that calls one service; a refusal comes back as a message, and nothing changed.
"""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import URLPattern, path

from tournaments.desk import (
    dates,
    exchange,
    files,
    officials,
    overview,
    penalties,
    players,
    rounds,
    standings,
    steps,
    tables,
)
from tournaments.desk.shared import Page, back
from tournaments.models import Tournament
from trix_site.common.errors import ProblemError

AREAS = (overview, players, files, penalties, officials, rounds, tables, dates, standings, exchange, steps)
PAGES: dict[str, Page] = {at: page for area in AREAS for at, page in area.PAGES.items()}


def urls(model_admin: "admin.ModelAdmin[Tournament]") -> list[URLPattern]:
    """The pages of a ModelAdmin's tournaments, with its permissions and its queryset."""
    return [
        path(f"<int:pk>/desk/{at}", _guarded(model_admin, page), name=f"desk-{page.__name__}")
        for at, page in PAGES.items()
    ]


def _guarded(model_admin: "admin.ModelAdmin[Tournament]", page: Page) -> Page:
    """The page for staff who may see the tournament; refusals of services become messages."""

    def view(request: HttpRequest, pk: int, **where: Any) -> HttpResponseBase:
        tournament = model_admin.get_queryset(request).filter(pk=pk).first()
        if tournament is None:
            raise Http404("There is no such tournament, or it is not yours.")
        if not model_admin.has_change_permission(request):
            raise PermissionDenied
        try:
            return page(request, tournament, **where)
        except ProblemError as refused:
            messages.error(request, refused.detail)
            return back(request, tournament)

    return model_admin.admin_site.admin_view(view)

"""The pages of the admin on which a league's seasons are opened and found."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse

from games.admin import actor
from tournaments import selectors
from tournaments.desk.shared import Page
from tournaments.forms import SeasonForm
from tournaments.models import League
from tournaments.services import leagues
from tournaments.services.leagues import move_as_dict, named
from trix_site.common.errors import ProblemError


def urls(model_admin: "admin.ModelAdmin[League]") -> list[URLPattern]:
    """The pages of a ModelAdmin's leagues, with its permissions and its queryset."""
    return [
        path(f"<int:pk>/{at}", _guarded(model_admin, shown), name=f"league-{name}")
        for at, name, shown in (
            ("seasons/", "seasons", seasons),
            ("seasons/open/", "open-season", open_season),
        )
    ]


def _guarded(model_admin: "admin.ModelAdmin[League]", shown: Page) -> Page:
    def view(request: HttpRequest, pk: int) -> HttpResponseBase:
        league = model_admin.get_queryset(request).filter(pk=pk).first()
        if league is None:
            raise Http404("There is no such league, or it is not yours.")
        if not model_admin.has_change_permission(request, league):
            raise PermissionDenied
        return shown(request, league)

    return model_admin.admin_site.admin_view(view)


def _page(request: HttpRequest, league: League, template: str, **more: Any) -> HttpResponse:
    context = {**admin.site.each_context(request), "title": league.name, "league": league, **more}
    return render(request, f"tournaments/leagues/{template}.html", context)


def seasons(request: HttpRequest, league: League) -> HttpResponse:
    """The seasons, the newest first, with the way to each division's desk."""
    opened = [
        (season, selectors.divisions_of(season, request.user))
        for season in league.seasons.order_by("-number")
    ]
    return _page(request, league, "seasons", seasons=opened)


def open_season(request: HttpRequest, league: League) -> HttpResponse:
    """Ask for names, show who would play where and why, and open the season once that is confirmed."""
    form = SeasonForm(request.POST or None)
    plan = None
    if request.method == "POST" and form.is_valid():
        wanted: dict[str, Any] = {"slug": league.slug, "actor": actor(request), "players": form.players()}
        try:
            if "confirmed" in request.POST:
                season = leagues.open_season(**wanted)
                messages.success(request, f"Season {season.number} is open for registration.")
                return redirect(reverse("admin:league-seasons", args=[league.pk]))
            plan = leagues.plan_season(**wanted)
        except ProblemError as refused:
            form.add_error("names", refused.detail)
    moves = plan and [[move_as_dict(move) for move in division] for division in plan.divisions]
    left = plan and [(named(each.who), each.division, each.why) for each in plan.left]
    first = not league.seasons.exists()
    return _page(request, league, "open", form=form, plan=plan, moves=moves, left=left, first=first)

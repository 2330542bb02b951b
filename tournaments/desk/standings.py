"""Standings."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from tournaments.desk.shared import REFRESH_SECONDS, Page, page
from tournaments.desk.shown import standings_shown
from tournaments.models import Tournament
from tournaments.standings import METRIC_TITLES


def standings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    live = request.GET.get("live") == "1"
    return page(
        request,
        tournament,
        "standings",
        lines=standings_shown(tournament, live),
        metrics=[METRIC_TITLES[name] for name in tournament.metrics],
        live=live,
        csv=reverse("tournament-standings", args=[tournament.slug]) + "?format=csv",
        refresh=REFRESH_SECONDS if live else None,
    )


PAGES: dict[str, Page] = {"standings/": standings}

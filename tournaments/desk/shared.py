"""What all pages of the desk share."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse

from tournaments.models import Entry, Round, Tournament
from tournaments.organisers import rights_of

REFRESH_SECONDS = 10
TABS = 30  # the newest rounds have one; an arena may have thousands

Page = Callable[..., HttpResponseBase]


def page(request: HttpRequest, tournament: Tournament, template: str, **more: Any) -> HttpResponse:
    """Render a page of the desk, with the head that all share."""
    last = tournament.rounds.last()
    rights = rights_of(request.user, tournament)
    context = {
        **admin.site.each_context(request),
        "title": tournament.name,
        "tournament": tournament,
        "rounds": list(tournament.rounds.order_by("-number")[:TABS])[::-1],
        "active": tournament.entries.filter(state=Entry.State.ACTIVE).count(),
        "last": last,
        "tab": template,
        "may": {right.name.lower() for right in rights},
        **more,
    }
    return render(request, f"tournaments/desk/{template}.html", context)


def local(at: datetime | None, tournament: Tournament) -> str:
    """A moment on the clocks of the tournament's time zone, which it names."""
    return f"{at.astimezone(tournament.zone):%-d %B %Y, %H:%M} ({tournament.time_zone})" if at else ""


def to(tournament: Tournament, page: str, **where: Any) -> HttpResponseRedirect:
    return redirect(reverse(f"admin:desk-{page}", kwargs={"pk": tournament.pk, **where}))


def back(request: HttpRequest, tournament: Tournament) -> HttpResponseRedirect:
    """After a refusal: to the page that the form is on, else to the overview."""
    pages = ("players", "penalties")
    return to(tournament, next((name for name in pages if f"/{name}/" in request.path), "overview"))


def find_round(tournament: Tournament, number: int) -> Round:
    found = tournament.rounds.filter(number=number).first()
    if found is None:
        raise Http404
    return found

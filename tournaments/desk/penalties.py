"""Penalties and bonuses."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from games.admin import actor
from tournaments import selectors
from tournaments.desk.shared import Page, page, to
from tournaments.forms import PenaltyForm, ReasonForm
from tournaments.models import Tournament
from tournaments.services import penalties as service
from trix_site.common.errors import ProblemError

State = Tournament.State


def penalties(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = PenaltyForm(request.POST or None, initial={"name": request.GET.get("player", "")})
    if request.method == "POST" and form.is_valid():
        try:
            given = service.give(slug=tournament.slug, actor=actor(request), **form.cleaned_data)
        except ProblemError as refused:
            form.add_error(None, refused.detail)
        else:
            messages.success(request, f"{given} counts from now on.")
            return to(tournament, "penalties")
    return page(
        request,
        tournament,
        "penalties",
        form=form,
        penalties=selectors.penalties_of(tournament),
        open=tournament.state in (State.RUNNING, State.FINISHED),
    )


def revoke(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    form = ReasonForm(request.POST)
    if request.method == "POST" and form.is_valid():
        service.revoke(
            slug=tournament.slug, actor=actor(request), penalty=number, reason=form.cleaned_data["reason"]
        )
        messages.success(request, "It counts no more.")
    elif request.method == "POST":
        messages.error(request, "Say why it is to count no more.")
    return to(tournament, "penalties")


PAGES: dict[str, Page] = {"penalties/": penalties, "penalties/<int:number>/revoke/": revoke}

"""Who runs a tournament, by names."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from games.admin import actor
from tournaments.desk.shared import Page, page, to
from tournaments.forms import OfficialsForm
from tournaments.models import Tournament
from tournaments.organisers import RIGHTS, is_official
from tournaments.services import life
from trix_site.common.errors import ProblemError


def officials(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    named = life.officials(tournament, RIGHTS)
    form = OfficialsForm(request.POST or None, initial={role: "\n".join(named[role]) for role in RIGHTS})
    if request.method == "POST" and form.is_valid():
        try:
            life.name_officials(slug=tournament.slug, actor=actor(request), **form.cleaned_data)
        except ProblemError as refused:
            form.add_error(None, refused.detail)
        else:
            messages.success(request, "These run it from now on.")
            if not is_official(request.user, tournament):
                return redirect("admin:tournaments_tournament_changelist")
            return to(tournament, "officials")
    return page(request, tournament, "officials", form=form)


PAGES: dict[str, Page] = {"officials/": officials}

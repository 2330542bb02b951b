"""A whole tournament as a file: downloaded at its desk, uploaded at the list of tournaments."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from games.admin import actor
from tournaments.desk.shared import Page
from tournaments.forms import ImportForm
from tournaments.models import Tournament
from tournaments.services.exports import download
from tournaments.services.imports import import_tournament
from trix_site.common.errors import ProblemError


def export(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    return download(slug=tournament.slug, actor=actor(request))


def import_file(request: HttpRequest) -> HttpResponse:
    """The form that makes a tournament out of a file."""
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = import_tournament(form.cleaned_data["file"], actor=actor(request), **form.options())
        except ProblemError as refused:
            form.add_error(None, refused.detail)
            _tell_more(form, refused)
        else:
            messages.success(request, f"{made.name} is imported.")
            return redirect(reverse("admin:desk-overview", args=[made.pk]))
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": "Import a tournament",
        "form": form,
    }
    return render(request, "tournaments/import.html", context)


def _tell_more(form: ImportForm, refused: ProblemError) -> None:
    """The other places that do not fit, and all the names that are missing."""
    problems: Any = refused.members.get("problems", [])
    for problem in problems[1:]:
        form.add_error(None, f"{problem['path']} {problem['wanted']}.")
    names: Any = refused.members.get("names", [])
    if names:
        form.add_error("players", "\n".join(names))


PAGES: dict[str, Page] = {"export/": export}

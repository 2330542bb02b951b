"""A round: its tables, page by page, and its draw edited by hand."""

import re
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from games.admin import actor
from tournaments import selectors
from tournaments.desk.shared import REFRESH_SECONDS, Page, find_round, page, to
from tournaments.desk.shown import edit_shown, reports_shown, tables_page
from tournaments.desk.steps import next_steps, number_of_round
from tournaments.models import Round, Tournament
from tournaments.services import edits
from tournaments.services.edits import Place
from trix_site.common.errors import BadRequest, ProblemError

TABLES = 60  # a page


def round(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    round_ = find_round(tournament, number)
    waiting = selectors.unfinished_tables(round_)
    playing = round_.state == Round.State.PUBLISHED
    newest = round_ == tournament.rounds.last()
    pages, tables = tables_page(round_, _page_wanted(request), TABLES)
    return page(
        request,
        tournament,
        "round",
        round=round_,
        pages=pages,
        tables=tables,
        editable=round_.state == Round.State.DRAWN,
        byes=round_.byes.select_related("entry__player", "entry__partner"),
        reports=reports_shown(round_),
        steps=[step for step in next_steps(tournament, round_, waiting) if step.of_round] if newest else [],
        refresh=REFRESH_SECONDS if playing and waiting else None,
    )


def _page_wanted(request: HttpRequest) -> int | str | None:
    """The page asked for, or that of a table."""
    table = number_of_round(request.GET.get("table", ""))
    return (table - 1) // TABLES + 1 if table else request.GET.get("page")


def swap(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show what a swap of two places would cost, and once that is confirmed make it."""
    round_ = find_round(tournament, number)
    if request.method != "POST":
        return to(tournament, "round", number=number)
    confirmed = "confirmed" in request.POST
    asked = {name: request.POST.get(name, "").strip() for name in ("first", "second", "version")}
    for name in ("first", "second"):
        asked[name] = request.POST.get(f"{name}_text", "").strip() or asked[name]
    try:
        edit = edits.swap(
            slug=tournament.slug,
            number=number,
            actor=actor(request),
            first=place(asked["first"]),
            second=place(asked["second"]),
            version=number_of_round(asked["version"]),
            preview=not confirmed,
        )
    except ProblemError as refused:
        return page(request, tournament, "swap", round=round_, refused=refused.detail)
    if confirmed:
        messages.success(request, f"Swapped. {'; '.join(edit.moved)}.")
        return to_table(tournament, number, place(asked["first"]).table)
    lines = edit_shown(edit)
    return page(request, tournament, "swap", round=round_, asked=asked, moved=edit.moved, lines=lines)


def to_table(tournament: Tournament, number: int, table: int) -> HttpResponseRedirect:
    """To the page of a round that shows the table; 0: to its first."""
    where = reverse("admin:desk-round", kwargs={"pk": tournament.pk, "number": number})
    return HttpResponseRedirect(f"{where}?{urlencode({'table': table})}" if table else where)


def place(text: str) -> Place:
    """A seat as in `12E`, or `bye amal`. Raises BadRequest."""
    if found := re.fullmatch(r"([0-9]{1,9}) *([SENWsenw])", text):
        return Place(int(found[1]), found[2].upper())
    if text.lower().startswith("bye "):
        return Place(bye=text[4:].strip())
    raise BadRequest("invalid", f"{text[:30]!r} is no place: name table and seat as 12E, or bye amal.")


PAGES: dict[str, Page] = {
    "rounds/<int:number>/": round,
    "rounds/<int:number>/swap/": swap,
}

"""A table: its result, entered, imported, annulled or played again, and who sits there."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from games.admin import actor
from games.models import Match
from tournaments import selectors
from tournaments.desk.rounds import to_table
from tournaments.desk.shared import Page, find_round, page, to
from tournaments.desk.shown import show
from tournaments.forms import RecordForm, ResultForm
from tournaments.models import Round, Table, Tournament
from tournaments.services import results, seats
from trix_site.common.errors import ProblemError


def result(request: HttpRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    found = find_table(tournament, number, table)
    form = ResultForm(request.POST or None, table=found)
    if request.method == "POST" and form.is_valid() and _entered(request, found, form, results.enter_result):
        messages.success(request, f"The result of table {table} is entered.")
        return to_table(tournament, number, table)
    return _page(request, tournament, found, form=form)


def record(request: HttpRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    found = find_table(tournament, number, table)
    form = RecordForm(request.POST or None, request.FILES or None)
    if request.method != "POST":
        return to(tournament, "result", number=number, table=table)
    if form.is_valid() and _entered(request, found, form, results.import_record):
        messages.success(request, f"The record of table {table} was played through and counts.")
        return to_table(tournament, number, table)
    return _page(request, tournament, found, record_form=form)


def _entered(
    request: HttpRequest, table: Table, form: ResultForm | RecordForm, service: Callable[..., object]
) -> bool:
    """Whether what a form says was done; why not stands on the form."""
    try:
        service(**_where(table), actor=actor(request), **form.arguments())
    except ProblemError as refused:
        form.add_error(None, refused.detail)
        return False
    return True


def _page(request: HttpRequest, tournament: Tournament, table: Table, **forms: Form) -> HttpResponse:
    counting = table.counting[0] if table.counting else None  # type: ignore[attr-defined]
    shown = {
        "form": ResultForm(None, table=table),
        "record_form": RecordForm(initial={"replaces": counting and counting.pk}),
        **forms,
    }
    history = table.results.select_related("entered_by", "match").order_by("-pk")
    full = not any(seat.is_empty for seat in table.seats.all())
    running = tournament.state == Tournament.State.RUNNING
    return page(
        request,
        tournament,
        "result",
        round=table.round,
        table=show(table),
        history=history,
        full=full,
        can_replay=full and running,
        **shown,
    )


CORRECTIONS = {
    "annul": (
        results.annul,
        "Annul",
        "It gives nobody anything, and its match stops if it is still played. What counted stays in the"
        " history, and a later correction can let it count again.",
    ),
    "replay": (
        results.replay_table,
        "Replay",
        "A new match starts for those who sit there, with new cards. The one before stops, if it is still"
        " played, and what counted does no more. This cannot be taken back.",
    ),
}


def correct(request: HttpRequest, tournament: Tournament, number: int, table: int, how: str) -> HttpResponse:
    """Annul a table or have it play again, once that is confirmed."""
    if how not in CORRECTIONS:
        raise Http404
    service, label, consequence = CORRECTIONS[how]
    found = find_table(tournament, number, table)
    where = {"number": number, "table": table}
    if request.method != "POST":
        return to(tournament, "result", **where)
    reason, replaces = request.POST.get("reason", ""), request.POST.get("replaces", "")
    if "confirmed" not in request.POST:
        return page(
            request,
            tournament,
            "confirm",
            question=f"{label} table {table} of round {number}: {reason}?",
            consequence=consequence,
            values={"reason": reason, "replaces": replaces},
            label=label,
            danger=True,
            back=reverse("admin:desk-result", kwargs={"pk": tournament.pk, **where}),
        )
    seen = int(replaces) if replaces.isascii() and replaces.isdecimal() and len(replaces) < 19 else None
    return _done(
        request,
        found,
        "result",
        lambda: service(**_where(found), actor=actor(request), reason=reason, replaces=seen),
        f"Table {table} is annulled." if how == "annul" else f"Table {table} plays again.",
    )


def at_table(request: HttpRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """Who sits there: substitutes, and players who did not come."""
    found = find_table(tournament, number, table)
    if request.method == "POST":
        return _change_seat(request, found)
    over = found.match is not None and found.match.status != Match.Status.RUNNING
    over = over or bool(found.counting)  # type: ignore[attr-defined]
    return page(
        request,
        tournament,
        "at_table",
        round=found.round,
        table=show(found),
        seats=[seat for seat in found.seats.all() if seat.entry],
        open=tournament.state == Tournament.State.RUNNING and not over,
        playing=found.match is not None and not over,
    )


def _change_seat(request: HttpRequest, table: Table) -> HttpResponse:
    where = {**_where(table), "seat": request.POST.get("seat", ""), "actor": actor(request)}
    name = request.POST.get("name", "").strip()
    if "no_show" in request.POST:
        return _done(
            request, table, "at_table", lambda: seats.mark_no_show(**where), "A bot plays there now."
        )
    back = "back" in request.POST
    if not (name or back):
        messages.error(request, "Name who sits down.")
        return to(table.round.tournament, "at_table", number=table.round.number, table=table.number)
    done = "The seat is given back." if back else f"{name} sits there now."
    return _done(
        request, table, "at_table", lambda: seats.substitute(**where, name=None if back else name), done
    )


def _done(request: HttpRequest, table: Table, at: str, call: Callable[[], object], done: str) -> HttpResponse:
    """Do it, say so, and go to this page of the table."""
    try:
        call()
    except ProblemError as refused:
        messages.error(request, refused.detail)
    else:
        messages.success(request, done)
    return to(table.round.tournament, at, number=table.round.number, table=table.number)


def find_table(tournament: Tournament, number: int, table: int) -> Table:
    """The table with all that pages show of it."""
    found = selectors.tables_of(find_round(tournament, number)).filter(number=table).first()
    if found is None:
        raise Http404
    return found


def _where(table: Table) -> dict[str, Any]:
    round_: Round = table.round
    return {"slug": round_.tournament.slug, "number": round_.number, "table_number": table.number}


PAGES: dict[str, Page] = {
    "rounds/<int:number>/tables/<int:table>/": result,
    "rounds/<int:number>/tables/<int:table>/record/": record,
    "rounds/<int:number>/tables/<int:table>/seats/": at_table,
    "rounds/<int:number>/tables/<int:table>/<slug:how>/": correct,
}

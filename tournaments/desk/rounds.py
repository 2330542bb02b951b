"""A round, its tables and their results."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse

from tournaments import selectors
from tournaments.desk.shared import REFRESH_SECONDS, Page, actor, find_round, page, to
from tournaments.desk.shown import report_shown, show, tables_shown
from tournaments.desk.steps import next_steps
from tournaments.forms import ResultForm
from tournaments.models import Round, Tournament
from tournaments.services import results
from trix_site.common.errors import ProblemError


def round(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    round_ = find_round(tournament, number)
    waiting = selectors.unfinished_tables(round_)
    playing = round_.state == Round.State.PUBLISHED
    newest = round_ == tournament.rounds.last()
    return page(
        request,
        tournament,
        "round",
        round=round_,
        tables=tables_shown(round_),
        report=report_shown(round_),
        steps=[step for step in next_steps(tournament, round_, waiting) if step.of_round] if newest else [],
        refresh=REFRESH_SECONDS if playing and waiting else None,
    )


def result(request: HttpRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    round_ = find_round(tournament, number)
    found = selectors.tables_of(round_).filter(number=table).first()
    if found is None:
        raise Http404
    form = ResultForm(request.POST or None, table=found)
    if request.method == "POST" and form.is_valid():
        try:
            results.enter_result(
                slug=tournament.slug,
                number=number,
                table_number=table,
                actor=actor(request),
                **form.result(),
            )
        except ProblemError as refused:
            form.add_error(None, refused.detail)
        else:
            messages.success(request, f"The result of table {table} is entered.")
            return to(tournament, "round", number=number)
    history = found.results.select_related("entered_by").order_by("-pk")
    return page(request, tournament, "result", round=round_, table=show(found), form=form, history=history)


PAGES: dict[str, Page] = {
    "rounds/<int:number>/": round,
    "rounds/<int:number>/tables/<int:table>/": result,
}

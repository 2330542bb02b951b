"""Many entries from a CSV file: pasted or uploaded, looked at, and then entered."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from games.admin import actor
from tournaments.desk.shared import Page, page, to
from tournaments.forms import FileForm
from tournaments.models import Tournament
from tournaments.services import bulk
from trix_site.common.errors import ProblemError

SHOWN_LINES = 200


def file(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A form; then what the file would do, with the form again if anything is wrong; then it is done."""
    form = FileForm(request.POST or None, request.FILES or None)
    found = None
    if request.method == "POST" and form.is_valid():
        try:
            text = form.cleaned_data["text"]
            if "confirmed" in request.POST:
                made = bulk.enter_csv(slug=tournament.slug, actor=actor(request), text=text)
                messages.success(request, f"Entered: {len(made)}.")
                return to(tournament, "players")
            found = bulk.preview(tournament, actor(request), text)
            form = FileForm(initial={"text": text})
        except ProblemError as refused:
            form.add_error(None, refused.detail)
    bad = found.bad[:SHOWN_LINES] if found else ()
    return page(
        request,
        tournament,
        "file",
        form=form,
        found=found,
        bad=bad,
        more=len(found.bad) - len(bad) if found else 0,
    )


PAGES: dict[str, Page] = {"players/file/": file}

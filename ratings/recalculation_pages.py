"""Pages of the admin that recalculate ratings: matches annulled, other parameters, and what came of it.

For those who may add a recalculation; all staff may look at what was done.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminTextInputWidget,
)

from games.admin import actor
from ratings import recalculations, selectors
from ratings.models import LedgerMatch, Pool, Recalculation, Revision, shown, signed
from trix_site.common.errors import ProblemError

MAY = "ratings.add_recalculation"
LONGEST_NOTE = Recalculation._meta.get_field("note").max_length
MOST_MATCHES = 500
MOST_MOVES = 200
PRIVATE = "private"
Cause = Recalculation.Cause
State = Recalculation.State


class NoteForm(forms.Form):
    note = forms.CharField(
        label="Why",
        max_length=LONGEST_NOTE,
        widget=UnfoldAdminTextInputWidget,
        help_text="Everyone whose rating moves can read it.",
    )


class ParametersForm(forms.ModelForm):
    note = forms.CharField(
        label="Why",
        max_length=LONGEST_NOTE,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text="Everyone whose rating moves can read it.",
    )

    class Meta:
        model = Pool
        fields = Pool.PARAMETERS
        widgets = {
            **dict.fromkeys(Pool.PARAMETERS[:3], UnfoldAdminDecimalFieldWidget),
            **dict.fromkeys(Pool.PARAMETERS[3:], UnfoldAdminIntegerFieldWidget),
        }


def urls() -> list[URLPattern]:
    """The pages, by name: `rating-annul`, `rating-restore`, `rating-parameters`, `recalculation`."""
    return [
        path("annul/", _page(_annul, Cause.ANNULMENT), name="rating-annul"),
        path("restore/", _page(_annul, Cause.RESTORATION), name="rating-restore"),
        path("pool/<int:pk>/", _page(_parameters), name="rating-parameters"),
        path("<int:pk>/", admin.site.admin_view(_recalculation), name="recalculation"),
    ]


def may_recalculate(request: HttpRequest) -> bool:
    return request.user.has_perm(MAY)


def _page(view: Callable[..., HttpResponse], *args: Any) -> Any:
    """A view of the admin for those who may recalculate."""

    def guarded(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if not may_recalculate(request):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return admin.site.admin_view(guarded)


def address(recalculation: Recalculation) -> str:
    return reverse("admin:recalculation", args=[recalculation.pk])


def address_for(cause: Cause, entries: Sequence[LedgerMatch]) -> str:
    """The page that asks why these matches are to be annulled, or restored."""
    name = "admin:rating-annul" if cause == Cause.ANNULMENT else "admin:rating-restore"
    query = QueryDict(mutable=True)
    query.setlist("match", [str(entry.sequence) for entry in entries])
    return f"{reverse(name)}?{query.urlencode()}"


def _annul(request: HttpRequest, cause: Cause) -> HttpResponse:
    entries = _chosen(request)
    form = NoteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        act = recalculations.annul if cause == Cause.ANNULMENT else recalculations.restore
        try:
            asked = act(entries, actor(request), form.cleaned_data["note"])
        except ProblemError as refused:
            form.add_error(None, refused.detail)
        else:
            return HttpResponseRedirect(address(asked))
    verb = "Annul" if cause == Cause.ANNULMENT else "Restore"
    context = {
        "title": f"{verb} {_counted(len(entries), 'match')}",
        "verb": verb,
        "annulling": cause == Cause.ANNULMENT,
        "form": form,
        "matches": _matches_table(entries, request),
    }
    return render(request, "ratings/admin/annul.html", admin.site.each_context(request) | context)


def _chosen(request: HttpRequest) -> list[LedgerMatch]:
    """The matches that the address names by their numbers in the ledger."""
    numbers = request.GET.getlist("match")
    if (
        not numbers
        or len(numbers) > MOST_MATCHES
        or not all(each.isascii() and each.isdigit() for each in numbers)
    ):
        raise Http404(f"Choose 1 to {MOST_MATCHES} matches in the list of the ledger.")
    found = LedgerMatch.objects.filter(sequence__in=[int(each) for each in numbers if len(each) < 10])
    entries = list(selectors.with_codes(found, request.user).select_related("match"))
    if len(entries) != len(set(numbers)):
        raise Http404("The ledger has no such match.")
    return entries


def _matches_table(entries: Sequence[Any], request: HttpRequest) -> dict[str, Any]:
    rows = []
    for entry in entries:
        changes = entry.match.rating_changes.select_related("player").order_by("pool", "place")
        names = [format_html("<bdi>{}</bdi> {}", row.player.username, signed(row.change)) for row in changes]
        rows.append([entry.sequence, entry.code or PRIVATE, _joined(names) or entry.get_reason_display()])
    return {"headers": ["Number", "Match", "Changes"], "rows": rows}


def _joined(parts: Sequence[str]) -> str:
    return format_html(", ".join(["{}"] * len(parts)), *parts) if parts else ""


def _parameters(request: HttpRequest, pk: int) -> HttpResponse:
    pool = get_object_or_404(Pool, pk=pk)
    form = ParametersForm(request.POST or None, instance=Pool.objects.get(pk=pk))
    if request.method == "POST" and form.is_valid():
        values = {name: form.cleaned_data[name] for name in Pool.PARAMETERS}
        try:
            asked = recalculations.preview(pool, values, actor(request), form.cleaned_data["note"])
        except ProblemError as refused:
            form.add_error(None, refused.detail)
        else:
            return HttpResponseRedirect(address(asked))
    context = {"title": f"Parameters of {pool.name}", "form": form, "pool": pool}
    return render(request, "ratings/admin/parameters.html", admin.site.each_context(request) | context)


def _recalculation(request: HttpRequest, pk: int) -> HttpResponse:
    asked = get_object_or_404(Recalculation.objects.select_related("pool", "asked_by"), pk=pk)
    if request.method == "POST":
        return _decide(request, asked)
    moves = _furthest(asked)
    context = {
        "title": asked.get_cause_display(),
        "asked": asked,
        "may": may_recalculate(request),
        "open": asked.state in (State.ASKED, State.WAITING),
        "matches": _matches_of(asked, request),
        "parameters": _parameters_table(asked),
        "moves": _moves_table(moves),
        "shown": len(moves),
    }
    return render(request, "ratings/admin/recalculation.html", admin.site.each_context(request) | context)


def _decide(request: HttpRequest, asked: Recalculation) -> HttpResponse:
    if not may_recalculate(request):
        raise PermissionDenied
    act = recalculations.confirm if "confirm" in request.POST else recalculations.drop
    try:
        act(asked.pk)
    except ProblemError as refused:
        messages.error(request, refused.detail)
    return HttpResponseRedirect(request.path)


def _furthest(asked: Recalculation) -> list[Revision]:
    """Who moved most, or would."""
    moves = asked.revisions.select_related("player", "pool")
    return sorted(moves, key=lambda move: (-abs(move.change), move.player.username))[:MOST_MOVES]


def _matches_of(asked: Recalculation, request: HttpRequest) -> dict[str, Any] | None:
    entries = list(selectors.with_codes(asked.matches.all(), request.user)[:MOST_MATCHES])
    if not entries:
        return None
    rows = [[entry.sequence, entry.code or PRIVATE, entry.get_reason_display()] for entry in entries]
    return {"headers": ["Number", "Match", "Now"], "rows": rows}


def _parameters_table(asked: Recalculation) -> dict[str, Any] | None:
    if not asked.parameters:
        return None
    rows = [
        [Pool._meta.get_field(name).verbose_name.capitalize(), _plain(asked.was[name]), _plain(value)]  # type: ignore[union-attr]
        for name, value in asked.parameters.items()
    ]
    return {"headers": ["Parameter", "Before", "After"], "rows": rows}


def _plain(value: float) -> str:
    return f"{value:g}"


def _moves_table(moves: Sequence[Revision]) -> dict[str, Any]:
    rows = [
        [
            format_html("<bdi>{}</bdi>", move.player.username),
            move.pool.name,
            _rating(move.before),
            _rating(move.after),
            signed(move.change),
            move.matches,
        ]
        for move in moves
    ]
    return {"headers": ["Player", "Pool", "Before", "After", "Change", "Matches"], "rows": rows}


def _rating(value: float | None) -> str:
    return "–" if value is None else shown(value)


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}es"

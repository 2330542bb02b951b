"""Who takes part: the list, and what is done with one entry."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from games.admin import actor
from games.models import Player
from tournaments import selectors
from tournaments.desk.shared import Page, page, to
from tournaments.forms import SEPARATORS, EntryForm, NamesForm, ReasonForm, SeedForm
from tournaments.models import Entry, Tournament
from tournaments.services import check_in as checking
from tournaments.services import entries, life
from trix_site.common.errors import ProblemError

State = Tournament.State
FOUND_PLAYERS = 12
PLAYERS_PAGE = 50
NAMED = 10
ABSENT = "absent"  # No state of an entry: active or waiting, and not checked in.


def players(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = NamesForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            names = SEPARATORS.split(form.cleaned_data["names"])
            made = entries.enter_many(slug=tournament.slug, actor=actor(request), names=names)
        except ProblemError as refused:
            form.add_error("names", refused.detail)
        else:
            messages.success(request, f"Entered: {_named(made) or 'nobody new'}.")
            return _to_list(request, tournament)
    query = request.GET.get("q", "").replace("\0", "").strip()
    state = request.GET.get("state", "")
    return page(
        request,
        tournament,
        "players",
        form=form,
        one=EntryForm(tournament),
        query=query,
        state=state,
        found=find(query, tournament) if query else None,
        entries=Paginator(listed(tournament, query, state), PLAYERS_PAGE).get_page(request.GET.get("page")),
        filters=filters(tournament),
        at=request.GET.urlencode(),
        open=tournament.state in Tournament.NOT_OVER,
        before_start=tournament.state in Tournament.BEFORE_START,
        checking_in=tournament.state == State.REGISTRATION and tournament.check_in_at is not None,
        by_code=tournament.visibility == Tournament.Visibility.CODE,
    )


def listed(tournament: Tournament, query: str, state: str) -> QuerySet[Entry]:
    """The entries whose name holds the text, in a state (empty: in any)."""
    if state == ABSENT:
        rows = selectors.entries_by_name(tournament).filter(state__in=entries.PLACED, checked_in_at=None)
    else:
        rows = selectors.entries_in(tournament, state or None)
    named = Q(player__username__icontains=query) | Q(partner__username__icontains=query)
    return rows.filter(named) if query else rows


def filters(tournament: Tournament) -> list[tuple[str, str, int]]:
    """What the list can be narrowed to: value, label and how many."""
    counts = dict(tournament.entries.order_by().values_list("state").annotate(Count("pk")))
    shown = [("", "All", sum(counts.values()))]
    shown += [(state.value, state.label, counts[state]) for state in Entry.State if counts.get(state)]
    if tournament.state == State.REGISTRATION and tournament.check_in_at is not None:
        shown.append((ABSENT, "Not checked in", listed(tournament, "", ABSENT).count()))
    return shown


def find(query: str, tournament: Tournament) -> QuerySet[Player]:
    """Accounts whose name holds the text and who are not in yet."""
    placed = tournament.entries.filter(state__in=entries.PLACED)
    entered = placed.values("player_id").union(placed.filter(partner__isnull=False).values("partner_id"))
    named = Player.objects.filter(username__icontains=query, is_active=True).exclude(pk__in=entered)
    return named.order_by("username")[:FOUND_PLAYERS]


def enter(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = EntryForm(tournament, request.POST)
    if request.method == "POST" and form.is_valid():
        made = entries.enter(slug=tournament.slug, actor=actor(request), **form.cleaned_data)
        messages.success(request, f"{made.name}: {made.get_state_display().lower()}.")
    elif request.method == "POST":
        messages.error(request, "; ".join(f"{name}: {found[0]}" for name, found in form.errors.items()))
    return _to_list(request, tournament)


def withdraw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    name = request.POST.get("name", "")
    if request.method == "POST" and "confirmed" in request.POST:
        gone = entries.withdraw(slug=tournament.slug, actor=actor(request), name=name)
        messages.success(request, f"{gone.name} has withdrawn.")
    elif request.method == "POST":
        return page(
            request,
            tournament,
            "confirm",
            question=f"Withdraw {name}?",
            consequence="Results stay and are ranked; a bot plays on at a running table.",
            values={"name": name, "at": request.POST.get("at", "")},
            label="Withdraw",
            danger=True,
            back=reverse("admin:desk-players", args=[tournament.pk]),
        )
    return _to_list(request, tournament)


def admit(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _take(request, tournament, entries.admit, "has a place")


def check_in(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _take(request, tournament, checking.check_in, "has checked in")


def code(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    if request.method == "POST":
        life.renew_code(slug=tournament.slug, actor=actor(request))
        messages.success(request, "There is a new code; the old one is good for nothing.")
    return _to_list(request, tournament)


def entry(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """One entry: its seed rating and partner before the start, and its disqualification."""
    found = selectors.entries_by_name(tournament).filter(pk=number).first()
    if found is None:
        raise Http404
    changing = request.method == "POST" and "change" in request.POST
    judging = request.method == "POST" and "disqualify" in request.POST
    seed = SeedForm(tournament, request.POST if changing else None, initial=_initial(found))
    reason = ReasonForm(request.POST if judging else None)
    form, service, done = (
        (seed, entries.change_entry, "changed") if changing else (reason, entries.disqualify, "disqualified")
    )
    if (changing or judging) and form.is_valid():
        try:
            service(
                slug=tournament.slug, actor=actor(request), name=found.player.username, **form.cleaned_data
            )
        except ProblemError as refused:
            form.add_error(None, refused.detail)
        else:
            messages.success(request, f"{found.name} is {done}.")
            return to(tournament, "entry", number=number)
    return page(
        request,
        tournament,
        "entry",
        entry=found,
        seed=seed,
        reason=reason,
        penalties=selectors.penalties_of(tournament).filter(entry=found),
        open=tournament.state in Tournament.NOT_OVER,
        before_start=tournament.state in Tournament.BEFORE_START,
    )


def _initial(entry: Entry) -> dict[str, Any]:
    return {"seed_rating": entry.seed_rating, "partner": entry.partner and entry.partner.username}


def _take(
    request: HttpRequest, tournament: Tournament, service: Callable[..., Entry], done: str
) -> HttpResponse:
    if request.method == "POST":
        entry = service(slug=tournament.slug, actor=actor(request), name=request.POST.get("name", ""))
        messages.success(request, f"{entry.name} {done}.")
    return _to_list(request, tournament)


def _to_list(request: HttpRequest, tournament: Tournament) -> HttpResponseRedirect:
    """Back to the part of the list that the organiser came from."""
    target = to(tournament, "players")
    at = re.sub(r"[^\w=&%+.@-]", "", request.POST.get("at", ""), flags=re.ASCII)
    return HttpResponseRedirect(f"{target.url}?{at}" if at else target.url)


def _named(made: Sequence[Entry]) -> str:
    more = f" and {len(made) - NAMED} more" if len(made) > NAMED else ""
    return ", ".join(map(str, made[:NAMED])) + more


PAGES: dict[str, Page] = {
    "players/": players,
    "players/enter/": enter,
    "players/withdraw/": withdraw,
    "players/admit/": admit,
    "players/check-in/": check_in,
    "players/code/": code,
    "players/<int:number>/": entry,
}

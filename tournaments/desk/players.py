"""Who takes part."""

import re

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from games.models import Player
from tournaments import selectors
from tournaments.desk.shared import Page, actor, page, to
from tournaments.forms import NamesForm
from tournaments.models import Entry, Tournament
from tournaments.services import entries
from trix_site.common.errors import ProblemError

State = Tournament.State
FOUND_PLAYERS = 12


def players(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = NamesForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            names = re.split(r"[\s,;،؛]+", form.cleaned_data["names"])
            made = entries.enter_many(slug=tournament.slug, actor=actor(request), names=names)
        except ProblemError as refused:
            form.add_error("names", refused.detail)
        else:
            messages.success(request, f"Entered: {', '.join(map(str, made)) or 'nobody new'}.")
            return to(tournament, "players")
    query = request.GET.get("q", "").replace("\0", "").strip()
    listed = selectors.entries_by_name(tournament)
    return page(
        request,
        tournament,
        "players",
        form=form,
        query=query,
        found=find(query, tournament) if query else None,
        entries=listed,
        open=tournament.state in (State.DRAFT, State.REGISTRATION, State.RUNNING),
    )


def withdraw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    name = request.POST.get("name", "")
    if request.method == "POST" and "confirmed" in request.POST:
        entries.withdraw(slug=tournament.slug, actor=actor(request), name=name)
        messages.success(request, f"{name} has withdrawn.")
    elif request.method == "POST":
        return page(
            request,
            tournament,
            "confirm",
            question=f"Withdraw {name}?",
            consequence="Results stay and are ranked; a bot plays on at a running table.",
            values={"name": name},
            label="Withdraw",
            danger=True,
            back=reverse("admin:desk-players", args=[tournament.pk]),
        )
    return to(tournament, "players")


def find(query: str, tournament: Tournament) -> QuerySet[Player]:
    """Accounts whose name holds the text and who are not in yet."""
    entered = tournament.entries.filter(state=Entry.State.ACTIVE).values("player_id")
    named = Player.objects.filter(username__icontains=query, is_active=True).exclude(pk__in=entered)
    return named.order_by("username")[:FOUND_PLAYERS]


PAGES: dict[str, Page] = {"players/": players, "players/withdraw/": withdraw}

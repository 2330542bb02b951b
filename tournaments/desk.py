"""The organiser's desk: the pages of the admin on which a league is run, from registration to the end.

Every change is a POST that calls one service; a refusal comes back as a message, and nothing changed.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse

from games.models import Match, Player
from ratings.models import Rating, shown
from tournaments import selectors
from tournaments.forms import NamesForm, ResultForm
from tournaments.models import Entry, Round, Table, TableSeat, Tournament
from tournaments.services import entries, life, results, rounds
from tournaments.standings import METRIC_TITLES, as_number
from trix_site.common.errors import ProblemError

State = Tournament.State
FOUND_PLAYERS = 12
LOG_PAGE = 50
REFRESH_SECONDS = 10


@dataclass(frozen=True)
class Step:
    """One thing that an organiser can do next. `confirm` is what he is asked before."""

    key: str
    label: str
    done: str
    service: Callable[..., object]
    confirm: str = ""
    danger: bool = False
    of_round: bool = False


STEPS = {
    step.key: step
    for step in (
        Step("open", "Open registration", "Registration is open.", life.open_registration),
        Step(
            "start",
            "Start the tournament",
            "The tournament runs; draw its first round.",
            life.start,
            "Registration closes. From now on only organisers can enter players.",
        ),
        Step("draw", "Draw the next round", "Drawn. Look at the tables, then publish.", rounds.draw_round),
        Step(
            "publish",
            "Publish and start the tables",
            "Published: the matches of all tables have started.",
            rounds.publish_round,
            "Everyone sees the draw and all tables start to play. It cannot be dropped any more.",
            of_round=True,
        ),
        Step(
            "drop",
            "Drop this draw",
            "The draw was dropped. The next one will be another.",
            rounds.drop_draw,
            "The draw is forgotten; the next one will be another.",
            danger=True,
            of_round=True,
        ),
        Step(
            "close",
            "Close the round",
            "The round is closed and counts.",
            rounds.close_round,
            "Its results count in the standings from now on. They can still be corrected.",
            of_round=True,
        ),
        Step(
            "finish",
            "Finish the tournament",
            "The tournament is finished.",
            life.finish,
            "The standings become final. Results can still be corrected.",
        ),
        Step(
            "cancel",
            "Cancel the tournament",
            "The tournament is cancelled.",
            life.cancel,
            "All tables stop. What was played stays to be read. This cannot be taken back.",
            danger=True,
        ),
    )
}


def next_steps(tournament: Tournament, last: Round | None, waiting: Sequence[int]) -> list[Step]:
    """What makes sense now, the most likely first; `waiting` are the tables without a result."""
    keys: Sequence[str] = ()
    match tournament.state:
        case State.DRAFT:
            keys = ("open", "cancel")
        case State.REGISTRATION:
            keys = ("start", "cancel")
        case State.RUNNING if last and last.state == Round.State.DRAWN:
            keys = ("publish", "drop")
        case State.RUNNING if last and last.state == Round.State.PUBLISHED:
            keys = ("cancel",) if waiting else ("close", "cancel")
        case State.RUNNING if last and last.number >= tournament.rounds_planned:
            keys = ("finish", "cancel")
        case State.RUNNING:
            keys = ("draw", "finish", "cancel") if last else ("draw", "cancel")
    return [STEPS[key] for key in keys]


def advice(tournament: Tournament, last: Round | None, waiting: Sequence[int]) -> str:
    """One sentence on where the tournament is and what comes next."""
    match tournament.state:
        case State.DRAFT:
            return "Only you see this draft. Check the settings, enter players if you like, then open it."
        case State.REGISTRATION:
            return "Players can enter. Start when everyone is in; bots fill the tables up to four."
        case State.FINISHED:
            return "The tournament is over; the standings are final."
        case State.CANCELLED:
            return "The tournament was cancelled."
    if last is None:
        return "Everyone is in. Draw the first round."
    if last.state == Round.State.DRAWN:
        return f"Round {last.number} is drawn and nobody else sees it yet. Look at the tables, then publish."
    if last.state == Round.State.CLOSED:
        left = tournament.rounds_planned - last.number
        return f"Round {last.number} is closed. " + (
            f"{left} more to play." if left else "All rounds are played: finish."
        )
    if waiting and tournament.automatic:
        return f"Round {last.number} is being played. The next rounds come by themselves."
    if waiting:
        return f"Round {last.number} is being played; it can be closed once {_have_results(waiting)}."
    return f"All tables of round {last.number} have a result: close it."


def _have_results(tables: Sequence[int]) -> str:
    *most, last = map(str, tables)
    return f"tables {', '.join(most)} and {last} have results" if most else f"table {last} has a result"


class Desk:
    """The pages of one ModelAdmin's tournaments, with its permissions and its queryset."""

    def __init__(self, model_admin: "admin.ModelAdmin[Tournament]") -> None:
        self.admin = model_admin

    def urls(self) -> list[URLPattern]:
        pages: dict[str, Callable[..., HttpResponse]] = {
            "desk/": self.overview,
            "desk/players/": self.players,
            "desk/players/withdraw/": self.withdraw,
            "desk/standings/": self.standings,
            "desk/log/": self.log,
            "desk/rounds/<int:number>/": self.round,
            "desk/rounds/<int:number>/tables/<int:table>/": self.result,
            "desk/step/<slug:key>/": self.step,
        }
        return [
            path(f"<int:pk>/{at}", self._guarded(page), name=f"desk-{page.__name__}")
            for at, page in pages.items()
        ]

    def _guarded(self, page: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        """The page for staff who may see the tournament; refusals of services become messages."""

        def view(request: HttpRequest, pk: int, **where: Any) -> HttpResponse:
            tournament = self.admin.get_queryset(request).filter(pk=pk).first()
            if tournament is None:
                raise Http404("There is no such tournament, or it is not yours.")
            if not self.admin.has_change_permission(request, tournament):
                raise PermissionDenied
            try:
                return page(request, tournament, **where)
            except ProblemError as refused:
                messages.error(request, refused.detail)
                return back(request, tournament)

        return self.admin.admin_site.admin_view(view)

    def page(self, request: HttpRequest, tournament: Tournament, template: str, **more: Any) -> HttpResponse:
        """Render a page of the desk, with the head that all share."""
        last = tournament.rounds.last()
        context = {
            **self.admin.admin_site.each_context(request),
            "title": tournament.name,
            "tournament": tournament,
            "rounds": list(tournament.rounds.all()),
            "active": tournament.entries.filter(state=Entry.State.ACTIVE).count(),
            "last": last,
            "tab": template,
            **more,
        }
        return render(request, f"tournaments/desk/{template}.html", context)

    # Pages

    def overview(self, request: HttpRequest, tournament: Tournament) -> HttpResponse:
        last = tournament.rounds.last()
        playing = last is not None and last.state == Round.State.PUBLISHED
        waiting = selectors.unfinished_tables(last) if last and playing else []
        return self.page(
            request,
            tournament,
            "overview",
            advice=advice(tournament, last, waiting),
            steps=next_steps(tournament, last, waiting),
            tables=tables_shown(last) if last else [],
            top=standings_shown(tournament, live=True)[:8],
            metrics=[METRIC_TITLES[name] for name in tournament.metrics],
            organisers=tournament.organisers.order_by("username"),
            refresh=REFRESH_SECONDS if waiting else None,
        )

    def players(self, request: HttpRequest, tournament: Tournament) -> HttpResponse:
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
        return self.page(
            request,
            tournament,
            "players",
            form=form,
            query=query,
            found=find(query, tournament) if query else None,
            entries=listed,
            open=tournament.state in (State.DRAFT, State.REGISTRATION, State.RUNNING),
        )

    def withdraw(self, request: HttpRequest, tournament: Tournament) -> HttpResponse:
        name = request.POST.get("name", "")
        if request.method == "POST" and "confirmed" in request.POST:
            entries.withdraw(slug=tournament.slug, actor=actor(request), name=name)
            messages.success(request, f"{name} has withdrawn.")
        elif request.method == "POST":
            return self.page(
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

    def round(self, request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
        round_ = find_round(tournament, number)
        waiting = selectors.unfinished_tables(round_)
        playing = round_.state == Round.State.PUBLISHED
        newest = round_.number == len(tournament.rounds.all())
        return self.page(
            request,
            tournament,
            "round",
            round=round_,
            tables=tables_shown(round_),
            report=report_shown(round_),
            steps=[step for step in next_steps(tournament, round_, waiting) if step.of_round]
            if newest
            else [],
            refresh=REFRESH_SECONDS if playing and waiting else None,
        )

    def result(self, request: HttpRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
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
        return self.page(
            request, tournament, "result", round=round_, table=show(found), form=form, history=history
        )

    def standings(self, request: HttpRequest, tournament: Tournament) -> HttpResponse:
        live = request.GET.get("live") == "1"
        return self.page(
            request,
            tournament,
            "standings",
            lines=standings_shown(tournament, live),
            metrics=[METRIC_TITLES[name] for name in tournament.metrics],
            live=live,
            csv=reverse("tournament-standings", args=[tournament.slug]) + "?format=csv",
            refresh=REFRESH_SECONDS if live else None,
        )

    def log(self, request: HttpRequest, tournament: Tournament) -> HttpResponse:
        pages = Paginator(tournament.log.select_related("actor"), LOG_PAGE)
        return self.page(request, tournament, "log", lines=pages.get_page(request.GET.get("page")))

    def step(self, request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
        """Take a step: at once, or after the confirmation that it wants."""
        step = STEPS.get(key)
        if step is None:
            raise Http404
        if request.method != "POST":
            return to(tournament, "overview")
        if step.confirm and "confirmed" not in request.POST:
            return self.page(
                request,
                tournament,
                "confirm",
                question=f"{step.label}?",
                consequence=step.confirm,
                values={"number": request.POST.get("number", "")} if step.of_round else {},
                label=step.label,
                danger=step.danger,
                back=reverse("admin:desk-overview", args=[tournament.pk]),
            )
        service = partial(step.service, slug=tournament.slug, actor=actor(request))
        if step.of_round:
            service = partial(service, number=number_of_round(request.POST.get("number", "")))
        service()
        messages.success(request, step.done)
        tournament.refresh_from_db()
        if key == "draw" and (last := tournament.rounds.last()):
            return to(tournament, "round", number=last.number)
        return to(tournament, "overview")


def actor(request: HttpRequest) -> Player:
    assert isinstance(request.user, Player)
    return request.user


def to(tournament: Tournament, page: str, **where: Any) -> HttpResponseRedirect:
    return redirect(reverse(f"admin:desk-{page}", kwargs={"pk": tournament.pk, **where}))


def back(request: HttpRequest, tournament: Tournament) -> HttpResponseRedirect:
    """After a refusal: to the players' page from the players' forms, else to the overview."""
    return to(tournament, "players" if "/players/" in request.path else "overview")


def number_of_round(text: str) -> int:
    """0, which no round has, for what is no number of a sensible length."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else 0


def find_round(tournament: Tournament, number: int) -> Round:
    found = tournament.rounds.filter(number=number).first()
    if found is None:
        raise Http404
    return found


def find(query: str, tournament: Tournament) -> QuerySet[Player]:
    """Accounts whose name holds the text and who are not in yet."""
    entered = tournament.entries.filter(state=Entry.State.ACTIVE).values("player_id")
    named = Player.objects.filter(username__icontains=query, is_active=True).exclude(pk__in=entered)
    return named.order_by("username")[:FOUND_PLAYERS]


# What templates show


def tables_shown(round_: Round) -> list[dict[str, Any]]:
    return [show(table) for table in selectors.tables_of(round_)]


def show(table: Table) -> dict[str, Any]:
    """A table with a line for each seat: who, the points so far or in the end, and the place."""
    counting = table.counting[0] if table.counting else None  # type: ignore[attr-defined]
    match = table.match
    scores = counting.scores if counting else (match.totals if match else None)
    best = max(scores) if scores and counting else None
    seats = [
        {
            "letter": seat.letter,
            "name": seat.name,
            "bot": not seat.entry,
            "tags": tags(seat, match if not counting else None),
            "score": number(scores[seat.index]) if scores else None,
            "won": best is not None and scores is not None and scores[seat.index] == best,
        }
        for seat in table.seats.all()
    ]
    return {"table": table, "match": match, "seats": seats, "result": counting, "status": status(table)}


def tags(seat: TableSeat, playing: Match | None) -> list[str]:
    """What else an organiser wants to know of who sits there."""
    found = ["program"] if seat.entry and seat.entry.player.is_bot else []
    if playing and any(s.away_since and s.index == seat.index for s in playing.seats.all()):
        found.append("away: a bot plays")
    return found


def number(value: float) -> str:
    """With a minus sign that is as wide as a figure."""
    return str(value).replace("-", "−")


def status(table: Table) -> tuple[str, str]:
    """A word on a table, and the colour of its label."""
    if table.counting:  # type: ignore[attr-defined]
        by_hand = table.counting[0].source == "entered"  # type: ignore[attr-defined]
        return ("by hand", "warning") if by_hand else ("finished", "success")
    if table.match is None:
        return "not started", "default"
    if table.match.status == Match.Status.RUNNING:
        return f"deal {table.match.deal_number} of {table.match.engine_options.deals}", "info"
    return str(table.match.status), "default"


def standings_shown(tournament: Tournament, live: bool) -> list[dict[str, Any]]:
    ratings = selectors.ratings_of(tournament)
    return [
        {
            "rank": line.standing.rank,
            "rating": rating_shown(ratings.get(line.entry.player_id)),
            "entry": line.entry,
            "played": line.standing.played,
            "values": [number(as_number(value)) for value in line.standing.values],
        }
        for line in selectors.standings_of(tournament, live)
    ]


def rating_shown(rating: Rating | None) -> str:
    return shown(rating.value, rating.provisional) if rating else "–"


def report_shown(round_: Round) -> list[tuple[str, object]]:
    """The draw's report in words; pairs are named."""
    report = round_.report
    names = {seat.entry_id: seat.name for seat in round_.seats.select_related("entry__player") if seat.entry}
    again = [" – ".join(names.get(entry, "?") for entry in pair) for pair in report["repeats"]]
    shown: list[tuple[str, object]] = [
        (
            "Points apart at a table",
            f"{report['mean_spread']:g} on average, at most {report['max_spread']:g}",
        ),
        ("Meet again", ", ".join(again) or "nobody"),
        ("Tables with a bot", report["bot_tables"] or "none"),
        ("Seats", f"most used less least used seat of anyone: {report['seat_imbalance']}"),
    ]
    if round_.inputs["partners"]:
        pairs = [" – ".join(names.get(entry, "?") for entry in pair) for pair in report["partner_repeats"]]
        shown.append(("Partners again", ", ".join(pairs) or "nobody"))
    return shown

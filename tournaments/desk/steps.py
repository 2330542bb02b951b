"""The steps of a tournament as buttons: what can be done next, and what is asked before."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from tournaments.desk.shared import Page, actor, page, to
from tournaments.models import Round, Tournament
from tournaments.services import life, rounds
from tournaments.services.stages import is_complete

State = Tournament.State


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
        case State.RUNNING if last and is_complete(last.stage):
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
        over = is_complete(last.stage)
        return f"Round {last.number} is closed. " + (
            "All rounds are played: finish." if over else "Draw the next."
        )
    if waiting and tournament.automatic:
        return f"Round {last.number} is being played. The next rounds come by themselves."
    if waiting:
        return f"Round {last.number} is being played; it can be closed once {_have_results(waiting)}."
    return f"All tables of round {last.number} have a result: close it."


def _have_results(tables: Sequence[int]) -> str:
    *most, last = map(str, tables)
    return f"tables {', '.join(most)} and {last} have results" if most else f"table {last} has a result"


def step(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """Take a step: at once, or after the confirmation that it wants."""
    step = STEPS.get(key)
    if step is None:
        raise Http404
    if request.method != "POST":
        return to(tournament, "overview")
    if step.confirm and "confirmed" not in request.POST:
        return page(
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


def number_of_round(text: str) -> int:
    """0, which no round has, for what is no number of a sensible length."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else 0


PAGES: dict[str, Page] = {"step/<slug:key>/": step}

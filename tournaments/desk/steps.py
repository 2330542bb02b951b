"""The steps of a tournament as buttons: what can be done next, and what is asked before."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from games.admin import actor
from tournaments.desk.shared import Page, local, page, to
from tournaments.models import Round, Stage, Tournament
from tournaments.organisers import Right
from tournaments.selectors import unfinished_tables_of
from tournaments.services import check_in, cuts, life, rounds
from tournaments.services.dates import date_of
from tournaments.services.rounds import following
from tournaments.services.stages import current_stage, is_complete, next_stage

State = Tournament.State


MOST_NAMED = 12  # tables that are waited for
ORGANISE = Right.ORGANISE.name.lower()


@dataclass(frozen=True)
class Step:
    """One thing that an official who has the right can do next. `confirm` is what he is asked before."""

    key: str
    label: str
    done: str
    service: Callable[..., object]
    confirm: str = ""
    danger: bool = False
    of_round: bool = False
    right: str = Right.RUN.name.lower()  # as templates name it


STEPS = {
    step.key: step
    for step in (
        Step("open", "Open registration", "Registration is open.", life.open_registration, right=ORGANISE),
        Step(
            "check-in",
            "Open the check-in",
            "The check-in is open.",
            check_in.open_check_in,
            "Who does not check in from now on is withdrawn when it starts. It cannot be closed again.",
        ),
        Step(
            "start",
            "Start the tournament",
            "The tournament runs; draw its first round.",
            life.start,
            "Registration closes. From now on only organisers and assistants can enter players.",
            right=ORGANISE,
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
            "stage",
            "Start the next stage",
            "The next stage has begun; draw its first round.",
            cuts.start_stage,
            "The best go on, in the order of the standings. Nothing more is played of this stage.",
        ),
        Step(
            "finish",
            "Finish the tournament",
            "The tournament is finished.",
            life.finish,
            "The standings become final. Results can still be corrected.",
            right=ORGANISE,
        ),
        Step(
            "cancel",
            "Cancel the tournament",
            "The tournament is cancelled.",
            life.cancel,
            "All tables stop. What was played stays to be read. This cannot be taken back.",
            danger=True,
            right=ORGANISE,
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
            keys = ("start", "cancel") if tournament.check_in_at else ("start", "check-in", "cancel")
        case State.RUNNING if last and last.state == Round.State.DRAWN:
            keys = ("publish", "drop")
        case State.RUNNING if last and last.state == Round.State.PUBLISHED:
            keys = ("cancel",) if waiting else ("close", "cancel")
        case State.RUNNING:
            keys = _between_rounds(tournament, last)
    return [STEPS[key] for key in keys]


def _between_rounds(tournament: Tournament, last: Round | None) -> Sequence[str]:
    """What can be done while no round is open."""
    stage = current_stage(tournament)
    assert stage is not None
    if stage.format == Stage.Format.ARENA:
        return ("finish", "cancel") if last else ("cancel",)
    begun = last is not None and last.stage_id == stage.pk
    onward = ["stage"] if begun and next_stage(tournament) else []
    ending = ["finish", "cancel"] if last else ["cancel"]
    return [*onward, *ending] if is_complete(stage) else ["draw", *onward, *ending]


def advice(tournament: Tournament, last: Round | None, waiting: Sequence[int]) -> str:
    """One sentence on where the tournament is and what comes next."""
    match tournament.state:
        case State.DRAFT:
            return "Only officials see it. Check the settings, enter players if you like, then open it."
        case State.REGISTRATION if tournament.check_in_at:
            return "Players check in. At the start those who have not are withdrawn, and who waits moves up."
        case State.REGISTRATION:
            return "Players can enter. Start when everyone is in; bots fill the tables up to four."
        case State.FINISHED:
            return "The tournament is over; the standings are final."
        case State.CANCELLED:
            return "The tournament was cancelled."
    stage = current_stage(tournament)
    assert stage is not None
    if stage.format == Stage.Format.ARENA:
        return _of_arena(tournament, stage)
    if last is None or last.stage_id != stage.pk:
        return _to_begin(tournament, stage)
    if last.state == Round.State.DRAWN:
        return f"Round {last.number} is drawn and nobody else sees it yet. Look at the tables, then publish."
    if last.state == Round.State.CLOSED:
        return f"Round {last.number} is closed. {_after_close(tournament, stage)}"
    if waiting and tournament.automatic:
        return (
            f"Round {last.number} is being played{_by(tournament, last)}. The next ones come by themselves."
        )
    if waiting:
        so_far = f"Round {last.number} is being played{_by(tournament, last)}"
        return f"{so_far}; it can be closed once {_have_results(waiting)}."
    return f"All tables of round {last.number} have a result: close it."


def _by(tournament: Tournament, round_: Round) -> str:
    date = date_of(tournament, round_.number)
    return f" until {local(date.ends_at, tournament)}" if date and date.ends_at else ""


def _of_arena(tournament: Tournament, stage: Stage) -> str:
    until = local(stage.ends_at, tournament)
    playing = unfinished_tables_of(tournament).count()
    return (
        f"The arena runs by itself until {until}: whoever is free is seated again. "
        f"{playing} {'table plays' if playing == 1 else 'tables play'} now."
    )


def _to_begin(tournament: Tournament, stage: Stage) -> str:
    date = date_of(tournament, following(tournament))
    at = f" It is to begin on {local(date.starts_at, tournament)}." if date else ""
    if tournament.automatic:
        return f"Everyone is in; the first round comes by itself.{at}"
    which = "first round" if stage.number == 1 else f"first round of stage {stage.number}"
    return f"Everyone is in. Draw the {which}.{at}"


def _after_close(tournament: Tournament, stage: Stage) -> str:
    if not is_complete(stage):
        date = date_of(tournament, following(tournament))
        return "Draw the next." + (f" It is to begin on {local(date.starts_at, tournament)}." if date else "")
    further = next_stage(tournament)
    if further is None:
        return "All rounds are played: finish."
    who = f"the best {further.cut}" if further.cut else "everyone"
    name = further.get_format_display().lower()
    return f"Stage {stage.number} is played. Start stage {further.number}, {name}, with {who}."


def _have_results(tables: Sequence[int]) -> str:
    if len(tables) > rounds.NAMED:
        return f"{len(tables)} more tables have results"
    if len(tables) > MOST_NAMED:
        return f"{len(tables)} tables have results"
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
            consequence=f"{_absent(tournament) if key == 'start' else ''}{step.confirm}",
            values={"number": request.POST.get("number", "")} if step.of_round else {},
            label=step.label,
            danger=step.danger,
            back=reverse("admin:desk-overview", args=[tournament.pk]),
        )
    service = partial(step.service, slug=tournament.slug, actor=actor(request))
    if step.of_round:
        service = partial(service, number=number_of_round(request.POST.get("number", "")))
    result = service()
    messages.success(request, step.done)
    if isinstance(result, cuts.Started) and result.by_seed:
        names = ", ".join(entry.name for entry in result.by_seed)
        messages.info(request, f"Equal at the cut, so that their seeds decided: {names}.")
    tournament.refresh_from_db()
    if key == "draw" and (last := tournament.rounds.last()):
        return to(tournament, "round", number=last.number)
    return to(tournament, "overview")


def _absent(tournament: Tournament) -> str:
    """Whom the start withdraws, as a sentence; empty for nobody."""
    absent = check_in.absent(tournament)
    names = [entry.name for entry in absent[:MOST_NAMED]]
    if not names:
        return ""
    more = len(absent) - len(names)
    return f"Withdrawn, not having checked in: {', '.join(names)}{f' and {more} more' if more else ''}. "


def number_of_round(text: str) -> int:
    """0, which no round has, for what is no number of a sensible length."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else 0


PAGES: dict[str, Page] = {"step/<slug:key>/": step}

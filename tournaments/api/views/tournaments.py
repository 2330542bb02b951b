"""Tournaments and their life."""

from collections.abc import Callable
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.idempotency import idempotent
from games.api.permissions import PlayersOnly
from games.api.requests import clock_fields
from tournaments import selectors
from tournaments.api import answers, requests, schemas
from tournaments.api.views.shared import TournamentDoor
from tournaments.models import Tournament
from tournaments.organisers import check_official
from tournaments.services import life
from trix_site.common.pagination import PageQuery
from trix_site.common.schemas import describe
from trix_site.common.serializers import NothingRequest, read


class Tournaments(TournamentDoor):
    @describe(
        404,
        answers=schemas.TournamentPage,
        parameters=[requests.TournamentsQuery],
        operation_id="list_tournaments",
    )
    def get(self, request: Request) -> Response:
        """Public tournaments, and those that you organise or entered; the newest first."""
        rows = selectors.listed_tournaments(request.user)
        if state := read(requests.TournamentsQuery, request.query_params)["state"]:
            rows = rows.filter(state=state)
        return self.paged(rows, answers.tournament)

    @idempotent
    @describe(403, 409, 422, answers=schemas.OpenedTournament, status=201, request=requests.CreateRequest)
    def post(self, request: Request) -> Response:
        """Create a tournament, as a draft; you are its organiser."""
        body = read(requests.CreateRequest, request.data)
        clock = clock_fields(body)
        return self.opened(life.create_tournament(actor=self.actor, **body, **clock), 201)


class TournamentDetail(TournamentDoor):
    @describe(404, answers=schemas.OpenedTournament)
    def get(self, request: Request, slug: str) -> Response:
        """One tournament, and what you have to do with it: `you.match` is your running match."""
        return self.opened(self.tournament(slug))

    @describe(403, 404, 409, answers=schemas.OpenedTournament, request=requests.ChangeRequest)
    def patch(self, request: Request, slug: str) -> Response:
        """Change settings, and stages that have not begun (organisers); what is left out stays."""
        self.tournament(slug)
        body = read(requests.ChangeRequest, request.data)
        return self.opened(life.change(slug, actor=self.actor, **clock_fields(body), **body))


class Officials(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.OpenedTournament, request=requests.OfficialsRequest)
    def put(self, request: Request, slug: str) -> Response:
        """Say who are its organisers, assistants and referees (organisers); roles left out stay."""
        self.tournament(slug)
        body = read(requests.OfficialsRequest, request.data)
        return self.opened(life.name_officials(slug=slug, actor=self.actor, **body))


class Code(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.OpenedTournament, request=NothingRequest)
    def post(self, request: Request, slug: str) -> Response:
        """Make a new code to enter by (organisers, assistants); the old one is good for nothing."""
        self.tournament(slug)
        read(NothingRequest, request.data)
        return self.opened(life.renew_code(slug=slug, actor=self.actor))


class Step(TournamentDoor):
    """Base of an organiser's one-word steps: no body, a service, the tournament after it."""

    def take(self, request: Request, slug: str, service: Callable[..., Tournament]) -> Response:
        self.tournament(slug)
        read(NothingRequest, request.data)
        return self.opened(service(slug=slug, actor=self.actor))


STEP: dict[str, Any] = {"answers": schemas.OpenedTournament, "request": NothingRequest}


class Open(Step):
    @describe(403, 404, 409, **STEP)
    def post(self, request: Request, slug: str) -> Response:
        """Open the registration (organisers): draft → registration."""
        return self.take(request, slug, life.open_registration)


class Start(Step):
    @describe(403, 404, 409, 422, **STEP)
    def post(self, request: Request, slug: str) -> Response:
        """Start (organisers): registration → running. Rounds can be drawn from now on."""
        return self.take(request, slug, life.start)


class Finish(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.FinishedTournament, request=NothingRequest)
    def post(self, request: Request, slug: str) -> Response:
        """Finish (organisers), with every round closed: running → finished. Answers with the ranking."""
        self.tournament(slug)
        read(NothingRequest, request.data)
        return Response(answers.finished(life.finish(slug=slug, actor=self.actor), request.user))


class Cancel(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.OpenedTournament, request=requests.CancelRequest)
    def post(self, request: Request, slug: str) -> Response:
        """Cancel (organisers): tables stop. What was played stays."""
        self.tournament(slug)
        body = read(requests.CancelRequest, request.data)
        return self.opened(life.cancel(slug=slug, actor=self.actor, **body))


class Log(TournamentDoor):
    permission_classes = [PlayersOnly]

    @describe(403, 404, answers=schemas.LogPage, parameters=[PageQuery], operation_id="get_log")
    def get(self, request: Request, slug: str) -> Response:
        """Everything that was done to the tournament, the newest first (organisers, assistants, referees)."""
        tournament = self.tournament(slug)
        check_official(self.actor, tournament)
        return self.paged(tournament.log.select_related("actor"), answers.logged)

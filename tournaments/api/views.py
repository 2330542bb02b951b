"""The doors of tournaments: each checks the shape of what it is given and calls one service or selector."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.idempotency import idempotent
from games.api.permissions import PlayersOnly, require_scope
from games.api.requests import clock_fields
from games.models import Player, Scope
from games.selectors import players_called
from tournaments import selectors
from tournaments.api import answers, requests, schemas
from tournaments.api.renderers import CSVRenderer
from tournaments.models import Round, Table, Tournament
from tournaments.organisers import check_organiser, is_organiser
from tournaments.services import entries, life, results, rounds
from trix_site.common.errors import Missing
from trix_site.common.pagination import PageQuery, paged
from trix_site.common.schemas import describe
from trix_site.common.serializers import NothingRequest, read


class TournamentDoor(APIView):
    """Anyone may read what is visible to him; running a tournament takes a token that may organise."""

    scope: str | None = Scope.ORGANISE

    @property
    def actor(self) -> Player:
        """The caller of a door that only players may pass."""
        assert isinstance(self.request.user, Player)
        return self.request.user

    def tournament(self, slug: str) -> Tournament:
        """The tournament, if the caller may see it. Raises Missing."""
        return selectors.visible_tournament(slug, self.request.user)

    def round(self, slug: str, number: int) -> Round:
        """The round, if the caller may see it: a draw only once it is published. Raises Missing."""
        tournament = self.tournament(slug)
        found = selectors.visible_rounds(tournament, self.request.user).filter(number=number).first()
        if found is None:
            raise Missing("no_such_round", f"{tournament.name} has no round {number}.")
        return found

    def table(self, slug: str, number: int, table: int) -> Table:
        """The table with all that answers show of it. Raises Missing."""
        found = selectors.tables_of(self.round(slug, number)).filter(number=table).first()
        if found is None:
            raise Missing("no_such_table", f"Round {number} has no table {table}.")
        return found

    def whom(self) -> str | None:
        """The other player whom an organiser names in the body, or None for the caller himself.

        Raises Forbidden: the one takes a token that may organise, the other one that may play.
        """
        name = read(requests.PlayerRequest, self.request.data)["player"]
        own = name is None or players_called([name]).get(name) == self.actor
        require_scope(self.request, Scope.PLAY if own else Scope.ORGANISE)
        return name

    def paged(self, rows: QuerySet[Any], answer: Callable[[Any], answers.Json]) -> Response:
        return paged(self.request, rows, answer)

    def opened(self, tournament: Tournament, status: int = 200) -> Response:
        return Response(answers.opened(tournament, self.request.user), status=status)

    def opened_round(self, round_: Round, status: int = 200) -> Response:
        tables = list(selectors.tables_of(round_))
        return Response(answers.opened_round(round_, tables, self.request.user), status=status)

    def opened_table(self, table: Table) -> Response:
        return Response(answers.tables_of(table.round, [table], self.request.user)[0])


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


class Finish(Step):
    @describe(403, 404, 409, **STEP)
    def post(self, request: Request, slug: str) -> Response:
        """Finish (organisers), with every round closed: running → finished."""
        return self.take(request, slug, life.finish)


class Cancel(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.OpenedTournament, request=requests.CancelRequest)
    def post(self, request: Request, slug: str) -> Response:
        """Cancel (organisers): tables stop. What was played stays."""
        self.tournament(slug)
        body = read(requests.CancelRequest, request.data)
        return self.opened(life.cancel(slug=slug, actor=self.actor, **body))


class Entries(TournamentDoor):
    scope = None

    @describe(404, answers=schemas.EntryPage, parameters=[PageQuery], operation_id="list_entries")
    def get(self, request: Request, slug: str) -> Response:
        """Who takes part, by name; withdrawn entries too."""
        return self.paged(selectors.entries_by_name(self.tournament(slug)), answers.entry)

    @idempotent
    @describe(403, 404, 409, 422, answers=schemas.Entry, status=201, request=requests.PlayerRequest)
    def post(self, request: Request, slug: str) -> Response:
        """Enter yourself while registration is open; organisers may name another player."""
        self.tournament(slug)
        entry = entries.enter(slug=slug, actor=self.actor, name=self.whom())
        return Response(answers.entry(entry), status=201)


class Withdraw(TournamentDoor):
    scope = None

    @describe(403, 404, 409, answers=schemas.Entry, request=requests.PlayerRequest)
    def post(self, request: Request, slug: str) -> Response:
        """Withdraw from later rounds; organisers may name another player. Results stay."""
        self.tournament(slug)
        return Response(answers.entry(entries.withdraw(slug=slug, actor=self.actor, name=self.whom())))


class Rounds(TournamentDoor):
    @describe(404, answers=schemas.Round(many=True), operation_id="list_rounds")
    def get(self, request: Request, slug: str) -> Response:
        """The published rounds; organisers also see a draw that is not published yet."""
        shown = selectors.visible_rounds(self.tournament(slug), request.user)
        return Response([answers.round_(round_) for round_ in shown])

    @idempotent
    @describe(403, 404, 409, 422, answers=schemas.OpenedRound, status=201, request=NothingRequest)
    def post(self, request: Request, slug: str) -> Response:
        """Draw the next round (organisers). Nobody else sees it before it is published."""
        self.tournament(slug)
        read(NothingRequest, request.data)
        return self.opened_round(rounds.draw_round(slug=slug, actor=self.actor), 201)


class RoundDetail(TournamentDoor):
    @describe(404, answers=schemas.OpenedRound)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """A round with its tables, who sits where, and what its draw cost."""
        return self.opened_round(self.round(slug, number))

    @describe(403, 404, 409, answers=None, status=204)
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Drop a draw that is not published (organisers)."""
        self.round(slug, number)
        rounds.drop_draw(slug=slug, number=number, actor=self.actor)
        return Response(status=204)


class Publish(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.OpenedRound, request=NothingRequest)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Publish a drawn round (organisers): the matches of all its tables start, or none."""
        self.round(slug, number)
        read(NothingRequest, request.data)
        return self.opened_round(rounds.publish_round(slug=slug, number=number, actor=self.actor))


class Close(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.OpenedRound, request=NothingRequest)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Close a round whose tables all have a result (organisers): it counts from now on."""
        self.round(slug, number)
        read(NothingRequest, request.data)
        return self.opened_round(rounds.close_round(slug=slug, number=number, actor=self.actor))


class Tables(TournamentDoor):
    @describe(404, answers=schemas.TournamentTable(many=True), operation_id="list_tables")
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The tables of a round. `match` leads to the match at /matches/{match}/."""
        round_ = self.round(slug, number)
        return Response(answers.tables_of(round_, list(selectors.tables_of(round_)), request.user))


class TableDetail(TournamentDoor):
    @describe(404, answers=schemas.TournamentTable)
    def get(self, request: Request, slug: str, number: int, table: int) -> Response:
        """One table: its seats, its points so far, and the result that counts."""
        return self.opened_table(self.table(slug, number, table))


class Result(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.TournamentTable, request=requests.ResultRequest)
    def post(self, request: Request, slug: str, number: int, table: int) -> Response:
        """Enter or correct a table's result by hand (organisers); the old one stays in the history.

        A match that is still being played there is stopped.
        """
        self.round(slug, number)
        body = read(requests.ResultRequest, request.data)
        results.enter_result(slug=slug, number=number, table_number=table, actor=self.actor, **body)
        return self.opened_table(self.table(slug, number, table))


class Standings(TournamentDoor):
    renderer_classes = [JSONRenderer, CSVRenderer]

    @describe(
        404,
        answers={
            (200, "application/json"): schemas.Standings,
            (200, "text/csv"): OpenApiTypes.STR,
        },
        parameters=[requests.StandingsQuery],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The standings, from the results of closed rounds. Equal on every metric is an equal rank.

        `live` ones are for organisers alone while other tables still play the same cards.
        """
        tournament = self.tournament(slug)
        live = read(requests.StandingsQuery, request.query_params)["live"]
        live = live and (is_organiser(request.user, tournament) or not selectors.still_secret(tournament))
        lines = selectors.standings_of(tournament, live)
        if isinstance(request.accepted_renderer, CSVRenderer):
            return Response(answers.standings_rows(tournament, lines))
        return Response(answers.standings(tournament, lines, live))


class Log(TournamentDoor):
    permission_classes = [PlayersOnly]

    @describe(403, 404, answers=schemas.LogPage, parameters=[PageQuery], operation_id="get_log")
    def get(self, request: Request, slug: str) -> Response:
        """Everything that was done to the tournament, the newest first (organisers)."""
        tournament = self.tournament(slug)
        check_organiser(self.actor, tournament)
        return self.paged(tournament.log.select_related("actor"), answers.logged)

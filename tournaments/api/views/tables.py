"""Tables, their results, and who sits there."""

from collections.abc import Callable

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments import selectors
from tournaments.api import answers, requests, schemas
from tournaments.api.views.shared import TournamentDoor
from tournaments.organisers import is_official
from tournaments.services import results, seats
from trix_site.common.errors import Missing
from trix_site.common.schemas import describe
from trix_site.common.serializers import NothingRequest, read


class Correction(TournamentDoor):
    """Base of the doors that change a table's result."""

    def corrected(self, service: Callable[..., object], kind: type[requests.CorrectionRequest]) -> Response:
        slug, number, table = (self.kwargs[name] for name in ("slug", "number", "table"))
        self.round(slug, number)
        body = read(kind, self.request.data)
        service(slug=slug, number=number, table_number=table, actor=self.actor, **body)
        return self.opened_table(self.table(slug, number, table))


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


class Result(Correction):
    @describe(403, 404, 409, answers=schemas.TournamentTable, request=requests.ResultRequest)
    def post(self, request: Request, slug: str, number: int, table: int) -> Response:
        """Enter or correct a table's result by hand (organisers, referees); the old one stays in the history.

        A match that is still being played there is stopped.
        """
        return self.corrected(results.enter_result, requests.ResultRequest)


class Annul(Correction):
    @describe(403, 404, 409, answers=schemas.TournamentTable, request=requests.CorrectionRequest)
    def post(self, request: Request, slug: str, number: int, table: int) -> Response:
        """Let a table give nobody anything (organisers, referees). A running match there is stopped."""
        return self.corrected(results.annul, requests.CorrectionRequest)


class Replay(Correction):
    @describe(403, 404, 409, 422, answers=schemas.TournamentTable, request=requests.CorrectionRequest)
    def post(self, request: Request, slug: str, number: int, table: int) -> Response:
        """Start a new match for those who sit at a table (organisers, referees), with cards of its own.

        Until it is over the table has no result.
        """
        return self.corrected(results.replay_table, requests.CorrectionRequest)


class Record(Correction):
    @describe(404, answers={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, request: Request, slug: str, number: int, table: int) -> HttpResponse:
        """The `.trix` record that was imported as the table's result; others are with their matches."""
        found = self.table(slug, number, table)
        counting = answers.counting_for(found, request.user, is_official(request.user, self.tournament(slug)))
        if counting is None or not counting.record:
            raise Missing("no_record", f"No record was imported for table {table} of round {number}.")
        return HttpResponse(counting.record, content_type="text/plain; charset=utf-8")

    @describe(403, 404, 409, answers=schemas.TournamentTable, request=requests.RecordRequest)
    def post(self, request: Request, slug: str, number: int, table: int) -> Response:
        """Enter a table's result as the record of a match played elsewhere (organisers, referees).

        It is played through by the rules. A match that is still being played here is stopped.
        """
        return self.corrected(results.import_record, requests.RecordRequest)


class Substitute(TournamentDoor):
    @describe(403, 404, 409, 422, answers=schemas.TournamentTable, request=requests.SubstituteRequest)
    def post(self, request: Request, slug: str, number: int, table: int, seat: str) -> Response:
        """Let another player sit here for this match, or again the entry's own (organisers, referees)."""
        self.round(slug, number)
        body = read(requests.SubstituteRequest, request.data)
        seats.substitute(
            slug=slug, number=number, table_number=table, seat=seat, actor=self.actor, name=body["player"]
        )
        return self.opened_table(self.table(slug, number, table))


class NoShow(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.TournamentTable, request=NothingRequest)
    def post(self, request: Request, slug: str, number: int, table: int, seat: str) -> Response:
        """Have a bot play for a player who has not come, until he acts (organisers, referees)."""
        self.round(slug, number)
        read(NothingRequest, request.data)
        seats.mark_no_show(slug=slug, number=number, table_number=table, seat=seat, actor=self.actor)
        return self.opened_table(self.table(slug, number, table))

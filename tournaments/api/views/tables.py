"""Tables and their results."""

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments import selectors
from tournaments.api import answers, requests, schemas
from tournaments.api.views.shared import TournamentDoor
from tournaments.services import results
from trix_site.common.schemas import describe
from trix_site.common.serializers import read


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

"""Who takes part."""

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.idempotency import idempotent
from tournaments import selectors
from tournaments.api import answers, requests, schemas
from tournaments.api.views.shared import TournamentDoor
from tournaments.services import entries
from trix_site.common.pagination import PageQuery
from trix_site.common.schemas import describe


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

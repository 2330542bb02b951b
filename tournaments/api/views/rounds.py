"""Rounds, from the draw to the close."""

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.idempotency import idempotent
from tournaments import selectors
from tournaments.api import answers, requests, schemas
from tournaments.api.views.shared import TournamentDoor
from tournaments.services import edits, rounds
from trix_site.common.schemas import describe
from trix_site.common.serializers import NothingRequest, read


class Rounds(TournamentDoor):
    @describe(404, answers=schemas.Round(many=True), operation_id="list_rounds")
    def get(self, request: Request, slug: str) -> Response:
        """The published rounds; officials also see a draw that is not published yet."""
        shown = selectors.visible_rounds(self.tournament(slug), request.user)
        return Response([answers.round_(round_) for round_ in shown])

    @idempotent
    @describe(403, 404, 409, 422, answers=schemas.OpenedRound, status=201, request=NothingRequest)
    def post(self, request: Request, slug: str) -> Response:
        """Draw the next round (organisers, assistants). Nobody else sees it before it is published."""
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
        """Drop a draw that is not published (organisers, assistants)."""
        self.round(slug, number)
        rounds.drop_draw(slug=slug, number=number, actor=self.actor)
        return Response(status=204)


class Publish(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.OpenedRound, request=NothingRequest)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Publish a drawn round (organisers, assistants): the matches of all its tables start, or none."""
        self.round(slug, number)
        read(NothingRequest, request.data)
        return self.opened_round(rounds.publish_round(slug=slug, number=number, actor=self.actor))


class Close(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.OpenedRound, request=NothingRequest)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Close a round whose tables all have a result (organisers, assistants): it counts from now on."""
        self.round(slug, number)
        read(NothingRequest, request.data)
        return self.opened_round(rounds.close_round(slug=slug, number=number, actor=self.actor))


class Swap(TournamentDoor):
    @describe(403, 404, 409, 422, answers=schemas.DrawEdit, request=requests.SwapRequest)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Let two places of a drawn round change who has them (organisers, assistants), or ask its cost."""
        self.round(slug, number)
        body = read(requests.SwapRequest, request.data)
        first, second = edits.Place(**body.pop("first")), edits.Place(**body.pop("second"))
        found = edits.swap(slug=slug, number=number, actor=self.actor, first=first, second=second, **body)
        return Response(answers.edit(found, stored=not body["preview"]))

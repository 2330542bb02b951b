"""Who takes part, who checks in, and what was added to or taken from points."""

from decimal import Decimal

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.idempotency import idempotent
from tournaments import selectors
from tournaments.api import answers, requests, schemas
from tournaments.api.views.shared import TournamentDoor
from tournaments.services import bulk, check_in, entries, penalties
from trix_site.common.schemas import describe
from trix_site.common.serializers import NothingRequest, read


class Entries(TournamentDoor):
    scope = None

    @describe(404, answers=schemas.EntryPage, parameters=[requests.EntriesQuery], operation_id="list_entries")
    def get(self, request: Request, slug: str) -> Response:
        """Who takes part, by name; those who left too, unless a `state` is asked for."""
        state = read(requests.EntriesQuery, request.query_params)["state"]
        return self.paged(selectors.entries_in(self.tournament(slug), state), answers.entry)

    @idempotent
    @describe(403, 404, 409, 422, answers=schemas.Entry, status=201, request=requests.EntryRequest)
    def post(self, request: Request, slug: str) -> Response:
        """Enter yourself while registration is open; organisers and assistants may name another player.

        Beyond the cap the entry waits. A fixed pair is one entry: name your `partner`.
        """
        self.tournament(slug)
        entry = entries.enter(slug=slug, actor=self.actor, **self.body_for(requests.EntryRequest))
        return Response(answers.entry(entry), status=201)


class Import(TournamentDoor):
    @idempotent
    @describe(403, 404, 409, 422, answers=schemas.Imported, request=requests.ImportRequest)
    def post(self, request: Request, slug: str) -> Response:
        """Enter everyone whom a CSV file names, or nobody (organisers, assistants); `preview` enters nobody.

        A preview lists each bad line in `bad`; otherwise these are the `lines` of the refusal.
        """
        tournament = self.tournament(slug)
        body = read(requests.ImportRequest, request.data)
        if body["preview"]:
            return Response(answers.previewed(bulk.preview(tournament, self.actor, body["csv"])))
        return Response(answers.imported(bulk.enter_csv(slug=slug, actor=self.actor, text=body["csv"])))


class OneEntry(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.Entry, request=requests.ChangeEntryRequest)
    def patch(self, request: Request, slug: str, player: str) -> Response:
        """Change a seed rating or a partner before the start (organisers, assistants)."""
        self.tournament(slug)
        body = read(requests.ChangeEntryRequest, request.data)
        return Response(answers.entry(entries.change_entry(slug=slug, actor=self.actor, name=player, **body)))


class Admit(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.Entry, request=NothingRequest)
    def post(self, request: Request, slug: str, player: str) -> Response:
        """Give who waits a place, over the cap too (organisers, assistants)."""
        self.tournament(slug)
        read(NothingRequest, request.data)
        return Response(answers.entry(entries.admit(slug=slug, actor=self.actor, name=player)))


class Disqualify(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.Entry, request=requests.ReasonRequest)
    def post(self, request: Request, slug: str, player: str) -> Response:
        """Take an entry out for good (organisers, referees): it ranks below all others."""
        self.tournament(slug)
        body = read(requests.ReasonRequest, request.data)
        return Response(answers.entry(entries.disqualify(slug=slug, actor=self.actor, name=player, **body)))


class Withdraw(TournamentDoor):
    scope = None

    @describe(403, 404, 409, answers=schemas.Entry, request=requests.PlayerRequest)
    def post(self, request: Request, slug: str) -> Response:
        """Withdraw from later rounds; organisers and assistants may name another player. Results stay."""
        self.tournament(slug)
        return Response(answers.entry(entries.withdraw(slug=slug, actor=self.actor, **self.body_for())))


class OpenCheckIn(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.OpenedTournament, request=NothingRequest)
    def post(self, request: Request, slug: str) -> Response:
        """Open the check-in (organisers, assistants): who does not check in is withdrawn at the start."""
        self.tournament(slug)
        read(NothingRequest, request.data)
        return self.opened(check_in.open_check_in(slug=slug, actor=self.actor))


class CheckIn(TournamentDoor):
    scope = None

    @describe(403, 404, 409, answers=schemas.Entry, request=requests.PlayerRequest)
    def post(self, request: Request, slug: str) -> Response:
        """Check in, on the waiting list too; organisers and assistants may name another player."""
        self.tournament(slug)
        return Response(answers.entry(check_in.check_in(slug=slug, actor=self.actor, **self.body_for())))


class Penalties(TournamentDoor):
    @describe(404, answers=schemas.Penalty(many=True), operation_id="list_penalties")
    def get(self, request: Request, slug: str) -> Response:
        """All penalties (points below 0) and bonuses, revoked ones too."""
        shown = selectors.penalties_of(self.tournament(slug))
        return Response([answers.penalty(penalty) for penalty in shown])

    @idempotent
    @describe(403, 404, 409, 422, answers=schemas.Penalty, status=201, request=requests.PenaltyRequest)
    def post(self, request: Request, slug: str) -> Response:
        """Take points from an entry, or give it some (organisers, referees), in the stage that is played.

        Standings count them in their first metric, and the next draw does.
        """
        self.tournament(slug)
        body = read(requests.PenaltyRequest, request.data)
        given = penalties.give(
            slug=slug,
            actor=self.actor,
            name=body["player"],
            points=Decimal(str(body["points"])),
            reason=body["reason"],
        )
        return Response(answers.penalty(given), status=201)


class Revoke(TournamentDoor):
    @describe(403, 404, 409, answers=schemas.Penalty, request=requests.ReasonRequest)
    def post(self, request: Request, slug: str, penalty: int) -> Response:
        """Let a penalty or bonus count no more (organisers, referees)."""
        self.tournament(slug)
        body = read(requests.ReasonRequest, request.data)
        return Response(
            answers.penalty(penalties.revoke(slug=slug, actor=self.actor, penalty=penalty, **body))
        )

"""Leagues and their seasons."""

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.idempotency import idempotent
from tournaments import selectors
from tournaments.api import leagues as shapes
from tournaments.api.views.shared import TournamentDoor
from tournaments.models import League, Season
from tournaments.services import leagues
from tournaments.services.entries import find_players
from trix_site.common.errors import Missing
from trix_site.common.pagination import PageQuery
from trix_site.common.schemas import describe
from trix_site.common.serializers import read


class LeagueDoor(TournamentDoor):
    """Base of the doors of leagues, which anyone may look at."""

    def league(self, slug: str) -> League:
        """Raises Missing."""
        found = selectors.leagues().filter(slug=slug).first()
        if found is None:
            raise Missing("no_such_league", f"There is no league {slug!r}.")
        return found

    def answer(self, league: League, status: int = 200) -> Response:
        return Response(shapes.league(league), status=status)

    def opened_season(self, season: Season, status: int = 200) -> Response:
        divisions = selectors.divisions_of(season, self.request.user)
        return Response(shapes.season(season, divisions), status=status)


class Leagues(LeagueDoor):
    @describe(404, answers=shapes.LeaguePage, parameters=[PageQuery], operation_id="list_leagues")
    def get(self, request: Request) -> Response:
        """All leagues, by name."""
        return self.paged(selectors.leagues(), shapes.league)

    @idempotent
    @describe(403, 409, 422, answers=shapes.LeagueAnswer, status=201, request=shapes.LeagueRequest)
    def post(self, request: Request) -> Response:
        """Create a league; you are its organiser, and will be one of each of its divisions."""
        body = read(shapes.LeagueRequest, request.data)
        return self.answer(leagues.create_league(actor=self.actor, **body), 201)


class LeagueDetail(LeagueDoor):
    @describe(404, answers=shapes.LeagueAnswer)
    def get(self, request: Request, slug: str) -> Response:
        """One league."""
        return self.answer(self.league(slug))

    @describe(403, 404, 409, answers=shapes.LeagueAnswer, request=shapes.LeagueChangeRequest)
    def patch(self, request: Request, slug: str) -> Response:
        """Change a league (organisers); seasons that are open stay as they are."""
        self.league(slug)
        body = read(shapes.LeagueChangeRequest, request.data)
        if "organisers" in body:
            body["organisers"] = find_players(body["organisers"])
        return self.answer(leagues.change_league(slug, actor=self.actor, **body))


class Seasons(LeagueDoor):
    @describe(404, answers=shapes.SeasonLine(many=True), operation_id="list_seasons")
    def get(self, request: Request, slug: str) -> Response:
        """The seasons of a league, the first one first."""
        league = self.league(slug)
        divisions = list(selectors.listed_tournaments(request.user).filter(season__league=league))
        divisions.sort(key=lambda each: each.division or 0)
        return Response([shapes.season_line(season, divisions) for season in league.seasons.all()])

    @idempotent
    @describe(
        403,
        404,
        409,
        422,
        answers={200: shapes.PlanAnswer, 201: shapes.SeasonAnswer},
        request=shapes.SeasonRequest,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Open the next season (organisers), with promotion and relegation; or see what it would be."""
        self.league(slug)
        body = read(shapes.SeasonRequest, request.data)
        if body.pop("preview"):
            return Response(shapes.plan(leagues.plan_season(slug=slug, actor=self.actor, **body)))
        return self.opened_season(leagues.open_season(slug=slug, actor=self.actor, **body), 201)


class SeasonDetail(LeagueDoor):
    @describe(404, answers=shapes.SeasonAnswer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """A season: its divisions, their first, who came up and who came down."""
        return self.opened_season(selectors.season_of(self.league(slug), number))

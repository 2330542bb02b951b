"""The doors to ratings. All of them only read, and anyone may."""

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.selectors import player_called, visible_match
from ratings import against, distribution, explained, forecasts, selectors
from ratings.api import answers, schemas
from trix_site.common.pagination import PageQuery, paged
from trix_site.common.renderers import CSVRenderer, streamed_csv
from trix_site.common.schemas import describe
from trix_site.common.serializers import read


class LeaderboardQuery(PageQuery):
    all = serializers.BooleanField(
        default=False, help_text="Also provisional ratings, and players who have not played for long."
    )


class PlayerQuery(serializers.Serializer):
    player = serializers.CharField(required=False, help_text="A name, in any case.")


class RecalculationsQuery(PageQuery, PlayerQuery):
    pass


class ExpectedQuery(serializers.Serializer):
    player = serializers.ListField(
        child=serializers.CharField(), min_length=2, max_length=4, help_text="Two to four names."
    )


class Pools(APIView):
    @describe(answers=schemas.PoolInfo(many=True))
    def get(self, request: Request) -> Response:
        """The pools: one for each kind of game, and the same for programs."""
        return Response([answers.pool(pool, pool.players) for pool in selectors.pools()])


class Leaderboard(APIView):
    renderer_classes = [JSONRenderer, CSVRenderer]

    @describe(
        404,
        answers={
            (200, "application/json"): schemas.LeaderboardPage,
            (200, "text/csv"): OpenApiTypes.STR,
        },
        parameters=[LeaderboardQuery],
        operation_id="leaderboard",
    )
    def get(self, request: Request, pool: str) -> HttpResponseBase:
        """The players of a pool, best first: those with 20 rated matches and one in the last 90 days.

        CSV is not paged.
        """
        everyone = read(LeaderboardQuery, request.query_params)["all"]
        found = selectors.pool_called(pool)
        ratings = selectors.leaderboard(found, everyone)
        if isinstance(request.accepted_renderer, CSVRenderer):
            return streamed_csv(answers.leaderboard_rows(ratings), f"{found.slug}.csv")
        return paged(request, ratings, lambda rating: answers.ranked(rating, rating.rank))


class Distribution(APIView):
    @describe(404, answers=schemas.Distribution, parameters=[PlayerQuery], operation_id="distribution")
    def get(self, request: Request, pool: str) -> Response:
        """How the ratings of a leaderboard spread, and with `player` where his stands among them."""
        found = selectors.pool_called(pool)
        name = read(PlayerQuery, request.query_params).get("player")
        rating = None if name is None else distribution.rating_in(found, player_called(name))
        percentile = None if rating is None else distribution.percentile(found, rating.value)
        return Response(answers.distribution(distribution.distribution(found), rating, percentile))


class Expected(APIView):
    @describe(404, answers=schemas.Expected, parameters=[ExpectedQuery], operation_id="expected")
    def get(self, request: Request, pool: str) -> Response:
        """Mean places and chances to win of players who would sit at one table.

        In partnerships the first named and the third are on one side. Who has no rating yet counts as 1500.
        """
        found = selectors.pool_called(pool)
        players = [player_called(name) for name in read(ExpectedQuery, request.query_params)["player"]]
        forecasts.require_players_of(found, players)
        return Response(answers.expected(found, forecasts.forecasts(found, players)))


class Recalculations(APIView):
    @describe(
        404,
        answers=schemas.RecalculationPage,
        parameters=[RecalculationsQuery],
        operation_id="recalculations",
    )
    def get(self, request: Request, pool: str) -> Response:
        """Why ratings of a pool moved without a match: recalculations, the newest first.

        With `player` those that moved his, with his rating before and after.
        """
        found = selectors.pool_called(pool)
        name = read(RecalculationsQuery, request.query_params).get("player")
        player = None if name is None else player_called(name)
        return paged(request, selectors.recalculations(found, request.user, player), answers.recalculation)


class MatchRating(APIView):
    @describe(404, answers=schemas.MatchRating, operation_id="match_rating")
    def get(self, request: Request, code: str) -> Response:
        """What a match is to ratings: what to expect of it, what it changed, or why nothing."""
        match = visible_match(code, request.user)
        return Response(answers.match_rating(match, explained.explained(match)))


class Profile(APIView):
    @describe(404, answers=schemas.Profile)
    def get(self, request: Request, name: str) -> Response:
        """A player, with the rating in each pool where there is one."""
        player = player_called(name)
        return Response(answers.profile(player, list(selectors.ratings_of(player))))


class History(APIView):
    @describe(404, answers=schemas.HistoryPage, parameters=[PageQuery], operation_id="rating_history")
    def get(self, request: Request, name: str, pool: str) -> Response:
        """A player's rated matches in a pool, the newest first, with all that the change came from."""
        player, found = player_called(name), selectors.pool_called(pool)
        return paged(request, selectors.history(player, found, request.user), answers.change)


class Against(APIView):
    @describe(404, answers=schemas.Against, operation_id="against")
    def get(self, request: Request, name: str, other: str) -> Response:
        """Two players head to head, in each pool where both were rated in one match."""
        one, two = player_called(name), player_called(other)
        return Response(answers.against(one, two, against.against(one, two, request.user)))

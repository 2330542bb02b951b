"""The doors to ratings. All of them only read, and anyone may."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.selectors import player_called
from ratings import selectors
from ratings.api import answers, schemas
from trix_site.common.pagination import PageQuery, paged
from trix_site.common.schemas import describe
from trix_site.common.serializers import read


class LeaderboardQuery(PageQuery):
    all = serializers.BooleanField(
        default=False, help_text="Also provisional ratings, and players who have not played for long."
    )


class Pools(APIView):
    @describe(answers=schemas.PoolInfo(many=True))
    def get(self, request: Request) -> Response:
        """The pools: one for each kind of game, and the same for programs."""
        return Response([answers.pool(pool, pool.players) for pool in selectors.pools()])


class Leaderboard(APIView):
    @describe(404, answers=schemas.LeaderboardPage, parameters=[LeaderboardQuery], operation_id="leaderboard")
    def get(self, request: Request, pool: str) -> Response:
        """The players of a pool, best first: those with 20 rated matches and one in the last 90 days."""
        everyone = read(LeaderboardQuery, request.query_params)["all"]
        ratings = selectors.leaderboard(selectors.pool_called(pool), everyone)
        return paged(request, ratings, lambda rating: answers.ranked(rating, rating.rank))


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

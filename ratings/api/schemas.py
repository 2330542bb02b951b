"""What the answers look like, for the OpenAPI description. `answers` builds them; nothing here runs."""

from rest_framework import serializers

from games.api.schemas import Account
from trix_site.common.schemas import Page

PROVISIONAL = "Too few rated matches: under 20, unless the pool says otherwise. Shown with a question mark."


class PoolInfo(serializers.Serializer):
    pool = serializers.SlugField()
    name = serializers.CharField()
    programs = serializers.BooleanField(help_text="For accounts of programs.")
    players = serializers.IntegerField(help_text="On its leaderboard.")


class RatingInfo(serializers.Serializer):
    rating = serializers.FloatField()
    provisional = serializers.BooleanField(help_text=PROVISIONAL)
    matches = serializers.IntegerField(help_text="Rated matches in this pool.")
    last_match_at = serializers.DateTimeField()


class Ranked(RatingInfo):
    rank = serializers.IntegerField(help_text="Equal for equal ratings.")
    player = Account()


class LeaderboardPage(Page):
    results = Ranked(many=True)


class PoolRating(RatingInfo):
    pool = serializers.SlugField()


class Profile(Account):
    ratings = PoolRating(many=True)


class RatedPlayer(serializers.Serializer):
    """Someone whom a match was rated for: his rating before it, and how he came out."""

    player = Account()
    before = serializers.FloatField()
    place = serializers.IntegerField(help_text="Equal for ties and for partners.")
    left = serializers.BooleanField(help_text="Gone at the end: last against those who stayed.")


class Change(serializers.Serializer):
    match = serializers.CharField(allow_null=True, help_text="Its code; null for a private one of others.")
    finished_at = serializers.DateTimeField()
    place = serializers.IntegerField()
    left = serializers.BooleanField()
    before = serializers.FloatField()
    after = serializers.FloatField()
    change = serializers.FloatField()
    provisional = serializers.BooleanField(help_text="Whether it still was after this match.")
    n = serializers.IntegerField(help_text="Rated matches before this one.")
    k = serializers.FloatField(help_text="The player's K in this match.")
    players = RatedPlayer(many=True)


class HistoryPage(Page):
    results = Change(many=True)

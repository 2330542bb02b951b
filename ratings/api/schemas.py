"""What the answers look like, for the OpenAPI description. `answers` builds them; nothing here runs."""

from rest_framework import serializers

from games.api.schemas import Account
from games.engine.cards import SEAT_NAMES
from ratings import explained
from ratings.models import Recalculation
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
    pairs = serializers.IntegerField(help_text="Opponents whom the match compared him with.")
    expected = serializers.FloatField(help_text="The score that was expected against them, of `pairs`.")
    score = serializers.FloatField(help_text="The actual one: 1 for each above whom he ended, ½ for a tie.")
    players = RatedPlayer(many=True)


class HistoryPage(Page):
    results = Change(many=True)


class Bin(serializers.Serializer):
    to = serializers.IntegerField(help_text="Not included.")
    players = serializers.IntegerField()

    def get_fields(self) -> dict[str, serializers.Field]:
        return {"from": serializers.IntegerField()} | super().get_fields()  # A keyword of Python.


class RatingAmongAll(RatingInfo):
    player = Account()
    percentile = serializers.FloatField(
        allow_null=True, help_text="The share, 0 to 100, of the listed ratings below his; half of equal ones."
    )


class Distribution(serializers.Serializer):
    """Of the listed ratings; null where there is none."""

    players = serializers.IntegerField()
    mean = serializers.FloatField(allow_null=True)
    quartiles = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text="Three; between two ratings in proportion."
    )
    bins = Bin(many=True, help_text="From the lowest rating to the highest, empty ones included.")
    player = RatingAmongAll(allow_null=True, help_text="Whom `player` asked for.")


class Outlook(serializers.Serializer):
    """What to expect of a player at a table. Chances are null where no rated player is on another side."""

    pool = serializers.SlugField()
    rating = serializers.FloatField()
    provisional = serializers.BooleanField(help_text=PROVISIONAL)
    expected_place = serializers.FloatField(allow_null=True, help_text="The mean one, from 1.")
    win_chance = serializers.FloatField(allow_null=True, help_text="Of the first place, 0 to 1.")
    place_chances = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text="Of each place, the first one first."
    )


class PlayerOutlook(Outlook):
    player = Account()


class Expected(serializers.Serializer):
    pool = serializers.SlugField()
    players = PlayerOutlook(many=True)


class SeatChange(serializers.Serializer):
    pool = serializers.SlugField()
    place = serializers.IntegerField()
    left = serializers.BooleanField(help_text="Gone at the end: last against those who stayed.")
    before = serializers.FloatField()
    after = serializers.FloatField()
    change = serializers.FloatField()


class RatedSeat(serializers.Serializer):
    seat = serializers.ChoiceField(list(SEAT_NAMES))
    player = Account(allow_null=True)
    bot = serializers.CharField(allow_null=True, help_text="A house bot's level: it has no rating.")
    before = Outlook(allow_null=True, help_text="Before the end of a match that is to be rated.")
    change = SeatChange(allow_null=True, help_text="Once it is rated.")


class MatchRating(serializers.Serializer):
    match = serializers.CharField()
    state = serializers.ChoiceField(
        [explained.BEFORE, explained.WAITING, explained.RATED, explained.NOT_RATED]
    )
    reason = serializers.ChoiceField(
        list(explained.SENTENCES),
        allow_null=True,
        help_text="Why it is not rated, not yet, or would not be as people sit there now.",
    )
    detail = serializers.CharField(allow_null=True, help_text="The reason as a sentence.")
    seats = RatedSeat(many=True)


class Parameter(serializers.Serializer):
    was = serializers.FloatField()
    now = serializers.FloatField()


class Revised(serializers.Serializer):
    before = serializers.FloatField(allow_null=True, help_text="Null: he had none.")
    after = serializers.FloatField(allow_null=True, help_text="Null: no rated match is left.")


class RecalculationInfo(serializers.Serializer):
    done_at = serializers.DateTimeField()
    cause = serializers.ChoiceField(Recalculation.Cause.values)
    note = serializers.CharField(help_text="Why, in the words of whoever asked for it.")
    matches = serializers.ListField(
        child=serializers.CharField(allow_null=True),
        help_text="The codes of those that were annulled or restored; null for private ones of others.",
    )
    parameters = serializers.DictField(child=Parameter(), help_text="Those of the pool that changed.")
    computed = serializers.IntegerField(help_text="Matches that were computed again, in all pools.")
    moved = serializers.IntegerField(help_text="Ratings of this pool that it altered.")
    player = Revised(allow_null=True, help_text="The rating of whom `player` asked for.")


class RecalculationPage(Page):
    results = RecalculationInfo(many=True)


class AgainstInPool(serializers.Serializer):
    pool = serializers.SlugField()
    matches = serializers.IntegerField(help_text="In which both were rated, all of them.")
    partners = serializers.IntegerField(help_text="Of these, as partners.")
    above = serializers.IntegerField(help_text="`player` ended above `other`; who left is below who stayed.")
    level = serializers.IntegerField()
    below = serializers.IntegerField()
    expected = serializers.FloatField(help_text="Of above + level + below, by their ratings before each.")
    score = serializers.FloatField(help_text="above + level / 2")


class Against(serializers.Serializer):
    player = Account()
    other = Account()
    pools = AgainstInPool(many=True)

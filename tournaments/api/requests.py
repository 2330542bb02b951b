"""The bodies that the API reads: shapes only. Whether they make sense is for the services to say."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.api.requests import ClockRequest
from games.engine import PRESETS
from games.models import Match
from tournaments.models import MOST_ROUNDS, Tournament
from tournaments.services.results import LARGEST_SCORE
from tournaments.standings import DEFAULT_METRICS, METRICS
from trix_site.common.pagination import PageQuery
from trix_site.common.serializers import LARGEST_INT, NumberField, StrictSerializer

LARGEST_SEED = 2**62 - 1


@extend_schema_field(OpenApiTypes.STR)
class VisibilityField(serializers.ChoiceField):
    """Described as text: matches have other choices under the same name."""


class CreateRequest(StrictSerializer):
    name = serializers.CharField(max_length=100)
    slug = serializers.SlugField(max_length=60, required=False, default="", allow_blank=True)
    description = serializers.CharField(max_length=2000, required=False, default="", allow_blank=True)
    visibility = VisibilityField(
        Tournament.Visibility.choices,
        default=Tournament.Visibility.PUBLIC,
        help_text="public (listed) or unlisted.",
    )
    rules = serializers.CharField(max_length=40, help_text=f"One of {', '.join(PRESETS)}.")
    options = serializers.DictField(default=dict, help_text="What differs from the rules.")
    rounds_planned = serializers.IntegerField(min_value=1, max_value=MOST_ROUNDS, default=5)
    metrics = serializers.ListField(
        child=serializers.CharField(max_length=20),
        max_length=len(METRICS),
        default=list(DEFAULT_METRICS),
        help_text=f"What ranks the entries, in order: some of {', '.join(METRICS)}.",
    )
    clock = ClockRequest(required=False)
    on_timeout = serializers.ChoiceField(Match.OnTimeout.choices, default=Match.OnTimeout.BOT)
    bot_level = serializers.CharField(max_length=20, default="greedy")
    bot_delay = NumberField(min_value=0, max_value=60, default=0.0)
    rated = serializers.BooleanField(default=True)
    same_cards = serializers.BooleanField(default=False, help_text="At all tables of a round.")
    automatic = serializers.BooleanField(default=False, help_text="Rounds run by themselves.")
    seed = serializers.IntegerField(min_value=0, max_value=LARGEST_SEED, required=False)


class PlayerRequest(StrictSerializer):
    player = serializers.CharField(
        max_length=150,
        required=False,
        allow_null=True,
        default=None,
        help_text="Whom, for organisers; without it oneself.",
    )


class CancelRequest(StrictSerializer):
    reason = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)


class ResultRequest(StrictSerializer):
    scores = serializers.ListField(
        child=serializers.IntegerField(min_value=-LARGEST_SCORE, max_value=LARGEST_SCORE),
        min_length=4,
        max_length=4,
        help_text="Match scores in seat order S, E, N, W.",
    )
    reason = serializers.CharField(max_length=300)
    replaces = serializers.IntegerField(
        min_value=1,
        max_value=LARGEST_INT,
        required=False,
        allow_null=True,
        default=None,
        help_text="The id of the result that counted when you looked; null if there was none.",
    )


class TournamentsQuery(PageQuery):
    state = serializers.ChoiceField(Tournament.State.choices, required=False, default=None)


class StandingsQuery(serializers.Serializer):
    live = serializers.BooleanField(default=False, help_text="Count finished tables of the open round too.")
    format = serializers.ChoiceField(["json", "csv"], required=False, help_text="Or ask by Accept: text/csv.")

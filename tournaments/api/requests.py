"""The bodies that the API reads: shapes only. Whether they make sense is for the services to say."""

from datetime import datetime
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.api.requests import ClockRequest
from games.bots import LEVELS
from games.engine import PRESETS
from games.engine.cards import SEAT_NAMES
from games.models import LONGEST_CLOCK, Match
from tournaments.models import LONGEST_ARENA, MOST_ENTRIES, MOST_ROUNDS, MOST_STAGES, Entry, Stage, Tournament
from tournaments.services.audit import LONGEST_REASON
from tournaments.services.records import LONGEST_RECORD
from tournaments.services.results import LARGEST_SCORE
from tournaments.services.stages import DEFAULT
from tournaments.standings import DEFAULT_METRICS, METRICS, TABLE_POINTS
from trix_site.common.pagination import PageQuery
from trix_site.common.serializers import LARGEST_INT, NumberField, StrictSerializer

LARGEST_SEED = 2**62 - 1
MOST_OFFICIALS = 100


@extend_schema_field(OpenApiTypes.STR)
class VisibilityField(serializers.ChoiceField):
    """Described as text: matches have other choices under the same name."""


def names_of_officials(help_text: str) -> serializers.ListField:
    return serializers.ListField(
        child=serializers.CharField(max_length=150),
        max_length=MOST_OFFICIALS,
        required=False,
        help_text=help_text,
    )


class StageRequest(StrictSerializer):
    """A stage; what is left out has its usual value."""

    format = serializers.ChoiceField(Stage.Format.choices)
    rounds = serializers.IntegerField(
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        allow_null=True,
        help_text="Of a Swiss or a round robin.",
    )
    groups = serializers.IntegerField(min_value=1, max_value=1000, required=False)
    cut = serializers.IntegerField(
        min_value=2,
        max_value=MOST_ENTRIES,
        required=False,
        allow_null=True,
        help_text="How many come in; else everyone.",
    )
    advance = serializers.IntegerField(
        min_value=1, max_value=3, required=False, help_text="How many of a table go on, in a knockout."
    )
    minutes = serializers.IntegerField(
        min_value=1, max_value=LONGEST_ARENA, required=False, allow_null=True, help_text="Of an arena."
    )


class CreateRequest(StrictSerializer):
    name = serializers.CharField(max_length=100)
    slug = serializers.SlugField(max_length=60, required=False, default="", allow_blank=True)
    description = serializers.CharField(max_length=2000, required=False, default="", allow_blank=True)
    visibility = VisibilityField(
        Tournament.Visibility.choices,
        default=Tournament.Visibility.PUBLIC,
        help_text="public (listed), unlisted, or code (listed, entering takes a code).",
    )
    rules = serializers.CharField(max_length=40, help_text=f"One of {', '.join(PRESETS)}.")
    options = serializers.DictField(default=dict, help_text="What differs from the rules.")
    stages = serializers.ListField(
        child=StageRequest(), min_length=1, max_length=MOST_STAGES, default=list(DEFAULT)
    )
    pairs = serializers.BooleanField(default=False, help_text="Entries are fixed pairs.")
    cap = serializers.IntegerField(min_value=2, max_value=MOST_ENTRIES, default=None, allow_null=True)
    fill = serializers.ChoiceField(Tournament.Fill.choices, default=Tournament.Fill.BOTS)
    place_points = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=100),
        min_length=4,
        max_length=4,
        default=list(TABLE_POINTS),
    )
    bye_points = NumberField(min_value=0, max_value=100, default=1.75)
    weights = serializers.DictField(default=dict, help_text="Costs of draws that differ from the usual.")
    grace = serializers.IntegerField(min_value=1, max_value=LONGEST_CLOCK, default=None, allow_null=True)
    time_zone = serializers.CharField(max_length=40, default="UTC")
    metrics = serializers.ListField(
        child=serializers.CharField(max_length=20),
        max_length=len(METRICS),
        default=list(DEFAULT_METRICS),
        help_text=f"What ranks the entries, in order: some of {', '.join(METRICS)}.",
    )
    clock = ClockRequest(required=False)
    on_timeout = serializers.ChoiceField(Match.OnTimeout.choices, default=Match.OnTimeout.BOT)
    bot_level = serializers.CharField(
        max_length=20, default="greedy", help_text=f"Of bots that fill in: {', '.join(LEVELS)}."
    )
    bot_delay = NumberField(min_value=0, max_value=60, default=0.0)
    rated = serializers.BooleanField(default=True)
    same_cards = serializers.BooleanField(default=False, help_text="At all tables of a round.")
    automatic = serializers.BooleanField(default=False, help_text="Rounds run by themselves.")
    seed = serializers.IntegerField(min_value=0, max_value=LARGEST_SEED, required=False)


class ChangeRequest(CreateRequest):
    """The same settings; what is left out stays."""

    slug = serializers.SlugField(max_length=60)

    def get_fields(self) -> dict[str, serializers.Field]:
        fields = super().get_fields()
        for field in fields.values():
            field.required, field.default = False, serializers.empty
        return fields


class PlayerRequest(StrictSerializer):
    player = serializers.CharField(
        max_length=150,
        required=False,
        allow_null=True,
        default=None,
        help_text="Whom, for organisers; without it oneself.",
    )


class EntryRequest(PlayerRequest):
    partner = serializers.CharField(
        max_length=150, required=False, default=None, allow_null=True, help_text="Of a fixed pair."
    )
    code = serializers.CharField(
        max_length=20, required=False, default="", allow_blank=True, help_text="Where entering takes one."
    )
    seed_rating = NumberField(
        required=False,
        default=None,
        allow_null=True,
        help_text="By officials; null: as at the start.",
    )


class ChangeEntryRequest(StrictSerializer):
    """What is left out stays."""

    seed_rating = NumberField(required=False, allow_null=True, help_text="null: the rating at the start")
    partner = serializers.CharField(max_length=150, required=False)


class ImportRequest(StrictSerializer):
    csv = serializers.CharField(
        trim_whitespace=False,
        allow_blank=True,
        help_text="Columns player, and if wanted partner and seed_rating; the first line names them.",
    )
    preview = serializers.BooleanField(default=False, help_text="Only say what would come of it.")


class OfficialsRequest(StrictSerializer):
    """Names; roles that are left out stay as they are."""

    organisers = names_of_officials("May do everything.")
    assistants = names_of_officials("Run it: entries, check-in, draws and rounds.")
    referees = names_of_officials("Judge: results, penalties, substitutes, no-shows.")


class ReasonRequest(StrictSerializer):
    reason = serializers.CharField(max_length=LONGEST_REASON)


class PenaltyRequest(ReasonRequest):
    player = serializers.CharField(max_length=150)
    points = NumberField(help_text="Whole quarters; below 0 they are taken away.")


class CancelRequest(StrictSerializer):
    reason = serializers.CharField(max_length=LONGEST_REASON, required=False, default="", allow_blank=True)


class CorrectionRequest(ReasonRequest):
    replaces = serializers.IntegerField(
        min_value=1,
        max_value=LARGEST_INT,
        required=False,
        allow_null=True,
        default=None,
        help_text="The id of the result that counted when you looked; null if there was none.",
    )


class ResultRequest(CorrectionRequest):
    scores = serializers.ListField(
        child=serializers.IntegerField(min_value=-LARGEST_SCORE, max_value=LARGEST_SCORE, allow_null=True),
        min_length=4,
        max_length=4,
        help_text="Match scores in seat order S, E, N, W; null for an empty seat.",
    )


class RecordRequest(CorrectionRequest):
    record = serializers.CharField(
        max_length=LONGEST_RECORD, trim_whitespace=False, help_text="A `.trix` record of one match."
    )


class SubstituteRequest(StrictSerializer):
    player = serializers.CharField(
        max_length=150, allow_null=True, help_text="Who sits down; null: the entry's own player again."
    )


class EntriesQuery(PageQuery):
    state = serializers.ChoiceField(
        Entry.State.choices, required=False, default=None, help_text="Those who wait come in their order."
    )


class MomentField(serializers.DateTimeField):
    """A time that says its offset from UTC: which zone was meant is never guessed."""

    def enforce_timezone(self, value: datetime) -> datetime:
        if value.tzinfo is None:
            raise serializers.ValidationError(
                "Say its offset from UTC, as in 2027-01-30T19:00:00+02:00, or Z for none."
            )
        return super().enforce_timezone(value)


class RoundDateRequest(StrictSerializer):
    number = serializers.IntegerField(min_value=1, max_value=MOST_ROUNDS, help_text="The round's.")
    starts_at = MomentField()
    ends_at = MomentField(
        required=False, allow_null=True, default=None, help_text="Then bots play what is not over."
    )


class DatesRequest(StrictSerializer):
    dates = serializers.ListField(child=RoundDateRequest(), max_length=MOST_ROUNDS)


class DocumentRequest(StrictSerializer):
    document = serializers.DictField(help_text="As it was exported.")
    players = serializers.DictField(
        child=serializers.CharField(max_length=150),
        default=dict,
        help_text="Names here for names in the document; all others must be the same.",
    )
    slug = serializers.SlugField(max_length=60, required=False, default="", allow_blank=True)


class TournamentsQuery(PageQuery):
    state = serializers.ChoiceField(Tournament.State.choices, required=False, default=None)


class StandingsOf(serializers.Serializer):
    """Which standings."""

    stage = serializers.IntegerField(
        min_value=1, max_value=MOST_STAGES, default=None, help_text="The newest that has begun if left out."
    )
    group = serializers.IntegerField(
        min_value=1, max_value=1000, default=None, help_text="All groups of the stage if left out."
    )
    live = serializers.BooleanField(default=False, help_text="Count finished tables of the open round too.")


class StandingsQuery(StandingsOf):
    page = serializers.IntegerField(min_value=1, required=False)
    page_size = serializers.IntegerField(min_value=1, max_value=MOST_ENTRIES, required=False)
    format = serializers.ChoiceField(["json", "csv"], required=False, help_text="Or ask by Accept: text/csv.")


class CompareQuery(StandingsOf):
    first = serializers.CharField(max_length=150, help_text="A player's name.")
    second = serializers.CharField(max_length=150)


class PlaceRequest(StrictSerializer):
    table = serializers.IntegerField(min_value=1, max_value=LARGEST_INT, required=False)
    seat = serializers.ChoiceField(SEAT_NAMES, required=False)
    bye = serializers.CharField(max_length=150, required=False, help_text="Of a player, instead of the two.")

    def validate(self, place: dict[str, Any]) -> dict[str, Any]:
        if place.keys() not in ({"table", "seat"}, {"bye"}):
            raise serializers.ValidationError('A place is {"table": 1, "seat": "S"} or {"bye": "amal"}.')
        return place


class SwapRequest(StrictSerializer):
    first = PlaceRequest()
    second = PlaceRequest()
    version = serializers.IntegerField(
        min_value=0, max_value=LARGEST_INT, help_text="The round's version that you saw."
    )
    preview = serializers.BooleanField(default=False, help_text="Tell what it would cost; change nothing.")

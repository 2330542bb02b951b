"""What the API reads and answers of leagues."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from tournaments.api import schemas
from tournaments.api.answers import Json, placed
from tournaments.models import LARGEST_DIVISION, MOST_DIVISIONS, League, Season, Tournament
from tournaments.selectors import Division
from tournaments.services.leagues import Plan, move_as_dict, named
from trix_site.common.answers import time
from trix_site.common.schemas import Page
from trix_site.common.serializers import StrictSerializer


class LeagueRequest(StrictSerializer):
    name = serializers.CharField(max_length=60)
    slug = serializers.SlugField(max_length=45, required=False, default="", allow_blank=True)
    description = serializers.CharField(max_length=2000, required=False, default="", allow_blank=True)
    divisions = serializers.IntegerField(min_value=1, max_value=MOST_DIVISIONS, default=2)
    division_size = serializers.IntegerField(
        min_value=2, max_value=LARGEST_DIVISION, default=8, help_text="Places in a division."
    )
    promoted = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST_DIVISION // 2,
        default=2,
        help_text="How many go up, and as many down, between two neighbouring divisions.",
    )
    settings = serializers.DictField(
        default=dict, help_text="Of each division: fields as of a new tournament, such as rules and stages."
    )


class LeagueChangeRequest(LeagueRequest):
    """Any of the fields; what is left out stays."""

    organisers = serializers.ListField(
        child=serializers.CharField(max_length=150), min_length=1, max_length=50, help_text="By name."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, partial=True, **kwargs)


class SeasonRequest(StrictSerializer):
    players = serializers.ListField(
        child=serializers.CharField(max_length=150),
        max_length=2000,
        default=list,
        help_text="Of a first season, the strongest first; later newcomers. A pair is `name & name`.",
    )
    preview = serializers.BooleanField(default=False, help_text="Say who would play where; make nothing.")


class LeagueAnswer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    organisers = serializers.ListField(child=serializers.CharField())
    divisions = serializers.IntegerField()
    division_size = serializers.IntegerField()
    promoted = serializers.IntegerField()
    settings = serializers.DictField()
    seasons = serializers.IntegerField(help_text="How many were opened.")
    created_at = serializers.DateTimeField()


class DivisionAnswer(serializers.Serializer):
    division = serializers.IntegerField(help_text="1: the strongest.")
    tournament = serializers.CharField(help_text="Its address.")
    name = serializers.CharField()
    state = serializers.CharField()
    entries = serializers.IntegerField(help_text="How many are active.")
    head = schemas.Placed(many=True, help_text="The first of its standings.")
    promoted = serializers.ListField(child=serializers.CharField(), help_text="Who came up into it.")
    relegated = serializers.ListField(child=serializers.CharField(), help_text="Who came down into it.")


class SeasonAnswer(serializers.Serializer):
    league = serializers.CharField()
    number = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    divisions = DivisionAnswer(many=True)


class SeasonLine(serializers.Serializer):
    number = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    tournaments = serializers.ListField(
        child=serializers.CharField(), help_text="The addresses of its divisions, the strongest first."
    )


class MoveAnswer(serializers.Serializer):
    player = serializers.CharField()
    division = serializers.IntegerField()
    before = serializers.IntegerField(allow_null=True, help_text="The division of the last season.")
    rank = serializers.IntegerField(allow_null=True, help_text="In that division.")
    why = serializers.CharField()
    equal = serializers.ListField(
        child=serializers.CharField(), help_text="Who had the same rank, and another fate."
    )


class LeftAnswer(serializers.Serializer):
    player = serializers.CharField()
    division = serializers.IntegerField()
    why = serializers.CharField()


class PlanAnswer(serializers.Serializer):
    number = serializers.IntegerField()
    divisions = serializers.ListField(child=MoveAnswer(many=True))
    left = LeftAnswer(many=True)


class LeaguePage(Page):
    results = LeagueAnswer(many=True)


def league(of: League) -> Json:
    return {
        "slug": of.slug,
        "name": of.name,
        "description": of.description,
        "organisers": sorted(player.username for player in of.organisers.all()),
        "divisions": of.divisions,
        "division_size": of.division_size,
        "promoted": of.promoted,
        "settings": of.settings,
        "seasons": len(of.seasons.all()),
        "created_at": time(of.created_at),
    }


def season(of: Season, divisions: list[Division]) -> Json:
    return {
        "league": of.league.slug,
        "number": of.number,
        "created_at": time(of.created_at),
        "divisions": [_division(each) for each in divisions],
    }


def season_line(of: Season, shown: Iterable[Tournament]) -> Json:
    """A season as lists show it, with the divisions that are shown to the viewer."""
    slugs = [each.slug for each in shown if each.season_id == of.pk]
    return {"number": of.number, "created_at": time(of.created_at), "tournaments": slugs}


def plan(of: Plan) -> Json:
    return {
        "number": of.number,
        "divisions": [[move_as_dict(move) for move in division] for division in of.divisions],
        "left": [{"player": named(o.who), "division": o.division, "why": o.why} for o in of.left],
    }


def _division(of: Division) -> Json:
    return {
        "division": of.tournament.division,
        "tournament": of.tournament.slug,
        "name": of.tournament.name,
        "state": of.tournament.state,
        "entries": of.entries,
        "head": [placed(*each) for each in of.head],
        "promoted": [entry.name for entry in of.promoted],
        "relegated": [entry.name for entry in of.relegated],
    }

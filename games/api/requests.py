"""The bodies that the API reads: shapes only. Whether they make sense is for the services to say."""

from typing import Any

from rest_framework import serializers

from games.delivery import LONGEST_URL
from games.engine import PRESETS
from games.engine.cards import SEAT_NAMES
from games.models import LONGEST_CLOCK, LONGEST_MESSAGE, Match, Scope
from games.services.invitations import MOST_INVITED
from games.services.passwords import LONGEST_PASSWORD
from trix_site.common.pagination import PageQuery
from trix_site.common.serializers import LARGEST_INT, NumberField, StrictSerializer


def player_name() -> serializers.CharField:
    return serializers.CharField(max_length=150, help_text="In any case.")


def password_field() -> serializers.CharField:
    return serializers.CharField(max_length=LONGEST_PASSWORD, trim_whitespace=False, write_only=True)


class RegisterRequest(StrictSerializer):
    username = serializers.CharField(
        max_length=300, trim_whitespace=False, help_text="At most 60 characters."
    )
    password = password_field()
    email = serializers.EmailField(max_length=254, required=False, default="")
    is_bot = serializers.BooleanField(
        default=False, help_text="A program plays for this account. This cannot be taken back."
    )


class TokenRequest(StrictSerializer):
    username = serializers.CharField(max_length=150, trim_whitespace=False)
    password = password_field()
    name = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(Scope.choices),
        min_length=1,
        max_length=len(Scope),
        required=False,
        help_text="What it may be used for; without this, for everything.",
    )
    expires_in = serializers.IntegerField(
        min_value=1, max_value=365, required=False, default=90, help_text="Days."
    )


class PasswordRequest(StrictSerializer):
    password = password_field()
    new_password = password_field()


class EmailRequest(StrictSerializer):
    password = password_field()
    email = serializers.EmailField(max_length=254, allow_blank=True, help_text="Empty for none.")


class CloseRequest(StrictSerializer):
    password = password_field()


class ResetRequest(StrictSerializer):
    email = serializers.EmailField(max_length=254)


class ConfirmRequest(StrictSerializer):
    uid = serializers.CharField(max_length=40, help_text="From the link in the e-mail.")
    token = serializers.CharField(max_length=100, help_text="From the link in the e-mail.")
    password = password_field()


class ClockRequest(StrictSerializer):
    """Seconds for each kind of action, null is no limit; and for the whole match beside, null is none."""

    choose = serializers.IntegerField(min_value=1, max_value=LONGEST_CLOCK, allow_null=True, default=None)
    double = serializers.IntegerField(min_value=1, max_value=LONGEST_CLOCK, allow_null=True, default=None)
    play = serializers.IntegerField(min_value=1, max_value=LONGEST_CLOCK, allow_null=True, default=None)
    bank = serializers.IntegerField(
        min_value=1,
        max_value=LONGEST_CLOCK,
        allow_null=True,
        default=None,
        help_text="For each player, used up by what his actions take beyond the clock.",
    )


def clock_fields(body: dict[str, Any]) -> dict[str, Any]:
    """Take the clock out of a body that was read: its parts, under the names of the models' fields."""
    return {f"clock_{part}": seconds for part, seconds in body.pop("clock", {}).items()}


class OpenRequest(StrictSerializer):
    rules = serializers.CharField(max_length=40, help_text=f"One of {', '.join(PRESETS)}.")
    options = serializers.DictField(default=dict, help_text="What differs from the rules.")
    visibility = serializers.ChoiceField(Match.Visibility.choices, default=Match.Visibility.PUBLIC)
    clock = ClockRequest(required=False)
    on_timeout = serializers.ChoiceField(Match.OnTimeout.choices, default=Match.OnTimeout.BOT)
    bot_delay = NumberField(min_value=0, max_value=60, default=0.0)
    hands_delay = serializers.IntegerField(
        min_value=0,
        max_value=LONGEST_CLOCK,
        allow_null=True,
        default=0,
        help_text="Seconds after a deal until others get its hands; null: after the match.",
    )
    rated = serializers.BooleanField(default=True)
    seat = serializers.ChoiceField(SEAT_NAMES, default="S")
    bots = serializers.ListField(
        child=serializers.CharField(max_length=20), max_length=3, default=list, help_text="Levels to seat."
    )
    invite = serializers.ListField(
        child=player_name(), max_length=MOST_INVITED, default=list, help_text="Players to invite, by name."
    )


class JoinRequest(StrictSerializer):
    join_code = serializers.CharField(max_length=40, required=False, default="", allow_blank=True)
    seat = serializers.ChoiceField(SEAT_NAMES, required=False, default=None, allow_null=True)


class InviteRequest(StrictSerializer):
    player = player_name()


class AbortRequest(StrictSerializer):
    agree = serializers.BooleanField(default=True, help_text="False takes it back.")


class StartRequest(StrictSerializer):
    bots = serializers.CharField(max_length=20, default="greedy", help_text="What fills free seats.")


class ActionRequest(StrictSerializer):
    action = serializers.CharField(max_length=60, trim_whitespace=False)
    version = serializers.IntegerField(min_value=0, max_value=LARGEST_INT)


class SayRequest(StrictSerializer):
    text = serializers.CharField(max_length=LONGEST_MESSAGE, help_text="One to ten lines.")


class ReportRequest(StrictSerializer):
    reason = serializers.CharField(
        max_length=300, required=False, default="", allow_blank=True, help_text="One line."
    )


class ChatQuery(serializers.Serializer):
    after = serializers.IntegerField(
        min_value=0, max_value=2**63 - 1, default=0, help_text="The id of the last message that you have."
    )


class EventsQuery(serializers.Serializer):
    after = serializers.IntegerField(min_value=0, max_value=LARGEST_INT, default=0)


class RecordQuery(serializers.Serializer):
    analysis = serializers.BooleanField(default=False, help_text="With the mistakes as comments, once ready.")


class AnalysisQuery(serializers.Serializer):
    deal = serializers.IntegerField(min_value=1, max_value=20, required=False, default=None, allow_null=True)
    seat = serializers.ChoiceField(SEAT_NAMES, required=False, default=None, allow_null=True)
    mistakes = serializers.BooleanField(default=False, help_text="No decisions but these.")


class ListQuery(PageQuery):
    mine = serializers.BooleanField(default=False, help_text="Yours, in any state.")
    status = serializers.ChoiceField(Match.Status.choices, required=False, default=None, allow_null=True)


class WebhookRequest(StrictSerializer):
    url = serializers.CharField(
        max_length=LONGEST_URL, help_text="Begins with https:// and leads to a public address."
    )
    events = serializers.ListField(
        child=serializers.CharField(max_length=40), max_length=20, default=list, help_text="Empty: all."
    )

"""What the answers look like, for the OpenAPI description. `answers` builds them; nothing here runs."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers

from games.engine import Contract, Phase
from games.models import Analysis as Stored
from games.models import Match, Scope
from trix_site.common.schemas import Page

CARD = "Rank, then suit, as in KH or TS."


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "games.api.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, object]:
        scopes = " ".join(f"`{value}`: {label}." for value, label in Scope.choices)
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of POST auth/tokens/. It reads what its player may see; writing takes the"
            f" scope that the operation names. {scopes}",
        }


def seat_field(**options: Any) -> serializers.RegexField:
    return serializers.RegexField("^[SENW]$", **options)


def contract_field(**options: Any) -> serializers.RegexField:
    return serializers.RegexField(f"^({'|'.join(contract.text for contract in Contract)})$", **options)


class Points(serializers.Serializer):
    """Points by seat."""

    S = serializers.IntegerField()
    E = serializers.IntegerField()
    N = serializers.IntegerField()
    W = serializers.IntegerField()


class Account(serializers.Serializer):
    name = serializers.CharField()
    is_bot = serializers.BooleanField(help_text="A program plays for this account.")


class AccountEmail(Account):
    email = serializers.EmailField(allow_blank=True)


class Token(serializers.Serializer):
    code = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    scopes = serializers.ListField(child=serializers.ChoiceField(Scope.choices))
    created = serializers.DateTimeField()
    expiry = serializers.DateTimeField(allow_null=True)


class NewToken(Token):
    token = serializers.CharField(help_text="Shown this once.")


class CurrentToken(Token):
    player = Account()


class Clock(serializers.Serializer):
    """Seconds; null is no limit, and for the bank none."""

    choose = serializers.IntegerField(allow_null=True)
    double = serializers.IntegerField(allow_null=True)
    play = serializers.IntegerField(allow_null=True)
    bank = serializers.IntegerField(allow_null=True, help_text="For each player, for the whole match.")


class Banks(serializers.Serializer):
    """Seconds left by seat, to a tenth."""

    S = serializers.FloatField()
    E = serializers.FloatField()
    N = serializers.FloatField()
    W = serializers.FloatField()


class Sitter(serializers.Serializer):
    """A seat: a player, a house bot's level, or nobody yet."""

    seat = seat_field()
    player = Account(allow_null=True)
    bot = serializers.CharField(allow_null=True)
    away = serializers.BooleanField(help_text="A bot plays on for the absent player.")
    gone = serializers.BooleanField(
        help_text="The player followed the match by a stream, and has had none open for 45 seconds."
    )
    resigned = serializers.BooleanField(help_text="To the end.")
    agrees_to_abort = serializers.BooleanField(help_text="Its player would call the match off.")


class Result(serializers.Serializer):
    number = serializers.IntegerField()
    owner = seat_field()
    contract = contract_field()
    scores = Points()


class Play(serializers.Serializer):
    seat = seat_field()
    action = serializers.CharField()


class Trick(serializers.Serializer):
    leader = seat_field()
    cards = serializers.ListField(child=serializers.CharField())


class DealView(serializers.Serializer):
    number = serializers.IntegerField()
    of = serializers.IntegerField()
    owner = seat_field()
    contract = contract_field(allow_null=True)
    remaining = serializers.ListField(child=contract_field())
    redealt = serializers.BooleanField()
    doubled = serializers.DictField(child=seat_field(), help_text="Card to seat, once revealed.")
    plays = Play(many=True)
    counts = Points(help_text="Cards held.")
    trick = Trick(allow_null=True)
    tricks = Points(allow_null=True)
    taken = serializers.DictField(child=serializers.ListField(child=serializers.CharField()), allow_null=True)
    layout = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(), allow_null=True),
        allow_null=True,
        help_text="By suit, the lowest and highest card of the row.",
    )
    out = serializers.ListField(child=seat_field(), allow_null=True)
    exposed = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), allow_null=True
    )
    scores = Points()


class Teams(serializers.Serializer):
    SN = serializers.IntegerField()
    EW = serializers.IntegerField()


class View(serializers.Serializer):
    """What a seat, or a spectator, may know. `to_act` is null while doubling, whoever is asked."""

    version = serializers.IntegerField()
    seat = seat_field(allow_null=True)
    phase = serializers.ChoiceField([(phase.name.lower(), phase.name.lower()) for phase in Phase])
    to_act = seat_field(allow_null=True)
    hand = serializers.ListField(child=serializers.CharField(help_text=CARD), allow_null=True)
    legal = serializers.ListField(child=serializers.CharField())
    my_double = serializers.ListField(child=serializers.CharField(), allow_null=True)
    deal = DealView()
    results = Result(many=True)
    totals = Points()
    teams = Teams(allow_null=True)
    over = serializers.BooleanField()
    winners = serializers.ListField(child=seat_field())
    tie = serializers.ChoiceField([("shared", "shared"), ("draw", "draw")], allow_null=True)


class Listed(serializers.Serializer):
    """A match as lists show it."""

    code = serializers.CharField()
    status = serializers.ChoiceField(Match.Status.choices)
    rules = serializers.CharField()
    options = serializers.DictField()
    visibility = serializers.ChoiceField(Match.Visibility.choices)
    rated = serializers.BooleanField()
    opened_by = serializers.CharField(allow_null=True)
    clock = Clock()
    on_timeout = serializers.ChoiceField(Match.OnTimeout.choices)
    bot_delay = serializers.FloatField()
    hands_delay = serializers.IntegerField(
        allow_null=True,
        help_text="Seconds after a deal until others get its hands in the record; null: after the match.",
    )
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    seats = Sitter(many=True)
    you = seat_field(allow_null=True)
    version = serializers.IntegerField()
    totals = Points()
    winners = serializers.ListField(child=seat_field())
    rematch = serializers.CharField(allow_null=True, help_text="The code of the match opened after this one.")


class ListedPage(Page):
    results = Listed(many=True)


class Table(Listed):
    """A match with all that the caller may know of it."""

    join_code = serializers.CharField(allow_null=True, help_text="For its players, where one is needed.")
    invited = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="For its players: who has been asked to sit down and has not answered.",
    )
    commitment = serializers.CharField(help_text="SHA-256 of the secret, in hex.")
    secret = serializers.CharField(
        allow_null=True, help_text="Hex, once nothing still played follows from it."
    )
    deadline = serializers.DateTimeField(allow_null=True)
    banks = Banks(allow_null=True, help_text="At the last public action; null without a time bank.")
    view = View(allow_null=True)


class Waiting(Listed):
    to_act = seat_field(allow_null=True)
    your_turn = serializers.BooleanField()


class Invited(serializers.Serializer):
    """An invitation that waits for your answer: `join/` the match, or DELETE its `invitations/{you}/`."""

    match = Listed()
    by = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField()


class Me(Account):
    matches = Waiting(many=True)
    invitations = Invited(many=True)


class Message(serializers.Serializer):
    id = serializers.IntegerField()
    player = Account(allow_null=True)
    text = serializers.CharField()
    at = serializers.DateTimeField()


class Chat(serializers.Serializer):
    messages = Message(many=True)


class Muted(serializers.Serializer):
    player = Account()
    at = serializers.DateTimeField()


class MutedPage(Page):
    results = Muted(many=True)


class Move(serializers.Serializer):
    match = serializers.CharField()
    version = serializers.IntegerField()
    deadline = serializers.DateTimeField(allow_null=True)
    view = View()


class NextDeal(serializers.Serializer):
    number = serializers.IntegerField()
    owner = seat_field()


class Event(serializers.Serializer):
    """One public action. While doubling there is none until all doubles are revealed, by nobody."""

    version = serializers.IntegerField(help_text="Of the match after it.")
    deal = serializers.IntegerField()
    seat = seat_field(allow_null=True)
    action = serializers.CharField(allow_null=True)
    doubled = serializers.DictField(child=seat_field(), allow_null=True)
    at = serializers.DateTimeField()
    result = Result(allow_null=True)
    next_deal = NextDeal(allow_null=True)


class Events(serializers.Serializer):
    version = serializers.IntegerField(help_text="Of the last event, or the one asked for.")
    events = Event(many=True)


class Candidate(serializers.Serializer):
    action = serializers.CharField()
    points = serializers.FloatField(
        help_text="Expected: the seat's less the mean of the others', or by sides."
    )
    error = serializers.FloatField(help_text="Standard error of the points; 1.96 of them are the interval.")
    worlds = serializers.IntegerField(
        help_text="How many deals were tried; few where it was soon far behind."
    )


class Decision(serializers.Serializer):
    """What a seat did where it had a choice. Cards that are alike share their points."""

    deal = serializers.IntegerField()
    version = serializers.IntegerField(help_text="Of the match, before it.")
    play = serializers.IntegerField(allow_null=True, help_text="The how-manieth of the deal.")
    seat = seat_field()
    played = serializers.CharField()
    best = serializers.CharField(help_text="What the bot would have done.")
    lost = serializers.FloatField(help_text="Points by which what was played is worth less than the best.")
    error = serializers.FloatField(help_text="Standard error of `lost`.")
    mistake = serializers.BooleanField(help_text="At least 3 points lost, and beyond the interval.")
    candidates = Candidate(many=True)


class Sums(serializers.Serializer):
    decisions = serializers.IntegerField()
    mistakes = serializers.IntegerField()
    lost = serializers.FloatField(help_text="Points, by mistakes.")
    lost_per_deal = serializers.FloatField()


class SumsBySeat(serializers.Serializer):
    S = Sums()
    E = Sums()
    N = Sums()
    W = Sums()


class AnalysisState(serializers.Serializer):
    match = serializers.CharField()
    state = serializers.ChoiceField(Stored.State.choices)
    asked_at = serializers.DateTimeField()
    done_at = serializers.DateTimeField(allow_null=True)
    deals = serializers.IntegerField(help_text="How many are analysed.")


class Analysis(AnalysisState):
    """`seats` and `decisions` are null until it is ready."""

    seats = SumsBySeat(allow_null=True)
    decisions = Decision(many=True, allow_null=True)


class Webhook(serializers.Serializer):
    """`active` is false once nothing that was sent there was taken."""

    code = serializers.CharField()
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.CharField(), help_text="Empty: all.")
    active = serializers.BooleanField()
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()


class NewWebhook(Webhook):
    key = serializers.CharField(help_text="What signatures are checked with. Shown this once.")


class Delivery(serializers.Serializer):
    """One event for one webhook, and what came of the last attempt to send it."""

    id = serializers.CharField(help_text="The header webhook-id.")
    event = serializers.CharField()
    data = serializers.DictField()  # type: ignore[assignment]  # the name of a property of Serializer
    status = serializers.CharField(help_text="pending, delivered, or failed: given up")
    attempts = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    sent_at = serializers.DateTimeField(allow_null=True)
    due_at = serializers.DateTimeField(allow_null=True, help_text="When it is sent next.")
    response_status = serializers.IntegerField(allow_null=True)
    response = serializers.CharField(allow_blank=True, help_text="How the answer begins, or what failed.")


class DeliveryPage(Page):
    results = Delivery(many=True)

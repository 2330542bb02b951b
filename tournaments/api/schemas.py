"""The shapes of `answers`, for the OpenAPI description; nothing is computed here."""

from rest_framework import serializers

from games.api.schemas import Account, Clock, Points
from trix_site.common.schemas import Page


class Tournament(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    state = serializers.CharField(help_text="draft, registration, running, finished or cancelled")
    visibility = serializers.CharField()
    rules = serializers.CharField()
    options = serializers.DictField()
    rounds_planned = serializers.IntegerField()
    metrics = serializers.ListField(child=serializers.CharField())
    clock = Clock()
    on_timeout = serializers.CharField()
    bot_level = serializers.CharField()
    bot_delay = serializers.FloatField()
    rated = serializers.BooleanField()
    same_cards = serializers.BooleanField()
    automatic = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class You(serializers.Serializer):
    organiser = serializers.BooleanField()
    entry = serializers.CharField(allow_null=True, help_text="active, withdrawn, or null: not entered")
    match = serializers.CharField(allow_null=True, help_text="Your running match here.")


class OpenedTournament(Tournament):
    organisers = serializers.ListField(child=serializers.CharField())
    entries = serializers.IntegerField(help_text="How many are active.")
    rounds_closed = serializers.IntegerField()
    you = You(allow_null=True)


class Entry(serializers.Serializer):
    player = Account()
    state = serializers.CharField()
    entered_at = serializers.DateTimeField()


class TournamentSeat(serializers.Serializer):
    seat = serializers.CharField()
    player = Account(allow_null=True)
    bot = serializers.CharField(allow_null=True, help_text="The house bot's level.")
    you = serializers.BooleanField()


class TableResult(serializers.Serializer):
    id = serializers.IntegerField()
    scores = Points()
    source = serializers.CharField(help_text="played or entered")  # type: ignore[assignment]
    reason = serializers.CharField()
    at = serializers.DateTimeField()


class TournamentTable(serializers.Serializer):
    round = serializers.IntegerField()
    number = serializers.IntegerField()
    seats = TournamentSeat(many=True)
    match = serializers.CharField(allow_null=True)
    status = serializers.CharField(allow_null=True)
    totals = Points(allow_null=True, help_text="The scores of the deals that are over.")
    result = TableResult(allow_null=True, help_text="The result that counts.")


class Round(serializers.Serializer):
    number = serializers.IntegerField()
    state = serializers.CharField(help_text="drawn, published or closed")
    drawn_at = serializers.DateTimeField()
    published_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)


class DrawReport(serializers.Serializer):
    cost = serializers.IntegerField()
    mean_spread = serializers.FloatField()
    max_spread = serializers.FloatField()
    repeats = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    consecutive = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    partner_repeats = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    seat_imbalance = serializers.IntegerField()
    neighbour_repeats = serializers.IntegerField()
    bot_tables = serializers.IntegerField()
    at_bot_tables = serializers.ListField(child=serializers.CharField())
    steps = serializers.IntegerField()


class OpenedRound(Round):
    tables = TournamentTable(many=True)
    report = DrawReport()


class Standing(serializers.Serializer):
    rank = serializers.IntegerField()
    player = Account()
    state = serializers.CharField()
    played = serializers.IntegerField()
    values = serializers.DictField(child=serializers.FloatField())


class Standings(serializers.Serializer):
    tournament = serializers.CharField()
    state = serializers.CharField()
    live = serializers.BooleanField()
    metrics = serializers.ListField(child=serializers.CharField())
    standings = Standing(many=True)


class Logged(serializers.Serializer):
    at = serializers.DateTimeField()
    actor = serializers.CharField(allow_null=True, help_text="null: the service itself")
    action = serializers.CharField()
    data = serializers.DictField()  # type: ignore[assignment]


class TournamentPage(Page):
    results = Tournament(many=True)


class EntryPage(Page):
    results = Entry(many=True)


class LogPage(Page):
    results = Logged(many=True)

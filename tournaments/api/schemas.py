"""The shapes of `answers`, for the OpenAPI description; nothing is computed here."""

from rest_framework import serializers

from games.api.schemas import Account, Clock, Points
from trix_site.common.schemas import Page


class Stage(serializers.Serializer):
    number = serializers.IntegerField()
    format = serializers.CharField(help_text="swiss, round_robin, knockout or arena")
    rounds = serializers.IntegerField(allow_null=True)
    groups = serializers.IntegerField()
    cut = serializers.IntegerField(allow_null=True)
    advance = serializers.IntegerField()
    minutes = serializers.IntegerField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True, help_text="Of an arena that has begun.")


class Tournament(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    state = serializers.CharField(help_text="draft, registration, running, finished or cancelled")
    visibility = serializers.CharField()
    rules = serializers.CharField()
    options = serializers.DictField()
    pairs = serializers.BooleanField(help_text="Entries are fixed pairs.")
    cap = serializers.IntegerField(allow_null=True)
    fill = serializers.CharField(help_text="bots, byes or short")
    place_points = serializers.ListField(child=serializers.IntegerField())
    bye_points = serializers.FloatField()
    weights = serializers.DictField(help_text="Costs of draws that differ from the usual.")
    grace = serializers.IntegerField(allow_null=True, help_text="Seconds.")
    time_zone = serializers.CharField()
    rounds_planned = serializers.IntegerField(allow_null=True, help_text="null: a stage ends by itself")
    stages = Stage(many=True)
    metrics = serializers.ListField(child=serializers.CharField())
    clock = Clock()
    on_timeout = serializers.CharField()
    bot_level = serializers.CharField()
    bot_delay = serializers.FloatField()
    rated = serializers.BooleanField()
    same_cards = serializers.BooleanField()
    automatic = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    check_in_at = serializers.DateTimeField(allow_null=True, help_text="When the check-in was opened.")
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class You(serializers.Serializer):
    organiser = serializers.BooleanField()
    entry = serializers.CharField(
        allow_null=True, help_text="active, waiting, withdrawn, disqualified, or null: not entered"
    )
    checked_in = serializers.BooleanField()
    match = serializers.CharField(allow_null=True, help_text="Your running match here.")


class OpenedTournament(Tournament):
    organisers = serializers.ListField(child=serializers.CharField())
    assistants = serializers.ListField(child=serializers.CharField())
    referees = serializers.ListField(child=serializers.CharField())
    join_code = serializers.CharField(allow_null=True, help_text="For officials, where entering takes one.")
    entries = serializers.IntegerField(help_text="How many are active.")
    waiting = serializers.IntegerField(help_text="How many are on the waiting list.")
    rounds_closed = serializers.IntegerField()
    you = You(allow_null=True)


class Placed(serializers.Serializer):
    rank = serializers.IntegerField()
    player = Account()
    partner = Account(allow_null=True)


class RankingPage(Page):
    results = Placed(many=True)


class Performed(serializers.Serializer):
    rank = serializers.IntegerField()
    player = Account()
    performance = serializers.FloatField(allow_null=True, help_text="null: met nobody with a rating.")
    matches = serializers.IntegerField(help_text="Rated matches that count.")
    opponents = serializers.FloatField(allow_null=True, help_text="Their mean rating, one term a meeting.")


class PerformancePage(Page):
    results = Performed(many=True)


class FinishedTournament(OpenedTournament):
    ranking = Placed(many=True, help_text="Those of the last stage first, then who went out before it.")


class StartedStage(serializers.Serializer):
    stage = Stage()
    entries = serializers.ListField(child=serializers.CharField(), help_text="By name, the first seed first.")
    by_seed = serializers.ListField(
        child=serializers.CharField(), help_text="Equal at the cut: their seeds alone decided."
    )


class RoundDate(serializers.Serializer):
    number = serializers.IntegerField()
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(allow_null=True)


class Dates(serializers.Serializer):
    time_zone = serializers.CharField(help_text="In which people are shown them.")
    dates = RoundDate(many=True)


class Entry(serializers.Serializer):
    player = Account()
    partner = Account(allow_null=True)
    state = serializers.CharField(help_text="active, waiting, withdrawn or disqualified")
    seed_rating = serializers.FloatField(allow_null=True)
    entered_at = serializers.DateTimeField()
    checked_in_at = serializers.DateTimeField(allow_null=True)


class BadLine(serializers.Serializer):
    line = serializers.IntegerField(help_text="Its number in the file.")
    text = serializers.CharField()
    code = serializers.CharField()
    detail = serializers.CharField(help_text="What is wrong, and what would be right.")


class Imported(serializers.Serializer):
    entered = serializers.BooleanField(help_text="false: a preview, nothing was done")
    entries = serializers.IntegerField(help_text="How many are entered, or could be.")
    waiting = serializers.IntegerField(help_text="How many of them wait: beyond the cap.")
    bad = BadLine(many=True, help_text="Of a preview: with any of these nobody can be entered.")


class Penalty(serializers.Serializer):
    id = serializers.IntegerField()
    stage = serializers.IntegerField()
    player = Account()
    partner = Account(allow_null=True)
    points = serializers.FloatField(help_text="Below 0: a penalty; above: a bonus.")
    reason = serializers.CharField()
    given_by = serializers.CharField(allow_null=True)
    given_at = serializers.DateTimeField()
    revoked_by = serializers.CharField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)


class TournamentSeat(serializers.Serializer):
    seat = serializers.CharField()
    player = Account(allow_null=True, help_text="Who really sits there.")
    stands_in_for = Account(allow_null=True, help_text="For whom a substitute sits here.")
    no_show = serializers.BooleanField()
    bot = serializers.CharField(allow_null=True, help_text="The house bot's level.")
    you = serializers.BooleanField()


class Scores(serializers.Serializer):
    """Match scores by seat; null: nobody sat there."""

    S = serializers.IntegerField(allow_null=True)
    E = serializers.IntegerField(allow_null=True)
    N = serializers.IntegerField(allow_null=True)
    W = serializers.IntegerField(allow_null=True)


class TableResult(serializers.Serializer):
    id = serializers.IntegerField()
    scores = Scores(allow_null=True, help_text="null: annulled")
    source = serializers.CharField(help_text="played, entered, imported or annulled")  # type: ignore[assignment]
    reason = serializers.CharField()
    at = serializers.DateTimeField()


class TournamentTable(serializers.Serializer):
    round = serializers.IntegerField()
    number = serializers.IntegerField()
    group = serializers.IntegerField()
    seats = TournamentSeat(many=True)
    match = serializers.CharField(allow_null=True)
    status = serializers.CharField(allow_null=True)
    totals = Points(allow_null=True, help_text="The scores of the deals that are over.")
    result = TableResult(allow_null=True, help_text="The result that counts.")


class Round(serializers.Serializer):
    number = serializers.IntegerField()
    stage = serializers.IntegerField()
    state = serializers.CharField(help_text="drawn, published or closed")
    version = serializers.IntegerField(help_text="Edits of the draw by hand.")
    drawn_at = serializers.DateTimeField()
    published_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)


class DrawReport(serializers.Serializer):
    group = serializers.IntegerField()
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
    byes = serializers.ListField(child=serializers.CharField())
    second_bots = serializers.ListField(child=serializers.CharField())
    table_costs = serializers.ListField(child=serializers.IntegerField())
    from_plan = serializers.BooleanField(help_text="Whether the tables are those of a round robin's plan.")
    steps = serializers.IntegerField()


class DrawEdit(serializers.Serializer):
    version = serializers.IntegerField(help_text="Of the round now.")
    stored = serializers.BooleanField()
    moved = serializers.ListField(child=serializers.CharField(), help_text="Who moves where, in words.")
    before = DrawReport()
    after = DrawReport()


class OpenedRound(Round):
    tables = TournamentTable(many=True)
    reports = DrawReport(many=True)


class Standing(serializers.Serializer):
    rank = serializers.IntegerField()
    player = Account()
    partner = Account(allow_null=True)
    state = serializers.CharField()
    played = serializers.IntegerField()
    values = serializers.DictField(child=serializers.FloatField())


class StandingsOf(serializers.Serializer):
    tournament = serializers.CharField()
    state = serializers.CharField()
    stage = serializers.IntegerField(allow_null=True, help_text="null: no stage has begun")
    group = serializers.IntegerField(allow_null=True, help_text="null: all groups")
    live = serializers.BooleanField()
    metrics = serializers.ListField(child=serializers.CharField())


class Standings(StandingsOf):
    count = serializers.IntegerField(help_text="Of all lines.")
    next = serializers.URLField(allow_null=True, help_text="The next page.")
    previous = serializers.URLField(allow_null=True)
    standings = Standing(many=True)


class Appearance(serializers.Serializer):
    round = serializers.IntegerField()
    score = serializers.IntegerField()
    place = serializers.IntegerField()
    points = serializers.FloatField()
    opponents = serializers.ListField(child=serializers.CharField(allow_null=True), help_text="null: a bot")


class ComparedStanding(Standing):
    adjustment = serializers.FloatField(help_text="Penalties and bonuses, in the first metric.")
    byes = serializers.IntegerField()
    tables = Appearance(many=True)


class Comparison(StandingsOf):
    sentence = serializers.CharField(help_text="Why, in words.")
    equal = serializers.ListField(child=serializers.CharField(), help_text="Metrics that are equal.")
    metric = serializers.CharField(allow_null=True, help_text="The first that differs, and decides.")
    above = ComparedStanding()
    below = ComparedStanding()


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

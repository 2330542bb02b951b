"""Tournaments, their stages, and the dates of their rounds."""

import random
import secrets
from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.engine import Options, options_for
from games.models import LONGEST_CLOCK, Match, Player
from tournaments.models.leagues import Season
from tournaments.standings import DEFAULT_METRICS, TABLE_POINTS

MOST_ROUNDS = 99
MOST_WAVES = 30_000  # rounds of an arena
MOST_ENTRIES = 10_000
MOST_STAGES = 5
LONGEST_ARENA = 7 * 24 * 60  # minutes


def new_seed() -> int:
    return secrets.randbits(62)


def default_metrics() -> list[str]:
    return list(DEFAULT_METRICS)


def default_points() -> list[int]:
    return list(TABLE_POINTS)


def _clock(help_text: str) -> models.PositiveIntegerField:
    limits = [MinValueValidator(1), MaxValueValidator(LONGEST_CLOCK)]
    return models.PositiveIntegerField(null=True, blank=True, validators=limits, help_text=help_text)


class Tournament(models.Model):
    """A tournament, from draft to final standings. How its rounds are played say its stages."""

    class State(models.TextChoices):
        DRAFT = "draft", "Draft"
        REGISTRATION = "registration", "Registration"
        RUNNING = "running", "Running"
        FINISHED = "finished", "Finished"
        CANCELLED = "cancelled", "Cancelled"

    BEFORE_START = (State.DRAFT, State.REGISTRATION)
    NOT_OVER = (*BEFORE_START, State.RUNNING)
    OVER = (State.FINISHED, State.CANCELLED)

    class Visibility(models.TextChoices):
        PUBLIC = "public", "Public: listed"
        UNLISTED = "unlisted", "Unlisted: for those who have the address"
        CODE = "code", "By code: listed, a code is needed to enter"

    class Fill(models.TextChoices):
        """What becomes of those whom four does not divide."""

        BOTS = "bots", "Bots fill the tables"
        BYES = "byes", "Byes: those left over sit out"
        SHORT = "short", "Tables of three: played elsewhere, results entered by hand"

    name = models.CharField(max_length=100)
    slug = models.SlugField(
        max_length=60, unique=True, blank=True, help_text="The address; empty: made from the name."
    )
    description = models.TextField(blank=True, max_length=2000)
    state = models.CharField(max_length=12, choices=State, default=State.DRAFT, editable=False)
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    join_code = models.CharField(max_length=10, blank=True, editable=False)
    organisers = models.ManyToManyField(
        Player, related_name="organised_tournaments", blank=True, help_text="May do everything."
    )
    assistants = models.ManyToManyField(
        Player, related_name="+", blank=True, help_text="Run it: entries, check-in, draws and rounds."
    )
    referees = models.ManyToManyField(
        Player, related_name="+", blank=True, help_text="Judge: results, penalties, substitutes, no-shows."
    )
    rules = models.CharField(max_length=40, default="cardkings-complex")
    options = models.JSONField(
        default=dict, blank=True, help_text='House rules that differ from the preset: {"early_end": false}'
    )
    pairs = models.BooleanField(
        "fixed pairs",
        default=False,
        help_text="For rules with partners: players enter two by two; otherwise partners rotate.",
    )
    cap = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(2), MaxValueValidator(MOST_ENTRIES)],
        help_text="Most entries; further ones wait. Empty: no limit.",
    )
    fill = models.CharField("if four does not divide them", max_length=10, choices=Fill, default=Fill.BOTS)
    metrics = ArrayField(
        models.CharField(max_length=20),
        default=default_metrics,
        help_text="What ranks the entries, in order.",
    )
    place_points = ArrayField(
        models.PositiveSmallIntegerField(validators=[MaxValueValidator(100)]),
        size=4,
        default=default_points,
        help_text="Table points of the four places.",
    )
    bye_points = models.DecimalField(
        max_digits=5,
        decimal_places=2,
        default=Decimal("1.75"),
        validators=[MinValueValidator(0), MaxValueValidator(100)],
        help_text="Table points of a bye, in quarters; 1.75 is what a seat gets on average.",
    )
    weights = models.JSONField(
        default=dict, blank=True, help_text='Costs of draws that differ from the usual: {"meeting": 9000}'
    )
    clock_choose = _clock("Seconds to choose a contract; empty: no limit.")
    clock_double = _clock("Seconds to answer about doubling; empty: no limit.")
    clock_play = _clock("Seconds for a card; empty: no limit.")
    clock_bank = _clock("Seconds that each player has for a whole match beyond those; empty: none.")
    on_timeout = models.CharField(
        "when time runs out", max_length=10, choices=Match.OnTimeout, default=Match.OnTimeout.BOT
    )
    grace = _clock("Seconds after which a bot plays for who has not come to the table; empty: never.")
    bot_level = models.CharField(
        max_length=20, default="greedy", help_text="Of the bots that fill tables up to four."
    )
    bot_delay = models.FloatField(
        default=0,
        validators=[MinValueValidator(0), MaxValueValidator(60)],
        help_text="Seconds between moves of bots.",
    )
    rated = models.BooleanField(default=True)
    same_cards = models.BooleanField(
        default=False, help_text="All tables of a round play the same cards (duplicate)."
    )
    automatic = models.BooleanField(
        default=False,
        help_text="Rounds run by themselves, and the last one ends it.",
    )
    time_zone = models.CharField(
        max_length=40, default="UTC", help_text="In which its dates are shown: Asia/Beirut."
    )
    seed = models.BigIntegerField(
        default=new_seed, help_text="Every draw follows from it and from the results."
    )
    draws_made = models.PositiveIntegerField(default=0, editable=False)
    season = models.ForeignKey(
        Season,
        null=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="tournaments",
        db_index=False,
    )
    division = models.PositiveSmallIntegerField(null=True, editable=False, help_text="1: the strongest.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    check_in_at = models.DateTimeField(null=True, editable=False)
    started_at = models.DateTimeField(null=True, editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["draft", "registration", "running", "finished", "cancelled"]),
                name="tournament_state",
            ),
            models.CheckConstraint(
                condition=Q(visibility__in=["public", "unlisted", "code"]), name="tournament_visibility"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="tournament_named"),
            models.CheckConstraint(condition=Q(on_timeout__in=["bot", "wait"]), name="tournament_on_timeout"),
            models.CheckConstraint(condition=Q(fill__in=["bots", "byes", "short"]), name="tournament_fill"),
            models.CheckConstraint(
                condition=Q(cap=None) | Q(cap__gte=2, cap__lte=MOST_ENTRIES), name="tournament_cap"
            ),
            models.CheckConstraint(
                condition=Q(bot_delay__gte=0, bot_delay__lte=60), name="tournament_bot_delay"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["finished", "cancelled"], ended_at__isnull=False)
                | (~Q(state__in=["finished", "cancelled"]) & Q(ended_at=None)),
                name="tournament_ended_at",
            ),
            models.CheckConstraint(
                condition=~Q(visibility="code") | ~Q(join_code=""), name="tournament_join_code"
            ),
            models.CheckConstraint(
                condition=Q(place_points__len=4, bye_points__gte=0, bye_points__lte=100),
                name="tournament_points",
            ),
            models.CheckConstraint(condition=Q(metrics__len__gte=1), name="tournament_metrics"),
            models.UniqueConstraint(fields=["season", "division"], name="tournament_division_once"),
            models.CheckConstraint(
                condition=Q(season=None, division=None)
                | Q(season__isnull=False, division__isnull=False, division__gte=1),
                name="tournament_division",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def engine_options(self) -> Options:
        return options_for(self.rules, self.options)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @property
    def rounds_planned(self) -> int | None:
        """In all stages; None where one ends by itself."""
        rounds = [stage.rounds for stage in self.stages.all()]
        return None if None in rounds else sum(filter(None, rounds))

    def draw_seed(self) -> int:
        """The seed of the next draw: another one after a draw was dropped."""
        return random.Random(f"{self.seed}:{self.draws_made}").getrandbits(62)


class Stage(models.Model):
    """A part of a tournament in one format. Its standings count its own rounds alone."""

    class Format(models.TextChoices):
        SWISS = "swiss", "Swiss"
        ROUND_ROBIN = "round_robin", "Round robin"
        KNOCKOUT = "knockout", "Knockout"
        ARENA = "arena", "Arena"

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="stages", db_index=False
    )
    number = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(max_length=12, choices=Format, default=Format.SWISS)
    rounds = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_ROUNDS)],
        help_text="Of a Swiss or a round robin. Others end by themselves: leave it empty.",
    )
    groups = models.PositiveSmallIntegerField(
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(1000)],
        help_text="Into which the entries are dealt, of a Swiss or a round robin.",
    )
    cut = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(2), MaxValueValidator(MOST_ENTRIES)],
        help_text="How many go on into this stage from the one before; empty: everyone.",
    )
    advance = models.PositiveSmallIntegerField(
        default=2,
        validators=[MinValueValidator(1), MaxValueValidator(3)],
        help_text="How many of a table go on, in a knockout.",
    )
    minutes = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(LONGEST_ARENA)],
        help_text="For how long an arena seats who is free.",
    )
    plan = models.JSONField(
        null=True, editable=False, help_text="A round robin's schedule; who waits in an arena."
    )
    started_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["tournament_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="stage_number_once"),
            models.UniqueConstraint(
                fields=["id", "tournament"], name="stage_of_tournament"
            ),  # For its rounds.
            models.CheckConstraint(condition=Q(number__gte=1, number__lte=MOST_STAGES), name="stage_number"),
            models.CheckConstraint(
                condition=Q(
                    format__in=["swiss", "round_robin"],
                    rounds__isnull=False,  # Else the whole is unknown, which passes.
                    rounds__gte=1,
                    rounds__lte=MOST_ROUNDS,
                )
                | Q(format__in=["knockout", "arena"], rounds=None),
                name="stage_rounds",
                violation_error_message="A Swiss and a round robin need rounds, knockouts and arenas none.",
            ),
            models.CheckConstraint(
                condition=Q(format="arena", minutes__isnull=False, minutes__gte=1)
                | (~Q(format="arena") & Q(minutes=None)),
                name="stage_minutes",
                violation_error_message="An arena needs its minutes; for any other format leave them empty.",
            ),
            models.CheckConstraint(condition=Q(advance__gte=1, advance__lte=3), name="stage_advance"),
            models.CheckConstraint(condition=Q(groups__gte=1, groups__lte=1000), name="stage_groups"),
            models.CheckConstraint(
                condition=Q(cut=None) | Q(cut__gte=2, cut__lte=MOST_ENTRIES, number__gte=2), name="stage_cut"
            ),
        ]

    def __str__(self) -> str:
        return f"Stage {self.number}: {self.get_format_display()}"

    @property
    def ends_at(self) -> datetime | None:
        """When an arena that has begun seats nobody any more; None for every other stage."""
        if self.started_at is None or self.minutes is None:
            return None
        return self.started_at + timedelta(minutes=self.minutes)


class RoundDate(models.Model):
    """When a round is to begin, and by when its tables must be over. An automatic tournament keeps to it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="dates", db_index=False)
    number = models.PositiveSmallIntegerField(
        validators=[MinValueValidator(1), MaxValueValidator(MOST_ROUNDS)]
    )
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(
        null=True, blank=True, help_text="Then bots play to the end what is not over."
    )

    class Meta:
        ordering = ["tournament_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="round_date_once"),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=MOST_ROUNDS), name="round_date_number"
            ),
            models.CheckConstraint(
                condition=Q(ends_at=None) | Q(ends_at__gt=models.F("starts_at")), name="round_date_order"
            ),
        ]

    def __str__(self) -> str:
        return f"Round {self.number}"

"""A tournament's rows. They are changed by `tournaments.services` alone; constraints are the last guard.

Nothing that standings follow from is ever deleted: entries are withdrawn, results superseded,
tournaments cancelled. Only a draw that was never published can be dropped.
"""

import random
import secrets

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.engine import Options, options_for
from games.engine.cards import SEAT_NAMES
from games.models import LONGEST_CLOCK, Match, Player
from tournaments.standings import DEFAULT_METRICS

MOST_ROUNDS = 99


def new_seed() -> int:
    return secrets.randbits(62)


def default_metrics() -> list[str]:
    return list(DEFAULT_METRICS)


def _clock(help_text: str) -> models.PositiveIntegerField:
    limits = [MinValueValidator(1), MaxValueValidator(LONGEST_CLOCK)]
    return models.PositiveIntegerField(null=True, blank=True, validators=limits, help_text=help_text)


class Tournament(models.Model):
    """A league of Swiss rounds, from draft to final standings."""

    class State(models.TextChoices):
        DRAFT = "draft", "Draft"
        REGISTRATION = "registration", "Registration"
        RUNNING = "running", "Running"
        FINISHED = "finished", "Finished"
        CANCELLED = "cancelled", "Cancelled"

    class Visibility(models.TextChoices):
        PUBLIC = "public", "Public: listed"
        UNLISTED = "unlisted", "Unlisted: for those who have the address"

    name = models.CharField(max_length=100)
    slug = models.SlugField(
        max_length=60, unique=True, blank=True, help_text="The address; empty: made from the name."
    )
    description = models.TextField(blank=True, max_length=2000)
    state = models.CharField(max_length=12, choices=State, default=State.DRAFT, editable=False)
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    organisers = models.ManyToManyField(Player, related_name="organised_tournaments", blank=True)
    rules = models.CharField(max_length=40, default="cardkings-complex")
    options = models.JSONField(
        default=dict, blank=True, help_text='House rules that differ from the preset: {"early_end": false}'
    )
    rounds_planned = models.PositiveSmallIntegerField(
        default=5, validators=[MinValueValidator(1), MaxValueValidator(MOST_ROUNDS)]
    )
    metrics = ArrayField(
        models.CharField(max_length=20),
        default=default_metrics,
        help_text="What ranks the entries, in order.",
    )
    clock_choose = _clock("Seconds to choose a contract; empty: no limit.")
    clock_double = _clock("Seconds to answer about doubling; empty: no limit.")
    clock_play = _clock("Seconds for a card; empty: no limit.")
    clock_bank = _clock("Seconds that each player has for a whole match beyond those; empty: none.")
    on_timeout = models.CharField(
        "when time runs out", max_length=10, choices=Match.OnTimeout, default=Match.OnTimeout.BOT
    )
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
    seed = models.BigIntegerField(
        default=new_seed, help_text="Every draw follows from it and from the results."
    )
    draws_made = models.PositiveIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
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
                condition=Q(visibility__in=["public", "unlisted"]), name="tournament_visibility"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="tournament_named"),
            models.CheckConstraint(condition=Q(on_timeout__in=["bot", "wait"]), name="tournament_on_timeout"),
            models.CheckConstraint(
                condition=Q(rounds_planned__gte=1, rounds_planned__lte=MOST_ROUNDS), name="tournament_rounds"
            ),
            models.CheckConstraint(
                condition=Q(bot_delay__gte=0, bot_delay__lte=60), name="tournament_bot_delay"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["finished", "cancelled"], ended_at__isnull=False)
                | (~Q(state__in=["finished", "cancelled"]) & Q(ended_at=None)),
                name="tournament_ended_at",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def engine_options(self) -> Options:
        return options_for(self.rules, self.options)

    def draw_seed(self) -> int:
        """The seed of the next draw: another one after a draw was dropped."""
        return random.Random(f"{self.seed}:{self.draws_made}").getrandbits(62)


class Entry(models.Model):
    """A player in a tournament. Withdrawn entries keep their results."""

    class State(models.TextChoices):
        ACTIVE = "active", "Active"
        WITHDRAWN = "withdrawn", "Withdrawn"

    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="entries", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    state = models.CharField(max_length=10, choices=State, default=State.ACTIVE, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    withdrawn_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name_plural = "entries"
        ordering = ["tournament_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="entry_once"),
            models.CheckConstraint(
                condition=Q(state="active", withdrawn_at=None)
                | Q(state="withdrawn", withdrawn_at__isnull=False),
                name="entry_state",
            ),
        ]

    def __str__(self) -> str:
        return self.player.username


class Round(models.Model):
    """One round. `inputs` and `report` are the draw's, so that it can be replayed and judged."""

    class State(models.TextChoices):
        DRAWN = "drawn", "Drawn, not yet published"
        PUBLISHED = "published", "Published"
        CLOSED = "closed", "Closed"

    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="rounds", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.DRAWN, editable=False)
    seed = models.BigIntegerField(editable=False)
    inputs = models.JSONField(editable=False)
    report = models.JSONField(editable=False)
    drawn_at = models.DateTimeField(default=timezone.now, editable=False)
    published_at = models.DateTimeField(null=True, editable=False)
    closed_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["tournament_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="round_number_once"),
            # Two draws at once, or a draw while a round is open, end here at the latest.
            models.UniqueConstraint(
                fields=["tournament"], condition=~Q(state="closed"), name="round_one_open"
            ),
            models.CheckConstraint(condition=Q(number__gte=1, number__lte=MOST_ROUNDS), name="round_number"),
            models.CheckConstraint(
                condition=Q(state="drawn", published_at=None, closed_at=None)
                | Q(state="published", published_at__isnull=False, closed_at=None)
                | Q(state="closed", published_at__isnull=False, closed_at__isnull=False),
                name="round_state",
            ),
        ]

    def __str__(self) -> str:
        return f"Round {self.number}"


class Table(models.Model):
    """A table of a round. Its match is made when the round is published."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables", db_index=False)
    number = models.PositiveSmallIntegerField()
    match = models.OneToOneField(Match, null=True, on_delete=models.PROTECT, related_name="table")

    class Meta:
        ordering = ["round_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="table_number_once"),
            models.UniqueConstraint(fields=["id", "round"], name="table_of_round"),  # For its seats' key.
            models.CheckConstraint(condition=Q(number__gte=1), name="table_number"),
        ]

    def __str__(self) -> str:
        return f"Table {self.number}"


class TableSeat(models.Model):
    """Who was drawn to a seat: an entry, or a house bot.

    `round` is the table's, by a foreign key over both, so that one constraint sees a whole round.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats", db_index=False)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats", db_index=False)
    index = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="seats")
    bot = models.CharField(max_length=20, blank=True)

    class Meta:
        ordering = ["table_id", "index"]
        constraints = [
            models.UniqueConstraint(fields=["table", "index"], name="table_seat_once"),
            models.UniqueConstraint(fields=["round", "entry"], name="table_seat_entry_once_a_round"),
            models.CheckConstraint(condition=Q(index__gte=0, index__lte=3), name="table_seat_index"),
            models.CheckConstraint(
                condition=Q(entry__isnull=False, bot="") | (Q(entry=None) & ~Q(bot="")),
                name="table_seat_of_entry_or_bot",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.letter} {self.name}"

    @property
    def letter(self) -> str:
        return SEAT_NAMES[self.index]

    @property
    def name(self) -> str:
        return self.entry.player.username if self.entry else f"{self.bot} bot"


class TableResult(models.Model):
    """How a table ended, in seat order. A correction supersedes a result; the old one stays."""

    class Source(models.TextChoices):
        PLAYED = "played", "Played"
        ENTERED = "entered", "Entered by hand"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="results")
    scores = ArrayField(models.IntegerField(), size=4)
    source = models.CharField(max_length=10, choices=Source)
    entered_by = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    superseded_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["table_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(superseded_at=None), name="table_result_one_counts"
            ),
            models.CheckConstraint(condition=Q(scores__len=4), name="table_result_four_scores"),
            models.CheckConstraint(
                condition=Q(source="played", entered_by=None)
                | (Q(source="entered", entered_by__isnull=False) & ~Q(reason="")),
                name="table_result_by_hand_is_someones",
            ),
        ]

    def __str__(self) -> str:
        return " / ".join(str(score) for score in self.scores)


class AuditLog(models.Model):
    """What was done to a tournament, by whom and when. A trigger refuses every change and deletion."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="log")
    actor = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="+")
    action = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        return self.action.replace("_", " ")

    @property
    def about(self) -> str:
        """The data in words, without what only programs want."""
        shown = {name: value for name, value in self.data.items() if value and name not in ("seed", "tables")}
        return ", ".join(f"{name}: {_words(value)}" for name, value in shown.items())


def _words(value: object) -> str:
    return " / ".join(map(str, value)) if isinstance(value, list) else str(value)

"""Matches: one row a match, one a seat, one a deal.

A finished match of 20 deals takes under 8 kB with all its indexes. Two things keep it there: a deal
is a packed byte string, not a row an action; and no column that changes with every move is in an
index, so that moves are heap-only updates. The sweeper therefore looks through the small partial
index of running matches instead of one on deadlines.
"""

import secrets

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.engine import Contract, Options, options_for
from games.engine.cards import SEAT_NAMES
from games.engine.shuffle import commitment
from games.models.accounts import Player
from trix_site.common.ids import new_code

LONGEST_CLOCK = 30 * 24 * 60 * 60  # seconds; correspondence

# What a clock is made of: the time for an action of each phase, and beside it one for the whole match.
CLOCK_PARTS = ("choose", "double", "play", "bank")
CLOCK_FIELDS = tuple(f"clock_{part}" for part in CLOCK_PARTS)


def new_secret() -> bytes:
    """The 256 bits that every deal of a match follows from."""
    return secrets.token_bytes(32)


def no_points() -> list[int]:
    return [0, 0, 0, 0]


class Match(models.Model):
    """One match of four seats. Its rows are changed by ``games.services`` alone, under its lock."""

    class Status(models.TextChoices):
        OPEN = "open", "Open"
        RUNNING = "running", "Running"
        FINISHED = "finished", "Finished"
        CANCELLED = "cancelled", "Cancelled"

    class Visibility(models.TextChoices):
        PUBLIC = "public", "Public: anyone may sit down"
        CODE = "code", "By code: listed, a code is needed to sit down"
        PRIVATE = "private", "Private: not listed, a code is needed"

    class OnTimeout(models.TextChoices):
        BOT = "bot", "A bot plays on"
        WAIT = "wait", "The table waits"

    UNFINISHED = (Status.OPEN, Status.RUNNING)

    # Where `games.selectors` reads it: how far the last other match with its cards is, and the rematch.
    behind: int | None
    rematch_code: str | None

    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True, editable=False)
    finished_at = models.DateTimeField(null=True, editable=False)
    deadline = models.DateTimeField(
        null=True, editable=False, help_text="When the sweeper acts for a player who has not."
    )
    bots_due = models.DateTimeField(
        null=True, editable=False, help_text="When the sweeper calls the bots again if they have not acted."
    )
    watched_until = models.DateTimeField(
        null=True, editable=False, help_text="Until when open streams want to be told of its changes."
    )
    created_by = models.ForeignKey(
        Player, null=True, editable=False, on_delete=models.SET_NULL, related_name="opened_matches"
    )
    bot_delay = models.FloatField(
        default=0,
        validators=[MinValueValidator(0), MaxValueValidator(60)],
        help_text="Seconds between moves of bots.",
    )
    version = models.IntegerField(default=0, editable=False, help_text="Public actions so far.")
    clock_choose = models.PositiveIntegerField(null=True, blank=True, help_text="Seconds; empty: no limit.")
    clock_double = models.PositiveIntegerField(null=True, blank=True, help_text="Seconds; empty: no limit.")
    clock_play = models.PositiveIntegerField(null=True, blank=True, help_text="Seconds; empty: no limit.")
    clock_bank = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Seconds that each player has for the whole match, beyond those for an action.",
    )
    hands_delay = models.PositiveIntegerField(
        null=True,
        blank=True,
        default=0,
        help_text="Seconds after a deal until others get its hands; empty: after the match.",
    )
    rematch_of = models.ForeignKey(
        "self", null=True, editable=False, on_delete=models.SET_NULL, related_name="rematches", db_index=False
    )
    arranged = models.BooleanField(
        default=False, editable=False, help_text="Arranged for its players, who cannot call it off."
    )
    deal_number = models.PositiveSmallIntegerField(default=0, editable=False)
    rated = models.BooleanField(default=True)
    code = models.CharField(max_length=10, default=new_code, editable=False, db_collation="C")
    join_code = models.CharField(max_length=10, blank=True, editable=False)
    rules = models.CharField(max_length=40)
    options = models.JSONField(default=dict, blank=True, help_text="What differs from the rules.")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN, editable=False)
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    on_timeout = models.CharField(max_length=10, choices=OnTimeout, default=OnTimeout.BOT)
    secret: "models.BinaryField[bytes, bytes]" = models.BinaryField(default=new_secret, editable=False)
    totals = ArrayField(models.IntegerField(), size=4, default=no_points, editable=False)
    winners = ArrayField(models.CharField(max_length=1), default=list, editable=False)

    class Meta:
        verbose_name_plural = "matches"
        constraints = [
            models.UniqueConstraint(fields=["code"], name="match_code"),
            models.UniqueConstraint(
                fields=["rematch_of"], condition=Q(rematch_of__isnull=False), name="match_one_rematch"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["open", "running", "finished", "cancelled"]), name="match_status"
            ),
            models.CheckConstraint(
                condition=Q(visibility__in=["public", "code", "private"]), name="match_visibility"
            ),
            models.CheckConstraint(condition=Q(on_timeout__in=["bot", "wait"]), name="match_on_timeout"),
            models.CheckConstraint(
                condition=Q(status="open", started_at=None)
                | Q(status="cancelled")
                | Q(status__in=["running", "finished"], started_at__isnull=False),
                name="match_started_at",
            ),
            models.CheckConstraint(
                condition=(Q(status="finished", finished_at__isnull=False) & ~Q(winners=[]))
                | (~Q(status="finished") & Q(finished_at=None, winners=[])),
                name="match_finished_once_won",
            ),
            models.CheckConstraint(condition=Q(totals__len=4), name="match_four_totals"),
            models.CheckConstraint(condition=Q(bot_delay__gte=0, bot_delay__lte=60), name="match_bot_delay"),
            models.CheckConstraint(
                condition=Q(status="running") | Q(deadline=None, bots_due=None),
                name="match_waits_only_while_running",
            ),
        ]
        indexes = [
            models.Index(fields=["id"], condition=Q(status="running"), name="match_running"),
            models.Index(fields=["-created_at"], condition=Q(status="open"), name="match_open"),
            models.Index(fields=["secret"], condition=Q(status__in=["open", "running"]), name="match_secret"),
            models.Index(fields=["finished_at", "id"], condition=Q(status="finished"), name="match_finished"),
        ]

    def __str__(self) -> str:
        return f"{self.code} ({self.rules})"

    @property
    def commitment(self) -> str:
        """What is published at the start: the hex SHA-256 of the secret."""
        return commitment(self.secret)

    @property
    def bots_pending(self) -> bool:
        """Whether a bot is to act. Secret while doubling: never part of an answer."""
        return self.bots_due is not None

    @property
    def engine_options(self) -> Options:
        return options_for(self.rules, self.options)

    def clock(self, part: str) -> int | None:
        """The seconds of one of the parts of a clock; None is no limit, or no bank."""
        seconds: int | None = getattr(self, f"clock_{part}")
        return seconds


class Seat(models.Model):
    """A taken seat, by a player or by a house bot. A free seat has no row."""

    away_since = models.DateTimeField(
        null=True, editable=False, help_text="Since when a bot has played for the absent player."
    )
    clock_from = models.DateTimeField(
        null=True,
        editable=False,
        help_text="Since when he had the whole time again, back on his turn after it ran out.",
    )
    seen_at = models.DateTimeField(
        null=True, editable=False, help_text="When his stream of the match was last open."
    )
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats", db_index=False)
    player = models.ForeignKey(
        Player, null=True, on_delete=models.PROTECT, related_name="seats", db_index=False
    )
    index = models.PositiveSmallIntegerField()
    bot = models.CharField(max_length=20, blank=True, help_text="The house bot's level.")
    resigned = models.BooleanField(default=False, help_text="A bot plays for him to the end.")
    agrees_to_abort = models.BooleanField(default=False, help_text="He would call the match off.")

    class Meta:
        ordering = ["match_id", "index"]
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="seat_taken_once"),
            models.UniqueConstraint(fields=["player", "match"], name="seat_one_a_player"),
            models.CheckConstraint(condition=Q(index__gte=0, index__lte=3), name="seat_index"),
            models.CheckConstraint(
                condition=Q(player__isnull=False, bot="") | (Q(player=None, away_since=None) & ~Q(bot="")),
                name="seat_of_player_or_bot",
            ),
            models.CheckConstraint(
                condition=Q(resigned=False) | Q(away_since__isnull=False), name="seat_resigned_is_away"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.letter} {self.name}"

    @property
    def letter(self) -> str:
        return SEAT_NAMES[self.index]

    @property
    def name(self) -> str:
        """Who sits here, as records and pages write it."""
        return self.player.username if self.player else f"{self.bot} bot"

    @property
    def played_by_bot(self) -> bool:
        return bool(self.bot) or self.away_since is not None


class Deal(models.Model):
    """One deal: every action as a byte, and its time; hands follow from the match's secret.

    ``actions`` is the engine's log and only grows. ``times`` is packed by ``games.times``, counted
    from ``started_at``. ``first_version`` is the match's version when the deal began. ``scores``
    are written once, when the deal ends; a trigger holds all of that. ``banks`` is what each seat had left
    of its time bank when the deal began, in tenths of a second; null without a bank.
    """

    pk = models.CompositePrimaryKey("match_id", "number")
    started_at = models.DateTimeField(editable=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="deals", db_index=False)
    first_version = models.IntegerField()
    number = models.PositiveSmallIntegerField()
    owner = models.PositiveSmallIntegerField()
    contract = models.PositiveSmallIntegerField(null=True, choices=[(c.value, c.text) for c in Contract])
    actions: "models.BinaryField[bytes, bytes]" = models.BinaryField(default=bytes)
    times: "models.BinaryField[bytes, bytes]" = models.BinaryField(default=bytes)
    scores = ArrayField(models.IntegerField(), size=4, null=True)
    banks = ArrayField(models.IntegerField(), size=4, null=True)

    class Meta:
        ordering = ["match_id", "number"]
        constraints = [
            models.CheckConstraint(condition=Q(number__gte=1, number__lte=20), name="deal_number"),
            models.CheckConstraint(condition=Q(owner__gte=0, owner__lte=3), name="deal_owner"),
            models.CheckConstraint(condition=Q(contract=None) | Q(contract__lte=5), name="deal_contract"),
            models.CheckConstraint(
                condition=Q(scores=None) | Q(scores__len=4, contract__isnull=False), name="deal_four_scores"
            ),
            models.CheckConstraint(
                condition=Q(banks=None)
                | Q(banks__len=4, banks__0__gte=0, banks__1__gte=0, banks__2__gte=0, banks__3__gte=0),
                name="deal_four_banks",
            ),
        ]

    def __str__(self) -> str:
        return f"deal {self.number}"


class Invitation(models.Model):
    """A named player may sit down at a table, and see it, without its code. Declined ones stay, and hold."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="invitations", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="invitations")
    invited_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    declined_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "player"], name="invitation_once")]

    def __str__(self) -> str:
        return f"{self.player} to {self.match}"

"""Pools, the ratings in them, the ledger that they are the fold of, and recalculations of it.

Ratings and the ledger are written under the lock on the pools alone. A value is a double on the grid of
`ratings.maths`: comparing and adding are exact, and PostgreSQL keeps every bit.
"""

from datetime import timedelta
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from games.models import Match, Player
from ratings import fold, guards
from ratings.maths import SCHEDULE, START, Schedule

KINDS = {
    "classic": "Classic",
    "complex": "Complex",
    "partners": "Partners",
    "complex-partners": "Complex Partners",
}
"""The kinds of game, each with a pool for people and a pool for program accounts."""

HIGHEST_K = 400.0
"""At which one match moves a rating by as much as makes ten to one."""


class Pool(models.Model):
    """Ratings that may be compared with one another. Made by `ensure_pools` after each migrate.

    A `Recalculation` alone alters its parameters, so that ratings always follow from the present ones.
    """

    PARAMETERS = ("k_start", "k_floor", "k_halves_at", "established_after", "active_days")

    slug = models.CharField(max_length=30, unique=True, editable=False)
    name = models.CharField(max_length=60, editable=False)
    kind = models.CharField(max_length=20, choices=KINDS, editable=False)
    programs = models.BooleanField(default=False, editable=False, help_text="For accounts of programs.")
    k_start = models.FloatField(
        "K of a newcomer",
        default=SCHEDULE.start,
        validators=[MinValueValidator(1), MaxValueValidator(HIGHEST_K)],
        help_text="Half of it is what a first win over three equals gives.",
    )
    k_floor = models.FloatField(
        "lowest K",
        default=SCHEDULE.floor,
        validators=[MinValueValidator(1), MaxValueValidator(HIGHEST_K)],
        help_text="K never falls below it. The same as that of a newcomer: K is constant.",
    )
    k_halves_at = models.FloatField(
        "matches to half of K",
        default=SCHEDULE.halves_at,
        validators=[MinValueValidator(1), MaxValueValidator(1000)],
        help_text="After so many rated matches K has halved, after twice as many it is a third.",
    )
    established_after = models.PositiveSmallIntegerField(
        "provisional under",
        default=20,
        validators=[MinValueValidator(1), MaxValueValidator(1000)],
        help_text="Rated matches; until then a rating has a question mark and is not listed.",
    )
    active_days = models.PositiveSmallIntegerField(
        "days on the leaderboard",
        default=90,
        validators=[MinValueValidator(1), MaxValueValidator(3650)],
        help_text="Who has not played for longer is not listed.",
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "programs"], name="pool_of_kind"),
            models.CheckConstraint(
                condition=Q(k_floor__gte=1, k_floor__lte=F("k_start"), k_start__lte=HIGHEST_K),
                name="pool_k",
                violation_error_message="K is from 1 to 400, and the lowest is not above that of a newcomer.",
            ),
            models.CheckConstraint(condition=Q(k_halves_at__gte=1), name="pool_k_halves_at"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def schedule(self) -> Schedule:
        return Schedule(self.k_start, self.k_floor, self.k_halves_at)

    @property
    def sides(self) -> int:
        """Sides of a match: 4 single players, or 2 teams."""
        return fold.sides_of(self.kind)

    @property
    def active_within(self) -> timedelta:
        return timedelta(days=self.active_days)

    @property
    def parameters(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.PARAMETERS}


class Rating(models.Model):
    """A player's rating now, in one pool. No row: not rated there yet, which counts as `START`."""

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="ratings", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ratings")
    value = models.FloatField("rating", default=START)
    matches = models.PositiveIntegerField(default=0, help_text="Rated matches in this pool.")
    last_match_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pool_id", "-value"]
        constraints = [models.UniqueConstraint(fields=["pool", "player"], name="rating_one_a_pool")]
        indexes = [models.Index(fields=["pool", "-value"], name="rating_leaderboard")]

    def __str__(self) -> str:
        return f"{self.player}, {self.pool}: {self.points}"

    @property
    def points(self) -> str:
        """For people."""
        return shown(self.value, self.provisional)

    @property
    def provisional(self) -> bool:
        return self.matches < self.pool.established_after

    def get_absolute_url(self) -> str:
        """The part of the player's page that is about this pool."""
        return f"{reverse('player-page', args=[self.player.username])}#{self.pool.slug}"


class LedgerMatch(models.Model):
    """A finished match in the order in which matches were rated, with the facts that a match does not keep.

    Fixed once: `sequence` is the order that a rebuild follows, `programs` the seats ("EW") whose accounts
    were programs' at the time, as a person's account may be given to a program later. A recalculation alone
    annuls a match, or takes that back.
    """

    class Reason(models.TextChoices):
        RATED = fold.RATED, "Rated"
        FEW_PEOPLE = fold.FEW_PEOPLE, "Not rated: fewer than two people"
        ONE_SIDE = fold.ONE_SIDE, "Not rated: all people on one side"
        ALL_LEFT = fold.ALL_LEFT, "Not rated: everyone had left"
        ANNULLED = "annulled", "Annulled"

    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="ledger_match")
    sequence = models.PositiveIntegerField(unique=True)
    programs = models.CharField(max_length=4, blank=True)
    reason = models.CharField(max_length=20, choices=Reason, blank=True)
    rated_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["sequence"]
        verbose_name = "match in the ledger"
        verbose_name_plural = "matches in the ledger"

    def __str__(self) -> str:
        return f"#{self.sequence}"


class RatingChange(models.Model):
    """The ledger: what one match did to one player's rating in one pool, and what it was computed from.

    The n-th match of a player in a pool exists once: two matches cannot both start from the same rating.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="rating_changes", db_index=False)
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="rating_changes", db_index=False
    )
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="changes", db_index=False)
    sequence = models.PositiveIntegerField(help_text="The match's number in the order of rating.")
    place = models.PositiveSmallIntegerField(help_text="The match place of the seat; equal for ties.")
    left = models.BooleanField(default=False, help_text="Gone at the end, so last against those who stayed.")
    n = models.PositiveIntegerField(help_text="Rated matches before this one.")
    k = models.FloatField("K")
    before = models.FloatField()
    after = models.FloatField()
    formula = models.PositiveSmallIntegerField(help_text="Version of the formula.")

    class Meta:
        ordering = ["-sequence", "pool_id", "place", "player_id"]
        constraints = [
            models.UniqueConstraint(fields=["match", "player", "pool"], name="change_once_a_match"),
            models.UniqueConstraint(fields=["player", "pool", "n"], name="change_from_the_last"),
            models.CheckConstraint(condition=Q(place__gte=1, place__lte=4), name="change_place"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {shown(self.before)} → {shown(self.after)}"

    @property
    def change(self) -> float:
        return self.after - self.before

    @property
    def provisional(self) -> bool:
        """Whether the rating was still provisional after this match."""
        return self.n + 1 < self.pool.established_after


class Recalculation(models.Model):
    """Ratings computed again, from some match on: asked for, done in the background, swapped in at once.

    `matches` are those that it annuls or restores, and `parameters` what it sets of those of its `pool`. One
    that is not to change anything yet ends as a preview, with who would move.
    """

    class Cause(models.TextChoices):
        ANNULMENT = "annulment", "Matches annulled"
        RESTORATION = "restoration", "Annulled matches restored"
        PARAMETERS = "parameters", "Parameters changed"
        REBUILD = "rebuild", "Ratings rebuilt"

    class State(models.TextChoices):
        ASKED = "asked", "Preview is being made"
        PREVIEW = "preview", "Preview"
        WAITING = "waiting", "Waiting to be applied"
        DONE = "done", "Applied"
        DROPPED = "dropped", "Dropped"

    cause = models.CharField(max_length=20, choices=Cause, editable=False)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING, editable=False)
    note = models.CharField(max_length=200, blank=True, help_text="Why, for everyone to read.")
    matches = models.ManyToManyField(LedgerMatch, related_name="recalculations", editable=False)
    pool = models.ForeignKey(
        Pool, null=True, on_delete=models.PROTECT, related_name="recalculations", editable=False
    )
    parameters = models.JSONField(default=dict, editable=False)
    was = models.JSONField(default=dict, editable=False, help_text="The parameters before.")
    asked_by = models.ForeignKey(
        Player, null=True, editable=False, on_delete=models.SET_NULL, related_name="recalculations"
    )
    asked_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True, editable=False)
    computed = models.PositiveIntegerField(default=0, editable=False, help_text="Matches computed again.")
    moved = models.PositiveIntegerField(default=0, editable=False, help_text="Ratings that it altered.")

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["id"], condition=Q(state__in=["asked", "waiting"]), name="recalculation_open"
            )
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(cause="parameters", pool__isnull=False) | ~Q(cause="parameters"),
                name="recalculation_pool",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_cause_display()} ({self.get_state_display()})"


class Revision(models.Model):
    """What a recalculation did to one rating, or, of a preview, would do. Null: there was, or is, none."""

    recalculation = models.ForeignKey(
        Recalculation, on_delete=models.CASCADE, related_name="revisions", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="rating_revisions")
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="revisions", db_index=False)
    before = models.FloatField(null=True)
    after = models.FloatField(null=True)
    matches = models.PositiveIntegerField(help_text="Rated matches since.")

    class Meta:
        ordering = ["recalculation_id", "pool_id", "player_id"]
        constraints = [
            models.UniqueConstraint(fields=["recalculation", "pool", "player"], name="revision_of_rating")
        ]

    def __str__(self) -> str:
        return f"{self.player}: {_or_none(self.before)} → {_or_none(self.after)}"

    @property
    def change(self) -> float:
        """By how much; a rating that was not there counts as `START`."""
        return (START if self.after is None else self.after) - (START if self.before is None else self.before)


class Suspicion(models.Model):
    """Something about the results of a player, or of two, that an organiser should look at. It has no effect.

    `ratings.guards` finds it, again each day for as long as the matches show it. `weight` grows with what
    speaks for it; `weight_then` is what it was when somebody looked.
    """

    class Kind(models.TextChoices):
        FARMING = guards.FARMING, "Points won from one opponent"
        IMPROBABLE = guards.IMPROBABLE, "Improbable results against one opponent"
        TOGETHER = guards.TOGETHER, "Better when they share a table"
        FED = guards.FED, "Fed by accounts"

    class State(models.TextChoices):
        OPEN = "open", "Open"
        LOOKED_AT = "looked_at", "Looked at"

    kind = models.CharField(max_length=20, choices=Kind, editable=False)
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="suspicions", editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="suspicions", editable=False)
    other = models.ForeignKey(
        Player, null=True, on_delete=models.CASCADE, related_name="suspicions_with", editable=False
    )
    weight = models.FloatField(editable=False)
    figures = models.JSONField(default=dict, editable=False)
    first_seen = models.DateTimeField("first found", editable=False)
    last_seen = models.DateTimeField("last found", editable=False)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN, editable=False)
    note = models.CharField(max_length=500, blank=True, help_text="What was found, for other organisers.")
    looked_at_by = models.ForeignKey(
        Player, null=True, on_delete=models.SET_NULL, related_name="suspicions_looked_at", editable=False
    )
    looked_at = models.DateTimeField(null=True, editable=False)
    weight_then = models.FloatField(null=True, editable=False)

    class Meta:
        ordering = ["-last_seen", "-weight", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "pool", "player", "other"], nulls_distinct=False, name="suspicion_once"
            ),
            models.CheckConstraint(
                condition=Q(kind="fed", other=None)
                | Q(kind__in=["farming", "improbable", "together"], other__isnull=False),
                name="suspicion_of_two",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.pool}"


def _or_none(value: float | None) -> str:
    return "–" if value is None else shown(value)


def shown(value: float, provisional: bool = False) -> str:
    """A rating for people: whole points, and a question mark while it is provisional."""
    return f"{value:.0f}{'?' if provisional else ''}"


def signed(points: float) -> str:
    """A change for people: a tenth of a point, with a true minus."""
    return f"{points:+z.1f}".replace("-", "−")

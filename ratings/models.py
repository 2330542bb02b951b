"""Pools, the ratings in them, and the ledger that they are the fold of.

Rows here are written by `ratings.services` alone, all under the lock on the pools. A value is a double on
the grid of `ratings.maths`: comparing and adding are exact, and PostgreSQL keeps every bit.
"""

from django.db import models
from django.db.models import Q

from games.models import Match, Player
from ratings.maths import START

KINDS = {
    "classic": "Classic",
    "complex": "Complex",
    "partners": "Partners",
    "complex-partners": "Complex Partners",
}
"""The kinds of game, each with a pool for people and a pool for program accounts."""

ESTABLISHED_AFTER = 20
"""Rated matches until a rating is no longer provisional."""


class Pool(models.Model):
    """Ratings that may be compared with one another. Made by `ensure_pools` after each migrate."""

    slug = models.CharField(max_length=30, unique=True, editable=False)
    name = models.CharField(max_length=60, editable=False)
    kind = models.CharField(max_length=20, choices=KINDS, editable=False)
    programs = models.BooleanField(default=False, editable=False, help_text="For accounts of programs.")

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["kind", "programs"], name="pool_of_kind")]

    def __str__(self) -> str:
        return self.name


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
        return f"{self.player}, {self.pool}: {shown(self.value, self.provisional)}"

    @property
    def provisional(self) -> bool:
        return self.matches < ESTABLISHED_AFTER


class LedgerMatch(models.Model):
    """A finished match in the order in which matches were rated, with the facts that a match does not keep.

    Fixed once: `sequence` is the order that a rebuild follows, `programs` the seats ("EW") whose accounts
    were programs' at the time, as a person's account may be given to a program later.
    """

    class Reason(models.TextChoices):
        RATED = "", "Rated"
        FEW_PEOPLE = "few_people", "Not rated: fewer than two people to compare"

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
        return self.n + 1 < ESTABLISHED_AFTER


def shown(value: float, provisional: bool = False) -> str:
    """A rating for people: whole points, and a question mark while it is provisional."""
    return f"{value:.0f}{'?' if provisional else ''}"

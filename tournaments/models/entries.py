"""Who takes part, in which group of which stage, and what was added to or taken from their points."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from games.models import Player
from tournaments.models.tournaments import Stage, Tournament


class Entry(models.Model):
    """A player, or a fixed pair, in a tournament. Entries that have left keep their results."""

    class State(models.TextChoices):
        ACTIVE = "active", "Active"
        WAITING = "waiting", "On the waiting list"
        WITHDRAWN = "withdrawn", "Withdrawn"
        DISQUALIFIED = "disqualified", "Disqualified"

    LEFT = (State.WITHDRAWN, State.DISQUALIFIED)

    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="entries", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    partner = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.PROTECT, related_name="partner_entries"
    )
    state = models.CharField(max_length=12, choices=State, default=State.ACTIVE, editable=False)
    seed_rating = models.FloatField(
        null=True, blank=True, help_text="Orders the first draw; empty: the rating at the start."
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    checked_in_at = models.DateTimeField(null=True, editable=False)
    withdrawn_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name_plural = "entries"
        ordering = ["tournament_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="entry_once"),
            # That nobody is one entry's player and another's partner, services see to under the lock; that
            # nobody sits twice in a round, whatever his entries, the constraint of seats.
            # Who left with one partner may come with another.
            models.UniqueConstraint(
                fields=["tournament", "partner"],
                condition=Q(partner__isnull=False, state__in=["active", "waiting"]),
                name="entry_partner_once",
            ),
            models.CheckConstraint(
                condition=Q(partner=None) | ~Q(partner=F("player")), name="entry_of_two_people"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["active", "waiting"], withdrawn_at=None)
                | Q(state__in=["withdrawn", "disqualified"], withdrawn_at__isnull=False),
                name="entry_state",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        if self.partner is None:
            return self.player.username
        return f"{self.player.username} & {self.partner.username}"

    @property
    def players(self) -> tuple[Player, ...]:
        """One player, or the two of a pair: South or East first, North or West second."""
        return (self.player,) if self.partner is None else (self.player, self.partner)


class StageEntry(models.Model):
    """An entry in a stage, its group there, and its place in the order in which the stage began."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="entrants", db_index=False)
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="stages")
    group = models.PositiveSmallIntegerField(default=1)
    seed = models.PositiveIntegerField(help_text="1: the strongest.")

    class Meta:
        ordering = ["stage_id", "group", "seed"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "entry"], name="stage_entry_once"),
            models.UniqueConstraint(fields=["stage", "seed"], name="stage_seed_once"),
            models.CheckConstraint(condition=Q(group__gte=1, seed__gte=1), name="stage_entry_place"),
        ]

    def __str__(self) -> str:
        return f"{self.seed}. {self.entry}"


class Penalty(models.Model):
    """Points taken from an entry, or given if positive, in one stage; they count in the first metric."""

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="penalties")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="penalties")
    points = models.DecimalField(max_digits=8, decimal_places=2)
    reason = models.CharField(max_length=300)
    given_by = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    revoked_by = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="+")
    revoked_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name_plural = "penalties"
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=~Q(points=0), name="penalty_is_something"),
            models.CheckConstraint(condition=~Q(reason=""), name="penalty_has_a_reason"),
            models.CheckConstraint(
                condition=Q(revoked_by=None) | Q(revoked_at__isnull=False), name="penalty_revoked"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.points:+g} for {self.entry}"

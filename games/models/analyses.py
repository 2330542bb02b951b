"""What a bot thinks of every decision of a match that is over."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models.matches import Match


class Analysis(models.Model):
    """One of a match. ``deals`` are those that are done, packed by `games.bots.decisions`, 1 kB each."""

    class State(models.TextChoices):
        ASKED = "asked", "Asked for"
        READY = "ready", "Ready"
        FAILED = "failed", "Failed"

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="analysis")
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    done_at = models.DateTimeField(null=True, editable=False)
    due_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text="When the sweeper calls for its next deal again; empty: it waits.",
    )
    tries = models.PositiveSmallIntegerField(default=0, help_text="How often its next deal was begun.")
    state = models.CharField(max_length=10, choices=State, default=State.ASKED)
    deals: "models.Field[list[bytes], list[bytes]]" = ArrayField(models.BinaryField(), default=list)

    class Meta:
        verbose_name_plural = "analyses"
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["asked", "ready", "failed"]), name="analysis_state"
            ),
            models.CheckConstraint(
                condition=Q(state="ready", done_at__isnull=False) | (~Q(state="ready") & Q(done_at=None)),
                name="analysis_done_once_ready",
            ),
            models.CheckConstraint(
                condition=Q(state="asked") | Q(due_at=None), name="analysis_waits_only_while_asked"
            ),
        ]
        indexes = [
            models.Index(fields=["asked_at"], condition=Q(state="asked"), name="analysis_asked"),
        ]

    def __str__(self) -> str:
        return f"analysis of {self.match}"

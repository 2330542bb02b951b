"""Standings as they were last computed. Whatever is here can be computed again from the facts."""

from django.db import models
from django.utils import timezone

from tournaments.models.tournaments import Stage


class Ranking(models.Model):
    """The standings of a stage at one version of its facts: `[rank, entry id, tables played, values…]`, best
    first. A value is a whole number or a fraction as text: `"7/4"`. No names: accounts may change theirs.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rankings", db_index=False)
    group = models.PositiveSmallIntegerField(help_text="0: of all groups together.")
    live = models.BooleanField()
    version = models.BigIntegerField(help_text="The newest line of the log that they can follow from.")
    made_at = models.DateTimeField(default=timezone.now)
    lines = models.JSONField()

    class Meta:
        ordering = ["stage_id", "group", "live"]
        constraints = [models.UniqueConstraint(fields=["stage", "group", "live"], name="ranking_once")]

    def __str__(self) -> str:
        return f"Standings at {self.version}"

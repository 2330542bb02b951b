"""The log of a tournament."""

from django.db import models
from django.utils import timezone

from games.models import Player
from tournaments.models.tournaments import Tournament


class AuditLog(models.Model):
    """What was done to a tournament, by whom and when. A trigger refuses every change and deletion."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="log", db_index=False)
    actor = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="+")
    action = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["tournament", "id"], name="audit_log_of_tournament")]

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

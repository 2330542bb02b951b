"""What the players of a table say to each other, and what somebody reported of it."""

from django.db import models
from django.utils import timezone

from games.models.accounts import Player
from games.models.matches import Match

LONGEST_MESSAGE = 500


class ChatMessage(models.Model):
    """One message at a table. Its text goes with its author's account."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="chat", db_index=False)
    author = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="chat")
    text = models.CharField(max_length=LONGEST_MESSAGE)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    hidden_at = models.DateTimeField(null=True, blank=True, help_text="Since when nobody reads it any more.")

    class Meta:
        indexes = [models.Index(fields=["match", "id"], name="chat_of_match")]

    def __str__(self) -> str:
        return f"{self.author}: {self.text}"


class ChatReport(models.Model):
    """Somebody at the table finds that a message does not belong there."""

    message = models.ForeignKey(ChatMessage, on_delete=models.CASCADE, related_name="reports")
    reporter = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["message", "reporter"], name="report_once")]

    def __str__(self) -> str:
        return f"{self.reporter} reports {self.message}"

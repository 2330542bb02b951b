"""Addresses that want to be told, and what was told them."""

import secrets

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models.accounts import Player
from trix_site.common.ids import new_code


def new_signing_key() -> bytes:
    return secrets.token_bytes(32)


class Webhook(models.Model):
    """``topic`` is whose events are sent: "account" for the owner's, or what an app above calls its own.

    ``events`` names the kinds that are wanted; empty means all.
    """

    code = models.CharField(max_length=10, default=new_code, unique=True, editable=False, db_collation="C")
    owner = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="webhooks")
    topic = models.CharField(max_length=100)
    url = models.CharField(max_length=500)
    events = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    key: "models.BinaryField[bytes, bytes]" = models.BinaryField(default=new_signing_key, editable=False)
    active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [models.Index(fields=["topic"], condition=Q(active=True), name="webhook_topic")]

    def __str__(self) -> str:
        return f"{self.topic} to {self.url}"


class Delivery(models.Model):
    """One event for one address: sent again, later and later, until it is taken or given up."""

    class Status(models.TextChoices):
        PENDING = "pending", "Pending"
        DELIVERED = "delivered", "Delivered"
        FAILED = "failed", "Given up"

    code = models.CharField(max_length=10, default=new_code, unique=True, editable=False, db_collation="C")
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=40)
    body = models.JSONField()
    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True, help_text="When it is sent next.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    sent_at = models.DateTimeField(null=True)
    response_status = models.PositiveSmallIntegerField(null=True)
    response = models.CharField(
        max_length=500, blank=True, help_text="How the answer begins, or what failed."
    )

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            models.CheckConstraint(
                condition=Q(status="pending", due_at__isnull=False) | (~Q(status="pending") & Q(due_at=None)),
                name="delivery_due_while_pending",
            )
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(status="pending"), name="delivery_due"),
            models.Index(fields=["webhook"], condition=Q(status="pending"), name="delivery_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook.url}"

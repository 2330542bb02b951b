"""Accounts, their tokens, and what they have said once: answers to creating calls, who is muted."""

import unicodedata
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import F, Q
from django.db.models.functions import Lower, Upper
from django.utils import timezone
from knox.models import AbstractAuthToken

from trix_site.common.ids import new_code


class Scope(models.TextChoices):
    """What a token may be used for. Every token may read what its player may see."""

    READ = "read", "Read"
    PLAY = "play", "Play: tables, moves, chat, entries"
    ORGANISE = "organise", "Organise tournaments"


def all_scopes() -> list[str]:
    return list(Scope.values)


def check_name(name: str) -> None:
    """Raise ValidationError unless this can be a player's name, in any script.

    Django's own rule refuses the vowel marks that names in Arabic or Hindi are written with. Control
    characters and spaces stay out: names stand in records, in addresses and in the middle of sentences.
    """
    plain = all(unicodedata.category(char)[0] in "LMN" or char in ".@+-_" for char in name)
    if not plain or not name[:1].isalnum():
        raise ValidationError(
            "A name is letters, digits and . @ + - _ of any script, and starts with a letter or digit.",
            "malformed_name",
        )


class Player(AbstractUser):  # type: ignore[django-manager-missing]  # knox has no types
    """An account, of a person or of a program. House bots have none: they are a word on a seat."""

    username = models.CharField(
        max_length=60,
        unique=True,
        validators=[check_name],
        help_text="Letters, digits and . @ + - _ of any script.",
        error_messages={"unique": "There is a player of this name already."},
    )
    is_bot = models.BooleanField(
        "program", default=False, help_text="A program plays for this account. This cannot be taken back."
    )
    closed_at = models.DateTimeField(
        null=True, editable=False, help_text="When its owner deleted it. Results stay, under another name."
    )

    CLOSED = "deleted-"

    class Meta:
        constraints = [
            # Amal and amal must not be two people.
            models.UniqueConstraint(
                Lower("username"),
                name="player_username_any_case",
                violation_error_message="There is a player of this name already.",
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None) | Q(is_active=False), name="player_closed_for_good"
            ),
        ]
        # For the links that go to all accounts of an address.
        indexes = [models.Index(Upper("email"), name="player_email_any_case")]

    def clean(self) -> None:
        super().clean()
        if self.username.casefold().startswith(self.CLOSED) and self.closed_at is None:
            words = f"A name that starts with {self.CLOSED} is that of an account that was deleted."
            raise ValidationError({"username": words})

    def set_unusable_password(self) -> None:
        super().set_unusable_password()
        self._password_is_gone = True

    def save(self, *args: Any, **options: Any) -> None:
        """Store the account. A new password, or none any more, ends all tokens that the old one bought."""
        # The first is Django's mark of one that is set and not yet stored.
        ends_tokens = self._password is not None or self.__dict__.pop("_password_is_gone", False)  # type: ignore[attr-defined]
        with transaction.atomic():
            super().save(*args, **options)
            if ends_tokens:
                self.auth_token_set.all().delete()


class ApiToken(AbstractAuthToken):
    """A hashed token of a player; ``code`` is what URLs call it."""

    code = models.CharField(max_length=10, default=new_code, unique=True, editable=False, db_collation="C")
    name = models.CharField(max_length=100, blank=True)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope), default=all_scopes)

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.name or self.code


class Mute(models.Model):
    """``player`` does not want to read what ``muted`` says."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="mutes", db_index=False)
    muted = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "muted"], name="mute_once"),
            models.CheckConstraint(condition=~Q(player=F("muted")), name="mute_somebody_else"),
        ]

    def __str__(self) -> str:
        return f"{self.player} mutes {self.muted}"


class IdempotentAnswer(models.Model):
    """The answer to a creating call with an Idempotency-Key, for when it is sent again.

    ``request`` is the SHA-256 of method, path and body, ``answer`` the JSON as it was sent. The row is
    written first in the transaction that creates, so that the second of two at once waits for the first,
    and ``status`` is set before it ends.
    """

    created_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=200)
    request: "models.BinaryField[bytes, bytes]" = models.BinaryField()
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.TextField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "key"], name="idempotent_answer_once")]

    def __str__(self) -> str:
        return f"{self.player} {self.key}"

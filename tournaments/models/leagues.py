"""Leagues: divisions of tournaments, season after season."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from games.models import Player

MOST_DIVISIONS = 20
LARGEST_DIVISION = 1000


class League(models.Model):
    """Divisions, the first the strongest. After each season the best go up and the last go down."""

    name = models.CharField(max_length=60)
    slug = models.SlugField(
        max_length=45, unique=True, blank=True, help_text="The address; empty: made from the name."
    )
    description = models.TextField(blank=True, max_length=2000)
    organisers = models.ManyToManyField(
        Player, related_name="organised_leagues", blank=True, help_text="Organise each division, too."
    )
    divisions = models.PositiveSmallIntegerField(
        default=2, validators=[MinValueValidator(1), MaxValueValidator(MOST_DIVISIONS)]
    )
    division_size = models.PositiveSmallIntegerField(
        default=8,
        validators=[MinValueValidator(2), MaxValueValidator(LARGEST_DIVISION)],
        help_text="Places in a division.",
    )
    promoted = models.PositiveSmallIntegerField(
        default=2, help_text="How many go up, and as many down, between two neighbouring divisions."
    )
    settings = models.JSONField(
        default=dict,
        blank=True,
        help_text='What its divisions are created with: {"rules": "eram", "stages": […]}',
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="league_named"),
            models.CheckConstraint(
                condition=Q(divisions__gte=1, divisions__lte=MOST_DIVISIONS), name="league_divisions"
            ),
            models.CheckConstraint(
                condition=Q(division_size__gte=2, division_size__lte=LARGEST_DIVISION), name="league_size"
            ),
            models.CheckConstraint(
                condition=Q(division_size__gte=F("promoted") * 2),
                name="league_promoted",
                violation_error_message="At most half of a division can go up, and half of it down.",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Season(models.Model):
    """A season of a league; its divisions are tournaments."""

    league = models.ForeignKey(League, on_delete=models.PROTECT, related_name="seasons", db_index=False)
    number = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["league_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["league", "number"], name="season_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="season_number"),
        ]

    def __str__(self) -> str:
        return f"{self.league}, season {self.number}"

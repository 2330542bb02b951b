"""Rounds, their tables, who sits there, and the results."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.engine.cards import SEAT_NAMES
from games.models import Match, Player
from tournaments.models.entries import Entry
from tournaments.models.tournaments import MOST_WAVES, Stage, Tournament


class RoundsWithoutDraws(models.Manager["Round"]):
    """Inputs and reports of draws are megabytes for thousands of entries: read where they are asked for."""

    def get_queryset(self) -> models.QuerySet["Round"]:
        return super().get_queryset().defer(*Round.DRAWS)


class Round(models.Model):
    """One round. `inputs` and `report` are the draws', one for each group, so that they can be replayed.

    Its stage is its tournament's, by a foreign key over both.
    """

    class State(models.TextChoices):
        DRAWN = "drawn", "Drawn, not yet published"
        PUBLISHED = "published", "Published"
        CLOSED = "closed", "Closed"

    DRAWS = ("inputs", "report")

    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="rounds", db_index=False
    )
    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="played")
    number = models.PositiveSmallIntegerField(help_text="Counted through all stages.")
    state = models.CharField(max_length=10, choices=State, default=State.DRAWN, editable=False)
    overlaps = models.BooleanField(
        default=False, editable=False, help_text="Of an arena: played beside others."
    )
    version = models.PositiveIntegerField(default=0, editable=False, help_text="Edits of the draw by hand.")
    seed = models.BigIntegerField(editable=False)
    inputs = models.JSONField(editable=False)
    report = models.JSONField(editable=False)
    drawn_at = models.DateTimeField(default=timezone.now, editable=False)
    published_at = models.DateTimeField(null=True, editable=False)
    closed_at = models.DateTimeField(null=True, editable=False)

    objects = RoundsWithoutDraws()

    class Meta:
        base_manager_name = "objects"
        ordering = ["tournament_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="round_number_once"),
            # Two draws at once, or a draw while a round is open, end here at the latest.
            models.UniqueConstraint(
                fields=["tournament"], condition=~Q(state="closed") & Q(overlaps=False), name="round_one_open"
            ),
            models.CheckConstraint(condition=Q(number__gte=1, number__lte=MOST_WAVES), name="round_number"),
            models.CheckConstraint(
                condition=Q(state="drawn", published_at=None, closed_at=None)
                | Q(state="published", published_at__isnull=False, closed_at=None)
                | Q(state="closed", published_at__isnull=False, closed_at__isnull=False),
                name="round_state",
            ),
        ]

    def __str__(self) -> str:
        return f"Round {self.number}"


class Table(models.Model):
    """A table of a round. Its match is made when the round is published; a table of three has none.

    A replayed table has a new match; results know which match they came from.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables", db_index=False)
    number = models.PositiveSmallIntegerField()
    group = models.PositiveSmallIntegerField(default=1)
    match = models.OneToOneField(Match, null=True, on_delete=models.PROTECT, related_name="table")

    class Meta:
        ordering = ["round_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="table_number_once"),
            models.UniqueConstraint(fields=["id", "round"], name="table_of_round"),  # For its seats' key.
            models.CheckConstraint(condition=Q(number__gte=1, group__gte=1), name="table_number"),
        ]

    def __str__(self) -> str:
        return f"Table {self.number}"


class TableSeat(models.Model):
    """A seat: of an entry, with the player who sits there for it; of a house bot; or empty.

    `player` is the entry's own until a substitute sits down for him, which is a fact of this table alone.
    `round` is the table's, by a foreign key over both, so that one constraint sees a whole round.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats", db_index=False)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats", db_index=False)
    index = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="seats")
    member = models.PositiveSmallIntegerField(default=0, help_text="1: the second of a pair.")
    player = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="table_seats")
    bot = models.CharField(max_length=20, blank=True)
    no_show_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["table_id", "index"]
        constraints = [
            models.UniqueConstraint(fields=["table", "index"], name="table_seat_once"),
            models.UniqueConstraint(
                fields=["round", "entry", "member"], name="table_seat_entry_once_a_round"
            ),
            models.UniqueConstraint(fields=["round", "player"], name="table_seat_player_once_a_round"),
            models.CheckConstraint(condition=Q(index__gte=0, index__lte=3), name="table_seat_index"),
            models.CheckConstraint(
                condition=Q(member=0) | Q(member=1, entry__isnull=False), name="table_seat_member"
            ),
            models.CheckConstraint(
                condition=Q(entry__isnull=False, player__isnull=False, bot="")
                | Q(entry=None, player=None, no_show_at=None),
                name="table_seat_of_entry_or_bot",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.letter} {self.name}"

    @property
    def letter(self) -> str:
        return SEAT_NAMES[self.index]

    @property
    def name(self) -> str:
        """Who sits there: a player's name, a bot's level, or nobody."""
        if self.player:
            return self.player.username
        return f"{self.bot} bot" if self.bot else "nobody"

    @property
    def is_empty(self) -> bool:
        return self.entry_id is None and not self.bot

    @property
    def drawn(self) -> Player | None:
        """The entry's own player, whoever sits here for it."""
        return self.entry.players[self.member] if self.entry else None

    @property
    def stands_in_for(self) -> Player | None:
        """The entry's own player, if a substitute sits here for him."""
        return self.drawn if self.drawn and self.drawn.pk != self.player_id else None


class Bye(models.Model):
    """An entry that sits a round out because four does not divide those who play."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="byes", db_index=False)
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="byes")

    class Meta:
        ordering = ["round_id", "entry_id"]
        constraints = [models.UniqueConstraint(fields=["round", "entry"], name="bye_once_a_round")]

    def __str__(self) -> str:
        return f"Bye of {self.entry}"


class TableResult(models.Model):
    """How a table ended, in seat order. A correction supersedes a result; the old one stays.

    An annulled table has a result without scores: it counts, and says that nothing does. A score of an empty
    seat is null.
    """

    class Source(models.TextChoices):
        PLAYED = "played", "Played"
        ENTERED = "entered", "Entered by hand"
        IMPORTED = "imported", "From a record"
        ANNULLED = "annulled", "Annulled"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="results")
    match = models.ForeignKey(Match, null=True, on_delete=models.PROTECT, related_name="table_results")
    scores = ArrayField(models.IntegerField(null=True), size=4, null=True)
    best_deals = ArrayField(models.IntegerField(), size=4, null=True)
    source = models.CharField(max_length=10, choices=Source)
    record = models.TextField(blank=True, help_text="The .trix text of a table that was not played here.")
    cards = models.CharField(
        max_length=64, blank=True, help_text="The commitment to the cards of a match that is elsewhere."
    )
    entered_by = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    superseded_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["table_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(superseded_at=None), name="table_result_one_counts"
            ),
            models.CheckConstraint(
                condition=Q(source="annulled", scores=None)
                | (~Q(source="annulled") & Q(scores__isnull=False, scores__len=4)),
                name="table_result_four_scores",
            ),
            models.CheckConstraint(
                condition=Q(source="played", entered_by=None)
                | (Q(source__in=["entered", "annulled"], entered_by__isnull=False) & ~Q(reason=""))
                | (Q(source="imported") & ~Q(reason="")),
                name="table_result_by_hand_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        if self.scores is None:
            return "annulled"
        return " / ".join("–" if score is None else str(score) for score in self.scores)

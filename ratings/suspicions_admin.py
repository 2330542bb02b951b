"""What organisers should look at, in the admin, in sentences. It accuses, so being staff is not enough.

It takes the permission, which the group of organisers has. What is about an organiser himself is left to
others.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import ChoicesDropdownFilter, RelatedDropdownFilter
from unfold.decorators import action, display

from games.admin import KeptAdmin, actor
from games.models import Player
from ratings import guards, suspicions
from ratings.models import LedgerMatch, Rating, Suspicion, shown

STATE_COLOURS = {"Open": "warning", "Looked at": "success"}

MEANINGS = {
    guards.FARMING: "Somebody has most of his points from one opponent, whom he meets most of the time: "
    "does he pick him, or is he let win?",
    guards.IMPROBABLE: "One opponent loses to somebody far more often than what both do elsewhere explains: "
    "does he let him win?",
    guards.TOGETHER: "Two beat the others far more often at a table that they share than apart: "
    "do they help each other?",
    guards.FED: "Several accounts have done little but lose to one player: whose are they?",
}

SENTENCES = {
    guards.FARMING: "<bdi>{player}</bdi> met <bdi>{other}</bdi> in {met} of {matches} matches and won "
    "{points} points in them; all matches together gave {all_points}.",
    guards.IMPROBABLE: "<bdi>{player}</bdi> beat <bdi>{other}</bdi> {scored} times out of {met}; "
    "ratings and the other results of both let expect {expected}.",
    guards.TOGETHER: "<bdi>{player}</bdi> and <bdi>{other}</bdi>, at one table in {met} matches, beat the "
    "others there {scored} times out of {comparisons}; ratings and their matches apart let expect "
    "{expected}.",
    guards.FED: "{accounts} accounts, which have hardly met anybody else, lost {points} points to "
    "<bdi>{player}</bdi>, who won {scored} of {met} meetings.",
}
"""What was found, by kind; the figures are those of `ratings.guards`, beside the names."""


class BetweenFilter(admin.SimpleListFilter):
    """The matches of a pool in which two players met. It is offered where a link has chosen it already."""

    title = "players"
    parameter_name = "between"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        chosen = request.GET.get(self.parameter_name, "")
        if (keys := _between(chosen)) is None:
            return []
        names = Player.objects.filter(pk__in=keys[1:]).order_by("pk").values_list("username", flat=True)
        return [(chosen, " and ".join(names))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[LedgerMatch]) -> QuerySet[LedgerMatch]:
        if (keys := _between(self.value() or "")) is None:
            return queryset
        pool, *players = keys
        for player in players:
            queryset = queryset.filter(match__rating_changes__pool=pool, match__rating_changes__player=player)
        return queryset


def _between(value: str) -> tuple[int, ...] | None:
    """The keys of a pool and two players, from "1-23-45"."""
    parts = value.split("-")
    fits = len(parts) == 3 and all(part.isascii() and part.isdigit() and len(part) < 19 for part in parts)
    return tuple(map(int, parts)) if fits else None


class SuspicionAdmin(KeptAdmin):
    list_display = ("sentence", "shown_kind", "pool", "shown_state", "first_seen", "last_seen")
    list_filter = (
        ("state", ChoicesDropdownFilter),
        ("kind", ChoicesDropdownFilter),
        ("pool", RelatedDropdownFilter),
    )
    list_filter_submit = True
    list_fullwidth = True
    list_select_related = ("pool", "player", "other", "looked_at_by")
    search_fields = ("player__username", "other__username")
    ordering = ("-state", "-last_seen", "-weight", "pk")
    actions = ("look_at_all",)
    actions_submit_line = ("look_at",)
    fields = (
        "sentence", "meaning", "ratings", "ledger", "pool", "shown_state", "first_seen", "last_seen",
        "looked_at_by", "looked_at", "note",
    )  # fmt: skip
    readonly_fields = fields[:-1]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Suspicion]:
        found = super().get_queryset(request)
        if request.user.is_superuser:
            return found
        return found.exclude(Q(player=request.user.pk) | Q(other=request.user.pk, other__isnull=False))

    def save_model(self, request: HttpRequest, obj: Suspicion, form: Any, change: bool) -> None:
        """The note alone, so that what was found since the page was read stays."""
        self.get_queryset(request).filter(pk=obj.pk).update(note=obj.note)
        for button in self.get_actions_submit_line(request, obj.pk):
            if button.action_name in request.POST:
                button.method(request, obj)

    @admin.action(description="Looked at", permissions=["change"])
    def look_at_all(self, request: HttpRequest, queryset: QuerySet[Suspicion]) -> None:
        messages.success(request, f"Looked at: {suspicions.look_at(queryset, actor(request))}.")

    @action(description="Looked at", permissions=["change"])
    def look_at(self, request: HttpRequest, obj: Suspicion) -> None:
        suspicions.look_at(self.get_queryset(request).filter(pk=obj.pk), actor(request), obj.note)

    @display(description="What was found")
    def sentence(self, obj: Suspicion) -> SafeString:
        accounts = len(obj.figures.get("accounts", ()))
        return format_html(
            SENTENCES[obj.kind], player=obj.player, other=obj.other, accounts=accounts, **_shown(obj)
        )

    @display(description="What it may mean")
    def meaning(self, obj: Suspicion) -> str:
        return MEANINGS[obj.kind]

    @display(description="Kind", ordering="kind")
    def shown_kind(self, obj: Suspicion) -> str:
        return obj.get_kind_display()

    @display(description="State", ordering="state", label=STATE_COLOURS)
    def shown_state(self, obj: Suspicion) -> str:
        return obj.get_state_display()

    @display(description="Ratings")
    def ratings(self, obj: Suspicion) -> SafeString:
        rows = Rating.objects.filter(pool=obj.pool, player__in=[obj.player_id, *_others(obj)])
        rows = rows.select_related("player", "pool")
        links = ((_page(row), row.player, shown(row.value, row.provisional)) for row in rows)
        link = '<a class="underline" href="{}"><bdi>{}</bdi></a>, {}'
        return format_html_join("", f"<div>{link}</div>", links)

    @display(description="Matches")
    def ledger(self, obj: Suspicion) -> SafeString:
        changelist = reverse("admin:ratings_ledgermatch_changelist")
        names = dict(Player.objects.filter(pk__in=_others(obj)).values_list("pk", "username"))
        rows = (
            (changelist, obj.pool_id, obj.player_id, pk, obj.player.username, name)
            for pk, name in names.items()
        )
        link = '<a class="underline" href="{}?between={}-{}-{}"><bdi>{}</bdi> and <bdi>{}</bdi></a>'
        return format_html_join("", f"<div>{link}</div>", rows)


def _others(obj: Suspicion) -> list[int]:
    return [obj.other_id] if obj.other_id else obj.figures["accounts"]


def _page(row: Rating) -> str:
    return reverse("admin:ratings_rating_change", args=[row.pk])


def _shown(obj: Suspicion) -> dict[str, str]:
    """The figures, in whole points and meetings."""
    return {name: f"{value:.0f}".replace("-", "−") for name, value in _numbers(obj.figures.items())}


def _numbers(figures: Iterable[tuple[str, Any]]) -> Iterable[tuple[str, float]]:
    return ((name, value) for name, value in figures if isinstance(value, int | float))

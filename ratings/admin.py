"""Ratings in the admin: all staff may look, and nothing is changed but by a recalculation.

Which private match a rating comes from is known to those who may know of the match.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import URLPattern, reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from unfold.contrib.filters.admin import ChoicesDropdownFilter, RelatedDropdownFilter
from unfold.decorators import action, display

from games.admin import KeptAdmin
from games.models import Match
from ratings import recalculation_pages, selectors
from ratings.models import LedgerMatch, Pool, Rating, RatingChange, Recalculation, Suspicion, shown, signed
from ratings.suspicions_admin import BetweenFilter, SuspicionAdmin

HISTORY_ROWS = 100
NBSP = "\N{NO-BREAK SPACE}"
PRIVATE = "private"
STATE_COLOURS = {
    Recalculation.State.PREVIEW.label: "info",
    Recalculation.State.WAITING.label: "warning",
    Recalculation.State.DONE.label: "success",
}


class ReadOnlyAdmin(KeptAdmin):
    """Ratings are public, so that being staff is enough to look."""

    list_filter_submit = True
    list_fullwidth = True

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _is_staff(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_staff(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class EstablishedFilter(admin.SimpleListFilter):
    title = "standing"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("established", "Established"), ("provisional", "Provisional (?)")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Rating]) -> QuerySet[Rating]:
        match self.value():
            case "established":
                return queryset.filter(matches__gte=F("pool__established_after"))
            case "provisional":
                return queryset.filter(matches__lt=F("pool__established_after"))
        return queryset


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    list_display = ("player_name", "pool", "points", "matches", "last_match_at")
    list_filter = (("pool", RelatedDropdownFilter), EstablishedFilter)
    search_fields = ("player__username",)
    list_select_related = ("player", "pool")
    fields = ("player_name", "pool", "points", "matches", "last_match_at", "history")
    readonly_fields = fields

    @display(description="Player", ordering="player__username")
    def player_name(self, rating: Rating) -> str:
        return rating.player.username

    @display(description="Rating", ordering="value")
    def points(self, rating: Rating) -> str:
        return shown(rating.value, rating.provisional)

    def get_object(self, request: HttpRequest, *args: Any) -> Any:
        """The rating, with whom its page is for."""
        rating: Any = super().get_object(request, *args)
        if rating is not None:
            rating.viewer = request.user
        return rating

    @display(description="History")
    def history(self, rating: Any) -> str:
        """The newest matches; the ledger has them all."""
        rows = selectors.history(rating.player, rating.pool, rating.viewer)[:HISTORY_ROWS]
        headers = ["Finished", "Match", "Place", "Rating", "Change", "K", "Against"]
        return _table(headers, (_history_row(row) for row in rows))


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnlyAdmin):
    list_display = (
        "sequence",
        "finished",
        "match_code",
        "pool",
        "player_name",
        "came",
        "was",
        "by",
        "now",
    )
    list_filter = (("pool", RelatedDropdownFilter),)
    search_fields = ("player__username", "code")
    list_select_related = ("match", "player", "pool")
    ordering = ("-sequence", "place", "player")
    fields = (*list_display, "n", "k", "formula")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return selectors.with_codes(super().get_queryset(request), request.user)

    @display(description="Finished", ordering="match__finished_at")
    def finished(self, row: RatingChange) -> str:
        return _time(row.match)

    @display(description="Match")
    def match_code(self, row: Any) -> str:
        return row.code or PRIVATE

    @display(description="Player", ordering="player__username")
    def player_name(self, row: RatingChange) -> str:
        return row.player.username

    @display(description="Place", ordering="place")
    def came(self, row: RatingChange) -> str:
        return _place(row)

    @display(description="Before", ordering="before")
    def was(self, row: RatingChange) -> str:
        return _before(row)

    @display(description="Change")
    def by(self, row: RatingChange) -> str:
        return signed(row.change)

    @display(description="After", ordering="after")
    def now(self, row: RatingChange) -> str:
        return _after(row)


@admin.register(LedgerMatch)
class LedgerMatchAdmin(ReadOnlyAdmin):
    list_display = ("sequence", "match_code", "rules", "finished", "reason", "programs")
    list_filter = (("reason", ChoicesDropdownFilter), BetweenFilter)
    search_fields = ("code", "match__rating_changes__player__username")
    list_select_related = ("match",)
    ordering = ("-sequence",)
    fields = (*list_display, "changes")
    readonly_fields = fields
    actions = ("annul", "restore")

    def has_recalculate_permission(self, request: HttpRequest) -> bool:
        return recalculation_pages.may_recalculate(request)

    @admin.action(description="Annul…", permissions=["recalculate"])
    def annul(self, request: HttpRequest, entries: QuerySet[LedgerMatch]) -> HttpResponse | None:
        return _to_annul(Recalculation.Cause.ANNULMENT, entries)

    @admin.action(description="Restore…", permissions=["recalculate"])
    def restore(self, request: HttpRequest, entries: QuerySet[LedgerMatch]) -> HttpResponse | None:
        return _to_annul(Recalculation.Cause.RESTORATION, entries)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return selectors.with_codes(super().get_queryset(request), request.user)

    @display(description="Match")
    def match_code(self, entry: Any) -> str:
        return entry.code or PRIVATE

    @display(description="Rules")
    def rules(self, entry: LedgerMatch) -> str:
        return entry.match.rules

    @display(description="Finished", ordering="match__finished_at")
    def finished(self, entry: LedgerMatch) -> str:
        return _time(entry.match)

    @display(description="Changes")
    def changes(self, entry: LedgerMatch) -> str:
        rows = entry.match.rating_changes.select_related("player", "pool").order_by("pool", "place")
        headers = ["Pool", "Player", "Place", "Rating", "Change", "K"]
        return _table(headers, (_change_row(row) for row in rows))


admin.site.register(Suspicion, SuspicionAdmin)


@admin.register(Pool)
class PoolAdmin(ReadOnlyAdmin):
    list_display = ("name", *Pool.PARAMETERS)
    fields = ("name", *Pool.PARAMETERS)
    readonly_fields = fields
    actions_detail = ("change_parameters",)

    def has_recalculate_permission(self, request: HttpRequest, *args: Any) -> bool:
        return recalculation_pages.may_recalculate(request)

    @action(description="Change", icon="tune", url_path="to-parameters", permissions=["recalculate"])
    def change_parameters(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:rating-parameters", args=[int(object_id)]))


@admin.register(Recalculation)
class RecalculationAdmin(ReadOnlyAdmin):
    list_display = (
        "told",
        "shown_state",
        "pool",
        "note",
        "moved",
        "computed",
        "asked_by",
        "asked_at",
        "done_at",
    )
    list_display_links = None
    list_filter = (("cause", ChoicesDropdownFilter), ("state", ChoicesDropdownFilter))
    search_fields = ("note",)
    list_select_related = ("pool", "asked_by")

    def get_urls(self) -> list[URLPattern]:
        return recalculation_pages.urls() + super().get_urls()

    @display(description="Recalculation", ordering="cause")
    def told(self, asked: Recalculation) -> str:
        style = "font-semibold text-primary-600 dark:text-primary-500"
        address = recalculation_pages.address(asked)
        return format_html('<a class="{}" href="{}">{}</a>', style, address, asked.get_cause_display())

    @display(description="State", ordering="state", label=STATE_COLOURS)
    def shown_state(self, asked: Recalculation) -> str:
        return asked.get_state_display()


def _to_annul(cause: Recalculation.Cause, entries: QuerySet[LedgerMatch]) -> HttpResponse:
    chosen = list(entries[: recalculation_pages.MOST_MATCHES])
    return HttpResponseRedirect(recalculation_pages.address_for(cause, chosen))


def _history_row(row: Any) -> list[object]:
    others = [other for other in row.match.rating_changes.all() if other.player_id != row.player_id]
    # Isolated, so that a name that is written to the left does not turn the numbers round.
    names = ((other.player.username, _before(other), _place(other)) for other in others)
    against = format_html_join(mark_safe("<br>"), "<bdi>{}</bdi> ({}, {})", names)
    return [_time(row.match), _match_link(row), *_outcome(row), against]


def _change_row(row: RatingChange) -> list[object]:
    return [row.pool.name, row.player.username, *_outcome(row)]


def _outcome(row: RatingChange) -> list[object]:
    return [_place(row), f"{_before(row)}{NBSP}→{NBSP}{_after(row)}", signed(row.change), f"{row.k:.1f}"]


def _table(headers: list[str], rows: Iterable[list[object]]) -> str:
    table = {"headers": headers, "rows": list(rows)}
    return render_to_string("unfold/components/table.html", {"table": table})


def _match_link(row: Any) -> str:
    if row.code is None:
        return PRIVATE
    changelist = reverse("admin:ratings_ledgermatch_changelist")
    return format_html('<a href="{}?q={}">{}</a>', changelist, row.code, row.code)


def _place(row: RatingChange) -> str:
    return f"{row.place}, left" if row.left else str(row.place)


def _before(row: RatingChange) -> str:
    return shown(row.before, row.n < row.pool.established_after)


def _after(row: RatingChange) -> str:
    return shown(row.after, row.provisional)


def _time(match: Match) -> str:
    return date_format(match.finished_at, f"Y-m-d{NBSP}H:i") if match.finished_at else "–"


def _is_staff(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_staff)

"""Players, their tokens, matches, reports of chat and webhooks in the admin.

Matches are only looked at: they are played through the API. Of chat staff see what was reported.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin
from unfold.decorators import action, display
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from games.analysis_page import urls as analysis_urls
from games.models import CLOCK_FIELDS, ApiToken, ChatReport, Delivery, Match, Player, Seat, Webhook
from games.selectors import said_before, with_seats
from games.services import chat, deliveries

admin.site.unregister(Group)

STATUS_COLOURS = {"Open": "warning", "Running": "info", "Finished": "success", "Cancelled": "danger"}

DELIVERY_COLOURS = {"Pending": "info", "Delivered": "success", "Given up": "danger"}

# What Django's filters of a list add to the name of their field.
FILTER_LOOKUPS = ("", "__exact", "__isnull", "__id__exact")

# Messages that staff see before a reported one.
SAID_BEFORE = 5

_Admin: Any = ModelAdmin if TYPE_CHECKING else object


class FiltersOnly(_Admin):
    """A list that is narrowed by the filters it shows and by nothing else: base of every admin here.

    Django takes lookups of any field from the address, and how many rows are left would tell a match's
    secret letter by letter.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        named = [_filtered(each) for each in self.get_list_filter(request)]
        return any(lookup == name + end for name in named for end in FILTER_LOOKUPS)


def _filtered(list_filter: Any) -> str:
    """The field of a filter, or the parameter of one that is a class."""
    if isinstance(list_filter, tuple):
        return list_filter[0]
    return getattr(list_filter, "parameter_name", list_filter)


def actor(request: HttpRequest) -> Player:
    """Who uses the admin, where nobody gets without an account."""
    assert isinstance(request.user, Player)
    return request.user


class KeptAdmin(FiltersOnly, ModelAdmin):
    """Base of lists whose rows come about elsewhere: nobody adds or deletes one here."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Group)
class SiteGroupAdmin(FiltersOnly, GroupAdmin, ModelAdmin):
    pass


@admin.register(Player)
class PlayerAdmin(FiltersOnly, UserAdmin, ModelAdmin):
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "kind", "is_staff", "is_active", "date_joined")
    list_filter = ("is_bot", "is_staff", "is_superuser", "is_active", "groups")
    search_fields = ("username", "email")
    ordering = ("username",)
    fieldsets = (
        (None, {"fields": ("username", "password", "email", "is_bot")}),
        ("Permissions", {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        ("Dates", {"fields": ("last_login", "date_joined", "closed_at")}),
    )
    readonly_fields = ("last_login", "date_joined", "closed_at")
    filter_horizontal = ()
    autocomplete_fields = ("groups",)

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """An account that its owner deleted is not brought back."""
        return super().has_change_permission(request, obj) and not (obj and obj.closed_at)

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Results and ratings follow from players: accounts are made inactive instead."""
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> tuple[str, ...]:
        """Whether a program plays for an account is said once."""
        return (*self.readonly_fields, "is_bot") if obj and obj.is_bot else self.readonly_fields

    @display(description="Plays", label={"person": "info", "program": "warning"})
    def kind(self, obj: Player) -> str:
        return "program" if obj.is_bot else "person"


@admin.register(ApiToken)
class ApiTokenAdmin(KeptAdmin):
    """Whose programs may do what. A token's text is stored nowhere, and its hash is shown nowhere."""

    list_display = ("code", "owned_by", "name", "may", "created", "expiry")
    list_display_links = None
    search_fields = ("code", "user__username")
    list_select_related = ("user",)
    ordering = ("-created",)
    actions = ("revoke",)

    def has_change_permission(self, request: HttpRequest, obj: ApiToken | None = None) -> bool:
        return False

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Tokens are revoked in their list, which asks no question: their owners make new ones."""
        return request.user.has_perm("games.delete_apitoken")

    @admin.action(description="Revoke", permissions=["revoke"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        count, _ = queryset.delete()
        messages.success(request, f"Tokens revoked: {count}.")

    @display(description="Player", ordering="user__username")
    def owned_by(self, obj: ApiToken) -> str:
        return obj.user.username

    @display(description="May")
    def may(self, obj: ApiToken) -> str:
        return ", ".join(obj.scopes)


@admin.register(Match)
class MatchAdmin(KeptAdmin):
    list_display = ("code", "shown_status", "rules", "players", "points", "deal", "started_at")
    list_filter = ("status", "rules", "rated")
    search_fields = ("code", "seats__player__username")
    ordering = ("-id",)
    fieldsets = (
        (None, {"fields": ("code", "shown_status", "rules", "options", "rated", "visibility")}),
        ("Table", {"fields": ("created_by", "arranged", "rematch_of", "hands_delay")}),
        ("Play", {"fields": ("seated", "deal", "version", "deadline", "commitment")}),
        (
            "Clocks and bots",
            {"fields": (*CLOCK_FIELDS, "on_timeout", "bot_delay")},
        ),
        ("Times", {"fields": ("created_at", "started_at", "finished_at")}),
    )
    actions_detail = ("analysis",)

    def get_urls(self) -> list[URLPattern]:
        return analysis_urls(self) + super().get_urls()

    @action(description="Analysis", icon="query_stats", url_path="to-analysis")
    def analysis(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:match-analysis", args=[object_id]))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return with_seats(super().get_queryset(request))

    def has_change_permission(self, request: HttpRequest, obj: Match | None = None) -> bool:
        return False

    @display(description="Status", ordering="status", label=STATUS_COLOURS)
    def shown_status(self, obj: Match) -> str:
        return obj.get_status_display()

    @display(description="Players (S, E, N, W)")
    def players(self, obj: Match) -> SafeString:
        """Each name by itself, so that Arabic ones do not change the order of the others."""
        return format_html_join(" · ", "<bdi>{}</bdi>", ((seat.name,) for seat in obj.seats.all()))

    @display(description="Points")
    def points(self, obj: Match) -> SafeString:
        return unbroken(" / ".join(map(str, obj.totals)))

    @display(description="Deal")
    def deal(self, obj: Match) -> SafeString:
        return unbroken(f"{obj.deal_number} of {obj.engine_options.deals}")

    @display(description="Seats and points")
    def seated(self, obj: Match) -> SafeString:
        rows = ((seat.letter, seat.name, obj.totals[seat.index], _absence(seat)) for seat in obj.seats.all())
        lines = format_html_join("", "<div>{}&ensp;<bdi>{}</bdi>&ensp;{}{}</div>", rows)
        winners = ", ".join(obj.winners)
        return format_html("{}<div>{}</div>", lines, f"Won by {winners}") if winners else lines


class StateFilter(admin.SimpleListFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("open", "Open"), ("settled", "Settled")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ChatReport]) -> QuerySet[ChatReport]:
        if self.value() is None:
            return queryset
        return queryset.filter(settled_at__isnull=self.value() == "open")


@admin.register(ChatReport)
class ChatReportAdmin(KeptAdmin):
    list_display = ("created_at", "table", "author", "said", "reporter", "reason", "state")
    list_filter = (StateFilter,)
    list_select_related = ("message__match", "message__author", "reporter")
    search_fields = ("message__match__code", "message__author__username")
    ordering = ("-id",)
    actions = ("hide_messages", "settle_reports")
    fields = (
        "table", "said_before", "author", "said", "message_hidden_at",
        "reporter", "reason", "created_at", "settled_at",
    )  # fmt: skip

    def has_change_permission(self, request: HttpRequest, obj: ChatReport | None = None) -> bool:
        """Reports are dealt with by the actions of their list alone."""
        return obj is None and super().has_change_permission(request)

    @admin.action(description="Hide message", permissions=["change"])
    def hide_messages(self, request: HttpRequest, queryset: QuerySet[ChatReport]) -> None:
        messages.success(request, f"Messages hidden: {chat.hide(queryset)}.")

    @admin.action(description="Settle", permissions=["change"])
    def settle_reports(self, request: HttpRequest, queryset: QuerySet[ChatReport]) -> None:
        messages.success(request, f"Reports settled: {chat.settle(queryset)}.")

    @display(description="Table")
    def table(self, obj: ChatReport) -> str:
        return obj.message.match.code

    @display(description="Author")
    def author(self, obj: ChatReport) -> SafeString:
        return format_html("<bdi>{}</bdi>", obj.message.author or "-")

    @display(description="Message")
    def said(self, obj: ChatReport) -> SafeString:
        return format_html('<bdi style="white-space: pre-line">{}</bdi>', obj.message.text)

    @display(description="Said before it")
    def said_before(self, obj: ChatReport) -> SafeString:
        rows = ((said.author or "-", said.text) for said in said_before(obj.message, SAID_BEFORE))
        return format_html_join("", "<div><bdi>{}</bdi>: <bdi>{}</bdi></div>", rows)

    @display(description="Hidden at")
    def message_hidden_at(self, obj: ChatReport) -> datetime | None:
        return obj.message.hidden_at

    @display(description="State", label={"Open": "warning", "Settled": "success"})
    def state(self, obj: ChatReport) -> str:
        return "Settled" if obj.settled_at else "Open"


@admin.register(Webhook)
class WebhookAdmin(KeptAdmin):
    """Its key is shown to nobody, and it is made and deleted by its owner; here it can be stopped."""

    list_display = ("code", "owned_by", "topic", "url", "wanted", "active", "created_at")
    list_filter = ("active",)
    list_select_related = ("owner",)
    search_fields = ("code", "url", "owner__username")
    ordering = ("-id",)
    fields = ("code", "owned_by", "topic", "url", "wanted", "active", "created_at")
    readonly_fields = ("code", "owned_by", "topic", "url", "wanted", "created_at")

    @display(description="Owner")
    def owned_by(self, obj: Webhook) -> SafeString:
        return format_html("<bdi>{}</bdi>", obj.owner)

    @display(description="Events")
    def wanted(self, obj: Webhook) -> str:
        return ", ".join(obj.events) or "all"


@admin.register(Delivery)
class DeliveryAdmin(KeptAdmin):
    list_display = (
        "code", "event", "owned_by", "address", "shown_status", "attempts", "response_status", "created_at",
        "sent_at", "due_at",
    )  # fmt: skip
    list_filter = ("status", "event")
    list_select_related = ("webhook__owner",)
    search_fields = ("code", "webhook__code", "webhook__url", "webhook__owner__username")
    ordering = ("-id",)
    show_full_result_count = False
    actions = ("send_again",)
    fields = (
        "code", "event", "owned_by", "address", "shown_body", "shown_status", "attempts", "created_at",
        "sent_at", "due_at", "response_status", "response",
    )  # fmt: skip

    def has_change_permission(self, request: HttpRequest, obj: Delivery | None = None) -> bool:
        """The log is looked at, and sent again by the action of its list."""
        return obj is None and super().has_change_permission(request)

    @admin.action(description="Send again", permissions=["change"])
    def send_again(self, request: HttpRequest, queryset: QuerySet[Delivery]) -> None:
        asked, sent = queryset.count(), deliveries.send_again(queryset)
        messages.success(request, f"Deliveries that are sent again: {sent}.")
        if asked > sent:
            left = "Those that still wait, or whose webhook is inactive, are not"
            messages.warning(request, f"{left}: {asked - sent}.")

    @display(description="Owner")
    def owned_by(self, obj: Delivery) -> SafeString:
        return format_html("<bdi>{}</bdi>", obj.webhook.owner)

    @display(description="Address")
    def address(self, obj: Delivery) -> str:
        return obj.webhook.url

    @display(description="Status", ordering="status", label=DELIVERY_COLOURS)
    def shown_status(self, obj: Delivery) -> str:
        return obj.get_status_display()

    @display(description="Body")
    def shown_body(self, obj: Delivery) -> SafeString:
        return format_html('<code class="break-all">{}</code>', deliveries.message(obj).decode())


def _absence(seat: Seat) -> str:
    if seat.resigned:
        return " · resigned, a bot plays on"
    return " · a bot plays on" if seat.away_since else ""


def unbroken(text: str) -> SafeString:
    return format_html('<span class="whitespace-nowrap">{}</span>', text)

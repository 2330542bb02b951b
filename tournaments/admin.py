"""Tournaments in the admin: a list, a form of settings, and the desk on which one is run; and leagues."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.forms import ModelForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin, TabularInline
from unfold.decorators import action, display

from games.admin import FiltersOnly, MatchAdmin, actor
from games.models import CLOCK_FIELDS, Match
from tournaments.desk import urls as desk_urls
from tournaments.desk.exchange import import_file as import_page
from tournaments.desk.leagues import urls as league_urls
from tournaments.forms import LeagueForm, StageFormSet, TournamentForm
from tournaments.models import MOST_STAGES, Entry, League, Stage, Tournament
from tournaments.organisers import RIGHTS, Right, may, official_in
from tournaments.services import leagues, life
from tournaments.services.stages import set_stages
from trix_site.common.errors import ProblemError

State = Tournament.State
STATE_COLOURS = {
    State.DRAFT.label: "default",
    State.REGISTRATION.label: "warning",
    State.RUNNING.label: "info",
    State.FINISHED.label: "success",
    State.CANCELLED.label: "danger",
}


class StageInline(TabularInline):
    """The stages in their order; those that have begun change no more than the service allows."""

    model = Stage
    formset = StageFormSet
    fields = ("format", "rounds", "groups", "cut", "advance", "minutes")
    extra = 0
    min_num = 1
    max_num = MOST_STAGES
    validate_min = True
    ordering = ("number",)

    def has_add_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        return obj is None or obj.state not in Tournament.OVER

    has_change_permission = has_add_permission
    has_delete_permission = has_add_permission

    def has_view_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        return True


class ServiceAdmin(FiltersOnly, ModelAdmin):
    """Rows that services store: what they refuse becomes a message."""

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().changeform_view(request, *args, **kwargs)
        except ProblemError as refused:  # Someone else was quicker than the form.
            messages.error(request, refused.detail)
            return HttpResponseRedirect(request.get_full_path())


@admin.register(Tournament)
class TournamentAdmin(ServiceAdmin):
    form = TournamentForm
    list_display = ("shown_name", "shown_state", "rules", "players", "played", "created_at")
    list_display_links = None
    list_filter = ("state", "rules")
    search_fields = ("name", "slug")
    autocomplete_fields = tuple(RIGHTS)
    inlines = (StageInline,)
    actions_detail = ("desk",)
    actions_list = ("import_file",)
    fieldsets = (
        (None, {"fields": ("name", "slug", "description", "visibility", "cap", "time_zone")}),
        ("Who runs it", {"fields": tuple(RIGHTS)}),
        ("Play", {"fields": ("rules", "options", "pairs", "automatic", "rated", "same_cards")}),
        (
            "Draws and points",
            {"fields": ("fill", "metrics", "place_points", "bye_points", "weights", "seed")},
        ),
        ("Clocks", {"fields": (*CLOCK_FIELDS, "on_timeout", "grace")}),
        ("Bots", {"fields": ("bot_level", "bot_delay")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        """Their own tournaments; all of them for superusers."""
        rows = super().get_queryset(request)
        if not request.user.is_superuser:
            rows = rows.filter(pk__in=Tournament.objects.filter(official_in(request.user)).values("pk"))
        active = Count("entries", filter=Q(entries__state=Entry.State.ACTIVE), distinct=True)
        closed = Count("rounds", filter=Q(rounds__state="closed"), distinct=True)
        return rows.annotate(active=active, closed=closed)

    def has_change_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """Settings are the organisers', whom others ask. Without a tournament: whether one may at all."""
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or may(request.user, obj, Right.ORGANISE))

    def has_delete_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """Nothing that was played is deleted: tournaments are cancelled."""
        return False

    def get_fieldsets(self, request: HttpRequest, obj: Tournament | None = None) -> Any:
        """Who runs it has a page of the desk; only superusers may look through all accounts here."""
        whole = super().get_fieldsets(request, obj)
        return [part for part in whole if request.user.is_superuser or part[0] != "Who runs it"]

    def get_readonly_fields(self, request: HttpRequest, obj: Tournament | None = None) -> tuple[str, ...]:
        """What may no longer change; lists of accounts are for superusers, others have a page of the desk."""
        fixed = set() if request.user.is_superuser else set(RIGHTS)
        if obj is None:
            return tuple(fixed)
        if obj.state in Tournament.OVER:
            return tuple(name for _, rows in self.fieldsets for name in rows["fields"])
        return tuple(sorted(fixed | life.frozen_settings(obj)))

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Nothing of the address: Django would look for the organisers `?organisers=no-key`."""
        return {}

    def save_model(self, request: HttpRequest, obj: Tournament, form: ModelForm, change: bool) -> None:
        if not change:
            life.store_new(obj, actor(request))
            return
        fields = {field.name for field in Tournament._meta.concrete_fields}
        changed = {name: form.cleaned_data[name] for name in form.changed_data if name in fields}
        if changed:
            life.change_settings(form.initial.get("slug", obj.slug), actor=actor(request), **changed)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Officials and stages; whoever made the tournament is one of its organisers."""
        roles = {role: set(form.cleaned_data[role]) for role in RIGHTS if role in form.changed_data}
        if "organisers" in roles and not change:
            roles["organisers"].add(actor(request))
        if roles:
            life.set_officials(slug=form.instance.slug, actor=actor(request), **roles)
        for formset in formsets:
            if formset.has_changed() or not change:
                set_stages(slug=form.instance.slug, actor=actor(request), stages=formset.stages())

    def response_add(self, request: HttpRequest, obj: Tournament, *args: Any) -> HttpResponse:
        messages.success(request, f"{obj.name} is created, as a draft.")
        return HttpResponseRedirect(desk_of(obj))

    def get_urls(self) -> list[URLPattern]:
        return desk_urls(self) + super().get_urls()

    @action(description="Import a file", icon="upload", url_path="import", permissions=["add"])
    def import_file(self, request: HttpRequest) -> HttpResponse:
        return import_page(request)

    @action(description="Run this tournament", icon="playing_cards", url_path="to-desk")
    def desk(self, request: HttpRequest, object_id: str) -> HttpResponse:
        found = self.get_object(request, object_id)
        if found is None:
            raise Http404
        return HttpResponseRedirect(desk_of(found))

    @display(description="Tournament", ordering="name")
    def shown_name(self, obj: Tournament) -> SafeString:
        style = "font-semibold text-primary-600 dark:text-primary-500"
        return format_html('<a class="{}" href="{}"><bdi>{}</bdi></a>', style, desk_of(obj), obj.name)

    @display(description="State", ordering="state", label=STATE_COLOURS)
    def shown_state(self, obj: Tournament) -> str:
        return obj.get_state_display()

    @display(description="Players")
    def players(self, obj: Tournament) -> int:
        return obj.active  # type: ignore[attr-defined]

    @display(description="Rounds closed")
    def played(self, obj: Tournament) -> str:
        closed: int = obj.closed  # type: ignore[attr-defined]
        return f"{closed} of {obj.rounds_planned}" if obj.rounds_planned else str(closed)


@admin.register(League)
class LeagueAdmin(ServiceAdmin):
    form = LeagueForm
    list_display = ("name", "divisions", "division_size", "promoted", "opened")
    search_fields = ("name", "slug")
    autocomplete_fields = ("organisers",)
    actions_detail = ("to_seasons",)
    fields = (
        "name",
        "slug",
        "description",
        "organisers",
        "divisions",
        "division_size",
        "promoted",
        "settings",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[League]:
        """Their own leagues; all of them for superusers."""
        rows = super().get_queryset(request).annotate(opened=Count("seasons", distinct=True))
        if request.user.is_superuser:
            return rows
        return rows.filter(pk__in=League.objects.filter(organisers=request.user.pk).values("pk"))

    def has_delete_permission(self, request: HttpRequest, obj: League | None = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: League | None = None) -> tuple[str, ...]:
        """Lists of accounts are for superusers."""
        return () if request.user.is_superuser else ("organisers",)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {}

    def save_model(self, request: HttpRequest, obj: League, form: ModelForm, change: bool) -> None:
        if not change:
            leagues.store_league(obj, actor(request))
            return
        changed = {name: form.cleaned_data[name] for name in form.changed_data if name != "organisers"}
        leagues.change_league(form.initial["slug"], actor=actor(request), **changed)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Whoever made the league stays one of its organisers."""
        if "organisers" in form.changed_data:
            chosen = set(form.cleaned_data["organisers"]) | (set() if change else {actor(request)})
            leagues.change_league(form.instance.slug, actor=actor(request), organisers=chosen)

    def response_add(self, request: HttpRequest, obj: League, *args: Any) -> HttpResponse:
        messages.success(request, f"{obj.name} is created; open its first season.")
        return HttpResponseRedirect(reverse("admin:league-seasons", args=[obj.pk]))

    def get_urls(self) -> list[URLPattern]:
        return league_urls(self) + super().get_urls()

    @display(description="Seasons")
    def opened(self, obj: League) -> int:
        return obj.opened  # type: ignore[attr-defined]

    @action(description="Seasons", icon="calendar_month", url_path="to-seasons")
    def to_seasons(self, request: HttpRequest, object_id: str) -> HttpResponse:
        found = self.get_object(request, object_id)
        if found is None:
            raise Http404
        return HttpResponseRedirect(reverse("admin:league-seasons", args=[found.pk]))


def desk_of(tournament: Tournament) -> str:
    return reverse("admin:desk-overview", args=[tournament.pk])


admin.site.unregister(Match)


@admin.register(Match)
class TournamentMatchAdmin(MatchAdmin):
    """Matches as games shows them, with those of one's own tournaments."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        rows = super().get_queryset(request)
        if request.user.is_superuser:
            return rows
        return rows.filter(
            table__round__tournament__in=Tournament.objects.filter(official_in(request.user)).values("pk")
        )

"""Who may run a tournament: its organisers, and superusers. `None` stands for the service itself."""

from typing import Any

from django.apps import apps
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission
from django.db.models import Q

from games.models import Player
from tournaments.models import Tournament
from trix_site.common.errors import Conflict, Forbidden

GROUP = "Organisers"
# What the group may do in the admin; which rows it sees there is narrowed further.
PERMISSIONS = (
    "tournaments.view_tournament",
    "tournaments.add_tournament",
    "tournaments.change_tournament",
    "games.view_match",
)


def is_organiser(player: Any, tournament: Tournament) -> bool:
    """Whether a request's user may run the tournament; anonymous users may not."""
    if not player.is_authenticated:
        return False
    return player.is_superuser or tournament.organisers.filter(pk=player.pk).exists()


def check_organiser(actor: Player | None, tournament: Tournament) -> None:
    """Raise Forbidden `not_organiser` unless the actor may run the tournament."""
    if actor is not None and not is_organiser(actor, tournament):
        raise Forbidden("not_organiser", f"Only an organiser of {tournament.name} may do this.")


def check_not_needed(player: Player, **_: Any) -> None:
    """Receives games.signals.account_closing: raise Conflict for the only organiser of what is not over.

    Elsewhere he is one no more.
    """
    over = (Tournament.State.FINISHED, Tournament.State.CANCELLED)
    others = Player.objects.filter(is_active=True).exclude(pk=player.pk)
    needed = player.organised_tournaments.exclude(state__in=over).exclude(organisers__in=others)
    if names := list(needed.order_by("name").values_list("name", flat=True)):
        detail = f"You alone organise {', '.join(names)}: finish or cancel it first, or name another."
        raise Conflict("organises_running", detail, tournaments=names)
    player.organised_tournaments.clear()


def make_group(using: str, **_: Any) -> None:
    """The group of organisers, after each migration. Permissions added by hand are kept."""
    for label in {name.split(".")[0] for name in PERMISSIONS}:
        # Django makes an app's permissions when it is done with the app, which may be after this one.
        create_permissions(apps.get_app_config(label), verbosity=0, using=using)
    wanted = Q()
    for name in PERMISSIONS:
        app, codename = name.split(".")
        wanted |= Q(content_type__app_label=app, codename=codename)
    group, _created = Group.objects.using(using).get_or_create(name=GROUP)
    group.permissions.add(*Permission.objects.using(using).filter(wanted))

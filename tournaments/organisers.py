"""Who may do what with a tournament: its officials, and superusers. `None` stands for the service itself.

An organiser may do everything. An assistant runs it: entries, check-in, draws, rounds. A referee judges:
results, penalties, substitutes, no-shows. All of them see what is not published yet, and the log.
"""

from enum import StrEnum
from typing import Any

from django.apps import apps
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission
from django.db.models import Q

from games.models import Player
from tournaments.models import League, Tournament
from trix_site.common.errors import Conflict, Forbidden

GROUP = "Organisers"
# What the group may do in the admin; which rows it sees there is narrowed further.
PERMISSIONS = (
    "tournaments.view_tournament",
    "tournaments.add_tournament",
    "tournaments.change_tournament",
    "tournaments.view_league",
    "tournaments.add_league",
    "tournaments.change_league",
    "games.view_match",
    "ratings.add_recalculation",
    "ratings.view_suspicion",
    "ratings.change_suspicion",
)


class Right(StrEnum):
    """What an official may be allowed to do; the text names who may, for refusals."""

    ORGANISE = "an organiser"
    RUN = "an organiser or assistant"
    JUDGE = "an organiser or referee"


RIGHTS = {
    "organisers": frozenset(Right),
    "assistants": frozenset({Right.RUN}),
    "referees": frozenset({Right.JUDGE}),
}
"""The rights that each of a tournament's lists of people gives."""


def rights_of(player: Any, tournament: Tournament) -> frozenset[Right]:
    """What a request's user may do; anonymous users nothing, superusers everything."""
    if not player.is_authenticated:
        return frozenset()
    if player.is_superuser:
        return frozenset(Right)
    roles = [role for role in RIGHTS if getattr(tournament, role).filter(pk=player.pk).exists()]
    return frozenset().union(*(RIGHTS[role] for role in roles))


def is_official(player: Any, tournament: Tournament) -> bool:
    """Whether a request's user may see what is not published."""
    return bool(rights_of(player, tournament))


def check_official(player: Player, tournament: Tournament) -> None:
    """Raise Forbidden `not_organiser` for whoever has no part in running the tournament."""
    if not is_official(player, tournament):
        raise Forbidden("not_organiser", f"Only those who run {tournament.name} may see this.")


def may(player: Any, tournament: Tournament, right: Right) -> bool:
    return right in rights_of(player, tournament)


def check_may(actor: Player | None, tournament: Tournament, right: Right) -> None:
    """Raise Forbidden `not_organiser` unless the actor has the right."""
    if actor is not None and not may(actor, tournament, right):
        raise Forbidden("not_organiser", f"Only {right} of {tournament.name} may do this.")


def organises_league(player: Any, league: League) -> bool:
    """Whether a request's user is one of its organisers, or a superuser."""
    if not player.is_authenticated:
        return False
    return player.is_superuser or league.organisers.filter(pk=player.pk).exists()


def check_organises_league(actor: Player | None, league: League) -> None:
    """Raise Forbidden `not_organiser` unless the actor is an organiser of the league."""
    if actor is not None and not organises_league(actor, league):
        raise Forbidden("not_organiser", f"Only an organiser of {league.name} may do this.")


def official_in(player: Any) -> Q:
    """The tournaments in which a player is one of the officials."""
    through = (getattr(Tournament, role).through.objects.filter(player_id=player.pk) for role in RIGHTS)
    mine = Q()
    for rows in through:
        mine |= Q(pk__in=rows.values("tournament_id"))
    return mine


def lock_what_he_runs(player: Player, **_: Any) -> None:
    """Receives games.signals.account_locking: leagues and tournaments come before accounts. Of two organisers
    who go at once one stays.
    """
    leagues = League.objects.filter(pk__in=player.organised_leagues.values("pk"))
    for his in (leagues, Tournament.objects.filter(official_in(player))):
        list(his.select_for_update(no_key=True).order_by("pk").values_list("pk"))


def check_not_needed(player: Player, **_: Any) -> None:
    """Receives games.signals.account_closing: raise Conflict for the only organiser of what is not over.

    Elsewhere he is one no more.
    """
    others = Player.objects.filter(is_active=True).exclude(pk=player.pk)
    needed = player.organised_tournaments.exclude(state__in=Tournament.OVER).exclude(organisers__in=others)
    if names := list(needed.order_by("name").values_list("name", flat=True)):
        detail = f"You alone organise {', '.join(names)}: finish or cancel it first, or name another."
        raise Conflict("organises_running", detail, tournaments=names)
    for role in RIGHTS:
        getattr(Tournament, role).through.objects.filter(player_id=player.pk).delete()
    League.organisers.through.objects.filter(player_id=player.pk).delete()


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

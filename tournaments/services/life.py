"""What a tournament is set up as, who runs it, and its states: draft → registration → running → the end."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from django.utils.text import slugify

from games.bots import LEVELS
from games.engine import OptionError, options_for
from games.models import Match, Player
from games.services.locks import lock_open_accounts
from games.services.matches import stop
from ratings.maths import START
from tournaments.models import Entry, League, Stage, Tournament
from tournaments.organisers import Right
from tournaments.selectors import ratings_of
from tournaments.services.audit import audit
from tournaments.services.check_in import close_check_in
from tournaments.services.entries import PLACED, find_players, move_up
from tournaments.services.locks import lock_as, require_no_open_round, require_no_replay, require_state
from tournaments.services.news import announce, announce_to_entrants
from tournaments.services.stages import DEFAULT, begin, made, set_stages
from tournaments.settings import check_weights
from tournaments.standings import METRICS
from trix_site.common.errors import AgainstRules, BadRequest, Conflict
from trix_site.common.ids import ALPHABET, new_code
from trix_site.common.lines import check_line

State = Tournament.State
NO_SLUG = "import"

# Thousands at once, for which `bulk_update` takes seconds.
SEED = """
UPDATE tournaments_entry AS entry SET seed_rating = given.rating
FROM unnest(%s::bigint[], %s::float8[]) AS given (id, rating) WHERE entry.id = given.id
"""

# What may still be changed once players have entered by what is written, or once cards were played.
SETTINGS_OF_DRAFT = frozenset({"rules", "options", "rated", "pairs"})
SETTINGS_BEFORE_START = frozenset({"metrics", "place_points", "bye_points", "seed", "slug"})


def create_tournament(
    *, actor: Player | None, stages: Sequence[Mapping[str, Any]] = DEFAULT, **settings: Any
) -> Tournament:
    """A draft with `actor`, if there is one, as its organiser; `settings` are fields of Tournament.

    `stages`: as `stages.set_stages` takes them. Raises BadRequest: `invalid` with `errors` by field, the
    engine's code for rules and options, or `bad_stages`; Conflict `slug_taken`.
    """
    return store_new(Tournament(**settings), actor, stages)


def store_new(
    tournament: Tournament, actor: Player | None, stages: Sequence[Mapping[str, Any]] = DEFAULT
) -> Tournament:
    """Store a tournament that was not, as `create_tournament`."""
    tournament.name = tournament.name.strip()
    wanted = made(tournament, stages)
    if tournament.visibility == Tournament.Visibility.CODE:
        tournament.join_code = new_code()
    asked_for = tournament.slug
    tournament.slug = asked_for or free_slug(tournament.name)
    check_settings(tournament)
    with transaction.atomic():
        try:
            _save(tournament, force_insert=True)
        except Conflict:
            if asked_for:
                raise
            tournament.slug = free_slug(tournament.name)  # Another of this name came a moment before.
            _save(tournament, force_insert=True)
        Stage.objects.bulk_create(wanted)
        if actor is not None:
            tournament.organisers.add(actor)
        audit(tournament, actor, "created", name=tournament.name, rules=tournament.rules)
    return tournament


def change(
    slug: str, /, *, actor: Player, stages: Sequence[Mapping[str, Any]] | None = None, **settings: Any
) -> Tournament:
    """Change settings and, if they are given, the stages: all or none. Raises as the two do."""
    with transaction.atomic():
        tournament = change_settings(slug, actor=actor, **settings)
        if stages is not None:
            set_stages(slug=tournament.slug, actor=actor, stages=stages)
    return tournament


def check_settings(tournament: Tournament) -> None:
    """Raise BadRequest unless the fields make sense, each and together."""
    check_words(tournament.rules, tournament.options, tournament.metrics, tournament.bot_level)
    check_points(tournament.place_points, tournament.bye_points)
    check_time_zone(tournament.time_zone)
    check_weights(tournament.weights)
    check_pairs(tournament.pairs, tournament.rules, tournament.options)
    if tournament.name:
        check_line("name", tournament.name)
    if tournament.slug == NO_SLUG:
        raise Conflict("slug_taken", f"{NO_SLUG} is an address of the API; take another one.")
    try:
        # Of addresses the database knows best: see _save. Whoever is to have a code may get it later.
        tournament.full_clean(exclude=["join_code"], validate_unique=False)
    except ValidationError as error:
        raise BadRequest.of_fields(error) from error


def check_words(rules: str, options: Mapping[str, object], metrics: Sequence[str], bot_level: str) -> None:
    """Raise BadRequest for rules, options, metrics or levels of bots that there are not."""
    if not isinstance(options, Mapping):
        raise BadRequest("bad_option_value", 'Options are a JSON object, such as {"early_end": false}.')
    try:
        options_for(rules, options)
    except OptionError as error:
        raise BadRequest(error.code, error.message) from error
    unknown = [name for name in metrics if name not in METRICS]
    if unknown or not metrics:
        known = ", ".join(METRICS)
        raise BadRequest("unknown_metric", f"Metrics are a list of some of: {known}.", metrics=unknown)
    if twice := [name for name in METRICS if metrics.count(name) > 1]:
        detail = f"Metrics are named once each, not {', '.join(twice)} twice."
        raise BadRequest("unknown_metric", detail, metrics=twice)
    if bot_level not in LEVELS:
        raise BadRequest("unknown_bot", f"Levels of bots are {', '.join(LEVELS)}.")


def check_pairs(pairs: bool, rules: str, options: Mapping[str, object]) -> None:
    """Raise BadRequest `no_partners` for fixed pairs under rules, which there are, without partners."""
    if pairs and not options_for(rules, options).partners:
        raise BadRequest("no_partners", f"{rules} is played without partners: no fixed pairs.")


def check_points(place_points: Sequence[int], bye_points: Decimal) -> None:
    """Raise BadRequest `bad_points` unless four places give ever fewer points, and a bye whole quarters."""
    falling = list(place_points) == sorted(place_points, reverse=True)
    if len(place_points) != 4 or not falling or place_points[0] == place_points[3]:
        raise BadRequest("bad_points", "Points of the four places fall from first to last: 4, 2, 1, 0.")
    if Decimal(bye_points) % Decimal("0.25"):
        raise BadRequest("bad_points", "The points of a bye are whole quarters: 1.75.")


def check_time_zone(name: str) -> None:
    """Raise BadRequest `unknown_time_zone` for what is none of the world's."""
    if name not in available_timezones():
        raise BadRequest("unknown_time_zone", f"There is no time zone {name!r}; one is Asia/Beirut.")


def change_settings(slug: str, /, *, actor: Player | None, **settings: Any) -> Tournament:
    """Change fields of the tournament at `slug` that may still change; the address is one of them.

    Raises as `create_tournament`, and Conflict `too_late` for the other fields.
    """
    with transaction.atomic():
        tournament = lock_as(Right.ORGANISE, slug, actor)
        changed = {name: value for name, value in settings.items() if getattr(tournament, name) != value}
        check_changeable(tournament, changed)
        if not changed:
            return tournament
        for name, value in changed.items():
            setattr(tournament, name, value)
        if tournament.visibility == Tournament.Visibility.CODE and not tournament.join_code:
            tournament.join_code = new_code()
        check_settings(tournament)
        _save(tournament, update_fields=[*changed, "join_code"])
        audit(tournament, actor, "settings_changed", fields=sorted(changed))
        if "cap" in changed and tournament.state in Tournament.BEFORE_START:
            move_up(tournament)
    return tournament


def _save(tournament: Tournament, **how: Any) -> None:
    """Raises Conflict `slug_taken` for the address of another tournament, be it a moment old."""
    try:
        with transaction.atomic():
            tournament.save(**how)
    except IntegrityError as error:
        raise Conflict("slug_taken", f"There is a tournament at {tournament.slug!r} already.") from error


def set_officials(*, slug: str, actor: Player | None, **roles: Iterable[Player]) -> Tournament:
    """Say who are a tournament's organisers, assistants or referees from now on.

    Raises Forbidden, Missing; Conflict `no_organiser` if nobody would be left to organise it,
    `account_closed`.
    """
    with transaction.atomic():
        tournament = lock_as(Right.ORGANISE, slug, actor)
        new = set[Player]()
        for role, players in roles.items():
            new |= set_role(getattr(tournament, role), players)
        if not tournament.organisers.filter(is_active=True).exists():
            raise Conflict("no_organiser", "Somebody must be left to organise it.")
        audit(tournament, actor, "officials_changed", **officials(tournament, roles))
        lock_open_accounts(new)
    return tournament


def set_role(role: Any, players: Iterable[Player]) -> set[Player]:
    """Let a role be these players'; who of them did not have it before."""
    chosen, before = set(players), set(role.all())
    role.set(chosen)
    return chosen - before


def name_officials(*, slug: str, actor: Player, **names: Sequence[str]) -> Tournament:
    """`set_officials` by the players' names. Raises Missing `no_such_player`, Conflict `account_closed`."""
    roles = {role: find_players(of_role) if of_role else [] for role, of_role in names.items()}
    for player in {player for players in roles.values() for player in players}:
        if not player.is_active:
            detail = f"The account of {player.username} is closed."
            raise Conflict("account_closed", detail, player=player.username)
    return set_officials(slug=slug, actor=actor, **roles)


def renew_code(*, slug: str, actor: Player | None) -> Tournament:
    """Give a tournament another code to enter by; the old one is good for nothing.

    Raises Conflict `no_join_code` for one that takes none.
    """
    with transaction.atomic():
        tournament = lock_as(Right.RUN, slug, actor)
        if tournament.visibility != Tournament.Visibility.CODE:
            raise Conflict("no_join_code", f"{tournament.name} takes no code to enter.")
        tournament.join_code = new_code()
        tournament.save(update_fields=["join_code"])
        audit(tournament, actor, "join_code_renewed")
    return tournament


def officials(tournament: Tournament, roles: Iterable[str]) -> dict[str, list[str]]:
    """The names of those who have these roles."""
    return {
        role: list(getattr(tournament, role).order_by("username").values_list("username", flat=True))
        for role in roles
    }


def frozen_settings(tournament: Tournament) -> frozenset[str]:
    """The fields that may no longer change in the tournament's state."""
    if tournament.state == State.DRAFT:
        return frozenset()
    if tournament.state == State.REGISTRATION:
        return SETTINGS_OF_DRAFT
    return SETTINGS_OF_DRAFT | SETTINGS_BEFORE_START


def check_changeable(tournament: Tournament, names: Any) -> None:
    """Raise Conflict `wrong_state` if the tournament is over, `too_late` if any of the fields is frozen."""
    require_state(tournament, *Tournament.NOT_OVER)
    if late := sorted(frozen_settings(tournament).intersection(names)):
        detail = f"It is too late to change {', '.join(late)}: {tournament.name} is {tournament.state}."
        raise Conflict("too_late", detail, fields=late)
    if "pairs" in names and tournament.entries.filter(state__in=PLACED).exists():
        raise Conflict("too_late", "Withdraw all entries before you change fixed pairs.", fields=["pairs"])


def free_slug(name: str, of: type[Tournament] | type[League] = Tournament) -> str:
    """An address from a name; a random one for names that leave no Latin letters."""
    base = slugify(name)[: (of._meta.get_field("slug").max_length or 60) - 15] or "league"
    if base not in ("league", NO_SLUG) and not of.objects.filter(slug=base).exists():
        return base
    return f"{base}-{''.join(secrets.choice(ALPHABET) for _ in range(6))}"


def open_registration(*, slug: str, actor: Player | None) -> Tournament:
    """draft → registration: players may enter. Raises Forbidden, Conflict `wrong_state`."""
    with transaction.atomic():
        tournament = lock_as(Right.ORGANISE, slug, actor)
        require_state(tournament, State.DRAFT)
        _move(tournament, State.REGISTRATION, actor, "registration_opened")
        announce(tournament, "tournament_opened")
        return tournament


def start(*, slug: str, actor: Player | None) -> Tournament:
    """registration → running: rounds may be drawn. Raises `too_few_entries` for fewer than two a group."""
    with transaction.atomic():
        tournament = lock_as(Right.ORGANISE, slug, actor)
        require_state(tournament, State.REGISTRATION)
        close_check_in(tournament, actor)
        active = list(tournament.entries.filter(state=Entry.State.ACTIVE).select_related("player", "partner"))
        if len(active) < 2:
            raise AgainstRules("too_few_entries", f"It takes two players to start; {len(active)} entered.")
        stage = tournament.stages.get(number=1)
        if len(active) < 2 * stage.groups:
            detail = f"{stage.groups} groups take two entries each; {len(active)} entered: make fewer groups."
            raise AgainstRules("too_few_entries", detail)
        seed_by_ratings(tournament, active)
        begin(stage, sorted(active, key=lambda e: (-(e.seed_rating or 0), e.pk)))
        tournament.started_at = timezone.now()
        _move(tournament, State.RUNNING, actor, "started", entries=len(active))
        announce_to_entrants(tournament, "tournament_started")
        return tournament


def seed_by_ratings(tournament: Tournament, entries: Sequence[Entry]) -> None:
    """Give entries without a seed rating the one that they have now: of a pair, the mean of both."""
    ratings = ratings_of(tournament)
    unseeded = [entry for entry in entries if entry.seed_rating is None]
    for entry in unseeded:
        values = [ratings[p.pk].value if p.pk in ratings else START for p in entry.players]
        entry.seed_rating = sum(values) / len(values)
    with connection.cursor() as cursor:
        cursor.execute(SEED, [[e.pk for e in unseeded], [e.seed_rating for e in unseeded]])


def finish(*, slug: str, actor: Player | None) -> Tournament:
    """running → finished, with every round closed. Fewer rounds than planned may have been played.

    Raises Conflict: `round_open` while a round is, `no_rounds` if none was played, `tables_unfinished` while
    a table of a closed round is replayed.
    """
    with transaction.atomic():
        tournament = lock_as(Right.ORGANISE, slug, actor)
        require_state(tournament, State.RUNNING)
        if not tournament.rounds.exists():
            raise Conflict("no_rounds", "No round was played; a tournament without rounds can be cancelled.")
        require_no_open_round(tournament)
        require_no_replay(tournament)
        _end(tournament, State.FINISHED, actor, "finished", rounds=tournament.rounds.count())
        announce_to_entrants(tournament, "tournament_finished")
        return tournament


def cancel(*, slug: str, actor: Player | None, reason: str = "") -> Tournament:
    """To cancelled, from every state but the last two. Tables stop; what was played stays."""
    if reason:
        check_line("reason", reason)
    with transaction.atomic():
        tournament = lock_as(Right.ORGANISE, slug, actor)
        require_state(tournament, *Tournament.NOT_OVER)
        playing = Match.objects.filter(table__round__tournament=tournament, status=Match.Status.RUNNING)
        for match_id in playing.order_by("pk").values_list("pk", flat=True):
            stop(match_id)
        _end(tournament, State.CANCELLED, actor, "cancelled", reason=reason)
        announce(tournament, "tournament_cancelled")
        return tournament


def _end(
    tournament: Tournament, state: Tournament.State, actor: Player | None, action: str, **data: object
) -> None:
    tournament.ended_at = timezone.now()
    _move(tournament, state, actor, action, **data)


def _move(
    tournament: Tournament, state: Tournament.State, actor: Player | None, action: str, **data: object
) -> None:
    tournament.state = state
    tournament.save(update_fields=["state", "started_at", "ended_at"])
    audit(tournament, actor, action, **data)

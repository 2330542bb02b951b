"""Leagues: what they are, and their seasons, whose divisions are tournaments."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from games.models import Player
from games.services.locks import lock_open_accounts
from tournaments.models import Entry, League, Season, Tournament
from tournaments.organisers import check_organises_league
from tournaments.promotions import Move, Ranked, deal, next_season
from tournaments.selectors import final_ranking
from tournaments.services.audit import audit_each
from tournaments.services.entries import find_players
from tournaments.services.life import check_settings, free_slug, open_registration, set_role, store_new
from tournaments.services.stages import DEFAULT, made
from tournaments.settings import check_division_settings, fields_of
from trix_site.common.errors import AgainstRules, BadRequest, Conflict, Missing
from trix_site.common.lines import check_line

State = Tournament.State

Who = tuple[Player, ...]
"""A player, or the two of a fixed pair."""


@dataclass(frozen=True)
class Left:
    """Someone who was in the last season and is not in the next."""

    who: Who
    division: int
    why: str


@dataclass(frozen=True)
class Plan:
    """A season as it would be: who plays in each division and why, and who has left."""

    number: int
    divisions: list[list[Move]]
    left: list[Left]


def create_league(*, actor: Player | None, organisers: Iterable[Player] = (), **fields: Any) -> League:
    """A league without seasons, with `actor`, if there is one, as an organiser; `fields` are of League.

    Raises BadRequest `invalid`, `bad_settings` or as `life.create_tournament`; Conflict `slug_taken`.
    """
    return store_league(League(**fields), actor, organisers)


def store_league(league: League, actor: Player | None, organisers: Iterable[Player] = ()) -> League:
    """Store a league that was not, as `create_league`."""
    asked_for = league.slug
    league.slug = asked_for or free_slug(league.name, League)
    check_league(league)
    with transaction.atomic():
        try:
            _save(league)
        except Conflict:
            if asked_for:
                raise
            league.slug = free_slug(league.name, League)  # Another of this name came a moment before.
            _save(league)
        league.organisers.set([*organisers, *([actor] if actor else [])])
    return league


def change_league(
    slug: str, /, *, actor: Player | None, organisers: Iterable[Player] | None = None, **fields: Any
) -> League:
    """Change fields of a league, or who organises it; seasons that are open stay as they are.

    Raises as `create_league`, Missing, Forbidden; Conflict `no_organiser`.
    """
    with transaction.atomic():
        league = lock_league(slug, actor)
        for name, value in fields.items():
            setattr(league, name, value)
        check_league(league)
        _save(league)
        if organisers is not None:
            new = set_role(league.organisers, organisers)
            if not league.organisers.filter(is_active=True).exists():
                raise Conflict("no_organiser", "Somebody must be left to organise it.")
            lock_open_accounts(new)
    return league


def check_league(league: League) -> None:
    """Raise BadRequest unless the fields make sense, each and together."""
    league.name = league.name.strip()
    check_line("name", league.name)
    try:
        league.full_clean(validate_unique=False)
    except ValidationError as error:
        raise BadRequest.of_fields(error) from error
    check_division_settings(league.settings)
    division, stages = _division(league, 1, 1)
    division.slug = "division"
    check_settings(division)
    made(division, stages)


def lock_league(slug: str, actor: Player | None) -> League:
    """The league, locked for one of its organisers; before any tournament. Raises Missing, Forbidden."""
    league = League.objects.select_for_update(no_key=True).filter(slug=slug).first()
    if league is None:
        raise Missing("no_such_league", f"There is no league {slug!r}.")
    check_organises_league(actor, league)
    return league


def plan_season(*, slug: str, actor: Player | None, players: Sequence[str] = ()) -> Plan:
    """What `open_season` would make, and why. Raises as it does; nothing is stored."""
    with transaction.atomic():
        return _plan(lock_league(slug, actor), players)


def open_season(*, slug: str, actor: Player | None, players: Sequence[str] = ()) -> Season:
    """Open the next season: a tournament for each division, in registration, with who belongs there.

    `players`: names, of pairs `name & name`. Those of a first season are dealt into the divisions from the
    strongest on; later they are newcomers, below everyone. Raises Conflict `season_running` while a division
    of the last season is not over, `season_exists`, `account_closed`; BadRequest `bad_pair`, `named_twice`,
    `plays_already`; Missing `no_such_player`; AgainstRules `too_many_players`. All of it is made, or nothing.
    """
    with transaction.atomic():
        league = lock_league(slug, actor)
        plan = _plan(league, players)
        season = _new_season(league, plan.number)
        for number, moves in enumerate(plan.divisions, 1):
            _open_division(season, number, moves, actor)
    return season


def _plan(league: League, names: Sequence[str]) -> Plan:
    """The next season of a locked league; the tournaments that it follows from are locked, too."""
    last = league.seasons.last()
    new = _find(league, names)
    left: list[Left] = []
    if last is None:
        divisions = deal(new, league.divisions, league.division_size)
    else:
        played = _lock_divisions(last)
        rankings, left = _rankings(played)
        _check_new(new, rankings)
        divisions = next_season(
            rankings,
            divisions=league.divisions,
            size=league.division_size,
            promoted=league.promoted,
            newcomers=new,
            still=frozenset(n for n, each in enumerate(played, 1) if each.state == State.CANCELLED),
        )
    _check_places(league, divisions)
    return Plan(last.number + 1 if last else 1, divisions, left)


def _lock_divisions(season: Season) -> list[Tournament]:
    """The season's tournaments, locked. Raises Conflict `season_running` unless all are over."""
    found = list(Tournament.objects.select_for_update(no_key=True).filter(season=season).order_by("pk"))
    if running := [each.slug for each in found if each.state not in Tournament.OVER]:
        detail = f"Season {season.number} is not over: finish or cancel {', '.join(running)} first."
        raise Conflict("season_running", detail, season=season.number, tournaments=running)
    return sorted(found, key=lambda each: each.division or 0)


def _rankings(played: Iterable[Tournament]) -> tuple[list[list[Ranked]], list[Left]]:
    """Everyone of each division in the order of its final ranking, and who has left and why."""
    rankings: list[list[Ranked]] = []
    left: list[Left] = []
    for number, tournament in enumerate(played, 1):
        ranked = _everyone(tournament)
        rankings.append([Ranked(entry.players, rank, not _gone(entry)) for rank, entry in ranked])
        left += [Left(entry.players, number, why) for _, entry in ranked if (why := _gone(entry))]
    return rankings, left


def _everyone(tournament: Tournament) -> list[tuple[int, Entry]]:
    """The final ranking, and below it, in their order, entries that never came into a stage."""
    ranked = final_ranking(tournament)
    known = {entry.pk for _, entry in ranked}
    entries = tournament.entries.select_related("player", "partner").order_by("pk")
    return ranked + [(len(ranked) + 1, entry) for entry in entries if entry.pk not in known]


def _gone(entry: Entry) -> str:
    """Why an entry frees its place; empty if it does not."""
    if entry.state != Entry.State.ACTIVE:
        return str(entry.get_state_display()).lower()
    return "" if all(player.is_active for player in entry.players) else "account closed"


def _find(league: League, names: Sequence[str]) -> list[Who]:
    """Who is named, in order. Raises for unknown, closed and repeated names, and for what is no pair."""
    if not names:
        return []
    pairs = bool(league.settings.get("pairs"))
    split = [[part.strip() for part in name.split("&")] if pairs else [name.strip()] for name in names]
    if pairs and (bad := [name for name, parts in zip(names, split, strict=True) if len(parts) != 2]):
        raise BadRequest("bad_pair", f"A pair is written as name & name, not {bad[0]!r}.", names=bad)
    wanted = [part for parts in split for part in parts]
    players = find_players(wanted)
    if len(players) != len(wanted):
        raise BadRequest("named_twice", "Someone is named twice, or a name is empty; name everyone once.")
    if closed := [player.username for player in players if not player.is_active]:
        raise Conflict("account_closed", f"Closed accounts: {', '.join(closed)}.", names=closed)
    each = iter(players)
    return [tuple(next(each) for _ in parts) for parts in split]


def _check_new(new: Iterable[Who], rankings: Iterable[Iterable[Ranked]]) -> None:
    staying = {player for rows in rankings for each in rows if each.stays for player in each.who}
    if known := [player.username for who in new for player in who if player in staying]:
        detail = f"{', '.join(known)} played in the last season and will be in the next one anyway."
        raise BadRequest("plays_already", detail, names=known)


def _check_places(league: League, divisions: Sequence[Sequence[Move]]) -> None:
    last = divisions[-1]
    if len(last) > league.division_size:
        places = league.divisions * league.division_size
        total = sum(map(len, divisions))
        detail = f"There are {places} places for {total}: add a division, or make the divisions larger."
        raise AgainstRules("too_many_players", detail, places=places, players=total)


def _new_season(league: League, number: int) -> Season:
    """Raises Conflict `season_exists`, as the last guard against two at once."""
    try:
        with transaction.atomic():
            return Season.objects.create(league=league, number=number)
    except IntegrityError as error:
        detail = f"Season {number} of {league.name} was opened a moment ago."
        raise Conflict("season_exists", detail, season=number) from error


def _open_division(season: Season, number: int, moves: Sequence[Move], actor: Player | None) -> None:
    """Make a division's tournament with its entries, open for registration, each move in its log."""
    tournament, stages = _division(season.league, season.number, number)
    tournament.season, tournament.division = season, number
    store_new(tournament, actor, stages)
    tournament.organisers.add(*season.league.organisers.all())
    Entry.objects.bulk_create(
        Entry(tournament=tournament, player=move.who[0], partner=(*move.who, None)[1]) for move in moves
    )
    audit_each(tournament, actor, "entered", map(move_as_dict, moves))
    open_registration(slug=tournament.slug, actor=None)


def _division(league: League, season: int, number: int) -> tuple[Tournament, Sequence[Mapping[str, Any]]]:
    """The tournament of a division and its stages, not stored."""
    settings = fields_of(league.settings)
    stages = settings.pop("stages", DEFAULT)
    tournament = Tournament(
        name=f"{league.name}, season {season}, division {number}",
        slug=f"{league.slug}-s{season}-d{number}",
        cap=league.division_size,
        **settings,
    )
    if Tournament.objects.filter(slug=tournament.slug).exists():
        tournament.slug = ""  # Someone has taken the address: any will do.
    return tournament, stages


def move_as_dict(move: Move) -> dict[str, Any]:
    """A move in plain JSON, for answers and logs."""
    return {
        "player": named(move.who),
        "division": move.division,
        "before": move.before,
        "rank": move.rank,
        "why": move.why,
        "equal": [named(who) for who in move.equal],
    }


def named(who: Who) -> str:
    return " & ".join(player.username for player in who)


def _save(league: League) -> None:
    """Raises Conflict `slug_taken` for the address of another league."""
    try:
        with transaction.atomic():
            league.save()
    except IntegrityError as error:
        raise Conflict("slug_taken", f"There is a league at {league.slug!r} already.") from error

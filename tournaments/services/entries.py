"""Who takes part: entering, alone or by an official, the waiting list, withdrawing, and disqualification."""

import math
import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import Match, Player
from games.selectors import players_called
from games.services.matches import leave
from tournaments.models import Entry, Tournament
from tournaments.organisers import Right, check_may, may
from tournaments.selectors import entry_of
from tournaments.services.audit import audit, audit_each, checked_reason
from tournaments.services.locks import lock_as, lock_tournament, require_state
from tournaments.services.stages import current_stage, join
from trix_site.common.errors import BadRequest, Conflict, Forbidden, Missing, ProblemError

State = Tournament.State
PLACED = (Entry.State.ACTIVE, Entry.State.WAITING)
MOST_NAMES = 10_000
NAMED_IN_LOG = 100
HIGHEST_RATING = 10_000

Held = Mapping[int, Sequence[Entry]]
"""The entries of a tournament by the id of each of their people."""


@dataclass(frozen=True)
class Wanted:
    """An entry that somebody is to have."""

    player: Player
    partner: Player | None = None
    seed_rating: float | None = None

    @property
    def people(self) -> tuple[Player, ...]:
        return (self.player,) if self.partner is None else (self.player, self.partner)


# Entering


def enter(
    *,
    slug: str,
    actor: Player,
    name: str | None = None,
    partner: str | None = None,
    code: str = "",
    seed_rating: float | None = None,
) -> Entry:
    """Enter oneself while registration is open, or, as an organiser or assistant, anyone until the end.

    Beyond the cap an entry waits. Who comes back has his old entry again, and missed rounds stay missed.
    Raises Missing `no_such_player`; Conflict `already_entered`, `account_closed`, `pair_fixed`,
    `too_late_to_enter`, `wrong_state`; Forbidden `wrong_join_code`, `disqualified`, `not_organiser`;
    BadRequest `partner_missing`, `partner_not_wanted`, `partner_is_player`, `bad_seed_rating`.
    """
    with transaction.atomic():
        tournament = lock_tournament(slug)
        wanted = Wanted(
            actor if name is None else find_player(name),
            None if partner is None else find_player(partner),
            seed_rating,
        )
        official = may(actor, tournament, Right.RUN)
        if official:
            require_state(tournament, *Tournament.NOT_OVER)
        else:
            _check_enters_himself(tournament, actor, wanted, code)
        held = held_by(tournament, wanted.people)
        if refused := why_not(tournament, wanted, held, bring_back=official):
            raise refused
        entry = place(tournament, [wanted], held)[0]
        waits = entry.state == Entry.State.WAITING
        audit(tournament, actor, "put_on_the_waiting_list" if waits else "entered", player=entry.name)
        return entry


def enter_many(*, slug: str, actor: Player | None, names: Iterable[str]) -> list[Entry]:
    """Enter players by name, all or none; those who are in already are passed over. Returns the new entries.

    Raises as `enter`, and Missing `no_such_player` with every unknown name in `names`.
    """
    with transaction.atomic():
        tournament = lock_as(Right.RUN, slug, actor)
        require_state(tournament, *Tournament.NOT_OVER)
        held = held_by(tournament)
        wanted = [Wanted(player) for player in find_players(names) if not _is_in(player, held)]
        for each in wanted:
            if refused := why_not(tournament, each, held):
                raise refused
        made = place(tournament, wanted, held)
        if made:
            audit(tournament, actor, "entered", **entered(made))
        return made


def held_by(tournament: Tournament, people: Iterable[Player] | None = None) -> Held:
    """The entries of a tournament, by person; `people`: only theirs."""
    entries = tournament.entries.select_related("player", "partner")
    if people is not None:
        ids = [person.pk for person in people]
        entries = entries.filter(Q(player__in=ids) | Q(partner__in=ids))
    held: dict[int, list[Entry]] = defaultdict(list)
    for entry in entries:
        for person in entry.players:
            held[person.pk].append(entry)
    return held


def why_not(
    tournament: Tournament, wanted: Wanted, held: Held, bring_back: bool = False
) -> ProblemError | None:
    """Why these people may not have an entry, or None; `bring_back`: though they were disqualified."""
    if refused := _unfit(tournament, wanted):
        return refused
    for person in wanted.people:
        if not person.is_active:
            name = person.username
            return Conflict("account_closed", f"The account of {name} is closed.", player=name)
        for entry in held.get(person.pk, ()):
            if refused := _kept_out(tournament, wanted, person, entry, bring_back):
                return refused
    return None


def place(tournament: Tournament, wanted: Sequence[Wanted], held: Held) -> list[Entry]:
    """Store entries of these, whom `why_not` allows, in their order; those beyond the cap wait.

    A constant number of queries. Raises Conflict `too_late_to_enter`.
    """
    free = free_places(tournament)
    entries = [_entry(tournament, each, held) for each in wanted]
    for number, entry in enumerate(entries):
        entry.state = Entry.State.ACTIVE if number < free else Entry.State.WAITING
    back = [entry for entry in entries if entry.pk]
    Entry.objects.bulk_create([entry for entry in entries if not entry.pk], batch_size=1000)
    fields = ("partner", "state", "seed_rating", "created_at", "checked_in_at", "withdrawn_at")
    Entry.objects.bulk_update(back, fields, batch_size=500)
    if stage := current_stage(tournament):
        join(stage, entries)
    return entries


def find_players(names: Iterable[str]) -> list[Player]:
    """The accounts of these names in any case, each once, in their order. Raises Missing for unknown ones."""
    wanted = [name.strip() for name in names if name.strip()]
    if len(wanted) > MOST_NAMES:
        raise BadRequest("too_many_names", f"At most {MOST_NAMES} names at once.")
    found = players_called(wanted)
    if unknown := [name for name in wanted if name not in found]:
        detail = f"There is no player named {', '.join(unknown)}; accounts must be there first."
        raise Missing("no_such_player", detail, names=unknown)
    if not wanted:
        raise BadRequest("no_names", "Name at least one player.")
    return list(dict.fromkeys(found[name] for name in wanted))


def find_player(name: str) -> Player:
    return find_players([name])[0]


def _check_enters_himself(tournament: Tournament, actor: Player, wanted: Wanted, code: str) -> None:
    if wanted.player.pk != actor.pk or wanted.seed_rating is not None:
        check_may(actor, tournament, Right.RUN)
    require_state(tournament, State.REGISTRATION)
    by_code = tournament.visibility == Tournament.Visibility.CODE
    if by_code and not secrets.compare_digest(code.encode(), tournament.join_code.encode()):
        detail = f"{tournament.name} takes a code to enter, and this is not it; its organisers know it."
        raise Forbidden("wrong_join_code", detail)


def _unfit(tournament: Tournament, wanted: Wanted) -> ProblemError | None:
    """What is wrong with an entry whoever has entered."""
    rating, name = wanted.seed_rating, wanted.player.username
    if rating is not None and not 0 <= rating <= HIGHEST_RATING:
        return BadRequest("bad_seed_rating", f"A seed rating is a number from 0 to {HIGHEST_RATING}.")
    if wanted.partner is None:
        detail = f"{tournament.name} is played in fixed pairs: name the partner of {name}."
        return BadRequest("partner_missing", detail) if tournament.pairs else None
    if not tournament.pairs:
        detail = f"In {tournament.name} players enter singly: leave out the partner."
        return BadRequest("partner_not_wanted", detail)
    if wanted.partner.pk == wanted.player.pk:
        return BadRequest("partner_is_player", f"{name} cannot be his own partner.")
    return None


def _kept_out(
    tournament: Tournament, wanted: Wanted, person: Player, entry: Entry, bring_back: bool
) -> ProblemError | None:
    """Why an entry that he has, or had, keeps a person from the one that is wanted."""
    name, same = person.username, _people(entry) == {each.pk for each in wanted.people}
    if entry.state in PLACED:
        return Conflict("already_entered", f"{name} has entered {tournament.name} already.", player=name)
    if entry.state == Entry.State.DISQUALIFIED and not (bring_back and same):
        detail = f"{name} is disqualified; organisers and assistants may bring {entry.name} back."
        return Forbidden("disqualified", detail, player=name)
    if tournament.state == State.RUNNING and not same:
        detail = f"{name} has played as {entry.name}, and comes back as that alone."
        return Conflict("pair_fixed", detail, player=name)
    return None


def _entry(tournament: Tournament, wanted: Wanted, held: Held) -> Entry:
    """A new entry, or the one that these people, or else the first of them, had before."""
    left = held.get(wanted.player.pk, ())
    same = [entry for entry in left if _people(entry) == {person.pk for person in wanted.people}]
    own = [entry for entry in left if entry.player_id == wanted.player.pk]
    if not same and own:
        own[0].partner = wanted.partner
    entry = next(iter(same or own), None) or Entry(
        tournament=tournament, player=wanted.player, partner=wanted.partner
    )
    if wanted.seed_rating is not None:
        entry.seed_rating = wanted.seed_rating
    entry.created_at = timezone.now()  # The waiting list's order; who comes back is behind those who stayed.
    entry.withdrawn_at = entry.checked_in_at = None
    return entry


def _people(entry: Entry) -> set[int]:
    return {person.pk for person in entry.players}


def _is_in(player: Player, held: Held) -> bool:
    return any(entry.state in PLACED for entry in held.get(player.pk, ()))


def entered(entries: Sequence[Entry]) -> dict[str, object]:
    """What the log says of many new entries: it names the first of them."""
    waiting = sum(entry.state == Entry.State.WAITING for entry in entries)
    names = [entry.name for entry in entries[:NAMED_IN_LOG]]
    return {"entries": len(entries), "waiting": waiting, "players": names}


# The waiting list


def free_places(tournament: Tournament) -> float:
    """How many more entries have a place at once; once it runs, officials alone enter, whatever the cap."""
    if tournament.cap is None or tournament.state == State.RUNNING:
        return math.inf
    return max(0, tournament.cap - tournament.entries.filter(state=Entry.State.ACTIVE).count())


def move_up(tournament: Tournament, **who: Any) -> None:
    """Give the free places of a locked tournament before its start to those who have waited longest.

    `who`: a filter of those who may move up.
    """
    waiting = tournament.entries.filter(state=Entry.State.WAITING, **who).order_by("created_at", "pk")
    free = min(free_places(tournament), waiting.count())
    movers = list(waiting.select_related("player", "partner")[: int(free)])
    Entry.objects.filter(pk__in=[entry.pk for entry in movers]).update(state=Entry.State.ACTIVE)
    audit_each(tournament, None, "moved_up", [{"player": entry.name} for entry in movers])


def admit(*, slug: str, actor: Player | None, name: str) -> Entry:
    """Give a waiting entry a place, over the cap too.

    Raises Missing `not_entered`; Conflict `not_waiting`, `too_late_to_enter`, `wrong_state`; Forbidden.
    """
    with transaction.atomic():
        tournament = lock_as(Right.RUN, slug, actor)
        entry = find_entry(tournament, find_player(name))
        require_state(tournament, *Tournament.NOT_OVER)
        if entry.state != Entry.State.WAITING:
            raise Conflict("not_waiting", f"{entry.name} is not on the waiting list, but {entry.state}.")
        entry.state = Entry.State.ACTIVE
        entry.save(update_fields=["state"])
        if stage := current_stage(tournament):
            join(stage, [entry])
        audit(tournament, actor, "admitted", player=entry.name)
        return entry


# Leaving


def withdraw(*, slug: str, actor: Player | None, name: str | None = None) -> Entry:
    """Take oneself, or as an organiser or assistant anyone, out of later rounds. Results stay and are ranked.

    A bot plays on at a running table; a place that becomes free before the start goes to who waits.
    One of a pair withdraws both. Raises Missing `not_entered`, Conflict `already_withdrawn`, `wrong_state`.
    """
    with transaction.atomic():
        tournament = lock_tournament(slug)
        player = actor if name is None else find_player(name)
        if actor != player:
            check_may(actor, tournament, Right.RUN)
        require_state(tournament, *Tournament.NOT_OVER)
        assert player is not None
        entry = find_placed(tournament, player)
        audit(tournament, actor, "withdrawn", player=entry.name)
        return _leave(tournament, entry, Entry.State.WITHDRAWN)


def disqualify(*, slug: str, actor: Player | None, name: str, reason: str) -> Entry:
    """Take an entry out for good: listed below all others, and brought back by officials alone.

    Raises BadRequest `no_reason`; Missing `not_entered`; Conflict `already_disqualified`, `wrong_state`.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        tournament = lock_as(Right.JUDGE, slug, actor)
        entry = find_entry(tournament, find_player(name))
        require_state(tournament, *Tournament.NOT_OVER)
        if entry.state == Entry.State.DISQUALIFIED:
            raise Conflict("already_disqualified", f"{entry.name} is disqualified already.")
        audit(tournament, actor, "disqualified", player=entry.name, reason=reason)
        return _leave(tournament, entry, Entry.State.DISQUALIFIED)


def find_entry(tournament: Tournament, player: Player) -> Entry:
    """The entry of a player, or of his pair: the one that plays or waits, if there is one. Raises Missing."""
    entry = entry_of(tournament, player)
    if entry is None:
        raise Missing("not_entered", f"{player} has not entered {tournament.name}.")
    return entry


def find_placed(tournament: Tournament, player: Player) -> Entry:
    """The same, if it has not left. Raises Missing, Conflict `already_withdrawn`."""
    entry = find_entry(tournament, player)
    if entry.state in Entry.LEFT:
        detail = f"{entry.name} has withdrawn already."
        if entry.state == Entry.State.DISQUALIFIED:
            detail = f"{entry.name} is out already: disqualified."
        raise Conflict("already_withdrawn", detail)
    return entry


def withdraw_closed(player: Player, **_: Any) -> None:
    """Receives games.signals.account_closed: withdraw a player who has deleted his account, and his pair."""
    his = closed_entries().filter(Q(player=player) | Q(partner=player))
    for slug in his.values_list("tournament__slug", flat=True):
        with suppress(Conflict):  # It has just ended, or a sweep was quicker.
            withdraw(slug=slug, actor=player)


def closed_entries() -> QuerySet[Entry]:
    """Entries in unfinished tournaments of players, or partners, whose accounts were deleted since."""
    closed = Q(player__closed_at__isnull=False) | Q(partner__closed_at__isnull=False)
    return Entry.objects.filter(closed, state__in=PLACED, tournament__state__in=Tournament.NOT_OVER)


def _leave(tournament: Tournament, entry: Entry, state: Entry.State) -> Entry:
    entry.state, entry.withdrawn_at = state, timezone.now()
    entry.save(update_fields=["state", "withdrawn_at"])
    _leave_table(entry)
    if tournament.state in Tournament.BEFORE_START:
        move_up(tournament)
    return entry


def _leave_table(entry: Entry) -> None:
    """Hand the players' seats at a running table to a bot, so that the others can play on."""
    running = entry.seats.filter(table__match__status=Match.Status.RUNNING, player__in=entry.players)
    for seat in running.select_related("table__match", "player"):
        assert seat.table.match and seat.player
        with suppress(Conflict):  # It has just ended.
            leave(match_code=seat.table.match.code, player=seat.player)


# Changing


def change_entry(*, slug: str, actor: Player | None, name: str, **changes: Any) -> Entry:
    """Change an entry's `seed_rating` (None: his rating at the start), or its `partner` (a name).

    Raises Conflict `too_late` once the first stage has begun, `already_withdrawn`; and as `enter`.
    """
    with transaction.atomic():
        tournament = lock_as(Right.RUN, slug, actor)
        entry = find_placed(tournament, find_player(name))
        require_state(tournament, *Tournament.NOT_OVER)
        if not changes:
            return entry
        if tournament.state == State.RUNNING:
            detail = "Seed ratings and partners stay as they were at the start."
            raise Conflict("too_late", detail, fields=sorted(changes))
        if "partner" in changes:
            entry.partner = find_player(changes["partner"]) if changes["partner"] is not None else None
        entry.seed_rating = changes.get("seed_rating", entry.seed_rating)
        _check_changed(tournament, entry)
        entry.save(update_fields=["partner", "seed_rating"])
        audit(tournament, actor, "entry_changed", player=entry.name, seed_rating=entry.seed_rating)
        return entry


def _check_changed(tournament: Tournament, entry: Entry) -> None:
    wanted = Wanted(entry.player, entry.partner, entry.seed_rating)
    held = held_by(tournament, wanted.people)
    others = {person: [each for each in found if each.pk != entry.pk] for person, found in held.items()}
    if refused := why_not(tournament, wanted, others):
        raise refused

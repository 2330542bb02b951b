"""A drawn round edited by hand: two places change who has them, before anybody else sees the draw."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.db import transaction

from games.engine.cards import SEAT_NAMES
from games.models import Player
from games.selectors import players_called
from tournaments.models import Bye, Round, TableSeat, Tournament
from tournaments.organisers import Right
from tournaments.seating import DrawError, DrawInput, evaluate
from tournaments.services.audit import audit
from tournaments.services.locks import lock_as, lock_round, require_state
from tournaments.services.rounds import require_drawn
from trix_site.common.errors import AgainstRules, Conflict, Missing

State = Tournament.State

Report = dict[str, Any]


class Place(NamedTuple):
    """A seat of a table, or the bye of the entry of this player."""

    table: int = 0
    seat: str = ""
    bye: str = ""

    def __str__(self) -> str:
        return f"bye of {self.bye}" if self.bye else f"table {self.table} {self.seat}"


class Edit(NamedTuple):
    """What a swap would change, or has changed: the group's report before and after, and who moved where."""

    round: Round
    before: Report
    after: Report
    moved: list[str]


class Sitter(NamedTuple):
    """Who has a seat: an entry with the player who sits there for it, a bot, or with neither nobody."""

    entry: int | None
    member: int
    player: int | None
    bot: str


class Layout(NamedTuple):
    """The seats of a drawn round by table and letter, in order, and its byes."""

    seats: Mapping[tuple[int, str], TableSeat]
    byes: list[Bye]


def swap(
    *,
    slug: str,
    number: int,
    first: Place,
    second: Place,
    version: int,
    actor: Player | None,
    preview: bool = False,
) -> Edit:
    """Let two places of a drawn round change who has them: two seats, or a seat and a bye.

    Of fixed pairs both partners move, or change sides of their table where the places are theirs. With
    `preview` nothing is stored. `version` is that of the round which the caller saw: of two edits at once,
    or the same one twice, the later is refused (Conflict `draw_changed`). Raises Missing; Conflict
    `published`, `wrong_state`; AgainstRules `nothing_to_swap`, `other_group`, `illegal_swap`.
    """
    with transaction.atomic():
        tournament = lock_as(Right.RUN, slug, actor)
        require_state(tournament, State.RUNNING)
        round_ = lock_round(tournament, number)
        require_drawn(round_)
        if version != round_.version:
            detail = "The draw was edited meanwhile: look at it again before you change it."
            raise Conflict("draw_changed", detail, version=round_.version)
        layout = _layout(round_)
        group, new, bye = _swapped(tournament, layout, first, second)
        edit = _evaluated(round_, layout, group, new, bye)
        if not preview:
            _store(round_, new, bye, edit)
            costs = {"before": edit.before["cost"], "after": edit.after["cost"]}
            audit(tournament, actor, "draw_edited", round=number, moved=edit.moved, cost=costs)
        return edit


def _layout(round_: Round) -> Layout:
    found = round_.seats.select_related("table").order_by("table__number", "index")
    seats = {(seat.table.number, seat.letter): seat for seat in found}
    return Layout(seats, list(round_.byes.select_related("entry__player", "entry__partner")))


def _swapped(
    tournament: Tournament, layout: Layout, first: Place, second: Place
) -> tuple[int, dict[TableSeat, Sitter], Bye | None]:
    """The group, who has each seat that changes, and the bye that goes to another entry, if one does."""
    if first.bye and second.bye:
        raise AgainstRules("nothing_to_swap", "Two byes are alike: name a seat.")
    if first.bye:
        first, second = second, first
    one = _seat(layout, first)
    if second.bye:
        bye = _bye(layout, second)
        return one.table.group, _for_bye(tournament, layout, one, bye), bye
    other = _seat(layout, second)
    if one.table.group != other.table.group:
        raise AgainstRules("other_group", f"Groups play among themselves: {first} and {second} are of two.")
    couples = _couples(tournament, layout, one, other)
    new = {seat: _sitter(of) for a, b in couples for seat, of in ((a, b), (b, a))}
    if all(_sitter(seat) == sitter for seat, sitter in new.items()):
        raise AgainstRules("nothing_to_swap", f"{first} and {second}: nothing would change.")
    return one.table.group, new, None


def _seat(layout: Layout, place: Place) -> TableSeat:
    found = layout.seats.get((place.table, place.seat))
    if found is None:
        raise Missing("no_such_seat", f"There is no {place}; seats are {', '.join(SEAT_NAMES)}.")
    return found


def _bye(layout: Layout, place: Place) -> Bye:
    player = players_called([place.bye]).get(place.bye)
    for bye in layout.byes:
        if player in bye.entry.players:
            return bye
    raise Missing("no_such_bye", f"{place.bye} has no bye in this round.")


def _couples(
    tournament: Tournament, layout: Layout, one: TableSeat, other: TableSeat
) -> list[tuple[TableSeat, TableSeat]]:
    """The seats that change with each other. Of two pairs both partners move."""
    if not tournament.pairs or _partner(layout, one) == other:
        return [(one, other)]
    return [(one, other), (_partner(layout, one), _partner(layout, other))]


def _partner(layout: Layout, seat: TableSeat) -> TableSeat:
    return layout.seats[seat.table.number, SEAT_NAMES[(seat.index + 2) % 4]]


def _for_bye(tournament: Tournament, layout: Layout, seat: TableSeat, bye: Bye) -> dict[TableSeat, Sitter]:
    """The entry that has the bye, on the seat, or seats, of one that gets it."""
    if seat.entry_id is None:
        raise AgainstRules("nothing_to_swap", f"Nobody who could get the bye has {seat.letter} there.")
    seats = [seat, _partner(layout, seat)] if tournament.pairs else [seat]
    seats.sort(key=lambda each: each.index)
    players = enumerate(bye.entry.players)
    return {seats[member]: Sitter(bye.entry_id, member, player.pk, "") for member, player in players}


def _sitter(seat: TableSeat) -> Sitter:
    return Sitter(seat.entry_id, seat.member, seat.player_id, seat.bot)


def _evaluated(
    round_: Round, layout: Layout, group: int, new: Mapping[TableSeat, Sitter], bye: Bye | None
) -> Edit:
    """The edit with the reports of its group. Raises AgainstRules `illegal_swap`."""
    seats = [seat for seat in layout.seats.values() if seat.table.group == group]
    before = [seat.entry_id for seat in seats]
    after = [new.get(seat, _sitter(seat)).entry for seat in seats]
    _check_empty_seats(_tables(before), _tables(after))
    place = next(i for i, inputs in enumerate(round_.inputs) if inputs["group"] == group)
    inputs = {name: value for name, value in round_.inputs[place].items() if name != "group"}
    placed = {entrant["id"] for entrant in inputs["entrants"]}
    if bye and bye.entry_id not in placed:
        raise AgainstRules("other_group", f"{bye.entry.name} plays in another group.")
    got = next((seat.entry_id for seat in new), None) if bye else None
    byes = [got if each == bye else each.entry_id for each in layout.byes if each.entry_id in placed]
    try:
        report = evaluate(DrawInput.from_dict(inputs), _tables(after), [e for e in byes if e is not None])
    except DrawError as error:
        raise AgainstRules("illegal_swap", str(error)) from error
    made = {"group": group, **report.as_dict(), "from_plan": False}
    return Edit(round_, round_.report[place], made, _moved(new, bye))


def _tables(entries: list[int | None]) -> list[list[int | None]]:
    return [entries[start : start + 4] for start in range(0, len(entries), 4)]


def _check_empty_seats(before: Iterable[list[int | None]], after: Iterable[list[int | None]]) -> None:
    """No table gets more bots, or empty seats, than the draw gave to any."""
    most = max(table.count(None) for table in before)
    if any(table.count(None) > most for table in after):
        detail = f"No table of this draw may have more than {most} seats without people."
        raise AgainstRules("illegal_swap", detail)


def _moved(new: Mapping[TableSeat, Sitter], bye: Bye | None) -> list[str]:
    """Who moved where, in words."""
    where = {_sitter(seat): f"table {seat.table.number} {seat.letter}" for seat in new}
    people = {each.player for each in (*where, *new.values()) if each.player}
    names = dict(Player.objects.filter(pk__in=people).values_list("pk", "username"))
    moved = [
        f"{names[sitter.player]}: {where.get(sitter, 'bye')} → table {seat.table.number} {seat.letter}"
        for seat, sitter in new.items()
        if sitter.player
    ]
    if bye is None:
        return moved
    return [*moved, *(f"{names[sitter.player]}: {at} → bye" for sitter, at in where.items() if sitter.player)]


def _store(round_: Round, new: Mapping[TableSeat, Sitter], bye: Bye | None, edit: Edit) -> None:
    if bye:
        bye.entry_id = next(seat.entry_id for seat in new if seat.entry_id)
        bye.save(update_fields=["entry"])
    # Nobody sits twice in a round, not even for a moment: everyone gets up first.
    seats = TableSeat.objects.filter(pk__in=[seat.pk for seat in new])
    seats.update(entry=None, member=0, player=None, bot="")
    for seat, sitter in new.items():
        seat.entry_id, seat.member, seat.player_id, seat.bot = sitter
    TableSeat.objects.bulk_update(new, ["entry", "member", "player", "bot"])
    round_.report = [edit.after if each["group"] == edit.after["group"] else each for each in round_.report]
    round_.version += 1
    round_.save(update_fields=["report", "version"])

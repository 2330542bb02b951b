"""A drawn round edited by hand: who may move where, what it costs, and that nothing is lost."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from games.models import Match, Player
from tests.tournaments.conftest import play_round
from tournaments.models import Bye, Entry, Round, TableSeat, Tournament
from tournaments.seating import DrawInput, evaluate
from tournaments.services import edits, entries, life, rounds, seats
from tournaments.services.edits import Place
from trix_site.common.errors import ProblemError

pytestmark = pytest.mark.django_db


def drawn(made: Tournament) -> Round:
    return rounds.draw_round(slug=made.slug, actor=None)


def swap(round_: Round, first: Place, second: Place, **more: Any) -> edits.Edit:
    where = {"slug": round_.tournament.slug, "number": round_.number, "actor": None}
    version = Round.objects.get(pk=round_.pk).version
    return edits.swap(**{**where, "first": first, "second": second, "version": version, **more})


def refused(*args, **more) -> str:
    with pytest.raises(ProblemError) as found:
        swap(*args, **more)
    return found.value.code


def seated(round_: Round) -> dict[tuple[int, str], str]:
    return {(s.table.number, s.letter): s.name for s in round_.seats.select_related("table", "player")}


def at(round_: Round, name: str) -> Place:
    """Where this player, or the first bot, was drawn to."""
    return next(Place(*where) for where, there in seated(round_).items() if there.startswith(name))


def check_report(round_: Round) -> None:
    """The stored report is what the stored tables cost, and everyone sits, or sits out, once."""
    round_ = Round.objects.get(pk=round_.pk)
    for inputs, report in zip(round_.inputs, round_.report, strict=True):
        group = inputs["group"]
        entrants = {each["id"] for each in inputs["entrants"]}
        of_table: dict[int, list[int | None]] = {}
        for seat in round_.seats.filter(table__group=group).order_by("table__number", "index"):
            of_table.setdefault(seat.table_id, []).append(seat.entry_id)
        byes = [bye.entry_id for bye in round_.byes.all() if bye.entry_id in entrants]
        plain = DrawInput.from_dict({name: value for name, value in inputs.items() if name != "group"})
        found = evaluate(plain, of_table.values(), byes).as_dict()
        for name in ("steps", "from_plan", "group"):
            report.pop(name, None), found.pop(name, None)
        assert {name: _plain(value) for name, value in found.items()} == report


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def test_two_players_of_different_tables_change_places(league):
    round_ = drawn(league(8))
    before = seated(round_)
    edit = swap(round_, Place(1, "S"), Place(2, "W"))
    assert seated(round_) == before | {(1, "S"): before[2, "W"], (2, "W"): before[1, "S"]}
    assert sorted(edit.moved) == sorted(
        [f"{before[1, 'S']}: table 1 S → table 2 W", f"{before[2, 'W']}: table 2 W → table 1 S"]
    )
    check_report(round_)


def test_two_players_of_a_table_change_seats(league):
    round_ = drawn(league(8))
    before = seated(round_)
    swap(round_, Place(1, "S"), Place(1, "N"))
    assert seated(round_) == before | {(1, "S"): before[1, "N"], (1, "N"): before[1, "S"]}
    check_report(round_)


def test_a_player_takes_a_bots_seat_and_the_bot_his(league):
    round_ = drawn(league(7))
    bot = at(round_, "greedy")
    other = next(Place(*where) for where in seated(round_) if where[0] != bot.table)
    player = seated(round_)[other.table, other.seat]
    swap(round_, bot, other)
    assert seated(round_)[bot.table, bot.seat] == player
    assert seated(round_)[other.table, other.seat] == "greedy bot"
    check_report(round_)


def test_no_table_gets_more_bots_than_the_draw_gave_to_any(league):
    round_ = drawn(league(10))
    bots = [Place(*where) for where, name in seated(round_).items() if name == "greedy bot"]
    target = next(Place(*w) for w in seated(round_) if w[0] == bots[0].table and Place(*w) != bots[0])
    assert refused(round_, target, bots[1]) == "illegal_swap"
    assert Round.objects.get().version == 0


def test_a_bye_goes_to_another(league):
    made = league(9, fill="byes")
    round_ = drawn(made)
    out = Bye.objects.get().entry.name
    gets = seated(round_)[1, "E"]
    edit = swap(round_, Place(bye=out.upper()), Place(1, "E"))
    assert (seated(round_)[1, "E"], Bye.objects.get().entry.name) == (out, gets)
    assert sorted(edit.moved) == sorted([f"{out}: bye → table 1 E", f"{gets}: table 1 E → bye"])
    check_report(round_)
    assert refused(round_, Place(bye=out), Place(1, "S")) == "no_such_bye"
    assert refused(round_, Place(bye="nobody"), Place(1, "S")) == "no_such_bye"
    assert refused(round_, Place(bye=gets), Place(bye=gets)) == "nothing_to_swap"


@pytest.fixture
def pairs(league, people) -> Tournament:
    """Five pairs, one of which sits out."""
    made = league(0, "registration", rules="cardkings-partners", pairs=True, fill="byes")
    cast = people(10)
    for first, second in zip(cast[::2], cast[1::2], strict=True):
        Entry.objects.create(tournament=made, player=first, partner=second)
    life.start(slug=made.slug, actor=None)
    return made


def test_of_fixed_pairs_both_partners_move(pairs):
    round_ = drawn(pairs)
    before = seated(round_)
    swap(round_, Place(1, "S"), Place(2, "E"))
    crossed = {(1, "S"): (2, "E"), (1, "N"): (2, "W"), (2, "E"): (1, "S"), (2, "W"): (1, "N")}
    assert seated(round_) == before | {new: before[old] for new, old in crossed.items()}
    check_report(round_)


def test_the_partners_of_a_pair_change_sides(pairs):
    round_ = drawn(pairs)
    before = seated(round_)
    swap(round_, Place(1, "E"), Place(1, "W"))
    assert seated(round_) == before | {(1, "E"): before[1, "W"], (1, "W"): before[1, "E"]}
    check_report(round_)


def test_a_pair_gets_the_bye_whole(pairs):
    round_ = drawn(pairs)
    before = seated(round_)
    out = Bye.objects.get().entry
    swap(round_, Place(bye=out.partner.username), Place(2, "N"))
    assert (seated(round_)[2, "S"], seated(round_)[2, "N"]) == (out.player.username, out.partner.username)
    assert Bye.objects.get().entry.player.username in (before[2, "S"], before[2, "N"])
    check_report(round_)


def test_groups_play_among_themselves(league):
    round_ = drawn(league(16, stages=[{"format": "swiss", "rounds": 3, "groups": 2}]))
    groups = {seat.table.group: Place(seat.table.number, seat.letter) for seat in round_.seats.all()}
    assert refused(round_, groups[1], groups[2]) == "other_group"
    tables = sorted({seat.table.number for seat in round_.seats.filter(table__group=2)})
    swap(round_, Place(tables[0], "S"), Place(tables[1], "S"))
    check_report(round_)


def test_a_preview_changes_nothing_and_says_the_same(league):
    made = league(8)
    play_round(made)
    round_ = drawn(made)
    before, report = seated(round_), Round.objects.get(number=2).report
    looked = swap(round_, Place(1, "S"), Place(2, "S"), preview=True)
    assert (seated(round_), Round.objects.get(number=2).report) == (before, report)
    assert Round.objects.get(number=2).version == 0 and not made.log.filter(action="draw_edited").exists()
    done = swap(round_, Place(1, "S"), Place(2, "S"))
    assert (looked.before, looked.after) == (done.before, done.after)
    assert looked.before["cost"] != looked.after["cost"]


def test_the_same_double_click_is_refused_and_not_undone(league):
    round_ = drawn(league(8))
    swap(round_, Place(1, "S"), Place(2, "S"), version=0)
    after = seated(round_)
    assert refused(round_, Place(1, "S"), Place(2, "S"), version=0) == "draw_changed"
    assert seated(round_) == after
    line = round_.tournament.log.filter(action="draw_edited").get()
    assert len(line.data["moved"]) == 2 and line.data["cost"].keys() == {"before", "after"}


def test_what_cannot_be_swapped(league, people):
    made = league(7)
    round_ = drawn(made)
    bots = at(round_, "greedy")
    assert refused(round_, Place(1, "S"), Place(1, "S")) == "nothing_to_swap"
    assert refused(round_, bots, bots) == "nothing_to_swap"
    assert refused(round_, Place(1, "S"), Place(9, "S")) == "no_such_seat"
    assert refused(round_, Place(1, "S"), Place(1, "Q")) == "no_such_seat"
    made.referees.add(people(1)[0])
    assert refused(round_, Place(1, "S"), Place(1, "N"), actor=people(1)[0]) == "not_organiser"
    rounds.publish_round(slug=made.slug, number=1, actor=None)
    assert refused(round_, Place(1, "S"), Place(1, "N")) == "published"


def test_announced_and_played_are_the_seats_after_the_edit(league):
    made = league(8)
    round_ = drawn(made)
    swap(round_, Place(1, "S"), Place(2, "N"))
    rounds.publish_round(slug=made.slug, number=1, actor=None)
    played = {
        (match.table.number, seat.letter): seat.name
        for match in Match.objects.all()
        for seat in match.seats.all()
    }
    assert played == seated(round_)


def test_a_substitute_moves_with_the_entry_for_which_he_sits(league):
    made = league(8)
    Player.objects.create_user("زيد")
    round_ = drawn(made)
    seats.substitute(slug=made.slug, number=1, table_number=1, seat="S", actor=None, name="زيد")
    swap(round_, Place(1, "S"), Place(2, "N"))
    moved = TableSeat.objects.get(player__username="زيد")
    assert (moved.table.number, moved.letter) == (2, "N") and moved.stands_in_for


class AnySwaps(TestCase):
    """Whatever is swapped, everyone sits once and the report is that of the tables."""

    @settings(max_examples=15, deadline=None)
    @given(st.data())
    def test_any_swaps(self, data: st.DataObject) -> None:
        fill = data.draw(st.sampled_from(["bots", "byes", "short"]))
        made = life.create_tournament(actor=None, name="Any", rules="cardkings-complex", fill=fill)
        names = [f"p{number}" for number in range(data.draw(st.integers(8, 14)))]
        for name in names:
            Player.objects.get_or_create(username=name)
        entries.enter_many(slug=made.slug, actor=None, names=names)
        life.open_registration(slug=made.slug, actor=None)
        life.start(slug=made.slug, actor=None)
        round_ = drawn(made)
        places = [Place(*where) for where in seated(round_)]
        places += [Place(bye=bye.entry.name) for bye in round_.byes.all()]
        for _ in range(4):
            first, second = data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places))
            try:
                swap(round_, first, second)
            except ProblemError as error:
                assert error.code in ("nothing_to_swap", "illegal_swap", "no_such_bye")
        check_report(round_)

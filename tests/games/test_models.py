"""The last guards: what the database refuses whoever asks."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction

from games.models import Deal, Match, Player, Seat
from games.services import matches, moves
from tests.games.play import act, act_until, in_play
from trix_site.common.ids import new_code


def refused(action) -> bool:
    try:
        with transaction.atomic():
            action()
    except IntegrityError:
        return True
    return False


@pytest.mark.parametrize(
    "change",
    [
        {"status": "lost"},
        {"status": "finished"},
        {"visibility": "secret"},
        {"on_timeout": "shout"},
        {"totals": [1, 2, 3]},
        {"winners": ["S"]},
        {"bot_delay": -1},
        {"started_at": None},
        {"version": -1},
        {"secret": bytes(32)},
        {"code": "another"},
        {"rules": "eram"},
        {"options": {"tie": "draw"}},
    ],
    ids=str,
)
def test_a_running_match_is_not_changed_into_nonsense(match, change):
    assert refused(lambda: Match.objects.filter(pk=match.pk).update(**change))


@pytest.mark.parametrize("change", [{"index": 4}, {"bot": "greedy"}, {"player": None}, {"index": 1}], ids=str)
def test_a_seat_has_one_place_and_one_sitter(match, change):
    assert refused(lambda: Seat.objects.filter(match=match, index=0).update(**change))


def test_a_player_sits_once_at_a_table(match, cast):
    assert refused(lambda: Seat.objects.filter(match=match, index=0).update(player=cast[1]))


@pytest.mark.parametrize(
    "change",
    [{"number": 0}, {"owner": 4}, {"contract": 6}, {"scores": [0, 0, 0]}, {"actions": b""}, {"times": b"\0"}],
    ids=str,
)
def test_a_deal_only_grows(match, change):
    act_until(match, in_play)
    act(match)
    assert refused(lambda: match.deals.update(**change))


def test_the_scores_of_a_deal_and_the_result_of_a_match_are_written_once(db):
    match = matches.create_match(rules="cardkings-complex", options={}, seats=["random"] * 4)
    while moves.play_bot_move(match.pk, limit=100).bots_pending:
        pass
    match.refresh_from_db()
    assert match.status == "finished" and match.winners
    assert refused(lambda: match.deals.filter(number=1).update(scores=[0, 0, 0, 0]))
    assert refused(lambda: match.deals.filter(number=1).update(actions=b""))
    assert refused(lambda: Match.objects.filter(pk=match.pk).update(totals=[0, 0, 0, 0]))
    assert refused(lambda: Match.objects.filter(pk=match.pk).update(status="running"))
    assert refused(lambda: Match.objects.filter(pk=match.pk).update(winners=["S", "N", "E", "W"]))


def test_a_program_account_stays_one(db):
    program = Player.objects.create_user("engine", is_bot=True)
    assert refused(lambda: Player.objects.filter(pk=program.pk).update(is_bot=False))


def test_names_differ_in_more_than_case(db):
    Player.objects.create_user("Amal")
    assert refused(lambda: Player.objects.create_user("aMAL"))


@pytest.mark.parametrize("name", ["amal", "كارلا", "مُحَمَّد", "नीलिमा", "Zoë", "山田", "a.b@c+d-e_f", "7"])
def test_names_in_any_script_are_names(name):
    Player(username=name, password="x").clean_fields()


@pytest.mark.parametrize(
    "name", ["", "a b", "..", ".hidden", "tab\t", "a\u202eb", "a/b", "<b>", "a\0b", "x" * 61]
)
def test_what_would_break_an_address_or_a_sentence_is_no_name(name):
    with pytest.raises(ValidationError):
        Player(username=name, password="x").clean_fields()


def test_a_finished_match_of_twenty_deals_takes_at_most_8_kb(cast):
    """One is played and stored 150 times over; its times take a byte an action, as under 12.8 s each."""
    match = matches.create_match(rules="dananeer", options={}, seats=["random"] * 4, created_by=cast[0])
    while moves.play_bot_move(match.pk, limit=100).bots_pending:
        pass
    match.refresh_from_db()
    seats, deals = list(match.seats.all()), list(match.deals.all())
    assert (len(deals), match.status) == (20, "finished")
    before = _table_space()
    copies = Match.objects.bulk_create([_copy(match, id=None, code=new_code()) for _ in range(150)])
    Seat.objects.bulk_create([_copy(seat, id=None, match_id=copy.pk) for copy in copies for seat in seats])
    Deal.objects.bulk_create([_copy(deal, match_id=copy.pk) for copy in copies for deal in deals])
    assert (_table_space() - before) / len(copies) <= 8192


def _copy(row, **changes):
    values = {field.attname: getattr(row, field.attname) for field in row._meta.local_concrete_fields}
    return type(row)(**(values | changes))


def _table_space() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(pg_total_relation_size(name::regclass))"
            " FROM unnest(ARRAY['games_match', 'games_seat', 'games_deal']) name"
        )
        return int(cursor.fetchone()[0])


def test_moves_leave_the_indexes_alone(db):
    """No column that a move changes is in an index or an index's condition, so updates stay heap-only."""
    changing = {"version", "totals", "deadline", "bots_due", "actions", "times", "contract", "scores"}
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE tablename IN ('games_match', 'games_deal')")
        definitions = " ".join(row[0] for row in cursor.fetchall())
    assert not {column for column in changing if column in definitions}


def test_deals_are_numbered_once(match):
    twin = _copy(match.deals.get())
    assert refused(lambda: twin.save(force_insert=True))

"""Many matches at once are the same rows as one by one, in as many statements as one."""

from datetime import datetime

import pytest
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from games.models import Deal, Delivery, Match, Player, Seat
from games.services.matches import _begin, create_matches, new_match, sit
from games.services.webhooks import account_topic, create_webhook
from trix_site.common.errors import BadRequest, Conflict

pytestmark = pytest.mark.django_db

RULES = {"rules": "cardkings-complex", "options": {"early_end": False}}
TABLE = {"clock_play": 30, "clock_bank": 600, "bot_delay": 1.5, "rated": False}


@pytest.fixture
def players() -> list[Player]:
    return [Player.objects.create_user(f"player{number}") for number in range(8)]


def rows(match: Match) -> list[dict[str, object]]:
    """All that is stored of a match, but for ids, its code and the moments themselves."""
    return [_fields(row) for row in (match, *match.seats.all(), *match.deals.all())]


def _fields(row: Model) -> dict[str, object]:
    row.refresh_from_db()
    found = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    for own in ("id", "match_id", "code"):
        found.pop(own, None)
    return {name: name if isinstance(value, datetime) else value for name, value in found.items()}


def test_many_are_stored_as_one_that_a_table_of_players_started(players):
    """The other way to a running match: seats taken one after the other, and a start."""
    secret = b"s" * 32
    seats = [*players[:3], "greedy"]
    old = new_match(RULES["rules"], RULES["options"], arranged=True, secret=secret, **TABLE)
    for index, sitter in enumerate(seats):
        sit(old, index, sitter)
    _begin(old)
    new = create_matches(**RULES, tables=[(seats, secret), (players[4:], secret)], **TABLE)
    assert rows(new[0]) == rows(old)
    assert [seat.player_id for seat in new[1].seats.all()] == [player.pk for player in players[4:]]
    assert all(match.status == "running" and match.version == 0 for match in new)


def test_the_code_of_a_private_table_is_its_own(players):
    one, two = create_matches(
        **RULES, tables=[(players[:4], b"a" * 32), (players[4:], b"b" * 32)], visibility="private"
    )
    assert one.join_code and two.join_code and one.join_code != two.join_code


def test_many_take_as_many_statements_as_one(players):
    counts = []
    for number in (1, 12):
        with CaptureQueriesContext(connection) as asked:
            create_matches(**RULES, tables=[(players[:4], bytes([at]) * 32) for at in range(number)], **TABLE)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_all_or_none(players):
    good, bad = (players[:4], b"a" * 32), ([*players[4:7], players[4]], b"b" * 32)
    with pytest.raises(Conflict) as refused:
        create_matches(**RULES, tables=[good, bad])
    assert refused.value.code == "seat_taken"
    with pytest.raises(BadRequest):
        create_matches(**RULES, tables=[good, (["nobody"] * 4, b"b" * 32)])
    assert (Match.objects.count(), Seat.objects.count(), Deal.objects.count()) == (0, 0, 0)


def test_no_match_at_all_is_none(players):
    assert create_matches(**RULES, tables=[]) == []


def test_each_player_is_told_of_his_own_match_and_of_every_one(players, settings):
    settings.WEBHOOK_ALLOW_PRIVATE = True
    for player in players[:5]:
        create_webhook(topic=account_topic(player), owner=player, url="https://hooks.example/")
    one, two = create_matches(
        **RULES, tables=[(players[:4], b"a" * 32), ([players[0], *players[5:]], b"b" * 32)]
    )
    told = sorted(
        (delivery.webhook.owner.username, delivery.body["match"]) for delivery in Delivery.objects.all()
    )
    assert told == sorted([(f"player{at}", one.code) for at in range(4)] + [("player0", two.code)])


def test_bots_are_called_where_one_is_to_act(django_capture_on_commit_callbacks, monkeypatch, players):
    called = []
    monkeypatch.setattr("games.services.bots.queue_bots", lambda match, pause: called.append(match.pk))
    with django_capture_on_commit_callbacks(execute=True):
        made = create_matches(**RULES, tables=[(["greedy"] * 4, b"a" * 32), (players[:4], b"b" * 32)])
    assert called == [made[0].pk]

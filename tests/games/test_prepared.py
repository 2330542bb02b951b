"""Statements that are made once give and write what the ORM would."""

import pytest
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from games.api.authentication import TOKENS
from games.models import ApiToken, Deal, Match, Seat
from games.services import matches
from games.services.locks import lock_match
from games.services.tables import DEALS, SEATS
from tests.games.play import bots_play_deals
from trix_site.common.errors import Missing
from trix_site.common.prepared import update


def fields(row: Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


@pytest.fixture
def played(cast) -> Match:
    match = matches.create_match(rules="dananeer", options={"early_end": False}, seats=cast, clock_bank=60)
    bots_play_deals(match, 3)
    return match


def test_rows_are_those_of_the_orm_with_lists_json_and_bytes(played):
    Seat.objects.filter(match=played, index=1).update(resigned=True, away_since=played.started_at)
    for prepared, model in ((DEALS, Deal), (SEATS, Seat)):
        rows = list(model.objects.filter(match=played))
        assert len(rows) == 4
        for _ in range(2):  # Made, and made before.
            assert list(map(fields, prepared.all(played.pk))) == list(map(fields, rows))
    assert prepared.all(-1) == []


def test_a_match_is_locked_by_its_code_and_by_its_number(played):
    for found in (lock_match(code=played.code), lock_match(pk=played.pk)):
        assert fields(found) == fields(Match.objects.get(pk=played.pk))
    for nothing in ({"code": "?"}, {"code": "é'\"%s"}, {"pk": -1}):
        with pytest.raises(Missing):
            lock_match(**nothing)


def test_a_token_comes_with_its_player(cast):
    stored, text = ApiToken.objects.create(user=cast[2])
    (found,) = TOKENS.all(text[:15])
    with CaptureQueriesContext(connection) as queries:
        assert (found.pk, fields(found.user)) == (stored.pk, fields(cast[2]))
    assert len(queries) == 0


def test_only_the_named_fields_of_the_one_row_are_written(played):
    before = list(map(fields, Deal.objects.filter(match=played)))
    last = DEALS.all(played.pk)[-1]
    last.contract, last.actions, last.owner = 3, bytes([57]), 9
    update(last, ("contract", "actions"))
    after = list(map(fields, Deal.objects.filter(match=played)))
    assert after == [*before[:-1], before[-1] | {"contract": 3, "actions": bytes([57])}]


def test_lists_and_nothing_are_written_as_they_are(match):
    match.totals, match.deadline = [1, -2, 3, -2], None
    update(match, ("totals", "deadline", "winners"))
    stored = Match.objects.get(pk=match.pk)
    assert (stored.totals, stored.deadline, stored.winners) == ([1, -2, 3, -2], None, [])

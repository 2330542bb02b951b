"""Some hundred entries take as many statements as a few."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Delivery, Match, Player
from games.services.webhooks import account_topic, create_webhook
from tests.tournaments.conftest import by_hand, swiss
from tournaments.models import Table, TableResult, Tournament
from tournaments.services import entries, life, rounds
from tournaments.services.standings import ranked
from trix_site.common.errors import Conflict

pytestmark = pytest.mark.django_db
URL = "/api/v1/tournaments/"


def started(organiser: Player, number: int) -> Tournament:
    made = life.create_tournament(
        actor=organiser, name=f"Of {number}", slug=f"of-{number}", rules="cardkings-complex", seed=1,
        stages=swiss(3),
    )  # fmt: skip
    players = Player.objects.bulk_create(Player(username=f"لاعب {number} {at:03}") for at in range(number))
    entries.enter_many(slug=made.slug, actor=organiser, names=[player.username for player in players])
    life.open_registration(slug=made.slug, actor=organiser)
    return life.start(slug=made.slug, actor=organiser)


def play(made: Tournament, organiser: Player, api) -> dict[str, int]:
    """Statements of each step of a round."""
    asked: dict[str, int] = {}

    def counted(step: str, take) -> None:
        with CaptureQueriesContext(connection) as queries:
            take()
        asked[step] = len(queries)

    counted("draw", lambda: rounds.draw_round(slug=made.slug, actor=organiser))
    counted("publish", lambda: rounds.publish_round(slug=made.slug, number=1, actor=organiser))
    tables = Table.objects.filter(round__tournament=made)
    TableResult.objects.bulk_create(
        TableResult(table=table, scores=[300, 100, -100, -300], source="played") for table in tables
    )
    counted("close", lambda: rounds.close_round(slug=made.slug, number=1, actor=organiser))
    counted("standings", lambda: ranked(made))
    for page in ("standings/", "standings/?format=csv", "rounds/1/", "rounds/1/tables/", "entries/"):
        counted(page, lambda page=page: api().get(f"{URL}{made.slug}/{page}"))
    return asked


def test_a_round_of_hundreds_takes_as_many_statements_as_one_of_few(organiser, api):
    few, many = (play(started(organiser, number), organiser, api) for number in (16, 240))
    assert many == few


def test_every_player_of_hundreds_has_his_match_and_his_news(organiser):
    made = started(organiser, 120)
    for player in Player.objects.filter(entries__tournament=made):
        create_webhook(topic=account_topic(player), owner=player, url="https://93.184.215.14/")
    rounds.draw_round(slug=made.slug, actor=organiser)
    rounds.publish_round(slug=made.slug, number=1, actor=organiser)
    assert Match.objects.filter(status="running").count() == 30
    told = Delivery.objects.filter(event="round_published").values_list("webhook__owner", "body__match")
    seats = Match.objects.values_list("seats__player", "code")
    assert sorted(told) == sorted(seats)


def test_of_hundreds_of_unfinished_tables_the_refusal_names_the_first(organiser):
    made = started(organiser, 120)
    rounds.draw_round(slug=made.slug, actor=organiser)
    rounds.publish_round(slug=made.slug, number=1, actor=organiser)
    by_hand(Table.objects.get(number=1))
    with pytest.raises(Conflict) as refused:
        rounds.close_round(slug=made.slug, number=1, actor=organiser)
    assert refused.value.detail.startswith("No result yet at table 2, 3, ")
    assert refused.value.detail.endswith(", 21 and 9 more.")
    assert refused.value.members["tables"] == list(range(2, 31))

"""A cast and leagues in the states that tests begin with."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from rest_framework.test import APIClient

from games.models import ApiToken, Match, Player
from tournaments.models import Round, Table, Tournament
from tournaments.services import entries, life, results, rounds

NAMES = (
    "amal", "basil", "dana", "farid", "ghada", "hadi", "iman", "jamal", "kamal", "layla", "maha", "nabil",
    "omar", "rana", "salma", "tariq", "widad", "yara", "zaid", "أمينة",
)  # fmt: skip

People = Callable[[int], list[Player]]
League = Callable[..., Tournament]


@pytest.fixture
def organiser(db: None) -> Player:
    return Player.objects.create_user("olga", password="olga's secret")


@pytest.fixture
def staff(organiser) -> Client:
    """The organiser, logged in as staff of the organisers' group."""
    organiser.is_staff = True
    organiser.save()
    organiser.groups.add(Group.objects.get(name="Organisers"))
    client = Client()
    client.force_login(organiser)
    return client


@pytest.fixture
def people(db: None) -> People:
    """The first `number` of the cast."""

    def make(number: int) -> list[Player]:
        return [Player.objects.get_or_create(username=name)[0] for name in NAMES[:number]]

    return make


@pytest.fixture
def league(organiser: Player, people: People) -> League:
    """A league with `number` players, started unless another state is asked for."""

    def make(number: int = 8, state: str = "running", **settings: Any) -> Tournament:
        settings = {"name": "Amman League", "rules": "cardkings-complex", "seed": 1, **settings}
        made = life.create_tournament(actor=organiser, **settings)
        if number:
            names = [player.username for player in people(number)]
            entries.enter_many(slug=made.slug, actor=organiser, names=names)
        if state != "draft":
            life.open_registration(slug=made.slug, actor=organiser)
        if state == "running":
            life.start(slug=made.slug, actor=organiser)
        made.refresh_from_db()
        return made

    return make


@pytest.fixture
def api() -> Callable[[Player | None], APIClient]:
    """A client with a token of the player's, or none."""

    def make(player: Player | None = None) -> APIClient:
        client = APIClient()
        if player:
            client.credentials(HTTP_AUTHORIZATION=f"Bearer {ApiToken.objects.create(user=player)[1]}")
        return client

    return make


def swiss(rounds: int) -> list[dict[str, Any]]:
    """The stages of a tournament that is one Swiss."""
    return [{"format": "swiss", "rounds": rounds}]


def stage_fields(*stages: dict[str, Any]) -> dict[str, Any]:
    """Stages as fields of the admin's form."""
    counts = {"TOTAL_FORMS": len(stages), "INITIAL_FORMS": 0, "MIN_NUM_FORMS": 1, "MAX_NUM_FORMS": 5}
    usual = {"groups": 1, "advance": 2}
    forms = {
        f"{number}-{name}": value
        for number, stage in enumerate(stages)
        for name, value in {**usual, **stage}.items()
    }
    return {f"stages-{name}": value for name, value in (counts | forms).items()}


def draw_and_publish(league: Tournament) -> Round:
    drawn = rounds.draw_round(slug=league.slug, actor=None)
    return rounds.publish_round(slug=league.slug, number=drawn.number, actor=None)


def by_hand(table: Table, scores: Sequence[int | None] = (300, 100, -100, -300), **more: Any) -> Any:
    """Enter a result, by the first organiser of the tournament."""
    of = table.round.tournament
    return results.enter_result(
        slug=of.slug,
        number=table.round.number,
        table_number=table.number,
        scores=list(scores),
        reason=more.pop("reason", "played at home"),
        actor=more.pop("actor", of.organisers.first()),
        **more,
    )


def play_round(league: Tournament) -> Round:
    """A whole round, its results entered by hand."""
    played = draw_and_publish(league)
    for table in played.tables.all():
        by_hand(table)
    return rounds.close_round(slug=league.slug, number=played.number, actor=None)


def finish(table: Table, totals: tuple[int, ...] = (300, 100, -100, -300)) -> int:
    """End a table's match without its moves; the id of the match."""
    match = Match.objects.get(table=table)
    match.status, match.totals, match.winners = Match.Status.FINISHED, list(totals), ["S"]
    match.finished_at, match.deadline, match.bots_due = match.started_at, None, None
    match.save()
    return match.pk

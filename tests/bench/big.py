"""A tournament of 10,000: `python -m tests.bench.big` on a database that nobody else uses; prints JSON.

Nine rounds are stored as they would have been played; the tenth is drawn, published, played by hand and
closed through the services (most results are stored), and shown by API and desk. Seconds by step.
"""

import json
import random
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import TYPE_CHECKING, Any

import django

if TYPE_CHECKING:
    from games.models import Player
    from tournaments.models import Table, Tournament

ENTRIES, ROUNDS = 10_000, 10
BY_HAND = 200  # results
SLUG = "big"
LIMITS: dict[str, float] = {
    "enter 10,000 by CSV": 30,
    "start": 30,
    "draw round 10": 90,
    "publish 2,500 tables": 15,
    "enter one result": 0.1,
    "close the round": 5,
    "standings from facts": 3,
    "standings from cache": 0.05,
    "a page of standings, API": 0.2,
    "two compared, API": 0.5,
    "all standings as CSV, API": 3,
    "a page of entries, API": 0.2,
    "all tables of a round, API": 5,
    "a round, desk": 5,
    "the overview, desk": 2,
    "standings, desk": 1,
    "export": 60,
}
"""What is measured, and the seconds that it may take."""

measured: dict[str, float] = {}


def timed(what: str, take: Callable[[], Any], times: int = 1) -> Any:
    """Take a step, so many times, and note the mean of its seconds."""
    started = perf_counter()
    for _ in range(times):
        found = take()
    measured[what] = (perf_counter() - started) / times
    return found


def main() -> None:
    organiser, names = _people()
    _prepare(organiser, names)
    _play(organiser)
    _read(organiser, names)
    print(json.dumps(measured))


def _people() -> "tuple[Player, list[str]]":
    from games.models import Player

    names = [f"player {number:05}" for number in range(ENTRIES)]
    Player.objects.bulk_create(Player(username=name) for name in names)
    return Player.objects.create_superuser("olga", password=None), names


def _prepare(organiser: "Player", names: list[str]) -> None:
    from tournaments.services import bulk, life

    life.create_tournament(
        actor=organiser, name="Big", slug=SLUG, rules="cardkings-complex", seed=1, rated=False,
        stages=[{"format": "swiss", "rounds": ROUNDS}],
    )  # fmt: skip
    life.open_registration(slug=SLUG, actor=organiser)
    text = "\n".join(["player", *names])
    timed("enter 10,000 by CSV", lambda: bulk.enter_csv(slug=SLUG, actor=organiser, text=text))
    started = timed("start", lambda: life.start(slug=SLUG, actor=organiser))
    for number in range(1, ROUNDS):
        _store_round(started, number)


def _store_round(tournament: "Tournament", number: int) -> None:
    """A closed round of tables by chance."""
    from django.utils import timezone

    from tournaments.models import Round, Table, TableSeat

    now, rng = timezone.now(), random.Random(number)
    round_ = Round.objects.create(
        tournament=tournament, stage=tournament.stages.get(), number=number, state="closed", seed=number,
        inputs=[], report=[], published_at=now, closed_at=now,
    )  # fmt: skip
    entries = list(tournament.entries.all())
    rng.shuffle(entries)
    tables = Table.objects.bulk_create(Table(round=round_, number=at) for at in range(1, ENTRIES // 4 + 1))
    TableSeat.objects.bulk_create(
        TableSeat(
            round=round_, table=tables[at // 4], index=at % 4, entry=entry, player_id=entry.player_id
        )
        for at, entry in enumerate(entries)
    )  # fmt: skip
    _store_results(tables, rng)


def _store_results(tables: "Iterable[Table]", rng: random.Random) -> None:
    from tournaments.models import TableResult

    TableResult.objects.bulk_create(
        TableResult(table=table, scores=_scores(rng), source=TableResult.Source.PLAYED) for table in tables
    )


def _scores(rng: random.Random) -> list[int]:
    three = [rng.randrange(-600, 600, 5) for _ in range(3)]
    return [*three, -sum(three)]


def _play(organiser: "Player") -> None:
    from tournaments.models import Table, Tournament
    from tournaments.selectors import stage_standings
    from tournaments.services import results, rounds
    from tournaments.services.standings import ranked

    tournament = Tournament.objects.get(slug=SLUG)
    timed("draw round 10", lambda: rounds.draw_round(slug=SLUG, actor=organiser))
    timed("publish 2,500 tables", lambda: rounds.publish_round(slug=SLUG, number=ROUNDS, actor=organiser))
    rng, numbers = random.Random(0), iter(range(1, BY_HAND + 1))

    def enter() -> None:
        results.enter_result(
            slug=SLUG, number=ROUNDS, table_number=next(numbers), scores=_scores(rng), reason="at home",
            actor=organiser,
        )  # fmt: skip

    timed("enter one result", enter, times=BY_HAND)
    _store_results(Table.objects.filter(round__number=ROUNDS, number__gt=BY_HAND), rng)
    timed("close the round", lambda: rounds.close_round(slug=SLUG, number=ROUNDS, actor=organiser))
    timed("standings from facts", lambda: stage_standings(tournament.stages.get()))
    ranked(tournament)
    timed("standings from cache", lambda: ranked(tournament), times=10)


def _read(organiser: "Player", names: list[str]) -> None:
    from django.test import Client

    from games.models import ApiToken
    from tournaments.models import Tournament

    client, at = Client(SERVER_NAME="localhost"), f"/api/v1/tournaments/{SLUG}/"
    token: Any = {"headers": {"Authorization": f"Bearer {ApiToken.objects.create(user=organiser)[1]}"}}
    desk = f"/admin/tournaments/tournament/{Tournament.objects.get(slug=SLUG).pk}/desk/"
    client.force_login(organiser)

    def get(what: str, url: str, **more: Any) -> None:
        answer, content = timed(what, lambda: _whole(client.get(url, **more)))
        assert answer.status_code == 200, (url, content[:500])

    client.get(f"{at}standings/")  # What a process does once.
    get("a page of standings, API", f"{at}standings/?page=2")
    pair = f"first={names[1].replace(' ', '+')}&second={names[2].replace(' ', '+')}"
    get("two compared, API", f"{at}standings/compare/?{pair}")
    get("all standings as CSV, API", f"{at}standings/?format=csv")
    get("a page of entries, API", f"{at}entries/?page=2")
    get("all tables of a round, API", f"{at}rounds/{ROUNDS}/tables/")
    client.get(desk)
    get("the overview, desk", desk)
    get("a round, desk", f"{desk}rounds/{ROUNDS}/")
    get("standings, desk", f"{desk}standings/?page=2")
    get("export", f"{at}export/", **token)


def _whole(answer: Any) -> tuple[Any, bytes]:
    """An answer with what it held, be it streamed."""
    return answer, answer.getvalue()


if __name__ == "__main__":
    django.setup()
    main()

"""Ratings of 250,000 matches: `python -m tests.bench.ratings`, on a database of its own; prints JSON.

The matches are copies of one row; who sat where and what came out is by chance. What is measured is the
rebuild of their million ledger rows with the memory it takes over that of a tenth of them, an annulment of
the 10,000th match from the end, a preview of other parameters, and matches rated live, one by one, on top.
"""

import json
import random
import resource
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import django

from ratings.maths import SINGLES, Entrant, changes

MATCHES, PLAYERS, LIVE = 250_000, 5_000, 300
TABLES = 20_000
SEAT = "match_id, index, player_id, bot, resigned, agrees_to_abort"
LIMITS: dict[str, float] = {
    "rebuild of a million rows, s": 180,
    "its memory over that of 100,000, MB": 50,
    "annulling the 10,000th match from the end, s": 10,
    "previewing other parameters, s": 60,
    "applying them, s": 180,
    "live, ms a match": 5,
}
"""What is measured in the database, and what it may take."""


def tables(number: int = TABLES, seed: int = 1) -> list[list[Entrant]]:
    """Tables of four with ratings and numbers of matches as they occur."""
    luck = random.Random(seed)
    return [
        [Entrant(round(luck.gauss(1500, 200)), luck.randrange(200), side, side + 1) for side in range(4)]
        for _ in range(number)
    ]


def maths_rate(found: Sequence[Sequence[Entrant]]) -> float:
    """Matches a second of the formula alone."""
    started = perf_counter()
    for table in found:
        changes(table, SINGLES)
    return len(found) / (perf_counter() - started)


def openskill_rate(found: Sequence[Sequence[Entrant]]) -> float:
    """The same tables by openskill's fastest model of many players."""
    from openskill.models import BradleyTerryPart

    model = BradleyTerryPart()
    teams = [[[model.rating(entrant.rating / 60, 3.0)] for entrant in table] for table in found]
    started = perf_counter()
    for team in teams:
        model.rate(team, ranks=[1, 2, 3, 4])
    return len(found) / (perf_counter() - started)


def main() -> None:
    from ratings.models import LedgerMatch, Pool
    from ratings.recalculations import annul, confirm, preview, rebuild, recalculate

    found: dict[str, float] = {}
    make_matches(MATCHES // 10)
    rebuild()
    low = _memory()
    make_matches(MATCHES - MATCHES // 10)
    found["rebuild of a million rows, s"] = _seconds(rebuild)
    found["its memory over that of 100,000, MB"] = _memory() - low
    last = list(LedgerMatch.objects.filter(sequence=MATCHES - 10_000))
    annul(last, None, "measured")
    found["annulling the 10,000th match from the end, s"] = _seconds(recalculate)
    asked = preview(Pool.objects.get(slug="classic"), {"k_floor": 16.0}, None, "")
    found["previewing other parameters, s"] = _seconds(recalculate)
    confirm(asked.pk)
    found["applying them, s"] = _seconds(recalculate)
    found["live, ms a match"] = 1000 * live()
    print(json.dumps(found))


def live() -> float:
    """Seconds for each of some matches that finish one by one."""
    from games.models import Match
    from ratings.services import rate_finished

    make_matches(LIVE, rated=False)
    waiting = list(Match.objects.filter(rated=False).order_by("pk").values_list("pk", flat=True))
    spent = 0.0
    for pk in waiting:
        Match.objects.filter(pk=pk).update(rated=True)
        started = perf_counter()
        assert rate_finished() == 1
        spent += perf_counter() - started
    return spent / len(waiting)


def make_matches(number: int, rated: bool = True) -> None:
    """Finished matches with their seats, and, of rated ones, their rows in the order of the ledger."""
    from django.db import connection, transaction

    from games.models import Match, Player

    if not Player.objects.exists():
        Player.objects.bulk_create(Player(username=f"player {each}") for each in range(PLAYERS))
    players = list(Player.objects.values_list("pk", flat=True))
    with transaction.atomic(), connection.cursor() as cursor:
        first = Match.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        _copies(cursor, number, rated)
        keys = list(Match.objects.filter(pk__gt=first).order_by("pk").values_list("pk", flat=True))
        luck = random.Random(number)
        with cursor.copy(f"COPY games_seat ({SEAT}) FROM STDIN") as copy:
            for key in keys:
                for index, player in enumerate(luck.sample(players, 4)):
                    copy.write_row((key, index, player, "", False, False))
        if rated:
            cursor.execute(
                "INSERT INTO ratings_ledgermatch (match_id, sequence, programs, reason, rated_at)"
                " SELECT id, id, '', '', now() FROM games_match WHERE id > %s",
                [first],
            )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _copies(cursor: Any, number: int, rated: bool) -> None:
    """Copies of one finished match, a second after the other, each with totals of its own."""
    from django.utils import timezone

    from games.models import Match

    last = Match.objects.order_by("-finished_at").values_list("finished_at", flat=True).first()
    at = last or timezone.now()
    template = Match(
        rules="dananeer", status="finished", winners=["S"], rated=rated, started_at=at, finished_at=at
    )
    template.save()
    fields = [str(field.column) for field in Match._meta.concrete_fields if field.column != "id"]
    values = {
        "code": "'c' || nextval('pg_temp.codes')",
        "finished_at": "finished_at + make_interval(secs => number)",
        "totals": "ARRAY[random() * 300, random() * 300, random() * 300, random() * 300]::int[]",
    }
    cursor.execute("CREATE TEMP SEQUENCE IF NOT EXISTS codes")
    cursor.execute(
        f"INSERT INTO games_match ({', '.join(map(_quoted, fields))})"
        f" SELECT {', '.join(values.get(field, _quoted(field)) for field in fields)}"
        " FROM games_match, generate_series(1, %s) number WHERE id = %s",
        [number - 1, template.pk],
    )


def _quoted(name: str) -> str:
    return f'"{name}"'


def _seconds(take: Callable[[], Any]) -> float:
    started = perf_counter()
    take()
    return perf_counter() - started


def _memory() -> float:
    """The most that this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    django.setup()
    main()

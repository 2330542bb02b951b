"""Tournaments of every kind in a storm: late entries, withdrawals, corrections; afterwards all must be true.

`make test-storm` plays 200 seeds, each of the next kind; STORM_SEEDS and STORM_SEED choose how many, or one.
"""

import io
import os
from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from django.test import Client

from games.engine.reading import Replay, read_records
from games.engine.replay import replay_report
from ratings.maths import START
from ratings.models import Rating
from ratings.services import rebuild
from tests.tournaments.plain import BOT, Line, PlainTable, PlainTournament
from tests.tournaments.storms import KINDS, Source, Storm
from tournaments import selectors
from tournaments.models import Entry, Round, Stage, TableSeat
from tournaments.seating import DrawInput, draw
from tournaments.services import rounds

SEEDS = range(int(os.environ.get("STORM_SEEDS", len(KINDS))))
CASES = [
    (seed, list(KINDS)[seed % len(KINDS)])
    for seed in ([int(os.environ["STORM_SEED"])] if "STORM_SEED" in os.environ else SEEDS)
]
SEATS = "SENW"


@pytest.mark.django_db
@pytest.mark.parametrize(("seed", "kind"), CASES)
def test_after_a_storm_all_is_true(seed, kind, record_property, monkeypatch):
    record_of.cache_clear()
    storm = Storm(seed, kind, closed=check_round)
    monkeypatch.setattr(rounds, "new_secret", storm.new_secret)
    try:
        storm.play()
        check_the_end(storm)
    except Exception as error:
        error.add_note(f"Again: STORM_SEED={seed} make test-storm")
        raise
    finally:
        record_property("kind", kind)
        record_property("log", dict(storm.log))


def check_the_end(storm: Storm) -> None:
    assert {number: tables_of(storm, number) for number in storm.announced} == storm.announced
    check_standings(storm)
    check_log(storm)
    check_ratings()


# After each round


def check_round(storm: Storm, round_: Round) -> None:
    check_everyone_sits_once(storm, round_)
    check_played_as_announced(storm, round_)
    check_draw(storm, round_)
    check_standings(storm)


def check_everyone_sits_once(storm: Storm, round_: Round) -> None:
    sat = [seat.entry.name for seat in seats_of(round_) if seat.entry and not seat.member]
    sat += [bye.entry.name for bye in round_.byes.all()]
    assert Counter(sat) == Counter(storm.active[round_.number])
    players = Counter(seat.player for seat in seats_of(round_) if seat.player)
    assert set(players.values()) <= {1}


def check_played_as_announced(storm: Storm, round_: Round) -> None:
    """Who sat at each match is who was announced."""
    storm.announced[round_.number] = tables_of(storm, round_.number)
    for table in storm.announced[round_.number]:
        source = storm.sources[round_.number, table["number"]]
        if source.kind == "match":
            tags = record_of(source).record.tags
            assert [tags[name] for name in ("South", "East", "North", "West")] == [
                seat["player"]["name"] if seat["player"] else f"{seat['bot']} bot" for seat in table["seats"]
            ]


def check_draw(storm: Storm, round_: Round) -> None:
    """It can be made again from what was stored, and gives nobody a second bot before all had one."""
    drawn = storm.tournament.log.filter(action="round_drawn", data__round=round_.number).first()
    tables: list[list[int | None]] = []
    for stored in round_.inputs:
        inputs = DrawInput.from_dict(stored)
        made = draw(inputs)
        tables += [list(seats) for seats in made.tables]
        odd = {m for seats in made.tables if None in seats for m in seats if m is not None} | set(made.byes)
        times = Counter(entry for _, entry in inputs.byes)
        for past in inputs.history:
            times.update(m for m in past.seats if m is not None and None in past.seats)
        others = [times[e.id] for e in inputs.entrants if e.id not in odd]
        assert max((times[m] for m in odd), default=0) <= min(others, default=0) or not others
    assert drawn.data["tables"] == tables
    assert [list(table) for table in seated(round_)] == tables


def seated(round_: Round) -> list[list[int | None]]:
    seats: dict[int, list[int | None]] = {}
    for seat in TableSeat.objects.filter(round=round_).order_by("table__number", "index"):
        seats.setdefault(seat.table_id, []).append(seat.entry_id)
    return list(seats.values())


# Standings


def check_standings(storm: Storm) -> None:
    for stage in storm.tournament.stages.filter(started_at__isnull=False):
        for group in (None, *range(1, stage.groups + 1)):
            told = [
                (line.standing.rank, line.entry.name, line.standing.played, line.standing.values)
                for line in selectors.standings_of(storm.tournament, stage=stage, group=group)
            ]
            live = selectors.standings_of(storm.tournament, live=True, stage=stage, group=group)
            assert [line.entry.name for line in live] == [name for _, name, _, _ in told]
            assert sorted(told) == plain_standings(storm, stage, group)


def plain_standings(storm: Storm, stage: Stage, group: int | None) -> list[Line]:
    """From the records, from what was entered by hand, and from nothing else."""
    of = storm.tournament
    tables = [
        plain_table(storm, round_.number, table)
        for round_ in stage.played.all()
        if round_.state == Round.State.CLOSED
        for table in storm.announced[round_.number]
        if group in (None, table["group"])
        and storm.sources[round_.number, table["number"]].kind != "annulled"
    ]
    sat = {name for table in tables for name in table.seats}
    entrants = [each.entry for each in stage.entrants.all() if group in (None, each.group)]
    return PlainTournament(
        entries=[e.name for e in entrants if e.state == Entry.State.ACTIVE or e.name in sat],
        tables=tables,
        metrics=of.metrics,
        sides=2 if of.engine_options.partners else 4,
        pairs=of.pairs,
        place_points=of.place_points,
        bye_points=Fraction(of.bye_points),
    ).standings()


def plain_table(storm: Storm, number: int, table: dict[str, Any]) -> PlainTable:
    source = storm.sources[number, table["number"]]
    seats = [entry_at(storm, seat) for seat in table["seats"]]
    if source.kind == "hand":
        return PlainTable(number, seats, source.value)
    replay = record_of(source)
    found = replay_report(replay)
    assert found["status"] == "finished"
    best = [max(deal["scores"][seat] for deal in found["deals"]) for seat in SEATS]
    cards = replay.record.tags["Seed"] if source.kind == "match" else None
    return PlainTable(number, seats, [found["totals"][seat] for seat in SEATS], best, cards)


def entry_at(storm: Storm, seat: dict[str, Any]) -> str | None:
    """Whose seat it is."""
    if seat["player"] is None:
        return BOT if seat["bot"] else None
    return seat["player"]["name"]


@cache
def record_of(source: Source) -> Replay:
    """The one match of a record: as the public API gives it, or as it was imported."""
    text = source.value.encode()
    if source.kind == "match":
        text = Client().get(f"/api/v1/matches/{source.value}/record/").content
    (replay,) = read_records(io.BytesIO(text), "record")
    assert isinstance(replay, Replay)
    return replay


def tables_of(storm: Storm, number: int) -> list[dict[str, Any]]:
    answer = Client().get(f"/api/v1/tournaments/{storm.slug}/rounds/{number}/tables/")
    assert answer.status_code == 200, answer.content
    return [{name: table[name] for name in ("number", "group", "seats")} for table in answer.json()]


def seats_of(round_: Round) -> list[TableSeat]:
    return list(
        TableSeat.objects.filter(round=round_).select_related("player", "entry__player", "entry__partner")
    )


# At the end


def check_log(storm: Storm) -> None:
    assert Counter(storm.tournament.log.values_list("action", flat=True)) == storm.log


def check_ratings() -> None:
    pools = Rating.objects.values_list("pool", "value")
    for pool in {pool for pool, _ in pools}:
        values = [value for of, value in pools if of == pool]
        assert sum(values) == START * len(values)
    assert rebuild().differing == 0

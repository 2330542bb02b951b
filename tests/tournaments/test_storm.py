"""Tournaments of every kind in a storm: late entries, withdrawals, corrections; afterwards all must be true.

`make test-storm` plays 200 seeds, each of the next kind; STORM_SEEDS and STORM_SEED choose how many, or one.
"""

import os
from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from games.engine.cards import SEAT_TITLES
from ratings.maths import START
from ratings.models import Rating
from ratings.recalculations import rebuild
from tests.tournaments.plain import PlainTournament
from tests.tournaments.storms import ANNULLED, ENTRY, KINDS, OPEN, Storm, plain_table, record_of, where
from tests.tournaments.test_exchange import check_same, exported, imported
from tournaments.models import Bye, Entry, Round, Stage, TableSeat
from tournaments.seating import DrawInput, Seats, draw
from tournaments.services import results, rounds

SEEDS = range(int(os.environ.get("STORM_SEEDS", len(KINDS))))
CASES = [
    (seed, list(KINDS)[seed % len(KINDS)])
    for seed in ([int(os.environ["STORM_SEED"])] if "STORM_SEED" in os.environ else SEEDS)
]


@pytest.mark.django_db
@pytest.mark.parametrize(("seed", "kind"), CASES)
def test_after_a_storm_all_is_true(seed, kind, record_property, monkeypatch):
    record_of.cache_clear()
    storm = Storm(seed, kind, closed=check_round, cut=check_cut)
    for module in (rounds, results):
        monkeypatch.setattr(module, "new_secret", storm.new_secret)
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
    for round_ in storm.tournament.rounds.all():
        check_played_as_announced(storm, round_)
    for stage in storm.tournament.stages.filter(started_at__isnull=False):
        check_standings(storm, stage)
    check_live_standings(storm)
    check_log(storm)
    check_ratings()
    check_same(storm.tournament, imported(exported(storm.tournament)))


# After each round

Made = tuple[list[Seats], list[int]]
"""The tables of a group, and who has the bye."""


def check_round(storm: Storm, round_: Round) -> None:
    check_everyone_sits_once(storm, round_)
    check_played_as_announced(storm, round_)
    check_draw(storm, round_)
    check_standings(storm, round_.stage)


def check_everyone_sits_once(storm: Storm, round_: Round) -> None:
    sat = [seat.entry.name for seat in seats_of(round_) if seat.entry and not seat.member]
    sat += [bye.entry.name for bye in round_.byes.all()]
    assert Counter(sat) == Counter(storm.active[round_.number])
    players = Counter(seat.player for seat in seats_of(round_) if seat.player)
    assert set(players.values()) <= {1}


def check_played_as_announced(storm: Storm, round_: Round) -> None:
    """Who was announced, substitutes included, is shown, and sat there."""
    answer = Client().get(f"/api/v1/tournaments/{storm.slug}/rounds/{round_.number}/tables/")
    shown = {table["number"]: [seat_name(seat) for seat in table["seats"]] for table in answer.json()}
    assert shown == {number: names for (of, number), names in storm.announced.items() if of == round_.number}
    for number, names in shown.items():
        source = storm.sources[round_.number, number]
        if source.kind in ("match", "record"):
            tags = record_of(source.kind, source.value).record.tags
            assert [tags[title] for title in SEAT_TITLES] == names


def seat_name(seat: dict[str, Any]) -> str:
    if seat["player"]:
        return seat["player"]["name"]
    return f"{seat['bot']} bot" if seat["bot"] else "nobody"


def check_draw(storm: Storm, round_: Round) -> None:
    """It can be made again from what was stored, and gives nobody a second bot before all had one."""
    edited = round_.number in storm.edited
    tables: list[Seats] = []
    byes: list[int] = []
    for stored, report in zip(round_.inputs, round_.report, strict=True):
        inputs = DrawInput.from_dict(stored)
        planned = planned_again(round_, stored["group"], inputs)
        assert edited or report["from_plan"] == (planned is not None)
        made = planned or drawn_again(inputs)
        tables += made[0]
        byes += made[1]
    drawn = storm.tournament.log.filter(action="round_drawn", data__round=round_.number).first()
    assert [tuple(table) for table in drawn.data["tables"]] == tables
    if not edited:
        assert seated(round_) == tables
        assert set(round_.byes.values_list("entry", flat=True)) == set(byes)


def planned_again(round_: Round, group: int, inputs: DrawInput) -> Made | None:
    """The tables of a group's plan, if it is for those who are to be seated."""
    if round_.stage.format != Stage.Format.ROUND_ROBIN:
        return None
    plan: Any = round_.stage.plan
    of_group = plan.get(str(group))
    if of_group is None or of_group["entries"] != [entrant.id for entrant in inputs.entrants]:
        return None
    row = round_.stage.played.filter(number__lt=round_.number).count()
    return [tuple(seats) for seats in of_group["rounds"][row]], []


def drawn_again(inputs: DrawInput) -> Made:
    if inputs.fill == "byes" and len(inputs.entrants) < (2 if inputs.pairs else 4):
        return [], [entrant.id for entrant in inputs.entrants]
    made = draw(inputs)
    check_bots(inputs, {m for t in made.tables if None in t for m in t if m is not None} | set(made.byes))
    return list(made.tables), list(made.byes)


def check_bots(inputs: DrawInput, odd: set[int]) -> None:
    """Nobody has a bot, an empty place or a bye while somebody else has had it less often."""
    times = Counter(entry for _, entry in inputs.byes)
    for past in inputs.history:
        times.update({m for m in past.seats if m is not None and None in past.seats})
    others = [times[each.id] for each in inputs.entrants if each.id not in odd]
    assert not others or max((times[m] for m in odd), default=0) <= min(others)


def seated(round_: Round) -> list[Seats]:
    seats: dict[int, list[int | None]] = {}
    for seat in TableSeat.objects.filter(round=round_).order_by("table__number", "index"):
        seats.setdefault(seat.table_id, []).append(seat.entry_id)
    return [tuple(entries) for entries in seats.values()]


def check_cut(storm: Storm, before: Stage) -> None:
    """Those who went on are the best, of those who are still there."""
    stage = storm.stage
    through = {each.entry.name for each in stage.entrants.select_related(*ENTRY)}
    active = [e.name for e in storm.entries()]
    left = {each.entry.name: each.group for each in before.entrants.select_related(*ENTRY)}
    left = {name: group for name, group in left.items() if name in active}
    assert through <= left.keys() and len(through) == min(stage.cut or len(left), len(left))
    for group in range(1, before.groups + 1):
        of_group = (before.groups > 1 and group) or None
        ranks = {name: rank for rank, name, _, _ in plain_standings(storm, before, of_group) if name in left}
        worst = max((ranks[name] for name in ranks if name in through), default=0)
        assert all(rank >= worst for name, rank in ranks.items() if name not in through)


# Standings

Told = tuple[int, str, int, list[float]]
"""Rank, entry, tables played, and the value of each metric as it is shown."""


def check_standings(storm: Storm, stage: Stage) -> None:
    """Of all entries together, and of each group."""
    for group in [None, *(range(1, stage.groups + 1) if stage.groups > 1 else ())]:
        assert sorted(told_standings(storm, stage, group)) == plain_standings(storm, stage, group)


def check_live_standings(storm: Storm) -> None:
    """Once every round is closed they are the others."""
    assert told_standings(storm, storm.stage, None, live="true") == told_standings(storm, storm.stage, None)


def told_standings(storm: Storm, stage: Stage, group: int | None, **more: str) -> list[Told]:
    """As the public API gives them."""
    asked = {"stage": str(stage.number), **({"group": str(group)} if group else {}), **more}
    answer = Client().get(f"/api/v1/tournaments/{storm.slug}/standings/", asked)
    assert answer.status_code == 200, answer.content
    return [
        (line["rank"], line_name(line), line["played"], list(line["values"].values()))
        for line in answer.json()["standings"]
    ]


def line_name(line: dict[str, Any]) -> str:
    return " & ".join(person["name"] for person in (line["player"], line["partner"]) if person)


def plain_standings(storm: Storm, stage: Stage, group: int | None) -> list[Told]:
    """From the records, from what was entered by hand, and from nothing else."""
    of = storm.tournament
    groups = {where(table): table.group for table in storm.tables(round__stage=stage, round__state="closed")}
    tables = [
        plain_table(storm.sources[at], storm.owners[at], at[0])
        for at, of_group in groups.items()
        if group in (None, of_group) and storm.sources[at] not in (OPEN, ANNULLED)
    ]
    sat = {name for table in tables for name in table.seats}
    entrants = stage.entrants.select_related(*ENTRY)
    here = [each.entry for each in entrants if group in (None, each.group)]
    adjustments: dict[str, Fraction] = defaultdict(Fraction)
    for at_stage, name, points in storm.penalties.values():
        adjustments[name] += points if at_stage == stage.number else 0
    plain = PlainTournament(
        entries=[e.name for e in here if e.state == Entry.State.ACTIVE or e.name in sat],
        tables=tables,
        metrics=of.metrics,
        sides=2 if of.engine_options.partners else 4,
        pairs=of.pairs,
        place_points=of.place_points,
        bye_points=Fraction(of.bye_points),
        adjustments=adjustments,
        last={e.name for e in here if e.state == Entry.State.DISQUALIFIED},
        byes=Counter(b.entry.name for b in Bye.objects.filter(round__stage=stage, round__state="closed")),
    )
    lines = plain.standings()
    ranks = {name: rank for rank, name, _, _ in lines}
    if stage.format == Stage.Format.KNOCKOUT:
        ranks = storm.knockout(stage).ranks(plain.entries, plain.last)
    return sorted((ranks[name], name, played, list(map(shown, values))) for _, name, played, values in lines)


def shown(value: Fraction) -> float:
    return int(value) if value.denominator == 1 else round(float(value), 2)


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
    assert rebuild().moves == {}

"""Whole tournaments from a seed, played by bots through everyone's services, in bad weather.

A `Storm` writes down what it did as facts of its own, by names: checks need not believe the database.
"""

import io
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

from django.test import Client
from django.utils import timezone

from games.engine.cards import SEAT_NAMES
from games.engine.reading import Replay, read_records
from games.engine.replay import replay_report
from games.models import Match, Player
from games.selectors import match_record, stored_match
from games.services.matches import create_match, leave
from games.services.moves import come_back, play_bot_move
from ratings.services import rate_finished
from tests.tournaments.conftest import NAMES
from tests.tournaments.plain import BOT, PlainKnockout, PlainTable
from tournaments.models import Entry, Round, Stage, Table, TableSeat, Tournament
from tournaments.services import check_in as check_ins
from tournaments.services import cuts, edits, entries, life, penalties, results, rounds, seats
from tournaments.services.edits import Place
from tournaments.services.stages import set_stages
from tournaments.services.stages import settings_of as settings_of_stage
from tournaments.simulation import play_match
from tournaments.standings import METRICS
from tournaments.tasks import record_result, sweep
from trix_site.common.errors import ProblemError

SINGLES = ("cardkings-complex", "dananeer-complex")
PARTNERS = ("cardkings-complex-partners",)

Settings = dict[str, Any]
Where = tuple[int, int]
"""A round's number and a table's."""

ENTRY = ("entry__player", "entry__partner")
MOST_STEPS = 100


@dataclass(frozen=True)
class Source:
    """Of a table's result: `match` (its code), `hand` (scores), `record` (text), `annulled`, `open`."""

    kind: str
    value: Any = None

    @property
    def logged(self) -> str:
        names = {"hand": "result_entered", "record": "result_imported", "annulled": "result_annulled"}
        return names[self.kind]


OPEN, ANNULLED = Source("open"), Source("annulled")


# What is played


def swiss(rng: random.Random) -> Settings:
    return {"stages": [{"format": "swiss", "rounds": rng.randint(2, 4)}]}


def round_robin(rng: random.Random) -> Settings:
    return {"stages": [{"format": "round_robin", "rounds": rng.randint(2, 5)}]}


def knockout(rng: random.Random) -> Settings:
    return {"stages": [{"format": "knockout", "advance": rng.randint(1, 3)}]}


def groups_and_knockout(rng: random.Random) -> Settings:
    rounds, number = rng.randint(1, 3), rng.randint(2, 3)
    first = {"format": rng.choice(["swiss", "round_robin"]), "rounds": rounds, "groups": number}
    return {
        "stages": [first, {"format": "knockout", "cut": rng.choice([4, 6, 8]), "advance": rng.randint(1, 2)}]
    }


def arena(rng: random.Random) -> Settings:
    return {"stages": [{"format": "arena", "minutes": 60}]}


def pairs(rng: random.Random) -> Settings:
    of = rng.choice([swiss, round_robin, knockout, groups_and_knockout])
    return {**of(rng), "rules": rng.choice(PARTNERS), "pairs": True}


def rotating_partners(rng: random.Random) -> Settings:
    return {**rng.choice([swiss, round_robin])(rng), "rules": rng.choice(PARTNERS)}


def automatic(rng: random.Random) -> Settings:
    of = rng.choice([swiss, round_robin, knockout, groups_and_knockout])
    return {**of(rng), "automatic": True}


def same_cards(rng: random.Random) -> Settings:
    return {**swiss(rng), "same_cards": True, "metrics": ["table_points", "duplicate", "best_deal"]}


KINDS: dict[str, Callable[[random.Random], Settings]] = {
    "swiss": swiss,
    "round_robin": round_robin,
    "knockout": knockout,
    "groups_and_knockout": groups_and_knockout,
    "arena": arena,
    "pairs": pairs,
    "rotating_partners": rotating_partners,
    "same_cards": same_cards,
    "automatic": automatic,
}


def settings_of(kind: str, rng: random.Random) -> Settings:
    """A tournament of this kind, all else by chance."""
    metrics = rng.sample(list(METRICS), rng.randint(2, 5))
    chosen = {
        "rules": rng.choice(SINGLES),
        "seed": rng.getrandbits(40),
        "metrics": metrics if rng.random() < 0.5 else list(dict.fromkeys(["table_points", *metrics])),
        "place_points": rng.choice([[4, 2, 1, 0], [4, 2, 1, 0], [3, 2, 1, 0], [5, 3, 3, 1]]),
        "bye_points": rng.choice(["1.75", "0", "4"]),
        "cap": rng.choice([None, None, 8, 12]),
        "fill": rng.choice(["bots", "bots", "byes", "short"]),
        "bot_level": rng.choice(["random", "greedy"]),
    }
    return chosen | KINDS[kind](rng)


# What goes wrong

TROUBLES: dict[str, list[tuple[float, str]]] = {}


def trouble(chance: float, *moments: str) -> Callable[[Callable[["Storm"], None]], Any]:
    """It happens with this chance at each of these moments: before, drawn, playing, closed, finished."""

    def register(method: Callable[["Storm"], None]) -> Callable[["Storm"], None]:
        for moment in moments:
            TROUBLES.setdefault(moment, []).append((chance, method.__name__))
        return method

    return register


class Storm:
    """One tournament. `closed` is called after each round, `cut` when a stage was cut into the next one.

    `log` is what the audit log must tell.
    At each table: `announced` are the names that were told, `owners` the entries whose seats they are (BOT,
    or None: empty), `sources` where its result comes from. `active`: who was to be seated in a round.
    `penalties` by id: stage, entry, points. `stood_in`: substitutes by round. `edited`: rounds.
    """

    def __init__(
        self,
        seed: int,
        kind: str,
        closed: Callable[["Storm", Round], None],
        cut: Callable[["Storm", Stage], None],
    ) -> None:
        self.seed, self.kind, self.closed, self.cut = seed, kind, closed, cut
        self.rng = random.Random(f"{kind}:{seed}")
        self.log: Counter[str] = Counter()
        self.announced: dict[Where, list[str]] = {}
        self.owners: dict[Where, list[str | None]] = {}
        self.sources: dict[Where, Source] = {}
        self.unrecorded: set[Where] = set()
        self.penalties: dict[int, tuple[int, str, Fraction]] = {}
        self.stood_in: set[tuple[int, str]] = set()
        self.edited: set[int] = set()
        self.active: dict[int, set[str]] = {}
        self.olga = Player.objects.create_user(f"olga-{seed}")
        self.outsiders = [Player.objects.create_user(f"{name}-{seed}") for name in NAMES]
        self.rng.shuffle(self.outsiders)

    def play(self) -> None:
        """From the first idea to the final standings."""
        self.create()
        self.happen("before")
        self.start()
        self.play_stage()
        while self.start_stage():
            self.play_stage()
        self.finish()
        if self.tournament.state == Tournament.State.FINISHED:
            self.happen("finished")
        rate_finished(since_ever=True)

    def did(self, *actions: str) -> None:
        """Note what the log must tell."""
        self.log.update(actions)

    def happen(self, moment: str) -> None:
        for chance, name in TROUBLES.get(moment, ()):
            if self.rng.random() < chance:
                getattr(self, name)()

    @contextmanager
    def refused(self, *codes: str) -> Iterator[None]:
        """Something that must not be possible now."""
        try:
            yield
        except ProblemError as error:
            assert error.code in codes, error
        else:
            raise AssertionError(f"it was not refused as {codes}")

    def new_secret(self) -> bytes:
        """Of a match, so that its cards follow from the seed too."""
        return self.rng.randbytes(32)

    # What is so

    @property
    def tournament(self) -> Tournament:
        return Tournament.objects.get(slug=self.slug)

    @property
    def organiser(self) -> Settings:
        """What each step of hers begins with."""
        return {"slug": self.slug, "actor": self.olga}

    @property
    def stage(self) -> Stage:
        stage = self.tournament.stages.filter(started_at__isnull=False).last()
        assert stage is not None
        return stage

    @property
    def last_round(self) -> Round:
        return self.tournament.rounds.latest("number")

    def entries(self, state: str = Entry.State.ACTIVE, **which: Any) -> list[Entry]:
        """In the order in which they entered."""
        found = self.tournament.entries.filter(state=state, **which).select_related("player", "partner")
        return list(found.order_by("created_at", "pk"))

    def tables(self, **which: Any) -> list[Table]:
        found = Table.objects.filter(round__tournament__slug=self.slug, **which)
        return list(found.exclude(round__state="drawn").select_related("round", "match"))

    # The regular course

    def create(self) -> None:
        settings = settings_of(self.kind, self.rng)
        made = life.create_tournament(actor=self.olga, name=f"Storm {self.seed}", **settings)
        self.slug = made.slug
        life.open_registration(**self.organiser)
        self.did("created", "registration_opened")
        for _ in range(int(self.rng.triangular(5, 18, 8))):
            self.enter()

    def enter(self) -> None:
        """The next who have not entered: one, or a pair. Stages that began with their best let nobody in."""
        size = 2 if self.tournament.pairs else 1
        people = self.outsiders[-size:]
        if (
            len(people) < size
            or TableSeat.objects.filter(round__state="published", player__in=people).exists()
        ):
            return
        asked = {**self.organiser, "name": people[0].username}
        if size == 2:
            asked["partner"] = people[1].username
        if self.rng.random() < 0.3:
            asked["seed_rating"] = self.rng.randint(1200, 1800)
        if self.is_closed():
            with self.refused("too_late_to_enter"):
                entries.enter(**asked)
            return
        full = self.free_places() == 0
        entries.enter(**asked)
        del self.outsiders[-size:]
        self.did("put_on_the_waiting_list" if full else "entered")

    def is_closed(self) -> bool:
        """Whether nobody new is let in."""
        begun = self.tournament.stages.filter(started_at__isnull=False).last()
        if begun is None:
            return False
        return begun.cut is not None or (begun.format == "knockout" and begun.played.exists())

    def free_places(self) -> int:
        """Before the start, below the cap."""
        of = self.tournament
        cap = of.cap if of.cap and of.state == Tournament.State.REGISTRATION else 1000
        return max(0, cap - len(self.entries()))

    def start(self) -> None:
        """Who has not checked in is out, and who has and waits takes his place."""
        expected = [entry.name for entry in self.entries()]
        if self.tournament.check_in_at:
            expected, absent = [], self.entries(checked_in_at=None)
            there = self.entries(checked_in_at__isnull=False)
            waiting = self.entries(Entry.State.WAITING, checked_in_at__isnull=False)
            movers = waiting[: self.free_places() + len(absent)]
            expected = [entry.name for entry in [*there, *movers]]
            self.did(*["withdrawn"] * len(absent), *["moved_up"] * len(movers))
        self.make_groups_of_two_or_more(len(expected))
        life.start(**self.organiser)
        self.did("started")
        assert sorted(entry.name for entry in self.entries()) == sorted(expected)

    def make_groups_of_two_or_more(self, starters: int) -> None:
        first, *others = map(settings_of_stage, self.tournament.stages.all())
        if starters < 2 * first["groups"]:
            with self.refused("too_few_entries"):
                life.start(**self.organiser)
            set_stages(**self.organiser, stages=[first | {"groups": max(1, starters // 2)}, *others])
            self.did("stages_changed")

    def play_stage(self) -> None:
        if self.stage.format == Stage.Format.ARENA or self.tournament.automatic:
            self.play_by_itself()
            return
        while self.play_round():
            pass

    def start_stage(self) -> bool:
        """The next one, with the best of the one before; whether there was one."""
        if not self.tournament.stages.filter(started_at=None).exists():
            with self.refused("no_next_stage", "wrong_state"):  # An arena has ended by itself.
                cuts.start_stage(**self.organiser)
            return False
        self.play_all()
        before = self.stage
        if not before.played.exists() or len(self.in_stage()) < 2:
            with self.refused("stage_not_played", "too_few_entries"):
                cuts.start_stage(**self.organiser)
            return False
        cuts.start_stage(**self.organiser)
        self.did("stage_started")
        self.cut(self, before)
        return True

    def finish(self) -> None:
        """If it has not ended by itself, as after an arena."""
        self.play_all()
        if not self.tournament.rounds.exists():
            with self.refused("no_rounds"):
                life.finish(**self.organiser)
            life.cancel(**self.organiser)
            self.did("cancelled")
            return
        if self.tournament.state == Tournament.State.RUNNING:
            life.finish(**self.organiser)
        self.did("finished")

    def play_round(self) -> bool:
        """The next round; whether there was one."""
        drawn = self.draw()
        if drawn is None:
            return False
        self.happen("drawn")
        round_ = self.publish()
        if round_ is None:
            return False
        for table in self.rng.sample(list(round_.tables.all()), round_.tables.count()):
            self.happen("playing")
            if self.rng.random() < 0.9:
                self.play_table(table)
        self.play_all(round=round_)
        rounds.close_round(**self.organiser, number=round_.number)
        self.did("round_closed")
        self.closed(self, round_)
        self.happen("closed")
        return True

    def draw(self) -> Round | None:
        if self.stage.format == Stage.Format.KNOCKOUT and OPEN in self.sources.values():
            with self.refused("tables_unfinished"):
                rounds.draw_round(**self.organiser)
            self.play_all()
        try:
            drawn = rounds.draw_round(**self.organiser)
        except ProblemError as error:
            self.check_over(error.code)
            return None
        self.did("round_drawn")
        self.active[drawn.number] = self.to_be_seated()
        self.edited.discard(drawn.number)
        return drawn

    def check_over(self, code: str) -> None:
        """A draw was refused: there must be nobody, or nothing, to draw."""
        stage, left = self.stage, self.in_stage()
        if code == "all_rounds_drawn" and stage.rounds is None:
            assert self.knockout(stage).is_decided() or len(self.to_be_seated()) < 2
        elif code == "all_rounds_drawn":
            assert stage.played.count() == stage.rounds
        elif code == "too_few_for_byes":
            groups = Counter(group for name, group in left.items() if name in self.to_be_seated())
            assert max(groups.values()) < (2 if self.tournament.pairs else 4)
        else:
            assert (code, left) == ("everyone_withdrew", {})

    def in_stage(self) -> dict[str, int]:
        """The active entries of the stage, and their groups."""
        active = self.stage.entrants.filter(entry__state=Entry.State.ACTIVE)
        return {each.entry.name: each.group for each in active.select_related(*ENTRY)}

    def to_be_seated(self) -> set[str]:
        """Who is to have a seat, or a bye, in the next round."""
        left = set(self.in_stage())
        return left & self.knockout(self.stage).survivors() if self.stage.format == "knockout" else left

    def knockout(self, stage: Stage) -> PlainKnockout:
        """What has been played of it, as this storm knows it."""
        closed = stage.played.filter(state="closed")
        seeds = {each.entry.name: each.seed for each in stage.entrants.select_related(*ENTRY)}
        return PlainKnockout(
            rounds=[[*self.results_of(round_), *self.byes_of(round_)] for round_ in closed],
            advance=stage.advance,
            seeds=seeds,
            sides=2 if self.tournament.engine_options.partners else 4,
        )

    def results_of(self, round_: Round) -> list[PlainTable]:
        """The tables of a round; of one that is annulled, or replayed, with scores of None."""
        return [
            plain_table(self.sources[at], self.owners[at], at[0])
            for at in self.sources
            if at[0] == round_.number
        ]

    def byes_of(self, round_: Round) -> list[PlainTable]:
        nobody = [None] * 3
        byes = round_.byes.select_related(*ENTRY)
        return [PlainTable(round_.number, [bye.entry.name, *nobody], [None, *nobody]) for bye in byes]

    def publish(self) -> Round | None:
        """What is drawn, or drawn anew if somebody has left since; None if then there is nothing to draw."""
        while drawn := self.tournament.rounds.filter(state="drawn").first():
            try:
                published = rounds.publish_round(**self.organiser, number=drawn.number)
            except ProblemError as error:
                assert error.code == "drawn_player_withdrew", error
                self.drop_draw()
            else:
                self.did("round_published")
                for table in self.tables(round=published):
                    self.announce(table)
                return published
        return None

    def announce(self, table: Table) -> None:
        """Write down who is to sit at a table that was just published."""
        seats = list(table.seats.select_related("player", "entry__player", "entry__partner"))
        at = where(table)
        self.announced[at] = [seat.name for seat in seats]
        self.owners[at] = [seat.entry.name if seat.entry else BOT if seat.bot else None for seat in seats]
        self.sources[at] = OPEN

    # What runs by itself

    def play_by_itself(self) -> None:
        """An arena until its time is up, or an automatic tournament: nobody draws, publishes or closes."""
        arena = self.stage.format == Stage.Format.ARENA
        for _ in range(self.rng.randint(4, 9) if arena else MOST_STEPS):
            self.wait()
            open_tables = [table for table in self.tables() if self.sources[where(table)] == OPEN]
            if open_tables:
                self.happen("playing")
                self.play_table(self.rng.choice(open_tables))
                self.notice()
            elif not arena:
                break
        if arena:
            Stage.objects.filter(pk=self.stage.pk).update(started_at=timezone.now() - timedelta(hours=2))
        self.play_all()
        self.notice()
        for round_ in self.tournament.rounds.filter(state="closed"):
            self.did("round_drawn", "round_published", "round_closed")
            self.closed(self, round_)
        self.did(*["stage_started"] * (self.stage.number - 1))

    def wait(self) -> None:
        """A minute passes, as the times say for which people of an arena have waited."""
        self.sweep()
        stage = self.stage
        if stage.format == Stage.Format.ARENA:
            since = {who: datetime.fromisoformat(at) for who, at in (stage.plan or {}).items()}
            stage.plan = {who: (at - timedelta(minutes=1)).isoformat() for who, at in since.items()}
            stage.save(update_fields=["plan"])
            self.sweep()
        self.notice()

    def notice(self) -> None:
        """Write down who was seated since, and that nobody sits at two tables of a wave that is played."""
        for table in self.tables():
            if where(table) not in self.sources:
                self.announce(table)
        for round_ in self.tournament.rounds.all():
            seats = round_.seats.filter(entry__isnull=False).select_related(*ENTRY)
            seated = {seat.entry.name for seat in seats} if round_.overlaps else self.to_be_seated()
            self.active.setdefault(round_.number, seated)
        being_played = set(self.tournament.rounds.filter(state="published").values_list("number", flat=True))
        open_tables = [at for at, source in self.sources.items() if source == OPEN and at[0] in being_played]
        owners = Counter(owner for at in open_tables for owner in set(self.owners[at]) - {BOT, None})
        assert set(owners.values()) <= {1}

    # Tables

    def play_all(self, **which: Any) -> None:
        """All tables that have no result yet, be it in closed rounds, where they are replayed."""
        for table in self.tables(**which):
            self.play_table(table)
        self.sweep()

    def sweep(self) -> None:
        """Lost messages are found again."""
        sweep()
        self.did(*["result_recorded"] * len(self.unrecorded))
        self.unrecorded.clear()

    def play_table(self, table: Table) -> None:
        """To its end, unless it has a result: by bots or, where somebody is missing, elsewhere."""
        at = where(table)
        table.refresh_from_db()
        if self.sources[at] != OPEN:
            return
        if table.match is None:
            self.by_hand(table)
            return
        self.leave_to_bots(table.match)
        self.sources[at] = Source("match", table.match.code)
        self.unrecorded.add(at)
        if self.rng.random() < 0.7:  # The sweeper finds the others.
            self.record(table)

    def record(self, table: Table) -> None:
        """The message of a finished match arrives, perhaps twice."""
        assert table.match
        for _ in range(self.rng.randint(1, 2)):
            record_result(table.match.pk)
        self.unrecorded.remove(where(table))
        self.did("result_recorded")

    def leave_to_bots(self, match: Match) -> None:
        """Everyone leaves a table, and a few come back for the last deal."""
        sitting = [seat.player for seat in match.seats.select_related("player") if seat.player]
        for player in sitting:
            leave(match_code=match.code, player=player)
        stay = self.rng.sample(sitting, self.rng.choice([0, 0, 1, min(2, len(sitting))]))
        while (
            Match.objects.values_list("deal_number", flat=True).get(pk=match.pk) < match.engine_options.deals
        ):
            play_bot_move(match.pk, limit=100)
        for player in stay:
            come_back(match_code=match.code, player=player)
        play_match(Match.objects.get(pk=match.pk), "random", self.rng)

    def by_hand(self, table: Table) -> None:
        owners = self.owners[where(table)]
        scores = [None if owner is None else self.rng.randrange(-300, 300, 25) for owner in owners]
        self.correct(table, results.enter_result, Source("hand", scores), scores=scores)

    def annul(self, table: Table) -> None:
        self.correct(table, results.annul, ANNULLED)

    def import_record(self, table: Table) -> None:
        """The same people have played it elsewhere."""
        if table.match is None:
            return
        sitting = [seat.player or seat.bot for seat in table.seats.select_related("player")]
        of = self.tournament
        elsewhere = create_match(
            rules=of.rules,
            options=of.options,
            seats=sitting,
            created_by=None,
            rated=False,
            secret=self.new_secret(),
        )
        self.leave_to_bots(elsewhere)
        text = match_record(stored_match(elsewhere.code), self.olga)
        self.correct(table, results.import_record, Source("record", text), record=text)

    def correct(self, table: Table, service: Callable[..., object], source: Source, **how: Any) -> None:
        """Let another result count than the one so far."""
        at = where(table)
        if self.sources[at] == source:
            return
        known = table.results.filter(superseded_at=None).first()
        named = {**self.organiser, "number": at[0], "table_number": at[1]}
        if known:
            with self.refused("result_changed"):
                service(**named, **how, reason="لم ير النتيجة", replaces=None)
        service(**named, **how, reason="لعب في البيت", replaces=known.pk if known else None)
        self.did(
            {"hand": "result_entered", "record": "result_imported", "annulled": "result_annulled"}[
                source.kind
            ]
        )
        self.sources[at] = source
        self.unrecorded.discard(at)

    # Troubles

    @trouble(0.3, "before", "drawn", "playing", "closed")
    def late_entry(self) -> None:
        if self.outsiders:
            self.enter()

    @trouble(0.2, "before", "drawn", "playing", "closed")
    def withdraw(self) -> None:
        active = self.entries()
        if len(active) > 3 or (active and self.rng.random() < 0.1):
            self.leave(self.rng.choice(active), entries.withdraw)
            self.did("withdrawn")

    def leave(self, entry: Entry, service: Callable[..., object], **why: str) -> None:
        """Before the start a place that becomes free is for who has waited longest."""
        waiting = self.entries(Entry.State.WAITING)
        service(**self.organiser, name=self.rng.choice(entry.players).username, **why)
        left = self.entries(Entry.State.WAITING)
        moved = 1 if waiting and self.tournament.state == Tournament.State.REGISTRATION else 0
        assert left == waiting[moved:]
        self.did(*["moved_up"] * moved)

    @trouble(0.3, "before", "drawn", "playing", "closed")
    def come_back(self) -> None:
        gone = [*self.entries(Entry.State.WITHDRAWN), *self.entries(Entry.State.DISQUALIFIED)]
        if gone:
            entry, full = self.rng.choice(gone), self.free_places() == 0
            partner = {"partner": entry.partner.username} if entry.partner else {}
            name = entry.player.username
            asked = {**self.organiser, "name": name, **partner}
            if self.is_closed() and not entry.stages.exists():
                with self.refused("too_late_to_enter"):
                    entries.enter(**asked)
                return
            entries.enter(**asked)
            self.did("put_on_the_waiting_list" if full else "entered")

    @trouble(0.4, "before")
    def check_in(self) -> None:
        """Some forget it."""
        check_ins.open_check_in(**self.organiser)
        self.did("check_in_opened")
        for number, entry in enumerate([*self.entries(), *self.entries(Entry.State.WAITING)]):
            if number < 5 or self.rng.random() < 0.8:
                check_ins.check_in(slug=self.slug, actor=self.rng.choice(entry.players))
                self.did("checked_in")

    @trouble(0.1, "drawn", "playing", "closed")
    def disqualify(self) -> None:
        active = self.entries()
        if len(active) > 3:
            self.leave(self.rng.choice(active), entries.disqualify, reason="غش")
            self.did("disqualified")

    @trouble(0.2, "drawn", "playing", "closed")
    def admit(self) -> None:
        waiting = self.entries(Entry.State.WAITING)
        if not waiting:
            return
        asked = {**self.organiser, "name": waiting[0].player.username}
        if self.is_closed():
            with self.refused("too_late_to_enter"):
                entries.admit(**asked)
        else:
            entries.admit(**asked)
            self.did("admitted")

    @trouble(0.2, "drawn", "playing", "closed", "finished")
    def penalty(self) -> None:
        """Or a bonus."""
        entry = self.rng.choice(list(self.stage.entrants.select_related(*ENTRY))).entry
        points = Decimal(self.rng.choice([-12, -6, -1, 1, 4])) / 4
        given = penalties.give(**self.organiser, name=entry.player.username, points=points, reason="تأخر")
        self.did("penalty_given")
        self.penalties[given.pk] = (self.stage.number, entry.name, Fraction(points))

    @trouble(0.1, "drawn", "playing", "closed", "finished")
    def pardon(self) -> None:
        if self.penalties:
            penalty = self.rng.choice(list(self.penalties))
            penalties.revoke(**self.organiser, penalty=penalty, reason="لم يتأخر")
            self.did("penalty_revoked")
            del self.penalties[penalty]

    @trouble(0.3, "drawn")
    def drop_draw(self) -> None:
        if drawn := self.tournament.rounds.filter(state="drawn").first():
            rounds.drop_draw(**self.organiser, number=drawn.number)
            self.did("draw_dropped")
            self.draw()

    @trouble(0.4, "drawn")
    def edit_draw(self) -> None:
        """Two places change who has them, if that is legal; a look at it before changes nothing."""
        drawn = self.tournament.rounds.filter(state="drawn").first()
        if drawn is None:
            return
        places = [Place(seat.table.number, seat.letter) for seat in drawn.seats.select_related("table")]
        places += [Place(bye=bye.entry.player.username) for bye in drawn.byes.select_related(*ENTRY)]
        first, second = self.rng.sample(places, 2)
        asked = {**self.organiser, "number": drawn.number, "first": first, "second": second}
        try:
            looked = edits.swap(**asked, version=drawn.version, preview=True)
        except ProblemError as error:
            assert error.code in ("nothing_to_swap", "other_group", "illegal_swap"), error
            return
        assert edits.swap(**asked, version=drawn.version).after == looked.after
        with self.refused("draw_changed"):
            edits.swap(**asked, version=drawn.version)
        self.did("draw_edited")
        self.edited.add(drawn.number)

    @trouble(0.3, "playing")
    def impatience(self) -> None:
        if OPEN in [self.sources[where(table)] for table in self.last_round.tables.all()]:
            with self.refused("tables_unfinished"):
                rounds.close_round(**self.organiser, number=self.last_round.number)
        arena = self.stage.format == Stage.Format.ARENA
        with self.refused("arena_seats_itself" if arena else "round_open"):
            rounds.draw_round(**self.organiser)

    @trouble(0.2, "playing", "closed", "finished")
    def correction(self) -> None:
        how = self.rng.choice([self.by_hand, self.by_hand, self.annul, self.import_record])
        how(self.rng.choice(self.tables()))

    @trouble(0.1, "playing", "closed")
    def replay(self) -> None:
        table = self.rng.choice(self.tables())
        if table.match is None:
            return
        known = table.results.filter(superseded_at=None).first()
        results.replay_table(
            **self.organiser,
            number=table.round.number,
            table_number=table.number,
            reason=f"أعيد {self.log['table_replayed']}",
            replaces=known.pk if known else None,
        )
        self.did("table_replayed")
        self.sources[where(table)] = OPEN
        self.unrecorded.discard(where(table))

    @trouble(0.15, "playing")
    def no_show(self) -> None:
        if seat := self.player_at_open_table():
            seats.mark_no_show(**self.named(seat))
            seats.mark_no_show(**self.named(seat))
            self.did("no_show")

    @trouble(0.2, "playing")
    def substitute(self) -> None:
        """Somebody else sits down for a player, who perhaps comes after all."""
        seat, number = self.player_at_open_table(), self.last_round.number
        fresh = [player for player in self.outsiders if (number, player.username) not in self.stood_in]
        if seat is None or not fresh:
            return
        own, stand_in = seat.player.username, self.rng.choice(fresh).username
        for name in [stand_in, None][: self.rng.choice([1, 1, 2])]:
            seats.substitute(**self.named(seat), name=name)
            self.did("seat_changed")
            self.announced[where(seat.table)][seat.index] = name or own
        self.stood_in.add((number, stand_in))

    def player_at_open_table(self) -> TableSeat | None:
        """The seat of a player, who sits there himself, at a table that is being played."""
        found = TableSeat.objects.filter(
            round=self.last_round, no_show_at=None, table__match__status=Match.Status.RUNNING
        ).select_related("table__round", "player", "entry__player", "entry__partner")
        own = [seat for seat in found if seat.player and not seat.stands_in_for]
        return self.rng.choice(own) if own else None

    def named(self, seat: TableSeat) -> Settings:
        number, table = where(seat.table)
        return {**self.organiser, "number": number, "table_number": table, "seat": seat.letter}


def where(table: Table) -> Where:
    return table.round.number, table.number


@cache
def record_of(kind: str, value: str) -> Replay:
    """The one match of a record: as the public API gives it, or as it was imported."""
    text = value.encode()
    if kind == "match":
        text = Client().get(f"/api/v1/matches/{value}/record/").content
    (replay,) = read_records(io.BytesIO(text), "record")
    assert isinstance(replay, Replay)
    return replay


def plain_table(source: Source, owners: Sequence[str | None], number: int) -> PlainTable:
    """A table from its record alone, or from what was entered by hand; without scores if nothing counts."""
    if source in (OPEN, ANNULLED):
        return PlainTable(number, owners, [None] * 4)
    if source.kind == "hand":
        return PlainTable(number, owners, source.value)
    replay = record_of(source.kind, source.value)
    found = replay_report(replay)
    assert found["status"] == "finished"
    best = [max(deal["scores"][seat] for deal in found["deals"]) for seat in SEAT_NAMES]
    cards = replay.record.tags["Seed"] if source.kind == "match" else None
    return PlainTable(number, owners, [found["totals"][seat] for seat in SEAT_NAMES], best, cards)
